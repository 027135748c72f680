// The names of players.

import { sideName } from './notation.js';

/** @import {Player} from '../api.js' */

/** The default engine, which has named levels. */
export const LEVELS_ENGINE = 'alphabeta';

/** @param {Player} player @param {string} side */
export function playerName(player, side) {
  if (player.kind === 'engine') return engineName(player.name);
  return player.name || sideName(side);
}

/** `alphabeta:level=3,threads=2` as `Surus, level 3`, `mcts:threads=2` as `mcts`. @param {string} text */
export function engineName(text) {
  const [name] = text.split(':');
  const level = /[:,]level=(\d+)/.exec(text)?.[1];
  const shown = name === LEVELS_ENGINE ? 'Surus' : name;
  return level ? `${shown}, level ${level}` : shown;
}

/** The level of an engine, or null. @param {string} text */
export function engineLevel(text) {
  return /[:,]level=(\d+)/.exec(text)?.[1] ?? null;
}
