// The setups of the archive in the setup view: shown to whoever asks, placed by a click.

import { setupScores } from '../server.js';
import { fill, h } from '../ui/dom.js';
import { count, setupWords } from './explorer.js';
import { NONE } from './filters.js';

/** @import {PlayedLine, SetupEntry} from '../api.js' */

/** @param {() => PlayedLine | null} line @param {(rows: string) => void} take */
export function archiveSetups(line, take) {
  const list = h('ol', { class: 'ways setups', 'aria-label': 'Setups in the archive' });
  const note = h('p', { class: 'hint', 'aria-live': 'polite' });
  let asked = false;
  const ask = async () => {
    const at = line();
    if (asked || !at) return;
    asked = true;
    try {
      const { setups, games, side } = await setupScores({ line: { ...at, steps: '' }, filters: NONE, limit: 20 });
      note.textContent = games ? `${count(games, 'game')}. The score is what ${side === 'g' ? 'Gold' : 'Silver'} won of the games with a winner.`
        : side === 'g' ? 'The archive has no games yet.' : 'No game of the archive began with this setup of Gold.';
      fill(list, ...setups.map((one) => h('li', {}, row(one, take))));
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      note.textContent = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
      asked = false;
    }
  };
  const box = h('details', { class: 'more archive-setups' }, h('summary', {}, 'What others play'), note, list);
  box.addEventListener('toggle', () => box.open && ask());
  return box;
}

/** @param {SetupEntry} one @param {(rows: string) => void} take */
function row(one, take) {
  const score = one.score === null ? '–' : `${Math.round(one.score)} %`;
  const label = `${one.name ?? `${one.front} ${one.back}`}: ${count(one.games, 'game')}, ${one.percent.toFixed(1)} % of all, score ${score}${one.rating === null ? '' : `, average rating ${one.rating}`}`;
  const act = () => take((one.front + one.back).toUpperCase());
  return h('button', { type: 'button', class: 'way setup-way', 'aria-label': label, title: label, 'data-rows': (one.front + one.back).toUpperCase(), onclick: act },
    setupWords(one.name, one.front, one.back),
    h('span', { class: 'count' }, one.games.toLocaleString('en'), h('small', {}, `${one.percent.toFixed(one.percent < 10 ? 1 : 0)} %`)),
    h('span', { class: 'percent' }, score));
}
