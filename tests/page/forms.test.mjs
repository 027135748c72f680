import assert from 'node:assert/strict';
import { test } from 'node:test';
import { materialOf, patternSquares, togglePattern } from '../../crates/server/page/js/archive/pattern.js';
import { setupRows } from '../../crates/server/page/js/archive/score.js';
import { parseBoard, STANDARD_BOARD } from '../../crates/server/page/js/model/notation.js';
import { playerName } from '../../crates/server/page/js/model/players.js';
import { formatClock, formatDuration, timeControlWords } from '../../crates/server/page/js/model/time.js';
import { levelResults } from '../../crates/server/page/js/play/engine_fields.js';
import { engineText, gameConfig, initialForm } from '../../crates/server/page/js/play/game_config.js';
import { SetupDraft } from '../../crates/server/page/js/play/setup_draft.js';
import { lastUnfinished } from '../../crates/server/page/js/play/unfinished.js';
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
  const line = { start, rules: '', turns: ['Ee2n'], steps: '' };
  const continued = gameConfig(form, 's', line);
  assert.deepEqual([continued.handicap, continued.turns, continued.start], [{ gold: '', silver: '' }, ['Ee2n'], start]);
  const named = gameConfig({ ...form, names: { you: ' Ann ', gold: 'G', silver: 'S' } }, 'g', null);
  assert.equal(named.gold.name, 'Ann');
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
  assert.equal(playerName(ENGINE, 'g'), 'Surus, level 3');
  assert.deepEqual([playerName(HUMAN, 's'), playerName({ ...HUMAN, name: 'Ann' }, 's')], ['Silver', 'Ann']);
  assert.deepEqual([asSentence('no move'), asSentence('Done.'), asSentence('')], ['No move.', 'Done.', '']);
});

test('clocks are explained in words', () => {
  assert.deepEqual(timeControlWords('2m/2m/100/10m/8h'), {
    short: '2 minutes a turn, and 2 minutes in reserve',
    details: [
      'Unused time is added to the reserve, up to 10 minutes.',
      'After 8 hours the side with more pieces wins.',
    ],
  });
  const lightning = timeControlWords('15s/2m30s/100/0/1h/2m30s');
  assert.equal(lightning.short, '15 seconds a turn, and 2 minutes 30 seconds in reserve');
  assert.ok(lightning.details.includes('A turn takes at most 2 minutes 30 seconds.'));
  assert.deepEqual(timeControlWords('1d/0/0'), { short: '1 day a turn', details: [] });
  assert.equal(timeControlWords('1m/0/50/0/30t').details[0], '50 % of the unused time is added to the reserve.');
  assert.equal(timeControlWords('1m/0/0/0/30t').details[0], 'After 30 turns the side with more pieces wins.');
  assert.deepEqual([300, 12_300, 65_000].map(formatDuration), ['0.3 s', '12 s', '1:05']);
});

test('the results against a level include its other options', () => {
  const results = [
    { engine: 'alphabeta:level=3', won: 2, lost: 1, drawn: 0 },
    { engine: 'alphabeta:threads=2,level=3', won: 0, lost: 4, drawn: 1 },
    { engine: 'alphabeta:level=30', won: 9, lost: 9, drawn: 9 },
    { engine: 'mcts:level=3', won: 9, lost: 9, drawn: 9 },
  ];
  assert.equal(levelResults(results, 'alphabeta', '3'), 'Your results: 2 won, 5 lost, 1 drawn.');
  assert.match(levelResults(results, 'alphabeta', '4'), /not finished/);
});

test('the last game that a person has begun is offered', () => {
  const [human, engine] = [HUMAN, ENGINE];
  const listed = (overrides) => ({
    type: 'game',
    id: 'x',
    gold: human,
    silver: engine,
    board: 'R',
    end: null,
    ...overrides,
  });
  const games = [
    { type: 'unreadable', id: 'a' },
    listed({ id: 'over', end: { winner: 'g' } }),
    listed({ id: 'engines', gold: engine }),
    listed({ id: 'empty', board: ' '.repeat(64) }),
    listed({ id: 'yes' }),
    listed({ id: 'older' }),
  ];
  assert.equal(lastUnfinished(games)?.id, 'yes');
  assert.equal(lastUnfinished(games.slice(0, 4)), null);
});
