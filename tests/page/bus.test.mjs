import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventBus } from '../../crates/server/page/js/model/bus.js';

test('handlers receive events of their type until they are removed', () => {
  const bus = new EventBus();
  const received = [];
  const off = bus.on('a', (detail) => received.push(detail));
  bus.on('b', () => received.push('b'));
  bus.emit('a', 1);
  off();
  bus.emit('a', 2);
  bus.emit('unknown', 3);
  assert.deepEqual(received, [1]);
});

test('a scope removes all its handlers', () => {
  const bus = new EventBus();
  const received = [];
  const scope = bus.scope();
  scope.on('a', () => received.push('a'));
  scope.on('b', () => received.push('b'));
  bus.emit('a');
  scope.close();
  bus.emit('a');
  bus.emit('b');
  assert.deepEqual(received, ['a']);
});

test('handlers may remove themselves while an event is emitted', () => {
  const bus = new EventBus();
  const received = [];
  const off = bus.on('a', () => {
    received.push(1);
    off();
  });
  bus.on('a', () => received.push(2));
  bus.emit('a');
  bus.emit('a');
  assert.deepEqual(received, [1, 2, 2]);
});
