// The lines of an analysis: a hovered turn is previewed on the board, a clicked one is added to the tree.

import { abbreviateTurn } from '../model/notation.js';
import { fill, h } from '../ui/dom.js';
import { formatScore, formatWin } from './score.js';

/** @import {AnalysisLine, AnalysisTurn} from '../api.js' */

/** Longer lines are cut. */
const MAX_TURNS = 4;

/** @typedef {{preview: (turns: AnalysisTurn[] | null) => void, play: (turns: AnalysisTurn[]) => void}} LineActions */

export class LineList {
  /** What is shown, so that the same lines are not drawn again under the pointer. */
  key = '';

  /** @param {LineActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = h('ol', { class: 'pv-lines', 'aria-label': 'Best lines' });
    this.element.addEventListener('pointerleave', () => actions.preview(null));
  }

  /** @param {AnalysisLine[]} lines */
  show(lines) {
    const key = JSON.stringify(lines);
    if (key === this.key) return;
    this.key = key;
    const focused = [...this.element.querySelectorAll('button')].indexOf(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    fill(this.element, ...lines.map((line) => this.line(line)));
    if (focused >= 0) this.element.querySelectorAll('button')[focused]?.focus();
  }

  /** @param {AnalysisLine} line */
  line({ score, gold_win, turns }) {
    const value = h(
      'b',
      { class: 'pv-score', title: `Gold wins with ${formatWin(gold_win)}` },
      formatScore(score, true),
    );
    const shown = turns.slice(0, MAX_TURNS);
    return h('li', {}, value, h('span', { class: 'pv-turns' }, ...shown.map((_, index) => this.turn(shown, index))));
  }

  /** @param {AnalysisTurn[]} turns @param {number} index */
  turn(turns, index) {
    const { tag, steps } = turns[index];
    const line = turns.slice(0, index + 1);
    const side = tag.endsWith('g') ? 'gold' : 'silver';
    const element = h(
      'button',
      { type: 'button', class: `pv-turn ${side}` },
      h('b', {}, tag),
      ` ${abbreviateTurn(steps)}`,
    );
    element.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && this.actions.preview(line));
    element.addEventListener('focus', () => element.matches(':focus-visible') && this.actions.preview(line));
    element.addEventListener('blur', () => this.actions.preview(null));
    element.addEventListener('click', () => this.actions.play(line));
    return element;
  }
}
