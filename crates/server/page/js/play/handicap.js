// The fields of the new game form for missing pieces.

import { kindOf } from '../model/notation.js';
import { h } from '../ui/dom.js';

/** @import {NewGameForm} from './game_config.js' */

/** How many pieces of each kind a side can do without. @type {[string, number][]} */
const MAX_MISSING = [
  ['E', 1],
  ['M', 1],
  ['H', 2],
  ['D', 2],
  ['C', 2],
  ['R', 7],
];

/** @param {NewGameForm} form */
export function handicapFields(form) {
  return h(
    'details',
    { class: 'more', open: form.gold !== '' || form.silver !== '' },
    h('summary', {}, 'Handicap'),
    h('p', { class: 'hint' }, 'Tap a piece to remove one of its kind.'),
    handicapRow(form, 'gold'),
    handicapRow(form, 'silver'),
  );
}

/** @param {NewGameForm} form @param {'gold' | 'silver'} side */
function handicapRow(form, side) {
  const buttons = MAX_MISSING.map(([letter, max]) => handicapButton(form, side, letter, max));
  return h('div', { class: 'handicap' }, h('span', {}, side === 'gold' ? 'Gold' : 'Silver'), ...buttons);
}

/** @param {NewGameForm} form @param {'gold' | 'silver'} side @param {string} letter @param {number} max */
function handicapButton(form, side, letter, max) {
  const count = () => [...form[side]].filter((other) => other === letter).length;
  const element = h('button', { type: 'button', class: 'button quiet' });
  const render = () => {
    element.textContent = count() ? `${letter}−${count()}` : letter;
    element.setAttribute('aria-label', `${side} ${kindOf(letter)}: ${count()} removed`);
    element.classList.toggle('on', count() > 0);
  };
  element.addEventListener('click', () => {
    const others = [...form[side]].filter((other) => other !== letter).join('');
    form[side] = others + letter.repeat((count() + 1) % (max + 1));
    render();
  });
  render();
  return element;
}
