// Whole games against level 1, each by one kind of input.
import assert from 'node:assert/strict';
import { newFolder, serve } from './lib.mjs';
import { agree, begin, playOut, setOrigin } from './game.mjs';
import { keyboard, mouse, touch } from './hands.mjs';

const ENDS_BY_RULE = ['goal', 'elimination of all rabbits', 'immobilisation'];

async function whole(browser, options, makeHand) {
  const server = await serve(newFolder());
  const context = await browser.newContext(options);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  try {
    setOrigin(server.address);
    await page.goto(server.address);
    const hand = await makeHand(page);
    await begin(page, hand);
    await hand.setUp();
    await agree(page, 1);
    const { state, done } = await playOut(page, hand);
    console.log(`        ${done.turns} turns, ${done.push} pushes, ${done.pull} pulls, ${done.capture} captures: ${state.position.end.reason}`);
    assert.ok(ENDS_BY_RULE.some((reason) => state.position.end.reason.startsWith(reason)), state.position.end.reason);
    assert.ok(done.push && done.pull && done.capture, 'a push, a pull and a capture were played');
    await page.getByRole('heading', { name: /wins by/ }).waitFor();
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
    await server.stop();
  }
}

export const tests = {
  'a whole game by mouse': (browser) => whole(browser, { viewport: { width: 1280, height: 800 } }, mouse),
  'a whole game by keyboard': (browser) => whole(browser, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' }, keyboard),
  'a whole game by touch on a phone': (browser) =>
    whole(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' }, touch),
};
