//! What can be wrong with what people write, each with a sentence that names the place.

use crate::{Piece, Side, Square, Step};

/// A token that is not Arimaa notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// Not a square.
    #[error("'{0}' is not a square: expected a file a to h and a rank 1 to 8, like d2")]
    Square(String),
    /// A token whose second and third character are no square.
    #[error(
        "'{token}' names no square: expected a file a to h and a rank 1 to 8 after the piece, found '{found}'"
    )]
    NoSquare {
        /// The token.
        token: String,
        /// What stands where the square should.
        found: String,
    },
    /// The first letter is no piece.
    #[error("'{0}' begins with no piece letter: expected one of EMHDCR (gold) or emhdcr (silver)")]
    Piece(String),
    /// The last letter is neither a direction nor a capture mark.
    #[error("'{0}' ends with no direction: expected n, e, s, w, or x for a capture")]
    Direction(String),
    /// A token of another length.
    #[error("'{0}' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)")]
    Length(String),
    /// A capture away from the traps.
    #[error("'{0}' is a capture on {1}, which is no trap: expected c3, f3, c6 or f6")]
    NotATrap(String, Square),
    /// The step leaves the board.
    #[error("'{0}' leaves the board")]
    OffBoard(String),
    /// Something else than a step where a step is asked for.
    #[error("'{0}' is not a step: expected a piece, a square and a direction, like Ed2n")]
    NotAStep(String),
}

/// A board that can't occur in a game, or a text that is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// Too many pieces of one kind.
    #[error("there are {found} pieces '{}' ({piece}): expected at most {most}", piece.letter())]
    TooMany {
        /// The piece.
        piece: Piece,
        /// How many there are.
        found: u32,
        /// How many a side starts with.
        most: u32,
    },
    /// A piece that would have been captured.
    #[error("the {piece} on the trap {trap} has no friend next to it and could not stand there")]
    Unguarded {
        /// The piece.
        piece: Piece,
        /// The trap.
        trap: Square,
    },
    /// No text at all.
    #[error("the position is empty: expected a diagram, 'g [64 characters]', or a game record")]
    Empty,
    /// The side letter of the compact form is missing or wrong.
    #[error("expected the side to move, g or s (or w or b), before '[', found '{0}'")]
    Side(String),
    /// The compact form has no bracket.
    #[error("expected '{0}' in the compact position, found '{1}'")]
    Bracket(char, String),
    /// The compact form has not 64 characters.
    #[error("expected 64 characters between '[' and ']', found {0}")]
    Length(usize),
    /// A character that is neither a piece nor an empty square.
    #[error(
        "'{}' on {square} is no piece: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        found.escape_debug()
    )]
    Character {
        /// Where.
        square: Square,
        /// What.
        found: char,
    },
    /// The first line of a diagram.
    #[error("line {line}: expected a turn number and a side, like 8s, found '{found}'")]
    Tag {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A rank of a diagram is missing or out of order.
    #[error("line {line}: expected rank {rank} of the diagram, '{rank}| . . . . . . . . |', found '{found}'")]
    Rank {
        /// Counted from 1.
        line: usize,
        /// The rank that was expected, 1 to 8.
        rank: u8,
        /// What stands there.
        found: String,
    },
    /// The text ends before the diagram does.
    #[error(
        "line {line}: expected rank {rank} of the diagram, '{rank}| . . . . . . . . |', found the end of the text"
    )]
    Truncated {
        /// Counted from 1.
        line: usize,
        /// The rank that was expected, 1 to 8.
        rank: u8,
    },
    /// A rank of a diagram with too few or too many squares.
    #[error("line {line}: rank {rank} has {found} squares, expected 8")]
    RankLength {
        /// Counted from 1.
        line: usize,
        /// The rank, 1 to 8.
        rank: u8,
        /// How many squares it has.
        found: usize,
    },
    /// Something after the end of the position.
    #[error("line {line}: expected the end of the position, found '{found}'")]
    Trailing {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
}

/// Why a step can't be taken, in words for the person who tried it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalStep {
    /// Nothing stands there.
    #[error("there is no piece on {square}")]
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// Another piece stands there.
    #[error("on {square} stands a {found}, not a {expected}")]
    WrongPiece {
        /// The square.
        square: Square,
        /// What stands there.
        found: Piece,
        /// What the step said.
        expected: Piece,
    },
    /// The target is taken.
    #[error("{square} is taken by a {by}")]
    Occupied {
        /// The target.
        square: Square,
        /// What stands there.
        by: Piece,
    },
    /// All four steps are taken.
    #[error("all four steps of the turn are taken")]
    NoStepsLeft,
    /// The piece is frozen.
    #[error("the {} on {square} is frozen by the {} on {by_square}", piece.kind(), by.kind())]
    Frozen {
        /// The frozen piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
        /// A stronger enemy piece.
        by: Piece,
        /// Where that stands.
        by_square: Square,
    },
    /// A rabbit's own step towards its own side.
    #[error("the rabbit on {square} can't step backward")]
    RabbitBackward {
        /// Where it stands.
        square: Square,
    },
    /// A push must be finished first.
    #[error("the push is not finished: a piece stronger than the {} must step to {square}", pushed.kind())]
    PushPending {
        /// The square to enter.
        square: Square,
        /// The piece that left it.
        pushed: Piece,
    },
    /// The piece that follows is too weak to have pushed.
    #[error("the {} on {from} is not stronger than the {} and can't push it", piece.kind(), pushed.kind())]
    PusherTooWeak {
        /// The piece that tried.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// The piece that was moved.
        pushed: Piece,
    },
    /// No piece stands next to the enemy piece that could push it.
    #[error("the {} on {square} can't be moved: no stronger {} piece stands next to it", piece.kind(), piece.side().other())]
    NoStrongerPiece {
        /// The enemy piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The pieces that could push are frozen.
    #[error("the {} on {square} can't be pushed: the {} on {pusher_square} is frozen", piece.kind(), pusher.kind())]
    PusherFrozen {
        /// The enemy piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
        /// A stronger, frozen piece next to it.
        pusher: Piece,
        /// Where that stands.
        pusher_square: Square,
    },
    /// A push begun with the last step.
    #[error("a push takes two steps and only one is left")]
    PushNeedsTwo,
}

/// Why a turn can't be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalTurn {
    /// A step of it is illegal.
    #[error("{step}: {reason}")]
    Step {
        /// The step.
        step: Step,
        /// What is wrong with it.
        reason: IllegalStep,
    },
    /// It has more than four steps.
    #[error("the turn has more than four steps: '{0}' is the fifth")]
    TooLong(Step),
    /// It has no step.
    #[error("a turn needs at least one step")]
    Empty,
    /// It ends in the middle of a push.
    #[error("the turn ends in the middle of a push: a piece must step to {0}")]
    PushUnfinished(Square),
    /// It changes nothing.
    #[error("the turn leaves the board as it was")]
    Unchanged,
    /// The third time.
    #[error("the turn repeats a position for the third time; it arose after {first} and {second}")]
    Repetition {
        /// The turn after which the position first arose.
        first: crate::TurnTag,
        /// The turn after which it arose again.
        second: crate::TurnTag,
    },
    /// The game is over.
    #[error("the game is over: {0}")]
    GameOver(crate::GameResult),
    /// A setup is expected.
    #[error("{0} has to set up its pieces first: expected placements, like Ra1")]
    SetupExpected(Side),
    /// A setup is not expected.
    #[error("the pieces are set up already: expected steps, like Ed2n")]
    SetupOver,
    /// The setup is wrong.
    #[error(transparent)]
    Setup(#[from] crate::SetupError),
    /// A capture that the rules do not bring about.
    #[error("'{0}': nothing is captured there")]
    NoSuchCapture(String),
    /// A capture of another piece than the one that the rules remove.
    #[error("'{token}': the piece captured there is a {found}")]
    WrongCapture {
        /// The capture.
        token: String,
        /// What is captured.
        found: Piece,
    },
    /// A token that is no notation.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A placement among steps, or a step among placements.
    #[error("'{0}': a turn has either steps or placements, not both")]
    Mixed(String),
}
