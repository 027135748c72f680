// A player's strip: name, captured pieces, clock.

import { symbol } from '../board/art.js';
import { pieceName } from '../model/notation.js';
import { h, s } from '../ui/dom.js';
import { settings } from '../model/settings.js';

/** @import {ClockState, GameState, Player} from '../api.js' */

/** @param {Player} player @param {string} side */
export function playerName(player, side) {
  if (player.kind === 'engine') return player.name.replace(':level=', ', level ').replaceAll(':', ', ');
  return player.name || (side === 'g' ? 'Gold' : 'Silver');
}

export class Strip {
  /** @param {'g' | 's'} side */
  constructor(side) {
    this.side = side;
    this.name = h('span', { class: 'name' });
    this.tray = h('span', { class: 'tray', role: 'img' });
    this.time = h('span', { class: 'time', role: 'timer' });
    this.element = h('div', { class: 'strip' }, h('i', { class: `disc ${side === 'g' ? 'gold' : 'silver'}` }), this.name, this.tray, this.time);
    /** @type {{clock: ClockState, at: number, mine: boolean} | null} */
    this.clock = null;
  }

  /** @param {GameState} game */
  show(game) {
    const player = this.side === 'g' ? game.config.gold : game.config.silver;
    const mine = game.position.side === this.side && game.position.phase !== 'over';
    this.name.textContent = playerName(player, this.side);
    this.element.classList.toggle('to-play', mine);
    this.element.classList.toggle('thinks', mine && game.engine_to_move);
    // A side's tray has what it captured: pieces of the other.
    const caught = [...game.captured].filter((letter) => (letter === letter.toUpperCase()) !== (this.side === 'g'));
    this.tray.replaceChildren(...caught.map((letter) => small(letter)));
    this.tray.setAttribute('aria-label', caught.length ? `captured: ${caught.map(pieceName).join(', ')}` : 'nothing captured');
    this.clock = game.clock ? { clock: game.clock, at: performance.now(), mine } : null;
    this.tick();
  }

  tick() {
    if (!this.clock) {
      this.time.textContent = '';
      return;
    }
    const { clock, at, mine } = this.clock;
    const reserve = this.side === 'g' ? clock.gold_ms : clock.silver_ms;
    const used = mine ? clock.elapsed_ms + (clock.running ? performance.now() - at : 0) : 0;
    const turn = clock.per_turn_ms - used;
    const over = Math.max(0, -turn);
    this.time.textContent = `${written(Math.max(0, turn))} + ${written(Math.max(0, reserve - over))}`;
    this.time.classList.toggle('short', mine && clock.available_ms - used < 15_000);
  }
}

/** @param {string} letter */
export function small(letter) {
  const kind = pieceName(letter).split(' ');
  return s('svg', { viewBox: '0 0 1 1', class: 'small' }, s('use', { href: symbol(settings.pieces, kind[0], kind[1]), width: 1, height: 1 }));
}

/** @param {number} ms */
function written(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
