// The state of the play page, without the DOM and the network.

import { applyTurn, formatBoard, formatSteps, nextTag, parseBoard, sideName, sideOfTag } from '../model/notation.js';

/** @import {GameState, PlayedTurn, PlayedLine, StepInfo} from '../api.js' */
/** @import {Board} from '../model/notation.js' */

/**
 * @typedef {{
 *   game: GameState | null,
 *   viewedTurn: number | null,
 *   lastTurn: StepInfo[],
 *   readOnly: boolean,
 * }} PlayState
 * `viewedTurn` is the number of turns before an earlier position that is viewed; null for the current one. `lastTurn`
 * has the steps that are marked on the board.
 */

/** @returns {PlayState} */
export function initialState() {
  return { game: null, viewedTurn: null, lastTurn: [], readOnly: false };
}

/**
 * What has changed with a new state of the game.
 * @typedef {{
 *   newTurns: PlayedTurn[],
 *   engineTurn: PlayedTurn | null,
 *   sound: 'step' | 'capture' | null,
 *   hasEnded: boolean,
 * }} GameChange
 */

/**
 * The next state after a message of the server; null if the message is older than the state.
 * @param {PlayState} state
 * @param {GameState} game
 * @returns {{state: PlayState, change: GameChange} | null}
 */
export function receiveGame(state, game) {
  const before = state.game;
  if (before && game.version < before.version) return null;
  const newTurns = before ? game.turns.slice(before.turns.length) : [];
  const sameTurn = before?.turns.length === game.turns.length;
  const lastTurn = sameTurn ? state.lastTurn : (game.turns.at(-1)?.steps ?? []);
  const single = newTurns.length === 1 ? newTurns[0] : null;
  const engineTurn = single && playerOf(game, sideOfTag(single.tag)).kind === 'engine' ? single : null;
  const advanced = before && game.position.steps_played.length > before.position.steps_played.length;
  const capture = before && game.captured !== before.captured;
  const sound = advanced ? (capture ? 'capture' : 'step') : null;
  const hasEnded = before !== null && !before.position.end && game.position.end !== null;
  return { state: { ...state, game, viewedTurn: null, lastTurn }, change: { newTurns, engineTurn, sound, hasEnded } };
}

/** Views the position after a number of turns; null for the current one. @param {PlayState} state @param {number | null} turns */
export function viewTurn(state, turns) {
  const isCurrent = turns === null || !state.game || turns >= state.game.turns.length;
  return { ...state, viewedTurn: isCurrent ? null : Math.max(0, turns) };
}

/** The number of turns before the viewed position. @param {PlayState} state */
export function shownTurns({ game, viewedTurn }) {
  return viewedTurn ?? game?.turns.length ?? 0;
}

/** @param {GameState} game @param {'g' | 's'} side */
export function playerOf(game, side) {
  return side === 'g' ? game.config.gold : game.config.silver;
}

/** Whether a human at this board is to move. @param {PlayState} state */
export function isMyTurn({ game, readOnly }) {
  return game !== null && !readOnly && !game.engine_to_move && game.position.phase !== 'over';
}

/** Whether this side places its pieces here. @param {PlayState} state */
export function isMySetup(state) {
  return isMyTurn(state) && state.game?.position.phase === 'setup';
}

/** The board after a number of turns. @param {GameState} game @param {number} turns @returns {Board} */
export function boardAfter(game, turns) {
  return game.turns.slice(0, turns).reduce(applyTurn, parseBoard(game.start.board));
}

/** The line to the viewed position. @param {PlayState} state @returns {PlayedLine | null} */
export function shownLine(state) {
  const { game, viewedTurn } = state;
  if (!game) return null;
  const turns = game.turns.slice(0, shownTurns(state)).map((turn) => turn.text);
  const steps = viewedTurn === null ? formatSteps(game.position.steps_played) : '';
  return { start: game.start, steps_left: null, rules: '', turns, steps };
}

/** The board at the start of the viewed turn: 64 characters. @param {PlayState} state */
export function shownBoard(state) {
  return state.game ? formatBoard(boardAfter(state.game, shownTurns(state))) : '';
}

/** The tag of the viewed turn. @param {PlayState} state */
export function shownTag(state) {
  const last = state.game?.turns[shownTurns(state) - 1];
  return last ? nextTag(last.tag) : (state.game?.start.tag ?? '');
}

/** The result in words; empty while the game is in progress. @param {GameState} game */
export function resultText({ position: { end } }) {
  if (!end) return '';
  return end.winner ? `${sideName(end.winner)} wins by ${end.reason}.` : `Drawn by ${end.reason}.`;
}

/** The heading of the panel: the result, or what is to be done. @param {PlayState} state */
export function statusText({ game, readOnly }) {
  if (!game) return '';
  const { position, engine_to_move, config } = game;
  if (position.phase === 'over') return resultText(game);
  const side = sideName(position.side);
  const isSetup = position.phase === 'setup';
  const twoHumans = config.gold.kind === 'human' && config.silver.kind === 'human';
  if (engine_to_move && !readOnly) return isSetup ? `${side} sets up…` : `${side} is thinking…`;
  if (readOnly || twoHumans) return isSetup ? `${side} to set up` : `${side} to move`;
  return isSetup ? 'Set up your pieces' : 'Your turn';
}
