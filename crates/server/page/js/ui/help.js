// The help dialog: keys and mouse.

import { dialog } from './dialog.js';
import { h } from './dom.js';

/** @type {[string, [string, string][]][]} */
const KEYS = [
  [
    'Everywhere',
    [
      ['?', 'this help'],
      ['f', 'flip board'],
      ['Shift f', 'upright or sideways view'],
      ['o', 'settings'],
      ['m', 'sound on or off'],
      ['w', 'explain what you can do, what threatens, and the last turn'],
      ['e', 'explorer: turns played here in the archive'],
      ['Tab', 'move to the board and the buttons; on the board use the arrow keys and Space'],
    ],
  ],
  [
    'Playing',
    [
      ['Enter', 'end the turn, or confirm the setup'],
      ['Backspace', 'undo a step'],
      ['Shift Backspace', 'redo a step'],
      ['/', 'type steps: Ee2n, Ha2nnn'],
      ['h', 'hint: a good turn'],
      ['Esc', 'deselect the piece'],
      ['← →', 'view earlier turns'],
      ['wheel', 'undo and redo steps'],
    ],
  ],
  [
    'Reviewing',
    [
      ['← → or k j', 'turn by turn'],
      ['Ctrl ← →', 'step by step'],
      ['↑ ↓ or 0 $', 'first and last turn'],
      ['Shift ← →', 'other variations'],
      ['l', 'engine on or off'],
      ['Space', 'play the engine’s turn, or replay if the engine is off'],
      ['x', 'threat: what the other side would do now'],
      ['t', 'tactics: goals, captures, rabbits and traps'],
      ['v', 'evaluation of both sides'],
      ['Enter', 'end the turn of a variation'],
      ['c', 'write a comment'],
      ['1 – 6', 'annotate the turn: ! ? !! ?? !? ?!'],
      ['right drag', 'draw arrows and circles; Shift red, Alt blue'],
    ],
  ],
];

const HOW_TO_MOVE =
  'A turn has one to four steps. Drag a piece over several squares to play several steps. To push, drag your piece ' +
  'onto a weaker enemy, or drag the enemy away; to pull, drag the enemy onto your piece, or step away and tap the ' +
  'enemy that can follow.';

export function showHelp() {
  const section = (/** @type {[string, [string, string][]]} */ [title, keys]) => {
    const rows = keys.flatMap(([key, action]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, action)]);
    return h('section', {}, h('h3', {}, title), h('dl', { class: 'keys' }, ...rows));
  };
  const body = [h('div', { class: 'columns' }, ...KEYS.map(section)), h('p', { class: 'hint' }, HOW_TO_MOVE)];
  dialog('Keys', body, { wide: true });
}
