// The pieces: elements that keep their identity, so that a step is seen as a piece that goes.

import { kindOf, sideOf } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { symbol } from './art.js';
import { placeOf } from './geometry.js';

/** @import {BoardState} from './state.js' */

const RANKS = 'RCDHME';

export class Pieces {
  /** @type {Map<string, {letter: string, element: SVGElement}>} by square */
  shown = new Map();

  /** @param {SVGElement} layer */
  constructor(layer) {
    this.layer = layer;
  }

  /** @param {BoardState} state */
  show(state) {
    this.state = state;
    const wanted = new Map(Object.entries(state.pieces));
    /** @type {typeof this.shown} */
    const next = new Map();
    for (const [square, letter] of wanted) {
      const known = this.shown.get(square);
      if (known?.letter === letter) {
        next.set(square, known);
        this.shown.delete(square);
      }
    }
    for (const [square, letter] of wanted) {
      if (next.has(square)) continue;
      const from = this.nearest(square, letter);
      const one = from ? this.shown.get(from) : undefined;
      if (from) this.shown.delete(from);
      next.set(square, one ?? { letter, element: this.make() });
    }
    for (const [square, { element }] of this.shown) this.remove(element, state.fallen.includes(square), state.stepTime);
    this.shown = next;
    for (const [square, { letter, element }] of next) this.place(square, letter, element);
  }

  make() {
    const element = s('g', { class: 'piece new' }, s('use'));
    this.layer.append(element);
    // A new piece does not come flying from the corner.
    requestAnimationFrame(() => element.classList.remove('new'));
    return element;
  }

  /** @param {string} square @param {string} letter @param {SVGElement} element */
  place(square, letter, element) {
    const { art, pips, stepTime } = /** @type {BoardState} */ (this.state);
    const { x, y } = placeOf(square, /** @type {BoardState} */ (this.state));
    const kind = kindOf(letter);
    const side = sideOf(letter) === 'g' ? 'gold' : 'silver';
    const name = `${side} ${kind}`;
    if (element.dataset.look !== `${art} ${name} ${pips}`) {
      element.dataset.look = `${art} ${name} ${pips}`;
      element.replaceChildren(
        s('use', { href: symbol(art, side, kind), width: 1, height: 1, class: side }),
        ...(pips ? pipsOf(letter) : []),
      );
    }
    element.dataset.square = square;
    element.dataset.piece = letter;
    element.style.setProperty('--step', `${stepTime}ms`);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** The piece of that letter that has no place any more and stands nearest. @param {string} square @param {string} letter */
  nearest(square, letter) {
    let best = null;
    let least = Infinity;
    for (const [from, one] of this.shown) {
      const far = Math.abs(from.charCodeAt(0) - square.charCodeAt(0)) + Math.abs(Number(from[1]) - Number(square[1]));
      if (one.letter === letter && far < least) [best, least] = [from, far];
    }
    return best;
  }

  /** @param {SVGElement} element @param {boolean} falls @param {number} time */
  remove(element, falls, time) {
    delete element.dataset.square;
    if (time === 0) return element.remove();
    element.classList.add(falls ? 'falls' : 'fades');
    setTimeout(() => element.remove(), falls ? time * 2 : time);
  }

  /** A piece under the hand. @param {string} square @param {number} x @param {number} y */
  carry(square, x, y) {
    const one = this.shown.get(square);
    if (!one) return;
    one.element.classList.add('held');
    this.layer.append(one.element);
    one.element.style.transform = `translate(${x - 0.5}px, ${y - 0.62}px) scale(1.08)`;
  }

  /** @param {string} square */
  letGo(square) {
    const one = this.shown.get(square);
    if (!one) return;
    one.element.classList.remove('held');
    this.place(square, one.letter, one.element);
  }
}

/** One to six dots tell the strength. @param {string} letter */
function pipsOf(letter) {
  const strength = RANKS.indexOf(letter.toUpperCase()) + 1;
  return Array.from({ length: strength }, (_, index) =>
    s('circle', { cx: 0.5 + (index - (strength - 1) / 2) * 0.11, cy: 0.93, r: 0.04, class: 'pip' }),
  );
}
