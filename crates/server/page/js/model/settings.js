// What a person prefers, kept in this browser.

/**
 * @typedef {{
 *   theme: 'auto' | 'light' | 'dark', pieces: 'animals' | 'letters', pips: boolean, coordinates: 'none' | 'traps' | 'all',
 *   view: 'upright' | 'sideways', flipped: boolean, sound: boolean, motion: 'quick' | 'slow' | 'none', size: number,
 *   targets: boolean,
 * }} Settings
 */

/** @type {Settings} */
const DEFAULTS = {
  theme: 'auto',
  pieces: 'animals',
  pips: false,
  coordinates: 'all',
  view: 'upright',
  flipped: false,
  sound: false,
  motion: 'quick',
  size: 100,
  targets: true,
};

const KEY = 'surus.settings';

/** @type {Set<() => void>} */
const listeners = new Set();

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...stored(KEY) };

/**
 * @param {Partial<Settings>} change
 */
export function prefer(change) {
  Object.assign(settings, change);
  store(KEY, settings);
  for (const listener of listeners) listener();
}

/** @param {() => void} listener @returns {() => void} how to stop it */
export function onPreference(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was stored under a key; a browser that stores nothing has forgotten. @param {string} key @returns {any} */
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A private window keeps nothing, which is what it is for.
  }
}

/** How long one step takes on the board, in milliseconds. */
export function stepTime() {
  if (settings.motion === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
  return settings.motion === 'slow' ? 420 : 190;
}
