// The view of the play page: board, player bars and panel.

import { Explorer } from '../archive/explorer.js';
import { BoardController } from '../board/controller.js';
import { applyStep, applyTurn, captureSquares, movePiece, parseBoard } from '../model/notation.js';
import { stepDuration } from '../model/settings.js';
import { announce, asSentence, playSound } from '../ui/announce.js';
import { boardLayout } from '../ui/board_layout.js';
import { ExplanationPanel } from '../ui/explanation.js';
import { PlayPanel } from './panel.js';
import { PlayerBar } from './player_bar.js';
import { boardAfter, isMyTurn, shownTurns } from './state.js';

/** @import {BoardEvents} from '../board/widget.js' */
/** @import {GameState, PlayedTurn, Remark} from '../api.js' */
/** @import {Turn} from '../model/tree.js' */
/** @import {PlayActions} from './panel.js' */
/** @import {SetupDraft} from './setup_draft.js' */
/** @import {PlayState} from './state.js' */

const CLOCK_TICK_MS = 250;

export class PlayView {
  /** Incremented to cancel a running animation. */
  animation = 0;

  /** @param {PlayActions & {steps: (text: string) => void}} actions @param {BoardEvents} boardEvents */
  constructor(actions, boardEvents) {
    const { steps } = actions;
    this.controller = new BoardController({ steps, message: (text) => this.message(text), announce }, boardEvents);
    this.board = this.controller.board;
    this.explanation = new ExplanationPanel();
    // Closed at the start of every game, so that it never gives unrequested help.
    this.explorer = new Explorer({ persistOpen: false });
    this.panel = new PlayPanel(actions, [this.explanation, this.explorer]);
    this.bars = { g: new PlayerBar('g'), s: new PlayerBar('s') };
    this.layout = boardLayout(this.board, this.panel.element, { g: this.bars.g.element, s: this.bars.s.element });
    this.element = this.layout.element;
    this.clockTimer = setInterval(() => {
      this.bars.g.tick();
      this.bars.s.tick();
    }, CLOCK_TICK_MS);
  }

  /** Shows everything but the board. @param {PlayState} state @param {HTMLElement | null} setupView */
  showPanels(state, setupView) {
    const { game } = state;
    if (!game) return;
    this.bars.g.show(game);
    this.bars.s.show(game);
    this.panel.showSetup(setupView);
    this.panel.show(state);
    this.panel.markTurn(state.viewedTurn);
    this.element.classList.toggle('past', state.viewedTurn !== null);
  }

  /** Shows the viewed position. @param {PlayState} state @param {SetupDraft | null} setup */
  showBoard(state, setup) {
    const { game } = state;
    if (!game) return;
    if (state.viewedTurn !== null) return this.showPastBoard(game, state.viewedTurn);
    const { position } = game;
    const board = parseBoard(position.board);
    const steps = position.steps_played;
    this.board.setState({
      pieces: setup ? { ...board, ...setup.pieces } : board,
      lastTurn: steps.length ? steps : state.lastTurn,
      captured: captureSquares(steps),
      zone: [],
      homeSide: setup ? position.side : null,
    });
    const isInteractive = isMyTurn(state) && !setup;
    this.controller.setPosition(isInteractive ? position : null);
    if (!isInteractive) this.board.setState({ frozen: new Set(setup ? [] : position.frozen) });
    this.element.dataset.version = String(game.version);
    this.element.dataset.settled = 'true';
  }

  /** @param {GameState} game @param {number} turns */
  showPastBoard(game, turns) {
    this.controller.setPosition(null);
    const lastTurn = turns ? game.turns[turns - 1].steps : [];
    this.board.setState({ pieces: boardAfter(game, turns), lastTurn, captured: [], zone: [], frozen: new Set() });
  }

  /** Shows the viewed position after a turn. @param {PlayState} state @param {Turn} turn */
  preview(state, turn) {
    if (!state.game) return;
    this.controller.setPosition(null);
    const pieces = applyTurn(boardAfter(state.game, shownTurns(state)), turn);
    this.board.setState({ pieces, lastTurn: turn.steps, captured: [], zone: [], frozen: new Set() });
  }

  /** Draws a remark on the board that it is about. @param {Remark} remark */
  showRemark(remark) {
    this.controller.setPosition(null);
    this.board.setState({ pieces: parseBoard(remark.board), zone: remark.zone, lastTurn: [], frozen: new Set() });
  }

  /** Animates the last turn of a game step by step. @param {GameState} game @param {PlayedTurn} turn @returns {Promise<boolean>} false if it was cancelled */
  async animate(game, turn) {
    const animation = this.cancelAnimation();
    const duration = stepDuration();
    this.element.dataset.settled = 'false';
    this.controller.setPosition(null);
    let pieces = boardAfter(game, game.turns.length - 1);
    for (const [index, step] of duration === 0 ? [] : turn.steps.entries()) {
      this.board.setState({ pieces: movePiece(pieces, step), lastTurn: turn.steps.slice(0, index + 1), captured: [] });
      await new Promise((resolve) => setTimeout(resolve, duration));
      if (animation !== this.animation) return false;
      pieces = applyStep(pieces, step);
      if (step.captured) this.board.setState({ pieces, captured: [step.captured.square] });
      playSound(step.captured ? 'capture' : 'step');
    }
    return true;
  }

  /** @returns {number} the id of the next animation */
  cancelAnimation() {
    return ++this.animation;
  }

  /** @param {string} text */
  message(text) {
    const sentence = asSentence(text);
    this.panel.message(sentence);
    announce(sentence);
  }

  close() {
    clearInterval(this.clockTimer);
    this.cancelAnimation();
    this.explanation.close();
    this.explorer.close();
    this.layout.close();
  }
}
