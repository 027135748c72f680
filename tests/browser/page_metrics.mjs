// Measures the board: node page_metrics.mjs (with SURUS_BIN=target/release/surus for the released program).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { squareCenter } from './game.mjs';
import { launchBrowser, makeTempDir, pageWeight, program, serve } from './harness.mjs';

const PAINTS = 5;
const CLIENTS = 100;
const START = { board: `rrrddrrrrhcemchr${' '.repeat(32)}RHCMECHRRRRDDRRR`, tag: '2g' };
const ENGINE = { kind: 'engine', name: 'alphabeta', seconds: 60 };
const HUMAN = { kind: 'human' };

/** The game that is analysed has this many turns. */
const GAME_TURNS = 60;
const GAME_NODES = 50_000;
const LONG_TASK_MS = 50;
const WALKS = 6;

const server = await serve(makeTempDir());
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
const sockets = await context.newPage();

await measurePaint();
// What was searched in one game is known and would not be searched again.
const [firstGame, secondGame] = await longGames();
await measureGameAnalysis(firstGame);
await measureWalk(secondGame);
await measurePageMemory(secondGame);
await measureMemory(firstGame);
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
    console.log(`play page: ${weight} bytes in ${files} files`);
  }
  await page.goto('about:blank');
  await page.goto(`${server.address}#/review`);
  await page.waitForSelector('#typed');
  const { weight, files } = await pageWeight(page);
  console.log(`review page: ${weight} bytes in ${files} files`);
  paints.sort((a, b) => a - b);
  const [median, max] = [paints[PAINTS >> 1], paints[PAINTS - 1]].map((time) => time.toFixed(0));
  console.log(`first contentful paint: median ${median} ms, max ${max} ms of ${PAINTS}`);
}

/** Two games of the program against itself, cut to their setups and some turns. */
async function longGames() {
  const out = join(makeTempDir(), 'match');
  const engines = ['alphabeta:seed=1', 'alphabeta:seed=2'];
  execFileSync(program, ['match', ...engines, '--games', '2', '--nodes', '3000', '--out', out], { stdio: 'ignore' });
  const body = JSON.stringify({ text: readFileSync(join(out, 'games.txt'), 'utf8') });
  const { games } = await (await fetch(`${server.address}api/v1/parse`, { method: 'POST', body })).json();
  const long = games.filter(({ nodes }) => nodes.length >= GAME_TURNS + 2);
  if (long.length < 2) throw new Error(`a game has fewer than ${GAME_TURNS} turns`);
  return long.map(({ nodes }) => nodes.slice(0, GAME_TURNS + 2));
}

/** Opens the game in a new document, with the engine on or off. */
async function openGame(nodes, settings) {
  await page.goto(server.address);
  await page.evaluate((value) => localStorage.setItem('surus.analysis', value), JSON.stringify(settings));
  await page.goto('about:blank');
  const record = nodes.map(({ tag, text }) => `${tag} ${text}`).join('\n');
  await page.goto(`${server.address}#/review?text=${encodeURIComponent(record)}`);
  await page.waitForFunction((count) => document.querySelectorAll('.turns .turn').length === count, nodes.length);
}

/** Walks through a game with the engine on: the time to the first line, and long tasks. */
async function measureWalk(nodes) {
  await openGame(nodes, { enabled: true, lines: 3, threads: 1, hash: 64, nodes: null });
  const tags = nodes.slice(3).map(({ tag }) => tag);
  // It opens after the setups. The first turns are those in which the page is still loading.
  await page.keyboard.press('ArrowUp');
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.pv-turn');
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  const times = await page.evaluate(async (tags) => {
    const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    const frame = () => new Promise((resolve) => setTimeout(resolve, 4));
    const times = [];
    for (const [index] of tags.entries()) {
      const next = tags[index + 1];
      if (!next) break;
      const started = performance.now();
      press();
      while (document.querySelector('.pv-turn b')?.textContent !== next) {
        if (performance.now() - started > 30_000) throw new Error(`no line for ${next}`);
        await frame();
      }
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return times.sort((a, b) => a - b);
  }, tags);
  const tasks = mainThreadTasks(JSON.parse(String(await browser.stopTracing())).traceEvents);
  const [median, max] = [times[times.length >> 1], times.at(-1)].map((time) => time.toFixed(0));
  console.log(`first line of a new position: median ${median} ms, max ${max} ms of ${times.length}`);
  const long = tasks.filter(({ elapsed }) => elapsed > LONG_TASK_MS).length;
  const processor = Math.max(...tasks.map(({ processor }) => processor)).toFixed(0);
  console.log(
    `walking through ${nodes.length - 2} turns with the engine on: ${long} of ${tasks.length} tasks over ${LONG_TASK_MS} ms; ` +
      `the longest used the processor for ${processor} ms`,
  );
}

/** The tasks of the page's main thread in milliseconds: elapsed, which depends on the load of the machine, and of the processor. */
function mainThreadTasks(events) {
  const layout = events.find(({ name }) => name === 'Layout');
  const isTask = ({ name, ph, pid, tid }) =>
    /RunTask$/.test(name) && ph === 'X' && pid === layout.pid && tid === layout.tid;
  return events.filter(isTask).map(({ dur, tdur = 0 }) => ({ elapsed: dur / 1000, processor: tdur / 1000 }));
}

/** The memory of the page while the game is walked through repeatedly with the engine on. */
async function measurePageMemory(nodes) {
  await openGame(nodes, { enabled: true, lines: 3, threads: 1, hash: 64, nodes: 2000 });
  const session = await context.newCDPSession(page);
  const started = performance.now();
  const used = [];
  for (let round = 0; round < WALKS; round++) {
    for (const key of ['ArrowRight', 'ArrowLeft']) {
      for (let n = 2; n < nodes.length; n++) {
        await page.keyboard.press(key);
        await page.waitForTimeout(20);
      }
    }
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes: elements, jsEventListeners } = await session.send('Memory.getDOMCounters');
    used.push(`${(usedSize / 1e6).toFixed(1)} MB, ${elements} nodes, ${jsEventListeners} listeners`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`page after ${WALKS} walks forth and back in ${seconds} s:\n  ${used.join('\n  ')}`);
}

async function measureGameAnalysis(nodes) {
  await openGame(nodes, { enabled: false, gameNodes: GAME_NODES });
  const started = performance.now();
  await page.getByRole('button', { name: 'Analyse game' }).click();
  await page.waitForSelector('.game-analysis[data-analysed=done]', { timeout: 600_000 });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`analysis of a game of ${nodes.length - 2} turns with ${GAME_NODES} nodes each: ${seconds} s`);
}

/** The memory of the server while the positions of a game are analysed repeatedly. */
async function measureMemory(nodes) {
  // Its analysis would count.
  await page.goto('about:blank');
  const turns = nodes.map(({ text }) => text);
  await sockets.goto(server.address);
  const analyse = (first, count) =>
    sockets.evaluate(
      async ({ turns, first, count }) => {
        const socket = new WebSocket(`ws://${location.host}/api/v1/ws`);
        await new Promise((resolve) => {
          socket.onopen = resolve;
        });
        for (let analysis = first; analysis < first + count; analysis++) {
          const line = { turns: turns.slice(0, 2 + (analysis % (turns.length - 2))) };
          // Another limit each time, so that no result is known.
          const request = { analysis, line, lines: 2, threads: 1, hash: 64, nodes: 1000 + analysis };
          await new Promise((resolve) => {
            socket.onmessage = ({ data }) => JSON.parse(data).update?.state === 'done' && resolve(null);
            socket.send(JSON.stringify({ id: analysis, command: { type: 'analyze', request } }));
          });
        }
        socket.close();
      },
      { turns, first, count },
    );
  const megabytes = () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  };
  const used = [];
  const started = performance.now();
  for (const [first, count] of [
    [1, 200],
    [201, 1000],
    [1201, 1000],
  ]) {
    await analyse(first, count);
    used.push(megabytes());
  }
  const { analyses } = await stats();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `memory after 200, 1200 and 2200 analyses in ${seconds} s: ${used.join(', ')} MB; ${analyses} analyses left`,
  );
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
