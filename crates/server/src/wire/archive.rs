//! The archive: questions about its games, and the answers.

use serde::{Deserialize, Serialize};
use surus_archive::{PlayerTypes, ResultFilter};
use ts_rs::TS;

use super::Line;

/// Which games count; all of them where nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ArchiveFilters {
    /// Both players are rated so high or higher.
    pub min_rating: Option<i32>,
    /// Both players are rated so high or lower.
    pub max_rating: Option<i32>,
    /// Who plays: two people, two programs, or one of each.
    #[ts(type = "'any' | 'humans' | 'bots' | 'mixed'")]
    pub players: PlayerTypes,
    /// The event's name has this in it.
    pub event: Option<String>,
    /// One of the players has this name.
    pub player: Option<String>,
    /// Begun in this year or later.
    pub from_year: Option<i32>,
    /// Begun in this year or earlier.
    pub to_year: Option<i32>,
    /// Who won, in the colours of the position that is asked for.
    #[ts(type = "'gold' | 'silver' | 'none' | null")]
    pub outcome: Option<ResultFilter>,
    /// Only the position itself, not its mirror image or the one with the sides exchanged.
    pub no_symmetry: bool,
}

/// A position to explore: the one at the start of the turn that runs at the end of the line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct ExploreRequest {
    /// The way there.
    pub line: Line,
    /// Which games count.
    pub filters: ArchiveFilters,
    /// So many turns at most; 30 if nothing is said, never more than 200.
    #[ts(type = "number | null")]
    pub most: Option<usize>,
}

/// What was played from a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct Explored {
    /// The turn that was asked for: `2g`.
    pub tag: String,
    /// How many games went through the position.
    #[ts(type = "number")]
    pub games: u64,
    /// How many of them gold won.
    #[ts(type = "number")]
    pub gold: u64,
    /// How many of them silver won.
    #[ts(type = "number")]
    pub silver: u64,
    /// How many different turns were played.
    #[ts(type = "number")]
    pub distinct: usize,
    /// The turns or setups, those of the most games first.
    pub turns: Vec<ExploredTurn>,
    /// Some of the games.
    pub samples: Vec<ArchivedGame>,
}

/// A turn that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ExploredTurn {
    /// Placements or steps, with captures; other wordings of the same board are counted with it.
    pub text: String,
    /// What a setup is called.
    pub name: Option<String>,
    /// How many games.
    #[ts(type = "number")]
    pub games: u64,
    /// How many of them gold won.
    #[ts(type = "number")]
    pub gold: u64,
    /// How many of them silver won.
    #[ts(type = "number")]
    pub silver: u64,
    /// The average rating of those who played it and have one.
    pub rating: Option<u32>,
    /// The year in which it was played last.
    pub last_year: Option<u32>,
}

/// A game of the archive in a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchivedGame {
    /// Its number here.
    #[ts(type = "number")]
    pub id: i64,
    /// The turn that the position which was asked for comes before: `5s`.
    pub before: Option<String>,
    /// Who played gold.
    pub gold: String,
    /// Who played silver.
    pub silver: String,
    /// Gold's rating.
    #[ts(type = "number | null")]
    pub gold_rating: Option<i64>,
    /// Silver's rating.
    #[ts(type = "number | null")]
    pub silver_rating: Option<i64>,
    /// Where it was played.
    pub event: String,
    /// When it began.
    pub year: Option<i16>,
    /// g, s, or nothing where nobody won or nobody knows.
    #[ts(type = "'g' | 's' | null")]
    pub winner: Option<char>,
    /// How it ended, in words; empty if nobody knows.
    pub reason: String,
    /// How many turns of both sides, setups included.
    #[ts(type = "number")]
    pub turns: i64,
}

/// The setups that were played at the end of a line.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Setups {
    /// Whose they are.
    #[ts(type = "'g' | 's'")]
    pub side: char,
    /// How many games there are in all.
    #[ts(type = "number")]
    pub games: u64,
    /// Those of the most games first.
    pub setups: Vec<SetupScore>,
}

/// A setup and how it did.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct SetupScore {
    /// The row towards the enemy, from file a on; a dot is an empty square.
    pub front: String,
    /// The row behind.
    pub back: String,
    /// What it is called.
    pub name: Option<String>,
    /// How many games.
    #[ts(type = "number")]
    pub games: u64,
    /// Of all games, in percent.
    pub share: f64,
    /// Games that its side won of those that somebody won, in percent.
    pub score: Option<f64>,
    /// The average rating of those who chose it and have one.
    pub rating: Option<u32>,
}

/// Positions that look like something.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct SearchRequest {
    /// `Ed4 .c3 Ac6`: a piece, nothing, any gold piece; `a` any silver one, `O` and `o` any but a rabbit, `*` any piece.
    pub squares: String,
    /// All pieces that are left: `EMHHDDCCRRRRRRRR emhhddccrrrrrrr`; any if empty.
    pub material: String,
    /// Who is to play; either if nothing is said.
    #[ts(type = "'g' | 's' | null")]
    pub side: Option<char>,
    /// So many games at most; 30 if nothing is said, never more than 200.
    #[ts(type = "number | null")]
    pub most: Option<usize>,
}

/// Games that were found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct FoundGames {
    /// At most as many as were asked for.
    pub games: Vec<ArchivedGame>,
    /// Whether all of the archive was looked at.
    pub whole: bool,
}

/// A player of the archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchivePlayer {
    /// The name.
    pub name: String,
    /// How many games there are.
    #[ts(type = "number")]
    pub games: i64,
    /// How many of them the player won.
    #[ts(type = "number")]
    pub won: i64,
    /// The highest rating before a game.
    #[ts(type = "number | null")]
    pub best_rating: Option<i64>,
}

/// Players whose names have something in them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchivePlayers {
    /// Those with the most games first.
    pub players: Vec<ArchivePlayer>,
}

/// Whether there is an archive to ask.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS)]
pub struct ArchiveState {
    /// Whether questions are answered.
    pub ready: bool,
    /// If not, what to do about it.
    pub help: Option<String>,
}
