// The pieces: elements that keep their identity, so that a step is animated as a moving piece.

import { kindOf, sideOf } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { squareToXY } from './geometry.js';
import { symbolHref } from './piece_set.js';

/** @import {BoardState} from './state.js' */

/** Letters in the order of strength. */
const STRENGTH_ORDER = 'RCDHME';

/** The time in which a captured piece sinks into its trap. */
const CAPTURE_MS = 600;

/** @typedef {{letter: string, element: SVGElement}} ShownPiece */

export class PieceLayer {
  /** @type {Map<string, ShownPiece>} by square */
  shown = new Map();

  /** @param {SVGElement} layer */
  constructor(layer) {
    this.layer = layer;
  }

  /** @param {BoardState} state */
  show(state) {
    this.state = state;
    const pieces = Object.entries(state.pieces);
    /** @type {Map<string, ShownPiece>} */
    const next = new Map();
    for (const [square, letter] of pieces) {
      const existing = this.shown.get(square);
      if (existing?.letter !== letter) continue;
      next.set(square, existing);
      this.shown.delete(square);
    }
    for (const [square, letter] of pieces) {
      if (!next.has(square)) next.set(square, this.takeNearest(square, letter) ?? this.createPiece(letter));
    }
    const traps = state.captured.filter((square) => !this.shown.has(square));
    for (const [square, piece] of this.shown) {
      // Several steps at once may end in a trap.
      const trap = state.captured.includes(square) ? square : traps.shift();
      if (trap && trap !== square) this.place(trap, piece);
      this.remove(piece.element, trap ?? square, trap !== undefined);
    }
    this.shown = next;
    for (const [square, piece] of next) this.place(square, piece);
  }

  /** @param {string} letter @returns {ShownPiece} */
  createPiece(letter) {
    const element = s('g', { class: 'piece new' }, s('use'));
    this.layer.append(element);
    // Without a transition a new piece does not fly in from the corner.
    requestAnimationFrame(() => element.classList.remove('new'));
    return { letter, element };
  }

  /** @param {string} square @param {ShownPiece} piece */
  place(square, { letter, element }) {
    const state = /** @type {BoardState} */ (this.state);
    const { pieceSet, pips, stepDuration } = state;
    const { x, y } = squareToXY(square, state);
    const side = sideOf(letter) === 'g' ? 'gold' : 'silver';
    const kind = kindOf(letter);
    const look = `${pieceSet} ${side} ${kind} ${pips}`;
    if (element.dataset.look !== look) {
      element.dataset.look = look;
      const use = s('use', { href: symbolHref(pieceSet, side, kind), width: 1, height: 1, class: side });
      element.replaceChildren(use, ...(pips ? pipsOf(letter) : []));
    }
    element.dataset.square = square;
    element.dataset.piece = letter;
    element.style.setProperty('--step', `${stepDuration}ms`);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Takes the nearest piece with this letter that has lost its square. @param {string} square @param {string} letter */
  takeNearest(square, letter) {
    let nearest = null;
    let minDistance = Infinity;
    for (const [from, piece] of this.shown) {
      const files = Math.abs(from.charCodeAt(0) - square.charCodeAt(0));
      const distance = files + Math.abs(Number(from[1]) - Number(square[1]));
      if (piece.letter === letter && distance < minDistance) [nearest, minDistance] = [from, distance];
    }
    const piece = nearest ? this.shown.get(nearest) : undefined;
    if (nearest) this.shown.delete(nearest);
    return piece;
  }

  /** @param {SVGElement} element @param {string} square @param {boolean} captured */
  remove(element, square, captured) {
    const state = /** @type {BoardState} */ (this.state);
    const duration = state.stepDuration;
    delete element.dataset.square;
    if (duration === 0) return element.remove();
    element.classList.add(captured ? 'captured' : 'removed');
    setTimeout(() => element.remove(), captured ? CAPTURE_MS : duration);
    if (!captured) return;
    const { x, y } = squareToXY(square, state);
    const ring = s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.42, class: 'capture-ring' });
    this.layer.append(ring);
    setTimeout(() => ring.remove(), CAPTURE_MS);
  }

  /** Moves a piece with the pointer. @param {string} square @param {number} x @param {number} y */
  drag(square, x, y) {
    const piece = this.shown.get(square);
    if (!piece) return;
    piece.element.classList.add('dragging');
    this.layer.append(piece.element);
    piece.element.style.transform = `translate(${x - 0.5}px, ${y - 0.62}px) scale(1.08)`;
  }

  /** @param {string} square */
  endDrag(square) {
    const piece = this.shown.get(square);
    if (!piece) return;
    piece.element.classList.remove('dragging');
    this.place(square, piece);
  }
}

/** One to six dots show the strength. @param {string} letter */
function pipsOf(letter) {
  const strength = STRENGTH_ORDER.indexOf(letter.toUpperCase()) + 1;
  return Array.from({ length: strength }, (_, index) =>
    s('circle', { cx: 0.5 + (index - (strength - 1) / 2) * 0.11, cy: 0.93, r: 0.04, class: 'pip' }),
  );
}
