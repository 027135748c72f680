//! What goes over the wire: the types of the API, and nothing of the rules' own.
//!
//! The page knows them from `page/js/api.d.ts`, which a test writes and compares.

mod archive;
mod game;
mod live;
mod read;
#[cfg(test)]
mod typescript;
mod view;
mod why;

pub use archive::{
    ArchiveFilters, ArchivePlayer, ArchivePlayers, ArchiveState, ArchivedGame, ExploreRequest, Explored,
    ExploredTurn, FoundGames, SearchRequest, SetupScore, Setups,
};
pub use game::{
    About, ClockState, EngineAbout, EngineOption, GameState, GameSummary, Games, Handicaps, ListedGame,
    NamedControl, NamedSetup, NewGame, Player, Problem, Served, TurnState, UnreadableGame,
};
pub use live::{Ask, Command, Tell};
pub use read::{ReadGame, ReadRequest, Reading, TreeNode};
pub use view::{End, LegalAction, Line, Origin, Stuck, View, Way};
pub use why::{Remark, Track, Why};
