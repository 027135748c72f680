// A board as a picture of its own: for files and for lists.

import { art, symbol } from '../board/art.js';
import { kindOf, SQUARES, sideOf, TRAPS } from '../model/notation.js';
import { settings } from '../model/settings.js';
import { placeOf } from '../board/geometry.js';
import { arrow } from '../board/arrows.js';
import { s } from '../ui/dom.js';

/** @import {Board} from '../model/notation.js' */
/** @import {Shape} from '../board/state.js' */

/** A small picture that shares the art of the page. @param {Board} board */
export function picture(board) {
  return s('svg', { viewBox: '0 0 8 8', class: 'board still', 'aria-hidden': 'true' }, ...ground(), ...figures(board));
}

/** @param {{view: 'upright' | 'sideways', flipped: boolean}} [seen] */
function ground(seen = { view: 'upright', flipped: false }) {
  return [
    ...SQUARES.map((square) => {
      const { x, y } = placeOf(square, seen);
      return s('rect', { x, y, width: 1, height: 1, class: `square ${(x + y) % 2 ? 'dark' : 'light'}` });
    }),
    ...TRAPS.map((square) => {
      const { x, y } = placeOf(square, seen);
      return s('g', { class: 'trap' }, s('rect', { x, y, width: 1, height: 1, class: 'pit' }), s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.33 }), s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.2 }));
    }),
  ];
}

/** @param {Board} board @param {{view: 'upright' | 'sideways', flipped: boolean}} [seen] */
function figures(board, seen = { view: 'upright', flipped: false }) {
  return Object.entries(board).map(([square, letter]) => {
    const { x, y } = placeOf(square, seen);
    const side = sideOf(letter) === 'g' ? 'gold' : 'silver';
    return s('use', { href: symbol(settings.pieces, side, kindOf(letter)), x, y, width: 1, height: 1 });
  });
}

const STYLE = `
.square.light{fill:#ece5d6}.square.dark{fill:#e3dac7}.pit{fill:#c9bda6}.trap circle{fill:none;stroke:#9d8f76;stroke-width:.035}
.arrow line{stroke-width:.14;stroke-linecap:round}.arrow.green line,.circle.green{stroke:#3b8f4f}.arrow.green polygon{fill:#3b8f4f}
.arrow.red line,.circle.red{stroke:#b8423a}.arrow.red polygon{fill:#b8423a}.arrow.blue line,.circle.blue{stroke:#2f6bb0}.arrow.blue polygon{fill:#2f6bb0}
.circle{fill:none;stroke-width:.07}.arrow,.circle{opacity:.85}`;

/**
 * The whole picture with everything that it needs, as text.
 * @param {Board} board @param {Shape[]} shapes @param {{view: 'upright' | 'sideways', flipped: boolean}} seen
 */
export function pictureText(board, shapes, seen) {
  const style = s('style');
  style.textContent = STYLE;
  const drawn = shapes.map(({ from, to, colour }) => {
    const [a, b] = [placeOf(from, seen), placeOf(to, seen)];
    return from === to ? s('circle', { cx: a.x + 0.5, cy: a.y + 0.5, r: 0.44, class: `circle ${colour}` }) : arrow(a, b, colour);
  });
  const svg = s('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 8 8', width: 640, height: 640 }, style, art(), ...ground(seen), ...figures(board, seen), ...drawn);
  return new XMLSerializer().serializeToString(svg);
}

/** @param {string} svg @returns {Promise<Blob>} */
export function pixels(svg) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 1024;
      canvas.getContext('2d')?.drawImage(image, 0, 0, 1024, 1024);
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('The picture could not be made.'))));
    };
    image.onerror = () => failed(new Error('The picture could not be made.'));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
