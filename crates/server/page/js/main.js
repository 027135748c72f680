// The page: routing, theme, and what works everywhere.

import { injectPieceSymbols } from './board/piece_set.js';
import { appInfo, pingServer, untilReachable } from './client.js';
import { bus } from './model/bus.js';
import { settings, updateSettings } from './model/settings.js';
import { newGamePage } from './play/new_game.js';
import { playPage } from './play/page.js';
import { runningGame } from './play/running_game.js';
import { playSound } from './ui/announce.js';
import { button, fill, h, icon, setPressed } from './ui/dom.js';
import { showHelp } from './ui/help.js';
import { showSettings } from './ui/settings.js';

/**
 * `title` is shown in the tab of the browser.
 * @typedef {{
 *   element: HTMLElement,
 *   title: string,
 *   key?: (event: KeyboardEvent) => boolean,
 *   close?: () => void,
 * }} Page
 */

const container = /** @type {HTMLElement} */ (document.getElementById('page'));
const darkMode = matchMedia('(prefers-color-scheme: dark)');

/** @type {Page | null} */
let page = null;
let routes = 0;

async function route() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, id = ''] = path.split('/');
  routes += 1;
  const current = routes;
  const createPage = await loadPage(name).catch(() => unloadedPage);
  // The address may have changed while the page was loading.
  if (current !== routes) return;
  page?.close?.();
  page = createPage(new URLSearchParams(query), id);
  fill(container, page.element);
  scrollTo(0, 0);
  markLink(name);
  showRunningGame();
}

/** The tab says whose turn it is; the link to the play page leads to the running game. */
function showRunningGame() {
  const { game } = runningGame;
  const isOver = game?.position.phase === 'over';
  document.title = [runningGame.status() || page?.title, 'Surus'].filter(Boolean).join(' – ');
  const link = /** @type {HTMLAnchorElement} */ (document.querySelector('.top-bar nav [data-page=play]'));
  link.href = game && !isOver ? `#/game/${game.id}` : '#/play';
  link.classList.toggle('your-turn', runningGame.status() === 'Your turn' && page?.title !== 'Game');
}

/**
 * Only the pages to play on are loaded at the start.
 * @param {string} name
 * @returns {Promise<(query: URLSearchParams, id: string) => Page>}
 */
async function loadPage(name) {
  if (name === 'game') return (query, id) => (id ? playPage(id) : newGamePage(query));
  if (name === 'review') return (await import('./review/page.js')).reviewPage;
  if (name === 'editor') return (await import('./editor/page.js')).editorPage;
  if (name === 'games') return (await import('./games/page.js')).gamesPage;
  if (name === 'archive') return (await import('./archive/page.js')).archivePage;
  return newGamePage;
}

/**
 * Shown instead of a page that could not be loaded. A browser does not request a module again that failed to load, so once
 * the server is back everything is loaded again.
 * @returns {Page}
 */
function unloadedPage() {
  const text = h('p', { class: 'empty error', role: 'alert' }, 'This page could not be loaded: reload it.');
  let wasUnreachable = false;
  let isClosed = false;
  const onUnreachable = (/** @type {Error} */ error) => {
    wasUnreachable = true;
    text.textContent = error.message;
  };
  untilReachable(pingServer, onUnreachable, () => isClosed).then(
    () => wasUnreachable && !isClosed && location.reload(),
    () => {}, // Another page was opened.
  );
  const close = () => {
    isClosed = true;
  };
  return { element: text, title: 'Error', close };
}

/** Marks the link of the current page. @param {string} name */
function markLink(name) {
  const pages = new Map([
    ['review', 'review'],
    ['editor', 'review'],
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
const KEYS = { '?': showHelp, f: flipBoard, F: toggleView, o: showSettings, m: toggleSound };

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

// After a click the keys belong to the board again, so that Space does not press the same button once more.
document.addEventListener('click', ({ target, detail }) => {
  const pressed = /** @type {HTMLElement} */ (target).closest('button, a, summary');
  if (detail > 0 && pressed instanceof HTMLElement) pressed.blur();
});

/** @param {string} label @param {string} icon @param {() => void} action */
function tool(label, icon, action) {
  return button(label, action, { icon, kind: 'quiet', hideLabel: true });
}

const soundTool = tool('Sound (m)', 'sound', toggleSound);

function toggleSound() {
  updateSettings({ sound: !settings.sound });
  if (settings.sound) playSound('step');
}

function showSound() {
  fill(soundTool, icon(settings.sound ? 'sound' : 'muted'));
  setPressed(soundTool, settings.sound);
}

document
  .querySelector('.tools')
  ?.append(
    soundTool,
    tool('Flip board (f)', 'flip', flipBoard),
    tool('Settings (o)', 'settings', showSettings),
    tool('Keys and help (?)', 'help', showHelp),
  );
injectPieceSymbols();
applyTheme();
showSound();
bus.on('settings', applyTheme);
bus.on('settings', showSound);
bus.on('running', showRunningGame);
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
