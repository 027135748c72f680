// What a hand can do with a piece, out of the actions that came with the position.

import { beside, sideOf } from '../model/notation.js';

/** @import {PositionView} from '../api.js' */
/** @import {TargetKind} from './state.js' */

/**
 * One thing that can be done: its steps as text, the squares on the way, what dies. `then` is the square that tells it
 * from others with the same target.
 * @typedef {{kind: TargetKind, text: string, way: string[], dies: string[], then: string | null}} Choice
 */

/** The squares that a piece comes over. @param {string} from @param {string} path */
function squaresOf(from, path) {
  const squares = [];
  let square = from;
  for (const way of path) {
    square = beside(square, way);
    squares.push(square);
  }
  return squares;
}

/**
 * Everything that can be done with the piece on a square: by target, each with its choices.
 * @param {PositionView} view
 * @param {string} from
 * @returns {Map<string, Choice[]>}
 */
export function choicesOf(view, from) {
  /** @type {Map<string, Choice[]>} */
  const found = new Map();
  /** @param {string} target @param {Choice} choice */
  const add = (target, choice) => {
    const known = found.get(target) ?? [];
    if (!known.some((other) => other.then === choice.then)) found.set(target, [...known, choice]);
  };
  const letter = view.actions.flatMap((action) => action.steps).find((step) => step.from === from)?.piece ?? '';
  for (const { from: start, to, path, losses } of view.paths) {
    if (start !== from) continue;
    add(to, { kind: 'step', text: `${letter}${from}${path}`, way: squaresOf(from, path), dies: losses.map((loss) => loss.square), then: null });
  }
  // What finishes a push or pull comes first: it is what the hand is about.
  const actions = [...view.actions].sort((a, b) => a.steps.length - b.steps.length);
  for (const { kind, steps } of actions) {
    if (kind === 'step') continue;
    const text = steps.map((step) => step.text).join(' ');
    const dies = steps.flatMap(({ captured }) => (captured && sideOf(captured.piece) === view.side ? [captured.square] : []));
    const way = steps.map((step) => step.to);
    const [first, second] = steps;
    if (!second) {
      if (first.from === from) add(first.to, { kind, text, way, dies, then: null });
      continue;
    }
    if (found.get(first.to)?.some((choice) => choice.then === null && choice.kind === 'pull')) continue;
    if (kind === 'push') {
      if (second.from === from) add(first.from, { kind, text, way, dies, then: first.to });
      if (first.from === from) add(first.to, { kind, text, way, dies, then: second.from });
    } else if (second.from === from) add(second.to, { kind, text, way, dies, then: first.to });
  }
  return found;
}

/** The squares of all pieces that can be moved. @param {PositionView} view */
export function livelySquares(view) {
  return new Set(view.actions.flatMap((action) => action.steps.map((step) => step.from)));
}
