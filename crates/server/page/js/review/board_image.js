// A board as an image: a thumbnail in the page, or a file.

import { shapeElement } from '../board/arrows.js';
import { squareToXY } from '../board/geometry.js';
import { trapElement } from '../board/layers.js';
import { pieceSymbols, symbolHref } from '../board/piece_set.js';
import { FILES, kindOf, SQUARES, sideName, sideOf, sideOfTag, TRAPS } from '../model/notation.js';
import { settings } from '../model/settings.js';
import { s } from '../ui/dom.js';

/** @import {Orientation} from '../board/geometry.js' */
/** @import {Board} from '../model/notation.js' */
/** @import {Shape} from '../model/shapes.js' */

/** The image has a margin for coordinates and a line of text below the board. */
const VIEW_BOX = { x: -0.4, y: -0.1, width: 8.5, height: 9 };
const SVG_WIDTH = 680;
const PNG_WIDTH = 1088;

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
.background{fill:#fffdf8}.label{font:600 .26px system-ui,'DejaVu Sans',sans-serif;fill:#4d473d}
.square.light{fill:#ece5d6}.square.dark{fill:#e3dac7}.trap-square{fill:#c9bda6}
.trap circle{fill:none;stroke:#9d8f76;stroke-width:.035}
.arrow line{stroke-width:.14;stroke-linecap:round}.circle{fill:none;stroke-width:.07}.arrow,.circle{opacity:.85}
.arrow.green line,.circle.green{stroke:#3b8f4f}.arrow.green polygon{fill:#3b8f4f}
.arrow.red line,.circle.red{stroke:#b8423a}.arrow.red polygon{fill:#b8423a}
.arrow.blue line,.circle.blue{stroke:#2f6bb0}.arrow.blue polygon{fill:#2f6bb0}`;

/**
 * A self-contained image as text.
 * @param {Board} board
 * @param {Shape[]} shapes
 * @param {Orientation} orientation
 * @param {string} tag of the turn to be played
 */
export function boardSvg(board, shapes, orientation, tag) {
  const style = s('style');
  style.textContent = STYLE;
  const { x, y, width, height } = VIEW_BOX;
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `${x} ${y} ${width} ${height}`,
    width: SVG_WIDTH,
    height: (SVG_WIDTH * height) / width,
  };
  const drawn = shapes.map((shape) => shapeElement(shape, orientation));
  const content = [
    s('rect', { x, y, width, height, class: 'background' }),
    ...squares(orientation),
    ...pieces(board, orientation),
    ...drawn,
    ...FILES_AND_RANKS.flatMap(([file, rank]) => marginLabels(file, rank, orientation)),
    ...sideToMove(tag),
  ];
  return new XMLSerializer().serializeToString(s('svg', attributes, style, pieceSymbols(), ...content));
}

const FILES_AND_RANKS = Array.from(FILES, (file, index) => [file, String(index + 1)]);

/** The labels of a file and a rank in the margins. @param {string} file @param {string} rank @param {Orientation} orientation */
function marginLabels(file, rank, orientation) {
  const left = (/** @type {number} */ row, /** @type {string} */ text) => label(-0.2, row + 0.6, text);
  const below = (/** @type {number} */ column, /** @type {string} */ text) => label(column + 0.5, 8.28, text);
  const [fileXY, rankXY] = [squareToXY(`${file}1`, orientation), squareToXY(`a${rank}`, orientation)];
  if (orientation.view === 'upright') return [below(fileXY.x, file), left(rankXY.y, rank)];
  return [left(fileXY.y, file), below(rankXY.x, rank)];
}

/** @param {number} x @param {number} y @param {string} text */
function label(x, y, text, anchor = 'middle') {
  const element = s('text', { x, y, 'text-anchor': anchor, class: 'label' });
  element.textContent = text;
  return element;
}

/** @param {string} tag */
function sideToMove(tag) {
  const side = sideOfTag(tag);
  const [fill, stroke] = side === 'g' ? ['#f0b63f', '#4b2e09'] : ['#eef3f8', '#24303d'];
  const disc = s('circle', { cx: 0.15, cy: 8.64, r: 0.12, fill, stroke, 'stroke-width': 0.04 });
  return [disc, label(0.38, 8.73, `${tag}: ${sideName(side)} to move`, 'start')];
}

/** @param {string} svg @returns {Promise<Blob>} */
export function svgToPng(svg) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The image could not be created.'));
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = PNG_WIDTH;
      canvas.height = (PNG_WIDTH * VIEW_BOX.height) / VIEW_BOX.width;
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : fail()));
    };
    image.onerror = fail;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
