// The review page: connects state, connection and view.

import { RETRY_DELAY, UnreachableError } from '../client.js';
import { bus } from '../model/bus.js';
import { encodeForUrl } from '../model/link.js';
import { describeTurn, formatBoard, sideName, sideOfTag } from '../model/notation.js';
import { Tree } from '../model/tree.js';
import { announce, playSound } from '../ui/announce.js';
import { showError, toast } from '../ui/dialog.js';
import { Autoplay } from './autoplay.js';
import { loadSource, ReviewConnection } from './connection.js';
import { reviewKey } from './keys.js';
import { openDialog, parseAndOpen } from './open.js';
import { shareDialog } from './share.js';
import { ReviewState } from './state.js';
import { formatQuery, goToQuery } from './url.js';
import { ReviewView } from './view.js';

/** @import {ParsedGame} from '../api.js' */
/** @import {Node, Turn} from '../model/tree.js' */

/** The URL is updated after a moment, because browsers limit how often it may change. */
const URL_DELAY = 120;

/** @param {URLSearchParams} query */
export function reviewPage(query) {
  const page = new ReviewPage();
  page.start(query);
  const key = (/** @type {KeyboardEvent} */ event) => reviewKey(page, event);
  return { element: page.view.element, key, close: () => page.close(), title: 'Review' };
}

export class ReviewPage {
  state = new ReviewState();
  connection = new ReviewConnection();
  /** The address of this page; any other belongs to a page that is being opened. */
  address = location.hash;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  urlTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  retryTimer;

  constructor() {
    this.view = new ReviewView(
      {
        goTo: (node) => this.goTo(node),
        goToTurn: (played) => this.goTo(this.state.afterTurns(played)),
        toStart: () => this.toStart(),
        back: () => this.back(),
        togglePlay: () => this.autoplay.toggle(),
        speedChanged: () => this.autoplay.speedChanged(),
        forward: () => this.forward(),
        toEnd: () => this.toEnd(),
        trySteps: (text) => this.trySteps(text),
        undo: () => this.undo(),
        endTurn: () => this.endTurn(),
        comment: (text) => this.setComment(text),
        glyph: (glyph) => this.toggleGlyph(glyph),
        promote: () => this.promote(),
        remove: () => this.remove(),
        open: () => openDialog((game) => this.open(game)),
        share: () => shareDialog(this.state, this.view.board.state),
        playFromHere: () => this.playFromHere(),
        editPosition: () => this.editPosition(),
        previewLine: (turns) =>
          turns ? this.view.previewLine(this.state, turns) : this.view.isPreview && this.view.showBoard(this.state),
        playLine: (turns) => this.playLine(turns),
        verdictsChanged: () => this.view.panel.showTurns(this.state),
      },
      {
        wheel: (forward) => (forward ? this.forward() : this.back()),
        draw: (from, to, colour) => this.draw(from, to, colour),
      },
    );
    this.autoplay = new Autoplay(this.state, {
      goTo: (node, stepIndex) => this.goTo(node, stepIndex),
      changed: () => this.view.show(this.state, this.autoplay.playing),
    });
    this.events = bus.scope();
    this.events.on('play', (turn) => this.playTurn(turn));
    this.events.on('preview', (turn) => (turn ? this.view.preview(this.state, turn) : this.view.showBoard(this.state)));
    this.events.on('remark', (drawing) => (drawing ? this.view.showDrawing(drawing) : this.view.showBoard(this.state)));
    this.view.element.addEventListener('dragover', (event) => event.preventDefault());
    this.view.element.addEventListener('drop', (event) => this.onDrop(event).catch(showError));
    this.onPaste = this.onPaste.bind(this);
    document.addEventListener('paste', this.onPaste);
  }

  /** @param {URLSearchParams} query */
  async start(query) {
    try {
      const source = await loadSource(query);
      if (source) {
        this.state.loadTree(source.tree);
        this.state.goTo(source.atEnd ? this.state.last() : this.state.firstPosition());
      }
      if (source?.error) toast(`Parsed up to here: ${source.error}`, true);
      goToQuery(this.state, query);
      const turn = query.get('turn');
      if (turn) this.playTurn(await this.connection.resolveTurn(this.state.baseLine(), turn));
    } catch (error) {
      showError(error);
    }
    this.show();
  }

  close() {
    document.removeEventListener('paste', this.onPaste);
    clearTimeout(this.urlTimer);
    this.urlTimer = undefined;
    clearTimeout(this.retryTimer);
    this.autoplay.stop();
    this.connection.cancel();
    this.events.close();
    this.view.close();
  }

  /** @param {ParsedGame} game */
  open(game) {
    this.autoplay.stop();
    this.state.loadTree(Tree.fromParsed(game));
    this.goTo(this.state.firstPosition());
  }

  /** Shows the state and loads what is missing. */
  show() {
    this.view.show(this.state, this.autoplay.playing);
    bus.emit('position', { line: this.shownLine(), board: formatBoard(this.state.base().board) });
    if (this.state.stepIndex === null) this.loadPosition();
    else this.connection.cancel();
    this.updateUrl();
  }

  /** The explorer follows the start of a turn of which only some steps are shown. */
  shownLine() {
    return this.state.stepIndex === null ? this.state.line() : this.state.baseLine();
  }

  /** Loads the legal actions of the shown position. */
  async loadPosition() {
    try {
      const position = await this.connection.fetchPosition(this.state.line());
      if (!position) return;
      this.state.setPosition(position);
      this.view.showBoard(this.state);
      this.view.panel.showPosition(position);
    } catch (error) {
      this.view.panel.message(/** @type {Error} */ (error).message, true);
      if (!(error instanceof UnreachableError)) return;
      clearTimeout(this.retryTimer);
      this.retryTimer = setTimeout(() => this.loadPosition(), RETRY_DELAY);
    }
  }

  /** @param {Node} node @param {number | null} [stepIndex] */
  goTo(node, stepIndex = null) {
    const isForward = node.parent === this.state.current;
    this.view.panel.forgetTyped();
    this.state.goTo(node, stepIndex);
    this.show();
    if (node.parent && stepIndex === null) {
      announce(`${node.tag.slice(0, -1)}, ${sideName(sideOfTag(node.tag))}: ${describeTurn(node.steps)}`);
    }
    if (isForward) playSound(node.steps.some((step) => step.captured) ? 'capture' : 'step');
  }

  /** Plays a complete turn as a variation. @param {Turn} turn */
  playTurn(turn) {
    this.goTo(this.state.addTurn(turn));
  }

  /** Adds a line of the engine, whose first turn completes the present one. @param {Turn[]} turns */
  playLine(turns) {
    // Steps of an incomplete turn are known once they have been loaded.
    if (this.state.draftSteps !== '' && !this.state.position) return;
    this.goTo(this.state.addLine(turns));
  }

  /** Plays the engine's turn, or replays the game if the engine is off. */
  playBestOrReplay() {
    const { engine, learn } = this.view.analysis;
    const best = engine.bestTurn();
    if (best) this.playLine([best]);
    else if (!engine.isOn && !learn.isActive) this.autoplay.toggle();
  }

  /** Plays steps of a variation. @param {string} text @returns {Promise<boolean>} whether they are legal */
  async trySteps(text) {
    const { state } = this;
    const { current } = state;
    const line = state.tree.line(current, `${state.draftSteps} ${text}`.trim());
    try {
      const position = await this.connection.fetchPosition(line);
      if (!position || state.current !== current) return true;
      state.stepIndex = null;
      state.setPosition(position);
      this.view.show(state, this.autoplay.playing);
      bus.emit('position', { line: state.line(), board: formatBoard(current.board) });
      this.updateUrl();
      return true;
    } catch (error) {
      this.view.message(/** @type {Error} */ (error).message, true);
      return false;
    }
  }

  undo() {
    if (!this.state.draftSteps) return;
    this.state.undoDraftStep();
    this.show();
  }

  /** Ends the turn of a variation. */
  endTurn() {
    const { position, draftSteps } = this.state;
    if (!position || !draftSteps) return;
    const node = this.state.finishDraft();
    if (node) {
      this.goTo(node);
      this.view.analysis.learn.tryTurn(node);
    } else this.view.message(position.end_turn_error ?? 'the turn cannot end here', true);
  }

  forward() {
    const next = this.state.next();
    if (next) this.goTo(next);
    else this.autoplay.stop();
  }

  back() {
    if (this.state.draftSteps) {
      this.state.setDraft('');
      this.show();
    } else if (this.state.current.parent) this.goTo(this.state.current.parent);
  }

  stepForward() {
    if (this.state.stepForward()) this.show();
  }

  stepBack() {
    if (this.state.stepBack()) this.show();
  }

  /** @param {number} offset */
  goToSibling(offset) {
    const sibling = this.state.sibling(offset);
    if (sibling) this.goTo(sibling);
  }

  toStart() {
    this.goTo(this.state.tree.root);
  }

  toEnd() {
    this.goTo(this.state.last());
  }

  /** @param {string} from @param {string} to @param {string} colour */
  draw(from, to, colour) {
    this.state.toggleShape({ from, to, colour });
    this.view.board.setState({ shapes: this.state.shapes() });
    this.updateUrl();
  }

  /** @param {string} glyph */
  toggleGlyph(glyph) {
    this.state.toggleGlyph(glyph);
    this.show();
  }

  /** @param {string} text */
  setComment(text) {
    this.state.current.comment = text;
    this.view.panel.showTurns(this.state);
    this.updateUrl();
  }

  promote() {
    this.state.promote();
    this.show();
  }

  remove() {
    this.state.remove();
    this.show();
  }

  /** Continues the game with its turns so far. */
  async playFromHere() {
    const line = await encodeForUrl(JSON.stringify(this.state.tree.line(this.state.current, '')));
    location.hash = `#/play?${new URLSearchParams({ line })}`;
  }

  editPosition() {
    const query = new URLSearchParams({ board: formatBoard(this.view.board.state.pieces), tag: this.state.tag() });
    location.hash = `#/editor?${query}`;
  }

  /** Writes the state into the URL, so that a reload or a shared link restores it. */
  updateUrl() {
    clearTimeout(this.urlTimer);
    const timer = setTimeout(async () => {
      const query = await formatQuery(this.state);
      // Meanwhile the state may have changed again, or a link may have been followed.
      if (timer !== this.urlTimer || location.hash !== this.address) return;
      history.replaceState(null, '', `#/review?${query}`);
      this.address = location.hash;
    }, URL_DELAY);
    this.urlTimer = timer;
  }

  /** @param {DragEvent} event */
  async onDrop(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData('text');
    if (text) await parseAndOpen(text, (game) => this.open(game));
  }

  /** @param {ClipboardEvent} event */
  onPaste(event) {
    if (/** @type {HTMLElement} */ (event.target).matches?.('input, textarea')) return;
    const text = event.clipboardData?.getData('text');
    if (text) parseAndOpen(text, (game) => this.open(game)).catch(showError);
  }
}
