import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionOf, destsOf, forcedPieces, movableSquares } from '../../crates/server/page/js/board/dests.js';
import { squareAt, squareToXY } from '../../crates/server/page/js/board/geometry.js';
import { SQUARES } from '../../crates/server/page/js/model/notation.js';
import { formatShape, parseShape, toggleShape } from '../../crates/server/page/js/model/shapes.js';
import { position, step } from './helpers.mjs';

test('squares and coordinates are inverse in every orientation', () => {
  for (const view of ['upright', 'sideways']) {
    for (const flipped of [false, true]) {
      for (const square of SQUARES) {
        const { x, y } = squareToXY(square, { view, flipped });
        assert.equal(squareAt(x + 0.5, y + 0.5, { view, flipped }), square);
      }
    }
  }
  const upright = { view: 'upright', flipped: false };
  assert.deepEqual(squareToXY('a8', upright), { x: 0, y: 0 });
  assert.equal(squareAt(-0.1, 3, upright), null);
  assert.equal(squareAt(8, 3, upright), null);
});

const STEP = { kind: 'step', steps: [step('Ee4n')] };
const PUSHES = [
  { kind: 'push', steps: [step('rd4w'), step('Ee4w')] },
  { kind: 'push', steps: [step('rd4n'), step('Ee4w')] },
];
const PULL = { kind: 'pull', steps: [step('Ee4n'), step('rd4e', 'Dc3')] };

test('a piece can be moved along its paths', () => {
  const losses = [{ piece: 'D', square: 'c3' }];
  const paths = [{ from: 'e4', to: 'e6', path: 'nn', losses }];
  const dests = destsOf(position({ actions: [STEP], paths }), 'e4');
  const dest = { kind: 'step', text: 'Ee4nn', path: ['e5', 'e6'], losses: ['c3'], disambiguator: null };
  assert.deepEqual([...dests], [['e6', [dest]]]);
});

test('pushes with the same target are distinguished by the exit', () => {
  const dests = destsOf(position({ actions: PUSHES }), 'e4').get('d4');
  assert.deepEqual(
    dests.map(({ disambiguator }) => disambiguator),
    ['c4', 'd5'],
  );
  assert.deepEqual(
    dests.map(({ text }) => text),
    ['rd4w Ee4w', 'rd4n Ee4w'],
  );
});

test('the pushed piece can be dragged too', () => {
  const dests = destsOf(position({ actions: PUSHES }), 'd4');
  assert.deepEqual([...dests.keys()], ['c4', 'd5']);
});

test('a pull is played by dragging the enemy, and its losses are marked', () => {
  const [dest] = destsOf(position({ actions: [PULL] }), 'd4').get('e4');
  assert.deepEqual([dest.kind, dest.text, dest.disambiguator], ['pull', 'Ee4n rd4e', 'e5']);
  assert.deepEqual(dest.losses, ['c3']);
  assert.equal(destsOf(position({ actions: [PULL] }), 'e4').size, 0);
});

test('a pending push forces the pieces that can complete it', () => {
  const actions = [{ kind: 'push', steps: [step('Ee4w')] }];
  const pending = position({ actions, push_to: 'd4' });
  assert.deepEqual(forcedPieces(pending), new Set(['e4']));
  assert.equal(completionOf(pending, 'e4'), actions[0]);
  assert.equal(completionOf(pending, 'a1'), undefined);
  assert.deepEqual(forcedPieces(position({ actions: [STEP] })), new Set());
});

test('movable squares include enemy pieces', () => {
  assert.deepEqual(movableSquares(position({ actions: [STEP, ...PUSHES] })), new Set(['e4', 'd4']));
});

test('shapes round-trip as text', () => {
  for (const text of ['g:e2e5', 'r:c3', 'b:a1h8']) assert.equal(formatShape(parseShape(text)[0]), text);
  for (const text of ['x:e2', 'g:', 'g:z9', '']) assert.deepEqual(parseShape(text), []);
  const [arrow] = parseShape('g:e2e5');
  assert.deepEqual(toggleShape([], arrow), [arrow]);
  assert.deepEqual(toggleShape([arrow], { ...arrow, colour: 'red' }), []);
});
