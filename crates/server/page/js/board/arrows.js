// Arrows that people draw.

import { s } from '../ui/dom.js';

/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @param {string} colour
 */
export function arrow(a, b, colour) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [x1, y1] = [a.x + 0.5 + ux * 0.22, a.y + 0.5 + uy * 0.22];
  const [x2, y2] = [b.x + 0.5 - ux * 0.12, b.y + 0.5 - uy * 0.12];
  const [bx, by] = [x2 - ux * 0.3, y2 - uy * 0.3];
  const head = `${x2},${y2} ${bx - uy * 0.2},${by + ux * 0.2} ${bx + uy * 0.2},${by - ux * 0.2}`;
  return s(
    'g',
    { class: `arrow ${colour}` },
    s('line', { x1, y1, x2: bx, y2: by }),
    s('polygon', { points: head }),
  );
}
