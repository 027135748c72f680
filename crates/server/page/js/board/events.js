// Pointer events on the board: taps, drags, and drags with the right button.

import { squareAt } from './geometry.js';

/** @import {Orientation} from './geometry.js' */

/**
 * @typedef {{
 *   orientation: () => Orientation,
 *   canDrag: (square: string) => boolean,
 *   drag: (from: string, over: string | null, x: number, y: number) => void,
 *   drop: (from: string, to: string | null) => void,
 *   tap: (square: string) => void,
 *   hover: (square: string | null) => void,
 *   draw: (from: string, to: string | null, colour: string) => void,
 * }} PointerHandlers
 */

/** Smaller movements are a tap, as a fraction of a square: a finger is less steady than a mouse. */
const DRAG_THRESHOLD = { mouse: 0.12, touch: 0.3, pen: 0.2 };

/** @typedef {{id: number, from: string, x: number, y: number, right: boolean, moved: boolean, dragging: boolean, colour: string}} Gesture */

/**
 * @param {SVGElement} svg
 * @param {PointerHandlers} handlers
 */
export function bindPointer(svg, handlers) {
  /** @type {Gesture | null} */
  let gesture = null;

  /** @param {PointerEvent} event */
  const locate = (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 8;
    const y = ((event.clientY - box.top) / box.height) * 8;
    return { x, y, square: squareAt(x, y, handlers.orientation()) };
  };

  svg.addEventListener('pointerdown', (event) => {
    const { x, y, square } = locate(event);
    if (!square || gesture) return;
    event.preventDefault();
    // Otherwise keys would go on typing into an input after a piece was moved.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) activeElement.blur();
    const right = event.button === 2;
    if (!right && event.button !== 0) return;
    const dragging = !right && handlers.canDrag(square);
    gesture = { id: event.pointerId, from: square, x, y, right, moved: false, dragging, colour: shapeColour(event) };
    svg.setPointerCapture(event.pointerId);
  });

  svg.addEventListener('pointermove', (event) => {
    const { x, y, square } = locate(event);
    if (!gesture) {
      if (event.pointerType === 'mouse') handlers.hover(square);
      return;
    }
    if (event.pointerId !== gesture.id) return;
    const threshold = DRAG_THRESHOLD[/** @type {'mouse'} */ (event.pointerType)] ?? DRAG_THRESHOLD.pen;
    gesture.moved ||= Math.hypot(x - gesture.x, y - gesture.y) > threshold;
    if (gesture.moved && gesture.dragging) handlers.drag(gesture.from, square, x, y);
  });

  /** @param {PointerEvent} event @param {boolean} cancelled */
  const release = (event, cancelled) => {
    if (!gesture || event.pointerId !== gesture.id) return;
    const { square } = locate(event);
    const { from, right, moved, dragging, colour } = gesture;
    gesture = null;
    const to = cancelled ? null : square;
    if (right) handlers.draw(from, to, colour);
    else if (moved && dragging) handlers.drop(from, to);
    else if (!moved && !cancelled) handlers.tap(from);
  };
  svg.addEventListener('pointerup', (event) => release(event, false));
  svg.addEventListener('pointercancel', (event) => release(event, true));
  svg.addEventListener('pointerleave', () => handlers.hover(null));
  // Otherwise a quick drag counts as a fling of the page, and the next tap only stops it.
  svg.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false });
  svg.addEventListener('contextmenu', (event) => event.preventDefault());
}

/** @param {PointerEvent} event */
function shapeColour(event) {
  if (event.altKey) return 'blue';
  return event.shiftKey || event.ctrlKey ? 'red' : 'green';
}
