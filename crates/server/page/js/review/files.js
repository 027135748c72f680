// Files and the clipboard.

import { toast } from '../ui/dialog.js';
import { h } from '../ui/dom.js';

/** Gives a text or a picture to the person as a file. @param {string} name @param {string | Blob} content */
export function save(name, content) {
  const blob = typeof content === 'string' ? new Blob([content], { type: 'text/plain' }) : content;
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    // Without the clipboard the text can still be taken by hand.
    prompt(`${what}:`, text);
  }
}
