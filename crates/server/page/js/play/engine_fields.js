// The fields of the new game form for the engine and its options.

import { engineLevel, LEVELS_ENGINE } from '../model/players.js';
import { asSentence } from '../ui/announce.js';
import { field, h } from '../ui/dom.js';

/** @import {AppInfo, EngineInfo, EngineOption, EngineResults} from '../api.js' */
/** @import {NewGameForm} from './game_config.js' */

/** The level of the first game: an opponent that can be beaten. */
const DEFAULT_LEVEL = '3';

/**
 * @param {AppInfo} info
 * @param {EngineResults[]} results
 * @param {EngineInfo} engine
 * @param {NewGameForm} form
 * @param {() => void} render
 */
export function engineFields(info, results, engine, form, render) {
  form.options[engine.name] ??= {};
  const values = form.options[engine.name];
  const level = engine.options.find((option) => option.name === 'level');
  const others = engine.options.filter((option) => option !== level);
  const select = engineSelect(info, engine, form, render);
  const details = [
    level && select,
    engine.uses_time && secondsField(form),
    ...others.map((option) => optionField(option, values)),
  ].filter((element) => element instanceof Node);
  const summary = level ? 'Engine and options' : 'Engine options';
  return [
    level ? levelField(info, results, engine, level, values) : select,
    level ? null : h('p', { class: 'hint description' }, asSentence(`it ${engine.description}`)),
    details.length
      ? h('details', { class: 'more' }, h('summary', {}, summary), h('div', { class: 'stack' }, ...details))
      : null,
  ];
}

/** @param {AppInfo} info @param {EngineInfo} engine @param {NewGameForm} form @param {() => void} render */
function engineSelect(info, engine, form, render) {
  const onchange = () => {
    form.engine = select.value;
    render();
  };
  const options = info.engines.map(({ name }) => h('option', { value: name }, name));
  const select = h('select', { id: 'engine', onchange }, ...options);
  select.value = engine.name;
  return field('Engine', select);
}

/** @param {NewGameForm} form */
function secondsField(form) {
  const oninput = () => {
    form.seconds = Number(input.value) || 2;
  };
  const limits = { type: 'number', min: '1', max: '600' };
  const input = h('input', { id: 'seconds', ...limits, value: String(form.seconds), oninput });
  return field('Seconds per turn without clocks', input);
}

/**
 * @param {AppInfo} info
 * @param {EngineResults[]} results
 * @param {EngineInfo} engine
 * @param {EngineOption} option
 * @param {Record<string, string>} values
 */
function levelField(info, results, engine, option, values) {
  values.level ??= DEFAULT_LEVEL;
  const output = h('output', { class: 'level', htmlFor: 'level' });
  const description = h('p', { class: 'hint level-description', id: 'level-description' });
  const score = h('p', { class: 'hint level-results' });
  const show = () => {
    const level = info.levels[Number(values.level) - 1];
    const hasNames = engine.name === LEVELS_ENGINE && level;
    output.textContent = hasNames ? `${values.level}: ${level.name}` : values.level;
    description.textContent = hasNames ? level.description : '';
    range.setAttribute('aria-valuetext', output.textContent);
    score.textContent = levelResults(results, engine.name, values.level);
  };
  const oninput = () => {
    values.level = range.value;
    show();
  };
  const limits = { min: String(option.min ?? 1), max: String(option.max ?? 10) };
  const described = { 'aria-describedby': 'level-description' };
  const range = h('input', { id: 'level', type: 'range', ...limits, ...described, value: values.level, oninput });
  show();
  return h('div', { class: 'field' }, h('label', { htmlFor: 'level' }, 'Level ', output), range, description, score);
}

/** The results against a level, whatever other options the engine had. @param {EngineResults[]} results @param {string} engine @param {string} level */
export function levelResults(results, engine, level) {
  const games = results.filter((entry) => entry.engine.split(':')[0] === engine && engineLevel(entry.engine) === level);
  const sum = (/** @type {'won' | 'lost' | 'drawn'} */ key) => games.reduce((total, entry) => total + entry[key], 0);
  const [won, lost, drawn] = [sum('won'), sum('lost'), sum('drawn')];
  if (won + lost + drawn === 0) return 'You have not finished a game against this level.';
  return `Your results: ${won} won, ${lost} lost${drawn ? `, ${drawn} drawn` : ''}.`;
}

/** @param {EngineOption} option @param {Record<string, string>} values */
function optionField(option, values) {
  const input = optionInput(option, values[option.name] ?? option.default);
  input.addEventListener('change', () => {
    const isCheckbox = input instanceof HTMLInputElement && input.type === 'checkbox';
    const value = isCheckbox ? String(input.checked) : input.value;
    if (value === option.default || value === '') delete values[option.name];
    else values[option.name] = value;
  });
  return field(option.name, input, h('p', { class: 'hint' }, option.description));
}

/** @param {EngineOption} option @param {string} value */
function optionInput({ name, kind, min, max, choices }, value) {
  const id = `option-${name}`;
  if (kind === 'enum') {
    const select = h('select', { id }, ...choices.map((choice) => h('option', { value: choice }, choice)));
    select.value = value;
    return select;
  }
  if (kind === 'boolean') return h('input', { id, type: 'checkbox', checked: value === 'true' });
  const limits = { min: String(min ?? ''), max: String(max ?? '') };
  return h('input', { id, type: 'number', ...limits, step: kind === 'number' ? 'any' : '1', value });
}
