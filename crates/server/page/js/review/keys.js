// The keys of the review page.

import { GLYPHS } from './annotations.js';

/** @import {ReviewPage} from './page.js' */

/** Handles a key. @param {ReviewPage} page @param {KeyboardEvent} event @returns {boolean} whether it was handled */
export function reviewKey(page, event) {
  if (event.metaKey || event.altKey) return false;
  const target = /** @type {HTMLElement} */ (event.target);
  const pressedBy = /** @type {Record<string, string>} */ ({
    Enter: 'button, a, summary, [role=button]',
    ' ': 'button, summary, [role=button]',
  })[event.key];
  if (pressedBy && target.matches(pressedBy)) return false;
  const action = actionOf(page, event);
  action?.();
  return action !== undefined;
}

/** @param {ReviewPage} page @param {KeyboardEvent} event @returns {(() => unknown) | undefined} */
function actionOf(page, { key, ctrlKey, shiftKey }) {
  const { view } = page;
  if (ctrlKey) return { ArrowLeft: () => page.stepBack(), ArrowRight: () => page.stepForward() }[key];
  if (shiftKey && key === 'ArrowLeft') return () => page.goToSibling(-1);
  if (shiftKey && key === 'ArrowRight') return () => page.goToSibling(1);
  const glyph = GLYPHS[Number(key) - 1];
  if (glyph) return () => page.toggleGlyph(glyph);
  /** @type {Record<string, () => unknown>} */
  const actions = {
    ArrowLeft: () => page.back(),
    k: () => page.back(),
    ArrowRight: () => page.forward(),
    j: () => page.forward(),
    ArrowUp: () => page.toStart(),
    0: () => page.toStart(),
    ArrowDown: () => page.toEnd(),
    $: () => page.toEnd(),
    ' ': () => page.playBestOrReplay(),
    l: () => view.analysis.engine.toggle(),
    x: () => view.analysis.threat.toggle(),
    t: () => view.analysis.tactics.toggle(),
    v: () => view.analysis.evaluation.toggle(),
    Enter: () => page.endTurn(),
    Backspace: () => page.undo(),
    w: () => view.explanation.toggle(),
    e: () => view.explorer.toggle(),
    c: () => view.panel.annotations.focusComment(),
    '/': () => view.panel.input.focus(),
    Escape: () => {
      view.explanation.escape();
      view.controller.deselect();
    },
  };
  return actions[key];
}
