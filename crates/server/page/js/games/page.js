// The games that are kept.

import { about, deleteGame, gameRecord, listGames } from '../server.js';
import { boardOf } from '../model/notation.js';
import { playerName } from '../play/strip.js';
import { confirmed, toast } from '../ui/dialog.js';
import { button, fill, h } from '../ui/dom.js';
import { save } from '../review/files.js';
import { picture } from '../review/picture.js';

/** @import {GameSummary, ListedGame, UnreadableGame} from '../api.js' */

export function gamesPage() {
  const list = h('ul', { class: 'games' });
  const more = button('More', () => load(list.children.length));
  const element = h('div', { class: 'page' }, h('div', { class: 'row apart' }, h('h1', {}, 'Your games'), h('a', { class: 'button', href: '#/archive' }, 'Search the archive')), list, h('div', { class: 'row' }, more));
  more.hidden = true;
  /** @param {number} skip */
  const load = async (skip) => {
    try {
      const [{ games, total }, { read_only }] = await Promise.all([listGames(skip), about()]);
      if (skip === 0) fill(list);
      list.append(...games.map((game) => (game.type === 'game' ? row : unreadable)(/** @type {any} */ (game), read_only ? null : () => load(0))));
      more.hidden = total <= list.children.length;
      if (total === 0) fill(list, h('li', { class: 'empty' }, h('p', {}, 'No game has been played here yet.'), h('a', { class: 'button main', href: '#/play' }, 'Play one')));
    } catch (error) {
      fill(list, h('li', { class: 'problem' }, /** @type {Error} */ (error).message));
    }
  };
  load(0);
  return { element };
}

/** @param {number} time */
const dated = (time) => new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A button that deletes, where that is possible. @param {ListedGame} game @param {(() => void) | null} again */
function remover(game, again) {
  if (!again) return null;
  const remove = async () => {
    if (!(await confirmed('Delete this game for good?', 'Delete'))) return;
    await deleteGame(game.id).catch((error) => toast(error.message, true));
    again();
  };
  return button('Delete', remove, { icon: 'trash', hideLabel: true, kind: 'quiet' });
}

/** A game that can only be deleted. @param {UnreadableGame & {type: "unreadable"}} game @param {(() => void) | null} again */
function unreadable(game, again) {
  return h(
    'li',
    { class: 'game unreadable', 'data-game': game.id },
    h('div', { class: 'thumb' }, picture({})),
    h('div', { class: 'what' },
      h('p', { class: 'players' }, 'This game cannot be read'),
      h('p', { class: 'hint' }, game.reason),
      h('p', { class: 'hint' }, `${game.id}, begun ${dated(game.created_at)}, changed ${dated(game.updated_at)}`),
    ),
    h('div', { class: 'row' }, remover(game, again)),
  );
}

/** @param {GameSummary & {type: "game"}} game @param {(() => void) | null} again */
function row(game, again) {
  const end = game.end;
  const winner = end?.winner === 'g' ? 'Gold won' : end?.winner === 's' ? 'Silver won' : 'Nobody won';
  const state = end ? `${winner} by ${end.reason}` : `turn ${game.tag}`;
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
      h('p', { class: 'hint' }, dated(game.updated_at)),
    ),
    h('div', { class: 'row' },
      h('a', { class: 'button', href: `#/game/${game.id}` }, end || !again ? 'Open' : 'Go on'),
      h('a', { class: 'button', href: `#/review?game=${game.id}` }, 'Review'),
      button('Export', record),
      remover(game, again),
    ),
  );
}
