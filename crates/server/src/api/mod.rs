//! The types of the HTTP and WebSocket API, independent of the types of the rules.
//!
//! A test generates `page/js/api.d.ts` from them.

mod archive;
mod explain;
mod game;
mod info;
mod messages;
mod parse;
mod phase;
mod position;
#[cfg(test)]
mod typescript;

pub use archive::{
    ArchiveFilters, ArchivePlayer, ArchivePlayers, ArchiveStatus, ArchivedGame, ExploreRequest,
    ExploreResponse, ExplorerTurn, GameSearchResponse, SearchRequest, SetupEntry, SetupsResponse,
};
pub use explain::{Explanation, Remark, Trajectory};
pub use game::{
    ClockState, GameList, GameState, GameSummary, Handicaps, ListedGame, NewGame, PlayedTurn, Player,
    UnreadableGame,
};
pub use info::{AppInfo, EngineInfo, EngineOption, ErrorBody, ServerStats, SetupPreset, TimeControlPreset};
pub use messages::{ClientCommand, ClientMessage, ServerMessage};
pub use parse::{ParseRequest, ParseResponse, ParsedGame, TreeNode};
pub use phase::{PhaseCourse, TurnPhase};
pub use position::{
    GameEnd, ImmobilePiece, LegalAction, PiecePath, PlacedPiece, PlayedLine, PositionView, StartPosition,
    StepInfo,
};
