// Measures the board: node page_metrics.mjs (with SURUS_BIN=target/release/surus for the released program).
import { squareCenter } from './game.mjs';
import { launchBrowser, makeTempDir, pageWeight, serve } from './harness.mjs';

const PAINTS = 5;
const CLIENTS = 100;
const START = { board: `rrrddrrrrhcemchr${' '.repeat(32)}RHCMECHRRRRDDRRR`, tag: '2g' };
const ENGINE = { kind: 'engine', name: 'alphabeta', seconds: 60 };
const HUMAN = { kind: 'human' };

const server = await serve(makeTempDir());
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
const sockets = await context.newPage();

await measurePaint();
await measureDragging();
await measureClients();
await browser.close();
await server.stop();

async function stats() {
  return (await fetch(`${server.address}api/v1/stats`)).json();
}

async function createGame(gold, silver) {
  const body = JSON.stringify({ gold, silver, start: START });
  return (await (await fetch(`${server.address}api/v1/games`, { method: 'POST', body })).json()).id;
}

async function measurePaint() {
  const paints = [];
  for (let n = 0; n < PAINTS; n++) {
    await page.goto('about:blank');
    await page.goto(server.address);
    await page.waitForSelector('#start-game');
    paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
    if (n > 0) continue;
    const { weight, files } = await pageWeight(page);
    console.log(`page: ${weight} bytes in ${files} files`);
  }
  paints.sort((a, b) => a - b);
  const [median, max] = [paints[PAINTS >> 1], paints[PAINTS - 1]].map((time) => time.toFixed(0));
  console.log(`first contentful paint: median ${median} ms, max ${max} ms of ${PAINTS}`);
}

/** Drags a piece while two engines search. */
async function measureDragging() {
  await sockets.goto(server.address);
  for (let n = 0; n < 2; n++) {
    const game = await createGame(ENGINE, ENGINE);
    await sockets.evaluate((game) => {
      const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
      window.sockets ??= [];
      window.sockets.push(socket);
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, command: { type: 'subscribe', game } }));
    }, game);
  }
  await page.goto(`${server.address}#/game/${await createGame(HUMAN, HUMAN)}`);
  await page.waitForSelector('.piece');
  await page.bringToFront();
  const { searching } = await stats();
  await page.evaluate(() => {
    window.longTasks = [];
    const observer = new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map((entry) => entry.duration));
    });
    observer.observe({ type: 'longtask' });
    window.frames = [];
    let last = performance.now();
    const onFrame = (now) => {
      window.frames.push(now - last);
      last = now;
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  });
  const [a, b] = [await squareCenter(page, 'e2'), await squareCenter(page, 'e6')];
  for (let n = 0; n < 3; n++) {
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    for (let part = 0; part < 20; part++) {
      await page.mouse.move(a.x + Math.sin(part / 4) * 150, a.y + ((b.y - a.y) * part) / 20);
    }
    await page.mouse.move(a.x, a.y);
    await page.mouse.up();
  }
  const { longTasks, frames } = await page.evaluate(() => ({ longTasks: window.longTasks, frames: window.frames }));
  frames.sort((x, y) => x - y);
  const [median, p99] = [0.5, 0.99].map((part) => frames[Math.floor(frames.length * part)].toFixed(1));
  const longest = longTasks.length ? `, max ${Math.max(...longTasks)} ms` : '';
  console.log(`dragging while ${searching} engines search: ${longTasks.length} long tasks over 50 ms${longest}`);
  console.log(`frame time: median ${median} ms, 99th percentile ${p99} ms`);
}

/** Many clients request positions at the same time. */
async function measureClients() {
  const game = await createGame(HUMAN, HUMAN);
  const times = await sockets.evaluate(
    async ({ game, count }) => {
      for (const socket of window.sockets) socket.close();
      const open = () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
          socket.onopen = () => resolve(socket);
          socket.onerror = reject;
        });
      const clients = [];
      for (let n = 0; n < count; n++) clients.push(await open());
      const request = (socket, command) =>
        new Promise((resolve) => {
          const started = performance.now();
          socket.onmessage = (event) => {
            if (JSON.parse(event.data).id === 7) resolve(performance.now() - started);
          };
          socket.send(JSON.stringify({ id: 7, command }));
        });
      await Promise.all(clients.map((socket) => request(socket, { type: 'subscribe', game })));
      const times = [];
      for (let round = 0; round < 5; round++) {
        const requests = clients.map((socket) => request(socket, { type: 'position', line: {} }));
        times.push(...(await Promise.all(requests)));
      }
      return times.sort((x, y) => x - y);
    },
    { game, count: CLIENTS },
  );
  const { clients } = await stats();
  const [median, max] = [times[times.length >> 1], times[times.length - 1]].map((time) => time.toFixed(1));
  console.log(`${clients} clients: ${times.length} positions, median ${median} ms, max ${max} ms`);
}
