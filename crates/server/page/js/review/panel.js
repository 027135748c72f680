// The panel next to the board of a review: navigation, turns, annotations.

import { abbreviateTurn, sideName } from '../model/notation.js';
import { settings, updateSettings } from '../model/settings.js';
import { button, fill, h, icon } from '../ui/dom.js';
import { panelLayout, sidePanelArea } from '../ui/panel_layout.js';
import { stepInput } from '../ui/step_input.js';
import { AnnotationBox } from './annotations.js';
import { SPEEDS } from './autoplay.js';
import { ReviewPhases } from './phases.js';
import { markCurrent, turnList, turnListKey } from './turn_list.js';

/** @import {AnalysisPanel} from '../analysis/panel.js' */
/** @import {AnalysisTurn, PositionView} from '../api.js' */
/** @import {SidePanel} from '../play/panel.js' */
/** @import {Node} from '../model/tree.js' */
/** @import {ReviewState} from './state.js' */

/**
 * @typedef {{
 *   goTo: (node: Node) => void,
 *   goToTurn: (played: number) => void,
 *   toStart: () => void,
 *   back: () => void,
 *   togglePlay: () => void,
 *   speedChanged: () => void,
 *   forward: () => void,
 *   toEnd: () => void,
 *   trySteps: (text: string) => Promise<boolean>,
 *   undo: () => void,
 *   endTurn: () => void,
 *   comment: (text: string) => void,
 *   glyph: (glyph: string) => void,
 *   promote: () => void,
 *   remove: () => void,
 *   open: () => void,
 *   share: () => void,
 *   playFromHere: () => void,
 *   editPosition: () => void,
 *   previewLine: (turns: AnalysisTurn[] | null) => void,
 *   playLine: (turns: AnalysisTurn[]) => void,
 *   verdictsChanged: () => void,
 * }} ReviewActions
 */

const EMPTY_HINT = 'Paste or drop a record here, open one, or play steps on the board.';

export class ReviewPanel {
  /** The result of the game, if its last turn is shown. */
  result = '';
  /** What the list of turns shows. */
  turnsKey = '';
  scrollRequest = 0;

  /** @param {ReviewActions} actions @param {AnalysisPanel} analysis @param {SidePanel[]} sidePanels */
  constructor(actions, analysis, sidePanels) {
    this.actions = actions;
    this.title = h('h1', { class: 'status' });
    this.note = h('p', { class: 'note', 'aria-live': 'polite' });
    this.playButton = button('Replay', actions.togglePlay, {
      icon: 'play',
      hideLabel: true,
      title: 'Replay at the recorded times (Space)',
    });
    const navigate = (/** @type {string} */ label, /** @type {string} */ face, /** @type {() => void} */ action) =>
      button(label, action, { icon: face, hideLabel: true });
    this.navigation = h(
      'div',
      { class: 'controls navigation' },
      navigate('First turn (↑)', 'first', actions.toStart),
      navigate('Back (←)', 'back', actions.back),
      this.playButton,
      navigate('Forward (→)', 'next', actions.forward),
      navigate('Last turn (↓)', 'last', actions.toEnd),
      speedSelect(actions.speedChanged),
    );
    this.turns = h('ol', { class: 'turns tree', 'aria-label': 'Turns' });
    this.phases = new ReviewPhases((played) => actions.goToTurn(played));
    this.endButton = button('End turn', actions.endTurn, { id: 'end-turn', icon: 'end', kind: 'main', title: 'Enter' });
    const undoButton = button('Undo', actions.undo, { icon: 'undo' });
    this.draftControls = h('div', { class: 'controls draft' }, undoButton, this.endButton);
    this.input = stepInput({
      label: 'Type steps to try',
      placeholder: 'Try steps: Ee2n, Ha2nnn',
      onEnter: (text) => this.onEnter(text),
    });
    this.annotations = new AnnotationBox(actions);
    const footer = h(
      'div',
      { class: 'row footer' },
      ...sidePanels.map((panel) => panel.toggleButton),
      button('Open', actions.open, { kind: 'main' }),
      button('Share', actions.share),
      button('Play on', actions.playFromHere, { title: 'Continue the game from this position' }),
      button('Edit position', actions.editPosition, { title: 'Move and replace pieces, then play or analyse' }),
    );
    const course = h('div', { class: 'course' }, analysis.game.graph.element, this.phases.element);
    const opened = sidePanels.map((panel) => panel.element);
    this.element = panelLayout(
      'review',
      [h('div', { class: 'head' }, this.title), this.navigation, this.note],
      [this.turns, course],
      [
        this.draftControls,
        this.input,
        sidePanelArea([analysis.element, ...opened, analysis.game.element, this.annotations.element]),
        footer,
      ],
    );
  }

  /** @param {string} text */
  async onEnter(text) {
    if (text !== '') return this.actions.trySteps(text);
    this.actions.endTurn();
    return true;
  }

  /** @param {ReviewState} state @param {boolean} playing */
  show(state, playing) {
    const { tree, current } = state;
    const hasNames = tree.gold || tree.silver;
    const names = hasNames ? `${tree.gold || 'Gold'} – ${tree.silver || 'Silver'}` : tree.title || 'Review';
    this.title.textContent = names;
    this.title.title = `${tree.title} ${names}`.trim();
    this.showPlayButton(playing);
    this.result = resultText(state);
    this.annotations.show(current);
    this.draftControls.hidden = state.draftSteps === '';
    this.message('');
    if (state.position) this.showPosition(state.position);
    this.showTurns(state);
    this.phases.show(state);
  }

  /** @param {boolean} playing */
  showPlayButton(playing) {
    const face = playing ? 'pause' : 'play';
    if (this.playButton.dataset.face === face) return;
    this.playButton.dataset.face = face;
    fill(this.playButton, icon(face));
  }

  /** @param {ReviewState} state */
  showTurns({ tree, current }) {
    const key = turnListKey(tree);
    if (key !== this.turnsKey) {
      this.turnsKey = key;
      const rows = turnList(tree, this.actions.goTo);
      this.turns.replaceChildren(...(rows.length ? rows : [h('li', { class: 'hint' }, EMPTY_HINT)]));
    }
    markCurrent(this.turns, tree, current);
    // Measuring now would lay out the page once more.
    cancelAnimationFrame(this.scrollRequest);
    this.scrollRequest = requestAnimationFrame(() => this.scrollToCurrent());
  }

  scrollToCurrent() {
    const row = this.turns.querySelector('.current');
    if (!row) {
      this.turns.scrollTop = 0;
      return;
    }
    const [list, item] = [this.turns.getBoundingClientRect(), row.getBoundingClientRect()];
    const isVisible = item.top >= list.top && item.bottom <= list.bottom;
    if (!isVisible) this.turns.scrollTop += item.top - list.top - list.height / 2;
  }

  /** Steps that were rejected belong to the position before. */
  forgetTyped() {
    if (document.activeElement !== this.input) this.input.value = '';
  }

  /** Shows the position and its draft steps. @param {PositionView} position */
  showPosition(position) {
    const { tag, side, phase, end, steps_played } = position;
    this.draftControls.hidden = steps_played.length === 0;
    this.endButton.classList.toggle('ready', position.can_end_turn);
    if (steps_played.length) this.message(`${tag} ${abbreviateTurn(steps_played)}`);
    else if (this.result) this.message(this.result);
    else if (end)
      this.message(end.winner ? `${sideName(end.winner)} has won by ${end.reason}.` : `Drawn: ${end.reason}.`);
    else this.message(`${tag}: ${sideName(side)} ${phase === 'setup' ? 'to set up' : 'to move'}`);
  }

  /** @param {string} text @param {boolean} [isError] */
  message(text, isError = false) {
    this.note.textContent = text;
    this.note.classList.toggle('error', isError);
  }
}

/** @param {() => void} onChange */
function speedSelect(onChange) {
  const options = SPEEDS.map(([value, text]) => h('option', { value }, text));
  const title = 'Replay speed: times the recorded one, or seconds a turn';
  const select = h('select', { 'aria-label': 'Replay speed', title, class: 'speed' }, ...options);
  select.value = settings.replaySpeed;
  select.addEventListener('change', () => {
    updateSettings({ replaySpeed: select.value });
    onChange();
  });
  return select;
}

/** The result, at the last turn of the game as it was played. @param {ReviewState} state */
function resultText({ tree, current }) {
  if (!tree.end || tree.endNode !== current) return '';
  const { winner, reason } = tree.end;
  return winner ? `${sideName(winner)} won by ${reason}.` : `Drawn by ${reason}.`;
}
