// The filters of the explorer; stored for the next time.

import { loadItem, saveItem } from '../model/settings.js';
import { button, h } from '../ui/dom.js';

/** @import {ArchiveFilters} from '../api.js' */

const KEY = 'surus.explorer.filters';

/** @type {ArchiveFilters} */
export const NO_FILTERS = {
  min_rating: null,
  max_rating: null,
  players: 'any',
  event: null,
  player: null,
  from_year: null,
  to_year: null,
  result: null,
  no_symmetry: false,
};

/** @type {[string, string][]} */
const PLAYER_TYPES = [
  ['any', 'any'],
  ['humans', 'humans'],
  ['bots', 'bots'],
  ['mixed', 'human vs bot'],
];

/** @type {[string, string][]} */
const RESULTS = [
  ['', 'any'],
  ['gold', 'Gold won'],
  ['silver', 'Silver won'],
  ['none', 'no winner'],
];

/** The known filters of a stored object. @param {any} stored @returns {ArchiveFilters} */
function restoreFilters(stored) {
  const known = Object.entries(stored ?? {}).filter(([name]) => name in NO_FILTERS);
  return { ...NO_FILTERS, ...Object.fromEntries(known) };
}

export class FilterBox {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.value = restoreFilters(loadItem(KEY));
    this.summary = h('summary', {}, 'Filters');
    const symmetry = h('input', { type: 'checkbox', 'data-filter': 'no_symmetry' });
    symmetry.addEventListener('change', () => this.setFilter('no_symmetry', !symmetry.checked));
    this.element = h(
      'details',
      { class: 'more filters' },
      this.summary,
      h(
        'div',
        { class: 'filter-lines' },
        line('Ratings', this.number('min_rating', 'Minimum rating'), 'to', this.number('max_rating', 'Maximum rating')),
        line('Years', this.number('from_year', 'First year'), 'to', this.number('to_year', 'Last year')),
        line('Players', this.select('players', 'Type of players', PLAYER_TYPES)),
        line('Result', this.select('result', 'Result', RESULTS)),
        line('Event', this.text('event', 'Part of the event name')),
        line('Name', this.text('player', 'Full name of a player')),
        h('label', { class: 'check' }, symmetry, 'include mirrored positions and exchanged sides'),
        button('Clear filters', () => this.clear()),
      ),
    );
    this.syncInputs();
  }

  /** @param {keyof ArchiveFilters} name @param {string} label */
  number(name, label) {
    const attributes = { type: 'number', min: 0, max: 9999, inputMode: 'numeric', placeholder: 'any' };
    const input = h('input', { ...attributes, 'aria-label': label, 'data-filter': name });
    input.addEventListener('change', () => {
      const isEmpty = input.value === '' || !input.validity.valid;
      this.setFilter(name, isEmpty ? null : Math.trunc(Number(input.value)));
    });
    return input;
  }

  /** @param {keyof ArchiveFilters} name @param {string} label */
  text(name, label) {
    const attributes = { type: 'text', maxLength: 60, placeholder: 'any', autocomplete: 'off', spellcheck: false };
    const input = h('input', { ...attributes, 'aria-label': label, 'data-filter': name });
    input.addEventListener('change', () => this.setFilter(name, input.value.trim() || null));
    return input;
  }

  /** @param {keyof ArchiveFilters} name @param {string} label @param {[string, string][]} choices */
  select(name, label, choices) {
    const options = choices.map(([value, text]) => h('option', { value }, text));
    const select = h('select', { 'aria-label': label, 'data-filter': name }, ...options);
    select.addEventListener('change', () => this.setFilter(name, select.value || null));
    return select;
  }

  /** @param {keyof ArchiveFilters} name @param {unknown} value */
  setFilter(name, value) {
    this.update({ ...this.value, [name]: value });
  }

  clear() {
    this.update({ ...NO_FILTERS });
    this.syncInputs();
  }

  /** @param {ArchiveFilters} value */
  update(value) {
    this.value = value;
    saveItem(KEY, value);
    this.updateBadge();
    this.onChange();
  }

  activeCount() {
    const names = /** @type {(keyof ArchiveFilters)[]} */ (Object.keys(NO_FILTERS));
    return names.filter((name) => this.value[name] !== NO_FILTERS[name]).length;
  }

  isActive() {
    return this.activeCount() > 0;
  }

  /** Shows the number of active filters. */
  updateBadge() {
    const active = this.activeCount();
    this.summary.textContent = active ? `Filters (${active})` : 'Filters';
    this.summary.classList.toggle('on', active > 0);
  }

  syncInputs() {
    for (const element of this.element.querySelectorAll('[data-filter]')) {
      const input = /** @type {HTMLInputElement} */ (element);
      const value = this.value[/** @type {keyof ArchiveFilters} */ (input.dataset.filter)];
      if (input.type === 'checkbox') input.checked = !value;
      else input.value = String(value ?? '');
    }
    this.updateBadge();
  }
}

/** @param {string} name @param {...(Node | string)} inputs */
function line(name, ...inputs) {
  const children = inputs.map((input) => (typeof input === 'string' ? h('span', {}, input) : input));
  return h('div', { class: 'filter' }, h('span', { 'aria-hidden': 'true' }, name), ...children);
}
