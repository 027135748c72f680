// The play page: connects state, connection and view.

import { appInfo, createGame, fetchHint, untilReachable } from '../client.js';
import { bus } from '../model/bus.js';
import { describeTurn, sideName, sideOfTag } from '../model/notation.js';
import { updateSettings } from '../model/settings.js';
import { toggleShape } from '../model/shapes.js';
import { announce, playSound } from '../ui/announce.js';
import { confirmDialog, showError, toast } from '../ui/dialog.js';
import { GameConnection } from './connection.js';
import { playKey } from './keys.js';
import { runningGame } from './running_game.js';
import { SetupDraft } from './setup_draft.js';
import { setupPanel } from './setup_panel.js';
import * as State from './state.js';
import { PlayView } from './view.js';

/** @import {ExplorerTurn, GameState, PlayedTurn, SetupPreset} from '../api.js' */

/** @param {string} id of the game */
export function playPage(id) {
  const page = new PlayPage(id);
  page.start();
  const key = (/** @type {KeyboardEvent} */ event) => playKey(page, event);
  return { element: page.view.element, key, close: () => page.close(), title: 'Game' };
}

export class PlayPage {
  state = State.initialState();
  /** The setup that is being placed. @type {SetupDraft | null} */
  setup = null;
  /** @type {HTMLElement | null} */
  setupView = null;
  /** @type {SetupPreset[]} */
  presets = [];
  isClosed = false;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.connection = new GameConnection(id, {
      game: (game) => this.onGame(game),
      engineError: (error) => toast(error, true),
      deleted: () => {
        location.hash = '#/games';
      },
      accepted: () => this.view.panel.message(''),
      rejected: (error) => this.view.message(error, true),
    });
    this.view = new PlayView(
      {
        steps: (text) => this.connection.steps(text),
        undo: () => this.connection.command('undo'),
        redo: () => this.connection.command('redo'),
        endTurn: () => this.endTurn(),
        hint: () => this.showHint(),
        takeBack: () => this.connection.command('takeback'),
        resign: () => this.resign(),
        rematch: () => this.rematch().catch(showError),
        review: () => {
          location.hash = `#/review?game=${id}`;
        },
        typed: (text) => this.typed(text),
        viewTurn: (turns) => this.viewTurn(turns),
      },
      {
        wheel: (forward) => this.onWheel(forward),
        tap: (square) => this.tap(square),
        canDrag: (square) => this.canDrag(square),
        drop: (from, to) => this.drop(from, to),
        draw: (from, to, colour) => this.draw(from, to, colour),
      },
    );
    this.events = bus.scope();
    this.events.on('connection', (open) => this.onConnection(open));
    this.events.on('preview', (turn) => (turn ? this.view.preview(this.state, turn) : this.showBoard()));
    this.events.on('play', (turn) => this.playTurn(turn));
    this.events.on('remark', (drawing) => this.onDrawing(drawing));
  }

  async start() {
    const showProblem = (/** @type {Error} */ error) => this.view.panel.message(error.message, true);
    try {
      const { setups, read_only } = await untilReachable(appInfo, showProblem, () => this.isClosed);
      if (this.isClosed) return;
      this.presets = setups;
      this.state = { ...this.state, readOnly: read_only };
      await this.connection.subscribe();
    } catch (error) {
      showProblem(/** @type {Error} */ (error));
    }
  }

  close() {
    this.isClosed = true;
    this.events.close();
    this.connection.close();
    runningGame.hide(this.id);
    this.view.close();
  }

  /** @param {boolean} open */
  onConnection(open) {
    const { element, panel } = this.view;
    // The error of the lost connection.
    if (open && element.classList.contains('offline')) panel.message('');
    element.classList.toggle('offline', !open);
  }

  /** @param {GameState} game */
  async onGame(game) {
    const next = State.receiveGame(this.state, game);
    if (!next) return;
    const isFirst = this.state.game === null;
    this.state = next.state;
    const { newTurns, engineTurn, sound, hasEnded } = next.change;
    this.view.cancelAnimation();
    runningGame.show(game, this.state.readOnly);
    this.updateSetup(game);
    this.showPanels();
    if (engineTurn && !(await this.view.animate(game, engineTurn))) return;
    this.showBoard();
    this.announceTurn(game, newTurns.at(-1));
    if (sound) playSound(sound);
    if (hasEnded) this.view.showEnd(game);
    if (isFirst) this.view.focusBoard();
  }

  /** Shows the turn that an engine recommends. */
  async showHint() {
    const { game } = this.state;
    if (!game || !State.isMyTurn(this.state) || game.position.phase !== 'play') return;
    this.viewTurn(null);
    this.view.message('Looking for a good turn…');
    try {
      const hint = await fetchHint(this.id);
      if (this.state.game?.version === game.version) this.view.showHint(hint, game.position.side);
    } catch (error) {
      this.view.message(/** @type {Error} */ (error).message, true);
    }
  }

  showPanels() {
    this.view.showPanels(this.state, this.setupView);
    const line = State.shownLine(this.state);
    bus.emit('position', line && { line, board: State.shownBoard(this.state) });
  }

  showBoard() {
    this.view.showBoard(this.state, this.setup);
  }

  /** Shows a line of the explanation; the position again for null. @param {import('../model/events.js').Drawing | null} drawing */
  onDrawing(drawing) {
    if (drawing) this.view.showDrawing(drawing);
    // The turn of an engine is shown to its end.
    else if (!this.view.isAnimating) this.showBoard();
  }

  /** Starts or ends placing a setup. @param {GameState} game */
  updateSetup({ position: { side }, config }) {
    if (!State.isMySetup(this.state)) {
      this.setup = this.setupView = null;
    } else if (this.setup?.side !== side) {
      const handicap = side === 'g' ? config.handicap.gold : config.handicap.silver;
      this.setup = new SetupDraft(side, handicap, () => this.setup && this.showBoard());
      const line = () => State.shownLine(this.state);
      this.setupView = setupPanel(this.setup, this.presets, line, () => this.endTurn());
    }
  }

  /** @param {GameState} game @param {PlayedTurn | undefined} turn */
  announceTurn(game, turn) {
    if (!turn) return;
    const side = sideName(sideOfTag(turn.tag));
    announce(`${side}: ${describeTurn(turn.steps)}. ${State.resultText(game)}`.trim());
  }

  /** Views an earlier position; null for the current one. @param {number | null} turns */
  viewTurn(turns) {
    this.state = State.viewTurn(this.state, turns);
    this.showPanels();
    this.showBoard();
  }

  /** @param {number} offset */
  viewRelativeTurn(offset) {
    this.viewTurn(State.shownTurns(this.state) + offset);
  }

  /** @param {{toggle: () => void}} panel */
  togglePanel(panel) {
    if (this.state.game?.position.phase !== 'setup') panel.toggle();
  }

  /** Plays the steps of an explorer's turn if a human is to move, or else opens it as a variation. @param {ExplorerTurn} turn */
  playTurn(turn) {
    const { game, viewedTurn } = this.state;
    if (!game) return;
    if (viewedTurn !== null || game.position.phase !== 'play') return this.reviewTurn(turn);
    if (game.engine_to_move) return this.view.message('It is not your turn.', true);
    if (game.position.steps_played.length) return this.view.message('Undo your steps first.', true);
    this.connection.steps(turn.text);
  }

  /** @param {ExplorerTurn} turn */
  reviewTurn(turn) {
    const at = String(State.shownTurns(this.state));
    location.hash = `#/review?${new URLSearchParams({ game: this.id, at, turn: turn.text })}`;
  }

  /** @param {string} text @returns {Promise<boolean>} whether it was accepted */
  async typed(text) {
    if (text === '') return this.endTurn();
    if (this.state.game?.position.phase === 'setup') return this.connection.setup(text);
    return this.connection.steps(text);
  }

  /** Ends the turn or confirms the setup. */
  async endTurn() {
    if (this.setup) await this.connection.setup(this.setup.confirm());
    else await this.connection.command('end_turn');
    return true;
  }

  async resign() {
    if (await confirmDialog('Resign this game?', 'Resign')) this.connection.command('resign');
  }

  async rematch() {
    if (!this.state.game) return;
    const { config } = this.state.game;
    const { gold, silver } = config;
    const handicap = { gold: config.handicap.silver, silver: config.handicap.gold };
    const game = await createGame({ ...config, gold: silver, silver: gold, handicap });
    if (gold.kind !== silver.kind) updateSettings({ flipped: gold.kind === 'human' });
    location.hash = `#/game/${game.id}`;
  }

  /** @param {string} square */
  tap(square) {
    const { board, controller, explanation } = this.view;
    if (board.state.shapes.length) board.setState({ shapes: [] });
    if (explanation.player.frame) return explanation.player.stop();
    if (this.state.viewedTurn !== null) return this.viewTurn(null);
    if (!this.setup) return controller.tap(square);
    const { selected } = board.state;
    if (selected && selected !== square) this.setup.swap(selected, square);
    board.setState({ selected: selected || !this.setup.pieces[square] ? null : square });
    announce(board.describeSquare(square));
  }

  /** @param {string} square */
  canDrag(square) {
    const { board, controller, explanation } = this.view;
    if (this.setup) return this.setup.pieces[square] !== undefined && !board.state.selected;
    return this.state.viewedTurn === null && !explanation.player.frame && controller.canDrag(square);
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (!this.setup) return this.view.controller.drop(from, to);
    if (to) this.setup.swap(from, to);
    this.view.board.setState({ selected: null });
  }

  /** @param {string} from @param {string} to @param {string} colour */
  draw(from, to, colour) {
    const { board } = this.view;
    board.setState({ shapes: toggleShape(board.state.shapes, { from, to, colour }) });
  }

  /** @param {boolean} forward */
  onWheel(forward) {
    const { game } = this.state;
    if (!game || game.engine_to_move || game.position.phase !== 'play') return;
    if (!forward && game.position.steps_played.length) this.connection.command('undo');
    else if (forward && game.redo_count) this.connection.command('redo');
  }
}
