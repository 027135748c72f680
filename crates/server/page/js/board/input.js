// Hands on the board: taps, drags, and drags with the right button. Nothing here knows what they mean.

import { squareAt } from './geometry.js';

/** @import {Seen} from './geometry.js' */

/**
 * @typedef {{
 *   seen: () => Seen,
 *   hold: (square: string) => boolean,
 *   carry: (from: string, over: string | null, x: number, y: number) => void,
 *   drop: (from: string, to: string | null) => void,
 *   tap: (square: string) => void,
 *   hover: (square: string | null) => void,
 *   draw: (from: string, to: string | null, colour: string, done: boolean) => void,
 * }} Hands
 */

/** A finger trembles more than a mouse; this much is no drag, in parts of a square. */
const TREMBLE = { mouse: 0.12, touch: 0.3, pen: 0.2 };

/**
 * @param {SVGElement} svg
 * @param {Hands} hands
 */
export function listen(svg, hands) {
  /** @type {{id: number, from: string, x: number, y: number, right: boolean, moved: boolean, held: boolean, colour: string} | null} */
  let grip = null;

  /** @param {PointerEvent} event */
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 8;
    const y = ((event.clientY - box.top) / box.height) * 8;
    return { x, y, square: squareAt(x, y, hands.seen()) };
  };

  svg.addEventListener('pointerdown', (event) => {
    const { x, y, square } = place(event);
    if (!square || grip) return;
    event.preventDefault();
    const right = event.button === 2;
    if (!right && event.button !== 0) return;
    const colour = event.altKey ? 'blue' : event.shiftKey || event.ctrlKey ? 'red' : 'green';
    const held = !right && hands.hold(square);
    grip = { id: event.pointerId, from: square, x, y, right, moved: false, held, colour };
    svg.setPointerCapture(event.pointerId);
  });

  svg.addEventListener('pointermove', (event) => {
    const { x, y, square } = place(event);
    if (!grip) {
      if (event.pointerType === 'mouse') hands.hover(square);
      return;
    }
    if (event.pointerId !== grip.id) return;
    const tremble = TREMBLE[/** @type {'mouse'} */ (event.pointerType)] ?? 0.2;
    grip.moved ||= tremble < Math.hypot(x - grip.x, y - grip.y);
    if (!grip.moved) return;
    if (grip.right) hands.draw(grip.from, square, grip.colour, false);
    else if (grip.held) hands.carry(grip.from, square, x, y);
  });

  /** @param {PointerEvent} event @param {boolean} lost */
  const release = (event, lost) => {
    if (!grip || event.pointerId !== grip.id) return;
    const { square } = place(event);
    const { from, right, moved, held, colour } = grip;
    grip = null;
    if (right) hands.draw(from, lost ? null : square, colour, true);
    else if (moved && held) hands.drop(from, lost ? null : square);
    else if (!moved && !lost) hands.tap(from);
  };
  svg.addEventListener('pointerup', (event) => release(event, false));
  svg.addEventListener('pointercancel', (event) => release(event, true));
  svg.addEventListener('pointerleave', () => hands.hover(null));
  // Else a quick drag counts as a fling of the page, and the next tap only stops it.
  svg.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false });
  svg.addEventListener('contextmenu', (event) => event.preventDefault());
}
