// The analysis of a whole game on the server: evaluations, verdicts and accuracies by turn.

import { bus } from '../model/bus.js';
import { socket } from '../socket.js';
import { nextAnalysis, stopAnalysis } from './search.js';

/** @import {AnalysedPosition, GameAnalysisUpdate, GameReport, JudgedTurn} from '../api.js' */
/** @import {Node, Tree} from '../model/tree.js' */

/** The annotation of a verdict. @type {Record<string, string>} */
export const VERDICT_GLYPHS = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** The verdicts on turns that can be played again. */
const LEARNABLE = ['mistake', 'blunder'];

/** @typedef {{node: Node, turn: JudgedTurn, best: AnalysedPosition}} Mistake */

export class GameAnalysis {
  /** The number of the running analysis; 0 for none. */
  analysis = 0;
  analysed = 0;
  total = 0;
  error = '';
  /** The turns of the analysed line. @type {Node[]} */
  line = [];
  /** @type {Node | null} */
  root = null;
  /** By the number of turns before the position. @type {Map<number, AnalysedPosition>} */
  positions = new Map();
  /** @type {Map<Node, AnalysedPosition>} */
  byNode = new Map();
  /** @type {GameReport | null} */
  report = null;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.events = bus.scope();
    this.events.on('message', (message) => {
      if (message.type === 'game_analysis' && message.analysis === this.analysis) this.add(message.update);
    });
    this.events.on('connection', (open) => {
      if (!open && this.analysis) this.fail('The connection to the server was lost.');
    });
  }

  get isRunning() {
    return this.analysis !== 0;
  }

  /** @param {Tree} tree @param {Node[]} line @param {number} nodes the limit of each position */
  async start(tree, line, nodes) {
    this.reset();
    this.line = line;
    this.root = tree.root;
    const analysis = nextAnalysis();
    this.analysis = analysis;
    this.onChange();
    try {
      const request = { analysis, line: tree.line(line.at(-1) ?? tree.root, ''), nodes };
      await socket.send({ type: 'analyze_game', request });
    } catch (error) {
      if (this.analysis === analysis) this.fail(/** @type {Error} */ (error).message);
    }
  }

  /** Forgets the results, for another game. */
  reset() {
    this.cancel();
    for (const node of this.line) node.verdict = '';
    this.positions.clear();
    this.byNode.clear();
    Object.assign(this, { line: [], root: null, report: null, error: '', analysed: 0, total: 0 });
  }

  cancel() {
    if (this.analysis) stopAnalysis(this.analysis);
    this.analysis = 0;
  }

  /** @param {string} message */
  fail(message) {
    this.analysis = 0;
    this.error = message;
    this.onChange();
  }

  /** @param {GameAnalysisUpdate} update */
  add({ positions, analysed, total, report, error }) {
    for (const position of positions) {
      this.positions.set(position.played, position);
      const node = position.played ? this.line[position.played - 1] : this.root;
      if (node) this.byNode.set(node, position);
    }
    this.analysed = analysed;
    this.total = total;
    if (error) return this.fail(error);
    if (report) this.finish(report);
    this.onChange();
  }

  /** @param {GameReport} report */
  finish(report) {
    this.analysis = 0;
    this.report = report;
    for (const turn of report.turns) {
      const node = this.line[turn.played];
      if (node) node.verdict = turn.verdict ? VERDICT_GLYPHS[turn.verdict] : '';
    }
  }

  /** The positions in order, without gaps that are not analysed yet. @returns {AnalysedPosition[]} */
  ordered() {
    return [...this.positions.values()].sort((a, b) => a.played - b.played);
  }

  /** The big losses of a side. @param {string} side @returns {Mistake[]} */
  mistakes(side) {
    const turns = this.report?.turns ?? [];
    return turns.flatMap((turn) => {
      const [node, best] = [this.line[turn.played], this.positions.get(turn.played)];
      const isLearnable = turn.side === side && turn.verdict !== null && LEARNABLE.includes(turn.verdict);
      return isLearnable && node && best ? [{ node, turn, best }] : [];
    });
  }

  close() {
    this.cancel();
    this.events.close();
  }
}
