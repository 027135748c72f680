// Arrows with numbers that a panel draws on the board, and tints of squares.

import { s } from '../ui/dom.js';
import { squareToXY } from './geometry.js';

/** @import {Orientation} from './geometry.js' */

/**
 * @typedef {{
 *   from: string,
 *   to: string,
 *   colour: 'best' | 'threat' | 'tactic' | 'run',
 *   label: string,
 *   isDisplaced: boolean,
 * }} Hint an arrow; a displaced piece is drawn with a dashed line
 */

/** @typedef {{square: string, side: 'gold' | 'silver'}} Tint */

/** @param {Hint[]} hints @param {Orientation} orientation @returns {SVGElement[]} */
export function hintElements(hints, orientation) {
  const arrows = hints.map((hint) => arrow(hint, orientation));
  // The numbers are above all arrows.
  const labels = hints.filter(({ label }) => label !== '').map((hint) => number(hint, orientation));
  return [...arrows, ...labels];
}

/** @param {Hint} hint @param {Orientation} orientation */
function arrow({ from, to, colour, isDisplaced }, orientation) {
  const [a, b] = [center(from, orientation), center(to, orientation)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const [x1, y1, x2, y2] = [a.x + ux * 0.2, a.y + uy * 0.2, b.x - ux * 0.16, b.y - uy * 0.16];
  const [bx, by] = [x2 - ux * 0.26, y2 - uy * 0.26];
  const points = `${x2},${y2} ${bx - uy * 0.17},${by + ux * 0.17} ${bx + uy * 0.17},${by - ux * 0.17}`;
  return s(
    'g',
    { class: `hint-arrow ${colour}${isDisplaced ? ' displaced' : ''}`, 'data-from': from, 'data-to': to },
    s('line', { x1, y1, x2: bx, y2: by }),
    s('polygon', { points }),
  );
}

/** @param {Hint} hint @param {Orientation} orientation */
function number({ from, to, colour, label }, orientation) {
  const [a, b] = [center(from, orientation), center(to, orientation)];
  const [x, y] = [a.x + (b.x - a.x) * 0.42, a.y + (b.y - a.y) * 0.42];
  const text = s('text', { x, y: y + 0.075, 'text-anchor': 'middle' });
  text.textContent = label;
  return s('g', { class: `hint-number ${colour}` }, s('circle', { cx: x, cy: y, r: 0.145 }), text);
}

/** @param {string} square @param {Orientation} orientation */
function center(square, orientation) {
  const { x, y } = squareToXY(square, orientation);
  return { x: x + 0.5, y: y + 0.5 };
}

/** @param {Tint[]} tints @param {Orientation} orientation @returns {SVGElement[]} */
export function tintElements(tints, orientation) {
  return tints.map(({ square, side }) => {
    const { x, y } = squareToXY(square, orientation);
    return s('rect', { x, y, width: 1, height: 1, class: `tint ${side}`, 'data-square': square });
  });
}
