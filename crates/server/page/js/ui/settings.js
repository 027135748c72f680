// The settings dialog.

import { settings, updateSettings } from '../model/settings.js';
import { dialog } from './dialog.js';
import { h, segments } from './dom.js';

/** @import {Settings} from '../model/settings.js' */

/**
 * @template {keyof Settings} K
 * @param {string} label
 * @param {K} key
 * @param {[Settings[K], string][]} choices
 */
function choice(label, key, choices) {
  const update = (/** @type {any} */ value) => updateSettings({ [key]: value });
  return segments(label, `setting-${key}`, /** @type {any} */ (choices), /** @type {any} */ (settings[key]), update);
}

export function showSettings() {
  const size = h('input', {
    type: 'range',
    min: '60',
    max: '100',
    step: '2',
    value: String(settings.size),
    'aria-label': 'Board size',
    oninput: () => updateSettings({ size: Number(size.value) }),
  });
  dialog('Settings', [
    h(
      'div',
      { class: 'settings' },
      choice('Theme', 'theme', [
        ['auto', 'System'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]),
      choice('Pieces', 'pieces', [
        ['animals', 'Animals'],
        ['letters', 'Letters'],
      ]),
      choice('Strength pips', 'pips', [
        [false, 'Off'],
        [true, 'On'],
      ]),
      choice('Coordinates', 'coordinates', [
        ['none', 'None'],
        ['traps', 'Traps'],
        ['all', 'All'],
      ]),
      choice('View', 'view', [
        ['upright', 'Upright'],
        ['sideways', 'Sideways'],
      ]),
      choice('Animation', 'animation', [
        ['none', 'None'],
        ['fast', 'Fast'],
        ['slow', 'Slow'],
      ]),
      choice('Legal targets', 'targets', [
        [true, 'Show'],
        [false, 'Hide'],
      ]),
      choice('Sound', 'sound', [
        [false, 'Off'],
        [true, 'On'],
      ]),
      h('fieldset', { class: 'choice size-choice' }, h('legend', {}, 'Board size'), size),
    ),
  ]);
}
