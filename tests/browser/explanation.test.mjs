// The explanation: what it says, shows step by step, and hides until it is asked for.
import assert from 'node:assert/strict';
import { openRecord, type, withPage } from './fixture.mjs';
import { boardText, waitForServerState } from './game.mjs';

/** Gold can capture the horse on h3 and the dog on c5. */
const BOARD = '       r     h      H     d            E    C  h    c        R  ';

const RECORD = [
  '1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2',
  '1s ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8',
  '2g Ee2n Ee3n Ee4n Ee5n',
  '2s ra7s ra6s',
  '3g Ra2n',
].join('\n');

/** Opens a position in review, with its explanation. */
async function explain(page, position) {
  await page.goto(`${new URL(page.url()).origin}/#/review?text=${encodeURIComponent(position)}`);
  await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
  // All frames are recorded, because each is shown only for a moment.
  await page.evaluate(() => {
    const panel = /** @type {any} */ (document.querySelector('.explanation'));
    /** @type {string[]} */
    const frames = [];
    Object.assign(window, { frames_shown: frames });
    new MutationObserver(() => frames.push(panel.dataset.frame)).observe(panel, { attributeFilter: ['data-frame'] });
  });
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await page.waitForSelector('.remark.shown');
}

/** Waits until the step of a line is shown; an empty name means the position. */
const frame = (page, name) =>
  page.waitForFunction(
    (name) => /** @type {any} */ (document.querySelector('.explanation')).dataset.frame === name,
    name,
  );

const count = (page, selector) => page.locator(`.zone .trajectory${selector}`).count();

const shown = (page) => page.locator('.remark.shown').textContent();

export const tests = {
  'explanation: a threat and its best answer are drawn, played and stepped through': (browser) =>
    withPage(browser, async (page) => {
      await explain(page, `s [${BOARD}]`);
      assert.match(
        await shown(page),
        /^Gold threatens to capture your horse on h3: its elephant on h4 pushes the horse/,
      );
      assert.match(
        await page.locator('.response').textContent(),
        /^Your best answer: your cat on e2 steps to f2 and your dog on c5 steps to d5\. .* neither win nor capture anything\.$/,
      );
      // It is played once without being asked, and ends at the position.
      await page.waitForFunction(() => /** @type {any} */ (window).frames_shown.includes('answer 2'));
      await frame(page, '');
      const frames = await page.evaluate(() => /** @type {any} */ (window).frames_shown.filter(Boolean));
      const expected = ['line 0', 'line 1', 'line 2', 'line 3', 'line 4', 'answer 0', 'answer 1', 'answer 2'];
      assert.deepEqual([...new Set(frames)], expected);
      assert.equal(await boardText(page), BOARD);
      assert.deepEqual(
        [await count(page, '.line'), await count(page, '.line.displaced'), await count(page, '.answer')],
        [4, 2, 2],
      );
      await page.getByRole('button', { name: 'Step forward' }).click();
      await frame(page, 'line 1');
      assert.equal((await boardText(page)).slice(40, 48), '    C h ');
      assert.equal(await count(page, ''), 1);
      assert.equal(await page.locator('.step').textContent(), 'Threat: hh3w');
      for (const name of ['line 2', 'line 3', 'line 4', 'answer 0', 'answer 1']) {
        await page.getByRole('button', { name: 'Step forward' }).click();
        await frame(page, name);
      }
      assert.equal(await page.locator('.step').textContent(), 'Answer: ce2e');
      await page.keyboard.press('Escape');
      await frame(page, '');
      assert.equal(await boardText(page), BOARD);
      assert.equal(await page.locator('.explanation').isVisible(), true);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('.explanation').isVisible(), false);
      assert.equal(await count(page, ''), 0);
    }),

  'explanation: a win now comes first, everything else on request': (browser) =>
    withPage(browser, async (page) => {
      await explain(page, `g [${'r       '} R         hE   ${' '.repeat(24)}      r R       ]`);
      assert.equal(await shown(page), 'You can win now by a goal on b8: your rabbit on b7 steps to b8.');
      const threat = page.getByText('Silver threatens to win by a goal on g1');
      assert.equal(await threat.isVisible(), false);
      await page.locator('summary', { hasText: 'More about this position (2)' }).click();
      await threat.click();
      assert.match(await shown(page), /^Silver threatens to win by a goal on g1: its rabbit on g2 steps to g1\.$/);
      // The list stays open, and has the first remark now.
      await page.getByText('You can capture the horse on d6').click();
      assert.equal(await page.locator('.response').textContent(), 'If you stop there, silver can win by a goal on g1.');
      for (const name of ['line 1', 'line 2', 'answer 0', 'answer 1']) {
        await page.getByRole('button', { name: 'Step forward' }).click();
        await frame(page, name);
      }
      assert.equal((await boardText(page)).slice(56), 'R     r ');
    }),

  'explanation: other answers, the zone and terms are shown on request': (browser) =>
    withPage(browser, async (page) => {
      await explain(page, `s [${BOARD}]`);
      assert.match(await page.locator('.terms').textContent(), /trap.*is captured.*push.*two steps/);
      await page.getByRole('button', { name: 'Zone' }).click();
      await page.waitForSelector('.zone .trajectory.victim[data-path="h3-g3-f3"]');
      assert.equal(await count(page, '.attack[data-path="h4-h3"]'), 1);
      assert.equal(await count(page, '.intercept[data-path="e2-f2"]'), 1);
      assert.equal(await count(page, '.line'), 0);
      assert.match(await page.locator('.explanation .hint').textContent(), /^A zone illustrates an attack/);
      await page.getByRole('button', { name: 'Zone' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.zone .trajectory.line').length === 4);
      await page.locator('summary', { hasText: 'Other answers (1)' }).click();
      await page.getByText('Your cat on e2 steps to f2 to guard f3').click();
      assert.match(
        await page.locator('.response').textContent(),
        /^Another answer: .* Then gold can capture your dog on c5\.$/,
      );
      assert.equal(await count(page, '.answer'), 1);
      await page.locator('summary', { hasText: 'More about this position' }).click();
      await page.locator('.explanation').getByText('Gold threatens to capture your dog on c5').click();
      // Terms are explained once.
      assert.equal(await page.locator('.terms', { hasText: 'trap' }).count(), 0);
    }),

  'explanation: stays open while walking through a game': (browser) =>
    withPage(browser, async (page) => {
      await openRecord(page, RECORD);
      for (let turn = 0; turn < 3; turn++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('w');
      await page.locator('.remark.shown', { hasText: 'within a turn' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.locator('summary', { hasText: 'Turn 2s' }).waitFor();
      assert.equal(await page.locator('.explanation').isVisible(), true);
      await page.keyboard.press('ArrowLeft');
      await page.locator('summary', { hasText: 'Turn 2g' }).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.locator('.explanation', { hasText: 'There is nothing to explain yet' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('summary', { hasText: 'Turn 3g' }).waitFor();
    }),

  "explanation: explains the engine's turn and follows the game": (browser) =>
    withPage(browser, async (page, box) => {
      const terms = {
        gold: { kind: 'engine', name: 'greedy', seconds: 1 },
        silver: { kind: 'human' },
        start: { board: BOARD, tag: '2g' },
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
      await page.locator('summary', { hasText: 'Turn 2g' }).click();
      const taken = page.locator('.remark.capture', { hasText: 'It captures the horse from h3 on f3' });
      await taken.click();
      await page.getByRole('button', { name: 'Zone' }).click();
      // The zone of a capture belongs to the board before it: the horse is on h3 again.
      await page.waitForSelector('.zone .trajectory.victim[data-path="h3-g3-f3"]');
      assert.equal(await boardText(page), BOARD);
      await page.getByRole('button', { name: 'Zone' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.zone .trajectory').length === 0);
      assert.equal(await boardText(page), state.position.board);
      // The board can be played on, and the explanation follows.
      await page.click('[data-square=h8]');
      await page.click('[data-square=h7]');
      await waitForServerState(page, state.version);
      assert.equal(await page.locator('.explanation').isVisible(), true);
      await page.locator('.remark.shown').waitFor();
      await type(page, 'rh7s');
      assert.equal(await page.locator('.explanation').isVisible(), false, 'Escape closes it');
    }),
};
