// Announcements for screen readers, and sounds.

import { settings } from '../model/settings.js';

/** @param {string} text */
export function announce(text) {
  const region = document.getElementById('live-region');
  if (!region) return;
  // A changed text is announced even if it reads the same.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** The text with a capital letter and a full stop. @param {string} text */
export function asSentence(text) {
  if (text === '') return '';
  const capitalised = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}

/** @type {AudioContext | null} */
let audio = null;

/** @typedef {{frequencies: number[], type: OscillatorType, duration: number}} Sound */

/** @type {Record<'step' | 'capture' | 'goal' | 'end', Sound>} */
const SOUNDS = {
  step: { frequencies: [260], type: 'triangle', duration: 0.09 },
  capture: { frequencies: [220, 130], type: 'triangle', duration: 0.16 },
  goal: { frequencies: [392, 494, 587, 784], type: 'sine', duration: 0.35 },
  end: { frequencies: [440, 330], type: 'sine', duration: 0.5 },
};

const VOLUME = 0.09;
/** The time in which a tone swells, so that it does not click. */
const ATTACK = 0.012;

/** @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  if (!settings.sound) return;
  const context = audio ?? new AudioContext();
  audio = context;
  // Browsers allow sound only after the first click or key.
  if (context.state === 'suspended') context.resume().catch(() => {});
  const { frequencies, type, duration } = SOUNDS[name];
  frequencies.forEach((frequency, index) => {
    const start = context.currentTime + index * 0.14;
    const [source, volume] = [context.createOscillator(), context.createGain()];
    source.type = type;
    source.frequency.setValueAtTime(frequency, start);
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(VOLUME, start + ATTACK);
    volume.gain.exponentialRampToValueAtTime(0.0005, start + duration);
    source.connect(volume).connect(context.destination);
    source.start(start);
    source.stop(start + 0.5);
  });
}
