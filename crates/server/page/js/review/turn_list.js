// The turns of a tree as a list: the main line, with variations below the turn that they replace.

import { abbreviateTurn, isSetup, sideOfTag } from '../model/notation.js';
import { h } from '../ui/dom.js';

/** @import {Node, Tree} from '../model/tree.js' */

/** @param {Tree} tree @param {Node} current @param {(node: Node) => void} onSelect */
export function turnList(tree, current, onSelect) {
  /** @param {Node} node */
  const item = (node) => [
    turnButton(node, node === current, onSelect),
    node.comment ? h('p', { class: 'comment' }, node.comment) : null,
  ];
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

/** @param {Node} node @param {boolean} isCurrent @param {(node: Node) => void} onSelect */
function turnButton(node, isCurrent, onSelect) {
  const side = sideOfTag(node.tag) === 'g' ? 'gold' : 'silver';
  const attributes = {
    type: 'button',
    class: `turn ${side}${isCurrent ? ' current' : ''}`,
    'aria-current': isCurrent ? 'true' : null,
    title: node.elapsed_ms === null ? null : `${node.elapsed_ms / 1000} s`,
    onclick: () => onSelect(node),
  };
  const text = isSetup(node) ? 'setup' : abbreviateTurn(node.steps);
  const glyph = node.glyph ? h('em', {}, node.glyph) : null;
  return h('button', attributes, h('b', {}, node.tag), h('span', {}, text), glyph);
}
