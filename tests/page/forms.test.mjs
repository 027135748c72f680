import assert from 'node:assert/strict';
import { test } from 'node:test';
import { materialOf, patternSquares, togglePattern } from '../../crates/server/page/js/archive/pattern.js';
import { setupRows } from '../../crates/server/page/js/archive/score.js';
import { parseBoard, STANDARD_BOARD } from '../../crates/server/page/js/model/notation.js';
import { playerName } from '../../crates/server/page/js/model/players.js';
import { engineText, gameConfig, initialForm } from '../../crates/server/page/js/play/game_config.js';
import { formatClock } from '../../crates/server/page/js/play/player_bar.js';
import { SetupDraft } from '../../crates/server/page/js/play/setup_draft.js';
import { asSentence } from '../../crates/server/page/js/ui/announce.js';
import { ENGINE, HUMAN } from './helpers.mjs';

const INFO = { default_engine: 'alphabeta', engines: [{ name: 'alphabeta' }, { name: 'greedy' }] };

test('the new game form restores stored values and unknown engines', () => {
  assert.equal(initialForm(INFO, null).engine, 'alphabeta');
  assert.equal(initialForm(INFO, { engine: 'greedy', side: 's' }).engine, 'greedy');
  assert.equal(initialForm(INFO, { engine: 'gone' }).engine, 'alphabeta');
});

test('the form describes the configuration of a game', () => {
  const form = { ...initialForm(INFO, null), options: { alphabeta: { level: '3', threads: '2' } }, gold: 'M' };
  assert.equal(engineText(form), 'alphabeta:level=3,threads=2');
  const config = gameConfig(form, 's', null);
  assert.deepEqual([config.gold.kind, config.silver.kind], ['engine', 'human']);
  assert.deepEqual(config.handicap, { gold: 'M', silver: '' });
  const start = { board: STANDARD_BOARD, tag: '2g' };
  assert.deepEqual(gameConfig(form, 's', start).handicap, { gold: '', silver: '' });
  const kinds = (opponent) => Object.values(gameConfig({ ...form, opponent }, 'g', null)).map((value) => value?.kind);
  assert.deepEqual(kinds('human').slice(0, 2), ['human', 'human']);
  assert.deepEqual(kinds('engines').slice(0, 2), ['engine', 'engine']);
});

test('setups are placed, mirrored and swapped', () => {
  const draft = new SetupDraft('g', '', () => {});
  draft.setRows('EMHHDDCCRRRRRRRR');
  assert.deepEqual([draft.pieces.a2, draft.pieces.h2, draft.pieces.a1], ['E', 'C', 'R']);
  draft.mirror();
  assert.equal(draft.rows(), 'CCDDHHMERRRRRRRR');
  draft.swap('h2', 'a1');
  assert.deepEqual([draft.pieces.h2, draft.pieces.a1], ['R', 'E']);
  draft.swap('a1', 'a8');
  assert.equal(draft.pieces.a1, 'E', 'squares outside of the home rows are ignored');
  draft.shuffle();
  assert.equal([...draft.rows()].sort().join(''), 'CCDDEHHMRRRRRRRR');
});

test('setups leave out the missing pieces', () => {
  const draft = new SetupDraft('s', 'MR', () => {});
  draft.setRows('EMHHDDCCRRRRRRRR');
  assert.deepEqual(
    [draft.pieces.a7, draft.pieces.b7, draft.pieces.a8, draft.pieces.b8],
    ['e', undefined, undefined, 'r'],
  );
  draft.mirror();
  assert.equal(draft.rows(), 'CCDDHH.ERRRRRRR.');
  assert.equal(draft.confirm().split(' ').length, 14);
});

test('patterns toggle squares', () => {
  assert.deepEqual(togglePattern('', 'e2', 'E'), { pattern: 'Ee2', added: true });
  assert.deepEqual(togglePattern('Ee2, .d5', 'e2', 'E'), { pattern: '.d5', added: false });
  assert.deepEqual(togglePattern('.d5', 'c3', undefined), { pattern: '.d5 .c3', added: true });
  assert.deepEqual(patternSquares('Ee2 .d5 Zz9 x'), ['e2', 'd5']);
  assert.equal(materialOf(parseBoard(STANDARD_BOARD)), 'EMHHDDCCRRRRRRRR emhhddccrrrrrrrr');
});

test('placements are shown as rows', () => {
  assert.deepEqual(setupRows('Ra1 Eh2'), ['.......E', 'R.......']);
  assert.deepEqual(setupRows('ra8 eh7'), ['.......e', 'r.......']);
});

test('clocks, names and sentences', () => {
  assert.deepEqual([0, 999, 61_000, 3_661_000].map(formatClock), ['0:00', '0:01', '1:01', '1:01:01']);
  assert.equal(playerName(ENGINE, 'g'), 'alphabeta, level 3');
  assert.deepEqual([playerName(HUMAN, 's'), playerName({ ...HUMAN, name: 'Ann' }, 's')], ['Silver', 'Ann']);
  assert.deepEqual([asSentence('no move'), asSentence('Done.'), asSentence('')], ['No move.', 'Done.', '']);
});
