// Turns as numbered arrows for the board. A push or a pull is one action: both of its arrows have the same number.

import { sideOf } from '../model/notation.js';

/** @import {StepInfo} from '../api.js' */
/** @import {Hint} from '../board/hints.js' */

/** The steps of a turn grouped into actions. @param {StepInfo[]} steps @param {string} side the side that plays @returns {StepInfo[][]} */
export function actionsOf(steps, side) {
  /** @type {StepInfo[][]} */
  const actions = [];
  for (let index = 0; index < steps.length; index++) {
    const [step, next] = [steps[index], steps[index + 1]];
    const isPush = sideOf(step.piece) !== side;
    const isPull = !isPush && next && sideOf(next.piece) !== side && next.to === step.from;
    // An enemy piece moves before a push is completed, or after the piece that pulls it.
    if (next && (isPull || (isPush && sideOf(next.piece) === side && next.to === step.from))) {
      actions.push([step, next]);
      index++;
    } else actions.push([step]);
  }
  return actions;
}

/** @param {StepInfo[]} steps @param {string} side @param {Hint['colour']} colour @returns {Hint[]} */
export function turnHints(steps, side, colour) {
  return actionsOf(steps, side).flatMap((action, index) =>
    action.map(({ from, to, piece }) => ({
      from,
      to,
      colour,
      label: String(index + 1),
      isDisplaced: sideOf(piece) !== side,
    })),
  );
}
