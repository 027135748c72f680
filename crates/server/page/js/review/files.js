// Downloads and the clipboard.

import { toast } from '../ui/dialog.js';
import { h } from '../ui/dom.js';

/** How long the browser may take to start a download. */
const REVOKE_DELAY = 10_000;

/** @param {string} name @param {string | Blob} content */
export function downloadFile(name, content) {
  const blob = typeof content === 'string' ? new Blob([content], { type: 'text/plain' }) : content;
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY);
}

/** @param {string} text @param {string} name of the text */
export async function copyText(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${name} copied`);
  } catch {
    // Without access to the clipboard the text can be copied by hand.
    prompt(`${name}:`, text);
  }
}
