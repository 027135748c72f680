// The names of players.

import { sideName } from './notation.js';

/** @import {Player} from '../api.js' */

/** @param {Player} player @param {string} side */
export function playerName(player, side) {
  if (player.kind === 'engine') return player.name.replace(':level=', ', level ').replaceAll(':', ', ');
  return player.name || sideName(side);
}
