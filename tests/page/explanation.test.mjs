import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinePlayer, lineArrows } from '../../crates/server/page/js/ui/line_player.js';
import { markExplained, newTerms } from '../../crates/server/page/js/ui/terms.js';
import { compact, step } from './helpers.mjs';

globalThis.matchMedia = /** @type {any} */ (() => ({ matches: true }));

const BOARD = compact('Eh4', 'hh3', 'ce2');
const THREAT = {
  role: /** @type {const} */ ('line'),
  side: /** @type {const} */ ('g'),
  line: { board: BOARD, steps: [step('hh3w'), step('Eh4s'), step('hg3w', 'hf3'), step('Eh3w')], text: '' },
};
const ANSWER = {
  role: /** @type {const} */ ('answer'),
  side: /** @type {const} */ ('s'),
  line: { board: BOARD, steps: [step('ce2e')], text: '' },
};

test('the arrows of a line are numbered and mark displaced pieces', () => {
  const arrows = lineArrows(THREAT);
  assert.deepEqual(
    arrows.map(({ role, path, time }) => [role, path.join('-'), time]),
    [
      ['line displaced', 'h3-g3', 1],
      ['line', 'h4-h3', 2],
      ['line displaced', 'g3-f3', 3],
      ['line', 'h3-g3', 4],
    ],
  );
  assert.equal(lineArrows(ANSWER)[0].role, 'answer');
  assert.equal(lineArrows(THREAT, 1).length, 1);
});

test('a player shows every step of the line and of its answer, each on its own board', () => {
  const drawn = [];
  const player = new LinePlayer(
    (drawing) => drawn.push(drawing && [drawing.board, drawing.zone.length]),
    () => {},
  );
  player.setParts([THREAT, ANSWER]);
  for (let index = 0; index < 9; index++) player.step(1);
  const afterCapture = compact('Eg3', 'ce2');
  assert.deepEqual(drawn[0], [compact('Eh4', 'hg3', 'ce2'), 1]);
  assert.deepEqual(drawn[3], [afterCapture, 4]);
  assert.deepEqual(drawn[4], [BOARD, 0]);
  assert.deepEqual(drawn[5], [compact('Eh4', 'hh3', 'cf2'), 1]);
  // It stays at the last step, and goes back to the position before the first one.
  assert.deepEqual(drawn[8], drawn[5]);
  assert.equal(player.frame?.part, ANSWER);
  for (let index = 0; index < 6; index++) player.step(-1);
  assert.equal(player.frame, null);
  assert.equal(drawn.at(-1), null);
});

test('playing is paused and goes on from there', () => {
  const player = new LinePlayer(
    () => {},
    () => {},
  );
  player.play();
  assert.equal(player.isPlaying, false, 'there is nothing to play');
  player.setParts([THREAT]);
  player.play();
  assert.deepEqual([player.isPlaying, player.frame?.count], [true, 0]);
  player.step(1);
  assert.deepEqual([player.isPlaying, player.frame?.count], [false, 1]);
  player.togglePlay();
  assert.deepEqual([player.isPlaying, player.frame?.count], [true, 1]);
  player.abandon();
  assert.deepEqual([player.isPlaying, player.frame], [false, null]);
});

test('a term is explained until it counts as explained', () => {
  const text = 'Its elephant pushes the horse into the trap.';
  const terms = newTerms(text).map(({ term }) => term);
  assert.deepEqual(terms, ['trap', 'push']);
  assert.equal(newTerms(text).length, 2);
  markExplained(newTerms(text));
  assert.deepEqual(
    newTerms(`${text} A goal.`).map(({ term }) => term),
    ['goal'],
  );
});
