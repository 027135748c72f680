// The board: shows a state and reports pointer and keyboard events. It knows no rules.

import { pieceName, TRAPS } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { bindPointer } from './events.js';
import { squareToXY } from './geometry.js';
import { Layers } from './layers.js';
import { PieceLayer } from './pieces.js';
import { emptyState } from './state.js';

/** @import {BoardState} from './state.js' */

/**
 * @typedef {{
 *   canDrag?: (square: string) => boolean,
 *   dragOver?: (from: string, square: string | null) => void,
 *   drop?: (from: string, to: string | null) => void,
 *   tap?: (square: string) => void,
 *   hover?: (square: string | null) => void,
 *   draw?: (from: string, to: string, colour: string) => void,
 *   wheel?: (forward: boolean) => void,
 *   cursor?: (square: string) => void,
 * }} BoardEvents
 */

/** @type {Record<string, [number, number]>} */
const ARROW_KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** The scrolling distance of one step, in pixels: touchpads report many small movements. */
const WHEEL_STEP = 40;

const LABEL = 'Board. Arrow keys move the cursor, Space selects a piece or a target, Enter ends the turn.';

export class BoardWidget {
  state = emptyState();
  wheelDistance = 0;

  /** @param {BoardEvents} events */
  constructor(events) {
    this.events = events;
    const attributes = { viewBox: '0 0 8 8', class: 'board', tabindex: 0, role: 'application', 'aria-label': LABEL };
    this.svg = s('svg', attributes);
    this.layers = new Layers(this.svg);
    this.pieces = new PieceLayer(this.layers.pieces);
    bindPointer(this.svg, {
      orientation: () => this.state,
      canDrag: (square) => events.canDrag?.(square) ?? false,
      drag: (from, over, x, y) => {
        this.pieces.drag(from, x, y);
        events.dragOver?.(from, over);
      },
      drop: (from, to) => {
        this.pieces.endDrag(from);
        events.drop?.(from, to);
      },
      tap: (square) => events.tap?.(square),
      hover: (square) => events.hover?.(square),
      draw: (from, to, colour) => to && events.draw?.(from, to, colour),
    });
    this.svg.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.svg.addEventListener('keydown', (event) => this.onKey(event));
    this.svg.addEventListener('focus', () => {
      if (this.svg.matches(':focus-visible')) this.moveCursor(this.state.cursor ?? 'e2');
    });
    this.svg.addEventListener('blur', () => this.setState({ cursor: null }));
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (!this.events.wheel) return;
    event.preventDefault();
    if (Math.sign(event.deltaY) !== Math.sign(this.wheelDistance)) this.wheelDistance = 0;
    this.wheelDistance += event.deltaY;
    if (Math.abs(this.wheelDistance) < WHEEL_STEP) return;
    this.events.wheel(this.wheelDistance > 0);
    this.wheelDistance = 0;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { cursor } = this.state;
    const arrow = ARROW_KEYS[event.key];
    if (!cursor || event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      const { x, y } = squareToXY(cursor, this.state);
      const next = this.layers.squareAt(x + arrow[0], y + arrow[1]);
      if (next) this.moveCursor(next);
    } else if (event.key === ' ') this.events.tap?.(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} square */
  moveCursor(square) {
    this.setState({ cursor: square });
    this.events.cursor?.(square);
  }

  /** A square in words, for screen readers. @param {string} square */
  describeSquare(square) {
    const letter = this.state.pieces[square];
    const target = this.state.targets.get(square);
    return [
      TRAPS.includes(square) ? `trap ${square}` : square,
      letter ? pieceName(letter) : 'empty',
      letter && this.state.frozen.has(square) ? 'frozen' : '',
      target ? `${target} target` : '',
    ]
      .filter(Boolean)
      .join(', ');
  }

  /** Marks the piece that has won the game. @param {string | null} square */
  celebrate(square) {
    if (square) this.pieces.shown.get(square)?.element.classList.add('winner');
  }

  /** @param {Partial<BoardState>} change */
  setState(change) {
    const before = this.state;
    this.state = { ...before, ...change };
    this.layers.show(this.state, before);
    const turned = this.state.view !== before.view || this.state.flipped !== before.flipped;
    const redrawn = change.pieceSet !== undefined || change.pips !== undefined;
    if (change.pieces || turned || redrawn) this.pieces.show(this.state);
  }
}
