// The place of each square on the screen.

import { FILES } from '../model/notation.js';

/** @typedef {{view: 'upright' | 'sideways', flipped: boolean}} Orientation */

/** Column and row of a square, from the top left. @param {string} square @param {Orientation} orientation */
export function squareToXY(square, orientation) {
  const file = FILES.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  // Sideways, gold is on the left, so that its left hand is up.
  const [x, y] = orientation.view === 'sideways' ? [rank, file] : [file, 7 - rank];
  return orientation.flipped ? { x: 7 - x, y: 7 - y } : { x, y };
}

/** The square at a column and row, or null. @param {number} x @param {number} y @param {Orientation} orientation */
export function squareAt(x, y, orientation) {
  if (!(x >= 0 && x < 8 && y >= 0 && y < 8)) return null;
  const [column, row] = [Math.floor(x), Math.floor(y)].map((index) => (orientation.flipped ? 7 - index : index));
  const [file, rank] = orientation.view === 'sideways' ? [row, column] : [column, 7 - row];
  return `${FILES[file]}${rank + 1}`;
}
