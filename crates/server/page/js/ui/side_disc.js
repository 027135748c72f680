// The coloured disc of a side.

import { h } from './dom.js';

/** @param {string} side */
export function sideDisc(side) {
  return h('i', { class: `disc ${side === 'g' ? 'gold' : 'silver'}` });
}
