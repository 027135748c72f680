import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree } from '../../crates/server/page/js/model/tree.js';
import { lineThrough, phaseIndex } from '../../crates/server/page/js/review/phases.js';
import { ReviewState } from '../../crates/server/page/js/review/state.js';
import { bandText, phaseBands } from '../../crates/server/page/js/ui/phase_bands.js';
import { compact, turn } from './helpers.mjs';

const phases = (...list) => list.map(([tag, phase]) => ({ tag, phase }));

test('consecutive turns in one phase are one band', () => {
  const turns = phases(
    ['2g', 'opening'],
    ['2s', 'opening'],
    ['3g', 'endgame'],
    ['3s', 'middlegame'],
    ['4g', 'middlegame'],
  );
  const bands = phaseBands(turns);
  assert.deepEqual(bands, [
    { phase: 'opening', from: 0, to: 1 },
    { phase: 'endgame', from: 2, to: 2 },
    { phase: 'middlegame', from: 3, to: 4 },
  ]);
  assert.deepEqual(
    bands.map((band) => bandText(band, turns)),
    ['Opening: turns 2g to 2s', 'Endgame: turn 3g', 'Middlegame: turns 3s to 4g'],
  );
  assert.deepEqual(phaseBands([]), []);
});

function sampleState() {
  const state = new ReviewState();
  state.loadTree(new Tree(compact('Ee2', 'Ma2', 'ed7'), '2g'));
  const { tree } = state;
  const first = tree.add(tree.root, '2g', turn('Ee2n'));
  const second = tree.add(first, '2s', turn('ed7s'));
  const variation = tree.add(first, '2s', turn('ed7w'));
  return { state, tree, first, second, variation };
}

test('the bands belong to the line through the shown turn', () => {
  const { tree, first, second, variation } = sampleState();
  assert.deepEqual(lineThrough(tree, tree.root), [first, second]);
  assert.deepEqual(lineThrough(tree, first), [first, second]);
  assert.deepEqual(lineThrough(tree, variation), [first, variation]);
});

test('setups have no phase', () => {
  const { tree, first, second } = sampleState();
  assert.equal(phaseIndex([first, second], 0), 0);
  assert.equal(phaseIndex([first, second], 2), 2);
  const setup = tree.add(tree.root, '1g', { text: 'Ee1', steps: [] });
  assert.equal(phaseIndex([setup, first], 0), -1);
  assert.equal(phaseIndex([setup, first], 1), 0);
});

test('a band goes to a turn of the shown line', () => {
  const { state, tree, first, second, variation } = sampleState();
  assert.equal(state.afterTurns(0), tree.root);
  assert.equal(state.afterTurns(2), second);
  state.goTo(variation);
  assert.equal(state.afterTurns(1), first);
  assert.equal(state.afterTurns(2), variation);
  assert.equal(state.afterTurns(9), variation);
});
