// The view of the review page: board, names and panel.

import { Explorer } from '../archive/explorer.js';
import { BoardController } from '../board/controller.js';
import { applyTurn, captureSquares, formatBoard, parseBoard, sideOfTag } from '../model/notation.js';
import { announce, asSentence } from '../ui/announce.js';
import { boardLayout } from '../ui/board_layout.js';
import { h } from '../ui/dom.js';
import { ExplanationPanel } from '../ui/explanation.js';
import { sideDisc } from '../ui/side_disc.js';
import { ReviewPanel } from './panel.js';

/** @import {Remark} from '../api.js' */
/** @import {BoardEvents} from '../board/widget.js' */
/** @import {Turn} from '../model/tree.js' */
/** @import {ReviewActions} from './panel.js' */
/** @import {ReviewState} from './state.js' */

export class ReviewView {
  /** @param {ReviewActions} actions @param {BoardEvents} boardEvents */
  constructor(actions, boardEvents) {
    const { trySteps } = actions;
    const events = { steps: trySteps, message: (/** @type {string} */ text) => this.message(text), announce };
    this.controller = new BoardController(events, boardEvents);
    this.board = this.controller.board;
    this.explanation = new ExplanationPanel();
    this.explorer = new Explorer({ persistOpen: true });
    this.panel = new ReviewPanel(actions, [this.explanation, this.explorer]);
    this.bars = { g: nameBar('g'), s: nameBar('s') };
    this.layout = boardLayout(this.board, this.panel.element, this.bars);
    this.element = this.layout.element;
  }

  /** @param {ReviewState} state @param {boolean} playing whether the game is replayed */
  show(state, playing) {
    const side = sideOfTag(state.tag());
    for (const bar of /** @type {const} */ (['g', 's'])) {
      const name = bar === 'g' ? state.tree.gold || 'Gold' : state.tree.silver || 'Silver';
      /** @type {HTMLElement} */ (this.bars[bar].lastChild).textContent = name;
      this.bars[bar].classList.toggle('to-move', bar === side);
    }
    this.panel.show(state, playing);
    this.showBoard(state);
  }

  /** @param {ReviewState} state */
  showBoard(state) {
    const { position } = state;
    const isDraft = state.draftSteps !== '' && position !== null;
    const pieces = isDraft ? parseBoard(position.board) : state.board();
    const steps = isDraft ? position.steps_played : state.shownSteps();
    this.board.setState({
      pieces,
      lastTurn: steps,
      captured: captureSquares(steps),
      shapes: state.shapes(),
      zone: [],
    });
    this.controller.setPosition(position?.phase === 'play' ? position : null);
    this.element.dataset.board = formatBoard(pieces);
  }

  /** Shows the position after a turn. @param {ReviewState} state @param {Turn} turn */
  preview(state, turn) {
    this.controller.setPosition(null);
    const pieces = applyTurn(state.base().board, turn);
    this.board.setState({ pieces, lastTurn: turn.steps, captured: [], zone: [], shapes: [] });
  }

  /** Draws a remark on the board that it is about. @param {Remark} remark */
  showRemark(remark) {
    this.controller.setPosition(null);
    this.board.setState({ pieces: parseBoard(remark.board), zone: remark.zone, lastTurn: [] });
  }

  /** @param {string} text */
  message(text) {
    const sentence = asSentence(text);
    this.panel.message(sentence);
    announce(sentence);
  }

  close() {
    this.explanation.close();
    this.explorer.close();
    this.panel.phases.close();
    this.layout.close();
  }
}

/** @param {'g' | 's'} side */
function nameBar(side) {
  return h('div', { class: 'player-bar' }, sideDisc(side), h('span', { class: 'name' }));
}
