// Moving pieces: selecting, dragging, and choosing between pushes or pulls with the same target.

import { completionOf, destsOf, forcedPieces, movableSquares } from './dests.js';
import { BoardWidget } from './widget.js';

/** @import {PositionView} from '../api.js' */
/** @import {Dest} from './dests.js' */
/** @import {TargetKind} from './state.js' */
/** @import {BoardEvents} from './widget.js' */

/**
 * @typedef {{
 *   steps: (text: string) => void,
 *   message: (text: string, isError?: boolean) => void,
 *   announce: (text: string) => void,
 * }} ControllerEvents
 */

export class BoardController {
  /** @type {PositionView | null} null if no piece may be moved */
  position = null;
  /** @type {string | null} */
  selected = null;
  /** @type {Dest[] | null} the actions to choose from */
  pendingChoice = null;

  /**
   * @param {ControllerEvents} events
   * @param {BoardEvents} boardEvents replaces the handlers of this class
   */
  constructor(events, boardEvents = {}) {
    this.events = events;
    this.board = new BoardWidget({
      canDrag: (square) => this.canDrag(square),
      dragOver: (from, square) => this.dragOver(from, square),
      drop: (from, to) => this.drop(from, to),
      tap: (square) => this.tap(square),
      hover: (square) => this.hover(square),
      cursor: (square) => events.announce(this.board.describeSquare(square)),
      ...boardEvents,
    });
  }

  /** @param {PositionView | null} position */
  setPosition(position) {
    this.position = position;
    this.deselect();
    this.board.setState({
      movable: position ? movableSquares(position) : new Set(),
      frozen: new Set(position?.frozen ?? []),
    });
  }

  deselect() {
    this.selected = null;
    this.pendingChoice = null;
    this.board.setState({
      selected: null,
      targets: this.pushTargets(),
      path: [],
      lossSquares: new Set(),
      highlighted: this.position ? forcedPieces(this.position) : new Set(),
    });
  }

  /** The square that must be entered to complete a push is offered without selecting a piece. */
  pushTargets() {
    /** @type {Map<string, TargetKind>} */
    const targets = new Map();
    if (this.position?.push_to) targets.set(this.position.push_to, 'push');
    return targets;
  }

  /** @param {string} from */
  dests(from) {
    return this.position ? destsOf(this.position, from) : new Map();
  }

  /** @param {string} square @returns {boolean} whether the piece can be moved */
  select(square) {
    if (!this.position) return false;
    const dests = this.dests(square);
    if (dests.size === 0) {
      const reason = this.immobilityReason(square);
      if (reason) this.events.message(reason, true);
      this.deselect();
      return false;
    }
    this.selected = square;
    this.pendingChoice = null;
    const targets = new Map([...dests].map(([target, [dest]]) => [target, targetKind(dest)]));
    this.board.setState({ selected: square, targets, path: [], lossSquares: new Set(), highlighted: new Set() });
    return true;
  }

  /** @param {string} square */
  immobilityReason(square) {
    return this.position?.immobile.find((piece) => piece.square === square)?.reason;
  }

  /** @param {string} square */
  canDrag(square) {
    if (!this.position || this.pendingChoice) return false;
    // Pressing a target of the selected piece is a tap on the target.
    if (this.selected && this.selected !== square && this.dests(this.selected).has(square)) return false;
    return this.dests(square).size !== 0;
  }

  /** @param {string} from @param {string | null} square */
  dragOver(from, square) {
    if (this.selected !== from) this.select(from);
    this.showPath(from, square);
  }

  /** @param {string | null} square */
  hover(square) {
    if (this.selected && !this.pendingChoice) this.showPath(this.selected, square);
  }

  /** Shows the path to a target, and the pieces lost on it. @param {string} from @param {string | null} square */
  showPath(from, square) {
    const dest = square ? this.dests(from).get(square)?.[0] : undefined;
    this.board.setState({ path: dest?.path ?? [], lossSquares: new Set(dest?.losses ?? []) });
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (!to || to === from) return this.deselect();
    this.moveTo(from, to);
  }

  /** @param {string} square */
  tap(square) {
    if (this.pendingChoice) {
      const dest = this.pendingChoice.find((choice) => choice.disambiguator === square);
      return dest ? this.commit(dest.text) : this.deselect();
    }
    if (!this.position) return;
    if (this.selected === square) return this.deselect();
    if (this.selected && this.dests(this.selected).has(square)) return this.moveTo(this.selected, square);
    const completion = completionOf(this.position, square);
    if (completion) return this.commit(completion.steps[0].text);
    if (this.select(square)) this.events.announce(`${this.board.describeSquare(square)}, selected`);
  }

  /** @param {string} from @param {string} to */
  moveTo(from, to) {
    const dests = this.dests(from).get(to);
    if (!dests) {
      const reason = this.immobilityReason(from) ?? `The piece on ${from} cannot reach ${to} this turn.`;
      this.events.message(reason, true);
      return this.deselect();
    }
    if (dests.length === 1) return this.commit(dests[0].text);
    this.pendingChoice = dests;
    this.selected = from;
    /** @type {Map<string, TargetKind>} */
    const targets = new Map();
    for (const { disambiguator } of dests) if (disambiguator) targets.set(disambiguator, 'ambiguous');
    this.board.setState({ targets, path: [], selected: from, lossSquares: new Set() });
    this.events.message(
      dests[0].kind === 'push'
        ? 'Push in which direction? Choose a marked square.'
        : 'Pull to where? Choose a marked square.',
    );
  }

  /** @param {string} text */
  commit(text) {
    this.deselect();
    this.events.steps(text);
  }
}

/** @param {Dest} dest @returns {TargetKind} */
function targetKind({ kind, path, losses }) {
  if (losses.length) return 'losing';
  return kind === 'step' && path.length > 1 ? 'multistep' : kind;
}
