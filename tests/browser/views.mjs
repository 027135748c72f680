// The views of the page, each as a function that opens it on a server with an archive.
import { waitForServerState } from './game.mjs';

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

const origin = (page) => new URL(page.url()).origin;

async function post(page, path, body) {
  const response = await fetch(`${origin(page)}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

/** Opens another address of the page. */
async function open(page, hash) {
  await page.goto(`${origin(page)}/${hash}`);
  await page.reload();
}

/** A record with one unreadable game. */
const TWO_GAMES = `${TURNS.join('\n')}\n\n1g Ra1 Xa2\n\n1w Ca1 Rd2\n1b ra5\n2w pass`;

/** A game with limited searches and three lines. */
async function openAnalysis(page) {
  await page.goto(`${origin(page)}/#/review`);
  const settings = { enabled: false, lines: 3, threads: 1, hash: 16, nodes: 60_000, gameNodes: 10_000 };
  await page.evaluate((value) => localStorage.setItem('surus.analysis', value), JSON.stringify(settings));
  await open(page, `#/review?text=${encodeURIComponent(TURNS.join('\n'))}`);
  await page.waitForSelector('.turns .turn');
  for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
}

export const VIEWS = {
  async new(page) {
    await open(page, '#/play');
    await page.waitForSelector('#start-game');
  },
  async options(page) {
    await VIEWS.new(page);
    await page.getByText('Engine and options').click();
    await page.getByText('Handicap').click();
  },
  async players(page) {
    await VIEWS.new(page);
    await page.getByRole('radio', { name: 'Two players' }).click();
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
    const config = { gold: { kind: 'human', name: 'Ann' }, silver, time_control: '2m/2m/100/10m/8h', start: null };
    const { id } = await post(page, '/api/v1/games', config);
    await open(page, `#/game/${id}`);
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
  async hint(page) {
    await VIEWS.play(page);
    await page.click('#hint');
    await page.locator('.note', { hasText: 'Hint: ' }).waitFor();
  },
  async won(page) {
    const start = { board: `${' '.repeat(8)}   R    ${' '.repeat(40)}r       `, tag: '20g' };
    const players = { gold: { kind: 'human' }, silver: { kind: 'human' } };
    const board = `${' '.repeat(8)}   R    ${' '.repeat(8)}r       ${' '.repeat(32)}`;
    const { id } = await post(page, '/api/v1/games', { ...players, start: { ...start, board } });
    await open(page, `#/game/${id}`);
    let state = await waitForServerState(page);
    for (const text of ['Rd7n', '']) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      state = await waitForServerState(page, state.version);
    }
    await page.waitForSelector('.result-banner:not([hidden])');
  },
  async resign(page) {
    await VIEWS.play(page);
    await page.getByRole('button', { name: 'Resign' }).click();
  },
  async opening(page) {
    await open(page, '#/review');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
  },
  async failures(page) {
    await VIEWS.opening(page);
    await page.fill('#record-text', TWO_GAMES);
    await page.locator('dialog .button.main').click();
    await page.waitForSelector('.failures');
  },
  async review(page) {
    await open(page, '#/review');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.fill('#record-text', TURNS.join('\n'));
    await page.locator('dialog .button.main').click();
    await page.waitForSelector('.turns .turn');
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(500);
    for (const text of ['hg7s', '']) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      await page.waitForTimeout(300);
    }
  },
  async explanation(page) {
    await open(page, `#/review?text=${encodeURIComponent(THREATENED)}`);
    await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.locator('.explanation li').first().waitFor({ state: 'attached' });
  },
  async explorer(page) {
    await open(page, '#/review?archive=1&before=1s');
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
    await open(page, '#/archive');
    await page.waitForSelector('#squares');
    await page.fill('#squares', 'Ee2 .d5 hb7');
    await page.click('#search');
    await page.waitForSelector('.results .archived-game');
  },
  async player(page) {
    await open(page, '#/archive');
    await page.waitForSelector('#squares');
    await page.fill('#player', 'player1');
    await page.click('#find-player');
    await page.waitForSelector('.results [data-player]');
  },
  async engine(page) {
    await openAnalysis(page);
    await page.keyboard.press('l');
    await page.waitForSelector('.engine[data-state=done]');
  },
  async game(page) {
    await openAnalysis(page);
    await page.getByRole('button', { name: 'Analyse game' }).click();
    await page.waitForSelector('.game-analysis[data-analysed=done]');
    await page.locator('.graph').scrollIntoViewIfNeeded();
  },
  async learn(page) {
    await VIEWS.game(page);
    await page
      .getByRole('button', { name: /^Learn from/ })
      .first()
      .click();
    await page.locator('.learn').scrollIntoViewIfNeeded();
  },
  async tactics(page) {
    await open(page, `#/review?text=${encodeURIComponent(THREATENED)}`);
    await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
    await page.keyboard.press('t');
    await page.waitForSelector('.tactics button.tactic');
  },
  async threat(page) {
    await open(page, `#/review?text=${encodeURIComponent(THREATENED)}`);
    await page.waitForFunction(() => document.querySelector('.note')?.textContent?.includes('to move'));
    await page.keyboard.press('x');
    await page.waitForSelector('section.threat[data-done=true]');
  },
  async evaluation(page) {
    await openAnalysis(page);
    await page.keyboard.press('v');
    await page.waitForSelector('.evaluation tbody tr');
  },
  async editor(page) {
    await open(page, `#/editor?board=${encodeURIComponent(THREATENED.slice(3, -1))}&tag=12s`);
    await page.waitForSelector('.checks li');
    await page.getByRole('button', { name: 'gold horse' }).click();
  },
  async games(page) {
    await open(page, '#/games');
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
