// Data for the unit tests of the page.

/** A step from its text, like `Ee2n`, optionally with a capture like `rc3`. */
export function step(text, capture = null) {
  const [piece, from, direction] = [text[0], text.slice(1, 3), text[3]];
  const [x, y] = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] }[direction];
  const to = String.fromCharCode(from.charCodeAt(0) + x) + (Number(from[1]) + y);
  const captured = capture ? { piece: capture[0], square: capture.slice(1) } : null;
  return { text, piece, from, to, captured };
}

/** A turn from step texts without captures. */
export function turn(text) {
  return { text, steps: text.split(' ').map((word) => step(word)) };
}

/** A compact board from pieces, like `Ee2`. */
export function compact(...pieces) {
  const squares = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...'abcdefgh'].map((file) => file + rank));
  const letters = new Map(pieces.map((piece) => [piece.slice(1), piece[0]]));
  return squares.map((square) => letters.get(square) ?? ' ').join('');
}

/** A `PositionView`. */
export function position(overrides = {}) {
  return {
    board: compact(),
    side: 'g',
    tag: '2g',
    phase: 'play',
    steps_played: [],
    turn_text: '',
    steps_left: 4,
    actions: [],
    paths: [],
    push_to: null,
    pull_to: null,
    immobile: [],
    frozen: [],
    can_end_turn: false,
    end_turn_error: null,
    end: null,
    ...overrides,
  };
}

export const HUMAN = { kind: 'human', name: '' };
export const ENGINE = { kind: 'engine', name: 'alphabeta:level=3', seconds: 2 };

/** A `GameState`. */
export function game(overrides = {}) {
  return {
    id: 'id',
    version: 1,
    config: { gold: HUMAN, silver: ENGINE, time_control: null, handicap: { gold: '', silver: '' }, start: null },
    start: { board: compact('Ee2', 'ed7'), tag: '2g' },
    turns: [],
    redo_count: 0,
    position: position(),
    captured: '',
    clock: null,
    engine_to_move: false,
    created_at: 0,
    ...overrides,
  };
}
