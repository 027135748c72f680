// The tests of the board in a real browser: node run.mjs [PART OF A NAME]
import { browse } from './lib.mjs';

const only = process.argv[2] ?? '';
let [passed, failed] = [0, 0];
const browser = await browse();
for (const file of ['./games.test.mjs', './pages.test.mjs', './archive.test.mjs', './safety.test.mjs']) {
  const { tests } = await import(file);
  for (const [name, test] of Object.entries(tests)) {
    if (!new RegExp(only).test(name)) continue;
    const began = Date.now();
    try {
      await test(browser);
      passed += 1;
      console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
  }
}
await browser.close();
console.log(`browser: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
