// The numbers of the board: node measure.mjs (with SURUS_BIN=target/release/surus for the program that people run).

import { squareCenter } from './game.mjs';
import { launchBrowser, makeTempDir, pageWeight, serve } from './harness.mjs';

const server = await serve(makeTempDir());
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();

const paints = [];
for (let n = 0; n < 5; n++) {
  await page.goto('about:blank');
  await page.goto(server.address);
  await page.waitForSelector('#start-game');
  paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
  if (n === 0) {
    const { weight, files } = await pageWeight(page);
    console.log(`page: ${weight} bytes in ${files} files`);
  }
}
paints.sort((a, b) => a - b);
console.log(`first contentful paint: median ${paints[2].toFixed(0)} ms, worst ${paints[4].toFixed(0)} ms of 5`);

// Two engines think while a driver drags on the board.
const start = { board: `rrrddrrrrhcemchr${' '.repeat(32)}RHCMECHRRRRDDRRR`, tag: '2g' };
const begin = async (gold, silver) => {
  const body = JSON.stringify({ gold, silver, start });
  return (await (await fetch(`${server.address}api/v1/games`, { method: 'POST', body })).json()).id;
};
const engine = { kind: 'engine', name: 'alphabeta', seconds: 60 };
const person = { kind: 'human' };
const sockets = await context.newPage();
await sockets.goto(server.address);
for (let n = 0; n < 2; n++) {
  await sockets.evaluate(
    (game) => {
      const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
      window.sockets ??= [];
      window.sockets.push(socket);
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, command: { type: 'subscribe', game } }));
    },
    await begin(engine, engine),
  );
}
await page.goto(`${server.address}#/game/${await begin(person, person)}`);
await page.waitForSelector('.piece');
await page.bringToFront();
const thinking = (await (await fetch(`${server.address}api/v1/stats`)).json()).searching;
await page.evaluate(() => {
  window.long = [];
  new PerformanceObserver((list) => window.long.push(...list.getEntries().map((one) => one.duration))).observe({
    type: 'longtask',
  });
  window.frames = [];
  let last = performance.now();
  const frame = (now) => {
    window.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
});
const [a, b] = [await squareCenter(page, 'e2'), await squareCenter(page, 'e6')];
for (let n = 0; n < 3; n++) {
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  for (let part = 0; part < 20; part++)
    await page.mouse.move(a.x + Math.sin(part / 4) * 150, a.y + ((b.y - a.y) * part) / 20);
  await page.mouse.move(a.x, a.y);
  await page.mouse.up();
}
const { long, frames } = await page.evaluate(() => ({ long: window.long, frames: window.frames }));
frames.sort((x, y) => x - y);
console.log(
  `dragging while ${thinking} engines think: ${long.length} long tasks over 50 ms${long.length ? `, worst ${Math.max(...long)} ms` : ''}; frame time median ${frames[frames.length >> 1].toFixed(1)} ms, 99th percentile ${frames[Math.floor(frames.length * 0.99)].toFixed(1)} ms`,
);

// A hundred clients look at positions at once.
const game = await begin(person, person);
const times = await sockets.evaluate(
  async ({ game }) => {
    for (const socket of window.sockets) socket.close();
    const open = () =>
      new Promise((done, failed) => {
        const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
        socket.onopen = () => done(socket);
        socket.onerror = failed;
      });
    const all = [];
    for (let n = 0; n < 100; n++) all.push(await open());
    const ask = (socket, command) =>
      new Promise((done) => {
        const began = performance.now();
        socket.onmessage = (event) => {
          if (JSON.parse(event.data).id === 7) done(performance.now() - began);
        };
        socket.send(JSON.stringify({ id: 7, command }));
      });
    await Promise.all(all.map((socket) => ask(socket, { type: 'subscribe', game })));
    const times = [];
    for (let round = 0; round < 5; round++)
      times.push(...(await Promise.all(all.map((socket) => ask(socket, { type: 'position', line: {} })))));
    return times.sort((x, y) => x - y);
  },
  { game },
);
const { clients } = await (await fetch(`${server.address}api/v1/stats`)).json();
console.log(
  `${clients} clients: ${times.length} questions answered, median ${times[times.length >> 1].toFixed(1)} ms, worst ${times[times.length - 1].toFixed(1)} ms`,
);
await browser.close();
await server.stop();
