// Starting servers and browsers for the tests.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const npm = resolve(process.env.SURUS_NPM ?? 'target/npm');
const { chromium } = createRequire(join(npm, 'package.json'))('playwright-core');

export const program = resolve(process.env.SURUS_BIN ?? 'target/debug/surus');

const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: BROWSER_ARGS });
}

/** @type {string[]} */
const dirs = [];
process.on('exit', () => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

/** A directory that is removed at exit. */
export function makeTempDir() {
  const dir = mkdtempSync(join(tmpdir(), 'surus-board-'));
  dirs.push(dir);
  return dir;
}

let archive = null;
/** Copies an archive of 400 generated games into a data directory. It is created once. */
export function withArchive(data) {
  if (!archive) {
    const dir = makeTempDir();
    const [games, db] = [join(dir, 'games.txt'), join(dir, 'archive.db')];
    execFileSync(program, ['archive', 'generate', '--games', '400', '--seed', '5', '--out', games]);
    execFileSync(program, ['archive', 'import', games, '--db', db]);
    archive = db;
  }
  copyFileSync(archive, join(data, 'archive.db'));
}

/** Starts a server; resolves when it accepts connections. */
export function serve(data, port = 0, extra = []) {
  const args = ['play', '--port', String(port), '--data-dir', data, '--no-browser', ...extra];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.on('exit', (code) => reject(new Error(`the server exited with ${code}: ${output}`)));
    child.stdout.on('data', (text) => {
      output += text;
      const address = /http:\S+/.exec(output)?.[0];
      if (!address || !output.includes('Ctrl-C')) return;
      const exited = new Promise((done) => child.on('exit', done));
      const stop = (signal = 'SIGINT') => {
        child.kill(signal);
        return exited;
      };
      resolve({ address, stop, pid: child.pid, port: Number(new URL(address).port), output });
    });
  });
}

/** The size of the files of the page, as the browser measures it; API responses do not count. */
export function pageWeight(page) {
  return page.evaluate(() => {
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const files = entries.filter(({ name }) => !name.includes('/api/'));
    const weight = files.reduce((sum, entry) => sum + /** @type {any} */ (entry).decodedBodySize, 0);
    return { weight, files: files.length };
  });
}

let axeSource = '';

/** What axe-core finds wrong with the accessibility of the page, one line per violation. */
export async function axeViolations(page) {
  axeSource ||= readFileSync(join(npm, 'node_modules/axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.replace(/\s+/g, ' ')}`),
  );
}
