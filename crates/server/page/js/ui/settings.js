// The window of preferences.

import { prefer, settings } from '../model/settings.js';
import { dialog } from './dialog.js';
import { h } from './dom.js';

/** @import {Settings} from '../model/settings.js' */

/**
 * @template {keyof Settings} K
 * @param {string} label
 * @param {K} key
 * @param {[Settings[K], string][]} choices
 */
function choice(label, key, choices) {
  const name = `set-${key}`;
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', {}, label),
    h(
      'div',
      { class: 'segments' },
      ...choices.map(([value, words]) =>
        h(
          'label',
          {},
          h('input', {
            type: 'radio',
            name,
            checked: settings[key] === value,
            onchange: () => prefer(/** @type {Partial<Settings>} */ ({ [key]: value })),
          }),
          h('span', {}, words),
        ),
      ),
    ),
  );
}

export function showSettings() {
  const size = h('input', {
    type: 'range',
    min: '60',
    max: '100',
    step: '2',
    value: String(settings.size),
    'aria-label': 'Size of the board',
    oninput: () => prefer({ size: Number(size.value) }),
  });
  dialog('Settings', [
    h(
      'div',
      { class: 'settings' },
      choice('Colours', 'theme', [['auto', 'System'], ['light', 'Light'], ['dark', 'Dark']]),
      choice('Pieces', 'pieces', [['animals', 'Animals'], ['letters', 'Letters']]),
      choice('Strength pips', 'pips', [[false, 'Off'], [true, 'On']]),
      choice('Coordinates', 'coordinates', [['none', 'None'], ['traps', 'Traps'], ['all', 'All']]),
      choice('View', 'view', [['upright', 'Upright'], ['sideways', 'Sideways']]),
      choice('Motion', 'motion', [['none', 'None'], ['quick', 'Quick'], ['slow', 'Slow']]),
      choice('Legal targets', 'targets', [[true, 'Show'], [false, 'Hide']]),
      choice('Sound', 'sound', [[false, 'Off'], [true, 'On']]),
      h('fieldset', { class: 'choice size-choice' }, h('legend', {}, 'Size of the board'), size),
    ),
  ]);
}
