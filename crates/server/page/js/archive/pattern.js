// The pattern of a search: words like Ed4 or .c3, and material as letters.

/** @import {Board} from '../model/notation.js' */

/** @param {string} pattern */
function words(pattern) {
  return pattern.split(/[\s,]+/).filter(Boolean);
}

/** The squares in a pattern. @param {string} pattern */
export function patternSquares(pattern) {
  return words(pattern)
    .map((word) => word.slice(1))
    .filter((square) => /^[a-h][1-8]$/.test(square));
}

/** Adds a square to a pattern, or removes it. @param {string} pattern @param {string} square @param {string | undefined} letter */
export function togglePattern(pattern, square, letter) {
  const all = words(pattern);
  const others = all.filter((word) => word.slice(1) !== square);
  const added = others.length === all.length;
  if (added) others.push(`${letter ?? '.'}${square}`);
  return { pattern: others.join(' '), added };
}

/** The pieces of a board as letters, the strongest of each side first. @param {Board} board */
export function materialOf(board) {
  const letters = Object.values(board);
  const side = (/** @type {string} */ order) =>
    [...order].map((kind) => letters.filter((letter) => letter === kind).join('')).join('');
  return `${side('EMHDCR')} ${side('emhdcr')}`.trim();
}
