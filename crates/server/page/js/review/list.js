// The turns of a tree as a list: the main line, variations set in below the turn that they replace.

import { shortened } from '../model/notation.js';
import { h } from '../ui/dom.js';

/** @import {Node, Tree} from '../model/tree.js' */

/** @param {Tree} tree @param {Node} here @param {(node: Node) => void} go */
export function turnList(tree, here, go) {
  /** @param {Node} node */
  const turn = (node) => {
    const gold = node.tag.endsWith('g');
    const used = node.elapsed_ms === null ? null : `${node.elapsed_ms / 1000} s`;
    const words = node.text.split(' ')[0]?.length === 3 ? 'setup' : shortened(node.text);
    return h(
      'button',
      { type: 'button', class: `turn ${gold ? 'gold' : 'silver'} ${node === here ? 'here' : ''}`, 'aria-current': node === here ? 'true' : null, title: used, onclick: () => go(node) },
      h('b', {}, node.tag),
      h('span', {}, words),
      node.mark ? h('em', {}, node.mark) : null,
    );
  };
  /** @param {Node} parent @returns {HTMLElement[]} */
  const line = (parent) => {
    const rows = [];
    for (let at = parent; at.children.length; at = at.children[0]) {
      const [first, ...others] = at.children;
      rows.push(h('li', {}, turn(first), first.comment ? h('p', { class: 'comment' }, first.comment) : null));
      for (const other of others) {
        rows.push(h('li', { class: 'branch' }, h('ol', {}, h('li', {}, turn(other), other.comment ? h('p', { class: 'comment' }, other.comment) : null), ...line(other))));
      }
    }
    return rows;
  };
  return line(tree.root);
}
