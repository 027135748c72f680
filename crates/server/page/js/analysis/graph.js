// The win probability over a game as a graph. A click goes to the turn.

import { h, s } from '../ui/dom.js';
import { formatScore, formatWin } from './score.js';

/** @import {AnalysedPosition, GameReport} from '../api.js' */

/** The coordinates of the graph: a unit for each position, 100 for certainty. */
const HEIGHT = 100;

/** The x of a position, in positions; at the end of a finished game there is none, and it is on the edge. @param {number} index @param {number} width */
export function graphX(index, width) {
  return Math.min(index + 0.5, width);
}

/**
 * The outline of an area below a graph, from the left edge to half a turn after the last point.
 * @param {{x: number, win: number}[]} points
 * @param {number} width
 * @returns {string}
 */
export function areaPath(points, width) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const y = (/** @type {number} */ win) => ((1 - win) * HEIGHT).toFixed(2);
  const [start, end] = [first.x - 0.5, Math.min(last.x + 0.5, width)];
  const line = points.map(({ x, win }) => `L${x} ${y(win)}`).join('');
  return `M${start} ${HEIGHT}L${start} ${y(first.win)}${line}L${end} ${y(last.win)}L${end} ${HEIGHT}Z`;
}

export class EvaluationGraph {
  /** @type {AnalysedPosition[]} */
  positions = [];
  width = 1;
  /** The number of turns before the first position. */
  first = 0;

  /** @param {(played: number) => void} onSelect is called with the number of turns before the selected position */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.background = s('path', { class: 'background' });
    this.area = s('path', { class: 'area' });
    this.middle = s('line', { class: 'middle', x1: 0, y1: HEIGHT / 2, x2: 1, y2: HEIGHT / 2 });
    this.svg = s(
      'svg',
      { preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      this.background,
      this.area,
      this.middle,
    );
    this.marks = h('div', { class: 'graph-marks', 'aria-hidden': 'true' });
    this.marker = h('i', { class: 'marker', hidden: true });
    this.tip = h('span', { class: 'graph-tip', hidden: true });
    const attributes = {
      class: 'graph',
      role: 'slider',
      tabIndex: 0,
      'aria-label': 'Win probability by turn',
      'aria-valuemin': '0',
      hidden: true,
    };
    this.element = h('div', attributes, this.svg, this.marks, this.marker, this.tip);
    this.element.addEventListener('click', (event) => this.onSelect(this.playedAt(event)));
    this.element.addEventListener('pointermove', (event) => this.showTip(this.playedAt(event)));
    this.element.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
    });
    this.element.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** @param {AnalysedPosition[]} positions @param {number} total @param {boolean} isOver whether the last position is the end of the game @param {GameReport | null} report */
  setPositions(positions, total, isOver, report) {
    this.positions = positions;
    this.width = Math.max(1, total - Number(isOver));
    this.first = positions[0]?.played ?? 0;
    this.element.hidden = positions.length < 2;
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${HEIGHT}`);
    this.middle.setAttribute('x2', String(this.width));
    const points = positions.map(({ played, gold_win }) => ({
      x: graphX(played - this.first, this.width),
      win: gold_win,
    }));
    this.area.setAttribute('d', areaPath(points, this.width));
    const full = points.map(({ x }) => ({ x, win: 1 }));
    this.background.setAttribute('d', areaPath(full, this.width));
    const judged = (report?.turns ?? []).filter(({ verdict }) => verdict === 'mistake' || verdict === 'blunder');
    this.marks.replaceChildren(
      ...judged.map(({ played, verdict }) => {
        const after = positions.find((position) => position.played === played + 1);
        const dot = h('i', { class: verdict ?? '' });
        dot.style.left = this.left(played + 1);
        dot.style.top = `${(1 - (after?.gold_win ?? 0.5)) * 100}%`;
        return dot;
      }),
    );
    this.element.setAttribute('aria-valuemin', String(this.first));
    this.element.setAttribute('aria-valuemax', String(positions.at(-1)?.played ?? 0));
  }

  /** @param {number} played */
  left(played) {
    return `${(100 * graphX(played - this.first, this.width)) / this.width}%`;
  }

  /** Marks the shown position. @param {number} played the turns before it, or -1 if it is not in the graph */
  mark(played) {
    const position = this.positions.find((candidate) => candidate.played === played);
    this.marker.hidden = !position;
    if (!position) return;
    this.marker.style.left = this.left(played);
    this.element.setAttribute('aria-valuenow', String(played));
    this.element.setAttribute('aria-valuetext', describe(position));
  }

  /** @param {{clientX: number}} event */
  playedAt({ clientX }) {
    const { left, width } = this.element.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * this.width);
    const last = this.positions.at(-1)?.played ?? 0;
    return Math.max(this.first, Math.min(last, this.first + index));
  }

  /** @param {number} played */
  showTip(played) {
    const position = this.positions.find((candidate) => candidate.played === played);
    this.tip.hidden = !position;
    if (!position) return;
    this.tip.textContent = describe(position);
    this.tip.style.left = this.left(played);
    this.tip.classList.toggle('right', (played - this.first) * 2 > this.width);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const now = Number(this.element.getAttribute('aria-valuenow') ?? this.first);
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      Home: this.first,
      End: this.positions.at(-1)?.played ?? 0,
    };
    const target = targets[event.key];
    if (target === undefined || !this.positions.some(({ played }) => played === target)) return;
    event.preventDefault();
    event.stopPropagation();
    this.onSelect(target);
  }
}

/** @param {AnalysedPosition} position */
function describe({ tag, score, gold_win }) {
  return `${tag}: ${formatScore(score)}, gold ${formatWin(gold_win)}`;
}
