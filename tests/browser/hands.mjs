// Three ways to move pieces: mouse, keyboard, touch. Each sends events of its kind only.
import { fromOf, middle, toOf } from './game.mjs';

const click = async (page, square) => {
  const { x, y } = await middle(page, square);
  await page.mouse.click(x, y);
};

async function mouseDrag(page, from, to) {
  const [a, b] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
}

/** A push or pull: drag a piece, then choose where a choice is asked for. */
async function forced(page, gesture, view, drag, tap, turn) {
  const [first, second] = gesture.steps;
  if (gesture.kind === 'push') {
    // Either piece can be dragged.
    const byPusher = turn % 2 === 0;
    const same = view.actions.filter((action) => action.kind === 'push' && action.steps.length === 2);
    const exits = same.filter((action) => action.steps[1].text === second && action.steps[0].from === fromOf(first));
    const pushers = same.filter((action) => action.steps[0].text === first);
    if (byPusher) {
      await drag(page, fromOf(second), toOf(second));
      if (1 < exits.length) await tap(page, toOf(first));
    } else {
      await drag(page, fromOf(first), toOf(first));
      if (1 < pushers.length) await tap(page, fromOf(second));
    }
    return;
  }
  const pulls = view.actions.filter((action) => action.kind === 'pull' && action.steps.length === 2 && action.steps[1].text === second);
  await drag(page, fromOf(second), toOf(second));
  if (1 < pulls.length) await tap(page, toOf(first));
}

export function mouse(page) {
  let turn = 0;
  return {
    press: (selector) => page.locator(selector).click(),
    lowest: (selector) => page.locator(selector).click({ position: { x: 2, y: 8 } }),
    async setUp() {
      await mouseDrag(page, 'a2', 'b2');
      await mouseDrag(page, 'b2', 'a2');
      await page.getByRole('button', { name: 'Mirror' }).click();
      await page.getByRole('button', { name: 'Ready' }).click();
    },
    async play(_, gesture, view) {
      turn += 1;
      const [step] = gesture.steps;
      if (gesture.kind !== 'step') return forced(page, gesture, view, mouseDrag, click, turn);
      if (turn % 2) return mouseDrag(page, fromOf(step), toOf(step));
      await click(page, fromOf(step));
      await click(page, toOf(step));
    },
    end: () => page.locator('#end-turn').click(),
  };
}

export function keyboard(page) {
  let turn = 0;
  const onBoard = () => page.evaluate(() => document.activeElement?.classList.contains('board'));
  const cursor = () => page.evaluate(() => {
    const mark = document.querySelector('.above .cursor');
    return mark ? [Math.round(Number(mark.getAttribute('x'))), Math.round(Number(mark.getAttribute('y')))] : null;
  });
  const walk = async (square) => {
    for (let n = 0; n < 60 && !(await onBoard()); n++) await page.keyboard.press('Tab');
    const [x, y] = await cursor();
    const [wx, wy] = ['abcdefgh'.indexOf(square[0]), 8 - Number(square[1])];
    for (let n = x; n < wx; n++) await page.keyboard.press('ArrowRight');
    for (let n = wx; n < x; n++) await page.keyboard.press('ArrowLeft');
    for (let n = y; n < wy; n++) await page.keyboard.press('ArrowDown');
    for (let n = wy; n < y; n++) await page.keyboard.press('ArrowUp');
  };
  const put = async (from, to) => {
    await walk(from);
    await page.keyboard.press('Space');
    await walk(to);
    await page.keyboard.press('Space');
  };
  const reach = async (selector) => {
    const there = () => page.evaluate((selector) => document.activeElement?.matches(selector), selector);
    for (let n = 0; n < 60 && !(await there()); n++) await page.keyboard.press('Tab');
  };
  return {
    async press(selector) {
      await reach(selector);
      await page.keyboard.press('Enter');
    },
    async lowest(selector) {
      await reach(selector);
      await page.keyboard.press('Home');
    },
    async setUp() {
      await put('a2', 'b1');
      await put('b1', 'a2');
      await page.keyboard.press('Enter');
    },
    async play(_, gesture, view) {
      turn += 1;
      const [step] = gesture.steps;
      if (turn <= 6 || gesture.kind !== 'step') {
        const tap = async (_, square) => {
          await walk(square);
          await page.keyboard.press('Space');
        };
        if (gesture.kind === 'step') return put(fromOf(step), toOf(step));
        return forced(page, gesture, view, (_, from, to) => put(from, to), tap, turn);
      }
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
      await page.keyboard.press('/');
      await page.keyboard.type(gesture.steps.join(' '));
      await page.keyboard.press('Enter');
    },
    async end() {
      await page.keyboard.press('Enter');
    },
  };
}

export async function touch(page) {
  const device = await page.context().newCDPSession(page);
  const send = (type, points) => device.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const tapAt = async ({ x, y }) => {
    await send('touchStart', [{ x, y }]);
    await send('touchEnd', []);
  };
  const tap = async (_, square) => {
    await page.locator('.board').first().scrollIntoViewIfNeeded();
    await tapAt(await middle(page, square));
  };
  const drag = async (_, from, to) => {
    await page.locator('.board').first().scrollIntoViewIfNeeded();
    const [a, b] = [await middle(page, from), await middle(page, to)];
    await send('touchStart', [a]);
    for (const part of [0.25, 0.5, 0.75, 1]) await send('touchMove', [{ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }]);
    await send('touchEnd', []);
  };
  const press = async (selector) => {
    const button = page.locator(selector);
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    await tapAt({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  };
  let turn = 0;
  return {
    press,
    async lowest(selector) {
      const { x, y, height } = await page.locator(selector).boundingBox();
      await tapAt({ x: x + 2, y: y + height / 2 });
    },
    async setUp() {
      await tap(page, 'a2');
      await tap(page, 'b2');
      await press('.setup .button.main');
    },
    async play(_, gesture, view) {
      turn += 1;
      const [step] = gesture.steps;
      if (gesture.kind !== 'step') return forced(page, gesture, view, drag, tap, turn);
      if (turn % 2) return drag(page, fromOf(step), toOf(step));
      await tap(page, fromOf(step));
      await tap(page, toOf(step));
    },
    end: () => press('#end-turn'),
  };
}
