// Access control, malformed requests, and the life of the server.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { makeTempDir, serve } from './harness.mjs';

/** Sends a request with arbitrary headers and path, which browsers do not allow. */
function send(port, { method = 'GET', path = '/', headers = {}, body } = {}) {
  return new Promise((done, failed) => {
    const one = request(
      { agent: false, host: '127.0.0.1', port, method, path, headers: { host: `127.0.0.1:${port}`, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
      },
    );
    one.on('error', failed);
    one.on('upgrade', (response, socket) => {
      socket.destroy();
      done({ status: 101, headers: response.headers, text: '' });
    });
    one.end(body);
  });
}

const errorMessage = ({ text }) => {
  const { error } = JSON.parse(text);
  assert.ok(error.length > 5, 'a message');
  return error;
};

async function withServer(test) {
  const server = await serve(makeTempDir());
  try {
    await test(server);
  } finally {
    await server.stop();
  }
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

export const tests = {
  'security: other origins and hosts are rejected': () =>
    withServer(async ({ port }) => {
      for (const path of ['/', '/api/v1/info', '/api/v1/games']) {
        assert.equal((await send(port, { path })).status, 200);
        const foreign = await send(port, { path, headers: { origin: 'http://evil.example' } });
        assert.equal(foreign.status, 403);
        errorMessage(foreign);
        for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1:1']) {
          assert.equal((await send(port, { path, headers: { host } })).status, 403, host);
        }
      }
      const live = { path: '/api/v1/ws' };
      assert.equal((await send(port, { ...live, headers: { ...UPGRADE, origin: 'http://evil.example' } })).status, 403);
      assert.equal((await send(port, { ...live, headers: { ...UPGRADE, origin: 'null' } })).status, 403);
      assert.equal(
        (await send(port, { ...live, headers: { ...UPGRADE, origin: `http://127.0.0.1:${port}` } })).status,
        101,
      );
    }),

  'security: path traversal is impossible': () =>
    withServer(async ({ port }) => {
      for (const path of [
        '/../Cargo.toml',
        '/%2e%2e/Cargo.toml',
        '/..%2f..%2fCargo.toml',
        '/js/../../Cargo.toml',
        '//etc/passwd',
        '/js/%00',
        '/\\..\\Cargo.toml',
        '/api/v1/games/..%2f..%2fetc%2fpasswd',
        '/api/v1/games/x/record',
      ]) {
        const response = await send(port, { path });
        assert.ok([400, 404].includes(response.status), `${path}: ${response.status}`);
        errorMessage(response);
      }
    }),

  'security: malformed and oversized requests get an error message': () =>
    withServer(async ({ port }) => {
      const post = (path, body) =>
        send(port, { method: 'POST', path, body, headers: { 'content-type': 'application/json' } });
      for (const body of [
        '',
        '{',
        '[]',
        '{"gold":1}',
        '{"gold":{"kind":"engine","name":"cmd=/bin/sh"},"silver":{"kind":"human"}}',
        '\u0000',
      ]) {
        const response = await post('/api/v1/games', body);
        assert.equal(response.status, 400, body);
        errorMessage(response);
      }
      assert.match(
        errorMessage(await post('/api/v1/parse', JSON.stringify({ text: 'nonsense' }))),
        /expected a turn number/,
      );
      const large = await post('/api/v1/parse', JSON.stringify({ text: 'x'.repeat(5 << 20) })).catch(() => ({
        status: 413,
        text: '{"error":"closed"}',
      }));
      assert.equal(large.status, 413);
      const options = { gold: { kind: 'engine', name: 'alphabeta:hash=1000000' }, silver: { kind: 'human' } };
      assert.match(errorMessage(await post('/api/v1/games', JSON.stringify(options))), /at most 512/);
      assert.equal((await send(port, { method: 'PATCH', path: '/api/v1/games' })).status, 405);
      assert.equal((await send(port, { path: '/api/v2' })).status, 404);
      for (const path of ['/api/v1/games?limit=many', '/api/v1/ws', '/api/v1/games/%ff']) {
        const response = await send(port, { path });
        assert.ok(response.status >= 400 && response.status < 500, path);
        errorMessage(response);
      }
      errorMessage(await send(port, { method: 'POST', path: '/', body: 'x' }));
    }),

  'security: the content security policy forbids external resources': () =>
    withServer(async ({ port }) => {
      const { headers } = await send(port);
      assert.match(headers['content-security-policy'], /default-src 'none'/);
      assert.match(headers['content-security-policy'], /frame-ancestors 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }),

  'server: binds the loopback address and stops on Ctrl-C': async () => {
    const server = await serve(makeTempDir());
    assert.match(server.output, /games\.sqlite/);
    assert.match(server.address, /^http:\/\/127\.0\.0\.1:/);
    assert.equal(await server.stop('SIGINT'), 0);
    await assert.rejects(
      new Promise((done, failed) => connect(server.port, '127.0.0.1').on('connect', done).on('error', failed)),
    );
  },

  'server: engines stop when their client disconnects': () =>
    withServer(async ({ port, address }) => {
      const players = {
        gold: { kind: 'engine', name: 'alphabeta', seconds: 600 },
        silver: { kind: 'engine', name: 'alphabeta', seconds: 600 },
      };
      const origin = { board: `rrrddrrrrhcemchr${' '.repeat(32)}RHCMECHRRRRDDRRR`, tag: '2g' };
      const body = JSON.stringify({ ...players, start: origin });
      const games = [];
      for (let n = 0; n < 4; n++)
        games.push(JSON.parse((await send(port, { method: 'POST', path: '/api/v1/games', body })).text).id);
      const stats = async () => JSON.parse((await send(port, { path: '/api/v1/stats' })).text);
      const until = async (test) => {
        for (let n = 0; n < 200; n++) {
          if (test(await stats())) return;
          await new Promise((done) => setTimeout(done, 50));
        }
        assert.fail(JSON.stringify(await stats()));
      };
      // The WebSocket of a page, because this version of Node has none.
      const { launchBrowser } = await import('./harness.mjs');
      const browser = await launchBrowser();
      const page = await browser.newPage();
      await page.goto(address);
      await page.evaluate((games) => {
        window.test = new WebSocket(`ws://${location.host}/api/v1/ws`);
        window.test.onopen = () => {
          for (const game of games) window.test.send(JSON.stringify({ id: 1, command: { type: 'subscribe', game } }));
        };
      }, games);
      await until((now) => now.games === 4 && now.searching === 1);
      await browser.close();
      await until((now) => now.games === 0 && now.searching === 0 && now.clients === 0);
    }),
};
