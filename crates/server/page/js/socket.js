// The WebSocket. It reconnects by itself and subscribes again.

import { BASE, RETRY_DELAY, UnreachableError } from './client.js';
import { bus } from './model/bus.js';

/** @import {ClientCommand, PlayedLine, PositionView, ServerMessage} from './api.js' */

/** @typedef {{resolve: (message: any) => void, reject: (error: Error) => void}} PendingReply */

class GameSocket {
  /** @type {WebSocket | null} */
  socket = null;
  /** @type {Promise<void> | null} */
  opening = null;
  nextId = 1;
  /** @type {Map<number, PendingReply>} */
  pending = new Map();
  /** @type {string | null} */
  subscribed = null;

  open() {
    if (this.socket?.readyState === WebSocket.OPEN) return Promise.resolve();
    this.opening ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}${BASE}/ws`);
      socket.onopen = () => {
        this.socket = socket;
        this.opening = null;
        bus.emit('connection', true);
        resolve();
      };
      socket.onmessage = (event) => this.dispatch(JSON.parse(event.data));
      socket.onclose = () => {
        reject(new UnreachableError());
        this.onClose();
      };
    });
    return this.opening;
  }

  isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  onClose() {
    this.socket = null;
    this.opening = null;
    for (const { reject } of this.pending.values()) reject(new Error('The connection was lost.'));
    this.pending.clear();
    bus.emit('connection', false);
    if (this.subscribed) setTimeout(() => this.resubscribe(), RETRY_DELAY);
  }

  resubscribe() {
    // A failure closes the socket, which schedules the next attempt.
    if (this.subscribed) this.subscribe(this.subscribed).catch(() => {});
  }

  /** @param {ServerMessage} message */
  dispatch(message) {
    if (!('id' in message)) return bus.emit('message', message);
    const reply = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.type === 'error') reply?.reject(new Error(message.error));
    else reply?.resolve(message);
  }

  /** Sends a command and waits for its reply. @param {ClientCommand} command @returns {Promise<any>} */
  async send(command) {
    await this.open();
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.socket?.send(JSON.stringify({ id, command }));
    });
  }

  /** @param {string} game */
  subscribe(game) {
    if (this.subscribed !== game) this.unsubscribe();
    this.subscribed = game;
    return this.send({ type: 'subscribe', game });
  }

  unsubscribe() {
    const game = this.subscribed;
    this.subscribed = null;
    if (game && this.socket) this.send({ type: 'unsubscribe', game }).catch(() => {});
  }

  /** @param {PlayedLine} line @returns {Promise<PositionView>} */
  async fetchPosition(line) {
    return (await this.send({ type: 'position', line })).position;
  }
}

export const socket = new GameSocket();
