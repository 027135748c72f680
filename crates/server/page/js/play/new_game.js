// The page for starting a game.

import { BoardWidget } from '../board/widget.js';
import { appInfo, createGame } from '../client.js';
import { parseBoard, STANDARD_BOARD } from '../model/notation.js';
import { loadItem, saveItem, updateSettings } from '../model/settings.js';
import { boardLayout } from '../ui/board_layout.js';
import { showError } from '../ui/dialog.js';
import { field, fill, h, segments } from '../ui/dom.js';
import { engineFields } from './engine_fields.js';
import { gameConfig, initialForm, pickSide } from './game_config.js';
import { handicapFields } from './handicap.js';

/** @import {AppInfo, StartPosition} from '../api.js' */
/** @import {NewGameForm} from './game_config.js' */

const KEY = 'surus.new-game';

/** @param {URLSearchParams} query may contain a start position: `board` and `tag` */
export function newGamePage(query) {
  const board = new BoardWidget({});
  const start = query.has('board') ? { board: query.get('board') ?? '', tag: query.get('tag') ?? '2g' } : null;
  board.setState({ pieces: parseBoard(start?.board ?? STANDARD_BOARD) });
  const panel = h('aside', { class: 'panel' }, h('p', { class: 'hint' }, 'Loading…'));
  const layout = boardLayout(board, panel);
  appInfo().then(
    (info) => fill(panel, newGameForm(info, start)),
    (error) => fill(panel, h('p', { class: 'error' }, error.message)),
  );
  return { element: layout.element, close: layout.close };
}

/** @param {AppInfo} info @param {StartPosition | null} start */
function newGameForm(info, start) {
  const form = initialForm(info, loadItem(KEY));
  const engineBox = h('div', { class: 'stack' });
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
    },
  );
  const render = () => {
    const engine = info.engines.find(({ name }) => name === form.engine) ?? info.engines[0];
    fill(engineBox, ...(form.opponent === 'human' ? [] : engineFields(info, engine, form, render)));
    sideBox.hidden = form.opponent !== 'engine';
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
    startGame(form, start).catch(showError);
  };
  const submit = { type: 'submit', class: 'button main large', id: 'start-game', disabled: info.read_only };
  return h(
    'form',
    { class: 'stack new-game', onsubmit },
    h('h1', {}, start ? 'Play from this position' : 'New game'),
    opponentBox,
    engineBox,
    sideBox,
    field('Clock', clockSelect(info, form)),
    start ? null : handicapFields(form),
    h('button', submit, 'Start game'),
    info.read_only && h('p', { class: 'hint' }, 'This board is read-only: games cannot be started.'),
  );
}

/** @param {AppInfo} info @param {NewGameForm} form */
function clockSelect(info, form) {
  const onchange = () => {
    form.timeControl = select.value;
  };
  const select = h(
    'select',
    { id: 'clock', onchange },
    h('option', { value: '' }, 'No clocks'),
    ...info.time_controls.map(({ name, time_control }) =>
      h('option', { value: time_control }, `${name} – ${time_control}`),
    ),
  );
  select.value = form.timeControl;
  return select;
}

/** @param {NewGameForm} form @param {StartPosition | null} start */
async function startGame(form, start) {
  saveItem(KEY, form);
  const side = pickSide(form);
  const game = await createGame(gameConfig(form, side, start));
  if (form.opponent === 'engine') updateSettings({ flipped: side === 's' });
  location.hash = `#/game/${game.id}`;
}
