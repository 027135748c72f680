// The state of the review page, without the DOM and the network.

import {
  applyStep,
  applyTurn,
  capturedPieces,
  formatBoard,
  formatSteps,
  isSetup,
  nextTag,
  recordText,
  STANDARD_BOARD,
  sideOfTag,
} from '../model/notation.js';
import { formatShape, parseShape, toggleShape } from '../model/shapes.js';
import { Tree } from '../model/tree.js';

/** @import {PlayedLine, PositionView, StepInfo} from '../api.js' */
/** @import {Board} from '../model/notation.js' */
/** @import {Shape} from '../model/shapes.js' */
/** @import {Node, Turn} from '../model/tree.js' */

export class ReviewState {
  tree = new Tree(STANDARD_BOARD, '2g');
  /** @type {Node} */
  current = this.tree.root;
  /** How many steps of the current turn are shown; null for all. @type {number | null} */
  stepIndex = null;
  /** The steps of an unfinished variation after the current turn. */
  draftSteps = '';
  /** The position after the draft steps, once it is loaded. @type {PositionView | null} */
  position = null;

  /** @param {Tree} tree */
  loadTree(tree) {
    this.tree = tree;
    this.goTo(tree.root);
  }

  /** Where a game opens: after the setups. @returns {Node} */
  firstPosition() {
    let node = this.tree.root;
    while (node.children.length && isSetup(node.children[0])) node = node.children[0];
    return node;
  }

  /** @param {Node} node @param {number | null} [stepIndex] */
  goTo(node, stepIndex = null) {
    this.current = node;
    this.stepIndex = stepIndex;
    this.setDraft('');
  }

  /** @param {string} steps */
  setDraft(steps) {
    this.draftSteps = steps;
    this.position = null;
  }

  /** Accepts the position after the draft steps. @param {PositionView} position */
  setPosition(position) {
    this.position = position;
    this.draftSteps = formatSteps(position.steps_played);
  }

  undoDraftStep() {
    this.setDraft(this.draftSteps.split(' ').slice(0, -1).join(' '));
  }

  /** The node at which the shown turn starts, if only some of its steps are shown; else the current node. @returns {Node} */
  base() {
    return this.stepIndex !== null && this.current.parent ? this.current.parent : this.current;
  }

  /** The shown steps of the current turn. @returns {StepInfo[]} */
  shownSteps() {
    const { steps } = this.current;
    return this.stepIndex === null ? steps : steps.slice(0, this.stepIndex);
  }

  /** The shown board, without draft steps. @returns {Board} */
  board() {
    const { parent, board } = this.current;
    return this.stepIndex !== null && parent ? this.shownSteps().reduce(applyStep, parent.board) : board;
  }

  /** The pieces captured so far, strongest first. */
  captured() {
    const path = this.tree.path(this.current);
    const start = path.findLast(isSetup) ?? this.tree.root;
    return capturedPieces(start.board, this.board());
  }

  /** The time that a side has used so far, in milliseconds; null if none is known. @param {string} side */
  usedTime(side) {
    const turns = this.tree.path(this.current).filter((node) => sideOfTag(node.tag) === side);
    const times = turns.flatMap(({ elapsed_ms }) => (elapsed_ms === null ? [] : [elapsed_ms]));
    return times.length ? times.reduce((sum, time) => sum + time, 0) : null;
  }

  /** The tag of the turn that follows the current one. */
  tag() {
    return this.current.parent ? nextTag(this.current.tag) : this.tree.firstTag;
  }

  /** The line to the shown position. @returns {PlayedLine} */
  line() {
    return this.tree.line(this.current, this.draftSteps);
  }

  /** The line to the start of the shown turn. @returns {PlayedLine} */
  baseLine() {
    return this.tree.line(this.base(), '');
  }

  /** The steps of the shown turn that are on the board, if it is not complete. @returns {StepInfo[]} */
  partialSteps() {
    if (this.stepIndex !== null) return this.shownSteps();
    return this.draftSteps === '' ? [] : (this.position?.steps_played ?? []);
  }

  /** The line to the shown position, in the middle of a turn as well. @returns {PlayedLine} */
  analysisLine() {
    return this.stepIndex === null ? this.line() : this.tree.line(this.base(), formatSteps(this.shownSteps()));
  }

  /** Adds turns after the shown position; the first completes the present turn. @param {Turn[]} turns @returns {Node} the last one */
  addLine(turns) {
    const [first, ...rest] = turns;
    const steps = [...this.partialSteps(), ...first.steps];
    let node = this.addTurn({ text: recordText(steps), steps });
    for (const { text, steps } of rest) node = this.tree.add(node, nextTag(node.tag), { text, steps });
    return node;
  }

  /** @returns {Node | null} the next turn of the main line */
  next() {
    return this.stepIndex !== null ? this.current : (this.current.children[0] ?? null);
  }

  /** Goes one step forward. @returns {boolean} whether there is one */
  stepForward() {
    if (this.stepIndex !== null) {
      const isLast = this.stepIndex + 1 >= this.current.steps.length;
      this.goTo(this.current, isLast ? null : this.stepIndex + 1);
      return true;
    }
    const [next] = this.current.children;
    if (next) this.goTo(next, next.steps.length > 1 ? 1 : null);
    return next !== undefined;
  }

  /** Goes one step back. @returns {boolean} whether there is one */
  stepBack() {
    const { parent, steps } = this.current;
    if (!parent) return false;
    const index = (this.stepIndex ?? steps.length) - 1;
    if (index <= 0) this.goTo(parent);
    else this.goTo(this.current, index);
    return true;
  }

  /** @param {number} offset @returns {Node | null} another variation of the current turn */
  sibling(offset) {
    const siblings = this.current.parent?.children ?? [];
    return siblings[siblings.indexOf(this.current) + offset] ?? null;
  }

  /** The node of the shown line after a number of its turns. @param {number} played @returns {Node} */
  afterTurns(played) {
    const path = this.tree.path(this.current);
    if (played <= path.length) return path[played - 1] ?? this.tree.root;
    let node = this.current;
    for (let left = played - path.length; left > 0 && node.children.length; left--) node = node.children[0];
    return node;
  }

  /** @returns {Node} the last turn after the current one */
  last() {
    let node = this.current;
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** Adds a turn after the base, unless a variation leads to the same board. @param {Turn} turn @returns {Node} */
  addTurn(turn) {
    const base = this.base();
    const board = formatBoard(applyTurn(base.board, turn));
    const existing = base.children.find((child) => formatBoard(child.board) === board);
    if (existing) return existing;
    const tag = base.parent ? nextTag(base.tag) : this.tree.firstTag;
    return this.tree.add(base, tag, turn);
  }

  /** Turns the draft into a variation. @returns {Node | null} null if there is no complete turn */
  finishDraft() {
    const { position } = this;
    if (!position?.can_end_turn || position.steps_played.length === 0) return null;
    return this.tree.add(this.current, position.tag, { text: position.turn_text, steps: position.steps_played });
  }

  /** @param {string} glyph */
  toggleGlyph(glyph) {
    if (this.current.parent) this.current.glyph = this.current.glyph === glyph ? '' : glyph;
  }

  /** The shapes on the shown board. @returns {Shape[]} */
  shapes() {
    return this.stepIndex === null ? this.current.shapes.flatMap(parseShape) : [];
  }

  /** @param {Shape} shape */
  toggleShape(shape) {
    this.current.shapes = toggleShape(this.current.shapes.flatMap(parseShape), shape).map(formatShape);
  }

  promote() {
    this.tree.promote(this.current);
  }

  /** Deletes the current turn and everything after it. */
  remove() {
    this.goTo(this.tree.remove(this.current));
  }
}
