// What can be shown about a position besides the engine's lines: threats, tactics, and the evaluation in words.

import { fetchEvaluation, fetchTactics } from '../client.js';
import { abbreviateTurn, pieceName, sideName, sideOfTag } from '../model/notation.js';
import { asSentence } from '../ui/announce.js';
import { bringIntoView, button, fill, h, setPressed } from '../ui/dom.js';
import { turnHints } from './hints.js';
import { formatScore, formatWin } from './score.js';
import { PositionSearch } from './search.js';

/** @import {AnalysisTurn, EvaluationBreakdown, PlayedLine, PositionTactics, SideTactics, TacticalLine} from '../api.js' */
/** @import {Hint, Tint} from '../board/hints.js' */

/** The limit of the search for threats. */
const THREAT_NODES = 50_000;
/** Rabbits with a longer way are not drawn. */
const MAX_RUN = 5;

/** A section with a toggle button, which loads its content for each position. */
class View {
  open = false;
  request = 0;
  /** @type {PlayedLine | null} */
  line = null;
  /** What it draws. @type {Hint[]} */
  hints = [];
  /** @type {Tint[]} */
  tints = [];
  /** @type {Set<string>} */
  rings = new Set();

  /** @param {string} label @param {string} key @param {string} title @param {() => void} onChange */
  constructor(label, key, title, onChange) {
    this.onChange = onChange;
    this.toggleButton = button(label, () => this.toggle(), { title: `${title} (${key})` });
    setPressed(this.toggleButton, false);
    this.element = h('section', {
      class: `study ${label.toLowerCase()}`,
      tabIndex: 0,
      hidden: true,
      'aria-label': title,
    });
  }

  toggle() {
    this.open = !this.open;
    setPressed(this.toggleButton, this.open);
    this.element.hidden = !this.open;
    this.refresh().then(() => this.open && bringIntoView(this.element));
  }

  /** @param {PlayedLine} line */
  setLine(line) {
    if (JSON.stringify(line) === JSON.stringify(this.line)) return;
    this.line = line;
    if (this.open) this.refresh();
  }

  clear() {
    this.hints = [];
    this.tints = [];
    this.rings = new Set();
  }

  async refresh() {
    const request = ++this.request;
    this.clear();
    if (!this.open || !this.line) this.stop();
    else {
      try {
        await this.load(this.line, () => request === this.request);
      } catch (error) {
        if (request !== this.request) return;
        fill(this.element, h('p', { class: 'hint' }, asSentence(/** @type {Error} */ (error).message)));
      }
    }
    if (request === this.request) this.onChange();
  }

  /** @param {PlayedLine} _line @param {() => boolean} _isCurrent @returns {Promise<void>} */
  async load(_line, _isCurrent) {}

  stop() {}

  close() {
    this.request++;
    this.stop();
  }
}

/** What the other side would do if it were to move. */
export class ThreatView extends View {
  /** @param {() => void} onChange */
  constructor(onChange) {
    super('Threat', 'x', 'What the other side would do now', onChange);
    this.search = new PositionSearch(
      (update) => {
        if (update.state === 'failed') return this.message(update.error ?? 'The engine failed');
        const [line] = update.lines;
        if (line?.turns[0]) this.show(line.turns[0], line.score, update.state === 'done');
      },
      (message) => this.message(message),
    );
  }

  /** @param {PlayedLine} line */
  async load(line) {
    this.message('Searching');
    this.search.start({ line, lines: 1, threads: 1, hash: 16, nodes: THREAT_NODES, threat: true });
  }

  /** @param {string} text */
  message(text) {
    this.element.dataset.done = 'false';
    fill(this.element, h('p', { class: 'hint' }, asSentence(text)));
  }

  /** @param {AnalysisTurn} turn @param {string} score @param {boolean} isDone */
  show({ tag, steps }, score, isDone) {
    const side = sideOfTag(tag);
    this.hints = turnHints(steps, side, 'threat');
    this.element.dataset.done = String(isDone);
    fill(
      this.element,
      h(
        'p',
        {},
        `If it were to move, ${sideName(side)} would play `,
        h('b', {}, abbreviateTurn(steps)),
        ` (${formatScore(score)}).`,
      ),
    );
    this.onChange();
  }

  stop() {
    this.search.stop();
  }

  close() {
    super.close();
    this.search.close();
  }
}

/** Goals and captures of both sides, hanging pieces, rabbits and traps. */
export class TacticsView extends View {
  /** The drawings of the whole view, while no line is pointed at. @type {Hint[]} */
  allHints = [];

  /** @param {() => void} onChange */
  constructor(onChange) {
    super('Tactics', 't', 'Goals, captures, rabbits and traps', onChange);
    this.element.addEventListener('pointerleave', () => this.point(null));
  }

  /** @param {PlayedLine} line @param {() => boolean} isCurrent */
  async load(line, isCurrent) {
    const tactics = await fetchTactics(line);
    if (isCurrent()) this.show(tactics);
  }

  /** @param {PositionTactics} tactics */
  show({ sides, traps }) {
    for (const { square, side } of traps) {
      if (side) this.tints.push({ square, side: side === 'g' ? 'gold' : 'silver' });
    }
    this.rings = new Set(sides.flatMap(({ captures }) => captures.map(({ piece }) => piece.square)));
    this.allHints = sides.flatMap(({ rabbits }) =>
      rabbits.filter(({ path }) => path.length <= MAX_RUN + 1).flatMap(runHints),
    );
    this.hints = this.allHints;
    const guards = traps.map(({ square, gold, silver, side }) => {
      const owner = side ? sideName(side) : 'even';
      return h('li', {}, h('b', {}, square), ` ${owner} ${gold} : ${silver}`);
    });
    fill(
      this.element,
      ...sides.map((side) => this.section(side)),
      h('h2', {}, 'Traps and their guards, gold : silver'),
      h('ul', { class: 'traps' }, ...guards),
    );
  }

  /** @param {SideTactics} tactics */
  section({ side, steps, goal, captures, rabbits }) {
    const name = sideName(side);
    const items = [];
    if (goal) items.push(this.row(`${name} reaches goal`, goal, side));
    for (const { piece, trap, line } of captures) {
      items.push(this.row(`${pieceName(piece.piece)} on ${piece.square} is lost in ${trap}`, line, side));
    }
    for (const { path, frozen } of rabbits.filter((run) => run.path.length <= MAX_RUN + 1)) {
      const count = path.length - 1;
      const text = `Rabbit ${path[0]}: ${count === 1 ? '1 step' : `${count} steps`} to ${path.at(-1)}${frozen ? ', frozen' : ''}`;
      items.push(h('p', { class: 'tactic' }, text));
    }
    if (items.length === 0) items.push(h('p', { class: 'tactic none' }, 'No goal and no capture.'));
    const title = `${name} with ${steps === 1 ? '1 step' : `${steps} steps`}`;
    return h('div', {}, h('h2', {}, title), ...items);
  }

  /** @param {string} text @param {TacticalLine} line @param {string} side */
  row(text, line, side) {
    const hints = turnHints(line.steps, side, 'tactic');
    const label = text.charAt(0).toUpperCase() + text.slice(1);
    const row = h('button', { type: 'button', class: 'tactic' }, label, h('small', {}, abbreviateTurn(line.steps)));
    row.addEventListener('pointerenter', () => this.point(hints));
    row.addEventListener('focus', () => this.point(hints));
    row.addEventListener('click', () => this.point(hints));
    return row;
  }

  /** Draws one line, or everything. @param {Hint[] | null} hints */
  point(hints) {
    this.hints = hints ?? this.allHints;
    this.onChange();
  }
}

/** @param {{path: string[]}} run @returns {Hint[]} */
function runHints({ path }) {
  return path.slice(1).map((to, index) => ({ from: path[index], to, colour: 'run', label: '', isDisplaced: false }));
}

/** The static evaluation of both sides. */
export class EvaluationView extends View {
  /** @param {() => void} onChange */
  constructor(onChange) {
    super('Evaluation', 'v', 'The evaluation of both sides in words and numbers', onChange);
  }

  /** @param {PlayedLine} line @param {() => boolean} isCurrent */
  async load(line, isCurrent) {
    const breakdown = await fetchEvaluation(line);
    if (isCurrent()) this.show(breakdown);
  }

  /** @param {EvaluationBreakdown} breakdown */
  show({ score, gold_win, text, parts }) {
    const rabbits = (/** @type {number} */ value) => formatScore(String(value));
    const rows = parts.map((part) => {
      const difference = part.gold - part.silver;
      const lead = difference > 0 ? 'gold' : difference < 0 ? 'silver' : '';
      return h(
        'tr',
        {},
        h('th', { scope: 'row', title: part.description }, part.name, h('small', {}, part.text)),
        h('td', {}, rabbits(part.gold)),
        h('td', {}, rabbits(part.silver)),
        h('td', { class: `lead ${lead}` }, rabbits(difference)),
      );
    });
    const head = ['', 'Gold', 'Silver', 'Sum'].map((label) => (label ? h('th', { scope: 'col' }, label) : h('td', {})));
    fill(
      this.element,
      h('p', {}, text, ' ', h('small', {}, `${rabbits(score)}, gold ${formatWin(gold_win)}`)),
      h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows)),
      h(
        'p',
        { class: 'hint' },
        'In rabbits, before any search. Captures and goals that a search would find are not included.',
      ),
    );
  }
}
