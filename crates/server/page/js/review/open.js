// Opening a record: pasted, dropped, or from a file.

import { count } from '../archive/score.js';
import { parseText } from '../client.js';
import { asSentence } from '../ui/announce.js';
import { dialog, toast } from '../ui/dialog.js';
import { button, h } from '../ui/dom.js';

/** @import {ParsedGame, ParseFailure} from '../api.js' */

const FORMATS =
  'A game record, a diagram, a compact position, a puzzle (1w Ca1 Rd2 / 1b ra5 / 2w pass), rows of the official ' +
  'archive, or a tree that was exported here. Several records are separated by empty lines.';

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
  const { games, failures } = await parseText(text);
  onParsed();
  const game = games.length === 1 && failures.length === 0 ? games[0] : await chooseGame(games, failures);
  if (!game) return;
  onOpen(game);
  if (game.error) toast(`Parsed up to here: ${game.error}`, true);
}

/**
 * @param {ParsedGame[]} games
 * @param {ParseFailure[]} failures
 * @returns {Promise<ParsedGame | null>} null if the dialog was cancelled
 */
function chooseGame(games, failures) {
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
    const body = [...failureList(failures), h('ul', { class: 'choose' }, ...games.map(row))];
    const box = dialog(count(games.length, 'game'), body, { wide: true });
    box.addEventListener('close', () => resolve(chosen));
  });
}

/** What could not be read, and why. @param {ParseFailure[]} failures */
function failureList(failures) {
  if (failures.length === 0) return [];
  const row = (/** @type {ParseFailure} */ { name, error }) =>
    h('li', {}, name ? h('b', {}, `Game ${name}: `) : null, asSentence(error));
  const title = `${count(failures.length, 'game')} could not be read`;
  return [h('section', { class: 'failures', role: 'alert' }, h('h3', {}, title), h('ul', {}, ...failures.map(row)))];
}

/** @param {ParsedGame} game @param {number} index */
function gameTitle({ title, gold, silver, nodes }, index) {
  const players = gold || silver ? `${gold || 'Gold'} – ${silver || 'Silver'}` : '';
  return [`${index + 1}.`, title, players, `${nodes.length} turns`].filter(Boolean).join('  ');
}
