// Playing a game on the page. After every change the board of the page is compared with the server.
import assert from 'node:assert/strict';
import { AeiEngine, fromOf, gestures, toOf } from './aei_engine.mjs';

const SQUARES = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...'abcdefgh'].map((file) => `${file}${rank}`));

/** The board that the page shows, with the version of the game that it belongs to. */
export function readBoard(page) {
  return page.evaluate((squares) => {
    const pieces = new Map();
    for (const element of document.querySelectorAll('.board-layout .pieces .piece[data-square]')) {
      pieces.set(element.dataset.square, element.dataset.piece);
    }
    const layout = document.querySelector('.board-layout');
    const board = squares.map((square) => pieces.get(square) ?? ' ').join('');
    return { board, version: Number(layout?.dataset.version), settled: layout?.dataset.settled === 'true' };
  }, SQUARES);
}

export const boardText = async (page) => (await readBoard(page)).board;

export async function api(page, path) {
  const response = await fetch(new URL(`/api/v1${path}`, page.url()));
  return response.json();
}

export const gameId = (page) => new URL(page.url()).hash.split('/')[2];

/** Waits until the page shows a later version of the game, and compares it with the server. */
export async function waitForServerState(page, after = 0) {
  for (;;) {
    await page.waitForFunction((after) => {
      const layout = document.querySelector('.board-layout');
      return Number(layout?.dataset.version) > after && layout?.dataset.settled === 'true';
    }, after);
    const state = await api(page, `/games/${gameId(page)}`);
    const { board, version, settled } = await readBoard(page);
    // The engine may have played in between.
    if (version !== state.version || !settled) continue;
    const { position } = state;
    assert.equal(placed(board, position), placed(position.board, position), 'the page shows the board of the server');
    return state;
  }
}

/** The part of a board that the server knows: a setup that is being placed exists only in the page. */
function placed(board, { phase, side }) {
  if (phase !== 'setup') return board;
  return side === 'g' ? board.slice(0, 48) : board.slice(16);
}

/** The centre of a square on the screen. */
export async function squareCenter(page, square) {
  const box = await page.locator(`.board .squares rect[data-square=${square}]`).first().boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Starts a game against level 1. */
export async function startGame(page, driver) {
  await page.waitForSelector('#start-game');
  await driver.setMinimum('#level');
  assert.equal(await page.locator('#level').inputValue(), '1');
  await driver.press('#start-game');
  await page.waitForURL(/#\/game\//);
  await page.waitForSelector('.setup');
}

/** Plays until the game is over, with one kind of input. */
export async function playGame(page, driver) {
  const engine = new AeiEngine();
  const played = { push: 0, pull: 0, step: 0, capture: 0, turns: 0 };
  let state = await waitForServerState(page);
  while (state.position.phase !== 'over') {
    assert.ok(played.turns < 120, 'the game ends');
    if (state.engine_to_move) {
      state = await waitForServerState(page, state.version);
      continue;
    }
    for (const gesture of await plan(state, engine, played)) {
      const before = state;
      await driver.play(page, gesture, state.position);
      state = await waitForServerState(page, before.version);
      // The second step of a push.
      while (state.position.push_to) state = await waitForServerState(page, state.version);
      played[gesture.kind] += 1;
      if (state.captured !== before.captured) played.capture += 1;
    }
    await driver.end(page);
    state = await waitForServerState(page, state.version);
    played.turns += 1;
  }
  engine.close();
  return { state, played };
}

/** A push, a pull or a capture if none was played yet; otherwise the engine's turn. */
async function plan(state, engine, played) {
  const captures = (action) => action.steps.flatMap((step) => step.captured ?? []);
  const isEnemy = ({ piece }) => (piece === piece.toUpperCase()) !== (state.position.side === 'g');
  const find = (test) =>
    state.position.actions.find(
      (action) => action.steps.length === 2 && captures(action).every(isEnemy) && test(action),
    );
  const action =
    find((candidate) => captures(candidate).length > 0) ??
    (played.pull ? null : find(({ kind }) => kind === 'pull')) ??
    (played.push ? null : find(({ kind }) => kind === 'push'));
  if (action && (played.capture === 0 || captures(action).length === 0)) {
    const steps = action.steps.map((step) => step.text);
    if (await canEndTurnAfter(state, steps)) return [{ kind: action.kind, steps }];
  }
  return gestures(await engine.turn(state.turns), state.position.side);
}

let origin = '';
export const setOrigin = (address) => {
  origin = address;
};

async function canEndTurnAfter(state, steps) {
  const line = { start: state.start, rules: '', turns: state.turns.map((turn) => turn.text), steps: steps.join(' ') };
  const response = await fetch(new URL('/api/v1/position', origin), { method: 'POST', body: JSON.stringify(line) });
  return (await response.json()).can_end_turn === true;
}

export { fromOf, toOf };
