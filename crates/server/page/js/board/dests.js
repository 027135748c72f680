// The destinations of a piece, computed from the actions that come with the position.

import { formatSteps, pathSquares, sideOf } from '../model/notation.js';

/** @import {LegalAction, PositionView} from '../api.js' */
/** @import {TargetKind} from './state.js' */

/**
 * One possible action: its steps as text, the squares on its path, and the squares on which own pieces are lost. The
 * disambiguator is the square that distinguishes it from other actions with the same target.
 * @typedef {{
 *   kind: TargetKind,
 *   text: string,
 *   path: string[],
 *   losses: string[],
 *   disambiguator: string | null,
 * }} Dest
 */

/**
 * All destinations of the piece on a square, by target.
 * @param {PositionView} position
 * @param {string} from
 * @returns {Map<string, Dest[]>}
 */
export function destsOf(position, from) {
  /** @type {Map<string, Dest[]>} */
  const dests = new Map();
  /** @param {string} target @param {Dest} dest */
  const add = (target, dest) => {
    const existing = dests.get(target) ?? [];
    if (existing.some((other) => other.disambiguator === dest.disambiguator)) return;
    dests.set(target, [...existing, dest]);
  };
  const steps = position.actions.flatMap((action) => action.steps);
  const piece = steps.find((step) => step.from === from)?.piece ?? '';
  for (const { from: start, to, path, losses } of position.paths) {
    if (start !== from) continue;
    const text = `${piece}${from}${path}`;
    const lossSquares = losses.map((loss) => loss.square);
    add(to, { kind: 'step', text, path: pathSquares(from, path), losses: lossSquares, disambiguator: null });
  }
  // An action that completes a pending push or pull comes before all others.
  const actions = [...position.actions].sort((a, b) => a.steps.length - b.steps.length);
  for (const action of actions) {
    if (action.kind === 'step') continue;
    const completesPull = dests
      .get(action.steps[0].to)
      ?.some((dest) => dest.disambiguator === null && dest.kind === 'pull');
    if (completesPull) continue;
    for (const [target, disambiguator] of targetsOf(action, from)) {
      add(target, { ...describe(action, position.side), disambiguator });
    }
  }
  return dests;
}

/**
 * The targets at which dropping the piece means this push or pull, each with its disambiguator.
 * @param {LegalAction} action
 * @param {string} from
 * @returns {[string, string | null][]}
 */
function targetsOf({ kind, steps: [first, second] }, from) {
  if (!second) return first.from === from ? [[first.to, null]] : [];
  if (kind === 'pull') return second.from === from ? [[second.to, first.to]] : [];
  /** @type {[string, string | null][]} */
  const targets = [];
  if (second.from === from) targets.push([first.from, first.to]);
  if (first.from === from) targets.push([first.to, second.from]);
  return targets;
}

/** @param {LegalAction} action @param {string} side */
function describe({ kind, steps }, side) {
  const losses = steps.flatMap(({ captured }) =>
    captured && sideOf(captured.piece) === side ? [captured.square] : [],
  );
  return { kind, text: formatSteps(steps), path: steps.map((step) => step.to), losses };
}

/** The squares of all pieces that can be moved. @param {PositionView} position */
export function movableSquares(position) {
  return new Set(position.actions.flatMap((action) => action.steps.map((step) => step.from)));
}

/** The squares of the pieces that can complete a pending push or pull. @param {PositionView} position */
export function forcedPieces(position) {
  if (!position.push_to && !position.pull_to) return new Set(/** @type {string[]} */ ([]));
  return new Set(completions(position).map((action) => action.steps[0].from));
}

/** The action of a piece that completes a pending push or pull. @param {PositionView} position @param {string} square */
export function completionOf(position, square) {
  return completions(position).find((action) => action.steps[0].from === square);
}

/** @param {PositionView} position */
function completions(position) {
  return position.actions.filter((action) => action.steps.length === 1 && action.kind !== 'step');
}
