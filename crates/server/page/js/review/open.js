// Opening a record: pasted, dropped, or from a file.

import { readText } from '../server.js';
import { dialog, toast } from '../ui/dialog.js';
import { button, h } from '../ui/dom.js';

/** @import {ParsedGame} from '../api.js' */

/** @param {(game: ParsedGame) => void} take */
export function openDialog(take) {
  const text = h('textarea', { rows: 9, id: 'record-text', spellcheck: false, placeholder: '1g Ra1 Rb1 …\n1s ra8 …\n2g Ee2n …', 'aria-label': 'A record, a position, or rows of the archive' });
  const file = h('input', { type: 'file', id: 'record-file', 'aria-label': 'A file', onchange: async () => {
    const [one] = file.files ?? [];
    if (one) text.value = await one.text();
  } });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const open = async () => {
    try {
      await readAndTake(text.value, take, () => box.close());
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const box = dialog('Open a game or a position', [
    h('p', { class: 'hint' }, 'A game record, a diagram, a compact position, rows of the official archive, or a tree that was exported here.'),
    text, file, problem,
    h('div', { class: 'row end' }, button('Open', open, { kind: 'main' })),
  ], { wide: true });
  text.focus();
}

/** @param {string} text @param {(game: ParsedGame) => void} take @param {() => void} [done] */
export async function readAndTake(text, take, done = () => {}) {
  const { games } = await readText(text);
  done();
  const chosen = games.length === 1 ? games[0] : await choose(games);
  if (!chosen) return;
  take(chosen);
  if (chosen.error) toast(`Read up to here: ${chosen.error}`, true);
}

/** @param {ParsedGame[]} games @returns {Promise<ParsedGame | null>} */
function choose(games) {
  return new Promise((done) => {
    /** @type {ParsedGame | null} */
    let chosen = null;
    const list = h('ul', { class: 'choose' }, ...games.map((game, index) => {
      const players = game.gold || game.silver ? `${game.gold || 'Gold'} – ${game.silver || 'Silver'}` : '';
      const words = [`${index + 1}.`, game.title, players, `${game.nodes.length} turns`].filter(Boolean).join('  ');
      return h('li', {}, h('button', { type: 'button', class: 'button quiet', onclick: () => { chosen = game; box.close(); } }, words));
    }));
    const box = dialog(`${games.length} games`, [list], { wide: true });
    box.addEventListener('close', () => done(chosen));
  });
}
