// The keys of the play page.

/** @import {PlayPage} from './page.js' */

/** Handles a key. @param {PlayPage} page @param {KeyboardEvent} event @returns {boolean} whether it was handled */
export function playKey(page, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const onButton = /** @type {HTMLElement} */ (event.target).matches('button, a, summary, [role=button]');
  if (event.key === 'Enter' && onButton) return false;
  const action = actionOf(page, event);
  action?.();
  return action !== undefined;
}

/** @param {PlayPage} page @param {KeyboardEvent} event @returns {(() => unknown) | undefined} */
function actionOf(page, { key, shiftKey }) {
  const { view } = page;
  /** @type {Record<string, () => unknown>} */
  const actions = {
    Enter: () => page.endTurn(),
    Backspace: () => page.connection.command(shiftKey ? 'redo' : 'undo'),
    w: () => page.togglePanel(view.explanation),
    e: () => page.togglePanel(view.explorer),
    h: () => page.showHint(),
    '/': () => view.panel.input.focus(),
    Escape: () => {
      view.explanation.escape();
      view.controller.deselect();
    },
    ArrowLeft: () => page.viewRelativeTurn(-1),
    ArrowRight: () => page.viewRelativeTurn(1),
    ArrowUp: () => page.viewTurn(0),
    ArrowDown: () => page.viewTurn(null),
  };
  return actions[key];
}
