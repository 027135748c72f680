// A game that plays itself: at the recorded times, or a turn in two seconds where none are known.

import { shiftsOf } from '../model/notation.js';
import { stepTime } from '../model/settings.js';

/** @import {Review} from './page.js' */

/** Nobody wants to wait longer for a turn, however long it took. */
const LONGEST = 30_000;

export class Replay {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {Review} review */
  constructor(review) {
    this.review = review;
    this.on = false;
  }

  toggle() {
    if (this.on) return this.stop();
    this.on = true;
    this.next();
  }

  stop() {
    clearTimeout(this.timer);
    this.on = false;
    this.review.panel?.show();
  }

  next() {
    const [node] = this.review.here.children;
    if (!node) return this.stop();
    this.timer = setTimeout(() => this.turn(node), Math.min(LONGEST, node.elapsed_ms ?? 2000));
    this.review.panel.show();
  }

  /** @param {import('../model/tree.js').Node} node */
  async turn(node) {
    const { review } = this;
    for (let inside = 1; inside < shiftsOf(node.text).length && stepTime(); inside++) {
      review.go(node, inside);
      await new Promise((done) => setTimeout(done, stepTime() * 1.5));
      // Somebody has gone elsewhere meanwhile.
      if (!this.on || review.here !== node || review.inside !== inside) return this.stop();
    }
    review.go(node);
    this.next();
  }
}
