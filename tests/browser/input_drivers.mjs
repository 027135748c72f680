// Moving pieces by mouse, keyboard and touch. Each driver sends only its own kind of events.
import { fromOf, squareCenter, toOf } from './game.mjs';

const MAX_TABS = 60;

const click = async (page, square) => {
  const { x, y } = await squareCenter(page, square);
  await page.mouse.click(x, y);
};

async function mouseDrag(page, from, to) {
  const [a, b] = [await squareCenter(page, from), await squareCenter(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
}

/** Plays a push or pull: drags a piece, then chooses if several actions have the same target. */
async function pushOrPull(page, gesture, position, { drag, tap, turn }) {
  const [first, second] = gesture.steps;
  const same = position.actions.filter(({ kind, steps }) => kind === gesture.kind && steps.length === 2);
  if (gesture.kind === 'pull') {
    await drag(page, fromOf(second), toOf(second));
    const pulls = same.filter(({ steps }) => steps[1].text === second);
    if (pulls.length > 1) await tap(page, toOf(first));
  } else if (turn % 2 === 0) {
    // Either piece of a push can be dragged.
    await drag(page, fromOf(second), toOf(second));
    const exits = same.filter(({ steps }) => steps[1].text === second && steps[0].from === fromOf(first));
    if (exits.length > 1) await tap(page, toOf(first));
  } else {
    await drag(page, fromOf(first), toOf(first));
    const pushers = same.filter(({ steps }) => steps[0].text === first);
    if (pushers.length > 1) await tap(page, fromOf(second));
  }
}

export function mouse(page) {
  let turn = 0;
  return {
    press: (selector) => page.locator(selector).click(),
    setMinimum: (selector) => page.locator(selector).click({ position: { x: 2, y: 8 } }),
    async setUp() {
      await mouseDrag(page, 'a2', 'b2');
      await mouseDrag(page, 'b2', 'a2');
      await page.getByRole('button', { name: 'Mirror' }).click();
      await page.getByRole('button', { name: 'Confirm setup' }).click();
    },
    async play(_, gesture, position) {
      turn += 1;
      if (gesture.kind !== 'step') {
        return pushOrPull(page, gesture, position, { drag: mouseDrag, tap: click, turn });
      }
      const [step] = gesture.steps;
      if (turn % 2) return mouseDrag(page, fromOf(step), toOf(step));
      await click(page, fromOf(step));
      await click(page, toOf(step));
    },
    end: () => page.locator('#end-turn').click(),
  };
}

export function keyboard(page) {
  let turn = 0;
  const isBoardFocused = () => page.evaluate(() => document.activeElement?.classList.contains('board'));
  const cursor = () =>
    page.evaluate(() => {
      const mark = document.querySelector('.overlay .cursor');
      return mark ? [Math.round(Number(mark.getAttribute('x'))), Math.round(Number(mark.getAttribute('y')))] : null;
    });
  const press = async (key, count) => {
    for (let n = 0; n < count; n++) await page.keyboard.press(key);
  };
  const moveCursor = async (square) => {
    for (let n = 0; n < MAX_TABS && !(await isBoardFocused()); n++) await page.keyboard.press('Tab');
    const [x, y] = await cursor();
    const [dx, dy] = ['abcdefgh'.indexOf(square[0]) - x, 8 - Number(square[1]) - y];
    await press(dx > 0 ? 'ArrowRight' : 'ArrowLeft', Math.abs(dx));
    await press(dy > 0 ? 'ArrowDown' : 'ArrowUp', Math.abs(dy));
  };
  const tap = async (_, square) => {
    await moveCursor(square);
    await page.keyboard.press('Space');
  };
  const drag = async (_, from, to) => {
    await tap(_, from);
    await tap(_, to);
  };
  const focus = async (selector) => {
    const isFocused = () => page.evaluate((selector) => document.activeElement?.matches(selector), selector);
    for (let n = 0; n < MAX_TABS && !(await isFocused()); n++) await page.keyboard.press('Tab');
  };
  return {
    async press(selector) {
      await focus(selector);
      await page.keyboard.press('Enter');
    },
    async setMinimum(selector) {
      await focus(selector);
      await page.keyboard.press('Home');
    },
    async setUp() {
      await drag(page, 'a2', 'b1');
      await drag(page, 'b1', 'a2');
      await page.keyboard.press('Enter');
    },
    async play(_, gesture, position) {
      turn += 1;
      if (gesture.kind !== 'step') return pushOrPull(page, gesture, position, { drag, tap, turn });
      const [step] = gesture.steps;
      if (turn <= 6) return drag(page, fromOf(step), toOf(step));
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
      await page.keyboard.press('/');
      await page.keyboard.type(step);
      await page.keyboard.press('Enter');
    },
    async end() {
      await page.keyboard.press('Enter');
    },
  };
}

export async function touch(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  const tapAt = async ({ x, y }) => {
    await send('touchStart', [{ x, y }]);
    await send('touchEnd', []);
  };
  const showBoard = () => page.locator('.board').first().scrollIntoViewIfNeeded();
  const tap = async (_, square) => {
    await showBoard();
    await tapAt(await squareCenter(page, square));
  };
  const drag = async (_, from, to) => {
    await showBoard();
    const [a, b] = [await squareCenter(page, from), await squareCenter(page, to)];
    await send('touchStart', [a]);
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await send('touchMove', [{ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }]);
    }
    await send('touchEnd', []);
  };
  const press = async (selector) => {
    const button = page.locator(selector);
    await button.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await button.boundingBox();
    await tapAt({ x: x + width / 2, y: y + height / 2 });
  };
  let turn = 0;
  return {
    press,
    async setMinimum(selector) {
      const { x, y, height } = await page.locator(selector).boundingBox();
      await tapAt({ x: x + 2, y: y + height / 2 });
    },
    async setUp() {
      await tap(page, 'a2');
      await tap(page, 'b2');
      await press('.setup .button.main');
    },
    async play(_, gesture, position) {
      turn += 1;
      if (gesture.kind !== 'step') return pushOrPull(page, gesture, position, { drag, tap, turn });
      const [step] = gesture.steps;
      if (turn % 2) return drag(page, fromOf(step), toOf(step));
      await tap(page, fromOf(step));
      await tap(page, toOf(step));
    },
    end: () => press('#end-turn'),
  };
}
