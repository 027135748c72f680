import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { bus } from '../../crates/server/page/js/model/bus.js';
import * as Settings from '../../crates/server/page/js/model/settings.js';

/** A storage in memory. */
function fakeStorage() {
  const items = new Map();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, value) };
}

beforeEach(() => {
  globalThis.localStorage = fakeStorage();
  globalThis.matchMedia = () => ({ matches: false });
});

test('without storage the defaults apply', () => {
  assert.deepEqual(Settings.settings, Settings.DEFAULTS);
});

test('updates are stored and announced on the bus', () => {
  const received = [];
  const off = bus.on('settings', (settings) => received.push(settings.theme));
  Settings.updateSettings({ theme: 'dark' });
  off();
  Settings.updateSettings({ theme: 'light' });
  assert.deepEqual(received, ['dark']);
  assert.equal(Settings.loadItem('surus.settings').theme, 'light');
});

test('invalid and unavailable storage is ignored', () => {
  globalThis.localStorage = { getItem: () => '{', setItem: () => assert.fail() };
  assert.equal(Settings.loadItem('key'), null);
  globalThis.localStorage = undefined;
  Settings.saveItem('key', 1);
  assert.equal(Settings.loadItem('key'), null);
});

test('the animation setting decides the duration of a step', () => {
  const durations = ['none', 'fast', 'slow'].map((animation) => {
    Settings.updateSettings({ animation });
    return Settings.stepDuration();
  });
  assert.deepEqual(durations, [0, 190, 420]);
  globalThis.matchMedia = () => ({ matches: true });
  assert.equal(Settings.stepDuration(), 0, 'reduced motion');
});
