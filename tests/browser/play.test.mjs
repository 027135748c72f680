// Playing games.
import assert from 'node:assert/strict';
import { drag, SETUPS, twoPlayerGame, type, withPage } from './fixture.mjs';
import { api, gameId, squareCenter, waitForServerState } from './game.mjs';
import { serve } from './harness.mjs';

export const tests = {
  'play: steps are undone and redone by key, button and wheel': (browser) =>
    withPage(browser, async (page) => {
      let state = await twoPlayerGame(page);
      const step = async (act) => {
        const before = state.version;
        await act();
        state = await waitForServerState(page, before);
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
      const { x, y } = await squareCenter(page, 'd5');
      await page.mouse.move(x, y);
      assert.equal(await step(() => page.mouse.wheel(0, -120)), 'Ee2n Ee3n Ee4n');
      assert.equal(await step(() => page.mouse.wheel(0, 120)), 'Ee2n Ee3n Ee4n Md2n');
      await step(() => page.keyboard.press('Enter'));
      assert.equal(state.position.tag, '2s');
      await step(() => page.getByRole('button', { name: 'Take back' }).click());
      assert.equal(state.position.tag, '2g');
    }),

  'play: a third repetition is rejected with the turns that it repeats': (browser) =>
    withPage(browser, async (page) => {
      let state = await twoPlayerGame(page);
      const turns = ['Ee2n', 'ed7s', 'Ee3s', 'ed6n', 'Ee2n', 'ed7s', 'Ee3s', 'ed6n'];
      for (const turn of turns.slice(0, 7)) {
        for (const text of [turn, '']) {
          const before = state.version;
          await type(page, text);
          state = await waitForServerState(page, before);
        }
      }
      await type(page, turns[7]);
      state = await waitForServerState(page, state.version);
      await type(page, '');
      await page.waitForFunction(() =>
        document
          .querySelector('.note')
          ?.textContent?.includes('repeats the position after 1s and 3s for the third time'),
      );
      assert.equal((await api(page, `/games/${gameId(page)}`)).turns.length, state.turns.length);
    }),

  'play: frozen pieces and losing steps are explained': (browser) =>
    withPage(browser, async (page) => {
      const board = `${' '.repeat(24)}   e    ${'   H    '}${' '.repeat(8)}${' D      '}R      R`;
      const query = new URLSearchParams({ board: `r      r${' '.repeat(16)}${board.slice(24)}`, tag: '5g' });
      await page.goto(`${new URL(page.url()).origin}/#/play?${query}`);
      await page.waitForSelector('#start-game');
      await page.getByRole('radio', { name: 'Two players' }).click();
      await page.click('#start-game');
      await page.waitForURL(/#\/game\//);
      await waitForServerState(page);
      const { x, y } = await squareCenter(page, 'd4');
      await page.mouse.click(x, y);
      await page.waitForFunction(() =>
        /frozen by the elephant on d5/.test(document.querySelector('.note')?.textContent ?? ''),
      );
      assert.equal(await page.locator('.overlay .frozen-icon').count(), 1);
      const [dog, trap] = [await squareCenter(page, 'b2'), await squareCenter(page, 'c3')];
      await page.mouse.move(dog.x, dog.y);
      await page.mouse.down();
      await page.mouse.move(trap.x, trap.y, { steps: 4 });
      await page.waitForSelector('.overlay .loss-square');
      assert.equal(await page.locator('.marks .path-square').count(), 2, 'the path is shown');
      await page.mouse.up();
    }),

  'play: a game survives a reload and a restart of the server': (browser) =>
    withPage(browser, async (page, box, data) => {
      let state = await twoPlayerGame(page);
      await type(page, 'Ee2nn');
      state = await waitForServerState(page, state.version);
      await page.reload();
      const again = await waitForServerState(page);
      assert.equal(again.position.turn_text, 'Ee2n Ee3n');
      const { port } = box.server;
      await box.server.stop('SIGKILL');
      await page.waitForSelector('.offline');
      box.server = await serve(data, port);
      await page.waitForFunction(() => !document.querySelector('.offline'));
      await type(page, 'Md2n');
      state = await waitForServerState(page, again.version);
      assert.equal(state.position.turn_text, 'Ee2n Ee3n Md2n');
      await type(page, '');
      state = await waitForServerState(page, state.version);
      assert.equal(state.turns.length, 3);
    }),

  'play: clocks and handicaps': (browser) =>
    withPage(browser, async (page) => {
      await page.waitForSelector('#start-game');
      await page.getByRole('radio', { name: 'Two players' }).click();
      await page.locator('#clock').focus();
      await page.keyboard.type('Blitz');
      await page.getByText('Handicap').click();
      await page.getByRole('button', { name: 'gold camel: 0 removed' }).click();
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      await page.keyboard.press('Enter');
      const state = await waitForServerState(page, 1);
      assert.equal(state.turns[0].text.split(' ').length, 15);
      assert.ok(!state.turns[0].text.includes('M'));
      assert.equal(state.clock.time_control, '30s/3m/100/5m/8h/0');
      assert.match(await page.locator('.player-bar.to-move .time').textContent(), /^\d:\d\d \+ 3:00$/);
    }),

  'play: resignation and rematch with exchanged sides': (browser) =>
    withPage(browser, async (page) => {
      await page.waitForSelector('#start-game');
      await page.getByText('Engine and options').click();
      await page.locator('#engine').selectOption('random');
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      await page.keyboard.press('Enter');
      let state = await waitForServerState(page, 1);
      while (state.engine_to_move) state = await waitForServerState(page, state.version);
      await page.getByRole('button', { name: 'Resign' }).click();
      await page.locator('dialog .button.danger').click();
      state = await waitForServerState(page, state.version);
      assert.equal(state.position.phase, 'over');
      await page
        .getByText(/Silver wins by resignation/i)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Rematch' }).click();
      await page.waitForURL((url) => !url.hash.includes(state.id) && url.hash.startsWith('#/game/'));
      let again = await waitForServerState(page);
      while (again.engine_to_move) again = await waitForServerState(page, again.version);
      assert.equal(again.config.gold.kind, 'engine');
      assert.equal(again.position.side, 's');
      assert.equal(again.position.phase, 'setup');
    }),

  'play: levels have names, sentences and results, clocks are in words': (browser) =>
    withPage(browser, async (page) => {
      await page.waitForSelector('#start-game');
      const { levels } = await api(page, '/info');
      assert.equal(levels.length, 10);
      for (const level of [1, 10, 4]) {
        await page.locator('#level').fill(String(level));
        const { name, description } = levels[level - 1];
        assert.equal(await page.locator('output.level').textContent(), `${level}: ${name}`);
        assert.equal(await page.locator('.level-description').textContent(), description);
      }
      assert.ok(!(await page.locator('#engine').isVisible()), 'engine details are folded away');
      const clocks = await page.locator('#clock option').allTextContents();
      assert.ok(clocks.includes('Standard: 2 minutes a turn, and 2 minutes in reserve'), clocks.join('\n'));
      assert.match(await page.locator('.level-results').textContent(), /not finished a game/);
      await page.locator('#name-you').fill('Ann');
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      assert.equal(await page.locator('.player-bar.to-move .name').textContent(), 'Ann');
      await page.keyboard.press('Enter');
      await waitForServerState(page, 1);
      await page.getByRole('button', { name: 'Resign' }).click();
      const confirm = page.locator('dialog .button.danger');
      const [red, green] = await confirm.evaluate((element) =>
        getComputedStyle(element).backgroundColor.match(/\d+/g).map(Number),
      );
      assert.ok(red > 150 && green < 100, 'a dangerous button is red');
      await confirm.click();
      await page.getByRole('heading', { name: /Silver wins by resignation/ }).waitFor();
      await page.getByRole('link', { name: 'New game' }).click();
      await page.getByText('Your results: 0 won, 1 lost.').waitFor();
      assert.equal(await page.locator('#name-you').inputValue(), 'Ann', 'the name is remembered');
      assert.equal(await page.locator('#continue-game').count(), 0, 'a finished game is not offered');
    }),

  'play: a running game goes on while other pages are shown, and the tab says whose turn it is': (browser) =>
    withPage(browser, async (page) => {
      await page.waitForFunction(() => document.title === 'New game – Surus');
      await page.locator('#level').fill('1');
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      await page.waitForFunction(() => document.title === 'Your turn – Surus');
      await page.keyboard.press('Enter');
      let state = await waitForServerState(page, 1);
      while (state.engine_to_move) state = await waitForServerState(page, state.version);
      await page.getByRole('link', { name: 'Review' }).click();
      await page.waitForSelector('.panel.review');
      assert.equal(await page.title(), 'Your turn – Surus');
      assert.equal((await api(page, '/stats')).games, 1, 'still connected');
      await page.getByRole('link', { name: 'Play' }).click();
      assert.equal((await waitForServerState(page)).id, state.id);
      // The engine plays while the review is shown.
      await type(page, 'Ra2n');
      state = await waitForServerState(page, state.version);
      await page.evaluate(() => document.activeElement?.blur());
      const turns = state.turns.length;
      await page.keyboard.press('Enter');
      await page.evaluate(() => {
        location.hash = '#/review';
      });
      await page.waitForFunction(
        async ([id, turns]) => (await (await fetch(`/api/v1/games/${id}`)).json()).turns.length === turns + 2,
        [state.id, turns],
      );
      await page.waitForFunction(() => document.title === 'Your turn – Surus');
      await page.waitForSelector('.top-bar a.your-turn');
      // Another start of the page offers the game.
      await page.goto('about:blank');
      await page.goBack();
      await page.reload();
      await page.getByRole('link', { name: 'Play' }).click();
      await page.locator('#continue-game').click();
      assert.equal((await waitForServerState(page)).id, state.id);
      await page.getByRole('link', { name: 'New game' }).click();
      await page.waitForSelector('#start-game');
    }),

  'play: the board of a new game is seen from the chosen side': (browser) =>
    withPage(browser, async (page) => {
      await page.waitForSelector('#start-game');
      const top = async (square) => (await squareCenter(page, square)).y;
      assert.ok((await top('a1')) > (await top('a8')));
      await page.getByRole('radio', { name: 'Silver' }).click();
      assert.ok((await top('a1')) < (await top('a8')));
      await page.click('#start-game');
      await page.waitForSelector('.setup');
      assert.ok((await top('a1')) < (await top('a8')));
      await page.getByRole('link', { name: 'New game' }).click();
      await page.waitForSelector('#start-game');
      await page.getByRole('radio', { name: 'Gold' }).click();
      assert.ok((await top('a1')) > (await top('a8')));
    }),

  'play: a hint shows a turn without playing it': (browser) =>
    withPage(browser, async (page) => {
      let state = await twoPlayerGame(page);
      await page.click('#hint');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.startsWith('Hint: '));
      const first = await page.locator('.note').textContent();
      const arrows = await page.locator('.hint-arrow').count();
      assert.ok(arrows >= 1 && arrows <= 4, `${arrows} arrows`);
      assert.equal((await api(page, `/games/${gameId(page)}`)).version, state.version);
      await page.keyboard.press('h');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent?.startsWith('Hint: '));
      assert.equal(await page.locator('.note').textContent(), first, 'the answer repeats');
      await type(page, 'Ee2n');
      state = await waitForServerState(page, state.version);
      assert.equal(await page.locator('.hint-arrow').count(), 0);
    }),

  'play: captures, goals and the end have an animation and a sound, and one click mutes': (browser) =>
    withPage(
      browser,
      async (page, box) => {
        await page.addInitScript(() => {
          window.tones = 0;
          window.seen = new Set();
          const create = AudioContext.prototype.createOscillator;
          AudioContext.prototype.createOscillator = function () {
            window.tones += 1;
            return create.call(this);
          };
          new MutationObserver(() => {
            if (document.querySelector('.winner')) window.seen.add('winner');
          }).observe(document, { subtree: true, childList: true, attributes: true });
        });
        const human = { kind: 'human' };
        const start = { board: boardOf('Rd7 Ed6 rh3'), tag: '9g' };
        const body = JSON.stringify({ gold: human, silver: human, start });
        const begun = await fetch(new URL('/api/v1/games', box.server.address), { method: 'POST', body });
        const { id } = await begun.json();
        await page.goto(`${box.server.address}#/game/${id}`);
        await page.reload();
        let state = await waitForServerState(page);
        const tones = () => page.evaluate(() => window.tones);
        const play = async (text) => {
          const before = await tones();
          await type(page, text);
          state = await waitForServerState(page, state.version);
          return (await tones()) - before;
        };
        assert.equal(await play('Ed6e'), 1, 'a step is one soft tone');
        await page.getByRole('button', { name: /Sound/ }).click();
        assert.equal(await play('Ee6e'), 0, 'muted');
        await page.getByRole('button', { name: /Sound/ }).click();
        assert.equal(await play('Rd7n'), 1);
        const before = await tones();
        await page.evaluate(() => document.activeElement?.blur());
        await page.keyboard.press('Enter');
        await page.locator('.result-banner', { hasText: 'Gold wins by goal.' }).waitFor();
        assert.ok((await tones()) - before >= 4, 'a melody');
        assert.ok(await page.evaluate(() => window.seen.has('winner')), 'the rabbit hops');
      },
      { reducedMotion: 'no-preference' },
    ),

  'play: a captured piece sinks into its trap': (browser) =>
    withPage(
      browser,
      async (page, box) => {
        const human = { kind: 'human' };
        const start = { board: boardOf('Ra1 Db2 rh8 ee5'), tag: '9g' };
        const body = JSON.stringify({ gold: human, silver: human, start });
        const begun = await fetch(new URL('/api/v1/games', box.server.address), { method: 'POST', body });
        await page.goto(`${box.server.address}#/game/${(await begun.json()).id}`);
        let state = await waitForServerState(page);
        await page.evaluate(() => {
          window.rings = 0;
          new MutationObserver(() => {
            window.rings = Math.max(window.rings, document.querySelectorAll('.capture-ring').length);
          }).observe(document, { subtree: true, childList: true });
        });
        await type(page, 'Db2n Db3e');
        state = await waitForServerState(page, state.version);
        assert.equal(state.captured, 'D');
        await page.waitForFunction(() => window.rings === 1);
        await page.waitForFunction(() => document.querySelectorAll('.pieces .piece').length === 3);
      },
      { reducedMotion: 'no-preference' },
    ),

  'play: the focus is on the board after the start and after dragging': (browser) =>
    withPage(browser, async (page) => {
      const isBoard = () => page.evaluate(() => document.activeElement?.matches('.board'));
      await page.waitForSelector('#start-game');
      await page.getByRole('radio', { name: 'Two players' }).click();
      await page.locator('#start-game').focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector('.setup');
      await page.waitForFunction(() => document.activeElement?.matches('.board'));
      assert.ok(await isBoard());
      let state = await waitForServerState(page);
      for (const text of SETUPS) {
        await type(page, text.slice(3));
        state = await waitForServerState(page, state.version);
      }
      await page.locator('#typed').focus();
      await drag(page, 'e2', 'e4');
      state = await waitForServerState(page, state.version);
      assert.equal(await page.evaluate(() => document.activeElement?.id), '', 'keys no longer type into the input');
      await page.keyboard.press('Enter');
      state = await waitForServerState(page, state.version);
      assert.equal(state.turns.length, 3);
    }),

  'play: rejected steps are shown as errors': (browser) =>
    withPage(browser, async (page) => {
      await twoPlayerGame(page);
      await type(page, 'Ra1s');
      await page.locator('.note.error', { hasText: "'Ra1s' leaves the board" }).waitFor();
      await page.fill('#typed', '');
      await type(page, 'Ee2n');
      await page.waitForFunction(() => document.querySelector('.note')?.textContent === '');
    }),

  'every page recovers when the server is back': (browser) =>
    withPage(browser, async (page, box, data) => {
      const state = await twoPlayerGame(page);
      const views = [
        ['#/play', '#start-game'],
        ['#/games', '.game'],
        ['#/review', '.note:not(.error)'],
        [`#/game/${state.id}`, '.turns .turn'],
      ];
      for (const [hash, ready] of views) {
        const { port } = box.server;
        await box.server.stop('SIGKILL');
        await page.evaluate((hash) => {
          location.hash = hash === location.hash ? '#/archive' : hash;
        }, hash);
        await page.locator('.error', { hasText: 'server does not respond' }).first().waitFor();
        box.server = await serve(data, port);
        await page.locator(ready).first().waitFor();
        await page.waitForFunction(() => !/does not respond/.test(document.querySelector('main')?.textContent ?? ''));
      }
    }),
};

/** A board from pieces, like `Ee2`. */
function boardOf(pieces) {
  const letters = new Map(pieces.split(' ').map((piece) => [piece.slice(1), piece[0]]));
  const squares = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...'abcdefgh'].map((file) => file + rank));
  return squares.map((square) => letters.get(square) ?? ' ').join('');
}
