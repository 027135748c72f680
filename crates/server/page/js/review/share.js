// The dialog for sharing a game or a position.

import { formatBoard, formatDiagram, sideOfTag } from '../model/notation.js';
import { dialog, showError } from '../ui/dialog.js';
import { button, h } from '../ui/dom.js';
import { boardSvg, svgToPng } from './board_image.js';
import { copyText, downloadFile } from './files.js';
import { formatQuery } from './url.js';

/** @import {BoardState} from '../board/state.js' */
/** @import {ReviewState} from './state.js' */

/** @param {ReviewState} state @param {BoardState} board */
export function shareDialog(state, board) {
  const { tree, current } = state;
  const side = sideOfTag(state.tag());
  const svg = () => boardSvg(board.pieces, state.shapes(), board, state.tag());
  const copyLink = async () => copyText(`${location.origin}/#/review?${await formatQuery(state)}`, 'Link');
  const copyPosition = () => copyText(formatDiagram(board.pieces, state.tag()), 'Position');
  const copyCompact = () => copyText(`${side} [${formatBoard(board.pieces)}]`, 'Position');
  const downloadPng = () =>
    svgToPng(svg())
      .then((png) => downloadFile('surus.png', png))
      .catch(showError);
  const downloadSvg = () => downloadFile('surus.svg', new Blob([svg()], { type: 'image/svg+xml' }));
  dialog('Share', [
    h(
      'div',
      { class: 'grid' },
      button('Copy link', copyLink),
      button('Copy position', copyPosition, { title: 'As a diagram' }),
      button('Copy compact position', copyCompact, { title: 'In one line, as for AEI' }),
      button('Copy record', () => copyText(tree.record(), 'Record')),
      button('Copy record so far', () => copyText(tree.record(current), 'Record')),
      button('Save record', () => downloadFile('surus.txt', `${tree.record()}\n`)),
      button('Save tree', () => downloadFile('surus-tree.txt', `${tree.format()}\n`), { title: 'With variations' }),
      button('Save as SVG', downloadSvg),
      button('Save as PNG', downloadPng),
    ),
  ]);
}
