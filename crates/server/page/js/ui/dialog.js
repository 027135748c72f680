// Dialogs and toasts.

import { button, h } from './dom.js';

const TOAST_MS = 2600;
const ERROR_TOAST_MS = 6000;

/**
 * @param {string} title
 * @param {(Node | string)[]} body
 * @param {{wide?: boolean}} [options]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, body, options = {}) {
  const element = h('dialog', { class: options.wide ? 'wide' : '', 'aria-label': title });
  const close = () => element.close();
  element.append(
    h('header', {}, h('h2', {}, title), button('Close', close, { icon: 'close', kind: 'quiet', hideLabel: true })),
    h('div', { class: 'body' }, ...body),
  );
  element.addEventListener('close', () => element.remove());
  element.addEventListener('click', (event) => event.target === element && close());
  document.body.append(element);
  element.showModal();
  return element;
}

/** Asks before something that cannot be undone. @param {string} question @param {string} confirm the label of the button @returns {Promise<boolean>} */
export function confirmDialog(question, confirm) {
  return new Promise((resolve) => {
    let confirmed = false;
    const box = dialog('', [h('p', {}, question)]);
    box.setAttribute('aria-label', question);
    box.classList.add('question');
    const accept = () => {
      confirmed = true;
      box.close();
    };
    const buttons = [button('Cancel', () => box.close()), button(confirm, accept, { kind: 'danger' })];
    box.querySelector('.body')?.append(h('div', { class: 'row end' }, ...buttons));
    box.addEventListener('close', () => resolve(confirmed));
  });
}

/** A message that disappears by itself. @param {string} text @param {boolean} [isError] */
export function toast(text, isError = false) {
  document.querySelector('.toast')?.remove();
  const attributes = { class: isError ? 'toast error' : 'toast', role: isError ? 'alert' : 'status' };
  const element = h('div', attributes, text);
  document.body.append(element);
  setTimeout(() => element.remove(), isError ? ERROR_TOAST_MS : TOAST_MS);
}

/** Shows a caught error. @param {unknown} error */
export function showError(error) {
  toast(error instanceof Error ? error.message : String(error), true);
}
