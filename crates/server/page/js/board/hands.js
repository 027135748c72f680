// Playing with the hands: select, drag, choose between ways of a push, and tell what was meant.

import { choicesOf, livelySquares } from './choices.js';
import { BoardWidget } from './widget.js';

/** @import {PositionView} from '../api.js' */
/** @import {BoardEvents} from './widget.js' */
/** @import {Choice} from './choices.js' */
/** @import {TargetKind} from './state.js' */

export class Hands {
  /** @type {PositionView | null} what can be done, or nothing if nobody may */
  view = null;
  /** @type {string | null} */
  selected = null;
  /** @type {Choice[] | null} several things that a target may mean */
  asking = null;

  /**
   * @param {{steps: (text: string) => void, why: (sentence: string) => void, say: (words: string) => void}} tell
   * @param {BoardEvents} more
   */
  constructor(tell, more = {}) {
    this.tell = tell;
    this.board = new BoardWidget({
      hold: (square) => this.hold(square),
      over: (from, square) => this.over(from, square),
      drop: (from, to) => this.drop(from, to),
      tap: (square) => this.tap(square),
      hover: (square) => this.hover(square),
      cursor: (square) => tell.say(this.board.words(square)),
      ...more,
    });
  }

  /** Another position. @param {PositionView | null} view */
  setView(view) {
    this.view = view;
    this.deselect();
    this.board.set({
      lively: view ? livelySquares(view) : new Set(),
      frozen: new Set(view?.frozen ?? []),
    });
  }

  deselect() {
    this.selected = null;
    this.asking = null;
    this.board.set({ selected: null, targets: this.offers(), way: [], dangers: new Set(), asked: this.required() });
  }

  /** A half push, or a pull that the last step made possible, is offered without being asked for. */
  offers() {
    /** @type {Map<string, TargetKind>} */
    const targets = new Map();
    if (this.view?.push_to) targets.set(this.view.push_to, 'push');
    return targets;
  }

  required() {
    const { view } = this;
    if (!view || !(view.push_to || view.pull_to)) return new Set(/** @type {string[]} */ ([]));
    const one = view.actions.filter((action) => action.steps.length === 1 && action.kind !== 'step');
    return new Set(one.map((action) => action.steps[0].from));
  }

  /** @param {string} square */
  select(square) {
    if (!this.view) return false;
    const choices = choicesOf(this.view, square);
    if (choices.size === 0) {
      const stuck = this.view.immobile.find((one) => one.square === square);
      if (stuck) this.tell.why(stuck.reason);
      this.deselect();
      return false;
    }
    this.selected = square;
    this.asking = null;
    /** @type {Map<string, TargetKind>} */
    const targets = new Map();
    for (const [target, [{ kind, way, dies }]] of choices) {
      targets.set(target, dies.length ? 'fatal' : kind === 'step' && 1 < way.length ? 'far' : kind);
    }
    this.board.set({ selected: square, targets, way: [], dangers: new Set(), asked: new Set() });
    return true;
  }

  /** @param {string} square */
  hold(square) {
    if (!this.view || this.asking) return false;
    // A second tap on a target is a tap, not a new hold.
    if (this.selected && this.selected !== square && choicesOf(this.view, this.selected).has(square)) return false;
    return choicesOf(this.view, square).size !== 0;
  }

  /** @param {string} from @param {string | null} square */
  over(from, square) {
    if (this.selected !== from) this.select(from);
    this.show(from, square);
  }

  /** @param {string | null} square */
  hover(square) {
    if (this.selected && !this.asking) this.show(this.selected, square);
  }

  /** The way to a target, and who would die on it. @param {string} from @param {string | null} square */
  show(from, square) {
    const list = square && this.view ? choicesOf(this.view, from).get(square) : undefined;
    const dies = list?.[0]?.dies ?? [];
    this.board.set({ way: list?.[0]?.way ?? [], dangers: new Set(dies) });
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (!to || to === from) return this.deselect();
    this.go(from, to);
  }

  /** @param {string} square */
  tap(square) {
    if (this.asking) {
      const choice = this.asking.find((one) => one.then === square);
      return choice ? this.take(choice) : this.deselect();
    }
    if (!this.view) return;
    if (this.selected === square) return this.deselect();
    if (this.selected && choicesOf(this.view, this.selected).has(square)) return this.go(this.selected, square);
    const required = this.required();
    if (required.has(square)) {
      const action = this.view.actions.find((one) => one.steps.length === 1 && one.kind !== 'step' && one.steps[0].from === square);
      if (action) return this.take({ kind: 'push', text: action.steps[0].text, way: [], dies: [], then: null });
    }
    if (this.select(square)) this.tell.say(`${this.board.words(square)}, taken`);
  }

  /** @param {string} from @param {string} to */
  go(from, to) {
    const list = this.view ? choicesOf(this.view, from).get(to) : undefined;
    if (!list) {
      this.refuse(from, to);
      return this.deselect();
    }
    if (list.length === 1) return this.take(list[0]);
    this.asking = list;
    this.selected = from;
    /** @type {Map<string, TargetKind>} */
    const targets = new Map();
    for (const one of list) if (one.then) targets.set(one.then, 'choice');
    this.board.set({ targets, way: [], selected: from, dangers: new Set() });
    this.tell.why(list[0].kind === 'push' ? 'Which way? Choose a marked square.' : 'Where to? Choose a marked square.');
  }

  /** @param {Choice} choice */
  take(choice) {
    this.deselect();
    this.tell.steps(choice.text);
  }

  /** @param {string} from @param {string} to */
  refuse(from, to) {
    const stuck = this.view?.immobile.find((one) => one.square === from);
    this.tell.why(stuck ? stuck.reason : `The piece on ${from} can't come to ${to} this turn.`);
  }
}
