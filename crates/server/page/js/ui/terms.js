// Terms of the game in sentences: each is explained where it is used for the first time.

import { h } from './dom.js';

/** @type {[RegExp, string, string][]} a pattern, the term, its meaning */
const TERMS = [
  [/\btrap\b/, 'trap', 'a piece on c3, f3, c6 or f6 is captured when no friend stands next to it'],
  [
    /\bpush(es)?\b/,
    'push',
    'two steps: a stronger piece moves an enemy next to it to an empty square and takes its place',
  ],
  [
    /\bpull(s)?\b/,
    'pull',
    'two steps: a piece steps away and a weaker enemy next to it follows into the square it left',
  ],
  [/\bguards?\b/, 'guard', 'a piece next to a trap keeps a friend on the trap from being captured'],
  [/\bgoal\b/, 'goal', 'a side wins when its turn ends with one of its rabbits on the last rank'],
  [/\bimmobilis(ing|ation)\b/, 'immobilise', 'a side that has no legal turn loses'],
  [
    /\bzone\b/i,
    'zone',
    'the pieces around one attack, and the squares by which each can attack, intercept or support in time',
  ],
];

/** The terms that have been explained since the page was loaded. @type {Set<string>} */
const explained = new Set();

/** The terms in a sentence. @param {string} text */
function termsOf(text) {
  return TERMS.filter(([pattern]) => pattern.test(text)).map(([, term, meaning]) => ({ term, meaning }));
}

/**
 * The terms that a text uses for the first time. They count as explained only when `markExplained` is called, so that a
 * text that is shown again keeps its explanations.
 * @param {string} text
 */
export function newTerms(text) {
  return termsOf(text).filter(({ term }) => !explained.has(term));
}

/** @param {{term: string}[]} terms */
export function markExplained(terms) {
  for (const { term } of terms) explained.add(term);
}

/** A list of terms with their meanings. @param {{term: string, meaning: string}[]} terms */
export function termList(terms) {
  if (terms.length === 0) return null;
  const items = terms.flatMap(({ term, meaning }) => [h('dt', {}, term), h('dd', {}, meaning)]);
  return h('dl', { class: 'terms' }, ...items);
}
