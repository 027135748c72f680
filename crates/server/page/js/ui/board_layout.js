// The layout of a page with a board: player bars above and below it, a panel at the side.

import { bus } from '../model/bus.js';
import { settings, stepDuration, updateSettings } from '../model/settings.js';
import { h } from './dom.js';

/** @import {BoardWidget} from '../board/widget.js' */

/** The size of the board in percent of the available space. */
const MIN_SIZE = 60;
const MAX_SIZE = 100;

/**
 * @param {BoardWidget} board
 * @param {HTMLElement} panel
 * @param {{g?: HTMLElement, s?: HTMLElement}} [bars] the player bars
 */
export function boardLayout(board, panel, bars = {}) {
  const handle = h('div', { class: 'resize-handle', title: 'Drag to resize the board', 'aria-hidden': 'true' });
  const box = h('div', { class: 'board-box' }, board.svg, handle);
  const gold = bars.g ?? h('div', { class: 'player-bar' });
  const silver = bars.s ?? h('div', { class: 'player-bar' });
  const [top, bottom] = [h('div', {}), h('div', {})];
  const column = h('section', { class: 'board-column', 'aria-label': 'Board' }, top, box, bottom);
  const element = h('div', { class: 'board-layout' }, column, panel);
  bindResize(handle, box);

  const apply = () => {
    column.style.setProperty('--size', String(settings.size / 100));
    top.replaceChildren(settings.flipped ? gold : silver);
    bottom.replaceChildren(settings.flipped ? silver : gold);
    board.setState({
      pieceSet: settings.pieces,
      pips: settings.pips,
      coordinates: settings.coordinates,
      view: settings.view,
      flipped: settings.flipped,
      stepDuration: stepDuration(),
    });
    board.svg.classList.toggle('no-targets', !settings.targets);
  };
  apply();
  return { element, close: bus.on('settings', apply) };
}

/** @param {HTMLElement} handle @param {HTMLElement} box */
function bindResize(handle, box) {
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const { width, left } = box.getBoundingClientRect();
    const fullWidth = (width / settings.size) * 100;
    /** @param {PointerEvent} move */
    const resize = (move) => {
      const size = Math.round(((move.clientX - left) / fullWidth) * 100);
      updateSettings({ size: Math.max(MIN_SIZE, Math.min(MAX_SIZE, size)) });
    };
    handle.addEventListener('pointermove', resize);
    handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', resize), { once: true });
  });
}
