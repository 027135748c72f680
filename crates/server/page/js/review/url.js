// The review page in its URL.

import { decodeFromUrl, encodeForUrl } from '../model/link.js';

/** @import {ReviewState} from './state.js' */

/** The tree in the last query: while the user walks through a game, only the place changes. */
let lastTree = { text: '', encoded: '' };

/** @param {string} text */
async function encodeTree(text) {
  if (text !== lastTree.text) lastTree = { text, encoded: await encodeForUrl(text) };
  return lastTree.encoded;
}

/** The query that restores a state. @param {ReviewState} state */
export async function formatQuery(state) {
  const query = new URLSearchParams();
  query.set('t', await encodeTree(state.tree.format()));
  query.set('at', String(state.tree.preorder().indexOf(state.current)));
  if (state.stepIndex !== null) query.set('in', String(state.stepIndex));
  if (state.draftSteps) query.set('steps', state.draftSteps);
  if (state.tree.stepsLeft !== null) query.set('left', String(state.tree.stepsLeft));
  return query.toString();
}

/** The tree or record in a query, as text. @param {URLSearchParams} query */
export async function textOf(query) {
  const encoded = query.get('t');
  return encoded ? decodeFromUrl(encoded) : query.get('text');
}

/** Goes to the turn that a query names: by its index, or the one before a tag. @param {ReviewState} state @param {URLSearchParams} query */
export function goToQuery(state, query) {
  const nodes = state.tree.preorder();
  const before = nodes.find((node) => node.tag !== '' && node.tag === query.get('before'))?.parent;
  const at = query.has('at') ? nodes[Number(query.get('at'))] : null;
  const stepIndex = query.has('in') ? Number(query.get('in')) : null;
  state.goTo(before ?? at ?? state.current, stepIndex);
  state.setDraft(query.get('steps') ?? '');
}
