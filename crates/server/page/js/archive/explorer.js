// The explorer: what was played from the position that is seen, and how those games went. It follows the position.

import { explore } from '../server.js';
import { shiftsOf, shortened, sideName, spoken } from '../model/notation.js';
import { store, stored } from '../model/settings.js';
import { button, fill, h } from '../ui/dom.js';
import { say } from '../ui/speak.js';
import { FilterBox } from './filters.js';
import { gameList } from './games.js';

/** @import {ExploreResponse, ExplorerTurn, PlayedLine} from '../api.js' */

/**
 * @typedef {{
 *   line: () => PlayedLine | null, play: (text: string) => void, preview: (text: string | null) => void, board: () => string,
 *   remembers: boolean,
 * }} Page what is seen; what a click on a turn does, and what to show of it before; whether it stays open for the next time
 */

const KEY = 'surus.explorer';
const TITLE = 'What was played from here in the archive (e)';
/** Turns that are shown first, and when somebody wants more. */
const [FEW, MANY] = [12, 200];
/** Whoever walks quickly asks only where they stop. */
const PAUSE = 60;

export class Explorer {
  asked = 0;
  most = FEW;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;
  /** The turn that the board shows for the mouse or the focus. @type {string | null} */
  previewed = null;
  /** Where the mouse was last seen over a turn. */
  mouse = '';
  /** The position that the turns on the screen belong to. @type {string | null} */
  shown = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.open = page.remembers && stored(KEY) === true;
    this.head = h('h2', {});
    this.bar = h('div', {});
    this.turns = h('ol', { class: 'ways', tabIndex: -1, 'aria-label': 'Turns that were played from here' });
    this.samples = h('div', { class: 'samples' });
    this.filters = new FilterBox(() => this.ask());
    this.search = h('a', { class: 'search-link', href: '#/archive' }, 'Search for positions and players');
    this.box = h('section', { class: 'explorer', 'aria-label': 'Explorer', hidden: !this.open },
      h('div', { class: 'explorer-head' }, this.head, this.bar), this.filters.element, this.turns, this.samples, this.search);
    this.turns.addEventListener('pointerleave', () => this.preview(null));
  }

  button() {
    const one = button('Explorer', () => this.toggle(), { title: TITLE });
    one.classList.add('explorer-button');
    one.setAttribute('aria-pressed', String(this.open));
    return one;
  }

  toggle() {
    this.open = !this.open;
    if (this.page.remembers) store(KEY, this.open);
    this.box.hidden = !this.open;
    for (const one of document.querySelectorAll('.explorer-button')) one.setAttribute('aria-pressed', String(this.open));
    if (this.open) this.ask();
    else this.preview(null);
  }

  /** The position may be another one. */
  follow() {
    this.previewed = null;
    if (!this.open || this.key() === this.shown) return;
    clearTimeout(this.waiting);
    this.most = FEW;
    this.box.setAttribute('aria-busy', 'true');
    this.waiting = setTimeout(() => this.ask(), PAUSE);
  }

  close() {
    clearTimeout(this.waiting);
    this.asked++;
  }

  /** What the position is known by; steps of the turn that runs do not change it. */
  key() {
    return JSON.stringify({ ...this.page.line(), steps: '' });
  }

  async ask() {
    const line = this.page.line();
    if (!line || !this.open) return;
    clearTimeout(this.waiting);
    const [asked, key] = [++this.asked, this.key()];
    this.box.setAttribute('aria-busy', 'true');
    this.search.href = `#/archive?board=${encodeURIComponent(this.page.board())}`;
    try {
      const found = await explore({ line: { ...line, steps: '' }, filters: this.filters.value, limit: this.most });
      if (asked !== this.asked) return;
      this.shown = key;
      this.show(found);
    } catch (error) {
      if (asked === this.asked) this.help(/** @type {Error} */ (error).message);
    }
  }

  /** Nothing to show, and why. @param {string} words */
  help(words) {
    this.shown = null;
    this.preview(null);
    this.settle('');
    this.head.textContent = 'Explorer';
    fill(this.bar);
    fill(this.samples);
    fill(this.turns, h('li', { class: 'hint help' }, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`));
    this.filters.element.hidden = this.search.hidden = true;
  }

  /** @param {ExploreResponse} found */
  show(found) {
    this.preview(null);
    this.settle(found.tag);
    this.filters.element.hidden = this.search.hidden = false;
    const games = count(found.games, 'game');
    this.head.textContent = found.games ? `${games} at ${found.tag}` : `No game at ${found.tag}`;
    fill(this.bar, found.games ? bar(found) : null);
    const inside = this.turns.contains(document.activeElement);
    const more = found.distinct_turns - found.turns.length;
    fill(this.turns, ...found.turns.map((turn) => h('li', {}, this.row(turn, found))),
      0 < more ? h('li', { class: 'hint' }, this.most < MANY ? this.further(more) : `and ${count(more, 'other turn')}, played less often`) : null,
      found.games ? null : h('li', { class: 'hint' }, this.filters.any() ? 'No game that the filters let through came here.' : 'No game of the archive came here.'));
    // Whoever has just chosen a turn by keys goes on from the first of the new ones.
    if (inside) this.turns.focus({ preventScroll: true });
    fill(this.samples, found.games_sample.length ? h('h3', {}, 'Games') : null, found.games_sample.length ? gameList(found.games_sample) : null);
    if (document.activeElement === document.body && found.games) say(`${games} in the archive`);
  }

  /** @param {number} more */
  further(more) {
    const one = button(`${count(more, 'more turn')}…`, () => {
      this.most = MANY;
      this.ask();
    }, { kind: 'quiet' });
    one.classList.add('more-ways');
    return one;
  }

  /** What is shown belongs to this turn. @param {string} tag */
  settle(tag) {
    this.box.removeAttribute('aria-busy');
    this.box.dataset.tag = tag;
  }

  /** @param {ExplorerTurn} turn @param {ExploreResponse} found */
  row(turn, found) {
    const setup = shiftsOf(turn.text).length === 0;
    const rating = turn.rating === null ? '' : String(turn.rating);
    const last = turn.last_year === null ? '' : `, last played in ${turn.last_year}`;
    const label = `${setup ? turn.name ?? setupRows(turn.text).join(' ') : spoken(turn.text)}: ${count(turn.games, 'game')}, ${scoreWords(turn)}${rating ? `, average rating ${rating}` : ''}${last}`;
    const one = h('button', { type: 'button', class: 'way', 'data-text': turn.text, 'data-games': turn.games, 'aria-label': label, title: setup ? label : `${turn.text}${last}` },
      setup ? setupWords(turn.name, ...setupRows(turn.text)) : h('span', { class: 'words' }, shortened(turn.text)), h('span', { class: 'count' }, turn.games.toLocaleString('en')), bar(turn), h('span', { class: 'rating' }, rating));
    one.style.setProperty('--share', String(turn.games / Math.max(1, found.games)));
    one.addEventListener('click', () => this.play(turn.text));
    // A list that changes below a mouse at rest is not pointed at.
    one.addEventListener('pointermove', (event) => {
      const at = `${event.clientX} ${event.clientY}`;
      if (event.pointerType === 'mouse' && at !== this.mouse) this.preview(turn.text);
      this.mouse = at;
    });
    one.addEventListener('focus', () => one.matches(':focus-visible') && this.preview(turn.text));
    one.addEventListener('blur', () => this.preview(null));
    return one;
  }

  /** @param {string} text */
  play(text) {
    this.preview(null);
    this.page.play(text);
  }

  /** @param {string | null} text */
  preview(text) {
    if (text === this.previewed) return;
    this.previewed = text;
    this.page.preview(text);
  }
}

/** @param {number} number @param {string} what */
export function count(number, what) {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}

/** @typedef {{games: number, gold_wins: number, silver_wins: number}} Score */

/** @param {Score} score */
function scoreWords(score) {
  const percent = (/** @type {number} */ part) => Math.round((100 * part) / Math.max(1, score.games));
  return `${sideName('g')} won ${percent(score.gold_wins)} %, ${sideName('s')} ${percent(score.silver_wins)} %`;
}

/** Who won, as a bar; what is left in the middle nobody won. @param {Score} score */
function bar(score) {
  const percent = (/** @type {number} */ part) => (100 * part) / Math.max(1, score.games);
  const part = (/** @type {string} */ side, /** @type {number} */ won) =>
    h('i', { class: side, style: `width: ${percent(won)}%` }, 35 <= percent(won) ? `${Math.round(percent(won))}%` : '');
  return h('span', { class: 'score', role: 'img', 'aria-label': scoreWords(score), title: scoreWords(score) }, part('gold', score.gold_wins), part('silver', score.silver_wins));
}

/** A setup for the eye: its name, and its rows from file a on. @param {string | null} name @param {string} front @param {string} back */
export function setupWords(name, front, back) {
  return h('span', { class: 'words rows' }, name ? h('b', {}, name) : null, h('code', {}, front), h('code', {}, back));
}

/** The rows of placements, the front one first. @param {string} text @returns {[string, string]} */
function setupRows(text) {
  const at = Object.fromEntries(text.split(' ').map((word) => [word.slice(1), word[0]]));
  const row = (/** @type {number} */ rank) => [...'abcdefgh'].map((file) => at[`${file}${rank}`] ?? '.').join('');
  return text[0] === text[0]?.toUpperCase() ? [row(2), row(1)] : [row(7), row(8)];
}
