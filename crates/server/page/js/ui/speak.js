// Words for those who listen, and small sounds for those who want them.

import { settings } from '../model/settings.js';

/** @param {string} words */
export function say(words) {
  const region = document.getElementById('spoken');
  if (!region) return;
  // The same words twice are told twice.
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/** @type {AudioContext | null} */
let audio = null;

/** A short knock; lower for a capture, two tones for the end. @param {'step' | 'capture' | 'end'} kind */
export function knock(kind) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const tones = kind === 'end' ? [440, 660] : kind === 'capture' ? [150] : [260];
  tones.forEach((tone, index) => {
    const context = /** @type {AudioContext} */ (audio);
    const at = context.currentTime + index * 0.14;
    const [source, volume] = [context.createOscillator(), context.createGain()];
    source.type = kind === 'end' ? 'sine' : 'triangle';
    source.frequency.setValueAtTime(tone, at);
    volume.gain.setValueAtTime(0.18, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + (kind === 'end' ? 0.4 : 0.09));
    source.connect(volume).connect(context.destination);
    source.start(at);
    source.stop(at + 0.5);
  });
}
