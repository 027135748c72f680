// The accuracies of both players, with buttons that go to their mistakes.

import { sideName } from '../model/notation.js';
import { fill, h } from '../ui/dom.js';
import { sideDisc } from '../ui/side_disc.js';

/** @import {GameReport, JudgedTurn, PlayerReport} from '../api.js' */

/** @type {[NonNullable<JudgedTurn['verdict']>, 'inaccuracies' | 'mistakes' | 'blunders', string][]} */
const VERDICTS = [
  ['inaccuracy', 'inaccuracies', 'Inaccuracies'],
  ['mistake', 'mistakes', 'Mistakes'],
  ['blunder', 'blunders', 'Blunders'],
];

/** The next turn with a verdict after the shown one, or else the first. @param {JudgedTurn[]} turns @param {number} played @returns {JudgedTurn | undefined} */
export function nextTurn(turns, played) {
  return turns.find((turn) => turn.played >= played) ?? turns[0];
}

/**
 * @param {HTMLElement} element
 * @param {GameReport} report
 * @param {{names: {g: string, s: string}, played: () => number, onSelect: (played: number) => void}} options `played` is
 * the number of turns before the shown position
 */
export function showReport(element, report, { names, played, onSelect }) {
  const row = (/** @type {'g' | 's'} */ side, /** @type {PlayerReport} */ player) => {
    const cells = VERDICTS.map(([verdict, key, label]) => {
      const turns = report.turns.filter((turn) => turn.side === side && turn.verdict === verdict);
      const attributes = {
        type: 'button',
        class: `count ${verdict}`,
        disabled: turns.length === 0,
        'aria-label': `${label} of ${sideName(side)}: ${player[key]}`,
        onclick: () => {
          const next = nextTurn(turns, played());
          if (next) onSelect(next.played + 1);
        },
      };
      return h('td', {}, h('button', attributes, String(player[key])));
    });
    const accuracy = player.accuracy === null ? '–' : `${Math.round(player.accuracy)} %`;
    const name = h('th', { scope: 'row' }, sideDisc(side), names[side] || sideName(side));
    return h('tr', {}, name, h('td', { class: 'accuracy' }, accuracy), ...cells);
  };
  const head = ['', 'Accuracy', ...VERDICTS.map(([, , label]) => label)];
  fill(
    element,
    h('thead', {}, h('tr', {}, ...head.map((label) => (label ? h('th', { scope: 'col' }, label) : h('td', {}))))),
    h('tbody', {}, row('g', report.gold), row('s', report.silver)),
  );
}
