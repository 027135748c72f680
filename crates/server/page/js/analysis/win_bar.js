// The win probability of both sides as a bar next to the board.

import { settings } from '../model/settings.js';
import { h } from '../ui/dom.js';
import { formatScore, formatWin } from './score.js';

export class WinBar {
  constructor() {
    this.gold = h('i', { class: 'gold' });
    this.label = h('span', {});
    const attributes = { class: 'win-bar', role: 'img', 'aria-label': 'Win probability', hidden: true };
    this.element = h('div', attributes, this.gold, this.label);
  }

  /** @param {{gold_win: number, score: string} | null} evaluation */
  show(evaluation) {
    this.element.hidden = evaluation === null;
    if (!evaluation) return;
    const { gold_win, score } = evaluation;
    this.element.style.setProperty('--gold', gold_win.toFixed(3));
    this.element.classList.toggle('flipped', settings.flipped);
    this.label.textContent = formatScore(score, true);
    const text = `Gold wins with ${formatWin(gold_win)}, silver with ${formatWin(1 - gold_win)}: ${formatScore(score)}`;
    this.element.setAttribute('aria-label', text);
    this.element.title = text;
  }
}
