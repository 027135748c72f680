// Reviewing games.
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
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      const pieces = await boardText(page);
      const rank8 = `8| ${[...pieces.slice(0, 8)].join(' ')} |`;
      assert.ok((await clipboard()).includes(`\n${rank8}\n`), rank8);
      await page.getByRole('button', { name: 'Copy compact position' }).click();
      await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('['));
      assert.equal(await clipboard(), `s [${pieces}]`);
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

  'review: the result is shown at the last turn as it was played only': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, `Gold: Ann\nSilver: Bob\n\n${RECORD} resigns`);
      const note = (text) => page.locator('.note', { hasText: text });
      await page.keyboard.press('ArrowDown');
      await note('Gold won by resignation.').waitFor();
      assert.equal(await page.locator('.panel .status').textContent(), 'Ann – Bob');
      await type(page, 'ed6s');
      await note('ed6s').waitFor();
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      await note('4g: Gold to move').waitFor();
      assert.equal(await page.locator('.panel .status').textContent(), 'Ann – Bob');
      await page.keyboard.press('ArrowLeft');
      await note('Gold won by resignation.').waitFor();
    }),

  'review: illegal typed steps are explained': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      await page.keyboard.press('ArrowDown');
      await page.locator('.note', { hasText: 'to move' }).waitFor();
      for (const [text, reason] of [
        ['ee3n', 'no piece'],
        ['rh7n', 'occupied'],
        ['nonsense', 'does not start with a piece'],
      ]) {
        await type(page, text);
        await page.locator('.note.error', { hasText: reason }).waitFor();
        assert.equal(await page.locator('#typed').inputValue(), text, 'it can be corrected');
        await page.fill('#typed', '');
      }
      await type(page, 'ed6s');
      await page.locator('.note:not(.error)', { hasText: 'ed6s' }).waitFor();
    }),

  'review: a game opens after its setups, with captured pieces and times': (browser) =>
    withPage(browser, async (page) => {
      await page.goto(`${new URL(page.url()).origin}/#/review`);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      const turns = ['2g Cc2n Cc3x (12.5s)', '2s ed7s (65s)', '3g Ee2n (7s)'];
      await page.fill('#record-text', ['# Surus tree 1', ...SETUPS, ...turns].join('\n'));
      await page.locator('dialog .button.main').click();
      await page.locator('.note', { hasText: '2g: Gold to move' }).waitFor();
      assert.deepEqual(await page.locator('.turns .used').allTextContents(), ['13 s', '1:05', '7.0 s']);
      const bars = () =>
        page
          .locator('.player-bar')
          .evaluateAll((all) =>
            all.map((bar) => [
              bar.querySelector('.captured-pieces')?.getAttribute('aria-label'),
              bar.querySelector('.time')?.textContent,
            ]),
          );
      assert.deepEqual(await bars(), [
        ['nothing captured', ''],
        ['nothing captured', ''],
      ]);
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await bars(), [
        ['captured: gold cat', '1:05 used'],
        ['nothing captured', '0:20 used'],
      ]);
      assert.equal(await page.locator('.player-bar .piece-icon').count(), 1);
    }),

  'review: replay has a speed': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      await page.getByLabel('Replay speed').selectOption('20x');
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press(' ');
      await page.waitForFunction(() => document.querySelector('.turns .current')?.textContent?.startsWith('3g'));
      await page.reload();
      await page.waitForSelector('.turns .turn');
      assert.equal(await page.getByLabel('Replay speed').inputValue(), '20x', 'it is stored');
    }),

  'review: readable games of a file are opened, the others listed': (browser) =>
    withPage(browser, async (page) => {
      await page.goto(`${new URL(page.url()).origin}/#/review`);
      const open = async (text) => {
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await page.fill('#record-text', text);
        await page.locator('dialog .button.main').click();
      };
      await open(`${RECORD}\n\n1g Ra1 Xa2\n\n1w Ca1 Rd2\n1b ra5\n2w pass\n2b ra5s`);
      const failures = page.locator('.failures li');
      await failures.waitFor();
      assert.match(await failures.textContent(), /^Game 2: Line 8: 1g: .*Xa2.*expected/);
      assert.equal(await page.locator('.choose button').count(), 2);
      await page.locator('.choose button').last().click();
      // A puzzle starts with a pass if silver is to move.
      await page.locator('.note', { hasText: '2s: Silver to move' }).waitFor();
      assert.equal(await page.locator('.board-layout .piece').count(), 3);
      assert.match(await page.locator('.turns').textContent(), /2s\s*ra5s/);
      await open('1g Ra1 Xa2');
      await page.locator('dialog .error', { hasText: 'line 1: 1g: ' }).waitFor();
    }),

  'review: a game is played on with its turns and by the side to move': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      for (let turns = 0; turns < 3; turns++) await page.keyboard.press('ArrowRight');
      await page.locator('.note', { hasText: '2s: Silver to move' }).waitFor();
      await page.getByRole('button', { name: 'Play on' }).click();
      await page.getByRole('heading', { name: 'Play on at 2s' }).waitFor();
      assert.ok(await page.getByRole('radio', { name: 'Silver' }).isChecked());
      await page.getByText('Engine and options').click();
      await page.locator('#engine').selectOption('random');
      await page.click('#start-game');
      await page.waitForURL(/#\/game\//);
      const state = await waitForServerState(page);
      assert.deepEqual(
        state.turns.map(({ tag, text }) => `${tag} ${text}`),
        RECORD.split('\n').slice(0, 3),
      );
      assert.deepEqual([state.config.silver.kind, state.config.gold.kind], ['human', 'engine']);
      assert.equal(state.engine_to_move, false);
    }),

  'review: an exported picture has coordinates and the side to move': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Share' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as SVG' }).click(),
      ]);
      const chunks = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      const svg = Buffer.concat(chunks).toString();
      const labels = [...svg.matchAll(/class="label">([^<]*)</g)].map(([, text]) => text);
      assert.deepEqual([...labels].sort(), [...'12345678', '3s: Silver to move', ...'abcdefgh'].sort());
    }),
};
