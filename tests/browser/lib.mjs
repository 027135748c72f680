// What all browser tests need: a server of their own, a browser, and a brain that plays.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const npm = resolve(process.env.SURUS_NPM ?? 'target/npm');
const { chromium } = createRequire(join(npm, 'package.json'))('playwright-core');

export const program = resolve(process.env.SURUS_BIN ?? 'target/debug/surus');

export function browse() {
  const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: quiet });
}

/** @type {string[]} */
const folders = [];
process.on('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that is gone when the tests are over. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'surus-board-'));
  folders.push(folder);
  return folder;
}

let made = null;
/** 400 made-up games, imported once and copied into the folder of whoever wants them. */
export function withArchive(data) {
  if (!made) {
    const folder = newFolder();
    const [games, store] = [join(folder, 'games.txt'), join(folder, 'archive.db')];
    execFileSync(program, ['archive', 'generate', '--games', '400', '--seed', '5', '--out', games]);
    execFileSync(program, ['archive', 'import', games, '--db', store]);
    made = store;
  }
  copyFileSync(made, join(data, 'archive.db'));
}

/** Starts a server; it tells its address when it is ready. */
export function serve(data, port = 0, more = []) {
  const child = spawn(program, ['play', '--port', String(port), '--data-dir', data, '--no-browser', ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, failed) => {
    let said = '';
    child.on('exit', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
    child.stdout.on('data', (text) => {
      said += text;
      const address = /http:\S+/.exec(said)?.[0];
      if (!address || !said.includes('Ctrl-C')) return;
      const ended = new Promise((over) => child.on('exit', over));
      const stop = (signal = 'SIGINT') => {
        child.kill(signal);
        return ended;
      };
      done({ address, stop, port: Number(new URL(address).port), said });
    });
  });
}

/** What the page is made of, by the browser's own account; what the server says about games is no part of it. */
export function weigh(page) {
  return page.evaluate(() => {
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const files = loaded.filter(({ name }) => !name.includes('/api/'));
    const weight = files.reduce((sum, entry) => sum + /** @type {any} */ (entry).decodedBodySize, 0);
    return { weight, files: files.length };
  });
}
