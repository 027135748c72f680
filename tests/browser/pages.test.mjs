// Reviewing, coming back, and everything around a game.
import assert from 'node:assert/strict';
import { serve, weigh } from './lib.mjs';
import { agree, api, gameId, middle, shownBoard } from './game.mjs';
import { SETUPS, twoPersons, type, visit } from './visit.mjs';

const RECORD = [...SETUPS, '2g Ee2n Ee3n Ee4n Md2n', '2s ed7s hb7s hb6s', '3g Ee5e Ef5e', '3s'].join('\n');

async function drag(page, from, to, button = 'left') {
  const [a, b] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down({ button });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up({ button });
}

async function openRecord(page, text) {
  await page.goto(`${new URL(page.url()).origin}/#/review`);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.fill('#record-text', text);
  await page.locator('dialog .button.main').click();
  await page.waitForSelector('.turns .turn');
}

const here = (page) => page.locator('.turns .here').textContent();
const boardIs = (page, board) => page.waitForFunction((wanted) => document.querySelector('.desk')?.dataset.board === wanted, board);

async function boardAfter(page, turns, steps = '') {
  const line = { turns: turns.map((turn) => turn.slice(3)), steps };
  const response = await fetch(new URL('/api/v1/position', page.url()), { method: 'POST', body: JSON.stringify(line) });
  return (await response.json()).board;
}

export const tests = {
  'a record is walked turn by turn and step by step': (browser) =>
    visit(browser, async (page) => {
      await openRecord(page, RECORD);
      const lines = RECORD.split('\n');
      for (let turns = 1; turns <= 5; turns++) {
        await page.keyboard.press('ArrowRight');
        await boardIs(page, await boardAfter(page, lines.slice(0, turns)));
        assert.equal(await shownBoard(page), await boardAfter(page, lines.slice(0, turns)));
      }
      await page.keyboard.press('Control+ArrowLeft');
      await boardIs(page, await boardAfter(page, lines.slice(0, 4), 'Ee5e'));
      await page.keyboard.press('ArrowUp');
      await page.waitForFunction(() => !document.querySelector('.turns .here'));
      await page.keyboard.press('ArrowDown');
      assert.match(await here(page), /3g/);
      await page.keyboard.press('k');
      assert.match(await here(page), /2s/);
    }),

  'variations are made, promoted, commented on, linked to and deleted': (browser) =>
    visit(browser, async (page) => {
      await openRecord(page, RECORD);
      for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to play'));
      await drag(page, 'd2', 'd4');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('Md2nn'));
      await page.keyboard.press('Enter');
      await page.waitForSelector('.branch .here');
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
      await page.waitForSelector('.branch .here');
      assert.match(await page.locator('.branch').first().textContent(), /Md2nn!quiet and "good"/);
      assert.equal(await page.locator('.shapes .arrow').count(), 1);
      await page.getByText('Comment and marks').click();
      await page.getByRole('button', { name: 'Promote' }).click();
      await page.waitForFunction(() => !document.querySelector('.branch .here') && document.querySelector('.turns .here'));
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.waitForFunction(() => !document.querySelector('.branch'));
      assert.equal(await page.locator('.turns .turn').count(), 5);
    }),

  'records are shared as text, link and picture': (browser) =>
    visit(browser, async (page) => {
      await openRecord(page, RECORD);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Copy record', exact: true }).click();
      await page.waitForSelector('.toast');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), RECORD.split('\n').slice(0, 5).join('\n'));
      await page.getByRole('button', { name: 'Copy position' }).click();
      await page.waitForFunction(() => document.querySelector('.toast')?.textContent === 'Position copied');
      const position = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(position, `s [${await shownBoard(page)}]`);
      for (const [name, head] of [['Picture as PNG', '\x89PNG'], ['Picture as SVG', '<svg'], ['Save tree with variations', '# Surus tree 1']]) {
        const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
        const chunks = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk);
        assert.equal(Buffer.concat(chunks).subarray(0, head.length).toString('latin1'), head);
      }
    }),

  'steps are undone and redone by key, button and wheel, and a turn never ends by itself': (browser) =>
    visit(browser, async (page) => {
      let state = await twoPersons(page);
      const step = async (act) => {
        const before = state.version;
        await act();
        state = await agree(page, before);
        return state.position.turn_text;
      };
      assert.equal(await step(() => drag(page, 'e2', 'e5')), 'Ee2n Ee3n Ee4n');
      assert.equal(await step(() => type(page, 'Md2n')), 'Ee2n Ee3n Ee4n Md2n');
      assert.equal(state.turns.length, 2, 'four steps do not end the turn');
      await page.evaluate(() => document.activeElement?.blur());
      assert.equal(await step(() => page.keyboard.press('Backspace')), 'Ee2n Ee3n Ee4n');
      assert.equal(await step(() => page.keyboard.press('Shift+Backspace')), 'Ee2n Ee3n Ee4n Md2n');
      assert.equal(await step(() => page.click('#undo')), 'Ee2n Ee3n Ee4n');
      assert.equal(await step(() => page.click('#redo')), 'Ee2n Ee3n Ee4n Md2n');
      const { x, y } = await middle(page, 'd5');
      await page.mouse.move(x, y);
      assert.equal(await step(() => page.mouse.wheel(0, -120)), 'Ee2n Ee3n Ee4n');
      assert.equal(await step(() => page.mouse.wheel(0, 120)), 'Ee2n Ee3n Ee4n Md2n');
      await step(() => page.keyboard.press('Enter'));
      assert.equal(state.position.tag, '2s');
      await step(() => page.getByRole('button', { name: 'Take back' }).click());
      assert.equal(state.position.tag, '2g');
    }),

  'a third repetition is refused with the turns that it repeats': (browser) =>
    visit(browser, async (page) => {
      let state = await twoPersons(page);
      const turns = ['Ee2n', 'ed7s', 'Ee3s', 'ed6n', 'Ee2n', 'ed7s', 'Ee3s', 'ed6n'];
      for (const turn of turns.slice(0, 7)) {
        for (const text of [turn, '']) {
          const before = state.version;
          await type(page, text);
          state = await agree(page, before);
        }
      }
      await type(page, turns[7]);
      state = await agree(page, state.version);
      await type(page, '');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('third time; it arose after 1s and 3s'));
      assert.equal((await api(page, `/games/${gameId(page)}`)).turns.length, state.turns.length);
    }),

  'why a piece cannot move is told, and a trap is warned of': (browser) =>
    visit(browser, async (page) => {
      const board = `${' '.repeat(24)}   e    ${'   H    '}${' '.repeat(8)}${' D      '}R      R`;
      const query = new URLSearchParams({ board: `r      r${' '.repeat(16)}${board.slice(24)}`, tag: '5g' });
      await page.goto(`${new URL(page.url()).origin}/#/play?${query}`);
      await page.waitForSelector('#begin');
      await page.getByRole('radio', { name: 'Friend here' }).click();
      await page.click('#begin');
      await page.waitForURL(/#\/game\//);
      await agree(page);
      const { x, y } = await middle(page, 'd4');
      await page.mouse.click(x, y);
      await page.waitForFunction(() => /frozen by the elephant on d5/.test(document.querySelector('.note')?.textContent ?? ''));
      assert.equal(await page.locator('.above .flake').count(), 1);
      const [dog, trap] = [await middle(page, 'b2'), await middle(page, 'c3')];
      await page.mouse.move(dog.x, dog.y);
      await page.mouse.down();
      await page.mouse.move(trap.x, trap.y, { steps: 4 });
      await page.waitForSelector('.above .danger');
      assert.equal(await page.locator('.marks .way').count(), 2, 'the way is shown');
      await page.mouse.up();
    }),

  'a game in the middle survives a reload and a restart of the server': (browser) =>
    visit(browser, async (page, box, data) => {
      let state = await twoPersons(page);
      await type(page, 'Ee2nn');
      state = await agree(page, state.version);
      await page.reload();
      const again = await agree(page);
      assert.equal(again.position.turn_text, 'Ee2n Ee3n');
      const { port } = box.server;
      await box.server.stop('SIGKILL');
      await page.waitForSelector('.offline');
      box.server = await serve(data, port);
      await page.waitForFunction(() => !document.querySelector('.offline'));
      await type(page, 'Md2n');
      state = await agree(page, again.version);
      assert.equal(state.position.turn_text, 'Ee2n Ee3n Md2n');
      await type(page, '');
      state = await agree(page, state.version);
      assert.equal(state.turns.length, 3);
    }),

  'kept games are listed, reopened, exported and deleted': (browser) =>
    visit(browser, async (page) => {
      const state = await twoPersons(page);
      await page.getByRole('link', { name: 'Games' }).click();
      await page.waitForSelector('.game');
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
      const chunks = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      assert.equal(Buffer.concat(chunks).toString(), `${SETUPS.join('\n')}\n2g\n`);
      await page.getByRole('link', { name: 'Go on' }).click();
      assert.equal((await agree(page)).id, state.id);
      await page.getByRole('link', { name: 'Games' }).click();
      await page.locator('.game').getByRole('button', { name: 'Delete' }).click();
      await page.locator('dialog .button.main').click();
      await page.getByText('No game has been played here yet.').waitFor();
      assert.equal((await api(page, '/games')).total, 0);
    }),

  'a game that cannot be read is listed with the reason, greyed, and can be deleted': (browser) =>
    visit(browser, async (page) => {
      const reason = "turn 2g 'Ee3n': Ee3n: there is no piece on e3";
      const listed = [{ type: 'unreadable', id: 'damaged', created_at: 1, updated_at: 2, reason }];
      const deleted = [];
      await page.route('**/api/v1/games?**', (route) => route.fulfill({ json: { games: deleted.length ? [] : listed, total: deleted.length ? 0 : 1 } }));
      await page.route('**/api/v1/games/damaged', (route) => {
        deleted.push(route.request().method());
        return route.fulfill({ status: 204 });
      });
      await page.getByRole('link', { name: 'Games' }).click();
      const row = page.locator('.game.unreadable');
      await row.getByText(reason).waitFor();
      assert.equal(await row.getByRole('link').count(), 0, 'there is nothing to open');
      await row.getByRole('button', { name: 'Delete' }).click();
      await page.locator('dialog .button.main').click();
      await page.getByText('No game has been played here yet.').waitFor();
      assert.deepEqual(deleted, ['DELETE']);
    }),

  'a read-only board beside another shows games and offers nothing that changes them': (browser) =>
    visit(browser, async (page, _box, data) => {
      const state = await twoPersons(page);
      const reader = await serve(data, 0, ['--read-only']);
      const second = await page.context().newPage();
      try {
        await second.goto(reader.address);
        await second.getByText('Read-only', { exact: true }).waitFor();
        await second.getByText('games cannot be started here').waitFor();
        assert.ok(await second.locator('#begin').isDisabled());
        await second.getByRole('link', { name: 'Games' }).click();
        await second.getByRole('link', { name: 'Open', exact: true }).last().waitFor();
        assert.equal(await second.getByRole('button', { name: 'Delete' }).count(), 0);
        await second.goto(`${reader.address}#/game/${state.id}`);
        await second.getByRole('heading', { name: 'Gold to play' }).waitFor();
        for (const name of ['End turn', 'Resign', 'Take back']) assert.equal(await second.getByRole('button', { name }).filter({ visible: true }).count(), 0, name);
        await second.getByRole('button', { name: 'Review' }).waitFor();
      } finally {
        await second.close();
        await reader.stop();
      }
    }),

  'clocks run, and a handicap is kept': (browser) =>
    visit(browser, async (page) => {
      await page.waitForSelector('#begin');
      await page.getByRole('radio', { name: 'Friend here' }).click();
      await page.locator('#clock').focus();
      await page.keyboard.type('Blitz');
      await page.getByText('Handicap').click();
      await page.getByRole('button', { name: 'gold without M' }).click();
      await page.click('#begin');
      await page.waitForSelector('.setup');
      await page.keyboard.press('Enter');
      const state = await agree(page, 1);
      assert.equal(state.turns[0].text.split(' ').length, 15);
      assert.ok(!state.turns[0].text.includes('M'));
      assert.equal(state.clock.time_control, '30s/3m/100/5m/8h/0');
      assert.match(await page.locator('.strip.to-play .time').textContent(), /^\d:\d\d \+ 3:00$/);
    }),

  'a game is given up, announced with its reason, and played again with the sides changed': (browser) =>
    visit(browser, async (page) => {
      await page.waitForSelector('#begin');
      await page.getByText('Engine and its options').click();
      await page.locator('#engine').selectOption('random');
      await page.click('#begin');
      await page.waitForSelector('.setup');
      await page.keyboard.press('Enter');
      let state = await agree(page, 1);
      while (state.engine_to_move) state = await agree(page, state.version);
      await page.getByRole('button', { name: 'Resign' }).click();
      await page.locator('dialog .button.main').click();
      state = await agree(page, state.version);
      assert.equal(state.position.phase, 'over');
      await page.getByText(/Silver wins by resignation/i).first().waitFor();
      await page.getByRole('button', { name: 'Rematch' }).click();
      await page.waitForURL((url) => !url.hash.includes(state.id) && url.hash.startsWith('#/game/'));
      let again = await agree(page);
      while (again.engine_to_move) again = await agree(page, again.version);
      assert.equal(again.config.gold.kind, 'engine');
      assert.equal(again.position.side, 's');
      assert.equal(again.position.phase, 'setup');
    }),

  'the settings are kept': (browser) =>
    visit(browser, async (page) => {
      await page.waitForSelector('#begin');
      await page.keyboard.press('o');
      await page.getByRole('radio', { name: 'Dark' }).click();
      await page.getByRole('radio', { name: 'Letters' }).click();
      await page.getByRole('radio', { name: 'Sideways' }).click();
      await page.keyboard.press('Escape');
      await page.reload();
      await page.waitForSelector('#begin');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      assert.equal(await page.locator('.piece use[href^="#letters"]').count(), 32);
      const first = await page.locator('.board rect[data-at=a1]').getAttribute('y');
      assert.equal(first, '0', 'gold sits on the left');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
    }),

  'turns are spoken, and the page weighs less than 300 kB': (browser) =>
    visit(browser, async (page) => {
      let state = await twoPersons(page);
      await type(page, 'Ee2n');
      state = await agree(page, state.version);
      await type(page, '');
      await agree(page, state.version);
      await page.waitForFunction(() => document.getElementById('spoken')?.textContent?.startsWith('Gold: elephant e2 to e3'));
      const { weight } = await weigh(page);
      console.log(`        the page weighs ${weight} bytes`);
      assert.ok(50_000 < weight && weight < 300_000, String(weight));
    }),

  'Why draws the zones of a threat over the board and says them': (browser) =>
    visit(browser, async (page) => {
      const position = 's [       r     h      H     d            E    C  h    c        R  ]';
      await page.goto(`${new URL(page.url()).origin}/#/review?text=${encodeURIComponent(position)}`);
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to play'));
      await page.getByRole('button', { name: 'Why', exact: true }).click();
      const threat = page.locator('.remark', { hasText: 'push the horse from h3 through g3 into the trap on f3' });
      await threat.waitFor();
      assert.match(await threat.textContent(), /silver can guard f3 with the cat from e2/);
      await threat.click();
      await page.waitForSelector('.zone .track.victim[data-path="h3-g3-f3"]');
      assert.equal(await page.locator('.zone .track.attack[data-path="h4-h3"]').count(), 1);
      assert.equal(await page.locator('.zone .track.intercept[data-path="e2-f2"] circle').count(), 1);
      const dog = page.locator('.remark', { hasText: 'push the dog from c5 into the trap on c6' });
      await dog.click();
      await page.waitForSelector('.zone .track.attack[data-path="e6-e5-d5-c5"]');
      assert.equal(await page.locator('.zone .track.victim[data-path="h3-g3-f3"]').count(), 0);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.querySelectorAll('.zone .track').length === 0);
      assert.equal(await page.locator('.why').isVisible(), false);
      await type(page, 'ce2e');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('ce2e'));
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('Enter');
      await page.waitForSelector('.turns .here');
      await page.keyboard.press('w');
      await page.locator('.remark', { hasText: 'It saves the horse that gold could have captured from h3 on f3' }).waitFor();
      const left = page.locator('.remark', { hasText: 'It leaves the dog on c5' });
      await left.click();
      await page.waitForSelector('.zone .track.attack[data-path="e6-e5-d5-c5"]');
    }),

  "Why explains the engine's turn in a game, and goes when the game goes on": (browser) =>
    visit(browser, async (page, box) => {
      const board = '       r     h      H     d            E    C  h    c        R  ';
      const terms = { gold: { kind: 'engine', name: 'greedy', seconds: 1 }, silver: { kind: 'human' }, start: { board, tag: '2g' } };
      const made = await fetch(new URL('/api/v1/games', box.server.address), { method: 'POST', body: JSON.stringify(terms) });
      await page.goto(`${box.server.address}#/game/${(await made.json()).id}`);
      await page.waitForSelector('.turns .turn.gold');
      const state = await agree(page);
      assert.equal(state.turns.length, 1);
      await page.getByRole('button', { name: 'Why', exact: true }).click();
      const taken = page.locator('.remark.capture');
      await taken.waitFor();
      assert.match(await taken.textContent(), /It captures the horse from h3 on f3/);
      await taken.click();
      // The zone of a capture belongs to the board before it: the horse stands on h3 again.
      await page.waitForSelector('.zone .track.victim[data-path="h3-g3-f3"]');
      assert.equal(await shownBoard(page), board);
      await page.keyboard.press('w');
      await page.waitForFunction(() => document.querySelectorAll('.zone .track').length === 0);
      assert.equal(await shownBoard(page), state.position.board);
      await page.keyboard.press('w');
      await page.waitForSelector('.why .remark');
      await type(page, 'rh8s');
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector('.why')).hidden);
      await agree(page, state.version);
    }),
};
