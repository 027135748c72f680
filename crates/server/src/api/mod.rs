//! The types of the HTTP and WebSocket API, independent of the types of the rules.
//!
//! A test generates `page/js/api.d.ts` from them.

mod analysis;
mod archive;
mod explain;
mod game;
mod info;
mod messages;
mod parse;
mod phase;
mod position;
mod study;
#[cfg(test)]
mod typescript;

pub use analysis::{
    AnalysedPosition, AnalysisLimits, AnalysisLine, AnalysisRequest, AnalysisTurn, AnalysisUpdate,
    GameAnalysisRequest, GameAnalysisUpdate, GameReport, JudgedTurn, PlayerReport,
};
pub use archive::{
    ArchiveFilters, ArchivePlayer, ArchivePlayers, ArchiveStatus, ArchivedGame, ExploreRequest,
    ExploreResponse, ExplorerTurn, GameSearchResponse, SearchRequest, SetupEntry, SetupsResponse,
};
pub use explain::{AnswerLine, DemoLine, Explanation, Remark, Trajectory};
pub use game::{
    ClockState, EngineResults, GameList, GameState, GameSummary, Handicaps, Hint, ListedGame, NewGame,
    PlayedTurn, Player, UnreadableGame,
};
pub use info::{
    AppInfo, EngineInfo, EngineOption, ErrorBody, LevelInfo, RefusedRequests, ServerStats, SetupPreset,
    TimeControlPreset,
};
pub use messages::{ClientCommand, ClientMessage, ServerMessage};
pub use parse::{ParseFailure, ParseRequest, ParseResponse, ParsedGame, TreeNode};
pub use phase::{PhaseCourse, TurnPhase};
pub use position::{
    GameEnd, ImmobilePiece, LegalAction, PiecePath, PlacedPiece, PlayedLine, PositionView, StartPosition,
    StepInfo,
};
pub use study::{
    EditedPosition, EvaluationBreakdown, EvaluationPart, PositionCheck, PositionTactics, PossibleCapture,
    RabbitRun, SideTactics, TacticalLine, TrapControl,
};
