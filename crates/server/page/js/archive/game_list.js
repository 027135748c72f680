// A list of games of the archive; a click opens a game in the review page, at the queried position.

import { sideName } from '../model/notation.js';
import { h } from '../ui/dom.js';
import { sideDisc } from '../ui/side_disc.js';

/** @import {ArchivedGame} from '../api.js' */

/** @param {ArchivedGame[]} games */
export function gameList(games) {
  return h('ul', { class: 'archived' }, ...games.map((game) => h('li', {}, gameLink(game))));
}

/** @param {ArchivedGame} game */
function gameLink(game) {
  const query = new URLSearchParams({ archive: String(game.id) });
  if (game.at_turn) query.set('before', game.at_turn);
  const facts = [game.at_turn && `at ${game.at_turn}`, resultText(game), game.year, game.event];
  return h(
    'a',
    { href: `#/review?${query}`, class: 'archived-game', 'data-archived': game.id },
    h(
      'span',
      { class: 'players' },
      player(game.gold, game.gold_rating, 'g', game.winner),
      player(game.silver, game.silver_rating, 's', game.winner),
    ),
    h('span', { class: 'facts' }, facts.filter(Boolean).join(' · ')),
  );
}

/** @param {string} name @param {number | null} rating @param {string} side @param {string | null} winner */
function player(name, rating, side, winner) {
  const attributes = { class: winner === side ? 'player won' : 'player' };
  return h(
    'span',
    attributes,
    sideDisc(side),
    h('span', {}, name || '?'),
    rating === null ? null : h('small', {}, String(rating)),
  );
}

/** @param {ArchivedGame} game */
function resultText({ winner, reason }) {
  if (!winner) return 'no winner';
  return reason ? `${sideName(winner)} won by ${reason}` : `${sideName(winner)} won`;
}
