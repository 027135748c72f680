// All that a board shows; plain data.

/** @import {Board} from '../model/notation.js' */
/** @import {Seen} from './geometry.js' */
/** @import {Trajectory} from '../api.js' */

/** @typedef {'step' | 'far' | 'fatal' | 'push' | 'pull' | 'choice'} TargetKind */
/** @typedef {{from: string, to: string, colour: string}} Shape a circle where both squares are the same */

/**
 * @typedef {Seen & {
 *   pieces: Board,
 *   selected: string | null,
 *   cursor: string | null,
 *   targets: Map<string, TargetKind>,
 *   way: string[],
 *   dangers: Set<string>,
 *   frozen: Set<string>,
 *   lively: Set<string>,
 *   asked: Set<string>,
 *   trail: {from: string, to: string}[],
 *   fallen: string[],
 *   shapes: Shape[],
 *   zone: Trajectory[],
 *   home: string | null,
 *   coordinates: 'none' | 'traps' | 'all',
 *   art: 'animals' | 'letters',
 *   pips: boolean,
 *   stepTime: number,
 * }} BoardState
 */

/** @returns {BoardState} */
export function emptyState() {
  return {
    view: 'upright',
    flipped: false,
    pieces: {},
    selected: null,
    cursor: null,
    targets: new Map(),
    way: [],
    dangers: new Set(),
    frozen: new Set(),
    lively: new Set(),
    asked: new Set(),
    trail: [],
    fallen: [],
    shapes: [],
    zone: [],
    home: null,
    coordinates: 'all',
    art: 'animals',
    pips: false,
    stepTime: 190,
  };
}
