// A whole game on the page: what is done there is compared with the server after everything that changes the board.
import assert from 'node:assert/strict';
import { Brain, fromOf, gestures, toOf } from './brain.mjs';

const SQUARES = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...'abcdefgh'].map((file) => `${file}${rank}`));

/** What the page shows, all of one moment: the board as its elements tell it, the change it belongs to. */
export function shown(page) {
  return page.evaluate((squares) => {
    const pieces = new Map();
    for (const one of document.querySelectorAll('.desk .pieces .piece[data-square]')) pieces.set(one.dataset.square, one.dataset.piece);
    const desk = document.querySelector('.desk');
    const board = squares.map((square) => pieces.get(square) ?? ' ').join('');
    return { board, change: Number(desk?.dataset.change), settled: desk?.dataset.settled === 'true' };
  }, SQUARES);
}

export const shownBoard = async (page) => (await shown(page)).board;

export async function api(page, path) {
  const response = await fetch(new URL(`/api/v1${path}`, page.url()));
  return response.json();
}

export const gameId = (page) => new URL(page.url()).hash.split('/')[2];

/** Waits until the page shows a change after this one, and compares it with the server. */
export async function agree(page, after = 0) {
  for (;;) {
    await page.waitForFunction((least) => {
      const desk = document.querySelector('.desk');
      return least < Number(desk?.dataset.change) && desk?.dataset.settled === 'true';
    }, after);
    const state = await api(page, `/games/${gameId(page)}`);
    const { board, change, settled } = await shown(page);
    // The engine may have played in between.
    if (change !== state.version || !settled) continue;
    assert.equal(known(board, state), known(state.position.board, state), 'the page shows the board of the server');
    return state;
  }
}

/** A setup that is not finished is known to the page alone. */
function known(board, state) {
  if (state.position.phase !== 'setup') return board;
  return state.position.side === 'g' ? board.slice(0, 48) : board.slice(16);
}

/** Where the middle of a square is on the screen. */
export async function middle(page, square) {
  const box = await page.locator(`.board .squares rect[data-at=${square}]`).first().boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Chooses level 1 against the computer and begins. */
export async function begin(page, hand) {
  await page.waitForSelector('#begin');
  await hand.lowest('#level');
  assert.equal(await page.locator('#level').inputValue(), '1');
  await hand.press('#begin');
  await page.waitForURL(/#\/game\//);
  await page.waitForSelector('.setup');
}

/** Plays until the game is over. `hand` knows how to do a gesture by one kind of input. */
export async function playOut(page, hand) {
  const brain = new Brain();
  const done = { push: 0, pull: 0, capture: 0, turns: 0 };
  let state = await agree(page);
  while (state.position.phase !== 'over') {
    assert.ok(done.turns < 120, 'the game comes to an end');
    if (state.engine_to_move) {
      state = await agree(page, state.version);
      continue;
    }
    for (const gesture of await plan(state, brain, done)) {
      const before = state;
      await hand.play(page, gesture, state.position);
      state = await agree(page, before.version);
      // A push in two halves shows both of its steps only after the second.
      while (state.position.push_to) state = await agree(page, state.version);
      done[gesture.kind] += 1;
      if (state.captured !== before.captured) done.capture += 1;
    }
    await hand.end(page);
    state = await agree(page, state.version);
    done.turns += 1;
  }
  brain.close();
  return { state, done };
}

/** What is still to be shown comes first; else the brain plays. */
async function plan(state, brain, done) {
  const captures = (action) => action.steps.flatMap((step) => step.captured ?? []);
  const safe = (action) => captures(action).every(({ piece }) => (piece === piece.toUpperCase()) !== (state.position.side === 'g'));
  const wanted = (test) => state.position.actions.find((action) => action.steps.length === 2 && safe(action) && test(action));
  const action =
    wanted((one) => captures(one).length !== 0) ??
    (done.pull ? null : wanted((one) => one.kind === 'pull')) ??
    (done.push ? null : wanted((one) => one.kind === 'push'));
  if (action && (done.capture === 0 || captures(action).length === 0)) {
    const steps = action.steps.map((step) => step.text);
    if (await mayEndAfter(state, steps)) return [{ kind: action.kind, steps }];
  }
  return gestures(await brain.turn(state.turns), state.position.side);
}

let origin = '';
export const setOrigin = (address) => (origin = address);

async function mayEndAfter(state, steps) {
  const line = { start: state.start, rules: '', turns: state.turns.map((turn) => turn.text), steps: steps.join(' ') };
  const response = await fetch(new URL('/api/v1/position', origin), { method: 'POST', body: JSON.stringify(line) });
  return (await response.json()).can_end_turn === true;
}

export { fromOf, toOf };
