// The state of a board; plain data.

/** @import {Trajectory} from '../api.js' */
/** @import {Board} from '../model/notation.js' */
/** @import {Shape} from '../model/shapes.js' */
/** @import {Orientation} from './geometry.js' */
/** @import {Hint, Tint} from './hints.js' */

/** @typedef {'step' | 'multistep' | 'losing' | 'push' | 'pull' | 'ambiguous'} TargetKind */

/**
 * @typedef {Orientation & {
 *   pieces: Board,
 *   selected: string | null,
 *   cursor: string | null,
 *   targets: Map<string, TargetKind>,
 *   path: string[],
 *   lossSquares: Set<string>,
 *   frozen: Set<string>,
 *   movable: Set<string>,
 *   highlighted: Set<string>,
 *   lastTurn: {from: string, to: string}[],
 *   captured: string[],
 *   shapes: Shape[],
 *   zone: Trajectory[],
 *   hints: Hint[],
 *   tints: Tint[],
 *   rings: Set<string>,
 *   homeSide: string | null,
 *   coordinates: 'none' | 'traps' | 'all',
 *   pieceSet: 'animals' | 'letters',
 *   pips: boolean,
 *   stepDuration: number,
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
    path: [],
    lossSquares: new Set(),
    frozen: new Set(),
    movable: new Set(),
    highlighted: new Set(),
    lastTurn: [],
    captured: [],
    shapes: [],
    zone: [],
    hints: [],
    tints: [],
    rings: new Set(),
    homeSide: null,
    coordinates: 'all',
    pieceSet: 'animals',
    pips: false,
    stepDuration: 190,
  };
}
