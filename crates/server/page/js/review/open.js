// Opening a record: pasted, dropped, or from a file.

import { parseText } from '../client.js';
import { dialog, toast } from '../ui/dialog.js';
import { button, h } from '../ui/dom.js';

/** @import {ParsedGame} from '../api.js' */

const FORMATS =
  'A game record, a diagram, a compact position, rows of the official archive, or a tree that was exported here.';

/** @param {(game: ParsedGame) => void} onOpen */
export function openDialog(onOpen) {
  const text = h('textarea', {
    rows: 9,
    id: 'record-text',
    spellcheck: false,
    placeholder: '1g Ra1 Rb1 …\n1s ra8 …\n2g Ee2n …',
    'aria-label': 'A record, a position, or rows of the archive',
  });
  const file = h('input', { type: 'file', id: 'record-file', 'aria-label': 'A file' });
  file.addEventListener('change', async () => {
    const [first] = file.files ?? [];
    if (first) text.value = await first.text();
  });
  const errorText = h('p', { class: 'error', role: 'alert' });
  const open = async () => {
    try {
      await parseAndOpen(text.value, onOpen, () => box.close());
    } catch (error) {
      errorText.textContent = /** @type {Error} */ (error).message;
    }
  };
  const buttons = h('div', { class: 'row end' }, button('Open', open, { kind: 'main' }));
  const body = [h('p', { class: 'hint' }, FORMATS), text, file, errorText, buttons];
  const box = dialog('Open a game or a position', body, { wide: true });
  text.focus();
}

/** Parses a text and opens one of its games. @param {string} text @param {(game: ParsedGame) => void} onOpen @param {() => void} [onParsed] */
export async function parseAndOpen(text, onOpen, onParsed = () => {}) {
  const { games } = await parseText(text);
  onParsed();
  const game = games.length === 1 ? games[0] : await chooseGame(games);
  if (!game) return;
  onOpen(game);
  if (game.error) toast(`Parsed up to here: ${game.error}`, true);
}

/** @param {ParsedGame[]} games @returns {Promise<ParsedGame | null>} null if the dialog was cancelled */
function chooseGame(games) {
  return new Promise((resolve) => {
    /** @type {ParsedGame | null} */
    let chosen = null;
    const row = (/** @type {ParsedGame} */ game, /** @type {number} */ index) => {
      const onclick = () => {
        chosen = game;
        box.close();
      };
      return h('li', {}, h('button', { type: 'button', class: 'button quiet', onclick }, gameTitle(game, index)));
    };
    const box = dialog(`${games.length} games`, [h('ul', { class: 'choose' }, ...games.map(row))], { wide: true });
    box.addEventListener('close', () => resolve(chosen));
  });
}

/** @param {ParsedGame} game @param {number} index */
function gameTitle({ title, gold, silver, nodes }, index) {
  const players = gold || silver ? `${gold || 'Gold'} – ${silver || 'Silver'}` : '';
  return [`${index + 1}.`, title, players, `${nodes.length} turns`].filter(Boolean).join('  ');
}
