//! Queries to the archive of games, and their responses.

use serde::{Deserialize, Serialize};
use surus_archive::{PlayerTypes, ResultFilter};
use ts_rs::TS;

use super::{PlayedLine, StepInfo};

/// The games to count; all of them by default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ArchiveFilters {
    /// The minimum rating of both players.
    pub min_rating: Option<i32>,
    /// The maximum rating of both players.
    pub max_rating: Option<i32>,
    /// Humans, bots, or one of each.
    #[ts(type = "'any' | 'humans' | 'bots' | 'mixed'")]
    pub players: PlayerTypes,
    /// A part of the name of the event.
    pub event: Option<String>,
    /// The name of one of the players.
    pub player: Option<String>,
    /// Started in this year or later.
    pub from_year: Option<i32>,
    /// Started in this year or earlier.
    pub to_year: Option<i32>,
    /// The result, in the colours of the queried position.
    #[ts(type = "'gold' | 'silver' | 'none' | null")]
    pub result: Option<ResultFilter>,
    /// Count only the position itself, not its mirror image or the one with the sides exchanged.
    pub no_symmetry: bool,
}

/// A position to explore: the one at the start of the last turn of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ExploreRequest {
    /// The line that leads to it.
    pub line: PlayedLine,
    /// The games to count.
    pub filters: ArchiveFilters,
    /// The maximum number of turns in the response; 30 by default, at most 200.
    #[ts(type = "number | null")]
    pub limit: Option<usize>,
}

/// The turns that were played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ExploreResponse {
    /// The turn to be played in the position: `2g`.
    pub tag: String,
    /// The number of games with this position.
    #[ts(type = "number")]
    pub games: u64,
    /// How many of them gold won.
    #[ts(type = "number")]
    pub gold_wins: u64,
    /// How many of them silver won.
    #[ts(type = "number")]
    pub silver_wins: u64,
    /// The number of different turns.
    #[ts(type = "number")]
    pub distinct_turns: usize,
    /// The turns or setups, the most frequent first.
    pub turns: Vec<ExplorerTurn>,
    /// Some of the games.
    pub games_sample: Vec<ArchivedGame>,
}

/// A turn that was played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ExplorerTurn {
    /// Placements or steps, with captures; other step orders with the same result are counted with it.
    pub text: String,
    /// The steps; empty for a setup.
    pub steps: Vec<StepInfo>,
    /// The name of a known setup.
    pub name: Option<String>,
    /// The number of games.
    #[ts(type = "number")]
    pub games: u64,
    /// How many of them gold won.
    #[ts(type = "number")]
    pub gold_wins: u64,
    /// How many of them silver won.
    #[ts(type = "number")]
    pub silver_wins: u64,
    /// The average rating of the rated players who played it.
    pub rating: Option<u32>,
    /// The year in which it was played last.
    pub last_year: Option<u32>,
}

/// A game of the archive, without its turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchivedGame {
    /// Its id in the archive.
    #[ts(type = "number")]
    pub id: i64,
    /// The turn before which it has the queried position: `5s`.
    pub at_turn: Option<String>,
    /// Gold's name.
    pub gold: String,
    /// Silver's name.
    pub silver: String,
    /// Gold's rating.
    #[ts(type = "number | null")]
    pub gold_rating: Option<i64>,
    /// Silver's rating.
    #[ts(type = "number | null")]
    pub silver_rating: Option<i64>,
    /// The event.
    pub event: String,
    /// The year in which it started.
    pub year: Option<i16>,
    /// The winning side; missing if there is none or it is unknown.
    #[ts(type = "'g' | 's' | null")]
    pub winner: Option<char>,
    /// How it ended, in words; empty if unknown.
    pub reason: String,
    /// The number of turns of both sides, setups included.
    #[ts(type = "number")]
    pub turns: i64,
}

/// The setups that were played at the end of a line.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct SetupsResponse {
    /// The side that sets up.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// The number of games with any setup.
    #[ts(type = "number")]
    pub games: u64,
    /// The setups, the most frequent first.
    pub setups: Vec<SetupEntry>,
}

/// A setup with its results.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct SetupEntry {
    /// The row closer to the enemy, from file a on; a dot is an empty square.
    pub front: String,
    /// The row behind.
    pub back: String,
    /// Its name, if it is a known setup.
    pub name: Option<String>,
    /// The number of games.
    #[ts(type = "number")]
    pub games: u64,
    /// Percentage of all games.
    pub percent: f64,
    /// Percentage of the decided games that its side won.
    pub score: Option<f64>,
    /// The average rating of the rated players who chose it.
    pub rating: Option<u32>,
}

/// A search for positions by a pattern.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// `Ed4 .c3 Ac6`: a piece, an empty square, any gold piece; `a` any silver piece, `O` and `o` any but a rabbit,
    /// `*` any piece.
    pub squares: String,
    /// All remaining pieces: `EMHHDDCCRRRRRRRR emhhddccrrrrrrr`; any material if empty.
    pub material: String,
    /// The side to move; either side if missing.
    #[ts(type = "'g' | 's' | null")]
    pub side: Option<char>,
    /// The maximum number of games in the response; 30 by default, at most 200.
    #[ts(type = "number | null")]
    pub limit: Option<usize>,
}

/// The games that match a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct GameSearchResponse {
    /// The games, up to the limit.
    pub games: Vec<ArchivedGame>,
    /// Whether these are all matches in the archive.
    pub complete: bool,
}

/// A player of the archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchivePlayer {
    /// The name.
    pub name: String,
    /// The number of games.
    #[ts(type = "number")]
    pub games: i64,
    /// How many of them the player won.
    #[ts(type = "number")]
    pub wins: i64,
    /// The highest rating before a game.
    #[ts(type = "number | null")]
    pub best_rating: Option<i64>,
}

/// Players whose names contain the query.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchivePlayers {
    /// Those with the most games first.
    pub players: Vec<ArchivePlayer>,
}

/// Whether the archive can be queried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchiveStatus {
    /// Whether queries are answered.
    pub ready: bool,
    /// If not, what to do about it.
    pub hint: Option<String>,
}
