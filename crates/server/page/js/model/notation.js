// Boards and the words of turns. What a turn does is written in it, captures included: nothing here knows the rules.

/** @typedef {Record<string, string>} Board a piece letter for each square that has one */
/** @typedef {{piece: string, from: string, to: string, captures: {piece: string, at: string}[]}} Shift */

export const FILES = 'abcdefgh';
export const TRAPS = ['c3', 'f3', 'c6', 'f6'];

/** All squares as they are read: a8 to h1. */
export const SQUARES = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));

/** @type {Record<string, [number, number]>} */
const WAYS = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };

/** @param {string} compact @returns {Board} */
export function boardOf(compact) {
  /** @type {Board} */
  const board = {};
  SQUARES.forEach((square, index) => {
    const letter = compact[index] ?? ' ';
    if (letter !== ' ') board[square] = letter;
  });
  return board;
}

/** @param {Board} board */
export function compactOf(board) {
  return SQUARES.map((square) => board[square] ?? ' ').join('');
}

/** The neighbour of a square in a direction, on the board or not. @param {string} square @param {string} way */
export function beside(square, way) {
  const [x, y] = WAYS[way] ?? [0, 0];
  return String.fromCharCode(square.charCodeAt(0) + x) + (Number(square[1]) + y);
}

/**
 * What a turn's text shifts: each step with the captures that stand behind it. Placements are no shifts.
 * @param {string} text
 * @returns {Shift[]}
 */
export function shiftsOf(text) {
  /** @type {Shift[]} */
  const shifts = [];
  for (const word of text.split(/\s+/)) {
    if (word.length < 4) continue;
    const [piece, at, last] = [word[0], word.slice(1, 3), word[3]];
    if (last === 'x') shifts[shifts.length - 1]?.captures.push({ piece, at });
    else shifts.push({ piece, from: at, to: beside(at, last), captures: [] });
  }
  return shifts;
}

/** @param {Board} board @param {Shift} shift @returns {Board} */
export function shifted(board, shift) {
  const next = { ...board };
  delete next[shift.from];
  next[shift.to] = shift.piece;
  for (const { at } of shift.captures) delete next[at];
  return next;
}

/** The board after a turn: placements or steps. @param {Board} board @param {string} text @returns {Board} */
export function boardAfter(board, text) {
  let next = { ...board };
  for (const word of text.split(/\s+/)) if (word.length === 3) next[word.slice(1)] = word[0];
  for (const shift of shiftsOf(text)) next = shifted(next, shift);
  return next;
}

/** @param {string} letter */
export function sideOf(letter) {
  return letter === letter.toUpperCase() ? 'g' : 's';
}

/** @type {Record<string, string>} */
const NAMES = { E: 'elephant', M: 'camel', H: 'horse', D: 'dog', C: 'cat', R: 'rabbit' };

/** @param {string} letter */
export function kindOf(letter) {
  return NAMES[letter.toUpperCase()] ?? 'piece';
}

/** @param {string} letter */
export function pieceName(letter) {
  return `${sideOf(letter) === 'g' ? 'gold' : 'silver'} ${kindOf(letter)}`;
}

/** @param {string} side */
export function sideName(side) {
  return side === 'g' ? 'Gold' : 'Silver';
}

/** A turn in words, for those who listen. @param {string} text */
export function spoken(text) {
  const shifts = shiftsOf(text);
  if (shifts.length === 0) return 'sets up';
  const side = sideOf(shifts[0].piece);
  return shifts
    .map((shift) => {
      const name = sideOf(shift.piece) === side ? kindOf(shift.piece) : pieceName(shift.piece);
      const lost = shift.captures.map((one) => `, ${pieceName(one.piece)} captured on ${one.at}`).join('');
      return `${name} ${shift.from} to ${shift.to}${lost}`;
    })
    .join(', ');
}

/** Turns that run along one piece in short: `Ee2n Ee3n` as `Ee2nn`. @param {string} text */
export function shortened(text) {
  /** @type {string[]} */
  const words = [];
  let end = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const step = word.length === 4 && word[3] !== 'x';
    if (step && end === word.slice(0, 3)) words[words.length - 1] += word[3];
    else words.push(word);
    end = step ? word[0] + beside(word.slice(1, 3), word[3]) : '';
  }
  return words.join(' ');
}
