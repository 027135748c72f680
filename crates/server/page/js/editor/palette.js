// The palette: pieces to choose for taps, or to drag onto the board.

import { symbolHref } from '../board/piece_set.js';
import { kindOf, pieceName } from '../model/notation.js';
import { settings } from '../model/settings.js';
import { h, icon, s, setPressed } from '../ui/dom.js';
import { PIECES } from './state.js';

/** @import {EditorState} from './state.js' */

/** A smaller movement is a click. */
const DRAG_PIXELS = 6;

export class Palette {
  /** @type {Map<string, {button: HTMLElement, count: HTMLElement, max: number}>} */
  entries = new Map();

  /** @param {{choose: (piece: string | null) => void, drop: (piece: string, square: string) => void}} actions */
  constructor(actions) {
    this.actions = actions;
    const row = (/** @type {'g' | 's'} */ side) =>
      h(
        'div',
        { class: 'row', role: 'group', 'aria-label': side === 'g' ? 'Gold pieces' : 'Silver pieces' },
        ...PIECES.map(([letter, max]) => this.entry(side === 'g' ? letter : letter.toLowerCase(), max)),
      );
    this.eraser = h(
      'button',
      { type: 'button', class: 'palette-piece eraser', 'aria-label': 'Remove pieces', title: 'Remove pieces' },
      icon('trash'),
    );
    this.eraser.addEventListener('click', () => this.toggle(''));
    this.element = h('div', { class: 'palette' }, row('g'), row('s'), this.eraser);
  }

  /** @param {string} letter @param {number} max */
  entry(letter, max) {
    const side = letter === letter.toUpperCase() ? 'gold' : 'silver';
    const picture = s(
      'svg',
      { viewBox: '0 0 1 1', 'aria-hidden': 'true' },
      s('use', { href: symbolHref(settings.pieces, side, kindOf(letter)), width: 1, height: 1 }),
    );
    const count = h('small', {});
    const name = pieceName(letter);
    const button = h(
      'button',
      {
        type: 'button',
        class: 'palette-piece',
        'aria-label': name,
        title: `${name}: click, then click squares; or drag it to a square`,
      },
      picture,
      count,
    );
    this.bindDrag(button, letter);
    button.addEventListener('click', () => this.toggle(letter));
    this.entries.set(letter, { button, count, max });
    return button;
  }

  /** @param {string} piece */
  toggle(piece) {
    if (this.wasDragged) return;
    this.actions.choose(piece === this.chosen ? null : piece);
  }

  wasDragged = false;
  /** @type {string | null} */
  chosen = null;

  /** @param {HTMLElement} button @param {string} piece */
  bindDrag(button, piece) {
    button.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.wasDragged = false;
      /** @type {HTMLElement | null} */
      let ghost = null;
      /** @param {PointerEvent} move */
      const onMove = (move) => {
        const distance = Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY);
        if (!ghost && distance < DRAG_PIXELS) return;
        if (!ghost) {
          ghost = h('div', { class: 'palette-ghost' }, /** @type {Node} */ (button.firstChild?.cloneNode(true)));
          document.body.append(ghost);
          this.wasDragged = true;
        }
        // The security policy forbids style attributes, not properties.
        ghost.style.left = `${move.clientX}px`;
        ghost.style.top = `${move.clientY}px`;
      };
      /** @param {PointerEvent} up */
      const onUp = (up) => {
        button.removeEventListener('pointermove', onMove);
        button.removeEventListener('pointerup', onUp);
        button.removeEventListener('pointercancel', onUp);
        ghost?.remove();
        const square = ghost && up.type === 'pointerup' ? squareAtPoint(up.clientX, up.clientY) : null;
        if (square) this.actions.drop(piece, square);
        // The click that follows a drag is none.
        setTimeout(() => {
          this.wasDragged = false;
        });
      };
      button.addEventListener('pointermove', onMove);
      button.addEventListener('pointerup', onUp);
      button.addEventListener('pointercancel', onUp);
    });
  }

  /** @param {EditorState} state */
  show(state) {
    this.chosen = state.brush;
    for (const [letter, { button, count, max }] of this.entries) {
      const missing = state.missing(letter, max);
      count.textContent = missing > 0 ? String(missing) : missing < 0 ? '!' : '';
      const left = missing > 0 ? `, ${missing} left` : missing < 0 ? ', too many!' : '';
      button.setAttribute('aria-label', `${pieceName(letter)}${left}`);
      button.classList.toggle('used', missing <= 0);
      setPressed(button, state.brush === letter);
    }
    setPressed(this.eraser, state.brush === '');
  }
}

/** @param {number} x @param {number} y @returns {string | null} */
function squareAtPoint(x, y) {
  for (const element of document.elementsFromPoint(x, y)) {
    const square = /** @type {SVGElement} */ (element).dataset.square;
    if (square && element.matches('.squares rect')) return square;
  }
  return null;
}
