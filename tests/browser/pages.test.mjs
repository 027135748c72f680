// The list of games, settings and accessibility.
import assert from 'node:assert/strict';
import { SETUPS, twoPlayerGame, type, withPage } from './fixture.mjs';
import { api, waitForServerState } from './game.mjs';
import { pageWeight, serve } from './harness.mjs';

/** The pages, with something that only one of them has. */
const PAGES = {
  play: '#start-game',
  review: '#typed',
  editor: '#compact',
  games: '.games',
  archive: '#squares',
};

export const tests = {
  'games: stored games are listed, opened, exported and deleted': (browser) =>
    withPage(browser, async (page) => {
      const state = await twoPlayerGame(page);
      await page.getByRole('link', { name: 'Games' }).click();
      await page.waitForSelector('.game');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      const chunks = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      assert.equal(Buffer.concat(chunks).toString(), `${SETUPS.join('\n')}\n2g\n`);
      await page.getByRole('link', { name: 'Resume' }).click();
      assert.equal((await waitForServerState(page)).id, state.id);
      await page.getByRole('link', { name: 'Games' }).click();
      await page.locator('.game').getByRole('button', { name: 'Delete' }).click();
      await page.locator('dialog .button.danger').click();
      await page.getByText('No games have been played here yet.').waitFor();
      assert.equal((await api(page, '/games')).total, 0);
    }),

  'games: unreadable games are listed with the reason and can be deleted': (browser) =>
    withPage(browser, async (page) => {
      const reason = "turn 2g 'Ee3n': Ee3n: there is no piece on e3";
      const listed = [{ type: 'unreadable', id: 'damaged', created_at: 1, updated_at: 2, reason }];
      const deleted = [];
      await page.route('**/api/v1/games?**', (route) =>
        route.fulfill({ json: { games: deleted.length ? [] : listed, total: deleted.length ? 0 : 1 } }),
      );
      await page.route('**/api/v1/games/damaged', (route) => {
        deleted.push(route.request().method());
        return route.fulfill({ status: 204 });
      });
      await page.getByRole('link', { name: 'Games' }).click();
      const row = page.locator('.game.unreadable');
      await row.getByText(reason).waitFor();
      assert.equal(await row.getByRole('link').count(), 0, 'there is nothing to open');
      await row.getByRole('button', { name: 'Delete' }).click();
      await page.locator('dialog .button.danger').click();
      await page.getByText('No games have been played here yet.').waitFor();
      assert.deepEqual(deleted, ['DELETE']);
    }),

  'games: a read-only board offers nothing that changes games': (browser) =>
    withPage(browser, async (page, _box, data) => {
      const state = await twoPlayerGame(page);
      const reader = await serve(data, 0, ['--read-only']);
      const second = await page.context().newPage();
      try {
        await second.goto(reader.address);
        await second.getByText('Read-only', { exact: true }).waitFor();
        await second.getByText('games cannot be started').waitFor();
        assert.ok(await second.locator('#start-game').isDisabled());
        await second.getByRole('link', { name: 'Games' }).click();
        await second.getByRole('link', { name: 'Open', exact: true }).last().waitFor();
        assert.equal(await second.getByRole('button', { name: 'Delete' }).count(), 0);
        await second.goto(`${reader.address}#/game/${state.id}`);
        await second.getByRole('heading', { name: 'Gold to move' }).waitFor();
        for (const name of ['End turn', 'Resign', 'Take back'])
          assert.equal(await second.getByRole('button', { name }).filter({ visible: true }).count(), 0, name);
        await second.getByRole('button', { name: 'Review' }).waitFor();
      } finally {
        await second.close();
        await reader.stop();
      }
    }),

  'settings are stored': (browser) =>
    withPage(browser, async (page) => {
      await page.waitForSelector('#start-game');
      await page.keyboard.press('o');
      await page.getByRole('radio', { name: 'Dark' }).click();
      await page.getByRole('radio', { name: 'Letters' }).click();
      await page.getByRole('radio', { name: 'Sideways' }).click();
      await page.keyboard.press('Escape');
      await page.reload();
      await page.waitForSelector('#start-game');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      assert.equal(await page.locator('.piece use[href^="#letters"]').count(), 32);
      const first = await page.locator('.board rect[data-square=a1]').getAttribute('y');
      assert.equal(first, '0', 'gold sits on the left');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
    }),

  'turns are announced': (browser) =>
    withPage(browser, async (page) => {
      let state = await twoPlayerGame(page);
      await type(page, 'Ee2n');
      state = await waitForServerState(page, state.version);
      await type(page, '');
      await waitForServerState(page, state.version);
      await page.waitForFunction(() =>
        document.getElementById('live-region')?.textContent?.startsWith('Gold: elephant e2 to e3'),
      );
    }),

  'the files of every page weigh less than 400 kB': (browser) =>
    withPage(browser, async (page, box) => {
      const visit = async (name) => {
        await page.goto(`${box.server.address}#/${name}`);
        await page.waitForSelector(PAGES[name], { state: 'attached' });
        return (await pageWeight(page)).weight;
      };
      const weights = {};
      for (const name of Object.keys(PAGES)) {
        await page.goto('about:blank');
        weights[name] = await visit(name);
      }
      let all = 0;
      for (const name of Object.keys(PAGES)) all = await visit(name);
      console.log(`        bytes of the pages: ${JSON.stringify(weights)}; all together ${all}`);
      for (const weight of Object.values(weights)) assert.ok(50_000 < weight && weight < 400_000, String(weight));
      assert.ok(all >= Math.max(...Object.values(weights)));
    }),
};
