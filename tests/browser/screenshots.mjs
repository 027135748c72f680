// Screenshots of the main views, light and dark, desktop and phone: node screenshots.mjs DIRECTORY [REGEX OF NAMES]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AeiEngine } from './aei_engine.mjs';
import { waitForServerState } from './game.mjs';
import { launchBrowser, makeTempDir, serve, withArchive } from './harness.mjs';

const dir = process.argv[2] ?? 'target/screenshots';
const filter = new RegExp(process.argv[3] ?? '');
mkdirSync(dir, { recursive: true });
const data = makeTempDir();
withArchive(data);
const server = await serve(data);
const browser = await launchBrowser();

const TURNS = [
  '1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2',
  '1s ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7',
  '2g Ee2n Ee3n Ee4n Hg2n',
  '2s ed7s ed6s hb7s hb6s',
  '3g Ee5n me7w Ee6n Hg3n',
  '3s ed5s ed4w hb5e hg7s',
  '4g Ee7s cf7w Hg4n Md2n',
  '4s rh7s rh6s ec4e hc5w',
];
const THREATENED = 's [       r     h      H     d            E    C  h    c        R  ]';

const SIZES = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'large', viewport: { width: 1920, height: 1080 } },
  { name: 'phone', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  { name: 'landscape', viewport: { width: 740, height: 360 }, isMobile: true, hasTouch: true },
];

async function post(path, body) {
  const response = await fetch(new URL(path, server.address), { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

/** The views, each as a function that opens it. */
const VIEWS = {
  async new(page) {
    await page.goto(server.address);
    await page.waitForSelector('#start-game');
  },
  async setup(page) {
    await VIEWS.new(page);
    await page.click('#start-game');
    await page.waitForSelector('.setup');
  },
  async setups(page) {
    await VIEWS.setup(page);
    await page.locator('.popular-setups summary').click();
    await page.waitForSelector('.setup-entry');
  },
  async play(page) {
    const silver = { kind: 'engine', name: 'greedy' };
    const config = { gold: { kind: 'human' }, silver, time_control: '2m/2m/100/10m/8h', start: null };
    const { id } = await post('/api/v1/games', config);
    await page.goto(`${server.address}#/game/${id}`);
    await page.waitForSelector('.setup');
    await page.keyboard.press('Enter');
    let state = await waitForServerState(page, 1);
    while (state.engine_to_move) state = await waitForServerState(page, state.version);
    for (const text of ['Ee2nn', 'Md2n']) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      state = await waitForServerState(page, state.version);
    }
    await page.evaluate(() => document.activeElement?.blur());
    await page.locator('.board rect[data-square=b2]').first().click({ force: true });
  },
  async review(page) {
    await page.goto(`${server.address}#/review`);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.fill('#record-text', TURNS.join('\n'));
    await page.locator('dialog .button.main').click();
    await page.waitForSelector('.turns .turn');
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(500);
    for (const text of ['hg7s', '']) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      await page.waitForTimeout(300);
    }
  },
  async explanation(page) {
    await page.goto(`${server.address}#/review?text=${encodeURIComponent(THREATENED)}`);
    await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.waitForSelector('.remark');
  },
  async explorer(page) {
    await page.goto(`${server.address}#/review?archive=1&before=1s`);
    await page.waitForSelector('.turns .turn');
    const pressed = await page.getByRole('button', { name: 'Explorer' }).getAttribute('aria-pressed');
    if (pressed === 'false') await page.getByRole('button', { name: 'Explorer' }).click();
    await page.waitForSelector('.explorer-turn');
    await page.locator('.explorer').scrollIntoViewIfNeeded();
  },
  async filters(page) {
    await VIEWS.explorer(page);
    await page.locator('.filters summary').click();
    await page.locator('.filters').scrollIntoViewIfNeeded();
  },
  async search(page) {
    await page.goto(`${server.address}#/archive`);
    await page.waitForSelector('#squares');
    await page.fill('#squares', 'Ee2 .d5 hb7');
    await page.click('#search');
    await page.waitForSelector('.results .archived-game');
  },
  async games(page) {
    await page.goto(`${server.address}#/games`);
    await page.waitForSelector('.game');
  },
  async share(page) {
    await VIEWS.explanation(page);
    await page.getByRole('button', { name: 'Share' }).click();
  },
  async settings(page) {
    await VIEWS.new(page);
    await page.getByRole('button', { name: /Settings/ }).click();
  },
  async help(page) {
    await VIEWS.new(page);
    await page.getByRole('button', { name: /Keys/ }).click();
  },
};

/** The picture of the README: a game after some turns. */
async function boardPicture() {
  const viewport = { width: 1180, height: 760 };
  const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const { id } = await post('/api/v1/games', { gold: { kind: 'human' }, silver: { kind: 'engine', name: 'greedy' } });
  await page.goto(`${server.address}#/game/${id}`);
  await page.waitForSelector('.setup');
  await page.keyboard.press('Enter');
  let state = await waitForServerState(page, 1);
  const engine = new AeiEngine();
  const enter = async (text) => {
    await page.fill('#typed', text);
    await page.press('#typed', 'Enter');
    state = await waitForServerState(page, state.version);
  };
  for (let turn = 0; turn < 9; turn++) {
    while (state.engine_to_move) state = await waitForServerState(page, state.version);
    const steps = await engine.turn(state.turns);
    await enter(steps.join(' '));
    if (turn < 8) await enter('');
  }
  engine.close();
  await page.evaluate(() => document.activeElement?.blur());
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(dir, 'board.png') });
  await context.close();
}

for (const { name: size, ...options } of SIZES) {
  for (const theme of ['light', 'dark']) {
    const context = await browser.newContext({ ...options, colorScheme: theme, reducedMotion: 'reduce' });
    for (const [view, open] of Object.entries(VIEWS)) {
      const name = `${view}-${size}-${theme}`;
      if (!filter.test(name)) continue;
      const page = await context.newPage();
      await open(page);
      await page.waitForTimeout(350);
      await page.screenshot({ path: join(dir, `${name}.png`) });
      await page.close();
    }
    await context.close();
  }
}
if (filter.test('board')) await boardPicture();
await browser.close();
await server.stop();
