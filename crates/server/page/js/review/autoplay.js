// Replaying a game at the recorded times.

import { settings, stepDuration } from '../model/settings.js';

/** @import {Node} from '../model/tree.js' */
/** @import {ReviewState} from './state.js' */

/** The longest wait for a turn, at the speed of the game. */
const MAX_TURN_DELAY = 30_000;
/** The wait for a turn without a recorded time. */
const DEFAULT_TURN_DELAY = 2000;

/** The speeds: a factor for the recorded times, or a fixed time for each turn. @type {[string, string][]} */
export const SPEEDS = [
  ['1x', '1×'],
  ['2x', '2×'],
  ['5x', '5×'],
  ['20x', '20×'],
  ['1s', '1 s'],
  ['3s', '3 s'],
];

/** The wait before a turn. @param {string} speed @param {number | null} elapsed its recorded time */
export function turnDelay(speed, elapsed) {
  const number = Number.parseFloat(speed);
  if (speed.endsWith('s')) return number * 1000;
  return Math.min(MAX_TURN_DELAY, elapsed ?? DEFAULT_TURN_DELAY) / number;
}

/** @typedef {{goTo: (node: Node, stepIndex?: number | null) => void, changed: () => void}} AutoplayHost */

export class Autoplay {
  playing = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {ReviewState} state @param {AutoplayHost} host */
  constructor(state, host) {
    this.state = state;
    this.host = host;
  }

  toggle() {
    if (this.playing) return this.stop();
    this.playing = true;
    this.scheduleTurn();
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.host.changed();
  }

  /** Another speed applies to the wait that has begun. */
  speedChanged() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.scheduleTurn();
  }

  scheduleTurn() {
    const [node] = this.state.current.children;
    if (!node) return this.stop();
    const delay = turnDelay(settings.replaySpeed, node.elapsed_ms);
    this.timer = setTimeout(() => this.playTurn(node), delay);
    this.host.changed();
  }

  /** @param {Node} node */
  async playTurn(node) {
    const { state, host } = this;
    if (state.current !== node.parent) return this.stop();
    const duration = stepDuration();
    for (let index = 1; index < node.steps.length && duration; index++) {
      host.goTo(node, index);
      await new Promise((resolve) => setTimeout(resolve, duration * 1.5));
      const movedAway = state.current !== node || state.stepIndex !== index;
      if (!this.playing || movedAway) return this.stop();
    }
    host.goTo(node);
    this.scheduleTurn();
  }
}
