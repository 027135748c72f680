// The settings of the analysis, stored in the browser.

import { loadItem, saveItem } from '../model/settings.js';

/**
 * @typedef {{
 *   enabled: boolean,
 *   lines: number,
 *   threads: number,
 *   hash: number,
 *   nodes: number | null,
 *   gameNodes: number,
 *   arrows: boolean,
 * }} AnalysisSettings `nodes` limits a search of one position, null for none; `gameNodes` those of a whole game
 */

const KEY = 'surus.analysis';

/** @type {AnalysisSettings} */
const DEFAULTS = { enabled: false, lines: 1, threads: 1, hash: 64, nodes: null, gameNodes: 50_000, arrows: true };

/** @returns {AnalysisSettings} */
export function loadAnalysisSettings() {
  return { ...DEFAULTS, ...loadItem(KEY) };
}

/** @param {AnalysisSettings} settings */
export function saveAnalysisSettings(settings) {
  saveItem(KEY, settings);
}
