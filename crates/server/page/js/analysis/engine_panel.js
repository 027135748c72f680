// The engine: switched on and off, with its lines, speed and options. It follows the position.

import { appInfo } from '../client.js';
import { sideOfTag } from '../model/notation.js';
import { announce, asSentence } from '../ui/announce.js';
import { button, fill, h, setPressed } from '../ui/dom.js';
import { turnHints } from './hints.js';
import { LineList } from './line_list.js';
import { formatProgress, formatScore, formatWin } from './score.js';
import { PositionSearch } from './search.js';
import { loadAnalysisSettings, saveAnalysisSettings } from './settings.js';

/** @import {AnalysisTurn, AnalysisUpdate, PlayedLine} from '../api.js' */
/** @import {Hint} from '../board/hints.js' */
/** @import {LineActions} from './line_list.js' */

/** The engine follows after a moment, while the user walks through a game. */
const FOLLOW_MS = 60;
/** The wait before a new attempt after the connection was lost. */
const RETRY_MS = 1000;

/** @type {[number | null, string][]} */
const LIMITS = [
  [null, 'no limit'],
  [100_000, '100,000'],
  [1_000_000, '1 million'],
  [10_000_000, '10 million'],
];

export class EnginePanel {
  settings = loadAnalysisSettings();
  /** @type {PlayedLine | null} */
  line = null;
  /** @type {AnalysisUpdate | null} */
  update = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** Whether the engine may not help now. */
  paused = false;

  /** @param {LineActions} actions @param {() => void} onChange is called when evaluation or arrows change */
  constructor(actions, onChange) {
    this.actions = actions;
    this.onChange = onChange;
    this.search = new PositionSearch(
      (update) => this.show(update),
      (message, isLost) => this.onError(message, isLost),
    );
    this.switch = button('Engine', () => this.toggle(), { title: 'Analyse with the engine (l)', kind: 'switch' });
    this.value = h('b', { class: 'engine-score' });
    this.progress = h('span', { class: 'engine-progress' });
    this.list = new LineList(actions);
    this.error = h('div', { class: 'engine-error', role: 'alert', hidden: true });
    this.options = h('details', { class: 'more engine-options' }, h('summary', {}, 'Options'));
    const head = h('div', { class: 'engine-head' }, this.switch, this.value, this.progress);
    this.element = h(
      'section',
      { class: 'engine', 'aria-label': 'Engine' },
      head,
      this.error,
      this.list.element,
      this.options,
    );
    this.showSwitch();
    appInfo().then(
      (info) => this.buildOptions(info.analysis),
      () => {},
    );
  }

  /** @param {import('../api.js').AnalysisLimits} limits */
  buildOptions(limits) {
    const { settings } = this;
    settings.threads = Math.min(settings.threads, limits.max_threads);
    settings.hash = Math.min(settings.hash, limits.max_hash);
    settings.lines = Math.min(settings.lines, limits.max_lines);
    const hashes = [16, 32, 64, 128, 256].filter((size) => size <= limits.max_hash);
    if (!hashes.includes(settings.hash)) hashes.push(settings.hash);
    const range = (/** @type {number} */ max) => Array.from({ length: max }, (_, index) => index + 1);
    const nodes = LIMITS.some(([limit]) => limit === settings.nodes)
      ? LIMITS
      : [...LIMITS, /** @type {[number, string]} */ ([settings.nodes, Number(settings.nodes).toLocaleString('en')])];
    const numbers = (/** @type {number[]} */ list, unit = '') => list.map((n) => [n, `${n}${unit}`]);
    fill(
      this.options,
      h('summary', {}, `Options (${limits.engine})`),
      h(
        'div',
        { class: 'engine-fields' },
        this.select('Lines', 'lines', numbers(range(limits.max_lines))),
        this.select('Threads', 'threads', numbers(range(limits.max_threads))),
        this.select('Hash', 'hash', numbers(hashes, ' MB')),
        this.select('Nodes', 'nodes', nodes),
      ),
    );
  }

  /** @param {string} label @param {'lines' | 'threads' | 'hash' | 'nodes'} key @param {any[][]} choices */
  select(label, key, choices) {
    const option = (/** @type {any[]} */ [value, text]) =>
      h('option', { value: String(value), selected: this.settings[key] === value }, text);
    const select = h('select', { id: `engine-${key}` }, ...choices.map(option));
    select.addEventListener('change', () => {
      /** @type {any} */ (this.settings)[key] = choices[select.selectedIndex][0];
      this.settingsChanged();
    });
    return h('label', { htmlFor: select.id }, h('span', {}, label), select);
  }

  settingsChanged() {
    saveAnalysisSettings(this.settings);
    this.restart();
  }

  get isOn() {
    return this.settings.enabled && !this.paused;
  }

  toggle() {
    this.settings.enabled = !this.settings.enabled;
    saveAnalysisSettings(this.settings);
    announce(this.settings.enabled ? 'Engine on' : 'Engine off');
    this.showSwitch();
    this.restart();
  }

  /** Hides the engine while the user is to find a turn. @param {boolean} paused */
  setPaused(paused) {
    if (paused === this.paused) return;
    this.paused = paused;
    this.showSwitch();
    this.restart();
  }

  showSwitch() {
    setPressed(this.switch, this.isOn);
    /** @type {HTMLButtonElement} */ (this.switch).disabled = this.paused;
    this.element.classList.toggle('on', this.isOn);
    this.list.element.hidden = !this.isOn;
  }

  /** @param {PlayedLine} line */
  setLine(line) {
    if (JSON.stringify(line) === JSON.stringify(this.line)) return;
    this.line = line;
    this.restart();
  }

  /** Analyses the present position from the start. */
  restart() {
    clearTimeout(this.timer);
    this.search.stop();
    this.update = null;
    this.error.hidden = true;
    this.progress.textContent = '';
    if (this.isOn) this.timer = setTimeout(() => this.start(), FOLLOW_MS);
    else {
      this.value.textContent = '';
      this.list.show([]);
    }
    this.onChange();
  }

  start() {
    if (!this.line || !this.isOn) return;
    const { lines, threads, hash, nodes } = this.settings;
    this.progress.textContent = 'Searching';
    this.search.start({ line: this.line, lines, threads, hash, nodes, threat: false });
  }

  /** @param {AnalysisUpdate} update */
  show(update) {
    this.element.dataset.state = update.state;
    if (update.state === 'failed') return this.showError(update.error ?? 'The engine failed');
    if (update.lines.length) this.update = update;
    const [best] = update.lines;
    this.progress.textContent = formatProgress(update);
    if (best) {
      this.value.textContent = formatScore(best.score, true);
      this.value.title = `${formatScore(best.score)}; gold wins with ${formatWin(best.gold_win)}`;
      this.list.show(update.lines);
    }
    this.onChange();
  }

  /** @param {string} message */
  showError(message) {
    this.element.dataset.state = 'failed';
    this.progress.textContent = '';
    fill(
      this.error,
      h('p', {}, asSentence(message)),
      button('Restart engine', () => this.restart()),
    );
    this.error.hidden = false;
  }

  /** @param {string} message @param {boolean} isLost whether the server is not reachable */
  onError(message, isLost) {
    if (!isLost) {
      this.list.show([]);
      this.value.textContent = '';
      this.progress.textContent = asSentence(message);
      return;
    }
    this.showError(message);
    this.timer = setTimeout(() => this.restart(), RETRY_MS);
  }

  /** The evaluation of the position, if the engine is on and has found one. */
  evaluation() {
    return (this.isOn && this.update?.lines[0]) || null;
  }

  /** The best turn, which completes the present one. @returns {AnalysisTurn | null} */
  bestTurn() {
    return this.evaluation()?.turns[0] ?? null;
  }

  /** @returns {Hint[]} */
  hints() {
    const turn = this.settings.arrows ? this.bestTurn() : null;
    return turn ? turnHints(turn.steps, sideOfTag(turn.tag), 'best') : [];
  }

  close() {
    clearTimeout(this.timer);
    this.search.close();
  }
}
