// Making elements.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element with properties and children; `on…` are listeners, `class` and `aria-…` attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes('-') && name !== 'list') /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name === 'class' ? 'class' : name, value === true ? '' : String(value));
  }
  add(element, children);
  return element;
}

/** @param {Element} element @param {(Node | string | null | false | undefined)[]} children */
function add(element, children) {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/**
 * An SVG element with attributes and children.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Puts new children in the place of the old ones.
 * @param {Element} element
 * @param {...(Node | string | null | false | undefined)} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/**
 * A button with an icon, words, or both.
 * @param {string} label
 * @param {() => void} act
 * @param {{icon?: string, kind?: string, title?: string, disabled?: boolean, hideLabel?: boolean}} [how]
 */
export function button(label, act, how = {}) {
  const face = how.icon ? icon(how.icon) : null;
  /** @param {MouseEvent} event */
  const click = (event) => {
    // A hand that clicked is done with the button: Enter is to end the turn, not to press it again.
    if (event.detail !== 0) /** @type {HTMLElement} */ (event.currentTarget).blur();
    act();
  };
  return h(
    'button',
    {
      type: 'button',
      class: `button ${how.kind ?? ''} ${how.hideLabel ? 'only-icon' : ''}`,
      title: how.title ?? (how.hideLabel ? label : null),
      'aria-label': how.hideLabel ? label : null,
      disabled: how.disabled ?? false,
      onclick: click,
    },
    face,
    how.hideLabel ? null : h('span', {}, label),
  );
}

/** @type {Record<string, string>} */
const ICONS = {
  undo: 'M9 7H5V3M5.5 7A8 8 0 1 1 4 13',
  redo: 'M15 7h4V3M18.5 7A8 8 0 1 0 20 13',
  end: 'M5 12.500l4.5 4.500L19 7.5',
  flip: 'M8 4v15M8 4L4.5 7.500M8 4l3.5 3.500M16 20V5M16 20l-3.5-3.500M16 20l3.5-3.5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  help: 'M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 18v.1',
  first: 'M18 5l-8 7 8 7M6 5v14',
  back: 'M15 5l-8 7 8 7',
  next: 'M9 5l8 7-8 7',
  last: 'M6 5l8 7-8 7M18 5v14',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  close: 'M6 6l12 12M18 6L6 18',
  up: 'M12 19V5M12 5l-6 6M12 5l6 6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  flag: 'M6 21V4M6 4h11l-2.5 4L17 12H6',
};

/** @param {string} name */
export function icon(name) {
  return s('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] ?? '' }));
}
