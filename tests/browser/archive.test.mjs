// The archive on the board: explorer, setups, search. The tests make their own archive.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { agree, api, gameId, middle, shownBoard } from './game.mjs';
import { withArchive } from './lib.mjs';
import { visit } from './visit.mjs';

const stocked = (browser, test, options = {}) => visit(browser, test, { prepare: withArchive, ...options });

async function post(page, path, body) {
  const response = await fetch(new URL(`/api/v1${path}`, page.url()), { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

const exploreAt = (page, turns, filters = {}) => post(page, '/archive/explore', { line: { turns }, filters, limit: 12 });

/** Waits until the explorer shows a position, and tells its rows. */
async function rows(page, tag) {
  await page.waitForFunction((tag) => {
    const box = document.querySelector('.explorer');
    return box?.dataset.tag === tag && !box.hasAttribute('aria-busy');
  }, tag);
  return page.locator('.explorer .way').evaluateAll((all) => all.map((one) => ({ text: one.dataset.text, games: Number(one.dataset.games), label: one.getAttribute('aria-label') })));
}

/** Compares what is shown with what the server says about the same line. */
async function same(page, tag, turns, filters = {}) {
  const [shown, found] = [await rows(page, tag), await exploreAt(page, turns, filters)];
  assert.equal(found.tag, tag);
  assert.deepEqual(shown.map(({ text, games }) => [text, games]), found.turns.map(({ text, games }) => [text, games]));
  assert.match(await page.locator('.explorer h2').textContent(), found.games ? new RegExp(`^${found.games} games? at ${tag}$`) : /^No game/);
  return found;
}

/** The first game of the archive in a review with the explorer. */
async function openFirst(page) {
  await page.goto(`${new URL(page.url()).origin}/#/review?archive=1`);
  await page.waitForSelector('.turns .turn');
  await page.keyboard.press('e');
  return rows(page, '1g');
}

const noSideways = (page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

export const tests = {
  'the explorer follows the position with the counts of the archive': (browser) =>
    stocked(browser, async (page) => {
      await openFirst(page);
      const game = await api(page, '/archive/games/1');
      const turns = [];
      const all = await same(page, '1g', turns);
      assert.equal(all.games, 400);
      assert.ok(all.turns.some(({ name }) => name), 'a setup has a name');
      assert.ok(12 < all.distinct_turns, 'there are more than are shown at first');
      await page.locator('.more-ways').click();
      const many = await post(page, '/archive/explore', { limit: 200 });
      await page.waitForFunction((count) => document.querySelectorAll('.explorer .way').length === count, many.turns.length);
      for (const [node, tag] of [[0, '1s'], [1, '2g'], [2, '2s']]) {
        turns.push(game.nodes[node].text);
        await page.keyboard.press('ArrowRight');
        const found = await same(page, tag, turns);
        assert.ok(0 < found.games && found.games < 400, `${found.games}`);
      }
      await page.keyboard.press('ArrowUp');
      await same(page, '1g', []);
      await page.keyboard.press('ArrowDown');
      await page.waitForFunction(() => document.querySelector('.explorer h2')?.textContent?.startsWith('No game'));
      await page.reload();
      await page.waitForSelector('.explorer:not([hidden])');
      await page.keyboard.press('e');
      assert.equal(await page.locator('.explorer').isVisible(), false);
    }),

  'a turn of the explorer is shown by the mouse and played by a click and by keys': (browser) =>
    stocked(browser, async (page) => {
      const [first] = await openFirst(page);
      await page.locator('.way').first().hover();
      await page.waitForFunction(() => document.querySelectorAll('.desk .pieces .piece[data-square]').length === 16);
      await page.mouse.move(5, 5);
      await page.waitForFunction(() => document.querySelectorAll('.desk .pieces .piece[data-square]').length === 0);
      await page.locator('.way').first().click();
      const answers = await rows(page, '1s');
      assert.deepEqual((await exploreAt(page, [first.text])).turns.map(({ text }) => text), answers.map(({ text }) => text));
      assert.match(answers[0].label, /: \d+ games?, Gold won \d+ %, Silver \d+ %, average rating \d{4}, last played in \d{4}$/);
      const inTree = await page.locator('.turns .turn').count();
      await page.keyboard.press('ArrowLeft');
      await rows(page, '1g');
      await page.locator('.way').first().click();
      await rows(page, '1s');
      assert.equal(await page.locator('.turns .turn').count(), inTree, 'the same turn is not added twice');
      await page.locator('.way').first().focus();
      await page.keyboard.press('Enter');
      const [best] = await rows(page, '2g');
      assert.ok(await page.evaluate(() => document.activeElement?.matches('.explorer .ways')), 'Tab goes on from the new turns');
      await page.locator('.way').first().click();
      await rows(page, '2s');
      const { board } = await post(page, '/position', { turns: [first.text, answers[0].text, best.text] });
      await page.waitForFunction((board) => document.querySelector('.desk')?.dataset.board === board, board);
      assert.equal(await shownBoard(page), board);
    }),

  'a sample game opens in the review where the position is': (browser) =>
    stocked(browser, async (page) => {
      const [gold] = await openFirst(page);
      await page.locator('.way').first().click();
      await rows(page, '1s');
      const { games_sample: samples } = await exploreAt(page, [gold.text]);
      assert.equal(await page.locator('.explorer .archived-game').count(), samples.length);
      const last = samples[samples.length - 1];
      await page.locator('.explorer .archived-game').last().click();
      await page.waitForFunction((name) => document.querySelector('.panel .status')?.title.includes(name), last.gold);
      const opened = await api(page, `/archive/games/${last.id}`);
      await page.waitForFunction((count) => document.querySelectorAll('.turns .turn').length === count, opened.nodes.length);
      const before = opened.nodes.findIndex(({ tag }) => tag === last.at_turn);
      const { board } = await post(page, '/position', { turns: opened.nodes.slice(0, before).map(({ text }) => text) });
      assert.equal(await shownBoard(page), board);
      await rows(page, last.at_turn);
    }),

  'filters change the counts, are kept, and are cleared': (browser) =>
    stocked(browser, async (page) => {
      await openFirst(page);
      await page.locator('.filters summary').click();
      const filtered = async (filters, act) => {
        const found = await exploreAt(page, [], filters);
        assert.ok(0 < found.games && found.games < 400, `${found.games} games`);
        await act();
        await page.waitForFunction((games) => document.querySelector('.explorer h2')?.textContent === `${games} games at 1g`, found.games);
        await same(page, '1g', [], filters);
      };
      const rating = page.locator('[data-filter=min_rating]');
      await filtered({ min_rating: 1700 }, () => rating.fill('1700').then(() => rating.press('Enter')));
      await filtered({ min_rating: 1700, players: 'humans' }, () => page.locator('[data-filter=players]').selectOption('humans'));
      await filtered({ min_rating: 1700, players: 'humans', result: 'gold' }, () => page.locator('[data-filter=result]').selectOption('gold'));
      assert.equal(await page.locator('.filters summary').textContent(), 'Filters (3)');
      await page.reload();
      await page.waitForFunction(() => document.querySelector('.filters summary')?.textContent === 'Filters (3)');
      await page.locator('.filters summary').click();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.waitForFunction(() => document.querySelector('.explorer h2')?.textContent === '400 games at 1g');
      const event = page.locator('[data-filter=event]');
      await event.fill('nowhere');
      await event.press('Enter');
      await page.getByText('No game that the filters let through came here.').waitFor();
    }),

  'setups of the archive are placed by a click, and silver sees the answers to gold': (browser) =>
    stocked(browser, async (page) => {
      await page.waitForSelector('#begin');
      await page.getByRole('radio', { name: 'Friend here' }).click();
      await page.click('#begin');
      await page.waitForSelector('.setup');
      let state = await agree(page);
      assert.equal(await page.locator('.setup-way').count(), 0, 'nothing is shown before somebody asks');
      for (const side of ['g', 's']) {
        const turns = state.turns.map(({ text }) => text);
        const { setups, games } = await post(page, '/archive/setups', { line: { turns }, limit: 20 });
        await page.locator('.archive-setups summary').click();
        await page.waitForFunction((count) => document.querySelectorAll('.setup-way').length === count, setups.length);
        assert.ok((await page.locator('.archive-setups .hint').textContent()).startsWith(`${games} games`));
        const wanted = setups[Math.min(1, setups.length - 1)];
        await page.locator('.setup-way').nth(Math.min(1, setups.length - 1)).click();
        const ranks = wanted.front + wanted.back;
        const home = (board) => (side === 'g' ? board.slice(48) : board.slice(8, 16) + board.slice(0, 8));
        assert.equal(home(await shownBoard(page)), ranks);
        await page.getByRole('button', { name: 'Ready' }).click();
        state = await agree(page, state.version);
        assert.equal(home(state.position.board), ranks);
      }
      assert.equal(state.position.phase, 'play');
    }),

  'a game is not helped unless somebody asks, and then a click takes the steps without ending the turn': (browser) =>
    stocked(browser, async (page, box) => {
      const found = await exploreAt(page, []);
      const gold = found.turns[0].text;
      const silver = (await exploreAt(page, [gold])).turns[0].text;
      const turn = (await exploreAt(page, [gold, silver])).turns[0].text;
      const { board } = await post(page, '/position', { turns: [gold, silver] });
      const person = { kind: 'human' };
      const begun = await fetch(new URL('/api/v1/games', box.server.address), { method: 'POST', body: JSON.stringify({ gold: person, silver: person, start: { board, tag: '2g' } }) });
      const { id } = await begun.json();
      await page.evaluate(() => localStorage.setItem('surus.explorer', 'true'));
      await page.goto(`${box.server.address}#/game/${id}`);
      await page.reload();
      let state = await agree(page);
      assert.equal(await page.locator('.explorer').isVisible(), false);
      await page.getByRole('button', { name: 'Explorer' }).click();
      assert.equal((await rows(page, '2g'))[0].text, turn);
      await page.locator('.way').first().click();
      state = await agree(page, state.version);
      assert.equal(state.position.turn_text, turn);
      assert.equal(state.turns.length, 0, 'a turn never ends by itself');
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      state = await agree(page, state.version);
      assert.equal(state.turns.length, 1);
      await rows(page, '2s');
      assert.equal(gameId(page), id);
    }),

  'games are found by squares of the board, by material and by player': (browser) =>
    stocked(browser, async (page) => {
      await page.getByRole('link', { name: 'Games' }).click();
      await page.getByRole('link', { name: 'Search the archive' }).click();
      await page.waitForSelector('#squares');
      for (const square of ['e2', 'd5']) {
        const { x, y } = await middle(page, square);
        await page.mouse.click(x, y);
      }
      assert.equal(await page.locator('#squares').inputValue(), 'Ee2 .d5');
      assert.equal(await page.locator('.above .asked').count(), 2);
      await page.locator('#search-side').selectOption('s');
      await page.click('#search');
      const found = await post(page, '/archive/search', { squares: 'Ee2 .d5', side: 's' });
      await page.waitForFunction((count) => document.querySelectorAll('.found .archived-game').length === count, found.games.length);
      assert.ok(found.games.length === 30 && !found.complete);
      await page.getByRole('button', { name: 'This board' }).click();
      assert.equal(await page.locator('#material').inputValue(), 'EMHHDDCCRRRRRRRR emhhddccrrrrrrrr');
      await page.fill('#material', 'EMHHDDCCRRRRRRRR emhhddccrrrrrrr');
      await page.fill('#squares', '');
      await page.click('#search');
      const less = await post(page, '/archive/search', { material: 'EMHHDDCCRRRRRRRR emhhddccrrrrrrr', side: 's' });
      await page.waitForFunction((id) => document.querySelector('.found .archived-game')?.dataset.archived === id, String(less.games[0].id));
      await page.fill('#squares', 'Ze9');
      await page.click('#search');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.startsWith("'Ze9' is no square to look for"));
      await page.fill('#player', 'PLAYER1');
      await page.click('#find-player');
      const { players } = await api(page, '/archive/players?name=player1');
      await page.locator(`[data-player=${players[0].name}]`).click();
      const { games } = await api(page, `/archive/games?name=${players[0].name}`);
      await page.waitForFunction((id) => document.querySelector('.found .archived-game')?.dataset.archived === id, String(games[0].id));
      await page.locator('.found .archived-game').first().click();
      await page.waitForFunction((name) => document.querySelector('.panel .status')?.title.includes(name), players[0].name);
    }),

  'without an archive the page says how to make one': (browser) =>
    visit(browser, async (page, box, data) => {
      const help = `There is no archive yet: create one from game files with 'surus archive import FILE --db ${join(data, 'archive.db')}'.`;
      await page.goto(`${box.server.address}#/review`);
      await page.waitForSelector('.explorer-button');
      await page.keyboard.press('e');
      await page.getByText(help).waitFor();
      await page.goto(`${box.server.address}#/archive`);
      await page.getByText(help).waitFor();
      assert.equal(await page.locator('#squares').isVisible(), false);
      await page.goto(`${box.server.address}#/play`);
      await page.click('#begin');
      await page.waitForSelector('.setup');
      await page.locator('.archive-setups summary').click();
      await page.getByText(help).waitFor();
      await page.getByRole('button', { name: 'Ready' }).click();
      await agree(page, 1);
      // An archive that comes later is found without a restart.
      withArchive(data);
      await page.goto(`${box.server.address}#/review?archive=1`);
      await rows(page, '1g');
    }),

  'on a phone the explorer, the setups and the search fit the screen': (browser) =>
    stocked(browser, async (page, box) => {
      await page.goto(`${box.server.address}#/review?archive=1`);
      await page.waitForSelector('.turns .turn');
      await page.getByRole('button', { name: 'Explorer' }).tap();
      const [first] = await rows(page, '1g');
      assert.ok(await noSideways(page));
      await page.locator('.filters summary').tap();
      assert.ok(await noSideways(page));
      await page.locator('.way').first().tap();
      await rows(page, '1s');
      // Games with the mirror image of the setup come to the same position.
      assert.ok(first.games <= (await exploreAt(page, [first.text])).games);
      assert.ok(await noSideways(page));
      await page.goto(`${box.server.address}#/archive`);
      await page.waitForSelector('#squares');
      assert.ok(await noSideways(page));
      await page.goto(box.server.address);
      await page.locator('#begin').tap();
      await page.locator('.archive-setups summary').tap();
      await page.waitForSelector('.setup-way');
      assert.ok(await noSideways(page));
    }, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }),
};
