// The bar of a player: name, captured pieces, clock.

import { symbolHref } from '../board/piece_set.js';
import { kindOf, pieceName, sideOf } from '../model/notation.js';
import { playerName } from '../model/players.js';
import { settings } from '../model/settings.js';
import { h, s } from '../ui/dom.js';
import { sideDisc } from '../ui/side_disc.js';
import { playerOf } from './state.js';

/** @import {ClockState, GameState} from '../api.js' */

/** Less remaining time is shown as a warning. */
const SHORT_TIME_MS = 15_000;

export class PlayerBar {
  /** The clock, the time at which it was received, and whether it is this player's turn. @type {{clock: ClockState, receivedAt: number, toMove: boolean} | null} */
  clock = null;

  /** @param {'g' | 's'} side */
  constructor(side) {
    this.side = side;
    this.name = h('span', { class: 'name' });
    this.capturedPieces = h('span', { class: 'captured-pieces', role: 'img' });
    this.time = h('span', { class: 'time', role: 'timer' });
    this.element = h('div', { class: 'player-bar' }, sideDisc(side), this.name, this.capturedPieces, this.time);
  }

  /** @param {GameState} game */
  show(game) {
    const toMove = game.position.side === this.side && game.position.phase !== 'over';
    this.name.textContent = playerName(playerOf(game, this.side), this.side);
    this.element.classList.toggle('to-move', toMove);
    this.element.classList.toggle('thinking', toMove && game.engine_to_move);
    this.showCaptured([...game.captured].filter((letter) => sideOf(letter) !== this.side));
    this.clock = game.clock ? { clock: game.clock, receivedAt: performance.now(), toMove } : null;
    this.tick();
  }

  /** The enemy pieces that this side has captured. @param {string[]} letters */
  showCaptured(letters) {
    const label = letters.length ? `captured: ${letters.map(pieceName).join(', ')}` : 'nothing captured';
    this.capturedPieces.replaceChildren(...letters.map(pieceIcon));
    this.capturedPieces.setAttribute('aria-label', label);
  }

  /** Updates the clock. */
  tick() {
    if (!this.clock) {
      this.time.textContent = '';
      return;
    }
    const { clock, receivedAt, toMove } = this.clock;
    const running = clock.running ? performance.now() - receivedAt : 0;
    const elapsed = toMove ? clock.elapsed_ms + running : 0;
    const reserve = this.side === 'g' ? clock.gold_ms : clock.silver_ms;
    const overtime = Math.max(0, elapsed - clock.per_turn_ms);
    const turnTime = formatClock(Math.max(0, clock.per_turn_ms - elapsed));
    this.time.textContent = `${turnTime} + ${formatClock(Math.max(0, reserve - overtime))}`;
    this.time.classList.toggle('short', toMove && clock.available_ms - elapsed < SHORT_TIME_MS);
  }
}

/** @param {string} letter */
function pieceIcon(letter) {
  const side = sideOf(letter) === 'g' ? 'gold' : 'silver';
  const href = symbolHref(settings.pieces, side, kindOf(letter));
  return s('svg', { viewBox: '0 0 1 1', class: 'piece-icon' }, s('use', { href, width: 1, height: 1 }));
}

/** @param {number} ms */
export function formatClock(ms) {
  const total = Math.ceil(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const pad = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}
