// Which games the explorer counts; kept for the next time.

import { store, stored } from '../model/settings.js';
import { button, h } from '../ui/dom.js';

/** @import {ArchiveFilters} from '../api.js' */

const KEY = 'surus.explorer.filters';

/** @type {ArchiveFilters} */
export const NONE = { min_rating: null, max_rating: null, players: 'any', event: null, player: null, from_year: null, to_year: null, result: null, no_symmetry: false };

export class FilterBox {
  /** @param {() => void} changed */
  constructor(changed) {
    /** @type {ArchiveFilters} */
    this.value = { ...NONE, ...stored(KEY) };
    /** @param {keyof ArchiveFilters} name @param {string} label */
    const number = (name, label) => {
      const input = h('input', { type: 'number', min: 0, max: 9999, inputMode: 'numeric', placeholder: 'any', 'aria-label': label, 'data-filter': name });
      input.value = String(this.value[name] ?? '');
      input.addEventListener('change', () => take(name, input.value === '' || !input.validity.valid ? null : Math.trunc(Number(input.value))));
      return input;
    };
    /** @param {keyof ArchiveFilters} name @param {string} label */
    const words = (name, label) => {
      const input = h('input', { type: 'text', maxLength: 60, placeholder: 'any', autocomplete: 'off', spellcheck: false, 'aria-label': label, 'data-filter': name });
      input.value = String(this.value[name] ?? '');
      input.addEventListener('change', () => take(name, input.value.trim() || null));
      return input;
    };
    /** @param {keyof ArchiveFilters} name @param {string} label @param {[string, string][]} options */
    const choice = (name, label, options) => {
      const select = h('select', { 'aria-label': label, 'data-filter': name }, ...options.map(([value, text]) => h('option', { value }, text)));
      select.value = String(this.value[name] ?? '');
      select.addEventListener('change', () => take(name, select.value || null));
      return select;
    };
    /** @param {keyof ArchiveFilters} name @param {unknown} value */
    const take = (name, value) => {
      this.value = { ...this.value, [name]: value };
      store(KEY, this.value);
      this.mark();
      changed();
    };
    const images = h('input', { type: 'checkbox', checked: !this.value.no_symmetry, 'data-filter': 'no_symmetry' });
    images.addEventListener('change', () => take('no_symmetry', !images.checked));
    /** @param {string} name @param {...Node} fields */
    const line = (name, ...fields) => h('div', { class: 'filter' }, h('span', { 'aria-hidden': 'true' }, name), ...fields);
    const clear = button('Clear filters', () => {
      this.value = { ...NONE };
      store(KEY, this.value);
      this.fields();
      this.mark();
      changed();
    });
    this.summary = h('summary', {}, 'Filters');
    this.element = h('details', { class: 'more filters' }, this.summary,
      h('div', { class: 'filter-lines' },
        line('Ratings', number('min_rating', 'Both rated at least'), h('span', {}, 'to'), number('max_rating', 'Both rated at most')),
        line('Years', number('from_year', 'Begun in this year or later'), h('span', {}, 'to'), number('to_year', 'Begun in this year or earlier')),
        line('Players', choice('players', 'Who plays', [['any', 'anybody'], ['humans', 'two people'], ['bots', 'two programs'], ['mixed', 'one of each']])),
        line('Result', choice("result", 'Who won', [['', 'any'], ['gold', 'Gold won'], ['silver', 'Silver won'], ["none", "no winner"]])),
        line('Event', words('event', 'The event has this in its name')),
        line('Name', words('player', 'One of the players has exactly this name')),
        h('label', { class: 'check' }, images, 'with mirror images and exchanged sides'),
        clear));
    this.mark();
  }

  any() {
    return JSON.stringify(this.value) !== JSON.stringify(NONE);
  }

  mark() {
    const set = Object.entries(NONE).filter(([name, none]) => this.value[/** @type {keyof ArchiveFilters} */ (name)] !== none).length;
    this.summary.textContent = set ? `Filters (${set})` : 'Filters';
    this.summary.classList.toggle('on', 0 < set);
  }

  /** Shows in the fields what holds. */
  fields() {
    for (const field of this.element.querySelectorAll('[data-filter]')) {
      const one = /** @type {HTMLInputElement} */ (field);
      const value = this.value[/** @type {keyof ArchiveFilters} */ (one.dataset.filter)];
      if (one.type === 'checkbox') one.checked = !value;
      else one.value = String(value ?? '');
    }
  }
}
