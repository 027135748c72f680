//! What a remark states, in a form that can be compared with exact tactics.

use surus_geometry::search::CapturedPiece;
use surus_rules::{GameResult, Square, Turn};

/// How a side wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Win {
    /// A rabbit reaches its goal rank.
    Goal {
        /// Its square before the turn.
        rabbit: Square,
        /// Its goal square.
        goal: Square,
    },
    /// All enemy rabbits are captured.
    Elimination,
    /// The other side has no step left.
    Immobilisation,
}

/// A fact about a position or a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The side can win by the line of the remark, and not with fewer steps: now, if it is to move, otherwise with a full
    /// turn.
    CanWin(Win),
    /// The side can capture this piece by the line of the remark, and not with fewer steps.
    CanCapture(CapturedPiece),
    /// The side has no goal, but would have one without any single one of these enemy pieces.
    GoalGuards {
        /// The rabbit that would reach its goal.
        rabbit: Square,
        /// The pieces.
        guards: Vec<Square>,
    },
    /// The turn scored a goal.
    Scored(Win),
    /// The turn ended the game otherwise.
    GameEnded(GameResult),
    /// The turn captured this piece.
    Captured(CapturedPiece),
    /// The turn lost this own piece.
    Lost(CapturedPiece),
    /// The side could have won with a full turn before the turn, and cannot after it.
    StoppedWin(Win),
    /// The side could have captured this piece before the turn, and cannot after it.
    Saved(CapturedPiece),
    /// Neither side can win or capture anything within a turn.
    NothingInReach,
    /// The turn neither wins, captures or loses anything, nor changes what either side could do.
    NoEffect,
}

/// What the other side can do with a full turn after a turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aftermath {
    /// The turn wins the game itself.
    pub wins: bool,
    /// Own pieces that the turn loses.
    pub lost: Vec<CapturedPiece>,
    /// A shortest win.
    pub win: Option<(Win, Turn)>,
    /// The capture of the most valuable piece that can be captured.
    pub capture: Option<(CapturedPiece, Turn)>,
}

impl Aftermath {
    /// The turn by which the other side wins, or else captures.
    #[must_use]
    pub fn reply(&self) -> Option<Turn> {
        self.win.map(|(_, turn)| turn).or_else(|| self.capture.map(|(_, turn)| turn))
    }
}

/// A turn that answers the line of a remark.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The turn, played on the board of the remark.
    pub turn: Turn,
    /// The turn in words, with what it leaves to the other side.
    pub text: String,
    /// What it leaves to the other side.
    pub aftermath: Aftermath,
}

/// What follows on the line of a remark.
#[derive(Clone, Debug)]
pub enum Response {
    /// Nothing is stated.
    None,
    /// The line is a threat, and no legal turn of the side to move stops it.
    Unstoppable,
    /// The line is a threat, and these turns stop it.
    Defences {
        /// The best one first, then the shortest ones; at most [`MAX_ANSWERS`](crate::MAX_ANSWERS).
        answers: Vec<Answer>,
        /// The steps of the shortest ones.
        steps: usize,
        /// The number of the shortest ones.
        count: usize,
    },
    /// The line is a capture by the side to move; this is what the other side can do if the turn ends with it.
    Reply(Aftermath),
}
