// The page for starting a game.

import { BoardWidget } from '../board/widget.js';
import { appInfo, createGame, fetchResults, listGames, untilReachable } from '../client.js';
import { decodeFromUrl } from '../model/link.js';
import { parseBoard, STANDARD_BOARD } from '../model/notation.js';
import { loadItem, saveItem, updateSettings } from '../model/settings.js';
import { timeControlWords } from '../model/time.js';
import { socket } from '../socket.js';
import { boardLayout } from '../ui/board_layout.js';
import { showError } from '../ui/dialog.js';
import { field, fill, h, segments } from '../ui/dom.js';
import { engineFields } from './engine_fields.js';
import { gameConfig, initialForm, pickSide } from './game_config.js';
import { handicapFields } from './handicap.js';
import { unfinishedGame } from './unfinished.js';

/** @import {AppInfo, EngineResults, PlayedLine, PositionView} from '../api.js' */
/** @import {NewGameForm} from './game_config.js' */

const KEY = 'surus.new-game';
const MAX_NAME_LENGTH = 60;

/** The turns that come before the game, and the position after them. @typedef {{line: PlayedLine, position: PositionView}} Before */

/** @param {URLSearchParams} query may contain the turns before the game: `line`, or a start position: `board` and `tag` */
export function newGamePage(query) {
  const board = new BoardWidget({});
  board.setState({ pieces: parseBoard(STANDARD_BOARD) });
  const panel = h('aside', { class: 'panel', 'aria-label': 'New game' }, h('p', { class: 'hint' }, 'Loading…'));
  const layout = boardLayout(board, panel);
  let isClosed = false;
  // The board is seen from the side that will be played.
  const showSide = (/** @type {NewGameForm} */ { opponent, side }) =>
    board.setState({ flipped: opponent === 'engine' && side === 's' });
  const showProblem = (/** @type {Error} */ error) => fill(panel, h('p', { class: 'error' }, error.message));
  const load = async () => {
    const [info, results, { games }, before] = await Promise.all([
      appInfo(),
      fetchResults(),
      listGames(0),
      turnsBefore(query),
    ]);
    if (before) board.setState({ pieces: parseBoard(before.position.board) });
    fill(panel, before ? null : unfinishedGame(games), newGameForm(info, results, before, showSide));
  };
  untilReachable(load, showProblem, () => isClosed).catch(showProblem);
  const close = () => {
    isClosed = true;
    layout.close();
  };
  return { element: layout.element, close, title: 'New game' };
}

/** @param {URLSearchParams} query @returns {Promise<Before | null>} */
async function turnsBefore(query) {
  const encoded = query.get('line');
  const board = query.get('board');
  if (!encoded && !board) return null;
  const start = { board: board ?? '', tag: query.get('tag') ?? '2g' };
  /** @type {PlayedLine} */
  const line = encoded ? JSON.parse(await decodeFromUrl(encoded)) : { start, rules: '', turns: [], steps: '' };
  return { line, position: await socket.fetchPosition(line) };
}

/** @param {AppInfo} info @param {EngineResults[]} results @param {Before | null} before @param {(form: NewGameForm) => void} showSide */
function newGameForm(info, results, before, showSide) {
  const form = initialForm(info, loadItem(KEY));
  // Who continues a game is to move.
  if (before) form.side = before.position.side;
  const engineBox = h('div', { class: 'stack' });
  const nameBox = h('div', { class: 'stack' });
  const sideBox = segments(
    'Your side',
    'side',
    [
      ['g', 'Gold'],
      ['s', 'Silver'],
      ['?', 'Random'],
    ],
    form.side,
    (side) => {
      form.side = side;
      showSide(form);
    },
  );
  const render = () => {
    const engine = info.engines.find(({ name }) => name === form.engine) ?? info.engines[0];
    fill(engineBox, ...(form.opponent === 'human' ? [] : engineFields(info, results, engine, form, render)));
    fill(nameBox, ...nameFields(form));
    sideBox.hidden = form.opponent !== 'engine';
    showSide(form);
  };
  const opponentBox = segments(
    'Opponent',
    'opponent',
    [
      ['engine', 'Computer'],
      ['human', 'Two players'],
      ['engines', 'Engine vs engine'],
    ],
    form.opponent,
    (opponent) => {
      form.opponent = opponent;
      render();
    },
  );
  render();
  /** @param {Event} event */
  const onsubmit = (event) => {
    event.preventDefault();
    startGame(form, before).catch(showError);
  };
  const submit = { type: 'submit', class: 'button main large', id: 'start-game', disabled: info.read_only };
  return h(
    'form',
    { class: 'stack new-game', onsubmit },
    h('h1', {}, before ? `Play on at ${before.position.tag}` : 'New game'),
    opponentBox,
    engineBox,
    sideBox,
    nameBox,
    clockField(info, form),
    before ? null : handicapFields(form),
    h('button', submit, 'Start game'),
    info.read_only && h('p', { class: 'hint' }, 'This board is read-only: games cannot be started.'),
  );
}

/** The names of the people who play. @param {NewGameForm} form */
function nameFields({ opponent, names }) {
  const input = (/** @type {'you' | 'gold' | 'silver'} */ key, /** @type {string} */ label) => {
    const attributes = { type: 'text', maxLength: MAX_NAME_LENGTH, autocomplete: 'off', spellcheck: false };
    const element = h('input', { ...attributes, id: `name-${key}`, value: names[key], placeholder: 'optional' });
    element.addEventListener('input', () => {
      names[key] = element.value;
    });
    return field(label, element);
  };
  if (opponent === 'engine') return [input('you', 'Your name')];
  if (opponent === 'engines') return [];
  return [h('div', { class: 'pair' }, input('gold', "Gold's name"), input('silver', "Silver's name"))];
}

/** @param {AppInfo} info @param {NewGameForm} form */
function clockField(info, form) {
  const details = h('p', { class: 'hint' });
  const show = () => {
    form.timeControl = select.value;
    details.textContent = select.value ? timeControlWords(select.value).details.join(' ') : '';
    details.hidden = details.textContent === '';
  };
  const select = h(
    'select',
    { id: 'clock', onchange: show },
    h('option', { value: '' }, 'No clocks'),
    ...info.time_controls.map(({ name, time_control }) =>
      h('option', { value: time_control }, `${name}: ${timeControlWords(time_control).short}`),
    ),
  );
  select.value = form.timeControl;
  show();
  return field('Clock', select, details);
}

/** @param {NewGameForm} form @param {Before | null} before */
async function startGame(form, before) {
  // The side of a continued game is no preference.
  saveItem(KEY, before ? { ...form, side: loadItem(KEY)?.side ?? 'g' } : form);
  const side = pickSide(form);
  const game = await createGame(gameConfig(form, side, before?.line ?? null));
  if (form.opponent === 'engine') updateSettings({ flipped: side === 's' });
  location.hash = `#/game/${game.id}`;
}
