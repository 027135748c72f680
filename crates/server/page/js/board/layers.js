// Everything of a board but its pieces: squares, marks, ways, arrows, coordinates.

import { FILES, SQUARES, TRAPS } from '../model/notation.js';
import { s } from '../ui/dom.js';
import { arrow } from './arrows.js';
import { placeOf, squareAt } from './geometry.js';
import { zoneMarks } from './zones.js';

/** @import {BoardState} from './state.js' */

export class Layers {
  /** @param {SVGElement} svg */
  constructor(svg) {
    this.squares = s('g', { class: 'squares' });
    this.trail = s('g', { class: 'trail' });
    this.marks = s('g', { class: 'marks' });
    this.pieces = s('g', { class: 'pieces' });
    this.above = s('g', { class: 'above' });
    this.shapes = s('g', { class: 'shapes' });
    this.zone = s('g', { class: 'zone' });
    this.names = s('g', { class: 'names' });
    svg.append(this.squares, this.names, this.trail, this.marks, this.pieces, this.above, this.zone, this.shapes);
    /** @type {BoardState | null} */
    this.state = null;
  }

  /** @param {number} x @param {number} y */
  squareAt(x, y) {
    return this.state ? squareAt(x, y, this.state) : null;
  }

  /** @param {BoardState} state @param {BoardState} before */
  show(state, before) {
    const first = this.state === null;
    this.state = state;
    const turned = first || state.view !== before.view || state.flipped !== before.flipped;
    if (turned || state.coordinates !== before.coordinates || state.home !== before.home) this.drawGround(state);
    if (turned || state.trail !== before.trail) this.drawTrail(state);
    if (turned || state.shapes !== before.shapes) this.drawShapes(state);
    if (turned || state.zone !== before.zone) this.zone.replaceChildren(...zoneMarks(state.zone, state));
    this.drawMarks(state);
  }

  /** @param {BoardState} state */
  drawGround(state) {
    this.squares.replaceChildren(
      ...SQUARES.map((square) => {
        const { x, y } = placeOf(square, state);
        const dark = (x + y) % 2 === 1 ? 'dark' : 'light';
        const home = state.home && (state.home === 'g' ? '12' : '78').includes(square[1]) ? ' home' : '';
        return s('rect', { x, y, width: 1, height: 1, class: `square ${dark}${home}`, 'data-at': square });
      }),
      ...TRAPS.map((square) => {
        const { x, y } = placeOf(square, state);
        return s(
          'g',
          { class: 'trap' },
          s('rect', { x, y, width: 1, height: 1, class: 'pit' }),
          s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.33 }),
          s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.2 }),
        );
      }),
    );
    this.names.replaceChildren(...this.coordinates(state));
  }

  /** @param {BoardState} state */
  coordinates(state) {
    if (state.coordinates === 'none') return [];
    /** @type {SVGElement[]} */
    const texts = [];
    /** @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
    const write = (x, y, text, anchor = 'start') => {
      const element = s('text', { x, y, 'text-anchor': anchor });
      element.textContent = text;
      texts.push(element);
    };
    if (state.coordinates === 'traps') {
      for (const square of TRAPS) {
        const { x, y } = placeOf(square, state);
        write(x + 0.06, y + 0.22, square);
      }
      return texts;
    }
    for (let index = 0; index < 8; index++) {
      const file = placeOf(`${FILES[index]}1`, state);
      const rank = placeOf(`a${index + 1}`, state);
      const upright = state.view === 'upright';
      if (upright) {
        write(file.x + 0.95, 7.95, FILES[index], 'end');
        write(0.05, rank.y + 0.2, String(index + 1));
      } else {
        write(0.05, file.y + 0.2, FILES[index]);
        write(rank.x + 0.95, 7.95, String(index + 1), 'end');
      }
    }
    return texts;
  }

  /** @param {BoardState} state */
  drawTrail(state) {
    this.trail.replaceChildren(
      ...state.trail.flatMap(({ from, to }, index) => {
        const [a, b] = [placeOf(from, state), placeOf(to, state)];
        const last = index === state.trail.length - 1;
        return [
          s('rect', { x: a.x, y: a.y, width: 1, height: 1, class: 'left' }),
          s('rect', { x: b.x, y: b.y, width: 1, height: 1, class: last ? 'come last' : 'come' }),
          s('line', { x1: a.x + 0.5, y1: a.y + 0.5, x2: b.x + 0.5, y2: b.y + 0.5, class: 'path' }),
        ];
      }),
    );
  }

  /** @param {BoardState} state */
  drawMarks(state) {
    /** @type {SVGElement[]} */
    const marks = [];
    /** @type {SVGElement[]} */
    const above = [];
    /** @param {SVGElement[]} list @param {string} square @param {string} name */
    const tile = (list, square, name) => {
      const { x, y } = placeOf(square, state);
      list.push(s('rect', { x, y, width: 1, height: 1, class: name }));
    };
    if (state.selected) tile(marks, state.selected, 'selected');
    for (const square of state.way) tile(marks, square, 'way');
    for (const square of state.asked) {
      const { x, y } = placeOf(square, state);
      above.push(s('rect', { x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.16, class: 'asked' }));
    }
    for (const [square, kind] of state.targets) {
      const { x, y } = placeOf(square, state);
      const taken = state.pieces[square] !== undefined;
      above.push(
        taken
          ? s('rect', { x: x + 0.05, y: y + 0.05, width: 0.9, height: 0.9, rx: 0.2, class: `ring ${kind}` })
          : s('circle', { cx: x + 0.5, cy: y + 0.5, r: kind === 'choice' ? 0.26 : kind === 'far' ? 0.09 : 0.15, class: `dot ${kind}` }),
      );
    }
    for (const square of state.frozen) {
      if (state.pieces[square] === undefined) continue;
      const { x, y } = placeOf(square, state);
      above.push(flake(x + 0.83, y + 0.17));
    }
    for (const square of state.dangers) {
      const { x, y } = placeOf(square, state);
      above.push(
        s(
          'g',
          { class: 'danger', transform: `translate(${x} ${y})` },
          s('circle', { cx: 0.5, cy: 0.5, r: 0.44 }),
          s('path', { d: 'M.3 .3L.7 .7M.7 .3L.3 .7' }),
        ),
      );
    }
    if (state.cursor) {
      const { x, y } = placeOf(state.cursor, state);
      above.push(s('rect', { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.08, class: 'cursor' }));
    }
    this.marks.replaceChildren(...marks);
    this.above.replaceChildren(...above);
  }

  /** @param {BoardState} state */
  drawShapes(state) {
    this.shapes.replaceChildren(
      ...state.shapes.map(({ from, to, colour }) => {
        const [a, b] = [placeOf(from, state), placeOf(to, state)];
        if (from === to) return s('circle', { cx: a.x + 0.5, cy: a.y + 0.5, r: 0.44, class: `circle ${colour}` });
        return arrow(a, b, colour);
      }),
    );
  }
}

/** A snow crystal beside a frozen piece. @param {number} x @param {number} y */
function flake(x, y) {
  const r = 0.11;
  const arms = [0, 60, 120]
    .map((degrees) => {
      const [dx, dy] = [Math.cos((degrees * Math.PI) / 180) * r, Math.sin((degrees * Math.PI) / 180) * r];
      return `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`;
    })
    .join('');
  return s('g', { class: 'flake' }, s('circle', { cx: x, cy: y, r: 0.155 }), s('path', { d: arms }));
}
