//! The questions, each with its answer.

use surus_archive::{
    PositionPattern, SetupOrder, explore, game, games_by_player, games_through, search, search_players,
    setups,
};
use surus_rules::{Game, Phase, Side};

use super::told::{archived, filters, full_game};
use super::{Archive, Kind, QueryError};
use crate::error::Refusal;
use crate::line;
use crate::wire::{
    ArchivePlayer, ArchivePlayers, ArchiveState, ExploreRequest, Explored, ExploredTurn, FoundGames,
    ReadGame, SearchRequest, SetupScore, Setups,
};

/// Rows of an answer where nobody says how many, and the most there are.
const USUAL: usize = 30;
const MOST: usize = 200;
/// Games that stand below the turns of a position.
const SAMPLES: usize = 8;
/// Longer texts are no names and no squares.
const LONGEST: usize = 400;

fn rows(most: Option<usize>) -> usize {
    most.unwrap_or(USUAL).min(MOST)
}

fn short(what: &'static str, text: &str) -> Result<(), QueryError> {
    if LONGEST < text.len() {
        return Err(QueryError::TooLong { what, most: LONGEST });
    }
    Ok(())
}

/// The position of a question, and which games count.
fn asked(request: &ExploreRequest) -> Result<(Game, surus_archive::GameFilter), Refusal> {
    for (what, text) in [("the event", &request.filters.event), ("the player", &request.filters.player)] {
        short(what, text.as_deref().unwrap_or(""))?;
    }
    Ok((line::follow(&request.line)?, filters(&request.filters)))
}

impl Archive {
    /// Whether there is something to ask.
    pub(crate) async fn state(&self) -> Result<ArchiveState, Refusal> {
        match self.ask(Kind::LookUp, |_, _| Ok(())).await {
            Ok(()) => Ok(ArchiveState { ready: true, help: None }),
            Err(Refusal::Archive(error)) => Ok(ArchiveState { ready: false, help: Some(error.to_string()) }),
            Err(other) => Err(other),
        }
    }

    /// What was played from a position.
    pub(crate) async fn explore(&self, request: ExploreRequest) -> Result<Explored, Refusal> {
        self.ask(Kind::LookUp, move |store, _| {
            let (game, filters) = asked(&request)?;
            let (tag, most) = (game.tag().to_string(), rows(request.most));
            let mut found = explore(store, &game, &filters)?;
            let samples = games_through(store, &game, &filters, None, SAMPLES)?;
            found.continuations.truncate(most);
            let turns = found.continuations.into_iter().map(|choice| ExploredTurn {
                text: choice.turn,
                name: choice.name,
                games: choice.games,
                gold: choice.gold_wins,
                silver: choice.silver_wins,
                rating: choice.rating,
                last_year: choice.last_year,
            });
            Ok(Explored {
                tag,
                games: found.games,
                gold: found.gold_wins,
                silver: found.silver_wins,
                distinct: found.distinct_continuations,
                turns: turns.collect(),
                samples: samples.into_iter().map(|(id, line)| archived(Some(id), line)).collect(),
            })
        })
        .await
    }

    /// The setups that were played, with their scores.
    pub(crate) async fn setups(&self, request: ExploreRequest) -> Result<Setups, Refusal> {
        self.ask(Kind::LookUp, move |store, _| {
            let (game, filters) = asked(&request)?;
            let Phase::Setup(side) = game.phase() else {
                return Err(QueryError::NoSetup(game.tag()).into());
            };
            let most = rows(request.most);
            let found = setups(store, &game, &filters, SetupOrder::Games)?;
            // All games, those with setups that are too rare to be listed among them.
            let games = found.first().map_or(0, |one| (100.0 * one.games as f64 / one.share).round() as u64);
            let score = |one: surus_archive::SetupStats| SetupScore {
                front: one.front,
                back: one.back,
                name: one.name,
                games: one.games,
                share: one.share,
                score: one.score,
                rating: one.rating,
            };
            let setups = found.into_iter().take(most).map(score).collect();
            Ok(Setups { side: side.letter(), games, setups })
        })
        .await
    }

    /// Games with a position that looks like something.
    pub(crate) async fn search(&self, request: &SearchRequest) -> Result<FoundGames, Refusal> {
        short("the list of squares", &request.squares)?;
        short("the material", &request.material)?;
        let (squares, material) = (request.squares.trim(), request.material.trim());
        if squares.is_empty() && material.is_empty() {
            return Err(QueryError::Nothing.into());
        }
        let side = match request.side {
            None => None,
            Some(letter) => Some(Side::from_letter(letter).ok_or(QueryError::Side(letter))?),
        };
        let mut partial = PositionPattern::squares(squares)?.to_move(side);
        if !material.is_empty() {
            partial = partial.with_material(material)?;
        }
        let most = rows(request.most);
        self.ask(Kind::Scan, move |store, going| {
            let mut whole = true;
            let found = search(store, &partial, most, |_| {
                whole = going.on();
                whole
            })?;
            whole &= found.len() < most;
            let games = found.into_iter().map(|(id, line)| archived(Some(id), line)).collect();
            Ok(FoundGames { games, whole })
        })
        .await
    }

    /// Players by a part of their name.
    pub(crate) async fn players(&self, name: String, most: Option<usize>) -> Result<ArchivePlayers, Refusal> {
        short("the name", &name)?;
        let most = rows(most);
        self.ask(Kind::LookUp, move |store, _| {
            let found = search_players(store, name.trim(), most)?;
            let player = |one: surus_archive::PlayerStats| ArchivePlayer {
                name: one.name,
                games: one.games,
                won: one.won,
                best_rating: one.best_rating,
            };
            Ok(ArchivePlayers { players: found.into_iter().map(player).collect() })
        })
        .await
    }

    /// The games of a player, newest first.
    pub(crate) async fn games_of(&self, player: String, most: Option<usize>) -> Result<FoundGames, Refusal> {
        short("the name", &player)?;
        let most = rows(most);
        self.ask(Kind::LookUp, move |store, _| {
            let found = games_by_player(store, player.trim(), most)?;
            let whole = found.len() < most;
            Ok(FoundGames { games: found.into_iter().map(|line| archived(None, line)).collect(), whole })
        })
        .await
    }

    /// A whole game, to be looked at.
    pub(crate) async fn game(&self, id: i64) -> Result<ReadGame, Refusal> {
        self.ask(Kind::LookUp, move |store, _| {
            let found = game(store, id)?.ok_or(QueryError::NoGame(id))?;
            Ok(full_game(&found))
        })
        .await
    }
}
