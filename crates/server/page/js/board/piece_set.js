// The two sets of pieces, as SVG symbols.

import { ANIMALS } from './animals.js';

/** @import {Colours} from './animals.js' */

/** @type {Record<string, Colours>} */
const COLOURS = {
  gold: { body: '#f0b63f', line: '#4b2e09', shade: '#cf8a1b', light: '#fff3d6' },
  silver: { body: '#eef3f8', line: '#24303d', shade: '#a5b5c6', light: '#ffffff' },
};

/** @type {Record<string, string>} */
const LETTERS = { elephant: 'E', camel: 'M', horse: 'H', dog: 'D', cat: 'C', rabbit: 'R' };

/** @param {string} side @param {string} kind */
function animalSymbol(side, kind) {
  const colours = COLOURS[side];
  // Silver faces left, so that the sides differ in more than colour.
  const mirror = side === 'silver' ? ' transform="translate(100 0) scale(-1 1)"' : '';
  const stroke = `stroke="${colours.line}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"`;
  return `<symbol id="animals-${side}-${kind}" viewBox="-9 -8 118 118"><g${mirror} ${stroke}>${ANIMALS[kind](colours)}</g></symbol>`;
}

/** A disc for gold and a square for silver; rabbits are smaller. @param {string} side @param {string} kind */
function letterSymbol(side, kind) {
  const { body, line } = COLOURS[side];
  const isRabbit = kind === 'rabbit';
  const radius = isRabbit ? 30 : 40;
  const half = radius * 0.92;
  const shape =
    side === 'gold'
      ? `<circle cx="50" cy="50" r="${radius}"/>`
      : `<rect x="${50 - half}" y="${50 - half}" width="${2 * half}" height="${2 * half}" rx="14"/>`;
  const font = `font-family="system-ui, sans-serif" font-weight="700" font-size="${isRabbit ? 38 : 50}" text-anchor="middle"`;
  const text = `<text x="50" y="${isRabbit ? 63.5 : 68}" ${font} fill="${line}">${LETTERS[kind]}</text>`;
  return `<symbol id="letters-${side}-${kind}" viewBox="0 0 100 100"><g fill="${body}" stroke="${line}" stroke-width="5">${shape}</g>${text}</symbol>`;
}

/** A `defs` element with all symbols. */
export function pieceSymbols() {
  const defs = document.createElementNS('http://www.w3.org/2000/svg', 'defs');
  defs.innerHTML = Object.keys(COLOURS)
    .flatMap((side) => Object.keys(ANIMALS).flatMap((kind) => [animalSymbol(side, kind), letterSymbol(side, kind)]))
    .join('');
  return defs;
}

/** The reference to the symbol of a piece. @param {string} set @param {string} side @param {string} kind */
export function symbolHref(set, side, kind) {
  return `#${set}-${side}-${kind}`;
}

/** Adds the symbols to the page. */
export function injectPieceSymbols() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'piece-symbols');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(pieceSymbols());
  document.body.prepend(svg);
}
