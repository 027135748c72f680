// The panel next to the board of a game: status, buttons, turns.

import { abbreviateTurn, isSetup, sideOfTag } from '../model/notation.js';
import { button, fill, h } from '../ui/dom.js';
import { panelLayout, sidePanelArea } from '../ui/panel_layout.js';
import { stepInput } from '../ui/step_input.js';
import { statusText } from './state.js';

/** @import {GameState, PlayedTurn} from '../api.js' */
/** @import {PlayState} from './state.js' */

/**
 * @typedef {{
 *   undo: () => void,
 *   redo: () => void,
 *   endTurn: () => void,
 *   hint: () => void,
 *   takeBack: () => void,
 *   resign: () => void,
 *   rematch: () => void,
 *   review: () => void,
 *   typed: (text: string) => Promise<boolean>,
 *   viewTurn: (turns: number | null) => void,
 * }} PlayActions
 */

/** @typedef {{element: HTMLElement, toggleButton: HTMLElement}} SidePanel a part of the panel that can be opened */

export class PlayPanel {
  /** @param {PlayActions} actions @param {SidePanel[]} sidePanels */
  constructor(actions, sidePanels) {
    this.actions = actions;
    this.sidePanels = sidePanels;
    this.title = h('h1', { class: 'status' });
    this.stepsLeft = h('div', { class: 'steps-left', role: 'img' });
    this.note = h('p', { class: 'note', 'aria-live': 'polite' });
    this.setupBox = h('div', { class: 'setup-box' });
    this.undo = button('Undo', actions.undo, { id: 'undo', icon: 'undo', title: 'Undo a step (Backspace)' });
    this.redo = button('Redo', actions.redo, { id: 'redo', icon: 'redo', title: 'Redo a step (Shift Backspace)' });
    this.end = button('End turn', actions.endTurn, { id: 'end-turn', icon: 'end', kind: 'main', title: 'Enter' });
    const hintTitle = 'Show a good turn (h)';
    this.hint = button('Hint', actions.hint, { id: 'hint', icon: 'hint', hideLabel: true, title: hintTitle });
    this.controls = h('div', { class: 'controls' }, this.undo, this.redo, this.hint, this.end);
    const label = 'Type steps, like Ee2n; Enter plays them, and Enter alone ends the turn';
    this.input = stepInput({ label, onEnter: actions.typed });
    this.turns = h('ol', { class: 'turns', 'aria-label': 'Turns' });
    this.footer = h('div', { class: 'row footer' });
    this.element = panelLayout(
      'play',
      [h('div', { class: 'head' }, this.title, this.stepsLeft), this.controls, this.note, this.setupBox],
      [this.turns],
      [this.input, sidePanelArea(sidePanels.map((panel) => panel.element)), this.footer],
    );
  }

  /** @param {string} text @param {boolean} [isError] */
  message(text, isError = false) {
    this.note.textContent = text;
    this.note.classList.toggle('error', isError);
  }

  /** The view of a setup; null if no setup is being placed. @param {HTMLElement | null} view */
  showSetup(view) {
    if (view?.parentNode !== this.setupBox || !view) fill(this.setupBox, view);
    this.isSetup = view !== null;
  }

  /** @param {PlayState} state */
  show(state) {
    const { game, readOnly } = state;
    if (!game) return;
    const { position } = game;
    const isOver = position.phase === 'over';
    const canPlay = position.phase === 'play' && !game.engine_to_move && !readOnly;
    const hasSteps = position.steps_played.length > 0;
    this.title.textContent = statusText(state);
    this.title.classList.toggle('over', isOver);
    this.showStepsLeft(game);
    this.undo.disabled = !canPlay || !hasSteps;
    this.redo.disabled = !canPlay || game.redo_count === 0;
    this.end.disabled = !canPlay || !hasSteps;
    this.hint.disabled = !canPlay;
    this.end.classList.toggle('ready', canPlay && position.can_end_turn);
    this.controls.hidden = this.isSetup || isOver || readOnly;
    this.input.hidden = isOver || readOnly;
    this.input.placeholder = this.isSetup ? 'Or type placements: Ra1 Rb1 …' : 'Type steps: Ee2n, Ha2nnn';
    if (isOver) this.message('');
    else if (canPlay && position.end_turn_error && position.steps_left === 0) {
      this.message(`You cannot end your turn: ${position.end_turn_error}.`, true);
    }
    this.showTurns(game);
    fill(this.footer, ...this.footerButtons(state));
  }

  /** @param {GameState} game */
  showStepsLeft({ position: { phase, steps_left } }) {
    const played = 4 - steps_left;
    this.stepsLeft.replaceChildren(...[0, 1, 2, 3].map((index) => h('i', { class: index < played ? 'played' : '' })));
    this.stepsLeft.setAttribute('aria-label', `${steps_left} steps left`);
    this.stepsLeft.hidden = phase !== 'play';
  }

  /** @param {GameState} game */
  showTurns({ turns, position, start }) {
    const rows = turns.map((turn, index) => {
      const onclick = () => this.actions.viewTurn(index + 1);
      const side = sideOfTag(turn.tag) === 'g' ? 'gold' : 'silver';
      const attributes = { type: 'button', class: `turn ${side}`, 'data-turns': index + 1, onclick };
      return h('li', {}, h('button', attributes, h('b', {}, turn.tag), h('span', {}, turnText(turn))));
    });
    if (position.steps_played.length) {
      const text = abbreviateTurn(position.steps_played);
      rows.push(h('li', {}, h('span', { class: 'turn unfinished' }, h('b', {}, position.tag), h('span', {}, text))));
    }
    if (rows.length === 0 && start.tag !== '1g') rows.push(h('li', { class: 'hint' }, `starts at ${start.tag}`));
    this.turns.replaceChildren(...rows);
    this.turns.scrollTop = this.turns.scrollHeight;
  }

  /** @param {number | null} turns */
  markTurn(turns) {
    for (const row of this.turns.querySelectorAll('button')) {
      row.classList.toggle('current', Number(row.dataset.turns) === turns);
    }
  }

  /** @param {PlayState} state */
  footerButtons({ game, readOnly }) {
    if (!game) return [];
    const { takeBack, resign, rematch, review } = this.actions;
    const isOver = game.position.phase === 'over';
    const hasTurns = game.turns.length > 0;
    const hasHuman = !readOnly && (game.config.gold.kind === 'human' || game.config.silver.kind === 'human');
    const isSetupPhase = game.position.phase === 'setup';
    return [
      hasHuman && hasTurns && button('Take back', takeBack, { title: 'Take back your last turn' }),
      hasHuman && hasTurns && !isOver && button('Resign', resign),
      isOver && !readOnly && button('Rematch', rematch, { kind: 'main' }),
      !readOnly && h('a', { class: 'button', href: '#/play' }, 'New game'),
      ...(isSetupPhase ? [] : this.sidePanels.map((panel) => panel.toggleButton)),
      button('Review', review),
    ];
  }
}

/** @param {PlayedTurn} turn */
function turnText(turn) {
  return isSetup(turn) ? 'setup' : abbreviateTurn(turn.steps);
}
