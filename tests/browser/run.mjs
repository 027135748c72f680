// Runs the browser tests: node run.mjs [REGEX OF NAMES]
import { launchBrowser } from './harness.mjs';

const FILES = ['games', 'play', 'review', 'explanation', 'pages', 'archive', 'analysis', 'views', 'security'].map(
  (name) => `./${name}.test.mjs`,
);

const filter = new RegExp(process.argv[2] ?? '');
let [passed, failed] = [0, 0];
const browser = await launchBrowser();
for (const file of FILES) {
  const { tests } = await import(file);
  for (const [name, test] of Object.entries(tests)) {
    if (!filter.test(name)) continue;
    const started = Date.now();
    try {
      await test(browser);
      passed += 1;
      console.log(`ok      ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
}
await browser.close();
console.log(`browser: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
