// The requests of the review page.

import { fetchArchivedGame, fetchGame, parseText } from '../client.js';
import { Tree } from '../model/tree.js';
import { socket } from '../socket.js';
import { textOf } from './url.js';

/** @import {PlayedLine, PositionView} from '../api.js' */
/** @import {Turn} from '../model/tree.js' */

export class ReviewConnection {
  requestId = 0;

  /** Loads a position. @param {PlayedLine} line @returns {Promise<PositionView | null>} null if another one was requested since */
  async fetchPosition(line) {
    const request = ++this.requestId;
    try {
      const position = await socket.fetchPosition(line);
      return request === this.requestId ? position : null;
    } catch (error) {
      if (request !== this.requestId) return null;
      throw error;
    }
  }

  /** Discards the response of a pending request. */
  cancel() {
    this.requestId++;
  }

  /** A turn from its text. @param {PlayedLine} line before it @param {string} text @returns {Promise<Turn>} */
  async resolveTurn(line, text) {
    const isSetup = text.split(' ')[0].length === 3;
    if (isSetup) return { text, steps: [] };
    const { turn_text, steps_played } = await socket.fetchPosition({ ...line, steps: text });
    return { text: turn_text, steps: steps_played };
  }
}

/**
 * The game that a query names, with the error at which parsing stopped; null if it names none.
 * @param {URLSearchParams} query
 * @returns {Promise<{tree: Tree, error: string | null, atEnd?: boolean} | null>} `atEnd`: it opens at its last turn
 */
export async function loadSource(query) {
  const game = query.get('game');
  if (game) return { tree: Tree.fromGame(await fetchGame(game)), error: null, atEnd: true };
  const archived = query.get('archive');
  if (archived) {
    const parsed = await fetchArchivedGame(archived);
    return { tree: Tree.fromParsed(parsed), error: parsed.error };
  }
  const board = query.get('board');
  if (board) {
    const tree = new Tree(board, query.get('tag') ?? '2g');
    tree.stepsLeft = query.has('left') ? Number(query.get('left')) : null;
    return { tree, error: null };
  }
  const text = await textOf(query);
  if (!text) return null;
  const { games } = await parseText(text);
  const tree = Tree.fromParsed(games[0]);
  tree.stepsLeft = query.has('left') ? Number(query.get('left')) : null;
  return { tree, error: null };
}
