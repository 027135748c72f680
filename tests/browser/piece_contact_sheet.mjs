// The pieces at 24, 30 and 60 pixels, on light and dark squares: node piece_contact_sheet.mjs ADDRESS FILE
import { writeFileSync } from 'node:fs';
import { launchBrowser } from './harness.mjs';

const [address, file] = process.argv.slice(2);
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 900, height: 640 }, deviceScaleFactor: 2, bypassCSP: true });
await page.goto(address);
await page.waitForSelector('.piece-symbols defs', { state: 'attached' });
await page.evaluate(() => {
  const kinds = ['elephant', 'camel', 'horse', 'dog', 'cat', 'rabbit'];
  const box = document.createElement('div');
  box.setAttribute('style', 'position:fixed;inset:0;z-index:99;background:#fff');
  let html = '';
  for (const [light, dark] of [
    ['#ece5d6', '#e3dac7'],
    ['#565c5f', '#4e5457'],
  ]) {
    for (const set of ['animals', 'letters']) {
      for (const size of [60, 30, 24]) {
        html += '<div style="display:flex">';
        for (const side of ['gold', 'silver']) {
          kinds.forEach((kind, i) => {
            html += `<svg style="background:${i % 2 ? dark : light}" width="${size}" height="${size}" viewBox="0 0 1 1"><use href="#${set}-${side}-${kind}" width="1" height="1"/></svg>`;
          });
        }
        html += '</div>';
      }
    }
  }
  box.innerHTML = html;
  document.body.append(box);
});
writeFileSync(file, await page.screenshot());
await browser.close();
