// Pictures of the main views, light and dark, desktop and phone: node screenshots.mjs FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AeiEngine } from './aei_engine.mjs';
import { waitForServerState } from './game.mjs';
import { launchBrowser, makeTempDir, serve, withArchive } from './harness.mjs';

const dir = process.argv[2] ?? 'target/screenshots';
mkdirSync(dir, { recursive: true });
const data = makeTempDir();
withArchive(data);
const server = await serve(data);
const browser = await launchBrowser();
const TURNS = [
  'Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2',
  'ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7',
  'Ee2n Ee3n Ee4n Hg2n',
  'ed7s ed6s hb7s hb6s',
  'Ee5n me7w Ee6n Hg3n',
  'ed5s ed4w hb5e hg7s',
  'Ee7s cf7w Hg4n Md2n',
  'rh7s rh6s ec4e hc5w',
];
const post = async (path, body) =>
  (await fetch(new URL(path, server.address), { method: 'POST', body: JSON.stringify(body) })).json();

for (const [size, viewport, mobile] of [
  ['desktop', { width: 1280, height: 800 }, false],
  ['phone', { width: 360, height: 740 }, true],
]) {
  for (const theme of ['light', 'dark']) {
    const context = await browser.newContext({
      viewport,
      colorScheme: theme,
      isMobile: mobile,
      hasTouch: mobile,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const shot = async (name) => {
      await page.waitForTimeout(350);
      await page.screenshot({ path: join(dir, `${name}-${size}-${theme}.png`) });
    };
    await page.goto(server.address);
    await page.waitForSelector('#start-game');
    await shot('new');
    await page.click('#start-game');
    await page.waitForSelector('.setup');
    await shot('setup');
    await page.locator('.popular-setups summary').click();
    await page.waitForSelector('.setup-entry');
    await shot('setups');
    const person = { kind: 'human' };
    const { id } = await post('/api/v1/games', {
      gold: person,
      silver: { kind: 'engine', name: 'greedy' },
      time_control: '2m/2m/100/10m/8h',
      start: null,
    });
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
    const box = await page.locator('.board rect[data-square=b2]').first().boundingBox();
    await page.mouse.click(box.x + 10, box.y + 10);
    await shot('play');
    await post('/api/v1/games', { gold: person, silver: person });
    await page.goto(`${server.address}#/review`);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const tags = ['1g', '1s', '2g', '2s', '3g', '3s', '4g', '4s'];
    await page.fill('#record-text', TURNS.map((turn, index) => `${tags[index]} ${turn}`).join('\n'));
    await page.locator('dialog .button.main').click();
    await page.waitForSelector('.turns .turn');
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(500);
    await page.fill('#typed', 'hg7s');
    await page.press('#typed', 'Enter');
    await page.waitForTimeout(300);
    await page.press('#typed', 'Enter');
    await page.waitForTimeout(300);
    await shot('review');
    await page.goto(`${server.address}#/review?archive=1&before=1s`);
    await page.waitForSelector('.turns .turn');
    await page.getByRole('button', { name: 'Explorer' }).click();
    await page.waitForSelector('.explorer-turn');
    if (mobile) await page.locator('.explorer').scrollIntoViewIfNeeded();
    else await page.locator('.explorer-turn').first().hover();
    await shot('explorer');
    await page.locator('.filters summary').click();
    await page.locator('.filters').scrollIntoViewIfNeeded();
    await shot('filters');
    await page.goto(`${server.address}#/archive`);
    await page.waitForSelector('#squares');
    await page.fill('#squares', 'Ee2 .d5 hb7');
    await page.click('#search');
    await page.waitForSelector('.results .archived-game');
    await shot('search');
    await page.goto(`${server.address}#/games`);
    await page.waitForSelector('.game');
    await shot('games');
    await page.goto(`${server.address}#/play`);
    await page.waitForSelector('#start-game');
    await page.getByRole('button', { name: /Settings/ }).click();
    await shot('settings');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Keys/ }).click();
    await shot('help');
    await context.close();
  }
}
// The picture of the README: a game some turns old.
const context = await browser.newContext({
  viewport: { width: 1180, height: 760 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
});
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
await browser.close();
await server.stop();
