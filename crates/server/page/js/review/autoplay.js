// Replaying a game at the recorded times.

import { stepDuration } from '../model/settings.js';

/** @import {Node} from '../model/tree.js' */
/** @import {ReviewState} from './state.js' */

/** The longest wait for a turn. */
const MAX_TURN_DELAY = 30_000;
/** The wait for a turn without a recorded time. */
const DEFAULT_TURN_DELAY = 2000;

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

  scheduleTurn() {
    const [node] = this.state.current.children;
    if (!node) return this.stop();
    const delay = Math.min(MAX_TURN_DELAY, node.elapsed_ms ?? DEFAULT_TURN_DELAY);
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
