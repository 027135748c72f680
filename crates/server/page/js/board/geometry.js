// Where a square lies on the screen.

import { FILES } from '../model/notation.js';

/** @typedef {{view: 'upright' | 'sideways', flipped: boolean}} Seen */

/** Column and row of a square, from the top left. @param {string} square @param {Seen} seen */
export function placeOf(square, seen) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  // Seen sideways gold sits on the left, so that its own left hand is up.
  const [x, y] = seen.view === 'sideways' ? [rank, file] : [file, 7 - rank];
  return seen.flipped ? { x: 7 - x, y: 7 - y } : { x, y };
}

/** The square at a column and row, or nothing. @param {number} x @param {number} y @param {Seen} seen */
export function squareAt(x, y, seen) {
  if (!(0 <= x && x < 8 && 0 <= y && y < 8)) return null;
  const [column, row] = seen.flipped ? [7 - Math.floor(x), 7 - Math.floor(y)] : [Math.floor(x), Math.floor(y)];
  const [file, rank] = seen.view === 'sideways' ? [row, column] : [column, 7 - row];
  return `${FILES[file]}${rank + 1}`;
}
