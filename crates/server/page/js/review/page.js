// Looking at a game: walking, trying out, writing beside it.

import { archivedGame, gameState, live, readText } from '../server.js';
import { Explorer } from '../archive/explorer.js';
import { Hands } from '../board/hands.js';
import { packed, unpacked } from '../model/link.js';
import { boardAfter, compactOf, shiftsOf, shifted, sideName, spoken } from '../model/notation.js';
import { onPreference, settings } from '../model/settings.js';
import { nextTag, Tree } from '../model/tree.js';
import { desk } from '../ui/desk.js';
import { toast } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { knock, say } from '../ui/speak.js';
import { Why } from '../ui/why.js';
import { reviewKey } from './keys.js';
import { readAndTake } from './open.js';
import { ReviewPanel } from './panel.js';
import { Replay } from './replay.js';
import { shapeOf } from './shapes.js';

/** @import {ParsedGame, Remark, PositionView} from '../api.js' */
/** @import {BoardState} from '../board/state.js' */
/** @import {Node} from '../model/tree.js' */

const START = 'rrrddrrrrhcemchr' + ' '.repeat(32) + 'RHCMECHRRRRDDRRR';

/** @param {URLSearchParams} query */
export function reviewPage(query) {
  const review = new Review();
  review.start(query);
  return { element: review.desk.element, key: (/** @type {KeyboardEvent} */ event) => reviewKey(review, event), close: () => review.close() };
}

export class Review {
  tree = new Tree(START, '2g');
  /** @type {Node} */
  here = this.tree.root;
  /** How many steps of the turn are shown; nothing for all. @type {number | null} */
  inside = null;
  /** Steps of a turn that is being tried out. */
  steps = '';
  /** @type {PositionView | null} */
  view = null;
  /** What the board shows when nothing is tried with the mouse alone. @type {Partial<BoardState> | null} */
  kept = null;
  asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  writing;

  constructor() {
    this.hands = new Hands(
      { steps: (text) => this.try(text), why: (sentence) => this.why(sentence), say },
      {
        wheel: (forward) => (forward ? this.forward() : this.back()),
        draw: (from, to, colour, done) => this.draw(from, to, colour, done),
      },
    );
    this.replay = new Replay(this);
    this.explained = new Why({ line: () => this.tree.line(this.here, this.steps), draw: (remark) => this.explain(remark), restore: () => this.show() });
    this.explorer = new Explorer({
      line: () => this.tree.line(this.base(), ''),
      play: (text) => this.playTurn(text),
      preview: (text) => this.preview(text),
      board: () => compactOf(this.board()),
      remembers: true,
    });
    this.panel = new ReviewPanel(this);
    this.names = { g: nameStrip('gold'), s: nameStrip('silver') };
    const [top, bottom] = [h('div', {}), h('div', {})];
    this.places = { top, bottom };
    this.desk = desk(this.hands.board, this.panel.element, { top, bottom, flipped: () => settings.flipped });
    this.seat();
    this.unseat = onPreference(() => this.seat());
    this.desk.element.addEventListener('dragover', (event) => event.preventDefault());
    this.desk.element.addEventListener('drop', (event) => this.dropped(event));
    this.paste = (/** @type {ClipboardEvent} */ event) => this.pasted(event);
    document.addEventListener('paste', this.paste);
  }

  /** Whoever sits below has the strip below. */
  seat() {
    const below = settings.flipped ? 's' : 'g';
    this.places.bottom.replaceChildren(this.names[below]);
    this.places.top.replaceChildren(this.names[below === 'g' ? 's' : 'g']);
  }

  /** @param {URLSearchParams} query */
  async start(query) {
    live.hear = () => {};
    live.connection = () => {};
    try {
      const game = query.get('game');
      const text = query.get('t') ? await unpacked(query.get('t') ?? '') : query.get('text');
      const archived = query.get('archive');
      if (game) this.take(Tree.ofGame(await gameState(game)));
      else if (archived) {
        const read = await archivedGame(archived);
        this.take(Tree.of(read));
        if (read.error) toast(`Read up to here: ${read.error}`, true);
      } else if (text) {
        const { games } = await readText(text);
        this.take(Tree.of(games[0]));
      } else this.show();
      const at = query.get('at');
      if (at !== null) this.here = this.tree.order()[Number(at)] ?? this.here;
      const before = query.get('before');
      if (before !== null) this.here = this.tree.order().find((node) => node.tag === before)?.parent ?? this.here;
      if (query.get('in') !== null) this.inside = Number(query.get('in'));
      this.steps = query.get('steps') ?? '';
      const turn = query.get('turn');
      if (turn) this.playTurn(turn);
      else this.show();
    } catch (error) {
      this.show();
      toast(/** @type {Error} */ (error).message, true);
    }
  }

  close() {
    document.removeEventListener('paste', this.paste);
    this.stopReplay();
    this.explorer.close();
    this.unseat();
    this.desk.stop();
  }

  /** @param {Tree} tree */
  take(tree) {
    this.stopReplay();
    this.tree = tree;
    this.here = tree.root;
    this.inside = null;
    this.steps = '';
    this.show();
  }

  /** @param {ParsedGame} read */
  open(read) {
    this.take(Tree.of(read));
  }

  /** @param {Node} node @param {number | null} [inside] */
  go(node, inside = null) {
    const forward = node.parent === this.here;
    this.here = node;
    this.inside = inside;
    this.steps = '';
    this.show();
    if (node.parent && inside === null) say(`${node.tag.slice(0, -1)}, ${sideName(node.tag.slice(-1))}: ${spoken(node.text)}`);
    if (forward) knock(node.text.includes('x') ? 'capture' : 'step');
  }

  /** The board that is seen: after some steps of the turn, or after all of it and what is tried out. */
  board() {
    if (this.inside !== null && this.here.parent) {
      return shiftsOf(this.here.text).slice(0, this.inside).reduce(shifted, this.here.parent.board);
    }
    return this.here.board;
  }

  /** The position before the turn of which some steps are seen, or the one that is seen. @returns {Node} */
  base() {
    return this.inside !== null && this.here.parent ? this.here.parent : this.here;
  }

  /** A turn of the archive: a variation, or a step along one that leads to the same board. @param {string} text */
  playTurn(text) {
    const base = this.base();
    const wanted = compactOf(boardAfter(base.board, text));
    const known = base.children.find((child) => compactOf(child.board) === wanted);
    this.here = base;
    this.go(known ?? this.tree.add(base, this.tag(), text));
  }

  /** What a turn would do; nothing to see the position again. @param {string | null} text */
  preview(text) {
    if (text === null) {
      if (this.kept) this.hands.board.set(this.kept);
      this.kept = null;
      if (this.inside === null) this.look();
      return;
    }
    this.explained.forget();
    const { pieces, trail, fallen, shapes } = this.hands.board.state;
    this.kept ??= { pieces, trail, fallen, shapes };
    this.hands.setView(null);
    this.hands.board.set({ pieces: boardAfter(this.base().board, text), trail: shiftsOf(text), fallen: [], zone: [], shapes: [] });
  }

  /** A sentence is drawn on the board that it is about. @param {Remark} remark */
  explain(remark) {
    this.hands.setView(null);
    this.hands.board.set({ pieces: new Tree(remark.board, '2g').root.board, zone: remark.zone, trail: [] });
  }

  show() {
    const { here } = this;
    this.kept = null;
    this.explained.forget();
    const shifts = shiftsOf(here.text);
    const seen = this.inside === null ? shifts : shifts.slice(0, this.inside);
    const last = seen[seen.length - 1];
    this.hands.setView(null);
    this.hands.board.set({
      pieces: this.board(),
      trail: seen,
      fallen: last ? last.captures.map((one) => one.at) : [],
      shapes: this.inside === null ? here.shapes.flatMap(shapeOf) : [],
      zone: [],
    });
    /** @type {HTMLElement} */ (this.names.g.lastChild).textContent = this.tree.gold || 'Gold';
    /** @type {HTMLElement} */ (this.names.s.lastChild).textContent = this.tree.silver || 'Silver';
    const side = this.tag().slice(-1);
    this.names.g.classList.toggle('to-play', side === 'g');
    this.names.s.classList.toggle('to-play', side === 's');
    this.panel.show();
    this.panel.message('');
    this.desk.element.dataset.board = compactOf(this.board());
    if (this.inside === null) this.look();
    this.explorer.follow();
    this.address();
  }

  tag() {
    return this.here.parent ? nextTag(this.here.tag) : this.tree.first;
  }

  /** Asks what can be done here. */
  async look() {
    const asked = ++this.asked;
    try {
      const view = await live.look(this.tree.line(this.here, this.steps));
      if (asked !== this.asked || this.inside !== null || this.kept) return;
      this.view = view;
      const running = shiftsOf(view.turn_text);
      const change = this.steps ? { trail: running, fallen: running.flatMap((one) => one.captures.map((c) => c.at)) } : {};
      this.hands.board.set({ pieces: boardOfView(view), ...change });
      this.hands.setView(view.phase === 'play' ? view : null);
      this.panel.showTrial(view);
      this.desk.element.dataset.board = view.board;
    } catch (error) {
      if (asked === this.asked) this.panel.message(/** @type {Error} */ (error).message);
    }
  }

  /** Steps of a variation. @param {string} text */
  async try(text) {
    const before = this.steps;
    this.steps = `${before} ${text}`.trim();
    const { here } = this;
    try {
      const { steps_played } = await live.look(this.tree.line(here, this.steps));
      if (this.here !== here) return true;
      this.steps = steps_played.map((step) => step.text).join(' ');
      this.panel.message('');
      await this.look();
      this.address();
      return true;
    } catch (error) {
      this.steps = before;
      this.why(/** @type {Error} */ (error).message);
      await this.look();
      return false;
    }
  }

  undo() {
    if (!this.steps) return;
    this.steps = this.steps.split(' ').slice(0, -1).join(' ');
    this.hands.board.set({ trail: [] });
    this.look();
    this.address();
  }

  /** Ends the turn that is tried out: it becomes a variation, or walks along one that is there. */
  end() {
    const { view } = this;
    if (!view || !this.steps) return;
    if (!view.can_end_turn) return this.why(view.end_turn_error ?? 'the turn may not end here');
    this.go(this.tree.add(this.here, view.tag, view.turn_text));
  }

  /** @param {string} sentence */
  why(sentence) {
    const words = sentence.charAt(0).toUpperCase() + sentence.slice(1);
    this.panel.message(/[.?!]$/.test(words) ? words : `${words}.`);
    say(words);
  }

  forward() {
    if (this.inside !== null) return this.go(this.here);
    const [next] = this.here.children;
    if (next) this.go(next);
    else this.stopReplay();
  }

  back() {
    if (this.steps) {
      this.steps = '';
      return this.show();
    }
    if (this.here.parent) this.go(this.here.parent);
  }

  /** One step on or back, inside of a turn. @param {number} way */
  step(way) {
    const count = shiftsOf(this.here.text).length;
    if (way < 0) {
      const inside = (this.inside ?? count) - 1;
      if (!this.here.parent) return;
      if (inside <= 0) this.go(this.here.parent);
      else this.go(this.here, inside);
      return;
    }
    if (this.inside !== null) return this.go(this.here, this.inside + 1 < count ? this.inside + 1 : null);
    const [next] = this.here.children;
    if (next) this.go(next, 1 < shiftsOf(next.text).length ? 1 : null);
  }

  /** Another variation of the same turn. @param {number} way */
  sibling(way) {
    const children = this.here.parent?.children ?? [];
    const next = children[children.indexOf(this.here) + way];
    if (next) this.go(next);
  }

  toStart() {
    this.go(this.tree.root);
  }

  toEnd() {
    let node = this.here;
    while (node.children.length) node = node.children[0];
    this.go(node);
  }

  stopReplay() {
    this.replay.stop();
  }

  /** @param {string} from @param {string | null} to @param {string} colour @param {boolean} done */
  draw(from, to, colour, done) {
    if (!done || !to) return;
    const text = `${colour[0]}:${from}${from === to ? '' : to}`;
    const { shapes } = this.here;
    const same = shapes.find((one) => one.slice(2) === text.slice(2));
    this.here.shapes = same ? shapes.filter((one) => one !== same) : [...shapes, text];
    this.hands.board.set({ shapes: this.here.shapes.flatMap(shapeOf) });
    this.address();
  }

  /** @param {string} mark */
  mark(mark) {
    if (!this.here.parent) return;
    this.here.mark = this.here.mark === mark ? '' : mark;
    this.show();
  }

  /** @param {string} text */
  comment(text) {
    this.here.comment = text;
    this.panel.list();
    this.address();
  }

  promote() {
    this.tree.promote(this.here);
    this.show();
  }

  remove() {
    this.go(this.tree.remove(this.here));
  }

  /** Everything that is seen stands in the address. */
  async address() {
    clearTimeout(this.writing);
    this.writing = setTimeout(async () => {
      const query = await this.query();
      if (location.hash.startsWith('#/review')) history.replaceState(null, '', `#/review?${query}`);
    }, 120);
  }

  async query() {
    const query = new URLSearchParams();
    query.set('t', await packed(this.tree.write()));
    query.set('at', String(this.tree.order().indexOf(this.here)));
    if (this.inside !== null) query.set('in', String(this.inside));
    if (this.steps) query.set('steps', this.steps);
    return query.toString();
  }

  /** @param {DragEvent} event */
  async dropped(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData('text');
    if (text) this.openText(text);
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    if (/** @type {HTMLElement} */ (event.target).matches?.('input, textarea')) return;
    const text = event.clipboardData?.getData('text');
    if (text) this.openText(text);
  }

  /** @param {string} text */
  openText(text) {
    readAndTake(text, (game) => this.open(game)).catch((error) => toast(error.message, true));
  }
}

/** @param {string} side */
function nameStrip(side) {
  return h('div', { class: 'strip' }, h('i', { class: `disc ${side}` }), h('span', { class: 'name' }));
}

/** @param {PositionView} view */
function boardOfView(view) {
  return new Tree(view.board, '2g').root.board;
}
