// The keys, and how to play with hands.

import { dialog } from './dialog.js';
import { h } from './dom.js';

const KEYS = [
  ['Everywhere', [
    ['?', 'this page'],
    ['f', 'turn the board'],
    ['Shift f', 'see it sideways'],
    ['o', 'settings'],
    ['w', 'why: what the last turn is good for, and what either side threatens'],
    ['e', 'explorer: what was played from here in the archive'],
    ['Tab', 'to the board and the buttons; on the board arrows walk, Space takes and puts'],
  ]],
  ['Playing', [
    ['Enter', 'end the turn, or the setup'],
    ['Backspace', 'take the last step back'],
    ['Shift Backspace', 'take it again'],
    ['/', 'type steps: Ee2n, Ha2nnn'],
    ['Esc', 'let go of a piece'],
    ['← →', 'look at earlier turns'],
    ['wheel', 'undo and redo steps'],
  ]],
  ['Reviewing', [
    ['← → or k j', 'turn by turn'],
    ['Ctrl ← →', 'step by step'],
    ['↑ ↓ or 0 $', 'to the start, to the end'],
    ['Shift ← →', 'other variations'],
    ['Space', 'replay'],
    ['Enter', 'end a turn of your own'],
    ['c', 'write a comment'],
    ['1 – 6', 'mark the turn: ! ? !! ?? !? ?!'],
    ['right drag', 'arrows and circles; Shift red, Alt blue'],
  ]],
];

export function showHelp() {
  const part = (/** @type {any} */ [title, keys]) =>
    h(
      'section',
      {},
      h('h3', {}, title),
      h('dl', { class: 'keys' }, ...keys.flatMap((/** @type {any} */ [key, does]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, does)])),
    );
  dialog('Keys', [
    h('div', { class: 'columns' }, ...KEYS.map(part)),
    h(
      'p',
      { class: 'hint' },
      'A turn has one to four steps. Drag a piece over several squares to take several steps. To push, drag your piece onto a weaker ',
      'enemy, or drag the enemy away; to pull, drag the enemy onto your piece, or step away and tap the enemy that may follow.',
    ),
  ], { wide: true });
}
