// Zones over a board: straight lines for whoever attacks and is attacked, arcs for whoever comes in the way or helps.

import { s } from '../ui/dom.js';
import { placeOf } from './geometry.js';

/** @import {Trajectory} from '../api.js' */
/** @import {Seen} from './geometry.js' */

/** @typedef {{x: number, y: number}} Point */

/** @param {Trajectory[]} zone @param {Seen} seen @returns {SVGElement[]} */
export function zoneMarks(zone, seen) {
  // All ways of a piece bow out alike, so that what they share looks like one.
  const pieces = [...new Set(zone.map((track) => track.path[0]))];
  return zone.map((track) => {
    const points = track.path.map((square) => {
      const { x, y } = placeOf(square, seen);
      return { x: x + 0.5, y: y + 0.5 };
    });
    const arc = track.role === 'intercept' || track.role === 'support';
    const { d, tip, from } = way(points, arc ? [0.26, -0.26, 0.16, -0.16][pieces.indexOf(track.path[0]) % 4] : 0);
    return s(
      'g',
      { class: `track ${track.role}`, 'data-path': track.path.join('-') },
      s('path', { d }),
      s('polygon', { points: head(from, tip) }),
      ...badge(points, track.time),
    );
  });
}

/** A line through all points that bows out by so much at every step. @param {Point[]} points @param {number} bow */
function way(points, bow) {
  let from = towards(points[0], points[1], 0.3);
  let d = `M${from.x} ${from.y}`;
  let [control, tip] = [from, from];
  points.slice(1).forEach((point, index) => {
    const last = index === points.length - 2;
    tip = last ? towards(point, from, 0.14) : point;
    const [dx, dy] = [tip.x - from.x, tip.y - from.y];
    control = { x: (from.x + tip.x) / 2 - dy * bow, y: (from.y + tip.y) / 2 + dx * bow };
    const end = last ? towards(tip, control, 0.2) : tip;
    d += bow ? `Q${control.x} ${control.y} ${end.x} ${end.y}` : `L${end.x} ${end.y}`;
    from = tip;
  });
  return { d, tip, from: control };
}

/** @param {Point} from @param {Point} to @param {number} by */
function towards(from, to, by) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  return { x: from.x + (dx / length) * by, y: from.y + (dy / length) * by };
}

/** The head of an arrow. @param {Point} from @param {Point} tip */
function head(from, tip) {
  const base = towards(tip, from, 0.22);
  const [dx, dy] = [(tip.x - base.x) * 0.55, (tip.y - base.y) * 0.55];
  return `${tip.x},${tip.y} ${base.x - dy},${base.y + dx} ${base.x + dy},${base.y - dx}`;
}

/** The time, in a corner of the last square. @param {Point[]} points @param {number} time */
function badge(points, time) {
  const [before, last] = points.slice(-2);
  const [dx, dy] = [before.x - last.x, before.y - last.y];
  const [x, y] = [last.x + dx * 0.34 + dy * 0.3, last.y + dy * 0.34 - dx * 0.3];
  const text = s('text', { x, y: y + 0.065, 'text-anchor': 'middle' });
  text.textContent = String(time);
  return [s('circle', { cx: x, cy: y, r: 0.13 }), text];
}
