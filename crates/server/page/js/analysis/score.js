// Scores in words.

/** @import {AnalysisUpdate} from '../api.js' */

/** A score for gold as text: `+1.25`, `gold wins in 3`. @param {string} score @param {boolean} [short] */
export function formatScore(score, short = false) {
  const [kind, turns] = score.split(' ');
  if (kind === 'win' || kind === 'loss') {
    const side = kind === 'win' ? 'gold' : 'silver';
    if (turns === '0') return short ? `${side[0].toUpperCase()}#` : `${side} has won`;
    return short ? `${side[0].toUpperCase()}#${turns}` : `${side} wins in ${turns}`;
  }
  const rabbits = Number(score) / 100;
  const sign = rabbits > 0 ? '+' : rabbits < 0 ? '−' : '';
  return `${sign}${Math.abs(rabbits).toFixed(2)}`;
}

/** @param {number} win gold's win probability */
export function formatWin(win) {
  return `${Math.round(win * 100)}\u00a0%`;
}

/** A count with three digits at most: `853`, `12.4 k`, `3.1 M`. @param {number} count */
export function formatCount(count) {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)} k`;
  return `${(count / 1_000_000).toFixed(1)} M`;
}

/** Depth, nodes and speed. @param {AnalysisUpdate} update */
export function formatProgress({ state, waiting_for, depth, nodes, nps, hashfull, cached }) {
  if (state === 'waiting') {
    const others = waiting_for === 1 ? 'another analysis' : `${waiting_for} other analyses`;
    return waiting_for ? `Waiting for ${others}` : 'Waiting for another analysis';
  }
  if (depth === 0) return 'Searching';
  return [
    `depth ${depth}`,
    `${formatCount(nodes)} nodes`,
    nps ? `${formatCount(nps)}/s` : '',
    hashfull ? `hash ${(hashfull / 10).toFixed(0)} %` : '',
    cached ? 'known' : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
