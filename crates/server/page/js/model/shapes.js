// Arrows and circles as text: `g:e2e5`, `r:c3`.

/** @typedef {{from: string, to: string, colour: string}} Shape a circle if both squares are the same */

const COLOURS = new Map([
  ['g', 'green'],
  ['r', 'red'],
  ['b', 'blue'],
]);

/** Parses one shape; an invalid one gives an empty list. @param {string} text @returns {Shape[]} */
export function parseShape(text) {
  const colour = COLOURS.get(text[0]);
  const squares = Array.from(text.slice(2).matchAll(/[a-h][1-8]/g), ([square]) => square);
  if (!colour || squares.length === 0) return [];
  return [{ from: squares[0], to: squares[1] ?? squares[0], colour }];
}

/** @param {Shape} shape */
export function formatShape({ from, to, colour }) {
  return `${colour[0]}:${from}${from === to ? '' : to}`;
}

/** Adds a shape, or removes the one between the same squares. @param {Shape[]} shapes @param {Shape} shape */
export function toggleShape(shapes, shape) {
  const others = shapes.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  return others.length < shapes.length ? others : [...shapes, shape];
}
