// The keys of a review.

/** @import {Review} from './page.js' */

const MARKS = ['!', '?', '!!', '??', '!?', '?!'];

/** Whether the key meant something. @param {Review} review @param {KeyboardEvent} event */
export function reviewKey(review, event) {
  const onButton = /** @type {HTMLElement} */ (event.target).matches('button, a, summary, [role=button]');
  if (event.metaKey || event.altKey) return false;
  if (event.ctrlKey) {
    if (event.key === 'ArrowLeft') review.step(-1);
    else if (event.key === 'ArrowRight') review.step(1);
    else return false;
    return true;
  }
  if (event.shiftKey && event.key === 'ArrowLeft') review.sibling(-1);
  else if (event.shiftKey && event.key === 'ArrowRight') review.sibling(1);
  else if (event.key === 'ArrowLeft' || event.key === 'k') review.back();
  else if (event.key === 'ArrowRight' || event.key === 'j') review.forward();
  else if (event.key === 'ArrowUp' || event.key === '0') review.toStart();
  else if (event.key === 'ArrowDown' || event.key === '$') review.toEnd();
  else if (event.key === ' ' && !onButton) review.replay.toggle();
  else if (event.key === 'Enter' && !onButton) review.end();
  else if (event.key === 'Backspace') review.undo();
  else if (event.key === 'w') review.explained.toggle();
  else if (event.key === 'e') review.explorer.toggle();
  else if (event.key === 'Escape') {
    review.explained.close();
    review.hands.deselect();
  }
  else if (event.key === 'c') review.panel.writeComment();
  else if (event.key === '/') review.panel.input.focus();
  else if ('1' <= event.key && event.key <= '6') review.mark(MARKS[Number(event.key) - 1]);
  else return false;
  return true;
}
