// Screenshots of the main views, light and dark, desktop and phone: node screenshots.mjs DIRECTORY [REGEX OF NAMES]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AeiEngine } from './aei_engine.mjs';
import { waitForServerState } from './game.mjs';
import { launchBrowser, makeTempDir, serve, withArchive } from './harness.mjs';
import { VIEWS } from './views.mjs';

const dir = process.argv[2] ?? 'target/screenshots';
const filter = new RegExp(process.argv[3] ?? '');
mkdirSync(dir, { recursive: true });
const data = makeTempDir();
withArchive(data);
const server = await serve(data);
const browser = await launchBrowser();

const SIZES = [
  { name: 'small', viewport: { width: 1280, height: 720 } },
  { name: 'laptop', viewport: { width: 1366, height: 768 } },
  { name: 'large', viewport: { width: 1920, height: 1080 } },
  { name: 'phone', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  { name: 'landscape', viewport: { width: 740, height: 360 }, isMobile: true, hasTouch: true },
];

async function post(path, body) {
  const response = await fetch(new URL(path, server.address), { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

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
      await page.goto(server.address);
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
