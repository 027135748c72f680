// The position editor: place pieces, choose side and steps, then play or analyse.

import { BoardWidget } from '../board/widget.js';
import { checkPosition, parseText } from '../client.js';
import { sideName } from '../model/notation.js';
import { copyText } from '../review/files.js';
import { announce, asSentence } from '../ui/announce.js';
import { boardLayout } from '../ui/board_layout.js';
import { showError } from '../ui/dialog.js';
import { button, field, fill, h, segments } from '../ui/dom.js';
import { Palette } from './palette.js';
import { EditorState, EMPTY_BOARD, STANDARD_BOARD } from './state.js';

/** @import {PositionCheck} from '../api.js' */

/** @param {URLSearchParams} query */
export function editorPage(query) {
  const page = new EditorPage(query);
  return {
    element: page.layout.element,
    key: (/** @type {KeyboardEvent} */ event) => page.onKey(event),
    close: () => page.close(),
    title: 'Edit position',
  };
}

class EditorPage {
  state = new EditorState();
  request = 0;

  /** @param {URLSearchParams} query */
  constructor(query) {
    this.state.load(query);
    this.board = new BoardWidget({
      canDrag: (square) => this.state.pieces[square] !== undefined,
      drop: (from, to) => this.edit(() => this.state.move(from, to)),
      tap: (square) => this.tap(square),
      cursor: (square) => announce(this.board.describeSquare(square)),
    });
    this.palette = new Palette({
      choose: (piece) => {
        this.state.brush = piece;
        this.palette.show(this.state);
      },
      drop: (piece, square) => this.edit(() => this.state.place(square, piece)),
    });
    this.checks = h('ul', { class: 'checks', 'aria-live': 'polite' });
    this.compact = h('input', { type: 'text', id: 'compact', class: 'typed', spellcheck: false, autocomplete: 'off' });
    this.compact.addEventListener('change', () => this.parse(this.compact.value));
    this.sideBox = h('div', {});
    this.stepsBox = h('div', {});
    this.playButton = button('Play', () => this.play(), { title: 'Start a game from this position' });
    this.analyseButton = button('Analyse', () => this.analyse(), { kind: 'main' });
    const set = (/** @type {string} */ board) => () => this.edit(() => this.state.setBoard(board));
    const panel = h(
      'aside',
      { class: 'panel editor', 'aria-label': 'Editor' },
      h('h1', { class: 'status' }, 'Edit position'),
      h(
        'p',
        { class: 'hint' },
        'Drag pieces on the board and off it. Choose a piece below and click squares, or drag it there.',
      ),
      this.palette.element,
      this.sideBox,
      this.stepsBox,
      h('div', { class: 'row' }, button('Clear', set(EMPTY_BOARD)), button('Start position', set(STANDARD_BOARD))),
      this.checks,
      field(
        'Position as text',
        this.compact,
        h(
          'div',
          { class: 'row' },
          button('Copy', () => copyText(this.compact.value, 'Position')),
        ),
      ),
      h('div', { class: 'row footer' }, this.analyseButton, this.playButton),
    );
    this.layout = boardLayout(this.board, panel);
    this.showChoices();
    this.show();
  }

  showChoices() {
    const { state } = this;
    const sides = /** @type {['g' | 's', string][]} */ ([
      ['g', 'Gold'],
      ['s', 'Silver'],
    ]);
    const steps = /** @type {[string, string][]} */ (['1', '2', '3', '4'].map((count) => [count, count]));
    fill(
      this.sideBox,
      segments('Side to move', 'side', sides, state.side, (side) =>
        this.edit(() => {
          state.side = side;
        }),
      ),
    );
    fill(
      this.stepsBox,
      segments('Steps left', 'steps', steps, String(state.stepsLeft), (count) =>
        this.edit(() => {
          state.stepsLeft = Number(count);
        }),
      ),
    );
  }

  /** @param {string} square */
  tap(square) {
    if (this.state.brush !== null) return this.edit(() => this.state.tap(square));
    // Without a chosen piece, a tap takes the piece on the square.
    this.state.brush = this.state.pieces[square] ?? null;
    this.palette.show(this.state);
  }

  /** @param {() => void} change */
  edit(change) {
    change();
    this.show();
  }

  show() {
    const { state } = this;
    this.board.setState({ pieces: state.pieces });
    this.layout.element.dataset.board = state.board;
    this.palette.show(state);
    this.compact.value = `${state.side} [${state.board}]`;
    history.replaceState(null, '', `#/editor?${state.query()}`);
    this.check();
  }

  async check() {
    const { board, tag, stepsLeft } = this.state;
    const request = ++this.request;
    try {
      const result = await checkPosition({ board, tag, steps_left: stepsLeft });
      if (request === this.request) this.showChecks(result);
    } catch (error) {
      if (request === this.request)
        this.showChecks({ errors: [asSentence(/** @type {Error} */ (error).message)], notes: [], playable: false });
    }
  }

  /** @param {PositionCheck} result */
  showChecks({ errors, notes, playable }) {
    const items = [
      ...errors.map((text) => h('li', { class: 'error' }, text)),
      ...notes.map((text) => h('li', { class: 'note-item' }, text)),
    ];
    if (items.length === 0) items.push(h('li', { class: 'ok' }, `${sideName(this.state.side)} to move.`));
    fill(this.checks, ...items);
    this.checks.dataset.checked = this.state.board;
    this.analyseButton.disabled = !playable;
    this.playButton.disabled = !playable || this.state.stepsLeft !== 4;
  }

  /** Reads a position in any format. @param {string} text */
  async parse(text) {
    try {
      const { games } = await parseText(text);
      const { board, tag } = games[0].start;
      this.state.load(new URLSearchParams({ board, tag }));
      this.showChoices();
      this.show();
    } catch (error) {
      showError(error);
    }
  }

  analyse() {
    location.hash = `#/review?${this.state.query()}`;
  }

  play() {
    location.hash = `#/play?${new URLSearchParams({ board: this.state.board, tag: this.state.tag })}`;
  }

  /** @param {KeyboardEvent} event */
  onKey({ key }) {
    if (key !== 'Escape' || this.state.brush === null) return false;
    this.state.brush = null;
    this.palette.show(this.state);
    return true;
  }

  close() {
    this.request++;
    this.layout.close();
  }
}
