// A game with its variations.

import { boardAfter, boardOf } from './notation.js';

/** @import {GameState, PlayedLine, Player, ParsedGame} from '../api.js' */
/** @import {Board} from './notation.js' */

/**
 * @typedef {{
 *   parent: Node | null, children: Node[], tag: string, text: string, elapsed_ms: number | null, comment: string, mark: string,
 *   shapes: string[], board: Board,
 * }} Node the root has no turn, only a board
 */

export class Tree {
  title = '';
  gold = '';
  silver = '';
  rules = 'official';
  /** @type {ParsedGame['end']} */
  end = null;

  /** @param {string} compact @param {string} tag of the first turn */
  constructor(compact, tag) {
    this.first = tag;
    this.compact = compact;
    /** @type {Node} */
    this.root = make(null, '', '', boardOf(compact));
  }

  /** @param {ParsedGame} read @returns {Tree} */
  static of(read) {
    const tree = new Tree(read.start.board, read.start.tag);
    Object.assign(tree, { title: read.title, gold: read.gold, silver: read.silver, rules: read.rules, end: read.end });
    /** @type {Node[]} */
    const nodes = [];
    for (const one of read.nodes) {
      const parent = one.parent === null ? tree.root : nodes[one.parent];
      const node = make(parent, one.tag, one.text, boardAfter(parent.board, one.text));
      Object.assign(node, { elapsed_ms: one.elapsed_ms, comment: one.comment, mark: one.glyph, shapes: one.shapes });
      parent.children.push(node);
      nodes.push(node);
    }
    return tree;
  }

  /** A kept game. @param {GameState} game */
  static ofGame(game) {
    const tree = new Tree(game.start.board, game.start.tag);
    let node = tree.root;
    for (const turn of game.turns) {
      node = tree.add(node, turn.tag, turn.text);
      node.elapsed_ms = turn.elapsed_ms;
    }
    /** @param {Player} player */
    const name = (player) => player.name ?? '';
    Object.assign(tree, { gold: name(game.config.gold), silver: name(game.config.silver), end: game.position.end });
    return tree;
  }

  /** The turn of that text after a node: the one that is there, or a new one. @param {Node} parent @param {string} tag @param {string} text */
  add(parent, tag, text) {
    const known = parent.children.find((child) => child.text === text);
    if (known) return known;
    const node = make(parent, tag, text, boardAfter(parent.board, text));
    parent.children.push(node);
    return node;
  }

  /** Makes a variation the main one among its like, all the way to the first turn. @param {Node} node */
  promote(node) {
    for (let one = node; one.parent; one = one.parent) {
      const { children } = one.parent;
      children.splice(children.indexOf(one), 1);
      children.unshift(one);
    }
  }

  /** @param {Node} node @returns {Node} where one stands then */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    return node.parent;
  }

  /** All nodes in the order in which they are written. @returns {Node[]} */
  order() {
    /** @type {Node[]} */
    const nodes = [this.root];
    /** @param {Node} parent */
    const walk = (parent) => {
      let at = parent;
      while (at.children.length) {
        const [first, ...others] = at.children;
        nodes.push(first);
        for (const other of others) {
          nodes.push(other);
          walk(other);
        }
        at = first;
      }
    };
    walk(this.root);
    return nodes;
  }

  /** The way to a node, for the server. @param {Node} node @param {string} steps @returns {PlayedLine} */
  line(node, steps) {
    const turns = [];
    for (let one = node; one.parent; one = one.parent) turns.unshift(one.text);
    return { start: { board: this.compact, tag: this.first }, rules: this.rules, turns, steps };
  }

  /** The plain record up to a node, or of the main line. @param {Node | null} [last] */
  record(last = null) {
    /** @type {Node[]} */
    const nodes = [];
    if (last) for (let one = last; one.parent; one = one.parent) nodes.unshift(one);
    else for (let one = this.root.children[0]; one; one = one.children[0]) nodes.push(one);
    return nodes.map((node) => `${node.tag} ${node.text}`).join('\n');
  }

  /** The whole tree as text; the server reads it again. */
  write() {
    const lines = ['# Surus tree 1'];
    for (const key of /** @type {const} */ (['title', 'gold', 'silver'])) if (this[key]) lines.push(`# ${key}: ${this[key]}`);
    if (this.rules !== 'official') lines.push(`# rules: ${this.rules}`);
    if (this.compact.trim() !== '') lines.push(`position ${this.first} [${this.compact}]`);
    /** @param {Node} node */
    const turn = (node) => {
      const time = node.elapsed_ms === null ? '' : ` (${node.elapsed_ms / 1000}s)`;
      const shapes = node.shapes.length ? ` {${node.shapes.join(' ')}}` : '';
      const comment = node.comment ? ` "${node.comment.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"` : '';
      return `${node.tag} ${node.text}${node.mark ? ` ${node.mark}` : ''}${time}${shapes}${comment}`;
    };
    /** @param {Node} parent */
    const walk = (parent) => {
      let at = parent;
      while (at.children.length) {
        const [first, ...others] = at.children;
        lines.push(turn(first));
        for (const other of others) {
          lines.push(`[ ${turn(other)}`);
          walk(other);
          lines.push(']');
        }
        at = first;
      }
    };
    walk(this.root);
    return lines.join('\n');
  }
}

/** @param {Node | null} parent @param {string} tag @param {string} text @param {Board} board @returns {Node} */
function make(parent, tag, text, board) {
  return { parent, children: [], tag, text, elapsed_ms: null, comment: '', mark: '', shapes: [], board };
}

/** The tag that follows. @param {string} tag */
export function nextTag(tag) {
  const number = Number(tag.slice(0, -1));
  return tag.endsWith('g') ? `${number}s` : `${number + 1}g`;
}
