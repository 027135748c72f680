// The coordinates on the edge of a board or on its traps.

import { FILES, TRAPS } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { squareToXY } from './geometry.js';

/** @import {BoardState} from './state.js' */

/** @param {BoardState} state @returns {SVGElement[]} */
export function coordinates(state) {
  if (state.coordinates === 'none') return [];
  if (state.coordinates === 'traps') {
    return TRAPS.map((square) => {
      const { x, y } = squareToXY(square, state);
      return label(x + 0.06, y + 0.22, square);
    });
  }
  return Array.from(FILES, (_, index) => index).flatMap((index) => edgeLabels(index, state));
}

/** Files along the bottom and ranks along the left edge; the other way round if the board is sideways. @param {number} index @param {BoardState} state */
function edgeLabels(index, state) {
  const file = squareToXY(`${FILES[index]}1`, state);
  const rank = squareToXY(`a${index + 1}`, state);
  const number = String(index + 1);
  if (state.view === 'upright') {
    return [label(file.x + 0.95, 7.95, FILES[index], 'end'), label(0.05, rank.y + 0.2, number)];
  }
  return [label(0.05, file.y + 0.2, FILES[index]), label(rank.x + 0.95, 7.95, number, 'end')];
}

/** @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
function label(x, y, text, anchor = 'start') {
  const element = s('text', { x, y, 'text-anchor': anchor });
  element.textContent = text;
  return element;
}
