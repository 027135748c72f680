// The explorer: the turns that were played in the shown position, with their results. It follows the position.

import { explore } from '../client.js';
import { bus } from '../model/bus.js';
import { loadItem, saveItem } from '../model/settings.js';
import { announce, asSentence } from '../ui/announce.js';
import { button, fill, h, setPressed } from '../ui/dom.js';
import { FilterBox } from './filters.js';
import { gameList } from './game_list.js';
import { count, explorerTurn, scoreBar } from './score.js';

/** @import {ExploreResponse, ExplorerTurn} from '../api.js' */
/** @import {ShownPosition} from '../model/events.js' */

const KEY = 'surus.explorer';
const TITLE = 'Turns that were played here in the archive (e)';
/** The number of turns that are shown, before and after a click on "more". */
const INITIAL_LIMIT = 12;
const MAX_LIMIT = 200;
/** Queries are delayed while the user steps quickly through a game. */
const DEBOUNCE_MS = 60;

export class Explorer {
  requestId = 0;
  limit = INITIAL_LIMIT;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** @type {ShownPosition | null} */
  position = null;
  /** The position of the turns in the list. @type {string | null} */
  loadedKey = null;
  /** The turn that is previewed on the board. @type {ExplorerTurn | null} */
  previewed = null;
  /** The last position of the mouse over a turn. */
  mousePosition = '';

  /** @param {{persistOpen: boolean}} options whether it stays open for the next page */
  constructor({ persistOpen }) {
    this.persistOpen = persistOpen;
    this.open = persistOpen && loadItem(KEY) === true;
    this.toggleButton = button('Explorer', () => this.toggle(), { title: TITLE });
    setPressed(this.toggleButton, this.open);
    this.heading = h('h2', {});
    this.score = h('div', {});
    const columns = ['Turn', 'Games', 'Results', 'Rating'].map((name) => h('span', {}, name));
    this.columns = h('div', { class: 'columns-head', hidden: true, 'aria-hidden': 'true' }, ...columns);
    this.turns = h('ol', { class: 'explorer-turns', tabIndex: -1, 'aria-label': 'Turns played from here' });
    this.games = h('div', { class: 'games-sample' });
    this.filters = new FilterBox(() => this.load());
    this.searchLink = h('a', { class: 'search-link', href: '#/archive' }, 'Search for positions and players');
    this.element = h(
      'section',
      { class: 'explorer', 'aria-label': 'Explorer', hidden: !this.open },
      h('div', { class: 'explorer-head' }, this.heading, this.score),
      this.filters.element,
      this.columns,
      this.turns,
      this.games,
      this.searchLink,
    );
    this.turns.addEventListener('pointerleave', () => this.preview(null));
    this.events = bus.scope();
    this.events.on('position', (position) => {
      this.position = position;
      this.refresh();
    });
  }

  toggle() {
    this.open = !this.open;
    if (this.persistOpen) saveItem(KEY, this.open);
    this.element.hidden = !this.open;
    setPressed(this.toggleButton, this.open);
    if (this.open) this.load();
    else this.preview(null);
  }

  /** Loads the turns of another position, after a moment. */
  refresh() {
    this.previewed = null;
    if (!this.open || this.positionKey() === this.loadedKey) return;
    clearTimeout(this.timer);
    this.limit = INITIAL_LIMIT;
    this.element.setAttribute('aria-busy', 'true');
    this.timer = setTimeout(() => this.load(), DEBOUNCE_MS);
  }

  /** Identifies the position; steps of the current turn do not change it. */
  positionKey() {
    return JSON.stringify({ ...this.position?.line, steps: '' });
  }

  async load() {
    if (!this.position || !this.open) return;
    clearTimeout(this.timer);
    const request = ++this.requestId;
    const key = this.positionKey();
    const { line, board } = this.position;
    this.element.setAttribute('aria-busy', 'true');
    this.searchLink.href = `#/archive?board=${encodeURIComponent(board)}`;
    try {
      const query = { line: { ...line, steps: '' }, filters: this.filters.value, limit: this.limit };
      const response = await explore(query);
      if (request !== this.requestId) return;
      this.loadedKey = key;
      this.show(response);
    } catch (error) {
      if (request === this.requestId) this.showError(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} message */
  showError(message) {
    this.loadedKey = null;
    this.preview(null);
    this.setLoaded('');
    this.heading.textContent = 'Explorer';
    fill(this.score);
    fill(this.games);
    this.columns.hidden = true;
    fill(this.turns, h('li', { class: 'hint error' }, asSentence(message)));
    this.filters.element.hidden = this.searchLink.hidden = true;
  }

  /** @param {ExploreResponse} response */
  show(response) {
    this.preview(null);
    this.setLoaded(response.tag);
    this.filters.element.hidden = this.searchLink.hidden = false;
    const games = count(response.games, 'game');
    this.heading.textContent = response.games ? `${games} at ${response.tag}` : `No games at ${response.tag}`;
    fill(this.score, response.games ? scoreBar(response) : null);
    const hadFocus = this.turns.contains(document.activeElement);
    this.columns.hidden = response.turns.length === 0;
    fill(this.turns, ...this.rows(response));
    // After a turn was chosen by keyboard, Tab continues at the new list.
    if (hadFocus) this.turns.focus({ preventScroll: true });
    const sample = response.games_sample;
    fill(this.games, ...(sample.length ? [h('h3', {}, 'Games'), gameList(sample)] : []));
    if (document.activeElement === document.body && response.games) announce(`${games} in the archive`);
  }

  /** @param {ExploreResponse} response */
  rows(response) {
    const rows = response.turns.map((turn) => h('li', {}, this.row(turn, response.games)));
    const hidden = response.distinct_turns - response.turns.length;
    if (hidden > 0) {
      const rest = `and ${count(hidden, 'other turn')}, played less often`;
      rows.push(h('li', { class: 'hint' }, this.limit < MAX_LIMIT ? this.moreButton(hidden) : rest));
    }
    if (response.games === 0) {
      const reason = this.filters.isActive() ? 'No games match these filters.' : 'No games reached this position.';
      rows.push(h('li', { class: 'hint' }, reason));
    }
    return rows;
  }

  /** @param {number} hidden */
  moreButton(hidden) {
    const showAll = () => {
      this.limit = MAX_LIMIT;
      this.load();
    };
    const more = button(`${count(hidden, 'more turn')}…`, showAll, { kind: 'quiet' });
    more.classList.add('more-turns');
    return more;
  }

  /** @param {ExplorerTurn} turn @param {number} games in the position */
  row(turn, games) {
    const row = explorerTurn(turn, games);
    row.addEventListener('click', () => {
      this.preview(null);
      bus.emit('play', turn);
    });
    row.addEventListener('pointermove', (event) => {
      // A list that changes below a resting mouse previews nothing.
      const position = `${event.clientX} ${event.clientY}`;
      if (event.pointerType === 'mouse' && position !== this.mousePosition) this.preview(turn);
      this.mousePosition = position;
    });
    row.addEventListener('focus', () => row.matches(':focus-visible') && this.preview(turn));
    row.addEventListener('blur', () => this.preview(null));
    return row;
  }

  /** The list now belongs to this turn. @param {string} tag */
  setLoaded(tag) {
    this.element.removeAttribute('aria-busy');
    this.element.dataset.tag = tag;
  }

  /** @param {ExplorerTurn | null} turn */
  preview(turn) {
    if (turn === this.previewed) return;
    this.previewed = turn;
    bus.emit('preview', turn);
  }

  close() {
    clearTimeout(this.timer);
    this.requestId++;
    this.events.close();
  }
}
