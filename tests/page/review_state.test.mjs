import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree } from '../../crates/server/page/js/model/tree.js';
import { turnDelay } from '../../crates/server/page/js/review/autoplay.js';
import { ReviewState } from '../../crates/server/page/js/review/state.js';
import { formatQuery, goToQuery, textOf } from '../../crates/server/page/js/review/url.js';
import { compact, position, step, turn } from './helpers.mjs';

const START = compact('Ee2', 'Ma2', 'ed7');

function sampleState() {
  const state = new ReviewState();
  const tree = new Tree(START, '2g');
  const first = tree.add(tree.root, '2g', turn('Ee2n Ee3n'));
  tree.add(first, '2s', turn('ed7s'));
  state.loadTree(tree);
  return state;
}

test('stepping forward and back visits every step', () => {
  const state = sampleState();
  const places = [];
  do places.push(`${state.current.tag}:${state.stepIndex}`);
  while (state.stepForward());
  assert.deepEqual(places, [':null', '2g:1', '2g:null', '2s:null']);
  const back = [];
  while (state.stepBack()) back.push(`${state.current.tag}:${state.stepIndex}`);
  assert.deepEqual(back, ['2g:null', '2g:1', ':null']);
});

test('inside of a turn the board shows its first steps', () => {
  const state = sampleState();
  state.stepForward();
  assert.deepEqual(state.board(), { e3: 'E', a2: 'M', d7: 'e' });
  assert.equal(state.base(), state.tree.root);
  assert.deepEqual(state.baseLine().turns, []);
  assert.deepEqual(state.shownSteps(), [step('Ee2n')]);
});

test('a turn with the same result is not added twice', () => {
  const state = sampleState();
  const existing = state.addTurn(turn('Ee2n Ee3n'));
  assert.equal(state.tree.root.children.length, 1);
  const sameBoard = state.addTurn(turn('Ee2e Ef2n Ef3w Ee3n'));
  assert.equal(sameBoard, existing);
  const other = state.addTurn(turn('Ma2n'));
  assert.equal(other.tag, '2g');
  assert.equal(state.tree.root.children.length, 2);
});

test('siblings and ends', () => {
  const state = sampleState();
  const variation = state.addTurn(turn('Ma2n'));
  state.goTo(variation);
  assert.equal(state.sibling(-1), state.tree.root.children[0]);
  assert.equal(state.sibling(1), null);
  state.goTo(state.tree.root);
  assert.equal(state.sibling(1), null);
  assert.equal(state.last().tag, '2s');
  assert.equal(state.next(), state.tree.root.children[0]);
});

test('drafts become variations only when the turn may end', () => {
  const state = sampleState();
  const steps_played = [step('Ee2n'), step('Md3n', 'rc3')];
  const draft = position({ steps_played, turn_text: 'Ee2n Md3n rc3x', tag: '2g' });
  state.setPosition(draft);
  assert.equal(state.draftSteps, 'Ee2n Md3n');
  assert.equal(state.finishDraft(), null);
  state.setPosition({ ...draft, can_end_turn: true });
  assert.equal(state.finishDraft()?.text, 'Ee2n Md3n rc3x');
  state.undoDraftStep();
  assert.deepEqual([state.draftSteps, state.position], ['Ee2n', null]);
  state.goTo(state.tree.root);
  assert.equal(state.draftSteps, '');
});

test('glyphs and shapes toggle', () => {
  const state = sampleState();
  state.toggleGlyph('!');
  assert.equal(state.current.glyph, '', 'the root has no glyph');
  state.stepForward();
  state.stepForward();
  state.toggleGlyph('!');
  assert.equal(state.current.glyph, '!');
  state.toggleGlyph('!');
  assert.equal(state.current.glyph, '');
  state.toggleShape({ from: 'e2', to: 'e4', colour: 'green' });
  state.toggleShape({ from: 'c3', to: 'c3', colour: 'red' });
  assert.deepEqual(state.current.shapes, ['g:e2e4', 'r:c3']);
  state.toggleShape({ from: 'e2', to: 'e4', colour: 'blue' });
  assert.deepEqual(state.shapes(), [{ from: 'c3', to: 'c3', colour: 'red' }]);
});

test('removing the current turn goes to its parent', () => {
  const state = sampleState();
  state.goTo(state.last());
  state.remove();
  assert.equal(state.current.tag, '2g');
  assert.deepEqual(state.current.children, []);
});

test('the URL restores place and draft', async () => {
  const state = sampleState();
  state.stepForward();
  const query = new URLSearchParams(await formatQuery(state));
  assert.equal(await textOf(query), state.tree.format());
  const restored = sampleState();
  goToQuery(restored, query);
  assert.deepEqual([restored.current.tag, restored.stepIndex, restored.draftSteps], ['2g', 1, '']);
  goToQuery(restored, new URLSearchParams({ before: '2s', steps: 'ed7s' }));
  assert.deepEqual([restored.current.tag, restored.stepIndex, restored.draftSteps], ['2g', null, 'ed7s']);
  goToQuery(restored, new URLSearchParams({ at: '99' }));
  assert.equal(restored.current.tag, '2g', 'an invalid index keeps the place');
});

test('captured pieces and used time are those of the shown position', () => {
  const tree = new Tree(compact('Ee2', 'Rb3', 'Rc3', 'rd3', 'Hh8'), '2g');
  const lost = tree.add(tree.root, '2g', { text: 'Rb3w Rc3x', steps: [step('Rb3w', 'Rc3')] });
  lost.elapsed_ms = 1500;
  const reply = tree.add(lost, '2s', turn('rd3s'));
  const third = tree.add(reply, '3g', turn('Ee2n'));
  third.elapsed_ms = 500;
  const state = new ReviewState();
  state.loadTree(tree);
  const shown = () => [state.captured().join(''), state.usedTime('g'), state.usedTime('s')];
  assert.deepEqual(shown(), ['', null, null]);
  state.goTo(lost);
  assert.deepEqual(shown(), ['R', 1500, null]);
  state.goTo(third);
  assert.deepEqual(shown(), ['R', 2000, null]);
});

test('a game opens after its setups', () => {
  const tree = new Tree(' '.repeat(64), '1g');
  const gold = tree.add(tree.root, '1g', { text: 'Ra1 Rb1', steps: [] });
  const silver = tree.add(gold, '1s', { text: 'ra8 rb8', steps: [] });
  tree.add(silver, '2g', turn('Ra1n'));
  const state = new ReviewState();
  state.loadTree(tree);
  assert.equal(state.firstPosition(), silver);
  assert.equal(sampleState().firstPosition().tag, '');
});

test('a replay has fixed speeds and multiples of the recorded one', () => {
  assert.deepEqual(
    ['1x', '5x', '3s'].map((speed) => turnDelay(speed, 10_000)),
    [10_000, 2000, 3000],
  );
  assert.equal(turnDelay('1x', 900_000), 30_000);
  assert.equal(turnDelay('2x', null), 1000);
});
