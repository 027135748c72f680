// An edited position, without the DOM.

import { formatBoard, parseBoard, STANDARD_BOARD } from '../model/notation.js';

/** @import {Board} from '../model/notation.js' */

/** The pieces of the palette with their number at the start. @type {[string, number][]} */
export const PIECES = [
  ['E', 1],
  ['M', 1],
  ['H', 2],
  ['D', 2],
  ['C', 2],
  ['R', 8],
];

export const EMPTY_BOARD = ' '.repeat(64);
export { STANDARD_BOARD };

export class EditorState {
  /** @type {Board} */
  pieces = parseBoard(STANDARD_BOARD);
  /** @type {'g' | 's'} */
  side = 'g';
  number = 2;
  stepsLeft = 4;
  /** The piece that a tap places; an empty string removes pieces. @type {string | null} */
  brush = null;

  get tag() {
    return `${this.number}${this.side}`;
  }

  get board() {
    return formatBoard(this.pieces);
  }

  /** @param {URLSearchParams} query */
  load(query) {
    const board = query.get('board');
    if (board?.length === 64) this.pieces = parseBoard(board);
    const [, number, side] = /^(\d{1,4})([gs])$/.exec(query.get('tag') ?? '') ?? [];
    if (number) this.number = Math.max(1, Number(number));
    if (side) this.side = /** @type {'g' | 's'} */ (side);
    const steps = Number(query.get('left'));
    if (steps >= 1 && steps <= 4) this.stepsLeft = steps;
  }

  /** @param {string} board */
  setBoard(board) {
    this.pieces = parseBoard(board);
  }

  /** Moves a piece, or removes it if it leaves the board. @param {string} from @param {string | null} to */
  move(from, to) {
    const { [from]: piece, ...others } = this.pieces;
    if (!piece || to === from) return;
    this.pieces = to ? { ...others, [to]: piece } : others;
  }

  /** Places a piece, or empties the square. @param {string} square @param {string} piece */
  place(square, piece) {
    const { [square]: _, ...others } = this.pieces;
    this.pieces = piece ? { ...others, [square]: piece } : others;
  }

  /** A tap on a square: places the chosen piece, or removes the one that is there already. @param {string} square */
  tap(square) {
    if (this.brush === null) return;
    this.place(square, this.pieces[square] === this.brush ? '' : this.brush);
  }

  /** How many pieces of a kind a side does not have on the board. @param {string} letter @param {number} max */
  missing(letter, max) {
    return max - Object.values(this.pieces).filter((piece) => piece === letter).length;
  }

  /** The query that the review and the editor read. */
  query() {
    const query = new URLSearchParams({ board: this.board, tag: this.tag });
    if (this.stepsLeft !== 4) query.set('left', String(this.stepsLeft));
    return query;
  }
}
