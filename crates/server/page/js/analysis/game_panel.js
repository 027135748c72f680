// The analysis of the whole game in the review panel: progress, graph, accuracies, and learning from mistakes.

import { sideName } from '../model/notation.js';
import { announce, asSentence } from '../ui/announce.js';
import { bringIntoPanel, button, fill, h } from '../ui/dom.js';
import { GameAnalysis } from './game_analysis.js';
import { EvaluationGraph } from './graph.js';
import { showReport } from './report.js';
import { loadAnalysisSettings, saveAnalysisSettings } from './settings.js';

/** @import {Node} from '../model/tree.js' */
/** @import {ReviewState} from '../review/state.js' */

/** @type {[number, string][]} */
const DEPTHS = [
  [10_000, 'fast'],
  [50_000, 'normal'],
  [250_000, 'thorough'],
];

/**
 * @typedef {{
 *   goToTurn: (played: number) => void,
 *   learn: (side: 'g' | 's') => void,
 *   changed: () => void,
 * }} GamePanelActions `goToTurn` has the number of turns before the position
 */

export class GamePanel {
  nodes = loadAnalysisSettings().gameNodes;
  /** @type {Node[]} */
  line = [];
  /** @type {ReviewState | null} */
  state = null;

  /** @param {GamePanelActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.game = new GameAnalysis(() => this.onChange());
    this.graph = new EvaluationGraph((played) => actions.goToTurn(played));
    this.startButton = button('Analyse game', () => this.start(), { title: 'Evaluate every turn of the shown line' });
    const known = DEPTHS.some(([nodes]) => nodes === this.nodes);
    const choices = known ? DEPTHS : [...DEPTHS, /** @type {[number, string]} */ ([this.nodes, `${this.nodes} nodes`])];
    this.depth = h(
      'select',
      { id: 'game-nodes', 'aria-label': 'Thoroughness of the analysis' },
      ...choices.map(([nodes, name]) => h('option', { value: String(nodes), selected: nodes === this.nodes }, name)),
    );
    this.depth.addEventListener('change', () => {
      this.nodes = choices[this.depth.selectedIndex][0];
      saveAnalysisSettings({ ...loadAnalysisSettings(), gameNodes: this.nodes });
    });
    this.bar = h('progress', { 'aria-label': 'Progress of the analysis' });
    this.count = h('span', { class: 'hint' });
    const cancel = button('Cancel', () => this.cancel());
    this.progress = h('div', { class: 'game-progress', hidden: true }, this.bar, this.count, cancel);
    this.startRow = h('div', { class: 'game-start' }, this.startButton, this.depth);
    this.error = h('p', { class: 'error', role: 'alert', hidden: true });
    this.table = h('table', { class: 'report', hidden: true });
    this.learnRow = h('div', { class: 'row learn-start', hidden: true });
    this.element = h(
      'section',
      { class: 'game-analysis', 'aria-label': 'Game analysis' },
      this.startRow,
      this.progress,
      this.error,
      this.table,
      this.learnRow,
    );
  }

  start() {
    this.announced = false;
    if (this.state) this.game.start(this.state.tree, this.line, this.nodes);
  }

  cancel() {
    this.game.cancel();
    this.onChange();
  }

  /** @param {ReviewState} state @param {Node[]} line the turns through the shown one to the end */
  show(state, line) {
    if (this.state && this.game.root && this.game.root !== state.tree.root) {
      this.game.reset();
      this.onChange();
    }
    this.state = state;
    this.line = line;
    this.startRow.hidden = this.game.isRunning || line.length === 0;
    this.graph.mark(this.playedAt(state.current));
  }

  /** The turns before a node's position, if it was analysed; else -1. @param {Node} node */
  playedAt(node) {
    return this.game.byNode.get(node)?.played ?? -1;
  }

  onChange() {
    const { game } = this;
    const { isRunning, report, analysed, total } = game;
    this.startRow.hidden = isRunning || this.line.length === 0;
    /** @type {HTMLElement} */ (this.startButton.lastChild).textContent = report ? 'Analyse again' : 'Analyse game';
    this.progress.hidden = !isRunning;
    this.bar.max = Math.max(total, 1);
    this.bar.value = analysed;
    this.count.textContent = total ? `${analysed} of ${total}` : 'Waiting';
    this.error.hidden = game.error === '';
    this.error.textContent = asSentence(game.error);
    const positions = game.ordered();
    const isOver = positions.at(-1)?.turns.length === 0;
    this.graph.setPositions(positions, total, isOver, report);
    if (this.state) this.graph.mark(this.playedAt(this.state.current));
    this.table.hidden = this.learnRow.hidden = report === null;
    if (report) this.showReport();
    this.element.dataset.analysed = report ? 'done' : String(analysed);
    this.actions.changed();
  }

  showReport() {
    const { report } = this.game;
    const { state } = this;
    if (!report || !state) return;
    const names = { g: state.tree.gold, s: state.tree.silver };
    const played = () => this.playedAt(state.current);
    showReport(this.table, report, { names, played, onSelect: this.actions.goToTurn });
    const sides = /** @type {const} */ (['g', 's']).filter((side) => this.game.mistakes(side).length > 0);
    const learn = (/** @type {'g' | 's'} */ side) => {
      const count = this.game.mistakes(side).length;
      const title = `Find better turns where ${sideName(side)} lost most`;
      return button(
        `Learn from ${sideName(side)}’s ${count === 1 ? 'mistake' : `${count} mistakes`}`,
        () => this.actions.learn(side),
        { title },
      );
    };
    fill(this.learnRow, ...sides.map(learn));
    if (!this.announced) {
      announce('The analysis of the game is complete.');
      bringIntoPanel(this.element);
    }
    this.announced = true;
  }

  announced = false;

  close() {
    this.game.close();
  }
}
