// The event bus: pages and panels communicate by events instead of holding references to each other.

/** @import {AppEvents} from './events.js' */

/**
 * @template {Record<string, any>} Events
 */
export class EventBus {
  /** @type {Map<keyof Events, Set<(detail: any) => void>>} */
  #handlers = new Map();

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {(detail: Events[K]) => void} handler
   * @returns {() => void} removes the handler
   */
  on(type, handler) {
    const handlers = this.#handlers.get(type) ?? new Set();
    this.#handlers.set(type, handlers.add(handler));
    return () => handlers.delete(handler);
  }

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {Events[K]} detail
   */
  emit(type, detail) {
    // A copy, because a handler may add or remove handlers.
    for (const handler of [...(this.#handlers.get(type) ?? [])]) handler(detail);
  }

  /** A group of handlers that are removed together when a page closes. */
  scope() {
    /** @type {(() => void)[]} */
    const removers = [];
    return {
      /**
       * @template {keyof Events} K
       * @param {K} type
       * @param {(detail: Events[K]) => void} handler
       */
      on: (type, handler) => {
        removers.push(this.on(type, handler));
      },
      close: () => {
        for (const remove of removers.splice(0)) remove();
      },
    };
  }
}

/** The bus of the page. @type {EventBus<AppEvents>} */
export const bus = new EventBus();
