// Complete games against level 1, each with one kind of input.
import assert from 'node:assert/strict';
import { playGame, setOrigin, startGame, waitForServerState } from './game.mjs';
import { makeTempDir, serve } from './harness.mjs';
import { keyboard, mouse, touch } from './input_drivers.mjs';

const RESULTS_ON_THE_BOARD = ['goal', 'elimination of all rabbits', 'immobilisation'];

/** The opponent's seed, with which a push, a pull and a capture happen. Without one every game is another. */
const SEED = 1;

function fixSeed(route) {
  if (route.request().method() !== 'POST') return route.continue();
  const config = route.request().postDataJSON();
  for (const player of [config.gold, config.silver]) if (player.kind === 'engine') player.name += `,seed=${SEED}`;
  return route.continue({ postData: JSON.stringify(config) });
}

async function completeGame(browser, options, makeDriver) {
  const server = await serve(makeTempDir());
  const context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  try {
    setOrigin(server.address);
    await page.route('**/api/v1/games', fixSeed);
    await page.goto(server.address);
    const driver = await makeDriver(page);
    await startGame(page, driver);
    await driver.setUp();
    await waitForServerState(page, 1);
    const { state, played } = await playGame(page, driver);
    const { reason } = state.position.end;
    const { turns, push, pull, capture } = played;
    console.log(`        ${turns} turns, ${push} pushes, ${pull} pulls, ${capture} captures: ${reason}`);
    assert.ok(
      RESULTS_ON_THE_BOARD.some((prefix) => reason.startsWith(prefix)),
      reason,
    );
    assert.ok(push && pull && capture, 'a push, a pull and a capture were played');
    await page.getByRole('heading', { name: /wins by/ }).waitFor();
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
    await server.stop();
  }
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export const tests = {
  'a complete game by mouse': (browser) => completeGame(browser, { viewport: DESKTOP }, mouse),
  'a complete game by keyboard': (browser) =>
    completeGame(browser, { viewport: DESKTOP, reducedMotion: 'reduce' }, keyboard),
  'a complete game by touch on a phone': (browser) =>
    completeGame(browser, { ...PHONE, reducedMotion: 'reduce' }, touch),
};
