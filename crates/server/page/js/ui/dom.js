// Creating elements.

import { ICONS } from './icons.js';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | null | false | undefined} Child absent children are skipped */

/**
 * Creates an element. Properties named `on…` are event listeners; names that are no property become attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes('-') && name !== 'list') /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
function append(element, children) {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG_NAMESPACE, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Replaces the children of an element. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * A button with an icon, a label, or both.
 * @param {string} label
 * @param {() => void} onClick
 * @param {{icon?: string, kind?: string, id?: string, title?: string, disabled?: boolean, hideLabel?: boolean}} [options]
 */
export function button(label, onClick, options = {}) {
  /** @param {MouseEvent} event */
  const click = (event) => {
    // After a click with the pointer, Enter ends the turn instead of pressing the button again.
    if (event.detail !== 0) /** @type {HTMLElement} */ (event.currentTarget).blur();
    onClick();
  };
  const { hideLabel = false } = options;
  const attributes = {
    type: 'button',
    class: ['button', options.kind, hideLabel && 'only-icon'].filter(Boolean).join(' '),
    id: options.id,
    title: options.title ?? (hideLabel ? label : null),
    'aria-label': hideLabel ? label : null,
    disabled: options.disabled,
    onclick: click,
  };
  return h('button', attributes, options.icon ? icon(options.icon) : null, hideLabel ? null : h('span', {}, label));
}

/** Marks a toggle button as pressed or not. @param {Element} element @param {boolean} pressed */
export function setPressed(element, pressed) {
  element.setAttribute('aria-pressed', String(pressed));
}

/** Scrolls as little as possible to show what has just been opened. @param {Element} element */
export function bringIntoView(element) {
  element.scrollIntoView({ block: 'nearest' });
}

/** Shows what has changed, unless that would move the board: on a phone the page scrolls as a whole. @param {Element} element */
export function bringIntoPanel(element) {
  const area = element.closest('.side-panels');
  if (area && getComputedStyle(area).overflowY === 'auto') bringIntoView(element);
}

/** A label above an input. @param {string} label @param {HTMLElement} input with an id @param {...Child} extra */
export function field(label, input, ...extra) {
  return h('div', { class: 'field' }, h('label', { htmlFor: input.id }, label), input, ...extra);
}

/**
 * A group of radio buttons, shown as segments.
 * @template {string | boolean} T
 * @param {string} label
 * @param {string} name
 * @param {[T, string][]} choices values and labels
 * @param {T} value
 * @param {(value: T) => void} onChange
 */
export function segments(label, name, choices, value, onChange) {
  const segment = (/** @type {[T, string]} */ [choice, text]) => {
    const checked = choice === value;
    const attributes = { type: 'radio', name, value: String(choice), checked, onchange: () => onChange(choice) };
    return h('label', {}, h('input', attributes), h('span', {}, text));
  };
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', {}, label),
    h('div', { class: 'segments' }, ...choices.map(segment)),
  );
}

/** @param {string} name */
export function icon(name) {
  return s('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] ?? '' }));
}
