// The page for searching the archive: by squares, by material, or by player.

import { BoardWidget } from '../board/widget.js';
import { archiveStatus, gamesByPlayer, searchPlayers, searchPositions, untilReachable } from '../client.js';
import { formatBoard, parseBoard, pieceName, STANDARD_BOARD, TRAPS } from '../model/notation.js';
import { announce, asSentence } from '../ui/announce.js';
import { boardLayout } from '../ui/board_layout.js';
import { fill, h } from '../ui/dom.js';
import { gameList } from './game_list.js';
import { materialOf, patternSquares, togglePattern } from './pattern.js';
import { count } from './score.js';
import { SearchForms } from './search_forms.js';

/** @import {ArchivePlayer, GameSearchResponse} from '../api.js' */

/** @param {URLSearchParams} query may contain a `board` on which squares are chosen */
export function archivePage(query) {
  const page = new ArchivePage(query);
  page.restore(query);
  return { element: page.layout.element, close: () => page.close(), title: 'Search the archive' };
}

class ArchivePage {
  requestId = 0;
  isClosed = false;

  /** @param {URLSearchParams} query */
  constructor(query) {
    const board = query.get('board') ?? '';
    this.pieces = parseBoard(board.length === 64 ? board : STANDARD_BOARD);
    this.board = new BoardWidget({
      tap: (square) => this.toggleSquare(square),
      cursor: (square) => announce(this.board.describeSquare(square)),
    });
    this.board.setState({ pieces: this.pieces });
    this.forms = new SearchForms({
      squaresChanged: () => this.highlight(),
      useBoardMaterial: () => this.forms.setMaterial(materialOf(this.pieces)),
      clear: () => this.clear(),
      searchPositions: () => this.searchPositions(),
      searchPlayers: () => this.searchPlayers(),
    });
    this.note = h('p', { class: 'note', 'aria-live': 'polite' });
    this.results = h('div', { class: 'results' });
    const title = h('h1', { class: 'status' }, 'Search the archive');
    const attributes = { class: 'panel search', 'aria-label': 'Search' };
    const panel = h('aside', attributes, title, this.forms.element, this.note, this.results);
    this.layout = boardLayout(this.board, panel);
    this.loadStatus();
  }

  close() {
    this.isClosed = true;
    this.layout.close();
  }

  /** Repeats the search of a link, as after a return from one of its games. @param {URLSearchParams} query */
  restore(query) {
    this.forms.restore(query);
    this.highlight();
    const name = query.get('name');
    if (name !== null) this.showGamesOf(name);
    else if (query.has('player')) this.searchPlayers();
    else if (query.has('squares') || query.has('material')) this.searchPositions();
  }

  /** Writes the search into the address, so that "Back" returns to it. @param {Record<string, string>} search */
  remember(search) {
    const board = formatBoard(this.pieces);
    const query = new URLSearchParams(search);
    if (board !== STANDARD_BOARD) query.set('board', board);
    history.replaceState(history.state, '', `#/archive?${query}`);
  }

  async loadStatus() {
    try {
      const showProblem = (/** @type {Error} */ error) => this.showStatus(error.message, true);
      const { ready, hint } = await untilReachable(archiveStatus, showProblem, () => this.isClosed);
      if (this.note.classList.contains('error')) this.showStatus('');
      if (!ready) this.showStatus(hint ?? '');
      this.forms.element.hidden = !ready;
    } catch (error) {
      this.showStatus(/** @type {Error} */ (error).message, true);
    }
  }

  /** @param {string} text @param {boolean} [isError] */
  showStatus(text, isError = false) {
    this.note.textContent = asSentence(text);
    this.note.classList.toggle('error', isError);
  }

  /** Adds a square with its piece to the pattern, or removes it. @param {string} square */
  toggleSquare(square) {
    const letter = this.pieces[square];
    const { pattern, added } = togglePattern(this.forms.squares.value, square, letter);
    this.forms.squares.value = pattern;
    const place = TRAPS.includes(square) ? `trap ${square}` : square;
    const name = letter ? pieceName(letter) : 'empty';
    announce(added ? `${place}, ${name}, added to the search` : `${place} removed from the search`);
    this.highlight();
  }

  /** Shows the squares of the pattern on the board. */
  highlight() {
    this.board.setState({ highlighted: new Set(patternSquares(this.forms.squares.value)) });
  }

  clear() {
    this.forms.clear();
    this.highlight();
    fill(this.results);
    this.showStatus('');
    this.remember({});
  }

  /** Runs a query and shows its response, unless another query was started. @template T @param {Promise<T>} query @param {(response: T) => void} show */
  async run(query, show) {
    const request = ++this.requestId;
    this.showStatus('Searching…');
    try {
      const response = await query;
      if (request !== this.requestId) return;
      show(response);
      // On a small screen the results are below everything else.
      this.note.scrollIntoView({ block: 'center' });
    } catch (error) {
      if (request !== this.requestId) return;
      fill(this.results);
      this.showStatus(/** @type {Error} */ (error).message, true);
    }
  }

  searchPositions() {
    const query = this.forms.positionQuery();
    const { squares, material, side } = query;
    this.remember({ squares, ...(material && { material }), ...(side && { side }) });
    this.run(searchPositions(query), (response) => {
      const found = response.games.length ? count(response.games.length, 'game') : 'No games';
      const incomplete = response.games.length ? ', there may be more' : ' found within the time limit';
      this.showGames(response, found + (response.complete ? '' : incomplete));
    });
  }

  /** @param {GameSearchResponse} response @param {string} status */
  showGames(response, status) {
    this.showStatus(status);
    fill(this.results, gameList(response.games));
  }

  searchPlayers() {
    this.remember({ player: this.forms.player.value });
    this.run(searchPlayers(this.forms.player.value), ({ players }) => {
      this.showStatus(players.length ? '' : 'No matching player');
      const rows = players.map((player) => h('li', {}, this.playerRow(player)));
      fill(this.results, h('ul', { class: 'archived' }, ...rows));
    });
  }

  /** @param {ArchivePlayer} player */
  playerRow({ name, games, wins, best_rating }) {
    const facts = [count(games, 'game'), `${wins} won`];
    if (best_rating !== null) facts.push(`best rating ${best_rating}`);
    const onclick = () => this.showGamesOf(name);
    return h(
      'button',
      { type: 'button', class: 'archived-game', 'data-player': name, onclick },
      h('b', {}, name || '?'),
      h('span', { class: 'facts' }, facts.join(', ')),
    );
  }

  /** @param {string} name */
  showGamesOf(name) {
    this.remember({ player: this.forms.player.value, name });
    this.run(gamesByPlayer(name), (response) => {
      const newest = response.complete ? '' : ', the newest';
      this.showGames(response, `${name}: ${count(response.games.length, 'game')}${newest}`);
    });
  }
}
