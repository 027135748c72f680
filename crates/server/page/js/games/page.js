// The games that are kept.

import { deleteGame, gameRecord, listGames } from '../server.js';
import { boardOf } from '../model/notation.js';
import { playerName } from '../play/strip.js';
import { confirmed, toast } from '../ui/dialog.js';
import { button, fill, h, s } from '../ui/dom.js';
import { save } from '../review/files.js';
import { picture } from '../review/picture.js';

/** @import {GameSummary} from '../api.js' */

export function gamesPage() {
  const list = h('ul', { class: 'games' });
  const more = button('More', () => load(list.children.length));
  const element = h('div', { class: 'page' }, h('div', { class: 'row apart' }, h('h1', {}, 'Your games'), h('a', { class: 'button', href: '#/archive' }, 'Search the archive')), list, h('div', { class: 'row' }, more));
  more.hidden = true;
  /** @param {number} skip */
  const load = async (skip) => {
    try {
      const { games, total } = await listGames(skip);
      if (skip === 0) fill(list);
      list.append(...games.map((game) => row(game, () => load(0))));
      more.hidden = total <= list.children.length;
      if (total === 0) fill(list, h('li', { class: 'empty' }, h('p', {}, 'No game has been played here yet.'), h('a', { class: 'button main', href: '#/play' }, 'Play one')));
    } catch (error) {
      fill(list, h('li', { class: 'problem' }, /** @type {Error} */ (error).message));
    }
  };
  load(0);
  return { element };
}

/** @param {GameSummary} game @param {() => void} again */
function row(game, again) {
  const end = game.end;
  const winner = end?.winner === 'g' ? 'Gold won' : end?.winner === 's' ? 'Silver won' : 'Nobody won';
  const state = end ? `${winner} by ${end.reason}` : `turn ${game.tag}`;
  const remove = async () => {
    if (!(await confirmed('Delete this game for good?', 'Delete'))) return;
    await deleteGame(game.id).catch((error) => toast(error.message, true));
    again();
  };
  const record = async () => {
    try {
      save(`surus-${game.id}.txt`, await gameRecord(game.id));
    } catch (error) {
      toast(/** @type {Error} */ (error).message, true);
    }
  };
  return h(
    'li',
    { class: 'game', 'data-game': game.id },
    h('a', { class: 'thumb', href: `#/game/${game.id}`, 'aria-label': 'Open' }, picture(boardOf(game.board))),
    h('div', { class: 'what' },
      h('a', { href: `#/game/${game.id}`, class: 'players' }, `${playerName(game.gold, 'g')} – ${playerName(game.silver, 's')}`),
      h('p', { class: end ? 'hint' : 'open' }, state),
      h('p', { class: 'hint' }, new Date(game.changed).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })),
    ),
    h('div', { class: 'row' },
      h('a', { class: 'button', href: `#/game/${game.id}` }, end ? 'Open' : 'Go on'),
      h('a', { class: 'button', href: `#/review?game=${game.id}` }, 'Review'),
      button('Export', record),
      button('Delete', remove, { icon: 'trash', hideLabel: true, kind: 'quiet' }),
    ),
  );
}
