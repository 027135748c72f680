//! The messages of the WebSocket.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{GameState, Line, View};

/// What a client asks for.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Comes back with the answer.
    pub id: u32,
    /// What to do.
    pub command: Command,
}

/// What can be asked for.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Command {
    /// Tell this game's state now and whenever it changes, and let its engine play.
    Watch {
        /// The game.
        game: String,
    },
    /// No more of it.
    Leave {
        /// The game.
        game: String,
    },
    /// Place the pieces of the side to set up.
    Setup {
        /// The game.
        game: String,
        /// Sixteen placements.
        text: String,
    },
    /// Take steps, all or none of them.
    Steps {
        /// The game.
        game: String,
        /// `Ed2n Ed3n`, or `Ed2nn`.
        text: String,
    },
    /// Take the last step back.
    Undo {
        /// The game.
        game: String,
    },
    /// Take the step again that was taken back.
    Redo {
        /// The game.
        game: String,
    },
    /// End the turn.
    End {
        /// The game.
        game: String,
    },
    /// Take back the person's last turn, and what was played since.
    Takeback {
        /// The game.
        game: String,
    },
    /// Give the game up.
    Resign {
        /// The game.
        game: String,
    },
    /// What can be done at the end of a line, whatever game it is from.
    Look {
        /// The line.
        line: Line,
    },
}

/// What the server tells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Tell {
    /// The state of a watched game.
    Game {
        /// All of it.
        game: Box<GameState>,
    },
    /// The answer to a look.
    View {
        /// Of the question.
        id: u32,
        /// The position.
        view: Box<View>,
    },
    /// A command was done.
    Done {
        /// Of the command.
        id: u32,
    },
    /// A command was not done.
    Refused {
        /// Of the command.
        id: u32,
        /// Why, in a sentence.
        error: String,
    },
    /// An engine could not play.
    Trouble {
        /// The game.
        game: String,
        /// Why, in a sentence.
        error: String,
    },
    /// The game was deleted.
    Gone {
        /// The game.
        game: String,
    },
}
