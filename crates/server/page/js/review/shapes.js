// Arrows and circles as they are written down: `g:e2e5`, `r:c3`.

/** @param {string} text @returns {{from: string, to: string, colour: string}[]} */
export function shapeOf(text) {
  const colour = new Map([['g', 'green'], ['r', 'red'], ['b', 'blue']]).get(text[0]);
  const squares = Array.from(text.slice(2).matchAll(/[a-h][1-8]/g), ([one]) => one);
  if (!colour || squares.length === 0) return [];
  return [{ from: squares[0], to: squares[1] ?? squares[0], colour }];
}
