// The enemy pieces that a side has captured.

import { symbolHref } from '../board/piece_set.js';
import { kindOf, pieceName, sideOf } from '../model/notation.js';
import { settings } from '../model/settings.js';
import { h, s } from './dom.js';

export class CapturedPieces {
  constructor() {
    this.element = h('span', { class: 'captured-pieces', role: 'img' });
  }

  /** @param {string[]} letters */
  show(letters) {
    const label = letters.length ? `captured: ${letters.map(pieceName).join(', ')}` : 'nothing captured';
    this.element.replaceChildren(...letters.map(pieceIcon));
    this.element.setAttribute('aria-label', label);
  }
}

/** @param {string} letter */
function pieceIcon(letter) {
  const side = sideOf(letter) === 'g' ? 'gold' : 'silver';
  const href = symbolHref(settings.pieces, side, kindOf(letter));
  return s('svg', { viewBox: '0 0 1 1', class: 'piece-icon' }, s('use', { href, width: 1, height: 1 }));
}
