//! The queries of the API.

use surus_archive::{
    GameFilter, PlayerStats, PositionPattern, SetupOrder, SetupStats, explore, game, games_by_player,
    games_through, search, search_players, setups,
};
use surus_rules::{Game, Phase, Side};

use super::convert::{archived_game, full_game, game_filter};
use super::{ArchiveService, QueryError, QueryKind};
use crate::api::{
    ArchivePlayer, ArchivePlayers, ArchiveStatus, ExploreRequest, ExploreResponse, ExplorerTurn,
    GameSearchResponse, ParsedGame, SearchRequest, SetupEntry, SetupsResponse,
};
use crate::error::ApiError;
use crate::replay::replay_line;
use crate::steps::steps_from_text;

/// The number of rows of a response.
const DEFAULT_LIMIT: usize = 30;
const MAX_LIMIT: usize = 200;
/// The number of games listed below the turns of a position.
const SAMPLE_GAMES: usize = 8;
/// The maximum length of a name or a pattern, in bytes.
const MAX_TEXT_LEN: usize = 400;

fn effective_limit(limit: Option<usize>) -> usize {
    limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT)
}

fn check_len(what: &'static str, text: &str) -> Result<(), QueryError> {
    if text.len() > MAX_TEXT_LEN {
        return Err(QueryError::TooLong { what, max: MAX_TEXT_LEN });
    }
    Ok(())
}

/// The position of a query, and the games to count.
fn query_position(request: &ExploreRequest) -> Result<(Game, GameFilter), ApiError> {
    for (what, text) in [("the event", &request.filters.event), ("the player", &request.filters.player)] {
        check_len(what, text.as_deref().unwrap_or(""))?;
    }
    Ok((replay_line(&request.line)?, game_filter(&request.filters)))
}

impl ArchiveService {
    /// Whether the archive can be queried.
    pub(crate) async fn status(&self) -> Result<ArchiveStatus, ApiError> {
        match self.run_query(QueryKind::Indexed, |_, _| Ok(())).await {
            Ok(()) => Ok(ArchiveStatus { ready: true, hint: None }),
            Err(ApiError::Archive(error)) => {
                Ok(ArchiveStatus { ready: false, hint: Some(error.to_string()) })
            }
            Err(other) => Err(other),
        }
    }

    /// The turns that were played in a position.
    pub(crate) async fn explore(&self, request: ExploreRequest) -> Result<ExploreResponse, ApiError> {
        self.run_query(QueryKind::Indexed, move |db, _| {
            let (game, filter) = query_position(&request)?;
            let (tag, limit) = (game.tag().to_string(), effective_limit(request.limit));
            let mut stats = explore(db, &game, &filter)?;
            let sample = games_through(db, &game, &filter, None, SAMPLE_GAMES)?;
            stats.continuations.truncate(limit);
            let turns = stats.continuations.into_iter().map(|continuation| ExplorerTurn {
                steps: steps_from_text(&continuation.turn),
                text: continuation.turn,
                name: continuation.name,
                games: continuation.games,
                gold_wins: continuation.gold_wins,
                silver_wins: continuation.silver_wins,
                rating: continuation.rating,
                last_year: continuation.last_year,
            });
            Ok(ExploreResponse {
                tag,
                games: stats.games,
                gold_wins: stats.gold_wins,
                silver_wins: stats.silver_wins,
                distinct_turns: stats.distinct_continuations,
                turns: turns.collect(),
                games_sample: sample.into_iter().map(|(id, game)| archived_game(Some(id), game)).collect(),
            })
        })
        .await
    }

    /// The setups that were played, with their results.
    pub(crate) async fn setups(&self, request: ExploreRequest) -> Result<SetupsResponse, ApiError> {
        self.run_query(QueryKind::Indexed, move |db, _| {
            let (game, filter) = query_position(&request)?;
            let Phase::Setup(side) = game.phase() else {
                return Err(QueryError::NoSetup(game.tag()).into());
            };
            let limit = effective_limit(request.limit);
            let stats = setups(db, &game, &filter, SetupOrder::Games)?;
            // Includes the games with setups that are too rare to be listed.
            let games =
                stats.first().map_or(0, |first| (100.0 * first.games as f64 / first.share).round() as u64);
            let setups = stats.into_iter().take(limit).map(setup_entry).collect();
            Ok(SetupsResponse { side: side.letter(), games, setups })
        })
        .await
    }

    /// Games with a position that matches a pattern.
    pub(crate) async fn search(&self, request: &SearchRequest) -> Result<GameSearchResponse, ApiError> {
        check_len("the list of squares", &request.squares)?;
        check_len("the material", &request.material)?;
        let pattern = pattern(request)?;
        let limit = effective_limit(request.limit);
        self.run_query(QueryKind::Scan, move |db, token| {
            let mut complete = true;
            let found = search(db, &pattern, limit, |_| {
                complete = token.is_active();
                complete
            })?;
            complete &= found.len() < limit;
            let games = found.into_iter().map(|(id, game)| archived_game(Some(id), game)).collect();
            Ok(GameSearchResponse { games, complete })
        })
        .await
    }

    /// Players by a part of their name.
    pub(crate) async fn players(
        &self,
        name: String,
        limit: Option<usize>,
    ) -> Result<ArchivePlayers, ApiError> {
        check_len("the name", &name)?;
        let limit = effective_limit(limit);
        self.run_query(QueryKind::Indexed, move |db, _| {
            let found = search_players(db, name.trim(), limit)?;
            let player = |stats: PlayerStats| ArchivePlayer {
                name: stats.name,
                games: stats.games,
                wins: stats.won,
                best_rating: stats.best_rating,
            };
            Ok(ArchivePlayers { players: found.into_iter().map(player).collect() })
        })
        .await
    }

    /// The games of a player, newest first.
    pub(crate) async fn games_by_player(
        &self,
        player: String,
        limit: Option<usize>,
    ) -> Result<GameSearchResponse, ApiError> {
        check_len("the name", &player)?;
        let limit = effective_limit(limit);
        self.run_query(QueryKind::Indexed, move |db, _| {
            let found = games_by_player(db, player.trim(), limit)?;
            let complete = found.len() < limit;
            let games = found.into_iter().map(|game| archived_game(None, game)).collect();
            Ok(GameSearchResponse { games, complete })
        })
        .await
    }

    /// A game with its turns.
    pub(crate) async fn game(&self, id: i64) -> Result<ParsedGame, ApiError> {
        self.run_query(QueryKind::Indexed, move |db, _| {
            let found = game(db, id)?.ok_or(QueryError::NoGame(id))?;
            Ok(full_game(&found))
        })
        .await
    }
}

fn pattern(request: &SearchRequest) -> Result<PositionPattern, ApiError> {
    let (squares, material) = (request.squares.trim(), request.material.trim());
    if squares.is_empty() && material.is_empty() {
        return Err(QueryError::EmptySearch.into());
    }
    let side = match request.side {
        None => None,
        Some(letter) => Some(Side::from_letter(letter).ok_or(QueryError::Side(letter))?),
    };
    let pattern = PositionPattern::squares(squares)?.to_move(side);
    Ok(if material.is_empty() { pattern } else { pattern.with_material(material)? })
}

fn setup_entry(stats: SetupStats) -> SetupEntry {
    SetupEntry {
        front: stats.front,
        back: stats.back,
        name: stats.name,
        games: stats.games,
        percent: stats.share,
        score: stats.score,
        rating: stats.rating,
    }
}
