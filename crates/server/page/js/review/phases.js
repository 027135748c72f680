// The phase bands of a review: of the shown line to its end, loaded when that line changes.

import { fetchPhases } from '../client.js';
import { isSetup } from '../model/notation.js';
import { PhaseBands } from '../ui/phase_bands.js';

/** @import {Node, Tree} from '../model/tree.js' */
/** @import {ReviewState} from './state.js' */

/** The turns to a node and on to the end of its line. @param {Tree} tree @param {Node} node @returns {Node[]} */
export function lineThrough(tree, node) {
  const nodes = tree.path(node);
  for (let next = node.children[0]; next; next = next.children[0]) nodes.push(next);
  return nodes;
}

/** The index of the phase after so much of a line; negative before the setups. @param {Node[]} line @param {number} played */
export function phaseIndex(line, played) {
  return played - line.filter(isSetup).length;
}

export class ReviewPhases {
  requestId = 0;
  /** The request for the shown bands. */
  key = '';
  /** @type {Node[]} */
  line = [];
  played = 0;

  /** @param {(index: number) => void} onSelect is called with the number of turns of the line before the selected band */
  constructor(onSelect) {
    this.bands = new PhaseBands((index) => onSelect(index - phaseIndex(this.line, 0)));
    this.element = this.bands.element;
  }

  /** @param {ReviewState} state */
  async show({ tree, current }) {
    this.line = lineThrough(tree, current);
    this.played = this.line.indexOf(current) + 1;
    const request = tree.line(this.line.at(-1) ?? tree.root, '');
    const key = JSON.stringify(request);
    if (key !== this.key) {
      this.key = key;
      const id = ++this.requestId;
      const turns = await fetchTurns(request);
      if (id !== this.requestId) return;
      this.bands.setTurns(turns);
    }
    this.bands.mark(phaseIndex(this.line, this.played));
  }

  close() {
    this.requestId++;
  }
}

/**
 * No turns if the line cannot be replayed, which is reported where its position is shown.
 * @param {import('../api.js').PlayedLine} line
 */
async function fetchTurns(line) {
  try {
    return (await fetchPhases(line)).turns;
  } catch {
    return [];
  }
}
