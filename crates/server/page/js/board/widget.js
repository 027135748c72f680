// The board: it shows a state and tells what hands do with it. It knows no rules.

import { pieceName } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { placeOf } from './geometry.js';
import { listen } from './input.js';
import { Layers } from './layers.js';
import { Pieces } from './render.js';
import { emptyState } from './state.js';

/** @import {BoardState} from './state.js' */

/**
 * @typedef {{
 *   hold?: (square: string) => boolean,
 *   over?: (from: string, square: string | null) => void,
 *   drop?: (from: string, to: string | null) => void,
 *   tap?: (square: string) => void,
 *   hover?: (square: string | null) => void,
 *   draw?: (from: string, to: string | null, colour: string, done: boolean) => void,
 *   wheel?: (forward: boolean) => void,
 *   cursor?: (square: string) => void,
 * }} BoardEvents
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class BoardWidget {
  state = emptyState();

  /** @param {BoardEvents} events */
  constructor(events) {
    this.events = events;
    this.svg = s('svg', {
      viewBox: '0 0 8 8',
      class: 'board',
      tabindex: 0,
      role: 'application',
      'aria-label': 'Board. Arrow keys walk over the squares, Space takes or puts a piece, Enter ends the turn.',
    });
    this.layers = new Layers(this.svg);
    this.pieces = new Pieces(this.layers.pieces);
    this.held = false;
    listen(this.svg, {
      seen: () => this.state,
      hold: (square) => {
        this.held = events.hold?.(square) ?? false;
        return this.held;
      },
      carry: (from, over, x, y) => {
        this.pieces.carry(from, x, y);
        events.over?.(from, over);
      },
      drop: (from, to) => {
        this.pieces.letGo(from);
        events.drop?.(from, to);
      },
      tap: (square) => events.tap?.(square),
      hover: (square) => events.hover?.(square),
      draw: (from, to, colour, done) => events.draw?.(from, to, colour, done),
    });
    this.svg.addEventListener('wheel', (event) => {
      if (!events.wheel) return;
      event.preventDefault();
      this.roll(event.deltaY);
    }, { passive: false });
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.svg.addEventListener('focus', () => {
      if (this.svg.matches(':focus-visible')) this.walk(this.state.cursor ?? 'e2');
    });
    this.svg.addEventListener('blur', () => this.set({ cursor: null }));
  }

  rolled = 0;

  /** A wheel tells small parts of a turn of it as well as whole ones. @param {number} delta */
  roll(delta) {
    if (Math.sign(delta) !== Math.sign(this.rolled)) this.rolled = 0;
    this.rolled += delta;
    if (Math.abs(this.rolled) < 40) return;
    this.events.wheel?.(0 < this.rolled);
    this.rolled = 0;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { cursor } = this.state;
    const arrow = ARROWS[event.key];
    if (!cursor || event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      const place = placeOf(cursor, this.state);
      const [x, y] = [place.x + arrow[0], place.y + arrow[1]];
      const next = this.layers.squareAt(x, y);
      if (next) this.walk(next);
    } else if (event.key === ' ') this.events.tap?.(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} square */
  walk(square) {
    this.set({ cursor: square });
    this.events.cursor?.(square);
  }

  /** What stands on a square, in words. @param {string} square */
  words(square) {
    const letter = this.state.pieces[square];
    const frozen = this.state.frozen.has(square) ? ', frozen' : '';
    const target = this.state.targets.get(square);
    const way = target ? `, ${target}` : '';
    return letter ? `${square}, ${pieceName(letter)}${frozen}${way}` : `${square}, empty${way}`;
  }

  /** Shows something else. @param {Partial<BoardState>} change */
  set(change) {
    const before = this.state;
    this.state = { ...before, ...change };
    this.layers.show(this.state, before);
    if (change.pieces || this.state.view !== before.view || this.state.flipped !== before.flipped || change.art || change.pips !== undefined) {
      this.pieces.show(this.state);
    }
  }
}
