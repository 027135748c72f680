// Playing games.
import assert from 'node:assert/strict';
import { drag, twoPlayerGame, type, withPage } from './fixture.mjs';
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
      await page.locator('dialog .button.main').click();
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
};
