// A page with its own server, for one test.
import assert from 'node:assert/strict';
import { squareCenter, waitForServerState } from './game.mjs';
import { makeTempDir, serve } from './harness.mjs';

export const SETUPS = [
  '1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2',
  '1s ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8',
];

/**
 * Runs a test on a page. `prepare` is called with the data directory before the server starts, `serverArgs` gives further
 * arguments of the server.
 */
export async function withPage(browser, test, { prepare = null, serverArgs = () => [], ...overrides } = {}) {
  const options = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...overrides };
  const data = makeTempDir();
  prepare?.(data);
  // A test may restart the server.
  const box = { server: await serve(data, 0, serverArgs()) };
  const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const [errors, externalRequests] = [[], []];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    const isLocal = /^(data|blob):/.test(request.url()) || request.url().startsWith(box.server.address);
    if (!isLocal) externalRequests.push(request.url());
  });
  try {
    await page.goto(box.server.address);
    await test(page, box, data);
    assert.deepEqual(errors, []);
    assert.deepEqual(externalRequests, [], 'no request leaves the machine');
  } finally {
    await context.close();
    await box.server.stop();
  }
}

/** Starts a game of two human players and sets it up. */
export async function twoPlayerGame(page) {
  await page.waitForSelector('#start-game');
  await page.getByRole('radio', { name: 'Two players' }).click();
  await page.click('#start-game');
  await page.waitForSelector('.setup');
  let state = await waitForServerState(page);
  for (const text of SETUPS) {
    await type(page, text.slice(3));
    state = await waitForServerState(page, state.version);
  }
  return state;
}

/** Types into the input for steps. */
export async function type(page, text) {
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Drags with the mouse. */
export async function drag(page, from, to, button = 'left') {
  const [a, b] = [await squareCenter(page, from), await squareCenter(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down({ button });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await page.mouse.up({ button });
}

/** Opens a record in the review page. */
export async function openRecord(page, text) {
  await page.goto(`${new URL(page.url()).origin}/#/review`);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.fill('#record-text', text);
  await page.locator('dialog .button.main').click();
  await page.waitForSelector('.turns .turn');
  // It opens after its setups.
  await page.keyboard.press('ArrowUp');
}
