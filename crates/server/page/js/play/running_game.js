// The running game: it stays connected while other pages are shown.

import { bus } from '../model/bus.js';
import { socket } from '../socket.js';
import { playSound } from '../ui/announce.js';
import { toast } from '../ui/dialog.js';
import { statusText } from './state.js';

/** @import {GameState} from '../api.js' */

class RunningGame {
  /** @type {GameState | null} */
  game = null;
  /** Whether the play page shows it. */
  isShown = false;

  constructor() {
    bus.on('message', (message) => {
      if (message.type === 'game' && message.game.id === this.game?.id) this.update(message.game);
      else if (message.type === 'game_deleted' && message.game === this.game?.id) this.forget();
      else if (message.type === 'engine_error' && message.game === this.game?.id && !this.isShown) {
        toast(message.error, true);
      }
    });
  }

  /** The play page shows a game. @param {GameState} game @param {boolean} readOnly */
  show(game, readOnly) {
    this.isShown = true;
    if (readOnly || game.position.phase === 'over') this.forget();
    else this.set(game);
  }

  /** The play page closes. @param {string} id of its game */
  hide(id) {
    this.isShown = false;
    if (this.game?.id !== id) socket.unsubscribe();
  }

  /** A change while another page is shown. @param {GameState} game */
  update(game) {
    if (this.isShown || game.version < (this.game?.version ?? 0)) return;
    const isNewTurn = game.turns.length > (this.game?.turns.length ?? 0);
    if (isNewTurn && !game.engine_to_move) playSound(game.position.end ? 'end' : 'step');
    this.set(game);
    if (game.position.phase === 'over') socket.unsubscribe();
  }

  /** @param {GameState | null} game */
  set(game) {
    this.game = game;
    bus.emit('running', game);
  }

  forget() {
    this.set(null);
  }

  /** What is to be done in it; empty if there is no game. */
  status() {
    if (!this.game) return '';
    const { position, engine_to_move } = this.game;
    if (position.phase !== 'over' && !engine_to_move && !this.hasTwoHumans()) return 'Your turn';
    return statusText({ game: this.game, viewedTurn: null, lastTurn: [], readOnly: false });
  }

  hasTwoHumans() {
    const { config } = /** @type {GameState} */ (this.game);
    return config.gold.kind === 'human' && config.silver.kind === 'human';
  }
}

export const runningGame = new RunningGame();
