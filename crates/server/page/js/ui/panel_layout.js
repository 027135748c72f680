// The parts of the panel next to a board. On a large screen the turns are a column of their own.

import { h } from './dom.js';

/** @import {Child} from './dom.js' */

/**
 * @param {string} name of the page, as a class
 * @param {Child[]} top what never moves: heading, buttons, note
 * @param {Child[]} turns
 * @param {Child[]} bottom
 */
export function panelLayout(name, top, turns, bottom) {
  return h(
    'aside',
    { class: `panel ${name}`, 'aria-label': 'Game' },
    h('div', { class: 'panel-top' }, ...top),
    h('div', { class: 'turns-box' }, ...turns),
    h('div', { class: 'panel-bottom' }, ...bottom),
  );
}

/** The parts that can be opened. They scroll together. @param {Child[]} panels */
export function sidePanelArea(panels) {
  return h('div', { class: 'side-panels' }, ...panels);
}
