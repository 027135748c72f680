import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaPath, graphX } from '../../crates/server/page/js/analysis/graph.js';
import { actionsOf, turnHints } from '../../crates/server/page/js/analysis/hints.js';
import { judgeAttempt } from '../../crates/server/page/js/analysis/learn.js';
import { nextTurn } from '../../crates/server/page/js/analysis/report.js';
import { formatCount, formatProgress, formatScore } from '../../crates/server/page/js/analysis/score.js';
import { EditorState, EMPTY_BOARD } from '../../crates/server/page/js/editor/state.js';
import { Tree } from '../../crates/server/page/js/model/tree.js';
import { ReviewState } from '../../crates/server/page/js/review/state.js';
import { compact, turn } from './helpers.mjs';

const steps = (text) => turn(text).steps;
const texts = (actions) => actions.map((action) => action.map((step) => step.text).join(' '));

test('pushes and pulls are one action with two arrows', () => {
  assert.deepEqual(texts(actionsOf(steps('Ed2n rd4e Ed3n Hb2n'), 'g')), ['Ed2n', 'rd4e Ed3n', 'Hb2n']);
  assert.deepEqual(texts(actionsOf(steps('Ed3n rd2n Ed4n'), 'g')), ['Ed3n rd2n', 'Ed4n']);
  assert.deepEqual(texts(actionsOf(steps('ed6s Hd7s ed5w'), 's')), ['ed6s Hd7s', 'ed5w']);
  // Steps of two own pieces in a row are not a pull.
  assert.deepEqual(texts(actionsOf(steps('Ed3n Hd2n'), 'g')), ['Ed3n', 'Hd2n']);
  const hints = turnHints(steps('Ed2n rd4e Ed3n'), 'g', 'best');
  assert.deepEqual(
    hints.map(({ from, to, label, isDisplaced }) => [from, to, label, isDisplaced]),
    [
      ['d2', 'd3', '1', false],
      ['d4', 'e4', '2', true],
      ['d3', 'd4', '2', false],
    ],
  );
});

test('an incomplete push at the start of the rest of a turn is completed by one step', () => {
  // The enemy was pushed before; only the own piece is left to move.
  assert.deepEqual(texts(actionsOf(steps('Ed3n Hb2n'), 'g')), ['Ed3n', 'Hb2n']);
  assert.deepEqual(texts(actionsOf(steps('rd2n Ed4n'), 'g')), ['rd2n', 'Ed4n']);
});

test('scores are in rabbits, wins in turns', () => {
  assert.equal(formatScore('125'), '+1.25');
  assert.equal(formatScore('-7'), '−0.07');
  assert.equal(formatScore('0'), '0.00');
  assert.equal(formatScore('win 3'), 'gold wins in 3');
  assert.equal(formatScore('loss 1', true), 'S#1');
  assert.equal(formatScore('loss 0'), 'silver has won');
});

test('progress is short', () => {
  assert.deepEqual([999, 1500, 12_345, 3_100_000].map(formatCount), ['999', '1.5 k', '12 k', '3.1 M']);
  const update = {
    state: 'searching',
    waiting_for: 0,
    depth: 9,
    nodes: 52_000,
    nps: 400_000,
    hashfull: 31,
    cached: false,
  };
  assert.equal(formatProgress(update), 'depth 9 · 52 k nodes · 400 k/s · hash 3 %');
  assert.equal(formatProgress({ ...update, state: 'waiting', waiting_for: 2 }), 'Waiting for 2 other analyses');
});

test('the graph has a column for each turn, and the end of a game on its edge', () => {
  assert.equal(graphX(0, 4), 0.5);
  assert.equal(graphX(4, 4), 4);
  assert.equal(
    areaPath(
      [
        { x: 0.5, win: 1 },
        { x: 1.5, win: 0.25 },
      ],
      4,
    ),
    'M0 100L0 0.00L0.5 0.00L1.5 75.00L2 75.00L2 100Z',
  );
  assert.equal(
    areaPath([{ x: 4, win: 1 }], 4)
      .split('L')
      .at(-1),
    '4 100Z',
  );
  assert.equal(areaPath([], 4), '');
});

test('a count goes to the next turn with the verdict, then to the first', () => {
  const turns = [3, 8, 12].map((played) => ({ played }));
  assert.equal(nextTurn(turns, 4)?.played, 8);
  assert.equal(nextTurn(turns, 13)?.played, 3);
  assert.equal(nextTurn([], 0), undefined);
});

test('an attempt is judged by what it keeps of the win probability', () => {
  const mistake = (side, gold_win, loss) => ({ turn: { side, loss }, best: { gold_win } });
  assert.equal(judgeAttempt(mistake('g', 0.6, 0.3), 0.56), 'good');
  assert.equal(judgeAttempt(mistake('g', 0.6, 0.3), 0.45), 'better');
  assert.equal(judgeAttempt(mistake('g', 0.6, 0.3), 0.3), 'bad');
  assert.equal(judgeAttempt(mistake('s', 0.4, 0.3), 0.58), 'good');
});

test('a line of the engine completes steps that were played', () => {
  const state = new ReviewState();
  state.loadTree(new Tree(compact('Ee2', 'Ma2', 'ed7'), '2g'));
  const first = { tag: '2g', ...turn('Ee3n') };
  const reply = { tag: '2s', ...turn('ed7s') };
  state.setDraft('Ee2n');
  state.position = { steps_played: steps('Ee2n'), turn_text: 'Ee2n' };
  const node = state.addLine([first, reply]);
  assert.deepEqual(
    state.tree.path(node).map(({ tag, text }) => [tag, text]),
    [
      ['2g', 'Ee2n Ee3n'],
      ['2s', 'ed7s'],
    ],
  );
  state.goTo(/** @type {any} */ (node.parent), 1);
  assert.equal(state.analysisLine().steps, 'Ee2n');
  assert.equal(state.addLine([first]), node.parent, 'the same turn is not added again');
});

test('the editor places, moves and removes pieces', () => {
  const state = new EditorState();
  assert.equal(state.missing('R', 8), 0);
  state.setBoard(EMPTY_BOARD);
  state.tap('e4');
  assert.equal(state.board, EMPTY_BOARD, 'nothing is chosen');
  state.brush = 'E';
  state.tap('e4');
  assert.equal(state.pieces.e4, 'E');
  state.move('e4', 'e5');
  assert.deepEqual(state.pieces, { e5: 'E' });
  state.tap('e5');
  assert.deepEqual(state.pieces, {});
  state.place('a1', 'r');
  state.move('a1', null);
  assert.deepEqual(state.pieces, {});
  assert.equal(state.missing('E', 1), 1);
});

test('the editor is restored from its URL', () => {
  const state = new EditorState();
  state.setBoard(compact('Ee4', 'rh7', 'Ra1'));
  Object.assign(state, { side: 's', number: 12, stepsLeft: 2 });
  const restored = new EditorState();
  restored.load(state.query());
  assert.deepEqual([restored.board, restored.tag, restored.stepsLeft], [state.board, '12s', 2]);
  restored.load(new URLSearchParams({ board: 'short', tag: 'nonsense', left: '9' }));
  assert.deepEqual([restored.board, restored.tag, restored.stepsLeft], [state.board, '12s', 2]);
});
