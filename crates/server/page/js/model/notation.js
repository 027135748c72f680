// Boards and turns. Captures come with the steps, so nothing here knows the rules.

/** @import {StepInfo} from '../api.js' */

/** @typedef {Record<string, string>} Board the piece letter on each occupied square */

export const FILES = 'abcdefgh';
export const TRAPS = ['c3', 'f3', 'c6', 'f6'];

/** All squares from a8 to h1. */
export const SQUARES = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));

/** The board that is shown where no game is open: a common setup of both sides. */
export const STANDARD_BOARD = `rrrddrrrrhcemchr${' '.repeat(32)}RHCMECHRRRRDDRRR`;

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };

/** @param {string} compact @returns {Board} */
export function parseBoard(compact) {
  /** @type {Board} */
  const board = {};
  SQUARES.forEach((square, index) => {
    const letter = compact[index] ?? ' ';
    if (letter !== ' ') board[square] = letter;
  });
  return board;
}

/** @param {Board} board */
export function formatBoard(board) {
  return SQUARES.map((square) => board[square] ?? ' ').join('');
}

/** The standard diagram of a position. @param {Board} board @param {string} tag */
export function formatDiagram(board, tag) {
  const lines = [tag, ' +-----------------+'];
  for (let rank = 8; rank >= 1; rank--) {
    const squares = [...'abcdefgh'].map((file) => file + rank);
    const cells = squares.map((square) => board[square] ?? (TRAPS.includes(square) ? 'x' : '.'));
    lines.push(`${rank}| ${cells.join(' ')} |`);
  }
  return [...lines, ' +-----------------+', '   a b c d e f g h', ''].join('\n');
}

/** The adjacent square in a direction, which may be off the board. @param {string} square @param {string} direction */
export function neighbour(square, direction) {
  const [x, y] = DIRECTIONS[direction] ?? [0, 0];
  return String.fromCharCode(square.charCodeAt(0) + x) + (Number(square[1]) + y);
}

/** The squares on a path, without the first. @param {string} from @param {string} directions */
export function pathSquares(from, directions) {
  /** @type {string[]} */
  const squares = [];
  for (const direction of directions) squares.push(neighbour(squares.at(-1) ?? from, direction));
  return squares;
}

/** The board after a step, without its capture. @param {Board} board @param {StepInfo} step @returns {Board} */
export function movePiece(board, step) {
  const next = { ...board };
  delete next[step.from];
  next[step.to] = step.piece;
  return next;
}

/** The board after a step. @param {Board} board @param {StepInfo} step @returns {Board} */
export function applyStep(board, step) {
  const next = movePiece(board, step);
  if (step.captured) delete next[step.captured.square];
  return next;
}

/**
 * The board after a turn, which may be a setup.
 * @param {Board} board
 * @param {{text: string, steps: StepInfo[]}} turn
 * @returns {Board}
 */
export function applyTurn(board, turn) {
  return turn.steps.reduce(applyStep, { ...board, ...placements(turn.text) });
}

/** The placements of a setup. @param {string} text @returns {Board} */
function placements(text) {
  return Object.fromEntries(
    text
      .split(/\s+/)
      .filter((word) => word.length === 3)
      .map((word) => [word.slice(1), word[0]]),
  );
}

/** Whether a turn is a setup. @param {{text: string, steps: StepInfo[]}} turn */
export function isSetup(turn) {
  return turn.steps.length === 0 && turn.text !== '';
}

/** The steps as the server accepts them. @param {StepInfo[]} steps */
export function formatSteps(steps) {
  return steps.map((step) => step.text).join(' ');
}

/** The steps as a game record writes them, with captures. @param {StepInfo[]} steps */
export function recordText(steps) {
  return steps
    .map(({ text, captured }) => (captured ? `${text} ${captured.piece}${captured.square}x` : text))
    .join(' ');
}

/** The squares on which pieces are captured. @param {StepInfo[]} steps */
export function captureSquares(steps) {
  return steps.flatMap(({ captured }) => (captured ? [captured.square] : []));
}

/** The pieces that are missing on a board, gold's first, the strongest of each side first. @param {Board} before @param {Board} after */
export function capturedPieces(before, after) {
  const [old, now] = [before, after].map((board) => Object.values(board));
  const count = (/** @type {string[]} */ letters, /** @type {string} */ letter) =>
    letters.filter((other) => other === letter).length;
  return [...'EMHDCRemhdcr'].flatMap((letter) =>
    Array(Math.max(0, count(old, letter) - count(now, letter))).fill(letter),
  );
}

/** The square of a rabbit of a side on its goal rank. @param {Board} board @param {string} side */
export function goalSquare(board, side) {
  const [rabbit, rank] = side === 'g' ? ['R', '8'] : ['r', '1'];
  return Object.keys(board).find((square) => board[square] === rabbit && square[1] === rank) ?? null;
}

/** @param {string} letter @returns {'g' | 's'} */
export function sideOf(letter) {
  return letter === letter.toUpperCase() ? 'g' : 's';
}

/** The side that plays a turn. @param {string} tag @returns {'g' | 's'} */
export function sideOfTag(tag) {
  return tag.endsWith('g') ? 'g' : 's';
}

/** The tag of the next turn. @param {string} tag */
export function nextTag(tag) {
  const number = Number(tag.slice(0, -1));
  return tag.endsWith('g') ? `${number}s` : `${number + 1}g`;
}

/** @type {Record<string, string>} */
const KINDS = { E: 'elephant', M: 'camel', H: 'horse', D: 'dog', C: 'cat', R: 'rabbit' };

/** @param {string} letter */
export function kindOf(letter) {
  return KINDS[letter.toUpperCase()] ?? 'piece';
}

/** @param {string} letter */
export function pieceName(letter) {
  return `${sideOf(letter) === 'g' ? 'gold' : 'silver'} ${kindOf(letter)}`;
}

/** @param {string} side */
export function sideName(side) {
  return side === 'g' ? 'Gold' : 'Silver';
}

/** A turn in words, for screen readers. @param {StepInfo[]} steps */
export function describeTurn(steps) {
  if (steps.length === 0) return 'sets up';
  const side = sideOf(steps[0].piece);
  return steps
    .map(({ piece, from, to, captured }) => {
      const name = sideOf(piece) === side ? kindOf(piece) : pieceName(piece);
      const capture = captured ? `, ${pieceName(captured.piece)} captured on ${captured.square}` : '';
      return `${name} ${from} to ${to}${capture}`;
    })
    .join(', ');
}

/** A turn with consecutive steps of one piece joined: `Ee2n Ee3n` as `Ee2nn`. @param {StepInfo[]} steps */
export function abbreviateTurn(steps) {
  /** @type {string[]} */
  const words = [];
  steps.forEach((step, index) => {
    const previous = steps[index - 1];
    const continues = previous && !previous.captured && previous.piece === step.piece && previous.to === step.from;
    if (continues) words[words.length - 1] += step.text.slice(3);
    else words.push(step.text);
    if (step.captured) words.push(`${step.captured.piece}${step.captured.square}x`);
  });
  return words.join(' ');
}
