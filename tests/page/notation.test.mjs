import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as Notation from '../../crates/server/page/js/model/notation.js';
import { compact, step, turn } from './helpers.mjs';

test('boards round-trip', () => {
  const text = compact('Ee2', 'rc3', 'Ra1', 'mh8');
  const board = Notation.parseBoard(text);
  assert.deepEqual(board, { e2: 'E', c3: 'r', a1: 'R', h8: 'm' });
  assert.equal(Notation.formatBoard(board), text);
  assert.equal(Notation.STANDARD_BOARD.length, 64);
});

test('diagrams have dots, traps and the turn', () => {
  const board = Notation.parseBoard(compact('Ee2', 'rc3', 'Ra1', 'mh8'));
  const lines = Notation.formatDiagram(board, '8s').split('\n');
  assert.equal(lines.length, 13);
  assert.deepEqual([lines[0], lines[2], lines[4]], ['8s', '8| . . . . . . . m |', '6| . . x . . x . . |']);
  assert.deepEqual(
    [lines[7], lines[9], lines[11]],
    ['3| . . r . . x . . |', '1| R . . . . . . . |', '   a b c d e f g h'],
  );
});

test('neighbours and paths', () => {
  assert.equal(Notation.neighbour('e2', 'n'), 'e3');
  assert.equal(Notation.neighbour('e2', 'w'), 'd2');
  assert.deepEqual(Notation.pathSquares('e2', 'nnw'), ['e3', 'e4', 'd4']);
  assert.deepEqual(Notation.pathSquares('e2', ''), []);
});

test('steps move pieces and remove captures', () => {
  const board = { d3: 'E', c3: 'r' };
  const captures = step('Ed3n', 'rc3');
  assert.deepEqual(Notation.applyStep(board, captures), { d4: 'E' });
  assert.deepEqual(Notation.movePiece(board, captures), { d4: 'E', c3: 'r' });
  assert.deepEqual(board, { d3: 'E', c3: 'r' }, 'the board is not modified');
  assert.deepEqual(Notation.captureSquares([step('Ee2n'), captures]), ['c3']);
});

test('a piece can step into the trap and be lost', () => {
  assert.deepEqual(Notation.applyStep({ c2: 'R' }, step('Rc2n', 'Rc3')), {});
});

test('turns are setups or steps', () => {
  const setup = { text: 'Ra1 Ee2', steps: [] };
  assert.deepEqual(Notation.applyTurn({ a8: 'r' }, setup), { a8: 'r', a1: 'R', e2: 'E' });
  assert.deepEqual(Notation.applyTurn({ e2: 'E' }, turn('Ee2n Ee3e')), { f3: 'E' });
  assert.equal(Notation.isSetup(setup), true);
  assert.equal(Notation.isSetup(turn('Ee2n')), false);
  assert.equal(Notation.isSetup({ text: '', steps: [] }), false);
});

test('consecutive steps of a piece are joined', () => {
  const abbreviate = (...steps) => Notation.abbreviateTurn(steps);
  assert.equal(abbreviate(step('Ee2n'), step('Ee3n'), step('Md2n')), 'Ee2nn Md2n');
  assert.equal(abbreviate(step('Ra2n'), step('Rb2n')), 'Ra2n Rb2n');
  assert.equal(abbreviate(step('Ed3n', 'rc3'), step('Ed4n')), 'Ed3n rc3x Ed4n');
  assert.equal(abbreviate(), '');
});

test('turns in words name enemy pieces and captures', () => {
  assert.equal(Notation.describeTurn([step('Ee2n')]), 'elephant e2 to e3');
  const push = [step('rc4s'), step('Ed4w', 'rc3')];
  assert.equal(Notation.describeTurn(push), 'rabbit c4 to c3, gold elephant d4 to c4, silver rabbit captured on c3');
  assert.equal(Notation.describeTurn([]), 'sets up');
});

test('tags alternate', () => {
  assert.equal(Notation.nextTag('2g'), '2s');
  assert.equal(Notation.nextTag('9s'), '10g');
  assert.equal(Notation.sideOfTag('10s'), 's');
});
