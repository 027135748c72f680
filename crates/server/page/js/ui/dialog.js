// Windows over the page.

import { button, h } from './dom.js';

/**
 * @param {string} title
 * @param {(Node | string)[]} body
 * @param {{wide?: boolean}} [how]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, body, how = {}) {
  const element = h('dialog', { class: how.wide ? 'wide' : '', 'aria-label': title });
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

/** A question with a yes. @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function confirmed(question, yes) {
  return new Promise((done) => {
    let answer = false;
    const box = dialog('', [h('p', {}, question)]);
    box.classList.add('question');
    const choose = () => {
      answer = true;
      box.close();
    };
    box.querySelector('.body')?.append(
      h('div', { class: 'row end' }, button('Cancel', () => box.close()), button(yes, choose, { kind: 'main' })),
    );
    box.addEventListener('close', () => done(answer));
  });
}

/** A line that goes by itself. @param {string} words @param {boolean} [bad] */
export function toast(words, bad = false) {
  document.querySelector('.toast')?.remove();
  const element = h('div', { class: `toast ${bad ? 'bad' : ''}`, role: bad ? 'alert' : 'status' }, words);
  document.body.append(element);
  setTimeout(() => element.remove(), bad ? 6000 : 2600);
}
