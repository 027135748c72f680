// The connection of a game: its messages and commands.

import { bus } from '../model/bus.js';
import { socket } from '../socket.js';

/** @import {ClientCommand, GameState} from '../api.js' */

/** @typedef {'undo' | 'redo' | 'end_turn' | 'takeback' | 'resign'} SimpleCommand */

/**
 * @typedef {{
 *   game: (game: GameState) => void,
 *   engineError: (error: string) => void,
 *   deleted: () => void,
 *   rejected: (error: string) => void,
 *   accepted: () => void,
 * }} ConnectionHandlers
 */

export class GameConnection {
  /** @param {string} id of the game @param {ConnectionHandlers} handlers */
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    this.events = bus.scope();
    this.events.on('message', (message) => {
      if (message.type === 'game' && message.game.id === id) handlers.game(message.game);
      else if (message.type === 'engine_error' && message.game === id) handlers.engineError(message.error);
      else if (message.type === 'game_deleted' && message.game === id) handlers.deleted();
    });
  }

  subscribe() {
    return socket.subscribe(this.id);
  }

  /** @param {SimpleCommand} type */
  command(type) {
    return this.#send({ type, game: this.id });
  }

  /** @param {string} text */
  steps(text) {
    return this.#send({ type: 'steps', game: this.id, text });
  }

  /** @param {string} text */
  setup(text) {
    return this.#send({ type: 'setup', game: this.id, text });
  }

  /** Sends a command. @param {ClientCommand} command @returns {Promise<boolean>} whether it was accepted */
  async #send(command) {
    try {
      await socket.send(command);
      this.handlers.accepted();
      return true;
    } catch (error) {
      this.handlers.rejected(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** A running game stays subscribed. */
  close() {
    this.events.close();
  }
}
