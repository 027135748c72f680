// Every view: accessible, without overflow, and without nested scrollbars.
import assert from 'node:assert/strict';
import { withPage } from './fixture.mjs';
import { axeViolations, withArchive } from './harness.mjs';
import { VIEWS } from './views.mjs';

const stocked = (browser, test, options = {}) => withPage(browser, test, { prepare: withArchive, ...options });

/** Opens every view and collects what a check finds wrong with it. */
async function checkViews(page, check, names = Object.keys(VIEWS)) {
  const problems = [];
  for (const name of names) {
    await VIEWS[name](page);
    // Fonts and late responses.
    await page.waitForTimeout(100);
    problems.push(...(await check(page)).map((problem) => `${name}: ${problem}`));
  }
  assert.deepEqual(problems, []);
}

/** What does not fit: the page, texts in buttons, and scrollable elements inside each other. */
function layoutProblems(page) {
  return page.evaluate(() => {
    const problems = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`the page is ${scrollWidth - clientWidth} px too wide`);
    for (const button of document.querySelectorAll('button, a.button, select')) {
      const name = button.textContent?.trim().slice(0, 30);
      const isTurn = button.matches('.band, .turn, .segments *');
      if (!isTurn && button.clientWidth && button.scrollWidth > button.clientWidth + 1)
        problems.push(`text of "${name}" overflows`);
    }
    const scrolls = (element) =>
      /auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
    for (const element of document.querySelectorAll('main *, dialog *')) {
      if (!scrolls(element) || element.matches('textarea')) continue;
      const outer = element.parentElement?.closest('main *, dialog');
      for (let around = outer; around; around = around.parentElement?.closest('main *, dialog')) {
        if (scrolls(around)) problems.push(`${element.className} scrolls inside ${around.className || around.tagName}`);
      }
    }
    return problems;
  });
}

/** On a desktop nothing scrolls but parts of the panel. */
async function desktopProblems(page) {
  const problems = await layoutProblems(page);
  const overflow = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return location.hash.startsWith('#/games') ? 0 : scrollHeight - clientHeight;
  });
  return overflow > 0 ? [...problems, `the page is ${overflow} px too high`] : problems;
}

const boardWidth = (page) => page.evaluate(() => document.querySelector('.board').getBoundingClientRect().width);

const tests = {
  'views: the board is large enough on a phone': (browser) =>
    stocked(
      browser,
      async (page) => {
        for (const name of ['new', 'setup', 'play', 'review', 'explorer', 'search']) {
          await page.setViewportSize({ width: 740, height: 360 });
          await VIEWS[name](page);
          assert.ok((await boardWidth(page)) >= 250, `${name} in landscape: ${await boardWidth(page)}`);
          await page.setViewportSize({ width: 360, height: 740 });
          assert.ok((await boardWidth(page)) >= 350, `${name}: ${await boardWidth(page)}`);
        }
      },
      { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true },
    ),

  'views: a wide screen has a column for the turns': (browser) =>
    stocked(
      browser,
      async (page) => {
        for (const name of ['play', 'review', 'explorer']) {
          await VIEWS[name](page);
          const [top, turns] = await page.evaluate(() =>
            ['.panel-top', '.turns'].map((selector) => document.querySelector(selector).getBoundingClientRect()),
          );
          assert.ok(turns.left >= top.right, `${name}: the turns are next to the buttons`);
          assert.ok(turns.height > 600, `${name}: ${turns.height}`);
        }
      },
      { viewport: { width: 1920, height: 1080 } },
    ),

  'views: the buttons stay in place whatever is above and below them': (browser) =>
    stocked(browser, async (page) => {
      await VIEWS.review(page);
      const place = () => page.locator('.navigation').boundingBox();
      const before = await place();
      for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'e', 'w']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(150);
        assert.deepEqual(await place(), before, key);
      }
      await page.evaluate(() => {
        document.querySelector('.panel .status').textContent = 'A very long heading of a game '.repeat(8);
        document.querySelector('.panel .note').textContent = 'A very long reason why something is illegal '.repeat(8);
      });
      assert.deepEqual(await place(), before);
    }),
};

for (const theme of ['light', 'dark']) {
  tests[`views: axe-core finds nothing, ${theme}`] = (browser) =>
    stocked(browser, (page) => checkViews(page, axeViolations), { colorScheme: theme });
}
for (const [width, height] of [
  [1280, 720],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
]) {
  tests[`views: everything fits ${width}x${height}`] = (browser) =>
    stocked(browser, (page) => checkViews(page, desktopProblems), { viewport: { width, height } });
}
for (const [name, width, height] of [
  ['portrait', 360, 740],
  ['landscape', 740, 360],
]) {
  tests[`views: everything fits a phone in ${name}`] = (browser) =>
    stocked(browser, (page) => checkViews(page, layoutProblems), {
      viewport: { width, height },
      hasTouch: true,
      isMobile: true,
    });
}

export { tests };
