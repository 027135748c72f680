// The explanation of a turn and of a position, with the zone of the selected remark on the board.

import { fetchExplanation } from '../client.js';
import { bus } from '../model/bus.js';
import { announce, asSentence } from './announce.js';
import { button, fill, h, setPressed } from './dom.js';

/** @import {Explanation, Remark} from '../api.js' */
/** @import {ShownPosition} from '../model/events.js' */

const TITLE = 'Explain the last turn and the threats of both sides (w)';
const LEGEND = 'Straight lines: attack and target. Arcs: interception and support. Numbers: steps available.';

export class ExplanationPanel {
  open = false;
  requestId = 0;
  /** @type {ShownPosition | null} */
  position = null;

  constructor() {
    this.element = h('section', { class: 'explanation', hidden: true, 'aria-label': 'Explanation' });
    this.toggleButton = button('Explain', () => this.toggle(), { title: TITLE });
    setPressed(this.toggleButton, false);
    this.events = bus.scope();
    this.events.on('position', (position) => {
      this.position = position;
      this.clear();
    });
    // A preview replaces the explained position on the board.
    this.events.on('preview', (turn) => turn && this.clear());
  }

  toggle() {
    if (this.open) this.hide();
    else this.show();
  }

  async show() {
    if (!this.position) return;
    const request = ++this.requestId;
    this.setOpen(true);
    try {
      const explanation = await fetchExplanation(this.position.line);
      if (request === this.requestId) this.render(explanation);
    } catch (error) {
      if (request !== this.requestId) return;
      fill(this.element, h('p', { class: 'hint' }, asSentence(/** @type {Error} */ (error).message)));
      this.element.hidden = false;
    }
  }

  /** @param {Explanation} explanation */
  render({ tag, turn, position }) {
    fill(
      this.element,
      ...this.section(`Turn ${tag}`, turn),
      ...this.section('With a full turn', position),
      h('p', { class: 'hint' }, LEGEND),
    );
    this.element.hidden = false;
    const remarks = [...turn, ...position];
    announce(remarks.map((remark) => remark.text).join(' '));
    const first = remarks.find((remark) => remark.zone.length);
    const row = this.element.querySelector('button.remark');
    if (first && row) this.select(/** @type {HTMLElement} */ (row), first);
  }

  /** @param {string} title @param {Remark[]} remarks */
  section(title, remarks) {
    if (remarks.length === 0) return [];
    return [h('h2', {}, title), h('ul', {}, ...remarks.map((remark) => h('li', {}, this.row(remark))))];
  }

  /** @param {Remark} remark */
  row(remark) {
    const side = remark.side === 'g' ? 'gold' : 'silver';
    if (!remark.zone.length) return h('p', { class: `remark ${side}` }, remark.text);
    const attributes = { type: 'button', class: `remark ${side} ${remark.topic}`, 'aria-pressed': 'false' };
    const line = remark.line ? h('small', {}, remark.line) : null;
    const row = h('button', attributes, h('span', {}, remark.text), line);
    row.addEventListener('click', () => this.select(row, remark));
    return row;
  }

  /** @param {HTMLElement} row @param {Remark} remark */
  select(row, remark) {
    for (const other of this.element.querySelectorAll('button.remark')) {
      other.classList.toggle('current', other === row);
      setPressed(other, other === row);
    }
    bus.emit('remark', remark);
  }

  /** @param {boolean} open */
  setOpen(open) {
    this.open = open;
    setPressed(this.toggleButton, open);
  }

  /** Closes the explanation and restores the position on the board. */
  hide() {
    if (!this.open) return;
    this.clear();
    bus.emit('remark', null);
  }

  /** Discards the explanation of another position. */
  clear() {
    this.requestId++;
    this.setOpen(false);
    this.element.hidden = true;
    fill(this.element);
  }

  close() {
    this.requestId++;
    this.events.close();
  }
}
