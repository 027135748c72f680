// Explorer, popular setups and search, on a generated archive.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { withPage } from './fixture.mjs';
import { api, boardText, gameId, squareCenter, waitForServerState } from './game.mjs';
import { withArchive } from './harness.mjs';

const stocked = (browser, test, options = {}) => withPage(browser, test, { prepare: withArchive, ...options });

async function post(page, path, body) {
  const response = await fetch(new URL(`/api/v1${path}`, page.url()), { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

const exploreAt = (page, turns, filters = {}) =>
  post(page, '/archive/explore', { line: { turns }, filters, limit: 12 });

/** Waits until the explorer shows a position, and returns its rows. */
async function rows(page, tag) {
  await page.waitForFunction((tag) => {
    const box = document.querySelector('.explorer');
    return box?.dataset.tag === tag && !box.hasAttribute('aria-busy');
  }, tag);
  return page.locator('.explorer .explorer-turn').evaluateAll((all) =>
    all.map((one) => ({
      text: one.dataset.text,
      games: Number(one.dataset.games),
      label: one.textContent,
    })),
  );
}

/** Compares the explorer with the response of the server for the same line. */
async function same(page, tag, turns, filters = {}) {
  const [shown, found] = [await rows(page, tag), await exploreAt(page, turns, filters)];
  assert.equal(found.tag, tag);
  assert.deepEqual(
    shown.map(({ text, games }) => [text, games]),
    found.turns.map(({ text, games }) => [text, games]),
  );
  assert.match(
    await page.locator('.explorer h2').textContent(),
    found.games ? new RegExp(`^${found.games} games? at ${tag}$`) : /^No games/,
  );
  return found;
}

/** The first game of the archive in a review with the explorer. */
async function openFirst(page) {
  await page.goto(`${new URL(page.url()).origin}/#/review?archive=1`);
  await page.waitForSelector('.turns .turn');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('e');
  return rows(page, '1g');
}

const noSideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

export const tests = {
  'explorer: follows the position with the counts of the archive': (browser) =>
    stocked(browser, async (page) => {
      await openFirst(page);
      const game = await api(page, '/archive/games/1');
      const turns = [];
      const all = await same(page, '1g', turns);
      assert.equal(all.games, 400);
      assert.ok(
        all.turns.some(({ name }) => name),
        'a setup has a name',
      );
      assert.ok(all.distinct_turns > 12, 'more turns than are initially shown');
      await page.locator('.more-turns').click();
      const many = await post(page, '/archive/explore', { limit: 200 });
      await page.waitForFunction(
        (count) => document.querySelectorAll('.explorer .explorer-turn').length === count,
        many.turns.length,
      );
      for (const [node, tag] of [
        [0, '1s'],
        [1, '2g'],
        [2, '2s'],
      ]) {
        turns.push(game.nodes[node].text);
        await page.keyboard.press('ArrowRight');
        const found = await same(page, tag, turns);
        assert.ok(found.games > 0 && found.games < 400, `${found.games}`);
      }
      await page.keyboard.press('ArrowUp');
      await same(page, '1g', []);
      await page.keyboard.press('ArrowDown');
      await page.waitForFunction(() => document.querySelector('.explorer h2')?.textContent?.startsWith('No games'));
      await page.reload();
      await page.waitForSelector('.explorer:not([hidden])');
      await page.keyboard.press('e');
      assert.equal(await page.locator('.explorer').isVisible(), false);
    }),

  'explorer: turns are previewed, and played by mouse and keyboard': (browser) =>
    stocked(browser, async (page) => {
      const [first] = await openFirst(page);
      await page.locator('.explorer-turn').first().hover();
      await page.waitForFunction(
        () => document.querySelectorAll('.board-layout .pieces .piece[data-square]').length === 16,
      );
      await page.mouse.move(5, 5);
      await page.waitForFunction(
        () => document.querySelectorAll('.board-layout .pieces .piece[data-square]').length === 0,
      );
      await page.locator('.explorer-turn').first().click();
      const answers = await rows(page, '1s');
      assert.deepEqual(
        (await exploreAt(page, [first.text])).turns.map(({ text }) => text),
        answers.map(({ text }) => text),
      );
      assert.match(answers[0].label, /\d+ games?, .*, average rating \d{4}$/);
      const inTree = await page.locator('.turns .turn').count();
      await page.keyboard.press('ArrowLeft');
      await rows(page, '1g');
      await page.locator('.explorer-turn').first().click();
      await rows(page, '1s');
      assert.equal(await page.locator('.turns .turn').count(), inTree, 'the same turn is not added twice');
      await page.locator('.explorer-turn').first().focus();
      await page.keyboard.press('Enter');
      const [best] = await rows(page, '2g');
      assert.ok(
        await page.evaluate(() => document.activeElement?.matches('.explorer .explorer-turns')),
        'Tab continues at the new turns',
      );
      await page.locator('.explorer-turn').first().click();
      await rows(page, '2s');
      const { board } = await post(page, '/position', { turns: [first.text, answers[0].text, best.text] });
      await page.waitForFunction((board) => document.querySelector('.board-layout')?.dataset.board === board, board);
      assert.equal(await boardText(page), board);
    }),

  'explorer: a sample game opens at the position': (browser) =>
    stocked(browser, async (page) => {
      const [gold] = await openFirst(page);
      await page.locator('.explorer-turn').first().click();
      await rows(page, '1s');
      const { games_sample: samples } = await exploreAt(page, [gold.text]);
      assert.equal(await page.locator('.explorer .archived-game').count(), samples.length);
      const last = samples[samples.length - 1];
      await page.locator('.explorer .archived-game').last().click();
      await page.waitForFunction((name) => document.querySelector('.panel .status')?.title.includes(name), last.gold);
      const opened = await api(page, `/archive/games/${last.id}`);
      await page.waitForFunction(
        (count) => document.querySelectorAll('.turns .turn').length === count,
        opened.nodes.length,
      );
      const before = opened.nodes.findIndex(({ tag }) => tag === last.at_turn);
      const { board } = await post(page, '/position', { turns: opened.nodes.slice(0, before).map(({ text }) => text) });
      assert.equal(await boardText(page), board);
      await rows(page, last.at_turn);
    }),

  'explorer: a link is followed while the address of the game before is being written': (browser) =>
    stocked(browser, async (page) => {
      const [first] = await openFirst(page);
      // Compressing the game for the address ends when the test says so.
      await page.evaluate(() => {
        const { arrayBuffer } = Response.prototype;
        const released = new Promise((resolve) => {
          window.release = resolve;
        });
        Response.prototype.arrayBuffer = async function () {
          const bytes = await arrayBuffer.call(this);
          window.compressed = true;
          await released;
          return bytes;
        };
      });
      await page.locator('.explorer-turn').first().click();
      await rows(page, '1s');
      await page.waitForFunction(() => window.compressed);
      const { games_sample: samples } = await exploreAt(page, [first.text]);
      await page
        .locator('.explorer .archived-game')
        .last()
        .evaluate((link) => {
          location.hash = link.getAttribute('href');
          window.release();
        });
      await page.waitForFunction(
        (name) => document.querySelector('.panel .status')?.title.includes(name),
        samples.at(-1).gold,
      );
    }),

  'explorer: filters change the counts and are stored': (browser) =>
    stocked(browser, async (page) => {
      await openFirst(page);
      await page.locator('.filters summary').click();
      const filtered = async (filters, act) => {
        const found = await exploreAt(page, [], filters);
        assert.ok(found.games > 0 && found.games < 400, `${found.games} games`);
        await act();
        await page.waitForFunction(
          (games) => document.querySelector('.explorer h2')?.textContent === `${games} games at 1g`,
          found.games,
        );
        await same(page, '1g', [], filters);
      };
      const rating = page.locator('[data-filter=min_rating]');
      await filtered({ min_rating: 1700 }, () => rating.fill('1700').then(() => rating.press('Enter')));
      await filtered({ min_rating: 1700, players: 'humans' }, () =>
        page.locator('[data-filter=players]').selectOption('humans'),
      );
      await filtered({ min_rating: 1700, players: 'humans', result: 'gold' }, () =>
        page.locator('[data-filter=result]').selectOption('gold'),
      );
      assert.equal(await page.locator('.filters summary').textContent(), 'Filters (3)');
      await page.reload();
      await page.waitForFunction(() => document.querySelector('.filters summary')?.textContent === 'Filters (3)');
      await page.locator('.filters summary').click();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.waitForFunction(() => document.querySelector('.explorer h2')?.textContent === '400 games at 1g');
      const event = page.locator('[data-filter=event]');
      await event.fill('nowhere');
      await event.press('Enter');
      await page.getByText('No games match these filters.').waitFor();
    }),

  'popular setups are placed by a click': (browser) =>
    stocked(browser, async (page) => {
      await page.waitForSelector('#start-game');
      await page.getByRole('radio', { name: 'Two players' }).click();
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      let state = await waitForServerState(page);
      assert.equal(await page.locator('.setup-entry').count(), 0, 'nothing is loaded before it is opened');
      for (const side of ['g', 's']) {
        const turns = state.turns.map(({ text }) => text);
        const { setups, games } = await post(page, '/archive/setups', { line: { turns }, limit: 20 });
        await page.locator('.popular-setups summary').click();
        await page.waitForFunction(
          (count) => document.querySelectorAll('.setup-entry').length === count,
          setups.length,
        );
        assert.ok((await page.locator('.popular-setups .hint').textContent()).startsWith(`${games} games`));
        const expected = setups[Math.min(1, setups.length - 1)];
        await page
          .locator('.setup-entry')
          .nth(Math.min(1, setups.length - 1))
          .click();
        const ranks = expected.front + expected.back;
        const home = (board) => (side === 'g' ? board.slice(48) : board.slice(8, 16) + board.slice(0, 8));
        assert.equal(home(await boardText(page)), ranks);
        await page.getByRole('button', { name: 'Confirm setup' }).click();
        state = await waitForServerState(page, state.version);
        assert.equal(home(state.position.board), ranks);
      }
      assert.equal(state.position.phase, 'play');
    }),

  'explorer: closed at the start of a game, and a click plays steps without ending the turn': (browser) =>
    stocked(browser, async (page, box) => {
      const found = await exploreAt(page, []);
      const gold = found.turns[0].text;
      const silver = (await exploreAt(page, [gold])).turns[0].text;
      const turn = (await exploreAt(page, [gold, silver])).turns[0].text;
      const { board } = await post(page, '/position', { turns: [gold, silver] });
      const human = { kind: 'human' };
      const begun = await fetch(new URL('/api/v1/games', box.server.address), {
        method: 'POST',
        body: JSON.stringify({ gold: human, silver: human, start: { board, tag: '2g' } }),
      });
      const { id } = await begun.json();
      await page.evaluate(() => localStorage.setItem('surus.explorer', 'true'));
      await page.goto(`${box.server.address}#/game/${id}`);
      await page.reload();
      let state = await waitForServerState(page);
      assert.equal(await page.locator('.explorer').isVisible(), false);
      await page.getByRole('button', { name: 'Explorer' }).click();
      assert.equal((await rows(page, '2g'))[0].text, turn);
      await page.locator('.explorer-turn').first().click();
      state = await waitForServerState(page, state.version);
      assert.equal(state.position.turn_text, turn);
      assert.equal(state.turns.length, 0, 'a turn never ends by itself');
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      state = await waitForServerState(page, state.version);
      assert.equal(state.turns.length, 1);
      await rows(page, '2s');
      assert.equal(gameId(page), id);
    }),

  'search: by squares, material and player': (browser) =>
    stocked(browser, async (page) => {
      await page.getByRole('link', { name: 'Games' }).click();
      await page.getByRole('link', { name: 'Search the archive' }).click();
      await page.waitForSelector('#squares');
      for (const square of ['e2', 'd5']) {
        const { x, y } = await squareCenter(page, square);
        await page.mouse.click(x, y);
      }
      assert.equal(await page.locator('#squares').inputValue(), 'Ee2 .d5');
      assert.equal(await page.locator('.overlay .highlighted').count(), 2);
      await page.locator('#search-side').selectOption('s');
      await page.click('#search');
      const found = await post(page, '/archive/search', { squares: 'Ee2 .d5', side: 's' });
      await page.waitForFunction(
        (count) => document.querySelectorAll('.results .archived-game').length === count,
        found.games.length,
      );
      assert.ok(found.games.length === 30 && !found.complete);
      await page.getByRole('button', { name: 'Use current board' }).click();
      assert.equal(await page.locator('#material').inputValue(), 'EMHHDDCCRRRRRRRR emhhddccrrrrrrrr');
      await page.fill('#material', 'EMHHDDCCRRRRRRRR emhhddccrrrrrrr');
      await page.fill('#squares', '');
      await page.click('#search');
      const less = await post(page, '/archive/search', { material: 'EMHHDDCCRRRRRRRR emhhddccrrrrrrr', side: 's' });
      await page.waitForFunction(
        (id) => document.querySelector('.results .archived-game')?.dataset.archived === id,
        String(less.games[0].id),
      );
      await page.fill('#squares', 'Ze9');
      await page.click('#search');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes("'Ze9'"));
      await page.fill('#player', 'PLAYER1');
      await page.click('#find-player');
      const { players } = await api(page, '/archive/players?name=player1');
      await page.locator(`[data-player=${players[0].name}]`).click();
      const { games } = await api(page, `/archive/games?name=${players[0].name}`);
      await page.waitForFunction(
        (id) => document.querySelector('.results .archived-game')?.dataset.archived === id,
        String(games[0].id),
      );
      await page.locator('.results .archived-game').first().click();
      await page.waitForFunction(
        (name) => document.querySelector('.panel .status')?.title.includes(name),
        players[0].name,
      );
    }),

  'a missing archive shows how to create one': (browser) =>
    withPage(browser, async (page, box, data) => {
      const help = `There is no archive yet: create one from game files with 'surus archive import FILE --db ${join(data, 'archive.db')}'.`;
      await page.goto(`${box.server.address}#/review`);
      await page.waitForSelector('#typed');
      await page.keyboard.press('e');
      await page.getByText(help).waitFor();
      await page.goto(`${box.server.address}#/archive`);
      // The page before it has the same text.
      await page.waitForSelector('#squares', { state: 'attached' });
      await page.getByText(help).waitFor();
      assert.equal(await page.locator('#squares').isVisible(), false);
      await page.goto(`${box.server.address}#/play`);
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      await page.locator('.popular-setups summary').click();
      await page.getByText(help).waitFor();
      await page.getByRole('button', { name: 'Confirm setup' }).click();
      await waitForServerState(page, 1);
      // An archive that is created later is found without a restart.
      withArchive(data);
      await page.goto(`${box.server.address}#/review?archive=1`);
      await rows(page, '2g');
    }),

  'explorer, setups and search fit a phone': (browser) =>
    stocked(
      browser,
      async (page, box) => {
        await page.goto(`${box.server.address}#/review?archive=1`);
        await page.waitForSelector('.turns .turn');
        await page.getByRole('button', { name: 'First turn' }).tap();
        await page.getByRole('button', { name: 'Explorer' }).tap();
        const [first] = await rows(page, '1g');
        assert.ok(await noSideways(page));
        await page.locator('.filters summary').tap();
        assert.ok(await noSideways(page));
        await page.locator('.explorer-turn').first().tap();
        await rows(page, '1s');
        assert.equal(first.games, (await exploreAt(page, [first.text])).games, 'the count is that of what opens');
        assert.ok(await noSideways(page));
        await page.goto(`${box.server.address}#/archive`);
        await page.waitForSelector('#squares');
        assert.ok(await noSideways(page));
        await page.goto(box.server.address);
        await page.locator('#start-game').tap();
        await page.locator('.popular-setups summary').tap();
        await page.waitForSelector('.setup-entry');
        assert.ok(await noSideways(page));
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    ),

  'search: going back from a game returns to the results': (browser) =>
    stocked(browser, async (page, box) => {
      await page.goto(`${box.server.address}#/archive`);
      await page.waitForSelector('#squares');
      await page.fill('#squares', 'Ee2 .d5');
      await page.locator('#search-side').selectOption('s');
      await page.click('#search');
      const results = () =>
        page.locator('.results .archived-game').evaluateAll((all) => all.map((one) => one.dataset.archived));
      await page.waitForSelector('.results .archived-game');
      const before = await results();
      await page.locator('.results .archived-game').nth(2).click();
      await page.waitForSelector('.turns .turn');
      await page.goBack();
      await page.waitForSelector('.results .archived-game');
      assert.deepEqual(await results(), before);
      assert.equal(await page.locator('#squares').inputValue(), 'Ee2 .d5');
      assert.equal(await page.locator('#search-side').inputValue(), 's');
      assert.equal(await page.locator('.overlay .highlighted').count(), 2);
      await page.fill('#player', 'player1');
      await page.click('#find-player');
      await page.locator('.results [data-player]').first().click();
      await page.waitForSelector('.results [data-archived]');
      const games = await results();
      await page.locator('.results .archived-game').first().click();
      await page.waitForSelector('.turns .turn');
      await page.goBack();
      await page.waitForSelector('.results [data-archived]');
      assert.deepEqual(await results(), games);
    }),

  'explorer: columns have names, and few games no percentage': (browser) =>
    stocked(browser, async (page) => {
      await openFirst(page);
      assert.deepEqual(await page.locator('.columns-head span').allTextContents(), [
        'Turn',
        'Games',
        'Results',
        'Rating',
      ]);
      const rows = await page
        .locator('.explorer li .explorer-turn')
        .evaluateAll((all) =>
          all.map((row) => [Number(row.dataset.games), row.querySelector('.score')?.textContent ?? '']),
        );
      assert.ok(rows.some(([games]) => games < 10));
      for (const [games, label] of rows) if (games < 10) assert.equal(label, '');
    }),
};
