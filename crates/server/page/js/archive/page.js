// Searching the archive: squares that matter on a board, the material, a player.

import { archiveGamesOf, archivePlayers, archiveSearch, archiveState } from '../server.js';
import { BoardWidget } from '../board/widget.js';
import { boardOf, compactOf, pieceName } from '../model/notation.js';
import { settings } from '../model/settings.js';
import { desk } from '../ui/desk.js';
import { button, fill, h } from '../ui/dom.js';
import { say } from '../ui/speak.js';
import { count } from './explorer.js';
import { gameList } from './games.js';

/** @import {GameSearchResponse} from '../api.js' */

const START = 'rrrddrrrrhcemchr' + ' '.repeat(32) + 'RHCMECHRRRRDDRRR';
const WHOLE = 'EMHHDDCCRRRRRRRR emhhddccrrrrrrrr';

/** @param {URLSearchParams} query the board that the squares are chosen on, and a player, may stand there */
export function archivePage(query) {
  const search = new Search(query);
  return { element: search.desk.element, close: () => search.desk.stop() };
}

class Search {
  asked = 0;

  /** @param {URLSearchParams} query */
  constructor(query) {
    const board = query.get('board') ?? '';
    this.pieces = boardOf(board.length === 64 ? board : START);
    this.board = new BoardWidget({ tap: (square) => this.tap(square), cursor: (square) => say(this.board.words(square)) });
    this.board.set({ pieces: this.pieces });
    const quiet = { type: 'text', autocomplete: 'off', spellcheck: false, autocapitalize: 'off' };
    this.squares = h('input', { ...quiet, id: 'squares', class: 'typed', placeholder: 'Ed4 .c3 Ac6', oninput: () => this.mark() });
    this.material = h('input', { ...quiet, id: 'material', class: 'typed', placeholder: 'any, or all letters that are left' });
    this.side = h('select', { id: 'search-side' }, h('option', { value: '' }, 'either side to play'), h('option', { value: 'g' }, 'Gold to play'), h('option', { value: 's' }, 'Silver to play'));
    this.player = h('input', { ...quiet, id: 'player', placeholder: 'a part of the name' });
    this.note = h('p', { class: 'note', 'aria-live': 'polite' });
    this.found = h('div', { class: 'found' });
    const use = () => {
      const letters = [...compactOf(this.pieces)].filter((letter) => letter !== ' ');
      const order = (/** @type {string} */ all) => [...all].map((kind) => letters.filter((letter) => letter === kind).join('')).join('');
      this.material.value = `${order('EMHDCR')} ${order('emhdcr')}`.trim();
    };
    const positions = h('form', { class: 'stack', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.positions(); } },
      field('Squares that matter', 'squares', this.squares),
      h('p', { class: 'hint' }, 'Tap squares on the board, or write: Ed4 a gold elephant, .c3 an empty square, Ac6 any gold piece, ac6 any silver one, Oc6 and oc6 any but a rabbit, *c6 any piece.'),
      field('Material', 'material', this.material),
      h('div', { class: 'row' }, button('This board', use, { title: 'The material of the board beside' }), button('All pieces', () => (this.material.value = WHOLE)), button('Clear', () => this.clear())),
      h('div', { class: 'row stretch' }, this.side, h('button', { type: 'submit', class: 'button main', id: 'search' }, 'Search')));
    const players = h('form', { class: 'stack', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.players(); } },
      field('Player', 'player', this.player), h('button', { type: 'submit', class: 'button', id: 'find-player' }, 'Find players'));
    this.forms = h('div', { class: 'stack' }, positions, players);
    const panel = h('aside', { class: 'panel search' }, h('h1', { class: 'status' }, 'Search the archive'), this.forms, this.note, this.found);
    this.desk = desk(this.board, panel, { flipped: () => settings.flipped });
    archiveState().then(({ ready, hint }) => {
      if (!ready) this.tell(hint ?? '');
      this.forms.hidden = !ready;
    }, (error) => this.tell(error.message));
  }

  /** @param {string} words */
  tell(words) {
    this.note.textContent = words && `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.…]$/.test(words) ? '' : '.'}`;
  }

  words() {
    return this.squares.value.split(/[\s,]+/).filter(Boolean);
  }

  /** A square matters, or does not any more. @param {string} square */
  tap(square) {
    const rest = this.words().filter((word) => word.slice(1) !== square);
    const letter = this.pieces[square] ?? '.';
    if (rest.length === this.words().length) {
      rest.push(`${letter}${square}`);
      say(`${square}, ${letter === '.' ? 'empty' : pieceName(letter)}, matters`);
    } else say(`${square} does not matter`);
    this.squares.value = rest.join(' ');
    this.mark();
  }

  /** Shows on the board which squares matter. */
  mark() {
    this.board.set({ asked: new Set(this.words().map((word) => word.slice(1)).filter((square) => /^[a-h][1-8]$/.test(square))) });
  }

  clear() {
    this.squares.value = this.material.value = this.side.value = '';
    this.mark();
    fill(this.found);
    this.tell('');
  }

  /** Asks, and shows what comes unless something else was asked meanwhile. @template T @param {Promise<T>} question @param {(answer: T) => void} show */
  async ask(question, show) {
    const asked = ++this.asked;
    this.tell('Searching…');
    try {
      const answer = await question;
      if (asked !== this.asked) return;
      show(answer);
      // On a small screen what was found stands below everything else.
      this.note.scrollIntoView({ block: 'center' });
    } catch (error) {
      if (asked !== this.asked) return;
      fill(this.found);
      this.tell(/** @type {Error} */ (error).message);
    }
  }

  positions() {
    const side = /** @type {'g' | 's' | null} */ (this.side.value || null);
    this.ask(archiveSearch({ squares: this.squares.value, material: this.material.value, side, limit: null }), (found) => {
      const rest = found.complete ? '' : found.games.length ? ', there may be more' : ' in the time there was';
      this.games(found, `${found.games.length ? count(found.games.length, 'game') : 'No game'}${rest}`);
    });
  }

  /** @param {GameSearchResponse} found @param {string} words */
  games(found, words) {
    this.tell(words);
    fill(this.found, gameList(found.games));
  }

  players() {
    this.ask(archivePlayers(this.player.value), ({ players }) => {
      this.tell(players.length ? '' : 'Nobody has a name like this');
      fill(this.found, h('ul', { class: 'archived' }, ...players.map((one) => {
        const rating = one.best_rating === null ? '' : `, best rating ${one.best_rating}`;
        return h('li', {}, h('button', { type: 'button', class: 'archived-game', 'data-player': one.name, onclick: () => this.gamesOf(one.name) },
          h('b', {}, one.name || '?'), h('span', { class: 'about' }, `${count(one.games, 'game')}, ${one.wins} won${rating}`)));
      })));
    });
  }

  /** @param {string} name */
  gamesOf(name) {
    this.ask(archiveGamesOf(name), (found) => this.games(found, `${name}: ${count(found.games.length, 'game')}${found.complete ? '' : ', the newest'}`));
  }
}

/** @param {string} label @param {string} id @param {HTMLElement} input */
function field(label, id, input) {
  return h('div', { class: 'field' }, h('label', { htmlFor: id }, label), input);
}
