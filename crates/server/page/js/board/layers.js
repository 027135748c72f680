// The layers of a board, except for the pieces: squares, marks, paths, shapes, coordinates.

import { SQUARES, TRAPS } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { shapeElement } from './arrows.js';
import { coordinates } from './coordinates.js';
import { squareAt, squareToXY } from './geometry.js';
import { hintElements, tintElements } from './hints.js';
import { zoneElements } from './zones.js';

/** @import {BoardState, TargetKind} from './state.js' */

/** Radius of the dot on an empty target. @type {Partial<Record<TargetKind, number>>} */
const DOT_RADIUS = { ambiguous: 0.26, multistep: 0.09 };

/** What the marks below and above the pieces depend on. @type {(keyof BoardState)[]} */
const MARKS = ['selected', 'path'];
/** @type {(keyof BoardState)[]} */
const OVERLAY = ['frozen', 'pieces', 'highlighted', 'rings', 'targets', 'lossSquares', 'cursor'];

/** @param {(keyof BoardState)[]} keys @param {BoardState} state @param {BoardState} before */
const hasChanged = (keys, state, before) => keys.some((key) => state[key] !== before[key]);

/** @type {Record<string, string>} */
const HOME_RANKS = { g: '12', s: '78' };

export class Layers {
  /** @param {SVGElement} svg */
  constructor(svg) {
    this.squares = s('g', { class: 'squares' });
    this.coordinates = s('g', { class: 'coordinates' });
    this.lastTurn = s('g', { class: 'last-turn' });
    this.marks = s('g', { class: 'marks' });
    this.pieces = s('g', { class: 'pieces' });
    this.overlay = s('g', { class: 'overlay' });
    this.zone = s('g', { class: 'zone' });
    this.hints = s('g', { class: 'hints' });
    this.tints = s('g', { class: 'tints' });
    this.shapes = s('g', { class: 'shapes' });
    const below = [this.squares, this.tints, this.coordinates, this.lastTurn, this.marks];
    svg.append(...below, this.pieces, this.overlay, this.zone, this.hints, this.shapes);
    /** @type {BoardState | null} */
    this.state = null;
  }

  /** @param {number} x @param {number} y */
  squareAt(x, y) {
    return this.state ? squareAt(x, y, this.state) : null;
  }

  /** Redraws the layers whose state has changed. @param {BoardState} state @param {BoardState} before */
  show(state, before) {
    const turned = this.state === null || state.view !== before.view || state.flipped !== before.flipped;
    this.state = state;
    if (turned || state.homeSide !== before.homeSide) this.drawSquares(state);
    if (turned || state.coordinates !== before.coordinates) this.coordinates.replaceChildren(...coordinates(state));
    if (turned || state.lastTurn !== before.lastTurn) this.drawLastTurn(state);
    if (turned || state.shapes !== before.shapes) {
      this.shapes.replaceChildren(...state.shapes.map((shape) => shapeElement(shape, state)));
    }
    if (turned || state.zone !== before.zone) this.zone.replaceChildren(...zoneElements(state.zone, state));
    if (turned || state.hints !== before.hints) this.hints.replaceChildren(...hintElements(state.hints, state));
    if (turned || state.tints !== before.tints) this.tints.replaceChildren(...tintElements(state.tints, state));
    if (turned || hasChanged(MARKS, state, before)) this.drawMarks(state);
    if (turned || hasChanged(OVERLAY, state, before)) this.drawOverlay(state);
  }

  /** @param {BoardState} state */
  drawSquares(state) {
    const homeRanks = HOME_RANKS[state.homeSide ?? ''] ?? '';
    this.squares.replaceChildren(
      ...SQUARES.map((square) => {
        const { x, y } = squareToXY(square, state);
        const home = homeRanks.includes(square[1]) ? ' home' : '';
        const shade = (x + y) % 2 === 1 ? 'dark' : 'light';
        return tile(state, square, `square ${shade}${home}`, { 'data-square': square });
      }),
      ...TRAPS.map((square) => trapElement(state, square)),
    );
  }

  /** @param {BoardState} state */
  drawLastTurn(state) {
    const last = state.lastTurn.length - 1;
    this.lastTurn.replaceChildren(
      ...state.lastTurn.flatMap(({ from, to }, index) => {
        const [a, b] = [squareToXY(from, state), squareToXY(to, state)];
        return [
          tile(state, from, 'from'),
          tile(state, to, index === last ? 'to last' : 'to'),
          s('line', { x1: a.x + 0.5, y1: a.y + 0.5, x2: b.x + 0.5, y2: b.y + 0.5, class: 'path' }),
        ];
      }),
    );
  }

  /** Marks below the pieces. @param {BoardState} state */
  drawMarks(state) {
    const selected = state.selected ? [tile(state, state.selected, 'selected')] : [];
    const path = state.path.map((square) => tile(state, square, 'path-square'));
    this.marks.replaceChildren(...selected, ...path);
  }

  /** Marks above the pieces. @param {BoardState} state */
  drawOverlay(state) {
    const frozen = [...state.frozen].filter((square) => state.pieces[square] !== undefined);
    this.overlay.replaceChildren(
      ...[...state.highlighted].map((square) => outline(state, square, 0.04, { rx: 0.16, class: 'highlighted' })),
      ...[...state.rings].map((square) => outline(state, square, 0.05, { rx: 0.2, class: 'hanging' })),
      ...[...state.targets].map(([square, kind]) => targetElement(state, square, kind)),
      ...frozen.map((square) => frozenIcon(state, square)),
      ...[...state.lossSquares].map((square) => lossElement(state, square)),
      ...(state.cursor ? [outline(state, state.cursor, 0.03, { rx: 0.08, class: 'cursor' })] : []),
    );
  }
}

/** @param {BoardState} state @param {string} square @param {string} name @param {Record<string, string>} [attributes] */
function tile(state, square, name, attributes = {}) {
  const { x, y } = squareToXY(square, state);
  return s('rect', { x, y, width: 1, height: 1, class: name, ...attributes });
}

/** @param {BoardState} state @param {string} square @param {number} inset @param {Record<string, string | number>} attributes */
function outline(state, square, inset, attributes) {
  const { x, y } = squareToXY(square, state);
  const size = 1 - 2 * inset;
  return s('rect', { x: x + inset, y: y + inset, width: size, height: size, ...attributes });
}

/** @param {import('./geometry.js').Orientation} orientation @param {string} square */
export function trapElement(orientation, square) {
  const { x, y } = squareToXY(square, orientation);
  return s(
    'g',
    { class: 'trap' },
    s('rect', { x, y, width: 1, height: 1, class: 'trap-square' }),
    s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.33 }),
    s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.2 }),
  );
}

/** A dot on an empty target, a ring around a piece. @param {BoardState} state @param {string} square @param {TargetKind} kind */
function targetElement(state, square, kind) {
  if (state.pieces[square] !== undefined) return outline(state, square, 0.05, { rx: 0.2, class: `ring ${kind}` });
  const { x, y } = squareToXY(square, state);
  return s('circle', { cx: x + 0.5, cy: y + 0.5, r: DOT_RADIUS[kind] ?? 0.15, class: `dot ${kind}` });
}

/** @param {BoardState} state @param {string} square */
function lossElement(state, square) {
  const { x, y } = squareToXY(square, state);
  return s(
    'g',
    { class: 'loss-square', transform: `translate(${x} ${y})` },
    s('circle', { cx: 0.5, cy: 0.5, r: 0.44 }),
    s('path', { d: 'M.3 .3L.7 .7M.7 .3L.3 .7' }),
  );
}

/** A snowflake in the corner of the square. @param {BoardState} state @param {string} square */
function frozenIcon(state, square) {
  const corner = squareToXY(square, state);
  const [x, y] = [corner.x + 0.83, corner.y + 0.17];
  const arms = [0, 60, 120].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const [dx, dy] = [Math.cos(angle) * 0.11, Math.sin(angle) * 0.11];
    return `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`;
  });
  const background = s('circle', { cx: x, cy: y, r: 0.155 });
  return s('g', { class: 'frozen-icon' }, background, s('path', { d: arms.join('') }));
}
