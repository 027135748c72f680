// The buttons for placing a setup.

import { popularSetups } from '../archive/setups.js';
import { button, h } from '../ui/dom.js';

/** @import {PlayedLine, SetupPreset} from '../api.js' */
/** @import {SetupDraft} from './setup_draft.js' */

const INSTRUCTIONS = 'Place your pieces: drag one onto another, or tap two pieces, to swap them.';

/**
 * @param {SetupDraft} draft
 * @param {SetupPreset[]} presets
 * @param {() => PlayedLine | null} line the line before the setup
 * @param {() => void} onConfirm
 */
export function setupPanel(draft, presets, line, onConfirm) {
  const previous = draft.previousRows();
  const loadPrevious = () => previous && draft.setRows(previous);
  return h(
    'div',
    { class: 'stack setup' },
    h('p', {}, INSTRUCTIONS),
    presetSelect(draft, presets),
    h(
      'div',
      { class: 'row' },
      button('Mirror', () => draft.mirror()),
      button('Random', () => draft.shuffle()),
      button('Previous setup', loadPrevious, { disabled: !previous }),
    ),
    popularSetups(line, (rows) => draft.setRows(rows)),
    button('Confirm setup', onConfirm, { kind: 'main large', icon: 'end', title: 'Enter' }),
  );
}

/** @param {SetupDraft} draft @param {SetupPreset[]} presets */
function presetSelect(draft, presets) {
  const onchange = () => {
    draft.setRows(select.value);
    select.value = '';
  };
  const select = h(
    'select',
    { id: 'preset', 'aria-label': 'Known setups', onchange },
    h('option', { value: '' }, 'Choose a setup…'),
    ...presets.map(({ name, front, back }) => h('option', { value: front + back }, name)),
  );
  return select;
}
