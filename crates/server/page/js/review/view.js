// The view of the review page: board, names and panel.

import { AnalysisPanel } from '../analysis/panel.js';
import { Explorer } from '../archive/explorer.js';
import { BoardController } from '../board/controller.js';
import { applyTurn, captureSquares, formatBoard, parseBoard, sideOfTag } from '../model/notation.js';
import { announce, asSentence } from '../ui/announce.js';
import { boardLayout } from '../ui/board_layout.js';
import { ExplanationPanel } from '../ui/explanation.js';
import { NameBar } from './name_bar.js';
import { ReviewPanel } from './panel.js';
import { lineThrough } from './phases.js';

/** @import {BoardEvents} from '../board/widget.js' */
/** @import {Turn} from '../model/tree.js' */
/** @import {ReviewActions} from './panel.js' */
/** @import {ReviewState} from './state.js' */

export class ReviewView {
  /** Whether the board shows another position than the current one. */
  isPreview = false;
  /** The drawings of the analysis on the board. */
  drawingsKey = '';

  /** @param {ReviewActions} actions @param {BoardEvents} boardEvents */
  constructor(actions, boardEvents) {
    const { trySteps } = actions;
    const events = { steps: trySteps, message: this.message.bind(this), announce };
    this.controller = new BoardController(events, boardEvents);
    this.board = this.controller.board;
    this.explanation = new ExplanationPanel();
    this.explorer = new Explorer({ persistOpen: true });
    this.analysis = new AnalysisPanel({
      previewLine: actions.previewLine,
      playLine: actions.playLine,
      goTo: actions.goTo,
      drawingsChanged: () => this.showDrawings(),
      verdictsChanged: actions.verdictsChanged,
    });
    this.panel = new ReviewPanel(actions, this.analysis, [this.explanation, this.explorer]);
    this.bars = { g: new NameBar('g'), s: new NameBar('s') };
    this.layout = boardLayout(this.board, this.panel.element, { g: this.bars.g.element, s: this.bars.s.element });
    this.element = this.layout.element;
    this.element.classList.add('with-win-bar');
    this.element.querySelector('.board-box')?.append(this.analysis.winBar.element);
  }

  /** @param {ReviewState} state @param {boolean} playing whether the game is replayed */
  show(state, playing) {
    const side = sideOfTag(state.tag());
    const captured = state.captured();
    for (const bar of /** @type {const} */ (['g', 's'])) {
      const name = bar === 'g' ? state.tree.gold || 'Gold' : state.tree.silver || 'Silver';
      this.bars[bar].show({ name, captured, usedTime: state.usedTime(bar), toMove: bar === side });
    }
    this.panel.show(state, playing);
    this.showBoard(state);
    this.analysis.show(state, lineThrough(state.tree, state.current));
  }

  /** @param {ReviewState} state */
  showBoard(state) {
    const { position } = state;
    this.isPreview = false;
    this.showDrawings();
    const isDraft = state.draftSteps !== '' && position !== null;
    const pieces = isDraft ? parseBoard(position.board) : state.board();
    const steps = isDraft ? position.steps_played : state.shownSteps();
    const zone = this.explanation.zoneOn(pieces);
    this.board.setState({
      pieces,
      lastTurn: steps,
      captured: captureSquares(steps),
      shapes: state.shapes(),
      zone,
    });
    this.controller.setPosition(position?.phase === 'play' ? position : null);
    this.element.dataset.board = formatBoard(pieces);
  }

  /** Shows the board after turns of a line. @param {ReviewState} state @param {Turn[]} turns the first completes the present one */
  previewLine(state, turns) {
    const { position } = state;
    const shown = state.draftSteps !== '' && position ? parseBoard(position.board) : state.board();
    this.showPreview(turns.reduce(applyTurn, shown), turns.at(-1)?.steps ?? []);
  }

  /** @param {import('../model/notation.js').Board} pieces @param {import('../api.js').StepInfo[]} steps */
  showPreview(pieces, steps) {
    this.isPreview = true;
    this.controller.setPosition(null);
    this.drawingsKey = '';
    this.board.setState({ pieces, lastTurn: steps, captured: [], zone: [], shapes: [], ...noDrawings() });
  }

  /** Draws arrows and marks of the analysis, unless another board is previewed. */
  showDrawings() {
    const drawings = this.drawings();
    const key = JSON.stringify({ ...drawings, rings: [...drawings.rings] });
    if (this.isPreview || key === this.drawingsKey) return;
    this.drawingsKey = key;
    this.board.setState(drawings);
  }

  /** The arrows and marks of the analysis; none where the lines of an explanation are drawn. */
  drawings() {
    return this.explanation.zone.length ? noDrawings() : this.analysis.drawings();
  }

  /** Shows the position after a turn. @param {ReviewState} state @param {Turn} turn */
  preview(state, turn) {
    this.showPreview(applyTurn(state.base().board, turn), turn.steps);
  }

  /** Shows a board of an explanation. @param {import('../model/events.js').Drawing} drawing */
  showDrawing({ board, zone }) {
    this.showPreview(parseBoard(board), []);
    this.board.setState({ zone });
  }

  /** @param {string} text @param {boolean} [isError] */
  message(text, isError = false) {
    const sentence = asSentence(text);
    this.panel.message(sentence, isError);
    announce(sentence);
  }

  close() {
    this.explanation.close();
    this.explorer.close();
    this.analysis.close();
    this.panel.phases.close();
    this.layout.close();
  }
}

function noDrawings() {
  return { hints: [], tints: [], rings: new Set() };
}
