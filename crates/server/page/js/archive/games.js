// Games of the archive in lines; a click opens one in the review, where it was found.

import { sideName } from '../model/notation.js';
import { h } from '../ui/dom.js';

/** @import {ArchivedGame} from '../api.js' */

/** @param {ArchivedGame[]} games */
export function gameList(games) {
  return h('ul', { class: 'archived' }, ...games.map((game) => h('li', {}, gameLink(game))));
}

/** @param {ArchivedGame} game */
function gameLink(game) {
  const query = new URLSearchParams({ archive: String(game.id) });
  if (game.at_turn) query.set('before', game.at_turn);
  const player = (/** @type {string} */ name, /** @type {number | null} */ rating, /** @type {string} */ side) =>
    h('span', { class: `who ${game.winner === side ? 'won' : ''}` }, h('i', { class: `disc ${side === 'g' ? 'gold' : 'silver'}` }), h('span', {}, name || '?'), rating === null ? null : h('small', {}, String(rating)));
  const result = game.winner ? `${sideName(game.winner)} won${game.reason ? ` by ${game.reason}` : ''}` : 'nobody won';
  const about = [game.at_turn ? `at ${game.at_turn}` : '', result, String(game.year ?? ''), game.event].filter(Boolean).join(' · ');
  return h('a', { href: `#/review?${query}`, class: 'archived-game', 'data-archived': game.id },
    h('span', { class: 'both' }, player(game.gold, game.gold_rating, 'g'), player(game.silver, game.silver_rating, 's')), h('span', { class: 'about' }, about));
}
