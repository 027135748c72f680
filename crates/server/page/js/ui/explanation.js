// The explanation of a position: one remark with its line and best answer on the board, everything else on request.

import { fetchExplanation } from '../client.js';
import { bus } from '../model/bus.js';
import { formatBoard } from '../model/notation.js';
import { loadItem, saveItem } from '../model/settings.js';
import { announce, asSentence } from './announce.js';
import { bringIntoView, button, fill, h, icon, setPressed } from './dom.js';
import { LinePlayer, lineArrows } from './line_player.js';
import { markExplained, newTerms, termList } from './terms.js';

/** @import {Explanation, Remark, Trajectory} from '../api.js' */
/** @import {ShownPosition} from '../model/events.js' */
/** @import {Board} from '../model/notation.js' */
/** @import {Part} from './line_player.js' */

const TITLE = 'Explain what you can do, what threatens, and the last turn (w)';
const ZONE_NOTE =
  'A zone illustrates an attack: straight lines are the attack and its target, arcs the pieces that can intercept (blue) ' +
  'or support (green) in time. The numbers are the steps left for it.';
/** A walk through a game asks for the explanation of the position at which it stops. */
const DELAY_MS = 120;
const OPEN_KEY = 'surus.explanation';

export class ExplanationPanel {
  open = false;
  requestId = 0;
  /** @type {ShownPosition | null} */
  position = null;
  /** @type {Explanation | null} */
  explanation = null;
  /** The selected remark and its selected answer. @type {Remark | null} */
  remark = null;
  answerIndex = 0;
  showsZone = false;
  /** What to draw on the shown position. @type {Trajectory[]} */
  zone = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  constructor() {
    this.element = h('section', { class: 'explanation', hidden: true, 'aria-label': 'Explanation' });
    this.toggleButton = button('Explain', () => this.toggle(), { title: TITLE });
    setPressed(this.toggleButton, false);
    this.player = new LinePlayer(
      (drawing) => bus.emit('remark', drawing),
      () => this.showControls(),
    );
    this.events = bus.scope();
    this.events.on('position', (position) => this.onPosition(position));
    // A preview of another panel replaces the line on the board.
    this.events.on('preview', (turn) => turn && this.player.abandon());
  }

  /** @param {ShownPosition | null} position */
  onPosition(position) {
    const isSame = JSON.stringify(position) === JSON.stringify(this.position);
    this.position = position;
    if (isSame || !this.open) return;
    this.requestId++;
    this.zone = [];
    this.player.setParts([]);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(false), DELAY_MS);
  }

  toggle() {
    if (this.open) this.hide();
    else this.show();
  }

  async show() {
    if (!this.position) return;
    this.open = true;
    setPressed(this.toggleButton, true);
    await this.load(true);
  }

  /** Loads the explanation of the shown position. @param {boolean} isNew whether the panel has just been opened */
  async load(isNew) {
    if (!this.position) return this.showMessage('there is nothing to explain yet');
    const request = ++this.requestId;
    try {
      const explanation = await fetchExplanation(this.position.line);
      if (request !== this.requestId) return;
      this.explanation = explanation;
      const [first] = [...explanation.position, ...explanation.turn];
      this.select(first ?? null, 0);
      if (first && isNew) announce(`${first.text} ${first.response}`);
      if (isNew) {
        bringIntoView(this.element);
        this.player.play();
      }
    } catch (error) {
      if (request === this.requestId) this.showMessage(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text */
  showMessage(text) {
    this.explanation = this.remark = null;
    this.player.setParts([]);
    this.zone = [];
    fill(this.element, h('p', { class: 'hint' }, asSentence(text)));
    this.element.hidden = false;
  }

  /** Shows a remark with one of its answers. @param {Remark | null} remark @param {number} answerIndex */
  select(remark, answerIndex) {
    if (this.remark) markExplained(newTerms(textOf(this.remark)));
    if (this.remark !== remark) this.showsZone = false;
    this.remark = remark;
    this.answerIndex = answerIndex;
    this.player.stop();
    this.player.setParts(this.parts());
    this.render();
    this.drawAtRest();
  }

  /** The line and the selected answer. @returns {Part[]} */
  parts() {
    const { remark } = this;
    if (!remark?.line) return [];
    const other = remark.side === 'g' ? 's' : 'g';
    const answer = remark.answers[this.answerIndex];
    /** @type {Part[]} */
    const parts = [{ role: 'line', side: remark.side, line: remark.line }];
    if (answer) parts.push({ role: 'answer', side: other, line: answer.line });
    return parts;
  }

  /** Draws the line and the answer, or the zone, as far as they belong to the shown position. */
  drawAtRest() {
    const { remark, explanation } = this;
    if (!remark || !explanation) return;
    // What a turn has done belongs to the board before it.
    const isHere = (/** @type {string} */ board) => board === explanation.board;
    if (this.showsZone) this.zone = isHere(remark.board) ? remark.zone : [];
    else this.zone = this.parts().flatMap((part) => (isHere(part.line.board) ? lineArrows(part) : []));
    if (this.showsZone && !isHere(remark.board)) bus.emit('remark', { board: remark.board, zone: remark.zone });
    else bus.emit('remark', null);
  }

  /** What to draw on a board at rest: nothing, unless it is the explained one. @param {Board} pieces */
  zoneOn(pieces) {
    return this.open && this.explanation?.board === formatBoard(pieces) ? this.zone : [];
  }

  render() {
    const { explanation, remark } = this;
    if (!explanation) return;
    const others = explanation.position.filter((other) => other !== remark);
    const ofTurn = explanation.turn.filter((other) => other !== remark);
    fill(
      this.element,
      ...this.current(),
      this.disclosure(
        `Other answers (${Math.max(0, (remark?.answers.length ?? 0) - 1)})`,
        'answers',
        this.answerRows(),
      ),
      this.disclosure(`More about this position (${others.length})`, 'position', this.rows(others)),
      this.disclosure(`Turn ${explanation.tag} (${ofTurn.length})`, 'turn', this.rows(ofTurn)),
    );
    this.element.hidden = false;
    this.showControls();
  }

  /** The selected remark. */
  current() {
    const { remark } = this;
    if (!remark) return [h('p', { class: 'hint' }, 'The game is over.')];
    const answer = remark.answers[this.answerIndex];
    const response = this.answerIndex === 0 || !answer ? remark.response : `Another answer: ${answer.text}`;
    const terms = newTerms(textOf(remark) + (this.showsZone ? ' zone' : ''));
    return [
      h('p', { class: `remark shown ${sideOf(remark)} ${remark.topic}` }, remark.text),
      response && h('p', { class: 'response' }, response),
      this.controls(),
      this.showsZone && h('p', { class: 'hint' }, ZONE_NOTE),
      termList(terms),
    ];
  }

  /** The buttons for the line. */
  controls() {
    const { remark, player } = this;
    if (!remark?.line && !remark?.zone.length) return null;
    const options = (/** @type {string} */ face) => ({ icon: face, hideLabel: true });
    this.playButton = button('Play the line', () => player.togglePlay(), options('play'));
    this.stepText = h('output', { class: 'step' });
    const zoneButton = button('Zone', () => this.toggleZone(), { title: 'Draw the zone that illustrates this' });
    setPressed(zoneButton, this.showsZone);
    return h(
      'div',
      { class: 'controls line-controls' },
      remark.line && button('Step back', () => player.step(-1), options('back')),
      remark.line && this.playButton,
      remark.line && button('Step forward', () => player.step(1), options('next')),
      this.stepText,
      remark.zone.length ? zoneButton : null,
    );
  }

  /** Shows the state of the player. */
  showControls() {
    const { player, playButton, stepText, remark } = this;
    if (!playButton || !stepText || !remark) return;
    const label = player.isPlaying ? 'Pause' : 'Play the line';
    playButton.setAttribute('aria-label', label);
    playButton.title = label;
    fill(playButton, icon(player.isPlaying ? 'pause' : 'play'));
    const { frame } = player;
    const name = !frame || frame.part.role === 'line' ? lineName(remark) : answerName(remark);
    if (frame?.count) stepText.textContent = `${name}: ${frame.part.line.steps[frame.count - 1].text}`;
    else stepText.textContent = frame ? `${name}…` : (remark.line?.text ?? '');
    this.element.dataset.frame = frame ? `${frame.part.role} ${frame.count}` : '';
  }

  toggleZone() {
    this.showsZone = !this.showsZone;
    this.player.stop();
    this.render();
    this.drawAtRest();
  }

  /** @param {string} title @param {string} key @param {HTMLElement[]} rows */
  disclosure(title, key, rows) {
    if (rows.length === 0) return null;
    const opened = loadItem(OPEN_KEY) ?? {};
    const details = h('details', { class: 'more', open: opened[key] === true }, h('summary', {}, title), list(rows));
    details.addEventListener('toggle', () => saveItem(OPEN_KEY, { ...loadItem(OPEN_KEY), [key]: details.open }));
    return details;
  }

  /** @param {Remark[]} remarks */
  rows(remarks) {
    return remarks.map((remark) =>
      this.row(`${sideOf(remark)} ${remark.topic}`, remark.text, () => this.select(remark, 0)),
    );
  }

  answerRows() {
    const { remark } = this;
    if (!remark || remark.answers.length < 2) return [];
    /** @type {HTMLElement[]} */
    const rows = remark.answers.flatMap((answer, index) =>
      index === this.answerIndex
        ? []
        : [
            this.row(`answer ${remark.side === 'g' ? 'silver' : 'gold'}`, asSentence(answer.text), () =>
              this.select(remark, index),
            ),
          ],
    );
    const missing = remark.answer_count - remark.answers.length;
    if (missing > 0) rows.push(h('p', { class: 'hint' }, `There are ${missing} more that are as short.`));
    return rows;
  }

  /** @param {string} name @param {string} text @param {() => void} onSelect */
  row(name, text, onSelect) {
    return h('button', { type: 'button', class: `remark ${name}`, onclick: onSelect }, text);
  }

  /** Leaves the line that is shown, or else closes the explanation. */
  escape() {
    if (this.player.frame) this.player.stop();
    else this.hide();
  }

  /** Closes the explanation and restores the position on the board. */
  hide() {
    if (!this.open) return;
    this.open = false;
    this.requestId++;
    clearTimeout(this.timer);
    setPressed(this.toggleButton, false);
    this.player.setParts([]);
    this.explanation = this.remark = null;
    this.zone = [];
    this.element.hidden = true;
    fill(this.element);
    bus.emit('remark', null);
  }

  close() {
    this.requestId++;
    clearTimeout(this.timer);
    this.player.cancel();
    this.events.close();
  }
}

/** @param {Remark} remark */
const sideOf = (remark) => (remark.side === 'g' ? 'gold' : 'silver');

/** @param {Remark} remark */
const textOf = (remark) => `${remark.text} ${remark.response}`;

/** @param {Remark} remark */
function lineName(remark) {
  return remark.topic === 'threat' ? 'Threat' : 'Line';
}

/** @param {Remark} remark */
function answerName(remark) {
  return remark.topic === 'threat' ? 'Answer' : 'Reply';
}

/** @param {HTMLElement[]} rows */
function list(rows) {
  return h('ul', {}, ...rows.map((row) => h('li', {}, row)));
}
