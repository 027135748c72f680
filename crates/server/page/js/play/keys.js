// The keys of a game.

/** @import {Play} from './page.js' */

/** Whether the key meant something. @param {Play} play @param {KeyboardEvent} event */
export function playKey(play, event) {
  const onButton = /** @type {HTMLElement} */ (event.target).matches('button, a, summary, [role=button]');
  const turns = play.past ?? play.game?.turns.length ?? 0;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case 'Enter':
      if (onButton) return false;
      play.end();
      return true;
    case 'Backspace':
      play.command(event.shiftKey ? 'redo' : 'undo');
      return true;
    case 'w':
      if (play.game?.position.phase !== 'setup') play.explained.toggle();
      return true;
    case 'e':
      if (play.game?.position.phase !== 'setup') play.explorer.toggle();
      return true;
    case 'Escape':
      play.explained.close();
      play.hands.deselect();
      return true;
    case '/':
      play.panel.input.focus();
      return true;
    case 'ArrowLeft':
      play.lookBack(turns - 1);
      return true;
    case 'ArrowRight':
      play.lookBack(turns + 1);
      return true;
    case 'ArrowUp':
      play.lookBack(0);
      return true;
    case 'ArrowDown':
      play.lookBack(null);
      return true;
    default:
      return false;
  }
}
