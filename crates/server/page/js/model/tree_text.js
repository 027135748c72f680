// Trees and records as text.

/** @import {Node, Tree} from './tree.js' */

/** @param {Node[]} nodes */
export function formatRecord(nodes) {
  return nodes.map((node) => `${node.tag} ${node.text}`).join('\n');
}

/** @param {Tree} tree */
export function formatTree(tree) {
  return [...header(tree), ...formatChildren(tree.root)].join('\n');
}

/** @param {Tree} tree */
function header(tree) {
  const lines = ['# Surus tree 1'];
  for (const key of /** @type {const} */ (['title', 'gold', 'silver'])) {
    if (tree[key]) lines.push(`# ${key}: ${tree[key]}`);
  }
  if (tree.rules !== 'official') lines.push(`# rules: ${tree.rules}`);
  if (tree.compact.trim() !== '') lines.push(`position ${tree.firstTag} [${tree.compact}]`);
  return lines;
}

/** The main line after a node, each variation in brackets after the turn that it replaces. @param {Node} parent @returns {string[]} */
function formatChildren(parent) {
  const lines = [];
  for (let current = parent; current.children.length; current = current.children[0]) {
    const [main, ...variations] = current.children;
    lines.push(formatNode(main));
    for (const variation of variations) {
      lines.push(`[ ${formatNode(variation)}`, ...formatChildren(variation), ']');
    }
  }
  return lines;
}

/** @param {Node} node */
function formatNode({ tag, text, glyph, elapsed_ms, shapes, comment }) {
  return [
    `${tag} ${text}`,
    glyph,
    elapsed_ms === null ? '' : `(${elapsed_ms / 1000}s)`,
    shapes.length ? `{${shapes.join(' ')}}` : '',
    comment ? `"${comment.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
