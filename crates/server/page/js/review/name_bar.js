// The bar of a player in a review: name, captured pieces, time used.

import { sideOf } from '../model/notation.js';
import { formatClock } from '../model/time.js';
import { CapturedPieces } from '../ui/captured_pieces.js';
import { h } from '../ui/dom.js';
import { sideDisc } from '../ui/side_disc.js';

export class NameBar {
  /** @param {'g' | 's'} side */
  constructor(side) {
    this.side = side;
    this.name = h('span', { class: 'name' });
    this.captured = new CapturedPieces();
    this.time = h('span', { class: 'time' });
    this.element = h('div', { class: 'player-bar' }, sideDisc(side), this.name, this.captured.element, this.time);
  }

  /** @param {{name: string, captured: string[], usedTime: number | null, toMove: boolean}} state */
  show({ name, captured, usedTime, toMove }) {
    this.name.textContent = name;
    this.captured.show(captured.filter((letter) => sideOf(letter) !== this.side));
    this.time.textContent = usedTime === null ? '' : `${formatClock(usedTime)} used`;
    this.element.classList.toggle('to-move', toMove);
  }
}
