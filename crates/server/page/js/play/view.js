// The view of the play page: board, player bars and panel.

import { turnHints } from '../analysis/hints.js';
import { Explorer } from '../archive/explorer.js';
import { BoardController } from '../board/controller.js';
import {
  abbreviateTurn,
  applyStep,
  applyTurn,
  captureSquares,
  describeTurn,
  goalSquare,
  movePiece,
  parseBoard,
} from '../model/notation.js';
import { stepDuration } from '../model/settings.js';
import { announce, asSentence, playSound } from '../ui/announce.js';
import { boardLayout } from '../ui/board_layout.js';
import { h } from '../ui/dom.js';
import { ExplanationPanel } from '../ui/explanation.js';
import { PlayPanel } from './panel.js';
import { PlayerBar } from './player_bar.js';
import { boardAfter, isMyTurn, resultText, shownTurns } from './state.js';

/** @import {BoardEvents} from '../board/widget.js' */
/** @import {GameState, Hint, PlayedTurn} from '../api.js' */
/** @import {Turn} from '../model/tree.js' */
/** @import {PlayActions} from './panel.js' */
/** @import {SetupDraft} from './setup_draft.js' */
/** @import {PlayState} from './state.js' */

const CLOCK_TICK_MS = 250;
/** How long the result is shown over the board. */
const BANNER_MS = 4000;

export class PlayView {
  /** Incremented to cancel a running animation. */
  animation = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  bannerTimer;

  /** @param {PlayActions & {steps: (text: string) => void}} actions @param {BoardEvents} boardEvents */
  constructor(actions, boardEvents) {
    const { steps } = actions;
    this.controller = new BoardController({ steps, message: this.message.bind(this), announce }, boardEvents);
    this.board = this.controller.board;
    this.explanation = new ExplanationPanel();
    // Closed at the start of every game, so that it never gives unrequested help.
    this.explorer = new Explorer({ persistOpen: false });
    this.panel = new PlayPanel(actions, [this.explanation, this.explorer]);
    this.bars = { g: new PlayerBar('g'), s: new PlayerBar('s') };
    this.layout = boardLayout(this.board, this.panel.element, { g: this.bars.g.element, s: this.bars.s.element });
    this.element = this.layout.element;
    this.banner = h('div', { class: 'result-banner', hidden: true, 'aria-hidden': 'true' });
    this.element.querySelector('.board-box')?.append(this.banner);
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
    const isChanged = this.element.dataset.version !== String(game.version);
    this.board.setState({
      ...(isChanged ? { shapes: [], hints: [] } : {}),
      pieces: setup ? { ...board, ...setup.pieces } : board,
      lastTurn: steps.length ? steps : state.lastTurn,
      captured: captureSquares(steps),
      zone: this.explanation.zoneOn(board),
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
    const pieces = boardAfter(game, turns);
    const zone = this.explanation.zoneOn(pieces);
    this.board.setState({ pieces, lastTurn, captured: [], zone, frozen: new Set() });
  }

  /** Shows the viewed position after a turn. @param {PlayState} state @param {Turn} turn */
  preview(state, turn) {
    if (!state.game) return;
    this.controller.setPosition(null);
    const pieces = applyTurn(boardAfter(state.game, shownTurns(state)), turn);
    this.board.setState({ pieces, lastTurn: turn.steps, captured: [], zone: [], frozen: new Set() });
  }

  /** Shows a board of an explanation. @param {import('../model/events.js').Drawing} drawing */
  showDrawing({ board, zone }) {
    this.controller.setPosition(null);
    this.board.setState({ pieces: parseBoard(board), zone, lastTurn: [], frozen: new Set() });
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

  get isAnimating() {
    return this.element.dataset.settled === 'false';
  }

  /** @returns {number} the id of the next animation */
  cancelAnimation() {
    return ++this.animation;
  }

  /** @param {string} text @param {boolean} [isError] */
  message(text, isError = false) {
    const sentence = asSentence(text);
    this.panel.message(sentence, isError);
    announce(sentence);
  }

  /** Draws a recommended turn as arrows. @param {Hint} hint @param {string} side */
  showHint({ text, steps }, side) {
    this.board.setState({ hints: turnHints(steps, side, 'best') });
    const words = steps.length ? abbreviateTurn(steps) : text;
    this.panel.message(`Hint: ${words}`);
    announce(`Hint: ${describeTurn(steps)}`);
  }

  /** Names the result over the board for a moment, and marks the rabbit that has reached goal. @param {GameState} game */
  showEnd(game) {
    const { end } = game.position;
    playSound(end?.code === 'g' ? 'goal' : 'end');
    if (end?.code === 'g' && end.winner) this.board.celebrate(goalSquare(parseBoard(game.position.board), end.winner));
    this.banner.textContent = resultText(game);
    this.banner.hidden = false;
    clearTimeout(this.bannerTimer);
    this.bannerTimer = setTimeout(() => {
      this.banner.hidden = true;
    }, BANNER_MS);
  }

  /** The keyboard continues on the board unless something else has the focus. */
  focusBoard() {
    if (document.activeElement === document.body) this.board.svg.focus({ preventScroll: true });
  }

  close() {
    clearInterval(this.clockTimer);
    clearTimeout(this.bannerTimer);
    this.cancelAnimation();
    this.explanation.close();
    this.explorer.close();
    this.layout.close();
  }
}
