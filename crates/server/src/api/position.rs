//! Positions and the actions that are legal in them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The position in which a game or a line of play starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct StartPosition {
    /// 64 characters, a8 to h1, a space for an empty square.
    pub board: String,
    /// The first turn: `2g`.
    pub tag: String,
}

/// A line of play: its start, complete turns, and steps of the current turn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct PlayedLine {
    /// The empty board at `1g` if missing.
    pub start: Option<StartPosition>,
    /// The number of steps of the first turn, 1 to 4; 4 if missing.
    pub steps_left: Option<u8>,
    /// official, classic2004 or classic2005; official if empty.
    pub rules: String,
    /// Each as in a game record, without its tag.
    pub turns: Vec<String>,
    /// Steps of the current turn; the shorthand `Ha2nnn` is accepted.
    pub steps: String,
}

/// A piece on a square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PlacedPiece {
    /// Its letter, upper case for gold.
    #[ts(type = "string")]
    pub piece: char,
    /// Its square: `f3`.
    pub square: String,
}

/// One step, with the piece that it captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct StepInfo {
    /// As in a game record: `Ed2n`.
    pub text: String,
    /// The letter of the moving piece, upper case for gold.
    #[ts(type = "string")]
    pub piece: char,
    /// The square it leaves.
    pub from: String,
    /// The square it enters.
    pub to: String,
    /// The piece that is lost in a trap by this step.
    pub captured: Option<PlacedPiece>,
}

/// A step, or a push or pull with both of its steps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct LegalAction {
    /// A push or pull that has already begun is completed by a single step.
    #[ts(type = "'step' | 'push' | 'pull'")]
    pub kind: &'static str,
    /// One or two steps, in order.
    pub steps: Vec<StepInfo>,
}

/// The shortest path of one piece to a square by single steps of its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PiecePath {
    /// The square of the piece.
    pub from: String,
    /// The target square.
    pub to: String,
    /// The directions, one letter each: `nne`.
    pub path: String,
    /// Own pieces that are lost in traps on the way.
    pub losses: Vec<PlacedPiece>,
}

/// A piece that cannot be moved now, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ImmobilePiece {
    /// Its square.
    pub square: String,
    /// The reason, as a sentence.
    pub reason: String,
}

/// The result of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameEnd {
    /// The winning side; missing in a draw under old rules.
    #[ts(type = "'g' | 's' | null")]
    pub winner: Option<char>,
    /// goal, elimination, …: in words.
    pub reason: String,
    /// The termination code of the official archive.
    #[ts(type = "string")]
    pub code: char,
}

/// A position with its legal actions, so that hovering and dragging need no further requests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct PositionView {
    /// 64 characters, a8 to h1, a space for an empty square.
    pub board: String,
    /// The side to set up or to move.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The current turn: `8s`.
    pub tag: String,
    /// Whether the side to move places its pieces, plays a turn, or the game is over.
    #[ts(type = "'setup' | 'play' | 'over'")]
    pub phase: &'static str,
    /// The steps of the current turn so far.
    pub steps_played: Vec<StepInfo>,
    /// The same steps as a game record writes them, with captures: `Ed2n rc3x`.
    pub turn_text: String,
    /// How many steps remain in this turn.
    pub steps_left: u8,
    /// All legal steps, pushes and pulls.
    pub actions: Vec<LegalAction>,
    /// The squares that each piece can reach by itself.
    pub paths: Vec<PiecePath>,
    /// The square that a piece must enter to complete a push.
    pub push_to: Option<String>,
    /// The square to which a weaker enemy piece may be pulled.
    pub pull_to: Option<String>,
    /// Pieces of both sides that cannot be moved.
    pub immobile: Vec<ImmobilePiece>,
    /// The squares of frozen pieces of both sides.
    pub frozen: Vec<String>,
    /// Whether the turn may end here.
    pub can_end_turn: bool,
    /// Why the turn may not end here.
    pub end_turn_error: Option<String>,
    /// The result, once the game is over.
    pub end: Option<GameEnd>,
}
