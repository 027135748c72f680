// A game with its variations.

import { applyTurn, parseBoard } from './notation.js';
import { playerName } from './players.js';
import { formatRecord, formatTree } from './tree_text.js';

/** @import {GameState, ParsedGame, PlayedLine, StepInfo} from '../api.js' */
/** @import {Board} from './notation.js' */

/** @typedef {{text: string, steps: StepInfo[]}} Turn a turn without its place in a game */

/**
 * A turn with its annotations. The root has a board but no turn.
 * @typedef {{
 *   parent: Node | null,
 *   children: Node[],
 *   tag: string,
 *   text: string,
 *   steps: StepInfo[],
 *   elapsed_ms: number | null,
 *   comment: string,
 *   glyph: string,
 *   verdict: string,
 *   shapes: string[],
 *   board: Board,
 * }} Node
 */

export class Tree {
  title = '';
  gold = '';
  silver = '';
  rules = 'official';
  /** @type {ParsedGame['end']} */
  end = null;
  /** The number of steps of the first turn; null for four. @type {number | null} */
  stepsLeft = null;
  /** The last turn of the game as it was played, to which the result belongs. @type {Node | null} */
  endNode = null;

  /** @param {string} compact @param {string} tag of the first turn */
  constructor(compact, tag) {
    this.firstTag = tag;
    this.compact = compact;
    /** @type {Node} */
    this.root = createNode(null, '', { text: '', steps: [] }, parseBoard(compact));
  }

  /** @param {ParsedGame} game @returns {Tree} */
  static fromParsed(game) {
    const tree = new Tree(game.start.board, game.start.tag);
    Object.assign(tree, {
      title: game.title,
      gold: game.gold,
      silver: game.silver,
      rules: game.rules,
      end: game.end,
    });
    /** @type {Node[]} */
    const nodes = [];
    for (const parsed of game.nodes) {
      const parent = parsed.parent === null ? tree.root : nodes[parsed.parent];
      const node = createNode(parent, parsed.tag, parsed, applyTurn(parent.board, parsed));
      const { elapsed_ms, comment, glyph, shapes } = parsed;
      Object.assign(node, { elapsed_ms, comment, glyph, shapes });
      parent.children.push(node);
      nodes.push(node);
    }
    tree.endNode = tree.mainLine().at(-1) ?? tree.root;
    return tree;
  }

  /** A game that was played here. @param {GameState} game */
  static fromGame(game) {
    const tree = new Tree(game.start.board, game.start.tag);
    let node = tree.root;
    for (const turn of game.turns) {
      node = tree.add(node, turn.tag, turn);
      node.elapsed_ms = turn.elapsed_ms;
    }
    const { gold, silver } = game.config;
    const [goldName, silverName] = [playerName(gold, 'g'), playerName(silver, 's')];
    Object.assign(tree, { gold: goldName, silver: silverName, end: game.position.end, endNode: node });
    return tree;
  }

  /** Returns the child with this turn, adding it if there is none. @param {Node} parent @param {string} tag @param {Turn} turn */
  add(parent, tag, turn) {
    const existing = parent.children.find((child) => child.text === turn.text);
    if (existing) return existing;
    const node = createNode(parent, tag, turn, applyTurn(parent.board, turn));
    parent.children.push(node);
    return node;
  }

  /** Makes a variation and all its ancestors the main line. @param {Node} node */
  promote(node) {
    for (let current = node; current.parent; current = current.parent) {
      const { children } = current.parent;
      children.splice(children.indexOf(current), 1);
      children.unshift(current);
    }
  }

  /** Removes a node. @param {Node} node @returns {Node} its parent */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    return node.parent;
  }

  /** All nodes in the order in which they are written. @returns {Node[]} */
  preorder() {
    /** @type {Node[]} */
    const nodes = [this.root];
    /** @param {Node} parent */
    const visit = (parent) => {
      let current = parent;
      while (current.children.length) {
        const [main, ...variations] = current.children;
        nodes.push(main);
        for (const variation of variations) {
          nodes.push(variation);
          visit(variation);
        }
        current = main;
      }
    };
    visit(this.root);
    return nodes;
  }

  /** The nodes from the first turn to a node. @param {Node} node @returns {Node[]} */
  path(node) {
    /** @type {Node[]} */
    const nodes = [];
    for (let current = node; current.parent; current = current.parent) nodes.unshift(current);
    return nodes;
  }

  /** The main line. @returns {Node[]} */
  mainLine() {
    /** @type {Node[]} */
    const nodes = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) nodes.push(node);
    return nodes;
  }

  /** The line to a node, for the server. @param {Node} node @param {string} steps @returns {PlayedLine} */
  line(node, steps) {
    const turns = this.path(node).map((turn) => turn.text);
    const start = { board: this.compact, tag: this.firstTag };
    return { start, steps_left: this.stepsLeft, rules: this.rules, turns, steps };
  }

  /** The record up to a node, or of the main line. @param {Node | null} [last] */
  record(last = null) {
    return formatRecord(last ? this.path(last) : this.mainLine());
  }

  /** The tree as text, which the server can parse. */
  format() {
    return formatTree(this);
  }
}

/** @param {Node | null} parent @param {string} tag @param {Turn} turn @param {Board} board @returns {Node} */
function createNode(parent, tag, turn, board) {
  const annotations = { elapsed_ms: null, comment: '', glyph: '', verdict: '', shapes: [] };
  return { parent, children: [], tag, text: turn.text, steps: turn.steps, board, ...annotations };
}
