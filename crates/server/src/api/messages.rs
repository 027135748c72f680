//! The messages of the WebSocket.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    AnalysisRequest, AnalysisUpdate, GameAnalysisRequest, GameAnalysisUpdate, GameState, PlayedLine,
    PositionView,
};

/// A message of a client.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ClientMessage {
    /// Repeated in the reply.
    pub id: u32,
    /// The command.
    pub command: ClientCommand,
}

/// The commands of a client.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientCommand {
    /// Send the state of a game now and after every change, and run its engine and clock.
    Subscribe {
        /// The game.
        game: String,
    },
    /// Stop sending the state of a game.
    Unsubscribe {
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
    /// Play steps, all or none of them.
    Steps {
        /// The game.
        game: String,
        /// `Ed2n Ed3n`, or `Ed2nn`.
        text: String,
    },
    /// Undo the last step.
    Undo {
        /// The game.
        game: String,
    },
    /// Redo the step that was undone last.
    Redo {
        /// The game.
        game: String,
    },
    /// End the turn.
    EndTurn {
        /// The game.
        game: String,
    },
    /// Take back the last turn of a human player and everything after it.
    Takeback {
        /// The game.
        game: String,
    },
    /// Resign the game.
    Resign {
        /// The game.
        game: String,
    },
    /// Send the position at the end of a line of play, which need not belong to a stored game.
    Position {
        /// The line.
        line: PlayedLine,
    },
    /// Analyse a position and send the results until the analysis is stopped.
    Analyze {
        /// What to analyse.
        request: AnalysisRequest,
    },
    /// Analyse all positions of a line.
    AnalyzeGame {
        /// What to analyse.
        request: GameAnalysisRequest,
    },
    /// Stop an analysis.
    StopAnalysis {
        /// Its number.
        analysis: u32,
    },
}

/// The messages of the server.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The state of a subscribed game.
    Game {
        /// The state.
        game: Box<GameState>,
    },
    /// The reply to the command `position`.
    Position {
        /// The id of the command.
        id: u32,
        /// The position.
        position: Box<PositionView>,
    },
    /// A command succeeded.
    Ok {
        /// The id of the command.
        id: u32,
    },
    /// A command failed.
    Error {
        /// The id of the command.
        id: u32,
        /// The reason, as a sentence.
        error: String,
    },
    /// An engine failed, or its turn could not be stored.
    EngineError {
        /// The game.
        game: String,
        /// The reason, as a sentence.
        error: String,
    },
    /// The state of the analysis of a position.
    Analysis {
        /// Its number.
        analysis: u32,
        /// Its state and lines.
        update: Box<AnalysisUpdate>,
    },
    /// The progress of the analysis of a game.
    GameAnalysis {
        /// Its number.
        analysis: u32,
        /// What has been found since the last message.
        update: Box<GameAnalysisUpdate>,
    },
    /// The game was deleted.
    GameDeleted {
        /// The game.
        game: String,
    },
}
