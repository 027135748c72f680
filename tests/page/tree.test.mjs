import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree } from '../../crates/server/page/js/model/tree.js';
import { compact, game, turn } from './helpers.mjs';

const START = compact('Ee2', 'Ma2', 'ed7');

/** 2g Ee2n 2s ed7s 3g Ee3n, with the variation 2g Ma2n 2s ed7w. */
function sampleTree() {
  const tree = new Tree(START, '2g');
  const main = tree.add(tree.root, '2g', turn('Ee2n'));
  const reply = tree.add(main, '2s', turn('ed7s'));
  const last = tree.add(reply, '3g', turn('Ee3n'));
  const variation = tree.add(tree.root, '2g', turn('Ma2n'));
  const variationReply = tree.add(variation, '2s', turn('ed7w'));
  return { tree, main, reply, last, variation, variationReply };
}

test('adding an existing turn returns its node', () => {
  const { tree, main } = sampleTree();
  assert.equal(tree.add(tree.root, '2g', turn('Ee2n')), main);
  assert.equal(tree.root.children.length, 2);
});

test('nodes have the board after their turn', () => {
  const { last, variation } = sampleTree();
  assert.deepEqual(last.board, { e4: 'E', a2: 'M', d6: 'e' });
  assert.deepEqual(variation.board, { e2: 'E', a3: 'M', d7: 'e' });
});

test('preorder is the order of the text', () => {
  const { tree, main, reply, last, variation, variationReply } = sampleTree();
  assert.deepEqual(tree.preorder(), [tree.root, main, variation, variationReply, reply, last]);
  assert.deepEqual(tree.mainLine(), [main, reply, last]);
});

test('promoting a variation makes it the main line', () => {
  const { tree, variation, variationReply } = sampleTree();
  tree.promote(variationReply);
  assert.deepEqual(tree.mainLine(), [variation, variationReply]);
});

test('removing a node returns its parent', () => {
  const { tree, main, reply } = sampleTree();
  assert.equal(tree.remove(reply), main);
  assert.deepEqual(main.children, []);
  assert.equal(tree.remove(tree.root), tree.root);
});

test('lines and records', () => {
  const { tree, variationReply } = sampleTree();
  assert.deepEqual(tree.line(variationReply, 'Ee2n'), {
    start: { board: START, tag: '2g' },
    steps_left: null,
    rules: 'official',
    turns: ['Ma2n', 'ed7w'],
    steps: 'Ee2n',
  });
  assert.equal(tree.record(), '2g Ee2n\n2s ed7s\n3g Ee3n');
  assert.equal(tree.record(variationReply), '2g Ma2n\n2s ed7w');
});

test('trees are written with variations and annotations', () => {
  const { tree, main, variation } = sampleTree();
  tree.gold = 'Ann';
  Object.assign(main, { glyph: '!?', elapsed_ms: 12_500, shapes: ['g:e2e4'], comment: 'say "hi"\nthere' });
  variation.comment = 'also good';
  assert.equal(
    tree.format(),
    [
      '# Surus tree 1',
      '# gold: Ann',
      `position 2g [${START}]`,
      '2g Ee2n !? (12.5s) {g:e2e4} "say \\"hi\\"\\nthere"',
      '[ 2g Ma2n "also good"',
      '2s ed7w',
      ']',
      '2s ed7s',
      '3g Ee3n',
    ].join('\n'),
  );
});

test('parsed games keep their structure', () => {
  const annotations = { elapsed_ms: null, comment: '', glyph: '', shapes: [] };
  const nodes = [
    { parent: null, tag: '2g', ...turn('Ee2n'), ...annotations, glyph: '!' },
    { parent: null, tag: '2g', ...turn('Ma2n'), ...annotations },
    { parent: 0, tag: '2s', ...turn('ed7s'), ...annotations },
  ];
  const names = { title: 'T', gold: 'A', silver: 'B', rules: 'official' };
  const tree = Tree.fromParsed({ ...names, start: { board: START, tag: '2g' }, nodes, end: null, error: null });
  assert.equal(tree.record(), '2g Ee2n\n2s ed7s');
  assert.deepEqual([tree.title, tree.root.children.length, tree.root.children[0].glyph], ['T', 2, '!']);
});

test('played games keep times and names', () => {
  const turns = [{ tag: '2g', ...turn('Ee2n'), elapsed_ms: 1500 }];
  const tree = Tree.fromGame(game({ turns }));
  assert.equal(tree.root.children[0].elapsed_ms, 1500);
  assert.equal(tree.silver, 'Surus, level 3');
});

test('the result belongs to the last turn as it was played, not to a variation', () => {
  const annotations = { elapsed_ms: null, comment: '', glyph: '', shapes: [] };
  const nodes = [{ parent: null, tag: '2g', ...turn('Ee2n'), ...annotations }];
  const names = { title: '', gold: '', silver: '', rules: 'official', error: null };
  const end = { winner: 'g', reason: 'resignation', code: 'r' };
  const tree = Tree.fromParsed({ ...names, start: { board: START, tag: '2g' }, nodes, end });
  const [played] = tree.root.children;
  assert.equal(tree.endNode, played);
  tree.add(played, '2s', turn('ed7s'));
  tree.promote(tree.add(tree.root, '2g', turn('Ma2n')));
  assert.equal(tree.endNode, played);
});
