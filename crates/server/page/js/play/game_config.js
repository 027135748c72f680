// The values of the new game form, and the configuration that they describe.

/** @import {AppInfo, NewGame, PlayedLine, Player} from '../api.js' */

/**
 * Engine options are stored for each engine, handicaps as letters of missing pieces.
 * @typedef {{
 *   opponent: 'engine' | 'human' | 'engines',
 *   side: 'g' | 's' | '?',
 *   engine: string,
 *   options: Record<string, Record<string, string>>,
 *   seconds: number,
 *   timeControl: string,
 *   gold: string,
 *   silver: string,
 *   names: {you: string, gold: string, silver: string},
 * }} NewGameForm
 */

/** The form as it was submitted last. @param {AppInfo} info @param {Partial<NewGameForm> | null} stored @returns {NewGameForm} */
export function initialForm(info, stored) {
  /** @type {NewGameForm} */
  const form = {
    opponent: 'engine',
    side: 'g',
    engine: info.default_engine,
    options: {},
    seconds: 2,
    timeControl: '',
    gold: '',
    silver: '',
    ...stored,
    names: { you: '', gold: '', silver: '', ...stored?.names },
  };
  if (!info.engines.some(({ name }) => name === form.engine)) form.engine = info.default_engine;
  return form;
}

/** The side of the human player. @param {NewGameForm} form @returns {'g' | 's'} */
export function pickSide({ side }) {
  if (side !== '?') return side;
  return Math.random() < 0.5 ? 'g' : 's';
}

/** The engine with its options, as in `alphabeta:level=3,threads=2`. @param {NewGameForm} form */
export function engineText({ engine, options }) {
  const values = Object.entries(options[engine] ?? {}).map(([name, value]) => `${name}=${value}`);
  return values.length ? `${engine}:${values.join(',')}` : engine;
}

/** @param {NewGameForm} form @param {'g' | 's'} side of the human player @param {PlayedLine | null} line the turns before @returns {NewGame} */
export function gameConfig(form, side, line) {
  /** @type {Player} */
  const engine = { kind: 'engine', name: engineText(form), seconds: form.seconds };
  const { names } = form;
  /** @param {string} name @returns {Player} */
  const human = (name) => ({ kind: 'human', name: name.trim() });
  const you = form.opponent === 'engine';
  const isHuman = (/** @type {string} */ player) =>
    form.opponent === 'human' || (form.opponent === 'engine' && player === side);
  return {
    gold: isHuman('g') ? human(you ? names.you : names.gold) : engine,
    silver: isHuman('s') ? human(you ? names.you : names.silver) : engine,
    time_control: form.timeControl || null,
    handicap: line ? { gold: '', silver: '' } : { gold: form.gold, silver: form.silver },
    start: line?.start ?? null,
    turns: line?.turns ?? [],
  };
}
