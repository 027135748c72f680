//! Errors of notation, positions, steps and turns. Their messages name the place, what was found and what was expected.

use crate::{Piece, Side, Square, Step};

/// A token that is not Arimaa notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// Not a square.
    #[error("'{0}' is not a square: expected a file a to h and a rank 1 to 8, like d2")]
    Square(String),
    /// A token whose second and third characters are not a square.
    #[error(
        "invalid square '{found}' in '{token}': expected a file a to h and a rank 1 to 8 after the piece"
    )]
    NoSquare {
        /// The token.
        token: String,
        /// The two characters.
        found: String,
    },
    /// The first letter is not a piece.
    #[error("'{0}' does not start with a piece: expected one of EMHDCR (gold) or emhdcr (silver)")]
    Piece(String),
    /// The last letter is neither a direction nor a capture mark.
    #[error("'{0}' does not end with a direction: expected n, e, s, w, or x for a capture")]
    Direction(String),
    /// A token of the wrong length.
    #[error("'{0}' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)")]
    Length(String),
    /// A capture away from the traps.
    #[error("'{0}' is a capture on {1}, which is not a trap: expected c3, f3, c6 or f6")]
    NotATrap(String, Square),
    /// The step leaves the board.
    #[error("'{0}' leaves the board")]
    OffBoard(String),
    /// A token other than a step where a step is expected.
    #[error("'{0}' is not a step: expected a piece, a square and a direction, like Ed2n")]
    NotAStep(String),
}

/// A board that cannot occur in a game, or a text that is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// Too many pieces of one kind.
    #[error("{found} pieces '{}' ({piece}) on the board: expected at most {max}", piece.letter())]
    TooMany {
        /// The piece.
        piece: Piece,
        /// The number found.
        found: u32,
        /// The number that a side starts with.
        max: u32,
    },
    /// An unsupported piece on a trap.
    #[error("the {piece} on the trap {trap} has no friendly piece next to it and would be captured")]
    Unguarded {
        /// The piece.
        piece: Piece,
        /// The trap.
        trap: Square,
    },
    /// An empty text.
    #[error("the position is empty: expected a diagram, 'g [64 characters]', or a game record")]
    Empty,
    /// The side letter of the compact form is missing or wrong.
    #[error("expected the side to move, g or s (or w or b), before '[', found '{0}'")]
    Side(String),
    /// The compact form lacks a bracket.
    #[error("expected '{0}' in the compact position, found '{1}'")]
    Bracket(char, String),
    /// The compact form does not have 64 characters.
    #[error("expected 64 characters between '[' and ']', found {0}")]
    Length(usize),
    /// A character that is neither a piece nor an empty square.
    #[error(
        "invalid character '{}' on {square}: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        found.escape_debug()
    )]
    Character {
        /// The square.
        square: Square,
        /// The character.
        found: char,
    },
    /// A diagram does not start with a tag.
    #[error("line {line}: expected a turn number and a side, like 8s, found '{found}'")]
    Tag {
        /// Counted from 1.
        line: usize,
        /// The text found.
        found: String,
    },
    /// A rank of a diagram is missing or out of order.
    #[error("line {line}: expected rank {rank} of the diagram, '{rank}| . . . . . . . . |', found '{found}'")]
    Rank {
        /// Counted from 1.
        line: usize,
        /// The expected rank, 1 to 8.
        rank: u8,
        /// The text found.
        found: String,
    },
    /// A diagram with missing ranks.
    #[error(
        "line {line}: expected rank {rank} of the diagram, '{rank}| . . . . . . . . |', found the end of the text"
    )]
    Truncated {
        /// Counted from 1.
        line: usize,
        /// The expected rank, 1 to 8.
        rank: u8,
    },
    /// A rank of a diagram with too few or too many squares.
    #[error("line {line}: rank {rank} has {found} squares, expected 8")]
    RankLength {
        /// Counted from 1.
        line: usize,
        /// The rank, 1 to 8.
        rank: u8,
        /// The number of squares.
        found: usize,
    },
    /// Text after the end of the position.
    #[error("line {line}: expected the end of the position, found '{found}'")]
    Trailing {
        /// Counted from 1.
        line: usize,
        /// The text found.
        found: String,
    },
}

/// The reason why a step is illegal.
///
/// ```
/// use surus_rules::{IllegalStep, Position};
///
/// let position: Position = "g [                                   R                            ]".parse()?;
/// let error = position.try_step("Rd4s".parse().unwrap()).unwrap_err();
/// assert!(matches!(error, IllegalStep::RabbitBackward { .. }));
/// assert_eq!(error.to_string(), "the rabbit on d4 can't step backward");
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalStep {
    /// The source square is empty.
    #[error("there is no piece on {square}")]
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// The source square has another piece.
    #[error("the piece on {square} is a {found}, not a {expected}")]
    WrongPiece {
        /// The square.
        square: Square,
        /// The piece on the board.
        found: Piece,
        /// The piece of the step.
        expected: Piece,
    },
    /// The target square is occupied.
    #[error("{square} is occupied by a {by}")]
    Occupied {
        /// The target.
        square: Square,
        /// The piece on it.
        by: Piece,
    },
    /// The turn already has four steps.
    #[error("the turn has no steps left")]
    NoStepsLeft,
    /// The piece is frozen.
    #[error("the {} on {square} is frozen by the {} on {by_square}", piece.kind(), by.kind())]
    Frozen {
        /// The frozen piece.
        piece: Piece,
        /// Its square.
        square: Square,
        /// A stronger enemy piece next to it.
        by: Piece,
        /// The square of that piece.
        by_square: Square,
    },
    /// A rabbit cannot step backward.
    #[error("the rabbit on {square} can't step backward")]
    RabbitBackward {
        /// Its square.
        square: Square,
    },
    /// A pending push must be completed first.
    #[error("the push is not complete: a piece stronger than the {} must step to {square}", pushed.kind())]
    PushPending {
        /// The square that must be entered.
        square: Square,
        /// The piece that was pushed out of it.
        pushed: Piece,
    },
    /// The piece that completes a push is too weak.
    #[error("the {} on {from} is not stronger than the {} and can't push it", piece.kind(), pushed.kind())]
    PusherTooWeak {
        /// The pusher.
        piece: Piece,
        /// Its square.
        from: Square,
        /// The pushed piece.
        pushed: Piece,
    },
    /// No stronger piece is next to the enemy piece.
    #[error("the {} on {square} can't be displaced: no stronger {} piece is next to it", piece.kind(), piece.side().other())]
    NoStrongerPiece {
        /// The enemy piece.
        piece: Piece,
        /// Its square.
        square: Square,
    },
    /// The pieces that are strong enough to push are frozen.
    #[error("the {} on {square} can't be pushed: the {} on {pusher_square} is frozen", piece.kind(), pusher.kind())]
    PusherFrozen {
        /// The enemy piece.
        piece: Piece,
        /// Its square.
        square: Square,
        /// A stronger, frozen piece next to it.
        pusher: Piece,
        /// The square of that piece.
        pusher_square: Square,
    },
    /// A push cannot start with the last step.
    #[error("a push takes two steps and only one is left")]
    PushNeedsTwo,
}

/// The reason why a turn is illegal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalTurn {
    /// A step is illegal.
    #[error("{step}: {reason}")]
    Step {
        /// The step.
        step: Step,
        /// Why it is illegal.
        reason: IllegalStep,
    },
    /// The turn has more than four steps.
    #[error("the turn has more than four steps: '{0}' is the fifth")]
    TooLong(Step),
    /// The turn has no step.
    #[error("a turn needs at least one step")]
    Empty,
    /// The turn ends in mid-push.
    #[error("the turn ends in the middle of a push: a piece must step to {0}")]
    PushUnfinished(Square),
    /// The turn ends on the board on which it started.
    #[error("the turn leaves the board unchanged")]
    Unchanged,
    /// The turn leads to the third occurrence of a position.
    #[error("the turn repeats the position after {first} and {second} for the third time")]
    Repetition {
        /// The turn that first led to the position.
        first: crate::TurnTag,
        /// The turn that led to it again.
        second: crate::TurnTag,
    },
    /// The game is over.
    #[error("the game is over: {0}")]
    GameOver(crate::GameResult),
    /// A setup is expected.
    #[error("{0} must set up its pieces first: expected placements, like Ra1")]
    SetupExpected(Side),
    /// A setup is not expected.
    #[error("the pieces are already set up: expected steps, like Ed2n")]
    SetupOver,
    /// The setup is invalid.
    #[error(transparent)]
    Setup(#[from] crate::SetupError),
    /// A capture mark where nothing is captured.
    #[error("'{0}': nothing is captured there")]
    NoSuchCapture(String),
    /// A capture mark with the wrong piece.
    #[error("'{token}': the captured piece is a {found}")]
    WrongCapture {
        /// The capture mark.
        token: String,
        /// The captured piece.
        found: Piece,
    },
    /// A token that is not Arimaa notation.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Placements and steps in the same turn.
    #[error("'{0}': a turn has either steps or placements, not both")]
    Mixed(String),
}
