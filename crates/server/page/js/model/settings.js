// The user's settings, stored in the browser.

import { bus } from './bus.js';

/**
 * @typedef {{
 *   theme: 'auto' | 'light' | 'dark',
 *   pieces: 'animals' | 'letters',
 *   pips: boolean,
 *   coordinates: 'none' | 'traps' | 'all',
 *   view: 'upright' | 'sideways',
 *   flipped: boolean,
 *   sound: boolean,
 *   animation: 'fast' | 'slow' | 'none',
 *   size: number,
 *   targets: boolean,
 *   replaySpeed: string,
 * }} Settings
 */

/** @type {Settings} */
export const DEFAULTS = {
  theme: 'auto',
  pieces: 'animals',
  pips: false,
  coordinates: 'all',
  view: 'upright',
  flipped: false,
  sound: true,
  animation: 'fast',
  size: 100,
  targets: true,
  replaySpeed: '1x',
};

const KEY = 'surus.settings';

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...loadItem(KEY) };

/** @param {Partial<Settings>} change */
export function updateSettings(change) {
  Object.assign(settings, change);
  saveItem(KEY, settings);
  bus.emit('settings', settings);
}

/** Reads a stored value; null if there is none or storage is unavailable. @param {string} key @returns {any} */
export function loadItem(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value, if storage is available. @param {string} key @param {unknown} value */
export function saveItem(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A private window has no storage.
  }
}

/** The duration of the animation of one step, in milliseconds. */
export function stepDuration() {
  if (settings.animation === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
  return settings.animation === 'slow' ? 420 : 190;
}
