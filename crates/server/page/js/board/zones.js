// Zones over a board: straight lines for attackers and their targets, arcs for interception and support.

import { s } from '../ui/dom.js';
import { squareToXY } from './geometry.js';

/** @import {Trajectory} from '../api.js' */
/** @import {Orientation} from './geometry.js' */

/** @typedef {{x: number, y: number}} Point */

/** The curvature of the arcs of different pieces, so that they do not overlap. */
const ARC_BOWS = [0.26, -0.26, 0.16, -0.16];

/** @param {Trajectory[]} zone @param {Orientation} orientation @returns {SVGElement[]} */
export function zoneElements(zone, orientation) {
  // All arcs of a piece have the same curvature, so that their common part coincides.
  const pieces = [...new Set(zone.map((trajectory) => trajectory.path[0]))];
  return zone.map((trajectory) => {
    const points = trajectory.path.map((square) => center(square, orientation));
    const isArc = trajectory.role === 'intercept' || trajectory.role === 'support';
    const bow = isArc ? ARC_BOWS[pieces.indexOf(trajectory.path[0]) % ARC_BOWS.length] : 0;
    const { d, tip, control } = trajectoryPath(points, bow);
    return s(
      'g',
      { class: `trajectory ${trajectory.role}`, 'data-path': trajectory.path.join('-') },
      s('path', { d }),
      s('polygon', { points: arrowHead(control, tip) }),
      ...timeBadge(points, trajectory.time, trajectory.role.includes('displaced') ? -1 : 1),
    );
  });
}

/** @param {string} square @param {Orientation} orientation @returns {Point} */
function center(square, orientation) {
  const { x, y } = squareToXY(square, orientation);
  return { x: x + 0.5, y: y + 0.5 };
}

/** A line through all points, curved by `bow` at every step. @param {Point[]} points @param {number} bow */
function trajectoryPath(points, bow) {
  let from = towards(points[0], points[1], 0.3);
  let d = `M${from.x} ${from.y}`;
  let [control, tip] = [from, from];
  points.slice(1).forEach((point, index) => {
    const isLast = index === points.length - 2;
    tip = isLast ? towards(point, from, 0.14) : point;
    const [dx, dy] = [tip.x - from.x, tip.y - from.y];
    control = { x: (from.x + tip.x) / 2 - dy * bow, y: (from.y + tip.y) / 2 + dx * bow };
    const end = isLast ? towards(tip, control, 0.2) : tip;
    d += bow ? `Q${control.x} ${control.y} ${end.x} ${end.y}` : `L${end.x} ${end.y}`;
    from = tip;
  });
  return { d, tip, control };
}

/** @param {Point} from @param {Point} to @param {number} distance */
function towards(from, to, distance) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  return { x: from.x + (dx / length) * distance, y: from.y + (dy / length) * distance };
}

/** @param {Point} from @param {Point} tip */
function arrowHead(from, tip) {
  const base = towards(tip, from, 0.22);
  const [dx, dy] = [(tip.x - base.x) * 0.55, (tip.y - base.y) * 0.55];
  return `${tip.x},${tip.y} ${base.x - dy},${base.y + dx} ${base.x + dy},${base.y - dx}`;
}

/**
 * The available time or the number of a step, in a corner of the last square.
 * @param {Point[]} points @param {number} time @param {1 | -1} side of the line: a push has two steps on the same one
 */
function timeBadge(points, time, side) {
  const [previous, last] = points.slice(-2);
  const [dx, dy] = [previous.x - last.x, previous.y - last.y];
  const [x, y] = [last.x + dx * 0.34 + dy * 0.3 * side, last.y + dy * 0.34 - dx * 0.3 * side];
  const text = s('text', { x, y: y + 0.065, 'text-anchor': 'middle' });
  text.textContent = String(time);
  return [s('circle', { cx: x, cy: y, r: 0.13 }), text];
}
