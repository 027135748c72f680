// A game that is played.

import { about, beginGame, gameState, live } from '../server.js';
import { Explorer } from '../archive/explorer.js';
import { Hands } from '../board/hands.js';
import { boardAfter, boardOf, compactOf, shiftsOf, shifted, shortened, sideName, spoken } from '../model/notation.js';
import { prefer, settings, stepTime } from '../model/settings.js';
import { desk } from '../ui/desk.js';
import { confirmed, toast } from '../ui/dialog.js';
import { h } from '../ui/dom.js';
import { knock, say } from '../ui/speak.js';
import { Why } from '../ui/why.js';
import { playKey } from './keys.js';
import { Panel } from './panel.js';
import { Setup } from './setup.js';
import { Strip } from './strip.js';

/** @import {GameState, PlayedLine, Remark} from '../api.js' */
/** @import {Board} from '../model/notation.js' */

/** @param {string} id */
export function playPage(id) {
  const play = new Play(id);
  play.start();
  return { element: play.desk.element, key: (/** @type {KeyboardEvent} */ event) => playKey(play, event), close: () => play.close(), flip: () => play.flip() };
}

export class Play {
  /** @type {GameState | null} */
  game = null;
  /** @type {Setup | null} */
  setup = null;
  /** How many turns are shown, when an earlier position is looked at. @type {number | null} */
  past = null;
  /** @type {{from: string, to: string}[]} */
  trail = [];
  animation = 0;
  /** Whether the game can only be looked at. */
  readOnly = false;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.strips = { g: new Strip('g'), s: new Strip('s') };
    this.hands = new Hands(
      { steps: (text) => this.steps(text), why: (sentence) => this.why(sentence), say },
      { wheel: (forward) => this.wheel(forward), tap: (square) => this.tap(square), hold: (square) => this.hold(square), drop: (from, to) => this.drop(from, to), draw: (from, to, colour, done) => this.draw(from, to, colour, done) },
    );
    this.explained = new Why({ line: () => this.line(), draw: (remark) => this.explain(remark), restore: () => this.lookBack(this.past) });
    // A game is not helped along unless somebody asks: the explorer is closed at the start of each.
    this.explorer = new Explorer({
      line: () => this.line(),
      play: (text) => this.playTurn(text),
      preview: (text) => this.preview(text),
      board: () => compactOf(this.hands.board.state.pieces),
      remembers: false,
    });
    this.panel = new Panel({
      why: this.explained,
      explorer: this.explorer,
      line: () => this.line(),
      undo: () => this.command('undo'),
      redo: () => this.command('redo'),
      end: () => this.end(),
      takeback: () => this.command('takeback'),
      resign: () => this.resign(),
      rematch: () => this.rematch(),
      typed: (text) => this.typed(text),
      show: (turns) => this.lookBack(turns),
      readOnly: () => this.readOnly,
    });
    const [top, bottom] = [h('div', {}), h('div', {})];
    this.places = { top, bottom };
    this.desk = desk(this.hands.board, this.panel.element, { top, bottom, flipped: () => settings.flipped });
    this.seat();
  }

  async start() {
    live.hear = (tell) => {
      if (tell.type === 'game' && tell.game.id === this.id) this.show(tell.game);
      else if (tell.type === 'engine_error' && tell.game === this.id) toast(tell.error, true);
      else if (tell.type === 'game_deleted') location.hash = '#/games';
    };
    live.connection = (open) => this.desk.element.classList.toggle('offline', !open);
    this.ticking = setInterval(() => { this.strips.g.tick(); this.strips.s.tick(); }, 250);
    try {
      const known = await about();
      this.presets = known.setups;
      this.readOnly = known.read_only;
      await live.watch(this.id);
    } catch (error) {
      this.panel.message(/** @type {Error} */ (error).message, true);
    }
  }

  close() {
    clearInterval(this.ticking);
    this.animation++;
    this.explorer.close();
    live.leave();
    live.hear = () => {};
    this.desk.stop();
  }

  flip() {
    prefer({ flipped: !settings.flipped });
    this.seat();
  }

  /** Whoever sits below has the strip below. */
  seat() {
    const below = settings.flipped ? 's' : 'g';
    this.places.bottom.replaceChildren(this.strips[below].element);
    this.places.top.replaceChildren(this.strips[below === 'g' ? 's' : 'g'].element);
  }

  /** @param {GameState} game */
  async show(game) {
    const before = this.game;
    if (before && game.version < before.version) return;
    this.game = game;
    this.past = null;
    this.explained.forget();
    if (!before || before.turns.length !== game.turns.length) this.explorer.follow();
    this.strips.g.show(game);
    this.strips.s.show(game);
    const mine = this.isMine(game);
    this.prepareSetup(game);
    this.hands.setView(null);
    this.panel.show(game, this.setup, this.presets ?? [], () => this.end());
    const fresh = before ? game.turns.slice(before.turns.length) : [];
    const animation = ++this.animation;
    const theirs = fresh.length === 1 && this.isEngine(fresh[0].tag.slice(-1));
    if (theirs && before) await this.animate(game, animation);
    if (animation !== this.animation) return;
    this.trail = theirs || !before ? lastTrail(game) : before.turns.length === game.turns.length ? this.trail : lastTrail(game);
    this.settle(game, mine);
    if (fresh.length) this.announce(game, fresh[fresh.length - 1]);
    if (before && game.position.turn_text.length > before.position.turn_text.length) knock(game.captured === before.captured ? 'step' : 'capture');
  }

  /** What is seen, for somebody who explains it. @returns {PlayedLine | null} */
  line() {
    const { game, past } = this;
    if (!game) return null;
    const turns = game.turns.slice(0, past ?? game.turns.length).map((turn) => turn.text);
    const steps = past === null ? game.position.steps_played.map((step) => step.text).join(' ') : '';
    return { start: game.start, rules: '', turns, steps };
  }

  /** A turn of the archive: its steps, for whoever is to play; else a variation in the review. @param {string} text */
  async playTurn(text) {
    const { game, past } = this;
    if (!game) return;
    if (past === null && game.position.phase === 'play') {
      if (game.engine_to_move) return this.why('it is not your turn');
      if (game.position.turn_text) return this.why('take your steps back first');
      await this.steps(text);
    } else {
      const query = new URLSearchParams({ game: game.id, at: String(past ?? game.turns.length), turn: text });
      location.hash = `#/review?${query}`;
    }
  }

  /** What a turn would do; nothing to see the position again. @param {string | null} text */
  preview(text) {
    const { game, past } = this;
    if (!game) return;
    if (text === null) return this.lookBack(past);
    this.explained.forget();
    this.hands.setView(null);
    const pieces = boardAfter(boardBefore(game, past ?? game.turns.length), text);
    this.hands.board.set({ pieces, trail: shiftsOf(text), zone: [], frozen: new Set() });
  }

  /** A sentence is drawn on the board that it is about. @param {Remark} remark */
  explain(remark) {
    this.hands.setView(null);
    this.hands.board.set({ pieces: boardOf(remark.board), zone: remark.zone, trail: [], frozen: new Set() });
  }

  /** The position as it stands. @param {GameState} game @param {boolean} mine */
  settle(game, mine) {
    const setting = this.setup !== null;
    const fallen = shiftsOf(game.position.turn_text).flatMap((shift) => shift.captures.map((one) => one.at));
    const running = shiftsOf(game.position.turn_text);
    this.hands.board.set({
      pieces: this.setup ? { ...boardOf(game.position.board), ...this.setup.pieces } : boardOf(game.position.board),
      trail: running.length ? running : this.trail,
      fallen,
      zone: [],
      home: setting ? game.position.side : null,
    });
    this.hands.setView(mine && !setting ? game.position : null);
    if (!mine) this.hands.board.set({ frozen: new Set(game.position.frozen) });
    this.desk.element.dataset.change = String(game.version);
    this.desk.element.dataset.settled = 'true';
  }

  /** The engine's turn, step by step. @param {GameState} game @param {number} animation */
  async animate(game, animation) {
    this.desk.element.dataset.settled = 'false';
    const last = game.turns[game.turns.length - 1];
    let board = boardBefore(game, game.turns.length - 1);
    const time = stepTime();
    const shown = [];
    for (const shift of shiftsOf(last.text)) {
      if (time === 0 || animation !== this.animation) return;
      shown.push(shift);
      const { captures, ...going } = shift;
      board = shifted(board, { ...going, captures: [] });
      this.hands.board.set({ pieces: board, trail: [...shown] });
      await new Promise((done) => setTimeout(done, time));
      if (animation !== this.animation) return;
      if (captures.length) {
        board = shifted(board, { ...shift, from: '', piece: board[shift.to] ?? shift.piece });
        this.hands.board.set({ pieces: board, fallen: captures.map((one) => one.at) });
      }
      knock(captures.length ? 'capture' : 'step');
    }
  }

  /** @param {GameState} game @param {{tag: string, text: string}} turn */
  announce(game, turn) {
    const end = game.position.end ? ` ${this.panel.endWords(game)}` : '';
    say(`${sideName(turn.tag.slice(-1))}: ${spoken(turn.text)}.${end}`);
    if (game.position.end) knock('end');
  }

  /** Whether somebody here may play now. @param {GameState} game */
  isMine(game) {
    return !this.readOnly && !game.engine_to_move && game.position.phase !== 'over';
  }

  /** @param {string} side */
  isEngine(side) {
    return (side === 'g' ? this.game?.config.gold : this.game?.config.silver)?.kind === 'engine';
  }

  /** @param {GameState} game */
  prepareSetup(game) {
    const mine = game.position.phase === 'setup' && this.isMine(game);
    if (!mine) this.setup = null;
    else if (this.setup?.side !== game.position.side) {
      const missing = game.position.side === 'g' ? game.config.handicap.gold : game.config.handicap.silver;
      this.setup = null;
      this.setup = new Setup(game.position.side, missing, () => {
        if (this.setup && this.game) this.settle(this.game, true);
      });
    }
  }

  /** @param {string} sentence */
  why(sentence) {
    const words = sentence.charAt(0).toUpperCase() + sentence.slice(1);
    this.panel.message(/[.?!]$/.test(words) ? words : `${words}.`);
    say(words);
  }

  /** @param {'undo' | 'redo' | 'takeback' | 'resign' | 'end_turn'} name */
  async command(name) {
    try {
      await live.ask({ type: name, game: this.id });
      this.panel.message('');
    } catch (error) {
      this.why(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text */
  async steps(text) {
    try {
      await live.ask({ type: 'steps', game: this.id, text });
      this.panel.message('');
      return true;
    } catch (error) {
      this.why(/** @type {Error} */ (error).message);
      return false;
    }
  }

  /** @param {string} text */
  async typed(text) {
    if (text === '') return this.end();
    if (this.game?.position.phase === 'setup') {
      return live.ask({ type: 'setup', game: this.id, text }).then(() => true, (error) => {
        this.why(error.message);
        return false;
      });
    }
    return this.steps(text);
  }

  async end() {
    if (this.setup) {
      const text = this.setup.finished();
      await live.ask({ type: 'setup', game: this.id, text }).catch((error) => this.why(error.message));
    } else await this.command('end_turn');
    return true;
  }

  async resign() {
    if (await confirmed('Do you give this game up?', 'Resign')) this.command('resign');
  }

  async rematch() {
    const { game } = this;
    if (!game) return;
    const { gold, silver, handicap } = game.config;
    try {
      const next = await beginGame({ ...game.config, gold: silver, silver: gold, handicap: { gold: handicap.silver, silver: handicap.gold } });
      if (gold.kind !== silver.kind) prefer({ flipped: gold.kind === "human" });
      location.hash = `#/game/${next.id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message, true);
    }
  }

  /** @param {string} square */
  tap(square) {
    if (this.hands.board.state.shapes.length) this.hands.board.set({ shapes: [] });
    if (this.explained.open) return this.explained.close();
    if (this.past !== null) return this.lookBack(null);
    if (!this.setup) return this.hands.tap(square);
    const { selected } = this.hands.board.state;
    if (selected && selected !== square) this.setup.swap(selected, square);
    this.hands.board.set({ selected: selected || !this.setup.pieces[square] ? null : square });
    say(this.hands.board.words(square));
  }

  /** @param {string} square */
  hold(square) {
    if (this.setup) return this.setup.pieces[square] !== undefined && !this.hands.board.state.selected;
    return this.past === null && !this.explained.open && this.hands.hold(square);
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (!this.setup) return this.hands.drop(from, to);
    if (to) this.setup.swap(from, to);
    this.hands.board.set({ selected: null });
  }

  /** @param {string} from @param {string | null} to @param {string} colour @param {boolean} done */
  draw(from, to, colour, done) {
    if (!done || !to) return;
    const { shapes } = this.hands.board.state;
    const rest = shapes.filter((one) => one.from !== from || one.to !== to);
    this.hands.board.set({ shapes: rest.length < shapes.length ? rest : [...rest, { from, to, colour }] });
  }

  /** @param {boolean} forward */
  wheel(forward) {
    const { game } = this;
    if (!game || game.engine_to_move || game.position.phase !== 'play') return;
    if (!forward && game.position.turn_text) this.command('undo');
    else if (forward && game.redo_count) this.command('redo');
  }

  /** An earlier position; nothing for the present one. @param {number | null} turns */
  lookBack(turns) {
    const { game } = this;
    if (!game) return;
    const past = turns === null || game.turns.length <= turns ? null : Math.max(0, turns);
    this.explained.forget();
    this.past = past;
    this.explorer.follow();
    this.panel.mark(past);
    this.desk.element.classList.toggle('past', past !== null);
    if (past === null) return this.settle(game, this.isMine(game));
    this.hands.setView(null);
    const trail = past ? shiftsOf(game.turns[past - 1].text) : [];
    this.hands.board.set({ pieces: boardBefore(game, past), trail, zone: [], frozen: new Set() });
  }
}

/** The board before a turn of a game. @param {GameState} game @param {number} turns @returns {Board} */
function boardBefore(game, turns) {
  return game.turns.slice(0, turns).reduce((board, turn) => boardAfter(board, turn.text), boardOf(game.start.board));
}

/** @param {GameState} game */
function lastTrail(game) {
  const last = game.turns[game.turns.length - 1];
  return last ? shiftsOf(last.text) : [];
}
