// Placing the pieces before the first turn.

import { archiveSetups } from '../archive/setups.js';
import { FILES } from '../model/notation.js';
import { store, stored } from '../model/settings.js';
import { button, h } from '../ui/dom.js';

/** @import {PlayedLine, SetupPreset} from '../api.js' */
/** @import {Board} from '../model/notation.js' */

/** The home squares of a side: the front row, then the row behind. @param {string} side */
export function homeOf(side) {
  const ranks = side === 'g' ? [2, 1] : [7, 8];
  return ranks.flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));
}

export class Setup {
  /** @param {string} side @param {string} missing kind letters @param {() => void} changed */
  constructor(side, missing, changed) {
    this.side = side;
    this.missing = missing;
    this.changed = changed;
    this.home = homeOf(side);
    /** @type {Board} */
    this.pieces = {};
    this.take(stored(this.draftKey()) ?? 'RHCMECHRRRRDDRRR');
  }

  draftKey() {
    return `surus.setup.${this.side}`;
  }

  /** Front row and back row as letters of gold; a dot is an empty square. @param {string} rows */
  take(rows) {
    let left = this.missing;
    this.pieces = {};
    this.home.forEach((square, index) => {
      const letter = rows[index] ?? '.';
      if (letter === '.') return;
      if (left.includes(letter)) left = left.replace(letter, '');
      else this.pieces[square] = this.side === 'g' ? letter : letter.toLowerCase();
    });
    this.changed();
  }

  rows() {
    return this.home.map((square) => this.pieces[square]?.toUpperCase() ?? '.').join('');
  }

  /** Two squares change their pieces. @param {string} a @param {string} b */
  swap(a, b) {
    if (!this.home.includes(a) || !this.home.includes(b) || a === b) return;
    const [first, second] = [this.pieces[a], this.pieces[b]];
    if (second) this.pieces[a] = second;
    else delete this.pieces[a];
    if (first) this.pieces[b] = first;
    else delete this.pieces[b];
    this.changed();
  }

  mirror() {
    const rows = this.rows();
    this.take([...rows.slice(0, 8)].reverse().join('') + [...rows.slice(8)].reverse().join(''));
  }

  shuffle() {
    const letters = [...this.rows()];
    for (let index = letters.length - 1; 0 < index; index--) {
      const other = Math.floor(Math.random() * (index + 1));
      [letters[index], letters[other]] = [letters[other], letters[index]];
    }
    this.missing = '';
    this.take(letters.join(''));
  }

  /** The placements as text; the setup is remembered for the next game. */
  finished() {
    store(this.draftKey(), this.rows());
    return Object.entries(this.pieces).map(([square, letter]) => letter + square).join(' ');
  }
}

/**
 * The buttons of the setup.
 * @param {Setup} setup @param {SetupPreset[]} presets @param {() => void} done @param {() => PlayedLine | null} line
 */
export function setupPanel(setup, presets, done, line) {
  const last = stored(setup.draftKey());
  const choice = h(
    'select',
    { id: 'preset', 'aria-label': 'A setup to begin with', onchange: () => { setup.take(choice.value); choice.value = ''; } },
    h('option', { value: '' }, 'Take a known setup…'),
    ...presets.map((one) => h('option', { value: one.front + one.back }, one.name)),
    last ? h('option', { value: last }, 'the last one played') : null,
  );
  return h(
    'div',
    { class: 'stack setup' },
    h('p', {}, 'Place your pieces: drag one onto another, or tap two, to swap them.'),
    choice,
    h('div', { class: 'row' }, button('Mirror', () => setup.mirror()), button('Random', () => setup.shuffle()),
      button('Last one', () => last && setup.take(last), { disabled: !last })),
    archiveSetups(line, (rows) => setup.take(rows)),
    button('Ready', done, { kind: 'main large', icon: 'end', title: 'Enter' }),
  );
}
