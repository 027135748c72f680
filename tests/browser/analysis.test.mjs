// The engine, the views of a position, the analysis of a game, and the position editor. Searches have a fixed number of
// nodes, so that the answers repeat.
import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drag, openRecord, SETUPS, type, withPage } from './fixture.mjs';
import { api, boardText, squareCenter } from './game.mjs';
import { program } from './harness.mjs';

const RECORD = [
  ...SETUPS,
  '2g Ee2n Ee3n Ee4n Md2n',
  '2s ed7s hb7s hb6s hg7s',
  '3g Ee5e Ef5e Md3n Md4n',
  '3s ed6e ee6s hb5s',
  '4g Rh2n Rh3n Rh4n Rh5n',
].join('\n');

/** Gold to move can capture the dog on c5, and silver threatens to capture the horse. */
const TACTICAL = 'g [       r     h      H     d   R        E    C  h    c        R  ]';

const SETTINGS = { enabled: false, lines: 1, threads: 1, hash: 16, nodes: 4000, gameNodes: 2000 };

/** A page whose searches are limited. */
const withLimits = (browser, test, { settings: changed = {}, ...options } = {}) =>
  withPage(
    browser,
    async (page, box, data) => {
      const settings = JSON.stringify({ ...SETTINGS, ...changed });
      await page.evaluate((value) => localStorage.setItem('surus.analysis', value), settings);
      await page.reload();
      await test(page, box, data);
    },
    options,
  );

const waitForDone = (page) => page.waitForSelector('.engine[data-state=done]');
const lines = (page) => page.locator('.pv-lines li').allTextContents();

/** Waits until the engine has finished with another position than before. */
async function settled(page, act) {
  await page.evaluate(() => {
    document.querySelector('.engine').dataset.state = 'left';
  });
  await act();
  await waitForDone(page);
}

async function open(page, record = RECORD, turns = 3) {
  await openRecord(page, record);
  for (let n = 0; n < turns; n++) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
}

async function openPosition(page, text) {
  await page.goto(`${new URL(page.url()).origin}/#/review?text=${encodeURIComponent(text)}`);
  await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
}

/** The numbers of the arrows with their squares, from the board. */
const arrows = (page) =>
  page.locator('.hint-arrow').evaluateAll((all) => all.map((one) => `${one.dataset.from}${one.dataset.to}`));

export const tests = {
  'analysis: the engine shows lines and arrows, follows the position, and repeats its answers': (browser) =>
    withLimits(browser, async (page) => {
      await open(page);
      assert.equal(await page.locator('.win-bar').isVisible(), false);
      await settled(page, () => page.keyboard.press('l'));
      const first = await lines(page);
      assert.equal(first.length, 1);
      assert.match(first[0], /^[+−]\d\.\d\d2s /);
      assert.match(await page.locator('.engine-progress').textContent(), /^depth \d+ · [\d.]+ k nodes/);
      assert.ok(await page.locator('.win-bar').isVisible());
      const best = await page.locator('.pv-turn').first().textContent();
      const steps = best
        .split(' ')
        .slice(1)
        .filter((word) => !word.endsWith('x'));
      const count = steps.reduce((sum, word) => sum + word.length - 3, 0);
      assert.equal((await arrows(page)).length, count, best);
      assert.deepEqual(await page.locator('.hint-number text').first().textContent(), '1');
      await settled(page, () => page.keyboard.press('ArrowRight'));
      assert.match((await lines(page))[0], /3g /);
      assert.notDeepEqual(await lines(page), first);
      await settled(page, () => page.keyboard.press('ArrowLeft'));
      assert.deepEqual(await lines(page), first);
      assert.match(await page.locator('.engine-progress').textContent(), /known$/);
      const bar = (name) =>
        page.locator('.win-bar').evaluate((element, name) => element.classList.contains(name), name);
      assert.equal(await bar('flipped'), false);
      await page.keyboard.press('f');
      assert.ok(await bar('flipped'), 'the bar turns with the board');
      await page.keyboard.press('l');
      assert.deepEqual(await lines(page), []);
      assert.deepEqual(await arrows(page), []);
      assert.equal((await api(page, '/stats')).analyses, 0);
    }),

  'analysis: one to five lines differ, are previewed and added to the tree': (browser) =>
    withLimits(browser, async (page) => {
      await open(page);
      await settled(page, () => page.keyboard.press('l'));
      await page.locator('.engine-options summary').click();
      await settled(page, () => page.locator('#engine-lines').selectOption('5'));
      const starts = await page.locator('.pv-lines li .pv-turn:first-child').allTextContents();
      assert.equal(new Set(starts).size, 5, starts.join('; '));
      await page.mouse.move(5, 5);
      await page.waitForFunction(() => document.querySelectorAll('.hint-arrow').length > 0);
      const before = await boardText(page);
      await page.locator('.pv-lines li').nth(2).locator('.pv-turn').first().hover();
      await page.waitForFunction(() => document.querySelectorAll('.hint-arrow').length === 0);
      assert.notEqual(await boardText(page), before);
      await page.mouse.move(5, 5);
      await page.waitForFunction(() => document.querySelectorAll('.hint-arrow').length > 0);
      assert.equal(await boardText(page), before);
      const turns = await page.locator('.turns .turn').count();
      const third = page.locator('.pv-lines li').nth(2).locator('.pv-turn');
      const clicked = Math.min(1, (await third.count()) - 1);
      await settled(page, () => third.nth(clicked).click());
      assert.equal(await page.locator('.turns .turn').count(), turns + clicked + 1);
      assert.equal(await page.locator('.branch .turn').count(), clicked + 1);
    }),

  'analysis: works in mid-turn, and space plays the best turn': (browser) =>
    withLimits(browser, async (page) => {
      await open(page, RECORD, 4);
      await settled(page, () => page.getByRole('button', { name: 'Engine', exact: true }).click());
      const isReleased = await page.evaluate(() => document.activeElement === document.body);
      assert.ok(isReleased, 'Space would press the switch again');
      await settled(page, () => type(page, 'Md3n'));
      const rest = await page.locator('.pv-turn').first().textContent();
      await page.keyboard.press('Escape');
      await page.evaluate(() => document.activeElement?.blur());
      await settled(page, () => page.keyboard.press(' '));
      const current = await page.locator('.turns .current').textContent();
      assert.match(current, /^3gMd3n/);
      assert.ok(rest.startsWith('3g '), rest);
      assert.match((await lines(page))[0], /3s /);
      assert.equal(await page.locator('.branch .turn').count(), 1);
      // The steps of a turn of the game.
      await page.keyboard.press('ArrowUp');
      for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
      await settled(page, () => page.keyboard.press('Control+ArrowRight'));
      assert.match((await lines(page))[0], /3g /);
    }),

  'analysis: nothing to analyse before the setups and at the end is said': (browser) =>
    withLimits(browser, async (page) => {
      await openRecord(page, RECORD);
      await page.keyboard.press('l');
      await page.getByText('There is nothing to analyse yet: gold has not set up its pieces.').waitFor();
      assert.equal(await page.locator('.engine-error').isVisible(), false);
      const end = 'g [r                R                  e               E           ]';
      await openPosition(page, end);
      await waitForDone(page);
      assert.match((await lines(page))[0], /^G#1/);
      await settled(page, async () => {
        await page.locator('.pv-turn').first().click();
        await page.getByText('There is nothing to analyse: the game is over.').waitFor();
        await page.keyboard.press('ArrowLeft');
      });
    }),

  'analysis: an engine that dies is shown, and restarted on request': async (browser) => {
    const script = (data) => {
      const file = join(data, 'dying.sh');
      // Dies in its first search, as long as the file exists.
      const source = `#!/bin/sh
if [ -e '${data}/die' ]; then
  sed -u -e '/^go/q' | '${program}' aei --engine greedy | sed -u -e '/^bestmove/d'
  exit 3
fi
exec '${program}' aei --engine greedy
`;
      writeFileSync(file, source);
      writeFileSync(join(data, 'die'), '');
      chmodSync(file, 0o755);
    };
    let dir = '';
    const prepare = (data) => {
      dir = data;
      script(data);
    };
    const serverArgs = () => ['--analysis-engine', `cmd=${join(dir, 'dying.sh')}`];
    await withLimits(
      browser,
      async (page) => {
        await open(page);
        await page.keyboard.press('l');
        const error = page.locator('.engine-error');
        await error.waitFor();
        assert.match(await error.textContent(), /^The engine dying\.sh failed: /);
        rmSync(join(dir, 'die'));
        await page.getByRole('button', { name: 'Restart engine' }).click();
        await error.waitFor({ state: 'hidden' });
        await page.waitForFunction(() => document.querySelector('.engine')?.dataset.state === 'done');
      },
      { prepare, serverArgs },
    );
  },

  'analysis: a game is analysed in the background, with graph, verdicts and accuracies': (browser) =>
    withLimits(browser, async (page) => {
      await open(page);
      await page.getByRole('button', { name: 'Analyse game' }).click();
      await page.waitForSelector('.game-analysis[data-analysed=done]');
      const cells = await page.locator('.report tbody td.accuracy').allTextContents();
      assert.equal(cells.length, 2);
      for (const cell of cells) assert.match(cell, /^\d+ %$/);
      assert.ok(await page.locator('.graph').isVisible());
      assert.equal(
        await page
          .locator('.graph')
          .getAttribute('aria-valuetext')
          .then((text) => text.slice(0, 4)),
        '2s: ',
      );
      // The bands of the phases are below, with the same columns.
      const [graph, bands] = [await page.locator('.graph').boundingBox(), await page.locator('.bands').boundingBox()];
      assert.deepEqual([graph.x, graph.width], [bands.x, bands.width]);
      assert.ok(bands.y >= graph.y + graph.height);
      // The rabbit that runs into the enemy is a bad turn.
      assert.match(await page.locator('.turns .turn', { hasText: '4g' }).textContent(), /\?/);
      assert.ok(await page.locator('.win-bar').isVisible(), 'the evaluation of the game, without the engine');
      await page.mouse.click(graph.x + graph.width - 3, graph.y + 20);
      await page.waitForFunction(() => document.querySelector('.turns .current')?.textContent?.startsWith('4g'));
      await page.mouse.click(graph.x + 3, graph.y + 20);
      await page.waitForFunction(() => document.querySelector('.turns .current')?.textContent?.startsWith('1s'));
      await page.locator('.graph').focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => document.querySelector('.turns .current')?.textContent?.startsWith('2g'));
      const blunders = page.locator('.report .count:not(:disabled)').first();
      await blunders.click();
      await page.waitForFunction(() => document.querySelector('.turns .current .verdict'));
    }),

  'analysis: the analysis of a game can be cancelled': (browser) =>
    withLimits(
      browser,
      async (page) => {
        await open(page);
        await page.getByRole('button', { name: 'Analyse game' }).click();
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Analyse game' }).waitFor();
        while ((await api(page, '/stats')).analyses !== 0) await page.waitForTimeout(20);
        assert.equal(await page.locator('.report').isVisible(), false);
      },
      { settings: { gameNodes: 5_000_000 } },
    ),

  'analysis: an analysis stops when its page is closed': (browser) =>
    withLimits(
      browser,
      async (page) => {
        await open(page);
        await page.keyboard.press('l');
        await page.waitForSelector('.pv-turn');
        assert.equal((await api(page, '/stats')).analyses, 1);
        for (const key of ['Left', 'Left', 'Right', 'Right', 'Right', 'Left']) await page.keyboard.press(`Arrow${key}`);
        await page.waitForFunction(() => document.querySelector('.pv-turn b')?.textContent === '2s');
        while ((await api(page, '/stats')).analyses !== 1) await page.waitForTimeout(20);
        await page.goto(`${new URL(page.url()).origin}/#/games`);
        while ((await api(page, '/stats')).analyses !== 0) await page.waitForTimeout(20);
        await page.goBack();
        await page.waitForSelector('.pv-turn');
        const address = page.url();
        await page.goto('about:blank');
        const stats = async () => (await fetch(new URL('/api/v1/stats', address))).json();
        while ((await stats()).analyses !== 0) await page.waitForTimeout(20);
      },
      { settings: { nodes: null } },
    ),

  'analysis: mistakes are played again until the turn is good': (browser) =>
    withLimits(browser, async (page) => {
      await open(page);
      await page.getByRole('button', { name: 'Analyse game' }).click();
      await page.waitForSelector('.game-analysis[data-analysed=done]');
      await page.getByRole('button', { name: /^Learn from Gold/ }).click();
      const text = page.locator('.learn-text');
      await text.waitFor();
      const [area, learn] = [
        await page.locator('.side-panels').boundingBox(),
        await page.locator('.learn').boundingBox(),
      ];
      assert.ok(learn.y >= area.y && learn.y + learn.height <= area.y + area.height + 1, 'the task is in view');
      while (!(await text.textContent()).includes('4g')) {
        await page.getByRole('button', { name: 'Next' }).click();
      }
      assert.match(await text.textContent(), /^Gold played 4g Rh2nnnn and lost \d+\s%\. Find a better turn\.$/);
      assert.equal(await page.locator('.study-toggles').isVisible(), false, 'nothing gives the turn away');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
      await type(page, 'Rh2nnnn');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('Rh2'));
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      await text.filter({ hasText: 'That is the turn of the game. Try another turn.' }).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
      await type(page, 'Hb2n');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('Hb2'));
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      await page.waitForFunction(() =>
        /wins with \d+\s% then/.test(document.querySelector('.learn-text')?.textContent ?? ''),
      );
      await page.getByRole('button', { name: 'Show solution' }).click();
      await text.filter({ hasText: /^The engine plays / }).waitFor();
      assert.match(await page.locator('.turns .current').textContent(), /^4g/);
      await page
        .getByRole('button', { name: /Finish|End/ })
        .first()
        .click();
      await page.locator('.learn').waitFor({ state: 'hidden' });
      assert.ok(await page.locator('.study-toggles').isVisible());
    }),

  'analysis: the threat is what the other side would do': (browser) =>
    withLimits(browser, async (page) => {
      await openPosition(page, TACTICAL.replace('g', 's'));
      await page.keyboard.press('x');
      await page.waitForSelector('section.threat[data-done=true]');
      assert.match(
        await page.locator('section.threat').textContent(),
        /^If it were to move, Gold would play .*\(.*\)\.$/,
      );
      assert.ok((await page.locator('.hint-arrow.threat').count()) > 0);
      await page.keyboard.press('x');
      assert.equal(await page.locator('.hint-arrow.threat').count(), 0);
    }),

  'analysis: tactics of both sides are listed and drawn': (browser) =>
    withLimits(browser, async (page) => {
      await openPosition(page, TACTICAL);
      await page.keyboard.press('t');
      const captures = page.locator('.tactics button.tactic');
      await captures.first().waitFor();
      assert.match(await captures.first().textContent(), /is lost in/);
      assert.ok((await page.locator('.tint').count()) > 0, 'traps are tinted');
      assert.ok((await page.locator('.hanging').count()) > 0, 'pieces that can be captured are marked');
      assert.ok((await page.locator('.hint-arrow.run').count()) > 0, 'the way of the rabbit is drawn');
      await captures.first().hover();
      await page.waitForSelector('.hint-arrow.tactic');
      await page.keyboard.press('t');
      assert.equal(await page.locator('.tint, .hanging, .hint-arrow').count(), 0);
    }),

  'analysis: the evaluation of both sides is broken down in words and numbers': (browser) =>
    withLimits(browser, async (page) => {
      await open(page, [...SETUPS, '2g'].join('\n'), 2);
      await page.keyboard.press('v');
      await page.waitForSelector('.evaluation tbody tr');
      const rows = await page.locator('.evaluation tbody tr').allTextContents();
      assert.equal(rows.length, 8);
      assert.ok(
        rows.some((row) => /^Material.*Even\./.test(row)),
        rows.join('; '),
      );
      await openPosition(page, 's [rrrrrrrrhdcemcd                                 HDCMECDHRRRRRRRR]');
      await page.keyboard.press('v');
      await page.getByText('Gold has more material.').waitFor();
      await page.getByText(/^Gold is ahead by/).waitFor();
    }),

  'editor: pieces are dragged on, moved, and dragged off': (browser) =>
    withPage(browser, async (page) => {
      await page.goto(`${new URL(page.url()).origin}/#/editor`);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('Gold has no rabbit and has lost.').waitFor();
      const palette = (name) => page.getByRole('button', { name: new RegExp(`^${name}`) });
      const drop = async (name, square) => {
        const box = await palette(name).boundingBox();
        const { x, y } = await squareCenter(page, square);
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(x, y, { steps: 4 });
        await page.mouse.up();
      };
      await drop('gold elephant', 'e4');
      await drop('gold rabbit', 'a1');
      await palette('silver rabbit').click();
      for (const square of ['h8', 'c6']) {
        const { x, y } = await squareCenter(page, square);
        await page.mouse.click(x, y);
      }
      await page.getByText('The silver rabbit on the trap c6 has no friendly piece next to it').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Analyse' }).isDisabled());
      await drag(page, 'c6', 'b6');
      await page.waitForFunction(() => !document.querySelector('.checks .error'));
      await page.getByText('Silver has no elephant.').waitFor();
      const { x, y } = await squareCenter(page, 'b6');
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(3, 3, { steps: 4 });
      await page.mouse.up();
      const expected = { h8: 'r', e4: 'E', a1: 'R' };
      const board = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) =>
        [...'abcdefgh'].map((file) => expected[file + rank] ?? ' '),
      );
      assert.equal(await boardText(page), board.join(''));
      assert.equal(await page.locator('#compact').inputValue(), `g [${board.join('')}]`);
      await page.getByRole('radio', { name: 'Silver' }).check();
      await page.reload();
      assert.equal(await page.locator('#compact').inputValue(), `s [${board.join('')}]`);
    }),

  'editor: a position is analysed with the steps that are left, or played': (browser) =>
    withLimits(browser, async (page) => {
      const origin = new URL(page.url()).origin;
      await page.goto(`${origin}/#/editor`);
      await page.fill('#compact', TACTICAL);
      await page.press('#compact', 'Enter');
      await page.waitForFunction(() => document.querySelector('.checks')?.dataset.checked?.startsWith('       r'));
      await page.getByRole('radio', { name: '1', exact: true }).check();
      await page.getByText('A turn with 1 step left can be analysed, but not played as a game.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Play' }).isDisabled());
      await page.getByRole('button', { name: 'Analyse' }).click();
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
      await settled(page, () => page.keyboard.press('l'));
      assert.equal((await arrows(page)).length, 1, 'one step is left');
      await page.reload();
      await waitForDone(page);
      assert.equal((await arrows(page)).length, 1);
      await page.getByRole('button', { name: 'Edit position' }).click();
      await page.waitForSelector('#compact');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForSelector('#start-game');
      assert.match(new URL(page.url()).hash, /^#\/play\?board=/);
    }),
};
