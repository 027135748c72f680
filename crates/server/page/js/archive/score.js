// Turns and setups of the archive as rows with their results.

import { abbreviateTurn, describeTurn, FILES, isSetup, sideName, sideOf } from '../model/notation.js';
import { h } from '../ui/dom.js';

/** @import {ExplorerTurn} from '../api.js' */

/** @typedef {{games: number, gold_wins: number, silver_wins: number}} Score */

/** Narrower parts of a score bar have no label, in percent. */
const MIN_LABEL_WIDTH = 35;
/** Of fewer games a percentage would say more than is known. */
const MIN_LABEL_GAMES = 10;

/** @param {number} number @param {string} noun in the singular */
export function count(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** @param {number} wins @param {number} games */
function percentage(wins, games) {
  return (100 * wins) / Math.max(1, games);
}

/** @param {Score} score */
export function scoreText({ games, gold_wins, silver_wins }) {
  if (games < MIN_LABEL_GAMES) return `${sideName('g')} won ${gold_wins}, ${sideName('s')} ${silver_wins}`;
  const [gold, silver] = [gold_wins, silver_wins].map((wins) => Math.round(percentage(wins, games)));
  return `${sideName('g')} won ${gold} %, ${sideName('s')} ${silver} %`;
}

/** The wins of both sides as a bar; the gap between them has no winner. @param {Score} score */
export function scoreBar(score) {
  const part = (/** @type {string} */ side, /** @type {number} */ wins) => {
    const width = percentage(wins, score.games);
    const hasLabel = width >= MIN_LABEL_WIDTH && score.games >= MIN_LABEL_GAMES;
    const label = hasLabel ? `${Math.round(width)}%` : '';
    return h('i', { class: side, style: `width: ${width}%` }, label);
  };
  const text = scoreText(score);
  const attributes = { class: 'score', role: 'img', 'aria-label': text, title: text };
  return h('span', attributes, part('gold', score.gold_wins), part('silver', score.silver_wins));
}

/** Words for screen readers that a column heading says to others. @param {string} text */
export function unseen(text) {
  return h('span', { class: 'visually-hidden' }, text);
}

/** A turn or setup of the explorer. @param {ExplorerTurn} turn @param {number} games in the position */
export function explorerTurn(turn, games) {
  const setup = isSetup(turn);
  const [front, back] = setup ? setupRows(turn.text) : ['', ''];
  const rating = turn.rating === null ? '' : String(turn.rating);
  const lastPlayed = turn.last_year === null ? '' : `last played in ${turn.last_year}`;
  const words = setup ? turn.text : describeTurn(turn.steps);
  const attributes = {
    type: 'button',
    class: 'explorer-turn',
    'data-text': turn.text,
    'data-games': turn.games,
    title: [words, lastPlayed].filter(Boolean).join(', '),
  };
  const row = h(
    'button',
    attributes,
    setup ? setupLabel(turn.name, front, back) : h('span', { class: 'turn-text' }, abbreviateTurn(turn.steps)),
    h('span', { class: 'count' }, turn.games.toLocaleString('en'), unseen(turn.games === 1 ? ' game, ' : ' games, ')),
    scoreBar(turn),
    h('span', { class: 'rating' }, rating && unseen(', average rating '), rating),
  );
  row.style.setProperty('--share', String(turn.games / Math.max(1, games)));
  return row;
}

/** The name and the rows of a setup. @param {string | null} name @param {string} front @param {string} back */
export function setupLabel(name, front, back) {
  const rows = [h('code', {}, front), h('code', {}, back)];
  return h('span', { class: 'turn-text rows' }, name ? h('b', {}, name) : null, ...rows);
}

/** Front row and back row of placements, from file a on. @param {string} text @returns {[string, string]} */
export function setupRows(text) {
  const pieces = Object.fromEntries(text.split(' ').map((word) => [word.slice(1), word[0]]));
  const row = (/** @type {number} */ rank) => [...FILES].map((file) => pieces[`${file}${rank}`] ?? '.').join('');
  return sideOf(text[0] ?? 'R') === 'g' ? [row(2), row(1)] : [row(7), row(8)];
}
