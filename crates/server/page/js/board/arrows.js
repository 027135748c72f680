// Arrows and circles drawn by the user.

import { s } from '../ui/dom.js';
import { squareToXY } from './geometry.js';

/** @import {Shape} from '../model/shapes.js' */
/** @import {Orientation} from './geometry.js' */

/** @param {Shape} shape @param {Orientation} orientation */
export function shapeElement({ from, to, colour }, orientation) {
  const start = squareToXY(from, orientation);
  if (from === to) return s('circle', { cx: start.x + 0.5, cy: start.y + 0.5, r: 0.44, class: `circle ${colour}` });
  return arrow(start, squareToXY(to, orientation), colour);
}

/**
 * @param {{x: number, y: number}} start
 * @param {{x: number, y: number}} end
 * @param {string} colour
 */
function arrow(start, end, colour) {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [x1, y1] = [start.x + 0.5 + ux * 0.22, start.y + 0.5 + uy * 0.22];
  const [x2, y2] = [end.x + 0.5 - ux * 0.12, end.y + 0.5 - uy * 0.12];
  const [bx, by] = [x2 - ux * 0.3, y2 - uy * 0.3];
  const head = `${x2},${y2} ${bx - uy * 0.2},${by + ux * 0.2} ${bx + uy * 0.2},${by - ux * 0.2}`;
  return s('g', { class: `arrow ${colour}` }, s('line', { x1, y1, x2: bx, y2: by }), s('polygon', { points: head }));
}
