// The bar of a player: name, captured pieces, clock.

import { sideOf } from '../model/notation.js';
import { playerName } from '../model/players.js';
import { formatClock } from '../model/time.js';
import { CapturedPieces } from '../ui/captured_pieces.js';
import { h } from '../ui/dom.js';
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
    this.captured = new CapturedPieces();
    this.time = h('span', { class: 'time', role: 'timer' });
    this.element = h('div', { class: 'player-bar' }, sideDisc(side), this.name, this.captured.element, this.time);
  }

  /** @param {GameState} game */
  show(game) {
    const toMove = game.position.side === this.side && game.position.phase !== 'over';
    this.name.textContent = playerName(playerOf(game, this.side), this.side);
    this.element.classList.toggle('to-move', toMove);
    this.element.classList.toggle('thinking', toMove && game.engine_to_move);
    this.captured.show([...game.captured].filter((letter) => sideOf(letter) !== this.side));
    this.clock = game.clock ? { clock: game.clock, receivedAt: performance.now(), toMove } : null;
    this.tick();
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
    const reserveTime = formatClock(Math.max(0, reserve - overtime));
    this.time.textContent = `${turnTime} + ${reserveTime}`;
    this.time.title = `${turnTime} left for this turn, then ${reserveTime} in reserve`;
    this.time.classList.toggle('short', toMove && clock.available_ms - elapsed < SHORT_TIME_MS);
  }
}
