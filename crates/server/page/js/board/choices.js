// What a hand can do with a piece, out of the actions that came with the position.

import { sideOf } from '../model/notation.js';

/** @import {View} from '../api.js' */
/** @import {TargetKind} from './state.js' */

/**
 * One thing that can be done: its steps as text, the squares on the way, what dies. `then` is the square that tells it
 * from others with the same target.
 * @typedef {{kind: TargetKind, text: string, way: string[], dies: string[], then: string | null}} Choice
 */

/** @param {string} step */
const fromOf = (step) => step.slice(1, 3);

/** @param {string} step */
function toOf(step) {
  const [file, rank, way] = [step.charCodeAt(1), Number(step[2]), step[3]];
  const x = way === 'e' ? 1 : way === 'w' ? -1 : 0;
  const y = way === 'n' ? 1 : way === 's' ? -1 : 0;
  return String.fromCharCode(file + x) + (rank + y);
}

/** The squares that a piece comes over. @param {string} from @param {string} path */
function squaresOf(from, path) {
  const squares = [];
  let step = `?${from}`;
  for (const way of path) {
    const to = toOf(step + way);
    squares.push(to);
    step = `?${to}`;
  }
  return squares;
}

/**
 * Everything that can be done with the piece on a square: by target, each with its choices.
 * @param {View} view
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
  const squares = view.actions.find((action) => action.steps.some((step) => fromOf(step) === from));
  const letter = squares?.steps.find((step) => fromOf(step) === from)?.[0] ?? '';
  for (const { from: start, to, path, loses } of view.ways) {
    if (start !== from) continue;
    const dies = loses.map((token) => token.slice(1));
    add(to, { kind: 'step', text: `${letter}${from}${path}`, way: squaresOf(from, path), dies, then: null });
  }
  // What finishes a push or pull comes first: it is what the hand is about.
  const actions = [...view.actions].sort((a, b) => a.steps.length - b.steps.length);
  for (const { kind, steps, captures } of actions) {
    if (kind === 'step') continue;
    const text = steps.join(' ');
    const dies = captures.filter((token) => sideOf(token[0]) === view.side).map((token) => token.slice(1));
    const way = steps.map(toOf);
    const [first, second] = steps;
    if (!second) {
      if (fromOf(first) === from) add(toOf(first), { kind, text, way, dies, then: null });
      continue;
    }
    if (found.get(toOf(first))?.some((choice) => choice.then === null && choice.kind === 'pull')) continue;
    if (kind === 'push') {
      if (fromOf(second) === from) add(fromOf(first), { kind, text, way, dies, then: toOf(first) });
      if (fromOf(first) === from) add(toOf(first), { kind, text, way, dies, then: fromOf(second) });
    } else if (fromOf(second) === from) add(toOf(second), { kind, text, way, dies, then: toOf(first) });
  }
  return found;
}

/** The squares of all pieces that can be moved. @param {View} view */
export function livelySquares(view) {
  return new Set(view.actions.flatMap((action) => action.steps.map(fromOf)));
}
