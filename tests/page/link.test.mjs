import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFromUrl, encodeForUrl } from '../../crates/server/page/js/model/link.js';

test('texts round-trip through a URL', async () => {
  for (const text of ['', '1g Ra1 Rb1', 'Grüße 🐘\n"quoted"', 'x'.repeat(10_000)]) {
    const encoded = await encodeForUrl(text);
    assert.match(encoded, /^[A-Za-z0-9_-]*$/);
    assert.equal(await decodeFromUrl(encoded), text);
  }
});

test('repetitive texts become shorter', async () => {
  assert.ok((await encodeForUrl('2g Ee2n\n'.repeat(500))).length < 200);
});

test('invalid texts are rejected', async () => {
  await assert.rejects(decodeFromUrl('!!!'));
  await assert.rejects(decodeFromUrl('AAAA'));
});
