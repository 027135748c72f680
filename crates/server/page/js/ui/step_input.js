// The input for typed steps.

import { h } from './dom.js';

/**
 * @param {{label: string, placeholder?: string, onEnter: (text: string) => Promise<boolean>}} options `onEnter` resolves to
 * whether the text was accepted
 */
export function stepInput({ label, placeholder, onEnter }) {
  const input = h('input', {
    type: 'text',
    id: 'typed',
    class: 'typed',
    placeholder,
    autocomplete: 'off',
    spellcheck: false,
    autocapitalize: 'off',
    'aria-label': label,
  });
  input.addEventListener('keydown', async (event) => {
    if (event.key === 'Escape') input.blur();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const text = input.value.trim();
    input.value = '';
    // A rejected text can be corrected, unless something else has been typed in the meantime.
    if (!(await onEnter(text)) && input.value === '') input.value = text;
  });
  return input;
}
