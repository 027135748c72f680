// Learning from mistakes: at each big loss of a side, the user looks for a better turn, which the engine judges.

import { abbreviateTurn, applyTurn, formatBoard, sideName } from '../model/notation.js';
import { announce } from '../ui/announce.js';
import { bringIntoPanel, bringIntoView, button, fill, h } from '../ui/dom.js';
import { formatWin } from './score.js';
import { PositionSearch } from './search.js';

/** @import {AnalysisUpdate} from '../api.js' */
/** @import {Node, Tree} from '../model/tree.js' */
/** @import {Mistake} from './game_analysis.js' */

/** A turn that loses at most so much of the win probability is good enough: below that it would be an inaccuracy. */
const ACCEPTED_LOSS = 0.06;

/**
 * @typedef {{
 *   goTo: (node: Node) => void,
 *   play: (mistake: Mistake) => void,
 *   line: (node: Node) => import('../api.js').PlayedLine,
 *   changed: (active: boolean) => void,
 * }} LearnActions
 */

/** The win probability of a side. @param {number} goldWin @param {string} side */
export function winOf(goldWin, side) {
  return side === 'g' ? goldWin : 1 - goldWin;
}

/**
 * The verdict on an attempt.
 * @param {Mistake} mistake
 * @param {number} after the win probability of the side after the attempt
 * @returns {'good' | 'better' | 'bad'} better than in the game, but not good
 */
export function judgeAttempt({ turn, best }, after) {
  const before = winOf(best.gold_win, turn.side);
  const loss = before - after;
  if (loss <= ACCEPTED_LOSS) return 'good';
  return loss < turn.loss - ACCEPTED_LOSS ? 'better' : 'bad';
}

export class LearnPanel {
  /** @type {Mistake[]} */
  mistakes = [];
  index = -1;
  /** The attempt that is being judged. @type {Node | null} */
  attempt = null;
  nodes = 50_000;

  /** @param {LearnActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.text = h('p', { class: 'learn-text', role: 'status' });
    this.buttons = h('div', { class: 'row' });
    this.title = h('h2', {});
    this.element = h(
      'section',
      { class: 'learn', hidden: true, 'aria-label': 'Learn from mistakes' },
      this.title,
      this.text,
      this.buttons,
    );
    this.search = new PositionSearch(
      (update) => this.judge(update),
      (message) => this.show(message, ['retry', 'end']),
    );
  }

  get isActive() {
    return this.index >= 0;
  }

  /** @param {Mistake[]} mistakes @param {number} nodes the limit of the game's analysis */
  start(mistakes, nodes) {
    this.mistakes = mistakes;
    this.nodes = nodes;
    this.index = -1;
    this.next();
  }

  next() {
    this.search.stop();
    this.index += 1;
    const mistake = this.mistakes[this.index];
    if (!mistake) return this.end();
    const { node, turn } = mistake;
    this.element.hidden = false;
    this.title.textContent = `Mistake ${this.index + 1} of ${this.mistakes.length}`;
    this.actions.changed(true);
    this.actions.goTo(/** @type {Node} */ (node.parent));
    const lost = formatWin(turn.loss);
    bringIntoView(this.element);
    this.show(
      `${sideName(turn.side)} played ${turn.tag} ${abbreviateTurn(node.steps)} and lost ${lost}. Find a better turn.`,
      ['solution', 'next', 'end'],
    );
  }

  /** Whether a position is the one where a turn is to be found. @param {Node} node */
  isProblem(node) {
    return this.isActive && this.mistakes[this.index]?.node.parent === node;
  }

  /** Judges a turn that the user has played. @param {Node} node @returns {boolean} whether it is an attempt */
  tryTurn(node) {
    const mistake = this.mistakes[this.index];
    if (!this.isActive || !mistake || node.parent !== mistake.node.parent) return false;
    this.attempt = node;
    const board = formatBoard(node.board);
    if (board === formatBoard(mistake.node.board)) {
      this.reject('That is the turn of the game.');
    } else if (board === bestBoard(mistake)) this.accept('That is the engine’s turn.');
    else {
      this.show('Judging your turn …', ['end']);
      const line = this.actions.line(node);
      this.search.start({ line, lines: 1, threads: 1, hash: 16, nodes: this.nodes, threat: false });
    }
    return true;
  }

  /** @param {AnalysisUpdate} update */
  judge(update) {
    const mistake = this.mistakes[this.index];
    if (!mistake || !this.attempt) return;
    if (update.state === 'failed') return this.show(update.error ?? 'The engine failed.', ['retry', 'end']);
    const [line] = update.lines;
    if (update.state !== 'done' || !line) return;
    const { side } = mistake.turn;
    const after = winOf(line.gold_win, side);
    const verdict = judgeAttempt(mistake, after);
    const before = formatWin(winOf(mistake.best.gold_win, side));
    const text = `${sideName(side)} wins with ${formatWin(after)} then; the engine’s turn keeps ${before}.`;
    if (verdict === 'good') this.accept(`Good. ${text}`);
    else this.reject(verdict === 'better' ? `Better than in the game, but not enough. ${text}` : `Not better. ${text}`);
  }

  /** @param {string} text */
  accept(text) {
    this.element.dataset.verdict = 'good';
    this.show(text, ['solution', 'next', 'end']);
  }

  /** @param {string} text */
  reject(text) {
    this.element.dataset.verdict = 'bad';
    this.show(`${text} Try another turn.`, ['retry', 'solution', 'next', 'end']);
  }

  retry() {
    const mistake = this.mistakes[this.index];
    this.search.stop();
    if (mistake?.node.parent) this.actions.goTo(mistake.node.parent);
  }

  solution() {
    const mistake = this.mistakes[this.index];
    if (!mistake) return;
    this.actions.play(mistake);
    const [best] = mistake.best.turns;
    this.show(`The engine plays ${best ? abbreviateTurn(best.steps) : 'nothing'}.`, ['next', 'end']);
  }

  end() {
    this.search.stop();
    this.index = -1;
    this.attempt = null;
    this.element.hidden = true;
    this.actions.changed(false);
  }

  /** @param {string} text @param {('retry' | 'solution' | 'next' | 'end')[]} choices */
  show(text, choices) {
    this.text.textContent = text;
    announce(text);
    const isLast = this.index + 1 >= this.mistakes.length;
    /** @type {Record<string, () => HTMLElement>} */
    const buttons = {
      retry: () => button('Try again', () => this.retry()),
      solution: () => button('Show solution', () => this.solution()),
      next: () => button(isLast ? 'Finish' : 'Next', () => this.next(), { kind: 'main' }),
      end: () => button('End', () => this.end()),
    };
    fill(this.buttons, ...choices.filter((choice) => choice !== 'end' || !isLast).map((choice) => buttons[choice]()));
    bringIntoPanel(this.element);
  }

  close() {
    this.search.close();
  }
}

/** The board after the engine's turn. @param {Mistake} mistake */
function bestBoard({ node, best }) {
  const [turn] = best.turns;
  return turn && node.parent ? formatBoard(applyTurn(node.parent.board, turn)) : '';
}
