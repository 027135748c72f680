// The two sets of pieces, as symbols that everything else refers to.

import { ANIMALS } from './animals.js';

/** @import {Colours} from './animals.js' */

/** @type {Record<string, Colours>} */
const COLOURS = {
  gold: { body: '#f0b63f', line: '#4b2e09', shade: '#cf8a1b', light: '#fff3d6' },
  silver: { body: '#eef3f8', line: '#24303d', shade: '#a5b5c6', light: '#ffffff' },
};

const LETTERS = { elephant: 'E', camel: 'M', horse: 'H', dog: 'D', cat: 'C', rabbit: 'R' };

/** @param {string} side @param {string} kind */
function animal(side, kind) {
  const c = COLOURS[side];
  // Silver looks the other way, so that a side is known without its colour.
  const turn = side === 'silver' ? ' transform="translate(100 0) scale(-1 1)"' : '';
  return `<symbol id="animals-${side}-${kind}" viewBox="-9 -8 118 118"><g${turn} stroke="${c.line}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round">${ANIMALS[kind](c)}</g></symbol>`;
}

/** A disc for gold, a square one for silver; the strong ones have a rim. @param {string} side @param {string} kind */
function letter(side, kind) {
  const c = COLOURS[side];
  const text = LETTERS[/** @type {'dog'} */ (kind)];
  const size = kind === 'rabbit' ? 30 : 40;
  const shape = side === 'gold' ? `<circle cx="50" cy="50" r="${size}"/>` : `<rect x="${50 - size * 0.92}" y="${50 - size * 0.92}" width="${size * 1.84}" height="${size * 1.84}" rx="14"/>`;
  const font = `font-family="system-ui, sans-serif" font-weight="700" font-size="${kind === 'rabbit' ? 38 : 50}" text-anchor="middle"`;
  return `<symbol id="letters-${side}-${kind}" viewBox="0 0 100 100"><g fill="${c.body}" stroke="${c.line}" stroke-width="5">${shape}</g><text x="50" y="${kind === 'rabbit' ? 63.5 : 68}" ${font} fill="${c.line}">${text}</text></symbol>`;
}

/** All symbols in one element. */
export function art() {
  const defs = document.createElementNS('http://www.w3.org/2000/svg', 'defs');
  defs.innerHTML = Object.keys(COLOURS)
    .flatMap((side) => Object.keys(ANIMALS).flatMap((kind) => [animal(side, kind), letter(side, kind)]))
    .join('');
  return defs;
}

/** The symbol of a piece. @param {string} set @param {string} side @param {string} kind */
export function symbol(set, side, kind) {
  return `#${set}-${side}-${kind}`;
}

/** Puts the symbols into the page. */
export function defineArt() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'art');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(art());
  document.body.prepend(svg);
}
