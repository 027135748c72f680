// Everything about analysis on the review page: the engine, the views of a position, and the analysis of the game.

import { bus } from '../model/bus.js';
import { h } from '../ui/dom.js';
import { EnginePanel } from './engine_panel.js';
import { GamePanel } from './game_panel.js';
import { LearnPanel } from './learn.js';
import { EvaluationView, TacticsView, ThreatView } from './views.js';
import { WinBar } from './win_bar.js';

/** @import {AnalysisTurn} from '../api.js' */
/** @import {Hint, Tint} from '../board/hints.js' */
/** @import {Node} from '../model/tree.js' */
/** @import {ReviewState} from '../review/state.js' */

/**
 * @typedef {{
 *   previewLine: (turns: AnalysisTurn[] | null) => void,
 *   playLine: (turns: AnalysisTurn[]) => void,
 *   goTo: (node: Node) => void,
 *   drawingsChanged: () => void,
 *   verdictsChanged: () => void,
 * }} AnalysisActions
 */

export class AnalysisPanel {
  /** @type {ReviewState | null} */
  state = null;

  /** @param {AnalysisActions} actions */
  constructor(actions) {
    this.actions = actions;
    const changed = () => this.onChange();
    const lines = { preview: actions.previewLine, play: actions.playLine };
    this.winBar = new WinBar();
    this.engine = new EnginePanel(lines, changed);
    this.threat = new ThreatView(changed);
    this.tactics = new TacticsView(changed);
    this.evaluation = new EvaluationView(changed);
    this.views = [this.threat, this.tactics, this.evaluation];
    this.game = new GamePanel({
      goToTurn: (played) => this.goToPosition(played),
      learn: (side) => this.startLearning(side),
      changed: () => {
        actions.verdictsChanged();
        this.onChange();
      },
    });
    this.learn = new LearnPanel({
      goTo: actions.goTo,
      play: ({ node, best }) => {
        actions.goTo(/** @type {Node} */ (node.parent));
        actions.playLine(best.turns.slice(0, 1));
      },
      line: (node) => /** @type {ReviewState} */ (this.state).tree.line(node, ''),
      changed: (active) => this.onLearning(active),
    });
    const toggles = { class: 'row study-toggles', role: 'group', 'aria-label': 'Views of the position' };
    this.toggles = h('div', toggles, ...this.views.map((view) => view.toggleButton));
    this.events = bus.scope();
    // The win bar turns with the board.
    this.events.on('settings', changed);
    this.element = h(
      'div',
      { class: 'analysis' },
      this.learn.element,
      this.engine.element,
      this.toggles,
      ...this.views.map((view) => view.element),
    );
  }

  /** Follows the shown position. @param {ReviewState} state @param {Node[]} line the turns through it to the end */
  show(state, line) {
    this.state = state;
    const shown = state.analysisLine();
    this.engine.setLine(shown);
    for (const view of this.views) view.setLine(shown);
    this.game.show(state, line);
    this.onChange();
  }

  /** @param {number} played */
  goToPosition(played) {
    const { line, root } = this.game.game;
    const node = played ? line[played - 1] : root;
    if (node) this.actions.goTo(node);
  }

  /** @param {'g' | 's'} side */
  startLearning(side) {
    this.learn.start(this.game.game.mistakes(side), this.game.nodes);
  }

  /** @param {boolean} active whether a turn is to be found, so that nothing may give it away */
  onLearning(active) {
    this.engine.setPaused(active);
    this.toggles.hidden = active;
    for (const view of this.views) if (active && view.open) view.toggle();
  }

  /** The evaluation of the shown position: of the engine, or of the game's analysis. */
  currentEvaluation() {
    if (this.learn.isActive || !this.state) return null;
    const { current, stepIndex, draftSteps } = this.state;
    const isWhole = stepIndex === null && draftSteps === '';
    return this.engine.evaluation() ?? (isWhole ? (this.game.game.byNode.get(current) ?? null) : null);
  }

  onChange() {
    // The parts report changes while they are created.
    if (!this.learn) return;
    this.winBar.show(this.currentEvaluation());
    this.actions.drawingsChanged();
  }

  /** What is drawn on the board: a view that is open hides the engine's arrows. @returns {{hints: Hint[], tints: Tint[], rings: Set<string>}} */
  drawings() {
    const { engine, threat, tactics } = this;
    const hints = tactics.open ? tactics.hints : threat.open ? threat.hints : engine.hints();
    return { hints, tints: tactics.tints, rings: tactics.rings };
  }

  close() {
    this.events.close();
    this.engine.close();
    for (const view of this.views) view.close();
    this.game.close();
    this.learn.close();
  }
}
