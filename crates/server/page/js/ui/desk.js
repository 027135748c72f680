// The place around a board: strips above and below, a panel beside it; and what settings do to it.

import { onPreference, prefer, settings, stepTime } from '../model/settings.js';
import { h } from './dom.js';

/** @import {BoardWidget} from '../board/widget.js' */

/**
 * @param {BoardWidget} board
 * @param {HTMLElement} panel
 * @param {{top?: Node, bottom?: Node, flipped: () => boolean}} around
 */
export function desk(board, panel, around) {
  const box = h('div', { class: 'boardbox' });
  const grip = h('div', { class: 'grip', title: 'Drag to resize the board', 'aria-hidden': 'true' });
  box.append(board.svg, grip);
  const place = h('section', { class: 'boardside' }, around.top ?? h('div', { class: 'strip' }), box, around.bottom ?? h('div', { class: 'strip' }));
  const element = h('div', { class: 'desk' }, place, panel);

  grip.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    const whole = (box.getBoundingClientRect().width / settings.size) * 100;
    const left = box.getBoundingClientRect().left;
    /** @param {PointerEvent} move */
    const drag = (move) => {
      const size = Math.round(((move.clientX - left) / whole) * 100);
      prefer({ size: Math.max(60, Math.min(100, size)) });
    };
    grip.addEventListener('pointermove', drag);
    grip.addEventListener('pointerup', () => grip.removeEventListener('pointermove', drag), { once: true });
  });

  const apply = () => {
    place.style.setProperty('--size', String(settings.size / 100));
    board.set({
      art: settings.pieces,
      pips: settings.pips,
      coordinates: settings.coordinates,
      view: settings.view,
      flipped: around.flipped(),
      stepTime: stepTime(),
    });
    board.svg.classList.toggle('no-targets', !settings.targets);
  };
  apply();
  const stop = onPreference(apply);
  return { element, apply, stop };
}
