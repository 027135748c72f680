// What stands beside the board of a game: whose turn it is, the buttons, the turns.

import { shortened, sideName } from '../model/notation.js';
import { button, fill, h } from '../ui/dom.js';
import { setupPanel } from './setup.js';

/** @import {GameState, PlayedLine, SetupPreset} from '../api.js' */
/** @import {Setup} from './setup.js' */
/** @import {Why} from '../ui/why.js' */
/** @import {Explorer} from '../archive/explorer.js' */

/**
 * @typedef {{
 *   undo: () => void, redo: () => void, end: () => void, takeback: () => void, resign: () => void, rematch: () => void,
 *   typed: (text: string) => Promise<boolean>, show: (turns: number | null) => void, why: Why, explorer: Explorer, line: () => PlayedLine | null,
 *   readOnly: () => boolean,
 * }} Acts
 */

export class Panel {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.title = h('h1', { class: 'status' });
    this.pips = h('div', { class: 'steps-left', role: 'img' });
    this.note = h('p', { class: 'note', 'aria-live': 'polite' });
    this.undo = button('Undo', acts.undo, { icon: 'undo', title: 'Take the last step back (Backspace)' });
    this.redo = button('Redo', acts.redo, { icon: 'redo', title: 'Take it again (Shift Backspace)' });
    this.end = button('End turn', acts.end, { icon: 'end', kind: 'main', title: 'Enter' });
    this.end.id = 'end-turn';
    this.undo.id = 'undo';
    this.redo.id = 'redo';
    this.input = h('input', {
      type: 'text', id: 'typed', class: 'typed', placeholder: 'Type steps: Ee2n, Ha2nnn', autocomplete: 'off', spellcheck: false,
      autocapitalize: 'off', 'aria-label': 'Type steps, like Ee2n; Enter takes them, and Enter alone ends the turn',
    });
    this.input.addEventListener('keydown', async (event) => {
      if (event.key === 'Escape') this.input.blur();
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const text = this.input.value.trim();
      this.input.value = '';
      // What was refused can be mended, unless something else has been typed meanwhile.
      if (!(await acts.typed(text)) && this.input.value === '') this.input.value = text;
    });
    this.controls = h('div', { class: 'controls' }, this.undo, this.redo, this.end);
    this.setupBox = h('div', { class: 'setup-box' });
    /** Whose buttons stand there. @type {Setup | null} */
    this.setupOf = null;
    this.turns = h('ol', { class: 'turns', 'aria-label': 'Turns' });
    this.below = h('div', { class: 'row below' });
    this.element = h(
      'aside',
      { class: 'panel' },
      h('div', { class: 'head' }, this.title, this.pips),
      this.note,
      this.setupBox,
      this.controls,
      this.input,
      acts.why.box,
      acts.explorer.box,
      this.turns,
      this.below,
    );
  }

  /** @param {string} words @param {boolean} [bad] */
  message(words, bad = false) {
    this.note.textContent = words;
    this.note.classList.toggle('bad', bad);
  }

  /** @param {GameState} game */
  endWords(game) {
    const { end } = game.position;
    if (!end) return '';
    return end.winner ? `${sideName(end.winner)} wins by ${end.reason}.` : `Nobody wins: ${end.reason}.`;
  }

  /** @param {GameState} game @param {Setup | null} setup @param {SetupPreset[]} presets @param {() => void} ready */
  show(game, setup, presets, ready) {
    const view = game.position;
    const over = view.phase === 'over';
    this.title.textContent = over ? this.endWords(game) : this.turnWords(game);
    this.title.classList.toggle('over', over);
    if (over) this.message('');
    const taken = 4 - view.steps_left;
    this.pips.replaceChildren(...[0, 1, 2, 3].map((index) => h('i', { class: index < taken ? 'taken' : '' })));
    this.pips.setAttribute('aria-label', `${view.steps_left} steps left`);
    this.pips.hidden = view.phase !== 'play';
    const playing = view.phase === 'play' && !game.engine_to_move;
    this.undo.disabled = !playing || view.turn_text === '';
    this.redo.disabled = !playing || game.redo_count === 0;
    this.end.disabled = !playing || view.turn_text === '';
    this.end.classList.toggle('ready', playing && view.can_end_turn);
    const still = over || this.acts.readOnly();
    this.controls.hidden = setup !== null || still;
    this.input.hidden = still;
    this.input.placeholder = setup ? 'Or type them: Ra1 Rb1 …' : 'Type steps: Ee2n, Ha2nnn';
    if (view.turn_text && view.end_turn_error && playing && view.steps_left === 0) {
      this.message(`You can't end your turn: ${view.end_turn_error}.`);
    }
    if (setup && this.setupOf !== setup) fill(this.setupBox, setupPanel(setup, presets, ready, this.acts.line));
    if (!setup) fill(this.setupBox);
    this.setupOf = setup;
    this.list(game);
    fill(this.below, ...this.buttons(game));
  }

  /** @param {GameState} game */
  turnWords(game) {
    const side = sideName(game.position.side);
    if (this.acts.readOnly()) return game.position.phase === 'setup' ? `${side} to set up` : `${side} to play`;
    const both = game.config.gold.kind === "human" && game.config.silver.kind === "human";
    if (game.position.phase === 'setup') return game.engine_to_move ? `${side} sets up…` : both ? `${side} sets up` : 'Set up your pieces';
    if (game.engine_to_move) return `${side} is thinking…`;
    return both ? `${side} to play` : 'Your turn';
  }

  /** @param {GameState} game */
  list(game) {
    const first = game.start.tag;
    const rows = [];
    game.turns.forEach((turn, index) => {
      const side = turn.tag.slice(-1);
      const words = turn.text.split(' ')[0]?.length === 3 ? 'setup' : shortened(turn.text);
      const one = h('button', { type: 'button', class: `turn ${side === 'g' ? 'gold' : 'silver'}`, 'data-turns': index + 1, onclick: () => this.acts.show(index + 1) },
        h('b', {}, turn.tag), h('span', {}, words));
      rows.push(h('li', {}, one));
    });
    if (game.position.turn_text) rows.push(h('li', {}, h('span', { class: 'turn running' }, h('b', {}, game.position.tag), h('span', {}, shortened(game.position.turn_text)))));
    if (rows.length === 0 && first !== '1g') rows.push(h('li', { class: 'hint' }, `begins at ${first}`));
    this.turns.replaceChildren(...rows);
    this.turns.scrollTop = this.turns.scrollHeight;
  }

  /** @param {number | null} turns */
  mark(turns) {
    for (const one of this.turns.querySelectorAll('button')) one.classList.toggle('here', Number(one.dataset.turns) === turns);
  }

  /** @param {GameState} game */
  buttons(game) {
    const over = game.position.phase === 'over';
    const still = this.acts.readOnly();
    const persons = !still && (game.config.gold.kind === "human" || game.config.silver.kind === "human");
    const review = () => (location.hash = `#/review?game=${game.id}`);
    return [
      persons && 0 < game.turns.length ? button('Take back', this.acts.takeback, { title: 'Take back your last turn' }) : null,
      !over && persons && 0 < game.turns.length ? button('Resign', this.acts.resign) : null,
      over && !still ? button('Rematch', this.acts.rematch, { kind: 'main' }) : null,
      game.position.phase === 'setup' ? null : this.acts.why.button(),
      game.position.phase === 'setup' ? null : this.acts.explorer.button(),
      button('Review', review),
    ];
  }
}
