// The course of a game as coloured bands, one for each run of turns in the same phase.

import { button, fill, h } from './dom.js';

/** @import {TurnPhase} from '../api.js' */

/** @typedef {{phase: TurnPhase['phase'], from: number, to: number}} Band the indices of its first and last turn */

/** @type {[TurnPhase['phase'], string][]} */
const PHASES = [
  ['opening', 'Opening'],
  ['middlegame', 'Middlegame'],
  ['endgame', 'Endgame'],
];
const NAMES = Object.fromEntries(PHASES);

/** The runs of consecutive turns in the same phase. @param {TurnPhase[]} turns @returns {Band[]} */
export function phaseBands(turns) {
  /** @type {Band[]} */
  const bands = [];
  turns.forEach(({ phase }, index) => {
    const last = bands.at(-1);
    if (last?.phase === phase) last.to = index;
    else bands.push({ phase, from: index, to: index });
  });
  return bands;
}

/** A band in words. @param {Band} band @param {TurnPhase[]} turns */
export function bandText({ phase, from, to }, turns) {
  const [first, last] = [turns[from].tag, turns[to].tag];
  return from === to ? `${NAMES[phase]}: turn ${first}` : `${NAMES[phase]}: turns ${first} to ${last}`;
}

/**
 * The bands fill the width of their container, an equal part for each turn, so that they can be placed below a graph.
 */
export class PhaseBands {
  /** @type {TurnPhase[]} */
  turns = [];
  /** @type {Band[]} */
  bands = [];

  /** @param {(index: number) => void} onSelect is called with the index of the first turn of a band */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.marker = h('i', { class: 'marker', hidden: true });
    this.list = h('div', { class: 'bands', role: 'group', 'aria-label': 'Game phase by turn' });
    this.legend = h(
      'p',
      { class: 'legend' },
      ...PHASES.map(([phase, name]) => h('span', {}, h('i', { class: phase, 'aria-hidden': 'true' }), name)),
    );
    this.element = h(
      'section',
      { class: 'phase-bands', 'aria-label': 'Game phase', hidden: true },
      this.list,
      this.legend,
    );
  }

  /** @param {TurnPhase[]} turns */
  setTurns(turns) {
    this.turns = turns;
    this.bands = phaseBands(turns);
    this.element.hidden = turns.length === 0;
    fill(this.list, ...this.bands.map((band) => this.band(band)), this.marker);
  }

  /** @param {Band} band */
  band(band) {
    const text = bandText(band, this.turns);
    const element = button(text, () => this.onSelect(band.from), { hideLabel: true });
    element.className = `band ${band.phase}`;
    element.style.flexGrow = String(band.to - band.from + 1);
    return element;
  }

  /** Marks the shown turn. @param {number} index of no turn if the position has no phase */
  mark(index) {
    this.marker.hidden = index < 0 || index >= this.turns.length;
    this.marker.style.left = `${(100 * (index + 0.5)) / Math.max(this.turns.length, 1)}%`;
    this.bands.forEach((band, number) => {
      const element = /** @type {HTMLElement} */ (this.list.children[number]);
      const isCurrent = band.from <= index && index <= band.to;
      if (isCurrent) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
      // One stop for the Tab key, however often the phase changes.
      element.tabIndex = isCurrent || (this.marker.hidden && number === 0) ? 0 : -1;
    });
  }
}
