// The fields of the new game form for the engine and its options.

import { asSentence } from '../ui/announce.js';
import { field, h } from '../ui/dom.js';

/** @import {AppInfo, EngineInfo, EngineOption} from '../api.js' */
/** @import {NewGameForm} from './game_config.js' */

/** The level of the first game: an opponent that can be beaten. */
const DEFAULT_LEVEL = '3';

/** @param {AppInfo} info @param {EngineInfo} engine @param {NewGameForm} form @param {() => void} render */
export function engineFields(info, engine, form, render) {
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
    level ? levelField(level, values) : select,
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

/** @param {EngineOption} option @param {Record<string, string>} values */
function levelField(option, values) {
  values.level ??= DEFAULT_LEVEL;
  const output = h('output', { class: 'level' }, values.level);
  const oninput = () => {
    values.level = range.value;
    output.textContent = range.value;
  };
  const limits = { min: String(option.min ?? 1), max: String(option.max ?? 10) };
  const range = h('input', { id: 'level', type: 'range', ...limits, value: values.level, oninput });
  return h('div', { class: 'field' }, h('label', { htmlFor: 'level' }, 'Level ', output), range);
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
