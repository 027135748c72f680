// The turns of a tree as a list: the main line, with variations below the turn that they replace.

import { abbreviateTurn, isSetup, sideOfTag } from '../model/notation.js';
import { formatDuration } from '../model/time.js';
import { h } from '../ui/dom.js';

/** @import {Node, Tree} from '../model/tree.js' */

/** The trees for which a list was made, so that trees with equal turns differ. @type {WeakMap<Tree, number>} */
const treeNumbers = new WeakMap();
let lastNumber = 0;

/** What the list of a tree depends on, besides the current turn. @param {Tree} tree @returns {string} */
export function turnListKey(tree) {
  if (!treeNumbers.has(tree)) treeNumbers.set(tree, ++lastNumber);
  const nodes = tree.preorder();
  const indices = new Map(nodes.map((node, index) => [node, index]));
  const rows = nodes.map((node) => [
    node.parent ? indices.get(node.parent) : '',
    node.tag,
    node.text,
    node.glyph || node.verdict,
    node.comment,
  ]);
  return JSON.stringify([treeNumbers.get(tree), rows]);
}

/** Marks the current turn in the list of a tree. @param {HTMLElement} list @param {Tree} tree @param {Node} current */
export function markCurrent(list, tree, current) {
  const before = list.querySelector('.turn.current');
  const buttons = list.querySelectorAll('button.turn');
  // The buttons are in the order of the written tree, which starts with the root.
  const next = buttons[tree.preorder().indexOf(current) - 1];
  if (before === (next ?? null)) return;
  before?.classList.remove('current');
  before?.removeAttribute('aria-current');
  next?.classList.add('current');
  next?.setAttribute('aria-current', 'true');
}

/** @param {Tree} tree @param {(node: Node) => void} onSelect */
export function turnList(tree, onSelect) {
  /** @param {Node} node */
  const item = (node) => [turnButton(node, onSelect), node.comment ? h('p', { class: 'comment' }, node.comment) : null];
  /** @param {Node} parent @returns {HTMLElement[]} */
  const line = (parent) => {
    const rows = [];
    for (let node = parent; node.children.length; node = node.children[0]) {
      const [main, ...variations] = node.children;
      rows.push(h('li', {}, ...item(main)));
      for (const variation of variations) {
        const branch = h('ol', {}, h('li', {}, ...item(variation)), ...line(variation));
        rows.push(h('li', { class: 'branch' }, branch));
      }
    }
    return rows;
  };
  return line(tree.root);
}

/** @param {Node} node @param {(node: Node) => void} onSelect */
function turnButton(node, onSelect) {
  const side = sideOfTag(node.tag) === 'g' ? 'gold' : 'silver';
  const attributes = {
    type: 'button',
    class: `turn ${side}`,
    onclick: () => onSelect(node),
  };
  const text = isSetup(node) ? 'setup' : abbreviateTurn(node.steps);
  const annotation = node.glyph || node.verdict;
  const glyph = annotation ? h('em', { class: node.glyph ? '' : 'verdict' }, annotation) : null;
  const time = node.elapsed_ms === null ? null : h('small', { class: 'used' }, formatDuration(node.elapsed_ms));
  return h('button', attributes, h('b', {}, node.tag), h('span', {}, text), glyph, time);
}
