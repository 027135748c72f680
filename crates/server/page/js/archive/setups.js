// The popular setups of the archive, for placing one by a click.

import { archiveSetups } from '../client.js';
import { sideName } from '../model/notation.js';
import { asSentence } from '../ui/announce.js';
import { fill, h } from '../ui/dom.js';
import { NO_FILTERS } from './filters.js';
import { count, setupLabel, unseen } from './score.js';

/** @import {PlayedLine, SetupEntry, SetupsResponse} from '../api.js' */

const LIMIT = 20;

/** @param {() => PlayedLine | null} line @param {(rows: string) => void} onSelect */
export function popularSetups(line, onSelect) {
  const list = h('ol', { class: 'explorer-turns setups', 'aria-label': 'Setups in the archive' });
  const note = h('p', { class: 'hint', 'aria-live': 'polite' });
  let isLoaded = false;
  const load = async () => {
    const current = line();
    if (isLoaded || !current) return;
    isLoaded = true;
    try {
      const response = await archiveSetups({ line: { ...current, steps: '' }, filters: NO_FILTERS, limit: LIMIT });
      note.textContent = summary(response);
      note.classList.remove('error');
      fill(list, ...response.setups.map((entry) => h('li', {}, row(entry, onSelect))));
    } catch (error) {
      note.textContent = asSentence(/** @type {Error} */ (error).message);
      note.classList.add('error');
      isLoaded = false;
    }
  };
  const box = h('details', { class: 'more popular-setups' }, h('summary', {}, 'Popular setups'), note, list);
  box.addEventListener('toggle', () => box.open && load());
  return box;
}

/** @param {SetupsResponse} response */
function summary({ games, side }) {
  if (games) return `${count(games, 'game')}. Scores are ${sideName(side)}'s wins in decided games.`;
  return side === 'g' ? 'The archive has no games yet.' : "No games with Gold's setup.";
}

/** @param {SetupEntry} entry @param {(rows: string) => void} onSelect */
function row({ name, front, back, games, percent, score, rating }, onSelect) {
  const rows = (front + back).toUpperCase();
  const scoreText = score === null ? '–' : `${Math.round(score)} %`;
  const attributes = {
    type: 'button',
    class: 'explorer-turn setup-entry',
    title: rating === null ? null : `average rating ${rating}`,
    'data-rows': rows,
    onclick: () => onSelect(rows),
  };
  const share = h(
    'small',
    {},
    unseen(games === 1 ? ' game, ' : ' games, '),
    `${percent.toFixed(percent < 10 ? 1 : 0)} %`,
  );
  return h(
    'button',
    attributes,
    setupLabel(name, front, back),
    h('span', { class: 'count' }, games.toLocaleString('en'), share),
    h('span', { class: 'percent' }, unseen(' of all, score '), scoreText),
  );
}
