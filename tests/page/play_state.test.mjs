import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as State from '../../crates/server/page/js/play/state.js';
import { compact, ENGINE, game, HUMAN, position, step, turn } from './helpers.mjs';

const TURNS = [
  { tag: '2g', ...turn('Ee2n'), elapsed_ms: 0 },
  { tag: '2s', ...turn('ed7s'), elapsed_ms: 0 },
];

const stateOf = (gameState, overrides = {}) => ({ ...State.initialState(), game: gameState, ...overrides });

test('older states are ignored', () => {
  const state = stateOf(game({ version: 5 }));
  assert.equal(State.receiveGame(state, game({ version: 4 })), null);
  assert.ok(State.receiveGame(state, game({ version: 5 })));
});

test('a single new turn of the engine is animated', () => {
  const before = stateOf(game({ turns: TURNS.slice(0, 1) }));
  const { state, change } = State.receiveGame(before, game({ version: 2, turns: TURNS }));
  assert.equal(change.engineTurn, TURNS[1]);
  assert.deepEqual(change.newTurns, [TURNS[1]]);
  assert.deepEqual(state.lastTurn, TURNS[1].steps);
});

test('the first state and human turns are not animated', () => {
  const first = State.receiveGame(State.initialState(), game({ turns: TURNS }));
  assert.equal(first.change.engineTurn, null);
  assert.deepEqual(first.change.newTurns, []);
  assert.deepEqual(first.state.lastTurn, TURNS[1].steps);
  const second = State.receiveGame(stateOf(game()), game({ version: 2, turns: TURNS.slice(0, 1) }));
  assert.equal(second.change.engineTurn, null);
  assert.equal(second.change.newTurns.length, 1);
});

test('steps and captures have sounds, undoing has none', () => {
  const withSteps = (steps, captured = '') =>
    game({ version: 2, position: position({ steps_played: steps }), captured });
  const sound = (before, after) => State.receiveGame(stateOf(before), after).change.sound;
  assert.equal(sound(game(), withSteps([step('Ee2n')])), 'step');
  assert.equal(sound(game(), withSteps([step('Ed3n', 'rc3')], 'r')), 'capture');
  assert.equal(sound(withSteps([step('Ee2n')]), withSteps([])), null);
});

test('earlier turns can be viewed', () => {
  const state = stateOf(game({ turns: TURNS }));
  const viewed = (turns) => State.viewTurn(state, turns).viewedTurn;
  assert.deepEqual([viewed(1), viewed(-3), viewed(2), viewed(9), viewed(null)], [1, 0, null, null, null]);
  assert.deepEqual(State.boardAfter(state.game, 1), { e3: 'E', d7: 'e' });
  assert.equal(State.shownTurns(State.viewTurn(state, 1)), 1);
  assert.equal(State.shownBoard(State.viewTurn(state, 0)), compact('Ee2', 'ed7'));
  assert.equal(State.shownTag(State.viewTurn(state, 1)), '2s');
  assert.equal(State.shownTag(State.viewTurn(state, 0)), '2g');
});

test('the shown line includes the current steps', () => {
  const state = stateOf(game({ turns: TURNS, position: position({ steps_played: [step('Ed3n', 'rc3')] }) }));
  assert.equal(State.shownLine(state).steps, 'Ed3n');
  assert.deepEqual(State.shownLine(state).turns, ['Ee2n', 'ed7s']);
  assert.equal(State.shownLine(State.viewTurn(state, 1)).steps, '');
  assert.equal(State.shownLine(State.initialState()), null);
});

test('a human moves unless the board is read-only or an engine is to move', () => {
  assert.equal(State.isMyTurn(stateOf(game())), true);
  assert.equal(State.isMyTurn(stateOf(game({ engine_to_move: true }))), false);
  assert.equal(State.isMyTurn(stateOf(game(), { readOnly: true })), false);
  assert.equal(State.isMyTurn(stateOf(game({ position: position({ phase: 'over' }) }))), false);
  assert.equal(State.isMyTurn(State.initialState()), false);
});

test('the status names the side or the result', () => {
  const status = (overrides, state = {}) => State.statusText(stateOf(game(overrides), state));
  const twoHumans = { config: { ...game().config, gold: HUMAN, silver: HUMAN } };
  assert.equal(status({}), 'Your turn');
  assert.equal(status(twoHumans), 'Gold to move');
  assert.equal(status({}, { readOnly: true }), 'Gold to move');
  assert.equal(status({ engine_to_move: true, position: position({ side: 's' }) }), 'Silver is thinking…');
  assert.equal(status({ position: position({ phase: 'setup' }) }), 'Set up your pieces');
  const setup = { engine_to_move: true, position: position({ phase: 'setup', side: 's' }) };
  assert.equal(status({ ...setup, config: { ...game().config, silver: ENGINE } }), 'Silver sets up…');
  const end = { winner: 'g', reason: 'goal', code: 'g' };
  assert.equal(status({ position: position({ phase: 'over', end }) }), 'Gold wins by goal.');
  assert.equal(status({ position: position({ phase: 'over', end: { ...end, winner: null } }) }), 'Drawn by goal.');
});
