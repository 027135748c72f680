// The page: which view is shown, and what works everywhere.

import { defineArt } from './board/art.js';
import { archivePage } from './archive/page.js';
import { gamesPage } from './games/page.js';
import { onPreference, prefer, settings } from './model/settings.js';
import { newGamePage } from './play/new.js';
import { playPage } from './play/page.js';
import { reviewPage } from './review/page.js';
import { about } from './server.js';
import { fill, h, icon } from './ui/dom.js';
import { showHelp } from './ui/help.js';
import { showSettings } from './ui/settings.js';

/** @typedef {{element: HTMLElement, key?: (event: KeyboardEvent) => boolean, close?: () => void, flip?: () => void}} Page */

const place = /** @type {HTMLElement} */ (document.getElementById('page'));

/** @type {Page | null} */
let page = null;

function route() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, rest = ''] = path.split('/');
  page?.close?.();
  page = null;
  if (name === 'game' && rest) page = playPage(rest);
  else if (name === 'review') page = reviewPage(new URLSearchParams(query));
  else if (name === 'games') page = gamesPage();
  else if (name === 'archive') page = archivePage(new URLSearchParams(query));
  else page = newGamePage(new URLSearchParams(query));
  fill(place, page.element);
  scrollTo(0, 0);
  const current = name === 'archive' ? 'games' : name === 'review' || name === 'games' ? name : 'play';
  for (const link of document.querySelectorAll('.bar nav a')) {
    if (/** @type {HTMLElement} */ (link).dataset.page === current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function applyTheme() {
  const dark = settings.theme === 'dark' || (settings.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

function flip() {
  if (page?.flip) page.flip();
  else prefer({ flipped: !settings.flipped });
}

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (document.querySelector('dialog[open]') || event.defaultPrevented) return;
  if (target.matches('input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select')) return;
  if (page?.key?.(event)) return event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '?') showHelp();
  else if (event.key === 'f') flip();
  else if (event.key === 'F') prefer({ view: settings.view === 'upright' ? 'sideways' : 'upright' });
  else if (event.key === 'o') showSettings();
  else return;
  event.preventDefault();
});

/** @param {string} label @param {string} face @param {() => void} act */
const tool = (label, face, act) =>
  h('button', { type: 'button', class: 'button quiet only-icon', title: label, 'aria-label': label, onclick: act }, icon(face));

document.querySelector('.tools')?.append(
  tool('Turn the board (f)', 'flip', flip),
  tool('Settings (o)', 'settings', showSettings),
  tool('Keys and help (?)', 'help', showHelp),
);
defineArt();
applyTheme();
onPreference(applyTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
addEventListener('hashchange', route);
about().then(
  ({ read_only }) => {
    if (read_only) document.querySelector('.bar nav')?.after(h('span', { class: 'badge', title: 'Games cannot be started, changed or deleted here.' }, 'Read-only'));
  },
  () => {}, // The page itself says that the server does not answer.
);
route();
