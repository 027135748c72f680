// Who may not come in, and what nobody can do.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { newFolder, serve } from './lib.mjs';

/** A request with any headers and any path, as no browser would send it. */
function ask(port, { method = 'GET', path = '/', headers = {}, body } = {}) {
  return new Promise((done, failed) => {
    const one = request({ agent: false, host: '127.0.0.1', port, method, path, headers: { host: `127.0.0.1:${port}`, ...headers } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode, headers: response.headers, text }));
    });
    one.on('error', failed);
    one.on('upgrade', (response, socket) => {
      socket.destroy();
      done({ status: 101, headers: response.headers, text: '' });
    });
    one.end(body);
  });
}

const sentence = ({ text }) => {
  const { error } = JSON.parse(text);
  assert.ok(5 < error.length, 'a sentence');
  return error;
};

async function served(test) {
  const server = await serve(newFolder());
  try {
    await test(server);
  } finally {
    await server.stop();
  }
}

const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };

export const tests = {
  'foreign pages and foreign names are refused': () =>
    served(async ({ port }) => {
      for (const path of ['/', '/api/v1/info', '/api/v1/games']) {
        assert.equal((await ask(port, { path })).status, 200);
        const foreign = await ask(port, { path, headers: { origin: 'http://evil.example' } });
        assert.equal(foreign.status, 403);
        sentence(foreign);
        for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1:1']) {
          assert.equal((await ask(port, { path, headers: { host } })).status, 403, host);
        }
      }
      const live = { path: '/api/v1/ws' };
      assert.equal((await ask(port, { ...live, headers: { ...UPGRADE, origin: 'http://evil.example' } })).status, 403);
      assert.equal((await ask(port, { ...live, headers: { ...UPGRADE, origin: 'null' } })).status, 403);
      assert.equal((await ask(port, { ...live, headers: { ...UPGRADE, origin: `http://127.0.0.1:${port}` } })).status, 101);
    }),

  'no path leads out of the page': () =>
    served(async ({ port }) => {
      for (const path of ['/../Cargo.toml', '/%2e%2e/Cargo.toml', '/..%2f..%2fCargo.toml', '/js/../../Cargo.toml', '//etc/passwd', '/js/%00', '/\\..\\Cargo.toml', '/api/v1/games/..%2f..%2fetc%2fpasswd', '/api/v1/games/x/record']) {
        const answer = await ask(port, { path });
        assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
        sentence(answer);
      }
    }),

  'what is malformed or too large gets a sentence': () =>
    served(async ({ port }) => {
      const post = (path, body) => ask(port, { method: 'POST', path, body, headers: { 'content-type': 'application/json' } });
      for (const body of ['', '{', '[]', '{"gold":1}', '{"gold":{"kind":"engine","name":"cmd=/bin/sh"},"silver":{"kind":"human"}}', '\u0000']) {
        const answer = await post('/api/v1/games', body);
        assert.equal(answer.status, 400, body);
        sentence(answer);
      }
      assert.match(sentence(await post('/api/v1/parse', JSON.stringify({ text: 'nonsense' }))), /expected a turn number/);
      const large = await post('/api/v1/parse', JSON.stringify({ text: 'x'.repeat(5 << 20) })).catch(() => ({ status: 413, text: '{"error":"closed"}' }));
      assert.equal(large.status, 413);
      const much = { gold: { kind: 'engine', name: 'alphabeta:hash=1000000' }, silver: { kind: 'human' } };
      assert.match(sentence(await post('/api/v1/games', JSON.stringify(much))), /at most 512/);
      assert.equal((await ask(port, { method: 'PATCH', path: '/api/v1/games' })).status, 405);
      assert.equal((await ask(port, { path: '/api/v2' })).status, 404);
      for (const path of ['/api/v1/games?limit=many', '/api/v1/ws', '/api/v1/games/%ff']) {
        const answer = await ask(port, { path });
        assert.ok(400 <= answer.status && answer.status < 500, path);
        sentence(answer);
      }
      sentence(await ask(port, { method: 'POST', path: '/', body: 'x' }));
    }),

  'the page may load nothing from elsewhere': () =>
    served(async ({ port }) => {
      const { headers } = await ask(port);
      assert.match(headers['content-security-policy'], /default-src 'none'/);
      assert.match(headers['content-security-policy'], /frame-ancestors 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }),

  'only this machine is served, and Ctrl-C ends it': async () => {
    const server = await serve(newFolder());
    assert.match(server.said, /games\.sqlite/);
    assert.match(server.address, /^http:\/\/127\.0\.0\.1:/);
    assert.equal(await server.stop('SIGINT'), 0);
    await assert.rejects(new Promise((done, failed) => connect(server.port, '127.0.0.1').on('connect', done).on('error', failed)));
  },

  'an engine is freed when its client goes': () =>
    served(async ({ port, address }) => {
      const terms = { gold: { kind: 'engine', name: 'alphabeta', seconds: 600 }, silver: { kind: 'engine', name: 'alphabeta', seconds: 600 } };
      const origin = { board: 'rrrddrrrrhcemchr' + ' '.repeat(32) + 'RHCMECHRRRRDDRRR', tag: '2g' };
      const body = JSON.stringify({ ...terms, start: origin });
      const games = [];
      for (let n = 0; n < 4; n++) games.push(JSON.parse((await ask(port, { method: 'POST', path: '/api/v1/games', body })).text).id);
      const served = async () => JSON.parse((await ask(port, { path: '/api/v1/stats' })).text);
      const until = async (test) => {
        for (let n = 0; n < 200; n++) {
          if (test(await served())) return;
          await new Promise((done) => setTimeout(done, 50));
        }
        assert.fail(JSON.stringify(await served()));
      };
      // Node has no socket of its own in this version; the page's is as good.
      const { browse } = await import('./lib.mjs');
      const browser = await browse();
      const page = await browser.newPage();
      await page.goto(address);
      await page.evaluate((games) => {
        window.test = new WebSocket(`ws://${location.host}/api/v1/ws`);
        window.test.onopen = () => games.forEach((game, id) => window.test.send(JSON.stringify({ id, command: { type: 'subscribe', game } })));
      }, games);
      await until((now) => now.games === 4 && now.searching === 1);
      await browser.close();
      await until((now) => now.games === 0 && now.searching === 0 && now.clients === 0);
    }),
};
