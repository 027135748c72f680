// A page to test, and what every test of a page does with it.
import assert from 'node:assert/strict';
import { agree } from './game.mjs';
import { newFolder, serve } from './lib.mjs';

export const SETUPS = [
  '1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2',
  '1s ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8',
];

/** A page with a server of its own, which is gone afterwards; `prepare` may put something into its folder before. */
export async function visit(browser, test, { prepare = null, ...wanted } = {}) {
  const options = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...wanted };
  const data = newFolder();
  prepare?.(data);
  const box = { server: await serve(data) };
  const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const [errors, strangers] = [[], []];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(box.server.address)) strangers.push(request.url());
  });
  try {
    await page.goto(box.server.address);
    await test(page, box, data);
    assert.deepEqual(errors, []);
    assert.deepEqual(strangers, [], 'no request leaves the machine');
  } finally {
    await context.close();
    await box.server.stop();
  }
}

/** A game between two persons, set up already. */
export async function twoPersons(page) {
  await page.waitForSelector('#begin');
  await page.getByRole('radio', { name: 'Friend here' }).click();
  await page.click('#begin');
  await page.waitForSelector('.setup');
  let state = await agree(page);
  for (const text of SETUPS) {
    await type(page, text.slice(3));
    state = await agree(page, state.version);
  }
  return state;
}

export async function type(page, text) {
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}
