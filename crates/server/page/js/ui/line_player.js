// Shows a line and its answer on the board, step by step.

import { applyStep, formatBoard, parseBoard } from '../model/notation.js';
import { stepDuration } from '../model/settings.js';

/** @import {DemoLine, Trajectory} from '../api.js' */
/** @import {Drawing} from '../model/events.js' */

/** How much longer than the animation of a step its arrow is shown. */
const STEP_PAUSE_MS = 450;
/** The pause at the start and the end of a line. */
const LINE_PAUSE_MS = 900;

/** @typedef {{role: 'line' | 'answer', side: 'g' | 's', line: DemoLine}} Part a line with the side that plays it */

/** A moment of a part. @typedef {{part: Part, count: number}} Frame after `count` steps */

/** Arrows for the first steps of a part, numbered; those of displaced pieces are dashed. @param {Part} part @param {number} [count] @returns {Trajectory[]} */
export function lineArrows({ role, side, line }, count = line.steps.length) {
  return line.steps.slice(0, count).map((step, index) => {
    const pieceSide = step.piece === step.piece.toUpperCase() ? 'g' : 's';
    const isDisplaced = pieceSide !== side;
    return {
      piece: step.piece,
      role: /** @type {Trajectory['role']} */ (isDisplaced ? `${role} displaced` : role),
      path: [step.from, step.to],
      time: index + 1,
    };
  });
}

export class LinePlayer {
  /** @type {Frame[]} */
  frames = [];
  /** The shown frame; null while the board shows the position. @type {number | null} */
  index = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {(drawing: Drawing | null) => void} draw null for the position @param {() => void} changed */
  constructor(draw, changed) {
    this.draw = draw;
    this.changed = changed;
  }

  /** Sets what to play, without drawing it. @param {Part[]} parts */
  setParts(parts) {
    this.cancel();
    this.index = null;
    this.frames = parts.flatMap((part) =>
      Array.from({ length: part.line.steps.length + 1 }, (_, count) => ({ part, count })),
    );
  }

  get isPlaying() {
    return this.timer !== undefined;
  }

  /** @returns {Frame | null} the shown frame */
  get frame() {
    return this.index === null ? null : this.frames[this.index];
  }

  togglePlay() {
    if (!this.isPlaying) return this.play();
    this.cancel();
    this.changed();
  }

  /** Plays from the shown frame, or from the beginning. */
  play() {
    if (this.frames.length === 0) return;
    const isEnd = this.index === this.frames.length - 1;
    this.show(this.index === null || isEnd ? 0 : this.index);
    this.schedule();
    this.changed();
  }

  /** Shows the position again. */
  stop() {
    this.cancel();
    if (this.index === null) return;
    this.index = null;
    this.draw(null);
    this.changed();
  }

  /** Leaves the board to another panel. */
  abandon() {
    this.cancel();
    this.index = null;
    this.changed();
  }

  /** Goes some frames forward or back; before the first one is the position. @param {number} offset */
  step(offset) {
    this.cancel();
    const index = (this.index ?? 0) + offset;
    if (index <= 0) return this.stop();
    this.show(Math.min(index, this.frames.length - 1));
    this.changed();
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  schedule() {
    const { frame } = this;
    if (!frame) return;
    const isBetween = frame.count > 0 && frame.count < frame.part.line.steps.length;
    const pause = isBetween ? STEP_PAUSE_MS : LINE_PAUSE_MS;
    this.timer = setTimeout(() => this.advance(), stepDuration() + pause);
  }

  advance() {
    this.timer = undefined;
    if (this.index === null || this.index + 1 >= this.frames.length) return this.stop();
    this.show(this.index + 1);
    this.schedule();
    this.changed();
  }

  /** @param {number} index */
  show(index) {
    this.index = index;
    const { part, count } = this.frames[index];
    const pieces = part.line.steps.slice(0, count).reduce(applyStep, parseBoard(part.line.board));
    this.draw({ board: formatBoard(pieces), zone: lineArrows(part, count) });
  }
}
