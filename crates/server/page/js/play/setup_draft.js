// The setup that a player is placing.

import { FILES } from '../model/notation.js';
import { loadItem, saveItem } from '../model/settings.js';

/** @import {Board} from '../model/notation.js' */

const DEFAULT_ROWS = 'RHCMECHRRRRDDRRR';

/** The home squares of a side: the front row, then the row behind. @param {string} side */
export function homeSquares(side) {
  const ranks = side === 'g' ? [2, 1] : [7, 8];
  return ranks.flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));
}

export class SetupDraft {
  /** @type {Board} */
  pieces = {};

  /** @param {'g' | 's'} side @param {string} handicap the letters of the missing pieces @param {() => void} onChange */
  constructor(side, handicap, onChange) {
    this.side = side;
    this.handicap = handicap;
    this.onChange = onChange;
    this.home = homeSquares(side);
    this.setRows(this.previousRows() ?? DEFAULT_ROWS);
  }

  storageKey() {
    return `surus.setup.${this.side}`;
  }

  /** The rows of the setup that was played last. @returns {string | null} */
  previousRows() {
    return loadItem(this.storageKey());
  }

  /** Places front row and back row, without the missing pieces; a dot is an empty square. @param {string} rows in upper case */
  setRows(rows) {
    let missing = this.handicap;
    this.pieces = {};
    this.home.forEach((square, index) => {
      const letter = rows[index] ?? '.';
      if (letter === '.') return;
      if (missing.includes(letter)) missing = missing.replace(letter, '');
      else this.place(square, letter);
    });
    this.onChange();
  }

  /** @param {string} square @param {string} letter in upper case; a dot for none */
  place(square, letter) {
    if (letter === '.') delete this.pieces[square];
    else this.pieces[square] = this.side === 'g' ? letter : letter.toLowerCase();
  }

  /** Front row and back row in upper case. */
  rows() {
    return this.home.map((square) => this.pieces[square]?.toUpperCase() ?? '.').join('');
  }

  /** Places rows that already lack the missing pieces. @param {string} rows */
  rearrange(rows) {
    this.home.forEach((square, index) => {
      this.place(square, rows[index]);
    });
    this.onChange();
  }

  /** Swaps the contents of two home squares. @param {string} a @param {string} b */
  swap(a, b) {
    const [i, j] = [this.home.indexOf(a), this.home.indexOf(b)];
    if (i < 0 || j < 0 || i === j) return;
    const rows = [...this.rows()];
    [rows[i], rows[j]] = [rows[j], rows[i]];
    this.rearrange(rows.join(''));
  }

  mirror() {
    const rows = [...this.rows()];
    this.rearrange([...rows.slice(0, 8).reverse(), ...rows.slice(8).reverse()].join(''));
  }

  shuffle() {
    const letters = [...this.rows()];
    for (let index = letters.length - 1; index > 0; index--) {
      const other = Math.floor(Math.random() * (index + 1));
      [letters[index], letters[other]] = [letters[other], letters[index]];
    }
    this.rearrange(letters.join(''));
  }

  /** The placements as text. The setup is stored for the next game. */
  confirm() {
    saveItem(this.storageKey(), this.rows());
    return Object.entries(this.pieces)
      .map(([square, letter]) => letter + square)
      .join(' ');
  }
}
