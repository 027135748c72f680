// The offer to continue the last unfinished game.

import { parseBoard } from '../model/notation.js';
import { playerName } from '../model/players.js';
import { boardThumbnail } from '../review/board_image.js';
import { h } from '../ui/dom.js';

/** @import {GameSummary, ListedGame} from '../api.js' */

/** The last game of a person that has begun but not ended. @param {ListedGame[]} games the most recently changed first @returns {GameSummary | null} */
export function lastUnfinished(games) {
  for (const game of games) {
    if (game.type !== 'game' || game.end) continue;
    const hasHuman = game.gold.kind === 'human' || game.silver.kind === 'human';
    if (hasHuman && game.board.trim() !== '') return game;
  }
  return null;
}

/** @param {ListedGame[]} games */
export function unfinishedGame(games) {
  const game = lastUnfinished(games);
  if (!game) return null;
  const players = `${playerName(game.gold, 'g')} – ${playerName(game.silver, 's')}`;
  return h(
    'section',
    { class: 'unfinished-game', 'aria-label': 'Unfinished game' },
    h('div', { class: 'thumb' }, boardThumbnail(parseBoard(game.board))),
    h('div', { class: 'summary' }, h('b', {}, 'Unfinished game'), h('span', {}, `${players}, ${game.tag}`)),
    h('a', { class: 'button main', href: `#/game/${game.id}`, id: 'continue-game' }, 'Continue'),
  );
}
