// Times in words.

/** A clock: `1:05`, `2:00:00`. @param {number} ms */
export function formatClock(ms) {
  const total = Math.ceil(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const pad = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

/** The time of a turn: `0.3 s`, `12 s`, `1:05`. @param {number} ms */
export function formatDuration(ms) {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 59_500 ? `${Math.round(ms / 1000)} s` : formatClock(ms);
}

/** @type {Record<string, [number, string]>} */
const UNITS = { d: [86_400, 'day'], h: [3600, 'hour'], m: [60, 'minute'], s: [1, 'second'] };

/** The seconds of `2m30s`, `1d` or `0`. @param {string} text */
function parseSeconds(text) {
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit][0], 0);
}

/** A time in words: `2 minutes 30 seconds`. @param {number} seconds */
function durationWords(seconds) {
  const words = [];
  let rest = seconds;
  for (const [length, name] of Object.values(UNITS)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count) words.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return words.join(' ');
}

/**
 * A time control such as `2m/2m/100/10m/8h` in words: what a player has, and the details.
 * @param {string} text
 * @returns {{short: string, details: string[]}}
 */
export function timeControlWords(text) {
  const [turn, reserve, percent = '100', reserveLimit = '0', game = '0', turnLimit = '0'] = text.split('/');
  const words = (/** @type {string} */ field) => durationWords(parseSeconds(field));
  const inReserve = words(reserve) ? `, and ${words(reserve)} in reserve` : '';
  const details = [];
  if (percent !== '0') {
    const share = percent === '100' ? 'Unused time' : `${percent} % of the unused time`;
    const limit = words(reserveLimit) ? `, up to ${words(reserveLimit)}` : '';
    details.push(`${share} is added to the reserve${limit}.`);
  }
  if (words(turnLimit)) details.push(`A turn takes at most ${words(turnLimit)}.`);
  if (game.endsWith('t')) details.push(`After ${Number.parseInt(game, 10)} turns the side with more pieces wins.`);
  else if (words(game)) details.push(`After ${words(game)} the side with more pieces wins.`);
  return { short: `${words(turn)} a turn${inReserve}`, details };
}
