// The page: routing, theme, and what works everywhere.

import { archivePage } from './archive/page.js';
import { injectPieceSymbols } from './board/piece_set.js';
import { appInfo } from './client.js';
import { gamesPage } from './games/page.js';
import { bus } from './model/bus.js';
import { settings, updateSettings } from './model/settings.js';
import { newGamePage } from './play/new_game.js';
import { playPage } from './play/page.js';
import { reviewPage } from './review/page.js';
import { button, fill, h } from './ui/dom.js';
import { showHelp } from './ui/help.js';
import { showSettings } from './ui/settings.js';

/** @typedef {{element: HTMLElement, key?: (event: KeyboardEvent) => boolean, close?: () => void}} Page */

const container = /** @type {HTMLElement} */ (document.getElementById('page'));
const darkMode = matchMedia('(prefers-color-scheme: dark)');

/** @type {Page | null} */
let page = null;

function route() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, id = ''] = path.split('/');
  page?.close?.();
  page = createPage(name, id, new URLSearchParams(query));
  fill(container, page.element);
  scrollTo(0, 0);
  markLink(name);
}

/** @param {string} name @param {string} id @param {URLSearchParams} query @returns {Page} */
function createPage(name, id, query) {
  if (name === 'game' && id) return playPage(id);
  if (name === 'review') return reviewPage(query);
  if (name === 'games') return gamesPage();
  if (name === 'archive') return archivePage(query);
  return newGamePage(query);
}

/** Marks the link of the current page. @param {string} name */
function markLink(name) {
  const pages = new Map([
    ['review', 'review'],
    ['games', 'games'],
    ['archive', 'games'],
  ]);
  const current = pages.get(name) ?? 'play';
  for (const link of document.querySelectorAll('.top-bar nav a')) {
    if (/** @type {HTMLElement} */ (link).dataset.page === current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function applyTheme() {
  const isDark = settings.theme === 'dark' || (settings.theme === 'auto' && darkMode.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

function flipBoard() {
  updateSettings({ flipped: !settings.flipped });
}

function toggleView() {
  updateSettings({ view: settings.view === 'upright' ? 'sideways' : 'upright' });
}

/** The keys that work on every page. @type {Record<string, () => void>} */
const KEYS = { '?': showHelp, f: flipBoard, F: toggleView, o: showSettings };

const TEXT_INPUTS = 'input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select';

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (document.querySelector('dialog[open]') || event.defaultPrevented || target.matches(TEXT_INPUTS)) return;
  if (page?.key?.(event)) return event.preventDefault();
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  action();
  event.preventDefault();
});

/** @param {string} label @param {string} icon @param {() => void} action */
function tool(label, icon, action) {
  return button(label, action, { icon, kind: 'quiet', hideLabel: true });
}

document
  .querySelector('.tools')
  ?.append(
    tool('Flip board (f)', 'flip', flipBoard),
    tool('Settings (o)', 'settings', showSettings),
    tool('Keys and help (?)', 'help', showHelp),
  );
injectPieceSymbols();
applyTheme();
bus.on('settings', applyTheme);
darkMode.addEventListener('change', applyTheme);
addEventListener('hashchange', route);
appInfo().then(
  ({ read_only }) => {
    if (!read_only) return;
    const title = 'Games cannot be started, changed or deleted.';
    document.querySelector('.top-bar nav')?.after(h('span', { class: 'badge', title }, 'Read-only'));
  },
  () => {}, // The page shows that the server does not respond.
);
route();
