// The list of stored games.

import { appInfo, deleteGame, fetchRecord, listGames, untilReachable } from '../client.js';
import { parseBoard, sideName } from '../model/notation.js';
import { playerName } from '../model/players.js';
import { boardThumbnail } from '../review/board_image.js';
import { downloadFile } from '../review/files.js';
import { confirmDialog, showError } from '../ui/dialog.js';
import { button, fill, h } from '../ui/dom.js';

/** @import {GameSummary, ListedGame, UnreadableGame} from '../api.js' */

export function gamesPage() {
  const list = h('ul', { class: 'games' });
  const more = button('More', () => load(list.children.length));
  more.hidden = true;
  let isClosed = false;
  const showProblem = (/** @type {Error} */ error) => fill(list, h('li', { class: 'error' }, error.message));
  /** @param {number} offset */
  const load = async (offset) => {
    try {
      const request = () => Promise.all([listGames(offset), appInfo()]);
      const [{ games, total }, { read_only }] = await untilReachable(request, showProblem, () => isClosed);
      if (offset === 0 || list.querySelector(':scope > .error')) fill(list);
      const reload = read_only ? null : () => load(0);
      list.append(...games.map((game) => gameRow(game, reload)));
      more.hidden = total <= list.children.length;
      if (total === 0) fill(list, emptyList());
    } catch (error) {
      showProblem(/** @type {Error} */ (error));
    }
  };
  load(0);
  const search = h('a', { class: 'button', href: '#/archive' }, 'Search the archive');
  const head = h('div', { class: 'row apart' }, h('h1', {}, 'Your games'), search);
  const close = () => {
    isClosed = true;
  };
  return { element: h('div', { class: 'page' }, head, list, h('div', { class: 'row' }, more)), title: 'Games', close };
}

function emptyList() {
  const play = h('a', { class: 'button main', href: '#/play' }, 'New game');
  return h('li', { class: 'empty' }, h('p', {}, 'No games have been played here yet.'), play);
}

/** @param {ListedGame} game @param {(() => void) | null} reload null if games cannot be deleted */
function gameRow(game, reload) {
  return game.type === 'game' ? readableRow(game, reload) : unreadableRow(game, reload);
}

/** @param {number} time */
function formatDate(time) {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** @param {string} id @param {(() => void) | null} reload */
function deleteButton(id, reload) {
  if (!reload) return null;
  const remove = async () => {
    if (!(await confirmDialog('Delete this game permanently?', 'Delete'))) return;
    await deleteGame(id).catch(showError);
    reload();
  };
  return button('Delete', remove, { icon: 'trash', hideLabel: true, kind: 'quiet' });
}

/** @param {UnreadableGame} game @param {(() => void) | null} reload */
function unreadableRow({ id, reason, created_at, updated_at }, reload) {
  const dates = `started ${formatDate(created_at)}, last changed ${formatDate(updated_at)}`;
  return h(
    'li',
    { class: 'game unreadable', 'data-game': id },
    h('div', { class: 'thumb' }, boardThumbnail({})),
    h(
      'div',
      { class: 'summary' },
      h('p', { class: 'players' }, 'This game cannot be read'),
      h('p', { class: 'hint' }, reason),
      h('p', { class: 'hint' }, `${id}, ${dates}`),
    ),
    h('div', { class: 'row' }, deleteButton(id, reload)),
  );
}

/** @param {GameSummary} game @param {(() => void) | null} reload */
function readableRow(game, reload) {
  const { id, gold, silver, end } = game;
  const href = `#/game/${id}`;
  const players = `${playerName(gold, 'g')} – ${playerName(silver, 's')}`;
  const download = () =>
    fetchRecord(id)
      .then((record) => downloadFile(`surus-${id}.txt`, record))
      .catch(showError);
  return h(
    'li',
    { class: 'game', 'data-game': id },
    h('a', { class: 'thumb', href, 'aria-label': `Open ${players}` }, boardThumbnail(parseBoard(game.board))),
    h(
      'div',
      { class: 'summary' },
      h('a', { href, class: 'players' }, players),
      h('p', { class: end ? 'hint' : 'unfinished' }, statusText(game)),
      h('p', { class: 'hint' }, formatDate(game.updated_at)),
    ),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button', href }, end || !reload ? 'Open' : 'Resume'),
      h('a', { class: 'button', href: `#/review?game=${id}` }, 'Review'),
      button('Export', download),
      deleteButton(id, reload),
    ),
  );
}

/** @param {GameSummary} game */
function statusText({ end, tag }) {
  if (!end) return `in progress at ${tag}`;
  return end.winner ? `${sideName(end.winner)} won by ${end.reason}` : `drawn by ${end.reason}`;
}
