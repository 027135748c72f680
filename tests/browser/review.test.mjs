// Reviewing games, and explanations.
import assert from 'node:assert/strict';
import { drag, openRecord, SETUPS, type, withPage } from './fixture.mjs';
import { boardText, waitForServerState } from './game.mjs';

const RECORD = [...SETUPS, '2g Ee2n Ee3n Ee4n Md2n', '2s ed7s hb7s hb6s', '3g Ee5e Ef5e', '3s'].join('\n');

const currentTurn = (page) => page.locator('.turns .current').textContent();
const boardIs = (page, board) =>
  page.waitForFunction((expected) => document.querySelector('.board-layout')?.dataset.board === expected, board);

async function boardAfter(page, turns, steps = '') {
  const line = { turns: turns.map((turn) => turn.slice(3)), steps };
  const response = await fetch(new URL('/api/v1/position', page.url()), { method: 'POST', body: JSON.stringify(line) });
  return (await response.json()).board;
}

export const tests = {
  'review: steps through a record by turns and by steps': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      const lines = RECORD.split('\n');
      for (let turns = 1; turns <= 5; turns++) {
        await page.keyboard.press('ArrowRight');
        await boardIs(page, await boardAfter(page, lines.slice(0, turns)));
        assert.equal(await boardText(page), await boardAfter(page, lines.slice(0, turns)));
      }
      await page.keyboard.press('Control+ArrowLeft');
      await boardIs(page, await boardAfter(page, lines.slice(0, 4), 'Ee5e'));
      await page.keyboard.press('ArrowUp');
      await page.waitForFunction(() => !document.querySelector('.turns .current'));
      await page.keyboard.press('ArrowDown');
      assert.match(await currentTurn(page), /3g/);
      await page.keyboard.press('k');
      assert.match(await currentTurn(page), /2s/);
    }),

  'review: variations are added, annotated, linked, promoted and deleted': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
      await drag(page, 'd2', 'd4');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('Md2nn'));
      await page.keyboard.press('Enter');
      await page.waitForSelector('.branch .current');
      await page.keyboard.press('1');
      await page.keyboard.press('c');
      await page.keyboard.type('quiet and "good"');
      await page.keyboard.press('Escape');
      await drag(page, 'd4', 'd6', 'right');
      await page.waitForSelector('.shapes .arrow');
      await page.waitForTimeout(300);
      const link = page.url();
      await page.goto('about:blank');
      await page.goto(link);
      await page.waitForSelector('.branch .current');
      assert.match(await page.locator('.branch').first().textContent(), /Md2nn!quiet and "good"/);
      assert.equal(await page.locator('.shapes .arrow').count(), 1);
      await page.getByText('Comment and annotations').click();
      await page.getByRole('button', { name: 'Promote' }).click();
      await page.waitForFunction(
        () => !document.querySelector('.branch .current') && document.querySelector('.turns .current'),
      );
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.waitForFunction(() => !document.querySelector('.branch'));
      assert.equal(await page.locator('.turns .turn').count(), 5);
    }),

  'review: records are shared as text and images': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Copy record', exact: true }).click();
      await page.waitForSelector('.toast');
      assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        RECORD.split('\n').slice(0, 5).join('\n'),
      );
      await page.getByRole('button', { name: 'Copy position' }).click();
      await page.waitForFunction(() => document.querySelector('.toast')?.textContent === 'Position copied');
      const position = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(position, `s [${await boardText(page)}]`);
      for (const [name, head] of [
        ['Save as PNG', '\x89PNG'],
        ['Save as SVG', '<svg'],
        ['Save tree', '# Surus tree 1'],
      ]) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name }).click(),
        ]);
        const chunks = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk);
        assert.equal(Buffer.concat(chunks).subarray(0, head.length).toString('latin1'), head);
      }
    }),

  'review: bands show the phase of each turn and go to it': (browser) =>
    withPage(browser, async (page) => {
      // Gold's rabbit has no goal in four steps yet; after two steps it has one.
      const rows = [' rrrrrrr', '  hdcem ', '        ', '        ', '        ', 'R       ', '  HDCEM ', ' RRRRRR '];
      const position = `g [${rows.join('')}]`;
      await page.goto(`${new URL(page.url()).origin}/#/review?text=${encodeURIComponent(position)}`);
      const band = (phase) => page.locator(`.phase-bands .band.${phase}`);
      await band('middlegame').waitFor();
      assert.equal(await band('middlegame').getAttribute('aria-label'), 'Middlegame: turn 2g');
      await type(page, 'Ra3nn');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('Ra3nn'));
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      await band('endgame').waitFor();
      assert.equal(await band('endgame').getAttribute('aria-label'), 'Endgame: turn 2s');
      assert.equal(await band('endgame').getAttribute('aria-current'), 'true');
      assert.equal(await page.locator('.phase-bands .band').count(), 2);
      assert.match(await page.locator('.phase-bands .legend').textContent(), /Opening\s*Middlegame\s*Endgame/);
      await band('middlegame').click();
      await boardIs(page, rows.join(''));
      await page.waitForSelector('.phase-bands .band.middlegame[aria-current]');
      assert.equal(await page.locator('.phase-bands .band[aria-current]').count(), 1);
      assert.equal(await page.locator('.phase-bands .band[tabindex="0"]').count(), 1);
    }),

  'review: a record has no bands before its setups': (browser) =>
    withPage(browser, async (page) => {
      await page.goto(`${new URL(page.url()).origin}/#/review`);
      await openRecord(page, RECORD);
      await page.locator('.phase-bands .band.opening').waitFor();
      assert.equal(await page.locator('.phase-bands .marker').isVisible(), false);
      await page.locator('.phase-bands .band.opening').click();
      await page.waitForFunction(() => document.querySelector('.turns .current')?.textContent?.startsWith('1s'));
      assert.equal(await page.locator('.phase-bands .marker').isVisible(), true);
    }),

  'explanation: draws the zones of threats in a review': (browser) =>
    withPage(browser, async (page) => {
      const position = 's [       r     h      H     d            E    C  h    c        R  ]';
      await page.goto(`${new URL(page.url()).origin}/#/review?text=${encodeURIComponent(position)}`);
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
      await page.getByRole('button', { name: 'Explain', exact: true }).click();
      const threat = page.locator('.remark', { hasText: 'push the horse from h3 through g3 into the trap on f3' });
      await threat.waitFor();
      assert.match(await threat.textContent(), /silver can guard f3 with the cat from e2/);
      await threat.click();
      await page.waitForSelector('.zone .trajectory.victim[data-path="h3-g3-f3"]');
      assert.equal(await page.locator('.zone .trajectory.attack[data-path="h4-h3"]').count(), 1);
      assert.equal(await page.locator('.zone .trajectory.intercept[data-path="e2-f2"] circle').count(), 1);
      const dog = page.locator('.remark', { hasText: 'push the dog from c5 into the trap on c6' });
      await dog.click();
      await page.waitForSelector('.zone .trajectory.attack[data-path="e6-e5-d5-c5"]');
      assert.equal(await page.locator('.zone .trajectory.victim[data-path="h3-g3-f3"]').count(), 0);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.querySelectorAll('.zone .trajectory').length === 0);
      assert.equal(await page.locator('.explanation').isVisible(), false);
      await type(page, 'ce2e');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('ce2e'));
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      await page.waitForSelector('.turns .current');
      await page.keyboard.press('w');
      await page
        .locator('.remark', { hasText: 'It saves the horse that gold could have captured from h3 on f3' })
        .waitFor();
      const left = page.locator('.remark', { hasText: 'It leaves the dog on c5' });
      await left.click();
      await page.waitForSelector('.zone .trajectory.attack[data-path="e6-e5-d5-c5"]');
    }),

  "explanation: explains the engine's turn and closes when the game continues": (browser) =>
    withPage(browser, async (page, box) => {
      const board = '       r     h      H     d            E    C  h    c        R  ';
      const terms = {
        gold: { kind: 'engine', name: 'greedy', seconds: 1 },
        silver: { kind: 'human' },
        start: { board, tag: '2g' },
      };
      const made = await fetch(new URL('/api/v1/games', box.server.address), {
        method: 'POST',
        body: JSON.stringify(terms),
      });
      await page.goto(`${box.server.address}#/game/${(await made.json()).id}`);
      await page.waitForSelector('.turns .turn.gold');
      const state = await waitForServerState(page);
      assert.equal(state.turns.length, 1);
      await page.getByRole('button', { name: 'Explain', exact: true }).click();
      const taken = page.locator('.remark.capture');
      await taken.waitFor();
      assert.match(await taken.textContent(), /It captures the horse from h3 on f3/);
      await taken.click();
      // The zone of a capture belongs to the board before it: the horse is on h3 again.
      await page.waitForSelector('.zone .trajectory.victim[data-path="h3-g3-f3"]');
      assert.equal(await boardText(page), board);
      await page.keyboard.press('w');
      await page.waitForFunction(() => document.querySelectorAll('.zone .trajectory').length === 0);
      assert.equal(await boardText(page), state.position.board);
      await page.keyboard.press('w');
      await page.waitForSelector('.explanation .remark');
      await type(page, 'rh8s');
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector('.explanation')).hidden);
      await waitForServerState(page, state.version);
    }),
};
