// Choosing a new game.

import { about, beginGame } from '../server.js';
import { BoardWidget } from '../board/widget.js';
import { boardOf } from '../model/notation.js';
import { prefer, settings, store, stored } from '../model/settings.js';
import { desk } from '../ui/desk.js';
import { toast } from '../ui/dialog.js';
import { button, fill, h } from '../ui/dom.js';

/** @import {AppInfo, EngineInfo, EngineOption, NewGame, StartPosition, Player} from '../api.js' */

const SHOWN = 'rrrddrrrrhcemchr' + ' '.repeat(32) + 'RHCMECHRRRRDDRRR';
const KEY = 'surus.new';
const FIRST_LEVEL = '3';

/**
 * What was chosen the last time.
 * @typedef {{opponent: 'engine' | 'person' | 'both', side: 'g' | 's' | '?', engine: string, options: Record<string, Record<string, string>>,
 *   seconds: number, control: string, gold: string, silver: string}} Chosen
 */

/** @param {URLSearchParams} query a position to begin with may stand there */
export function newGamePage(query) {
  const board = new BoardWidget({});
  const origin = query.get('board') ? { board: query.get('board') ?? '', tag: query.get('tag') ?? '2g' } : null;
  board.set({ pieces: boardOf(origin?.board ?? SHOWN) });
  const panel = h('aside', { class: 'panel' }, h('p', { class: 'hint' }, 'One moment…'));
  const table = desk(board, panel, { flipped: () => settings.flipped });
  about().then(
    (known) => fill(panel, form(known, origin)),
    (error) => fill(panel, h('p', { class: 'problem' }, error.message)),
  );
  return { element: table.element, close: table.stop };
}

/** @param {AppInfo} known @param {StartPosition | null} origin */
function form(known, origin) {
  /** @type {Chosen} */
  const chosen = {
    opponent: 'engine', side: 'g', engine: known.default_engine, options: {}, seconds: 2, control: '', gold: '', silver: '', ...stored(KEY),
  };
  if (!known.engines.some((engine) => engine.name === chosen.engine)) chosen.engine = known.default_engine;
  const engineBox = h('div', { class: 'stack' });
  const sideBox = segments('Your side', 'side', [['g', 'Gold'], ['s', 'Silver'], ['?', 'Either']], chosen.side, (side) => (chosen.side = side));
  const show = () => {
    const engine = known.engines.find((one) => one.name === chosen.engine) ?? known.engines[0];
    fill(engineBox, ...(chosen.opponent === 'person' ? [] : engineFields(known, engine, chosen, show)));
    sideBox.hidden = chosen.opponent !== 'engine';
  };
  const control = h(
    'select',
    { id: 'clock', onchange: () => (chosen.control = control.value) },
    h('option', { value: '' }, 'No clocks'),
    ...known.time_controls.map((one) => h('option', { value: one.time_control }, `${one.name} – ${one.time_control}`)),
  );
  control.value = chosen.control;
  const begin = async () => {
    try {
      store(KEY, chosen);
      const game = await beginGame(terms(chosen, origin));
      location.hash = `#/game/${game.id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message, true);
    }
  };
  show();
  const element = h(
    'form',
    { class: 'stack new-game', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); begin(); } },
    h('h1', {}, origin ? 'Play from here' : 'New game'),
    segments('Play against', 'opponent', [['engine', 'Computer'], ['person', 'Friend here'], ['both', 'Watch']], chosen.opponent, (value) => {
      chosen.opponent = /** @type {Chosen['opponent']} */ (value);
      show();
    }),
    engineBox,
    sideBox,
    h('div', { class: 'field' }, h('label', { htmlFor: 'clock' }, 'Clock'), control),
    origin ? null : handicap(chosen),
    h('button', { type: 'submit', class: 'button main large', id: 'begin', disabled: known.read_only }, 'Begin'),
    known.read_only ? h('p', { class: 'hint' }, 'This board is read-only: games cannot be started here.') : null,
  );
  return element;
}

/**
 * @param {string} label @param {string} name @param {[string, string][]} choices @param {string} value
 * @param {(value: any) => void} act
 */
function segments(label, name, choices, value, act) {
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', {}, label),
    h('div', { class: 'segments' }, ...choices.map(([key, words]) =>
      h('label', {}, h('input', { type: 'radio', name, value: key, checked: key === value, onchange: () => act(key) }), h('span', {}, words)),
    )),
  );
}

/** @param {AppInfo} known @param {EngineInfo} engine @param {Chosen} chosen @param {() => void} show */
function engineFields(known, engine, chosen, show) {
  const values = (chosen.options[engine.name] ??= {});
  const level = engine.options.find((option) => option.name === 'level');
  const others = engine.options.filter((option) => option !== level);
  const choice = h(
    'select',
    { id: 'engine', onchange: () => { chosen.engine = choice.value; show(); } },
    ...known.engines.map((one) => h('option', { value: one.name }, one.name)),
  );
  choice.value = engine.name;
  const seconds = h('input', { id: 'seconds', type: 'number', min: '1', max: '600', value: String(chosen.seconds), oninput: () => (chosen.seconds = Number(seconds.value) || 2) });
  const field = h('div', { class: 'field' }, h('label', { htmlFor: 'engine' }, 'Engine'), choice);
  const time = engine.uses_time ? h('div', { class: 'field' }, h('label', { htmlFor: 'seconds' }, 'Seconds for a turn without clocks'), seconds) : null;
  const more = others.length + (level ? 1 : 0) + (time ? 1 : 0) === 0 ? null : h(
    'details',
    { class: 'more' },
    h('summary', {}, level ? `Engine and its options` : 'Options of the engine'),
    h('div', { class: 'stack' }, level ? field : null, time, ...others.map((option) => optionField(option, values))),
  );
  return [level ? levelField(level, values) : field, level ? null : h('p', { class: 'hint about' }, `It ${engine.description}.`), more].filter((one) => one !== null);
}

/** @param {EngineOption} option @param {Record<string, string>} values */
function levelField(option, values) {
  const [low, high] = [option.min ?? 1, option.max ?? 10];
  // Whoever has chosen nothing yet meets an opponent that can be beaten.
  values.level ??= FIRST_LEVEL;
  const value = h('output', { class: 'level' }, values.level);
  const range = h('input', {
    id: 'level', type: 'range', min: String(low), max: String(high), value: values.level,
    oninput: () => { values.level = range.value; value.textContent = range.value; },
  });
  return h('div', { class: 'field' }, h('label', { htmlFor: 'level' }, 'Level ', value), range);
}

/** @param {EngineOption} option @param {Record<string, string>} values */
function optionField(option, values) {
  const id = `option-${option.name}`;
  const value = values[option.name] ?? option.default;
  /** @type {HTMLInputElement | HTMLSelectElement} */
  let input;
  if (option.kind === "enum") {
    input = h('select', { id }, ...option.choices.map((word) => h('option', { value: word }, word)));
    input.value = value;
  } else if (option.kind === "boolean") {
    input = h('input', { id, type: 'checkbox', checked: value === 'true' });
  } else {
    input = h('input', { id, type: 'number', min: String(option.min ?? ''), max: String(option.max ?? ''), step: option.kind === "number" ? 'any' : '1', value });
  }
  input.addEventListener('change', () => {
    values[option.name] = input instanceof HTMLInputElement && input.type === 'checkbox' ? String(input.checked) : input.value;
    if (values[option.name] === option.default || values[option.name] === '') delete values[option.name];
  });
  return h('div', { class: 'field' }, h('label', { htmlFor: id, title: option.description }, option.name), input, h('p', { class: 'hint' }, option.description));
}

const KINDS = 'EMHDCR';
const MOST = { E: 1, M: 1, H: 2, D: 2, C: 2, R: 7 };

/** Pieces that a side does without. @param {Chosen} chosen */
function handicap(chosen) {
  /** @param {'gold' | 'silver'} side */
  const row = (side) =>
    h('div', { class: 'handicap' }, h('span', {}, side === 'gold' ? 'Gold' : 'Silver'), ...[...KINDS].map((kind) => {
      const most = MOST[/** @type {'E'} */ (kind)];
      const count = () => [...chosen[side]].filter((letter) => letter === kind).length;
      const face = h('button', { type: 'button', class: 'button quiet', 'aria-label': `${side} without ${kind}` });
      const paint = () => { face.textContent = count() ? `${kind}−${count()}` : kind; face.classList.toggle('on', count() !== 0); };
      face.addEventListener('click', () => {
        const next = (count() + 1) % (most + 1);
        chosen[side] = [...chosen[side]].filter((letter) => letter !== kind).join('') + kind.repeat(next);
        paint();
      });
      paint();
      return face;
    }));
  return h('details', { class: 'more', open: chosen.gold !== '' || chosen.silver !== '' },
    h('summary', {}, 'Handicap'),
    h('p', { class: 'hint' }, 'Tap a piece for each one that the side does without.'), row('gold'), row('silver'));
}

/** @param {Chosen} chosen @param {StartPosition | null} origin @returns {NewGame} */
function terms(chosen, origin) {
  const values = Object.entries(chosen.options[chosen.engine] ?? {}).map(([key, value]) => `${key}=${value}`);
  const name = values.length ? `${chosen.engine}:${values.join(',')}` : chosen.engine;
  /** @type {Player} */
  const engine = { kind: 'engine', name, seconds: chosen.seconds };
  /** @type {Player} */
  const person = { kind: "human", name: '' };
  const side = chosen.side === '?' ? (Math.random() < 0.5 ? 'g' : 's') : chosen.side;
  if (chosen.opponent === 'engine') prefer({ flipped: side === 's' });
  const [gold, silver] = chosen.opponent === 'person' ? [person, person] : chosen.opponent === 'both' ? [engine, engine] : side === 'g' ? [person, engine] : [engine, person];
  return { gold, silver, time_control: chosen.control || null, handicap: { gold: chosen.gold, silver: chosen.silver }, start: origin };
}
