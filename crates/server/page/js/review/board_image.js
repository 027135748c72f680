// A board as an image: a thumbnail in the page, or a file.

import { shapeElement } from '../board/arrows.js';
import { squareToXY } from '../board/geometry.js';
import { trapElement } from '../board/layers.js';
import { pieceSymbols, symbolHref } from '../board/piece_set.js';
import { kindOf, SQUARES, sideOf, TRAPS } from '../model/notation.js';
import { settings } from '../model/settings.js';
import { s } from '../ui/dom.js';

/** @import {Orientation} from '../board/geometry.js' */
/** @import {Board} from '../model/notation.js' */
/** @import {Shape} from '../model/shapes.js' */

const PNG_SIZE = 1024;

/** @type {Orientation} */
const UPRIGHT = { view: 'upright', flipped: false };

/** A small image that uses the symbols of the page. @param {Board} board */
export function boardThumbnail(board) {
  const attributes = { viewBox: '0 0 8 8', class: 'board thumbnail', 'aria-hidden': 'true' };
  return s('svg', attributes, ...squares(UPRIGHT), ...pieces(board, UPRIGHT));
}

/** @param {Orientation} orientation */
function squares(orientation) {
  const tiles = SQUARES.map((square) => {
    const { x, y } = squareToXY(square, orientation);
    return s('rect', { x, y, width: 1, height: 1, class: `square ${(x + y) % 2 ? 'dark' : 'light'}` });
  });
  return [...tiles, ...TRAPS.map((square) => trapElement(orientation, square))];
}

/** @param {Board} board @param {Orientation} orientation */
function pieces(board, orientation) {
  return Object.entries(board).map(([square, letter]) => {
    const { x, y } = squareToXY(square, orientation);
    const side = sideOf(letter) === 'g' ? 'gold' : 'silver';
    return s('use', { href: symbolHref(settings.pieces, side, kindOf(letter)), x, y, width: 1, height: 1 });
  });
}

const STYLE = `
.square.light{fill:#ece5d6}.square.dark{fill:#e3dac7}.trap-square{fill:#c9bda6}
.trap circle{fill:none;stroke:#9d8f76;stroke-width:.035}
.arrow line{stroke-width:.14;stroke-linecap:round}.circle{fill:none;stroke-width:.07}.arrow,.circle{opacity:.85}
.arrow.green line,.circle.green{stroke:#3b8f4f}.arrow.green polygon{fill:#3b8f4f}
.arrow.red line,.circle.red{stroke:#b8423a}.arrow.red polygon{fill:#b8423a}
.arrow.blue line,.circle.blue{stroke:#2f6bb0}.arrow.blue polygon{fill:#2f6bb0}`;

/** A self-contained image as text. @param {Board} board @param {Shape[]} shapes @param {Orientation} orientation */
export function boardSvg(board, shapes, orientation) {
  const style = s('style');
  style.textContent = STYLE;
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 8 8', width: 640, height: 640 };
  const drawn = shapes.map((shape) => shapeElement(shape, orientation));
  const content = [...squares(orientation), ...pieces(board, orientation), ...drawn];
  return new XMLSerializer().serializeToString(s('svg', attributes, style, pieceSymbols(), ...content));
}

/** @param {string} svg @returns {Promise<Blob>} */
export function svgToPng(svg) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The image could not be created.'));
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = PNG_SIZE;
      canvas.getContext('2d')?.drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
      canvas.toBlob((blob) => (blob ? resolve(blob) : fail()));
    };
    image.onerror = fail;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
