// Why: the sentences of a turn and of a position, and the zone of the one that is chosen.

import { explain } from '../server.js';
import { button, fill, h } from './dom.js';
import { say } from './speak.js';

/** @import {PlayedLine, Remark} from '../api.js' */

/**
 * @typedef {{
 *   line: () => PlayedLine | null,
 *   draw: (remark: Remark) => void,
 *   restore: () => void,
 * }} Page the line to explain; what to do with a remark, and how to undo that
 */

const TITLE = 'What this turn is good for, and what either side threatens (w)';

export class Why {
  open = false;
  asked = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.box = h('section', { class: 'why', hidden: true, 'aria-label': 'Why' });
  }

  button() {
    const one = button('Why', () => this.toggle(), { title: TITLE });
    one.classList.add('why-button');
    one.setAttribute('aria-pressed', String(this.open));
    return one;
  }

  toggle() {
    if (this.open) this.close();
    else this.ask();
  }

  async ask() {
    const line = this.page.line();
    if (!line) return;
    const asked = ++this.asked;
    this.press(true);
    try {
      const why = await explain(line);
      if (asked !== this.asked) return;
      const turn = why.turn.map((remark) => this.row(remark));
      const now = why.position.map((remark) => this.row(remark));
      fill(
        this.box,
        turn.length ? h('h2', {}, `The turn ${why.tag}`) : null,
        turn.length ? h('ul', {}, ...turn) : null,
        now.length ? h('h2', {}, 'With a full turn') : null,
        now.length ? h('ul', {}, ...now) : null,
        h('p', { class: 'hint' }, 'Straight: attacks and is attacked. Arcs: comes in the way, or helps. Numbers: time in steps.'),
      );
      this.box.hidden = false;
      say([...why.turn, ...why.position].map((remark) => remark.text).join(' '));
      const first = [...why.turn, ...why.position].find((remark) => remark.zone.length);
      const place = this.box.querySelector('.remark.drawn');
      if (first && place) this.choose(/** @type {HTMLElement} */ (place), first);
    } catch (error) {
      if (asked !== this.asked) return;
      fill(this.box, h('p', { class: 'hint' }, /** @type {Error} */ (error).message));
      this.box.hidden = false;
    }
  }

  /** @param {Remark} remark */
  row(remark) {
    const side = remark.side === 'g' ? 'gold' : 'silver';
    const words = remark.line ? h('small', {}, remark.line) : null;
    if (!remark.zone.length) return h('li', { class: `remark ${side}` }, remark.text);
    const one = h('button', { type: 'button', class: `remark drawn ${side} ${remark.topic}`, 'aria-pressed': 'false' }, h('span', {}, remark.text), words);
    one.addEventListener('click', () => this.choose(one, remark));
    return h('li', {}, one);
  }

  /** @param {HTMLElement} row @param {Remark} remark */
  choose(row, remark) {
    for (const one of this.box.querySelectorAll('.remark')) {
      one.classList.toggle('here', one === row);
      one.setAttribute('aria-pressed', String(one === row));
    }
    this.page.draw(remark);
  }

  /** @param {boolean} open */
  press(open) {
    this.open = open;
    for (const one of document.querySelectorAll('.why-button')) one.setAttribute('aria-pressed', String(open));
  }

  close() {
    if (!this.open) return;
    this.forget();
    this.page.restore();
  }

  /** The position has changed: what was said is not true any more. */
  forget() {
    this.asked++;
    this.press(false);
    this.box.hidden = true;
    fill(this.box);
  }
}
