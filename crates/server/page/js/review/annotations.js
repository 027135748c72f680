// The comment and the glyph of a turn, and the buttons that change its place in the tree.

import { button, h } from '../ui/dom.js';

/** @import {Node} from '../model/tree.js' */

export const GLYPHS = ['!', '?', '!!', '??', '!?', '?!'];

/**
 * @typedef {{
 *   comment: (text: string) => void,
 *   glyph: (glyph: string) => void,
 *   promote: () => void,
 *   remove: () => void,
 * }} AnnotationActions
 */

export class AnnotationBox {
  /** @param {AnnotationActions} actions */
  constructor(actions) {
    const label = 'Comment on this turn';
    this.comment = h('textarea', { class: 'comment-box', rows: 2, placeholder: label, 'aria-label': label });
    this.comment.addEventListener('input', () => actions.comment(this.comment.value));
    this.comment.addEventListener('keydown', (event) => event.key === 'Escape' && this.comment.blur());
    const glyphButtons = GLYPHS.map((glyph) => button(glyph, () => actions.glyph(glyph), { kind: 'quiet' }));
    const group = { class: 'row glyphs', role: 'group', 'aria-label': 'Annotate this turn' };
    this.glyphs = h('div', group, ...glyphButtons);
    this.buttons = h(
      'div',
      { class: 'row' },
      button('Promote', actions.promote, { icon: 'up', title: 'Make this variation the main line' }),
      button('Delete', actions.remove, { icon: 'trash', title: 'Delete this turn and everything after it' }),
    );
    const body = h('div', { class: 'stack' }, this.comment, this.glyphs, this.buttons);
    this.element = h('details', { class: 'more' }, h('summary', {}, 'Comment and annotations'), body);
  }

  /** @param {Node} node */
  show(node) {
    const isRoot = node.parent === null;
    this.comment.value = node.comment;
    this.comment.disabled = this.buttons.hidden = this.glyphs.hidden = isRoot;
    for (const element of this.glyphs.children) element.classList.toggle('on', element.textContent === node.glyph);
  }

  focusComment() {
    this.element.open = true;
    this.comment.focus();
  }
}
