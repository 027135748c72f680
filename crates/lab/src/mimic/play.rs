//! Games of `mimic`, with the tiers that have an answer in each of its turns.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use surus_archive::{ArchiveDb, LookupOptions, Mimic, Tier, lookup};
use surus_arena::{Adjudication, EngineLimits, GameOptions, Observer, Players, play_game};
use surus_play::{Engine, Registry, StopToken};
use surus_record::journal::LineJournal;
use surus_rules::{Game, Phase, Side};

use super::{MimicExperiment, Opponent, failed};
use crate::error::LabError;

/// The tiers in the order of \[McKee\].
pub(super) const TIERS: [Tier; 5] = [Tier::Win, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece];

/// A turn of `mimic` and the tiers that have an answer, each queried separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TierHits {
    /// Turn number.
    pub turn: u32,
    /// Win, full, middle, area, piece.
    pub hits: [bool; 5],
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MimicGame {
    /// Counted from 1; `mimic` plays gold in odd games.
    pub number: u64,
    /// Full ids of `mimic` and its opponent.
    pub engines: [String; 2],
    /// Whether `mimic` won; `None` if the game reached the turn limit.
    pub won: Option<bool>,
    /// Turns of `mimic` after the setup.
    #[serde(rename = "met")]
    pub turns: Vec<TierHits>,
    /// The game record.
    pub record: String,
}

impl MimicGame {
    /// The side of `mimic`.
    #[must_use]
    pub const fn side(&self) -> Side {
        mimic_side(self.number)
    }
}

const fn mimic_side(number: u64) -> Side {
    if number % 2 == 1 { Side::Gold } else { Side::Silver }
}

/// Column names of the journal of games.
const HEADER: &str = "game\tcrc32";

/// Plays the games that are not in the journal yet.
pub(super) fn games(
    experiment: &MimicExperiment<'_>,
    opponent: &Opponent,
    registry: &Registry,
    stop: &StopToken,
    log: &mut impl FnMut(&str),
) -> Result<Vec<MimicGame>, LabError> {
    let path = experiment.out.join(opponent.file);
    let mut rows: Vec<MimicGame> = Vec::new();
    let mut journal = LineJournal::open(&path, HEADER, |text| {
        let row: MimicGame = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let expected = rows.len() as u64 + 1;
        if row.number != expected {
            return Err(format!("game {}: expected game {expected}", row.number));
        }
        rows.push(row);
        Ok(())
    })?;
    let ids = create_engines(experiment, opponent, 1, registry)?.map(|engine| engine.id().to_string());
    if let Some(other) = rows.iter().find(|row| row.engines != ids) {
        let [before, now] =
            [&other.engines, &ids].map(|[mimic, opponent]| format!("{mimic} against {opponent}"));
        return Err(LabError::Revision { path, before, now });
    }
    let db = ArchiveDb::open(&experiment.archive_location()).map_err(|error| failed(&error))?;
    rows.truncate(usize::try_from(experiment.games).unwrap_or(usize::MAX));
    for number in rows.len() as u64 + 1..=experiment.games {
        let Some(row) = play(experiment, opponent, number, &ids, &db, registry, stop)? else { break };
        journal.append(&serde_json::to_string(&row).map_err(LabError::json(&path))?)?;
        rows.push(row);
        if number % 50 == 0 {
            let won = rows.iter().filter(|row| row.won == Some(true)).count();
            log(&format!("{number} games against {}, {won} won by mimic", opponent.name));
        }
    }
    journal.sync()?;
    Ok(rows)
}

/// Creates `mimic` and its opponent for game `number`.
fn create_engines(
    experiment: &MimicExperiment<'_>,
    opponent: &Opponent,
    number: u64,
    registry: &Registry,
) -> Result<[Box<dyn Engine>; 2], LabError> {
    let name = opponent.name.replace("{n}", &number.to_string());
    let opponent_engine = registry
        .make(&name)
        .map_err(|error| LabError::Engine { engine: name.clone(), problem: error.to_string() })?;
    let mut mimic = Mimic::new(registry.clone(), None);
    for (key, value) in [
        ("db", experiment.archive_file().display().to_string()),
        ("fallback", format!("random:seed={number}")),
    ] {
        mimic
            .set_option(key, &value)
            .map_err(|error| LabError::Engine { engine: "mimic".into(), problem: error.to_string() })?;
    }
    Ok([Box::new(mimic), opponent_engine])
}

/// Plays game `number`. Returns `None` if stopped.
fn play(
    experiment: &MimicExperiment<'_>,
    opponent: &Opponent,
    number: u64,
    ids: &[String; 2],
    db: &ArchiveDb,
    registry: &Registry,
    stop: &StopToken,
) -> Result<Option<MimicGame>, LabError> {
    let [mut mimic, mut opponent_engine] = create_engines(experiment, opponent, number, registry)?;
    let side = mimic_side(number);
    let limits = [EngineLimits::default(), EngineLimits { nodes: opponent.nodes, ..EngineLimits::default() }];
    let (players, limits): ([&mut dyn Engine; 2], _) = match side {
        Side::Gold => ([mimic.as_mut(), opponent_engine.as_mut()], limits),
        Side::Silver => ([opponent_engine.as_mut(), mimic.as_mut()], [limits[1], limits[0]]),
    };
    let options = GameOptions {
        adjudication: Adjudication { resign: None, length: u32::try_from(experiment.max_turns).ok() },
        stall_timeout: Duration::MAX,
        stop: stop.clone(),
    };
    let mut observer = TierObserver { db, side, turns: Vec::new(), error: None };
    let game = play_game(Players::Two(players), limits, Game::default(), &options, &mut observer);
    if let Some(error) = observer.error {
        return Err(error);
    }
    let Some(game) = game else { return Ok(None) };
    let winner = game.ending().winner;
    if let Some(reason) = &game.forfeit_reason {
        let engine = if winner == Some(side) { &opponent.name } else { "mimic" };
        return Err(LabError::Engine { engine: engine.into(), problem: reason.to_string() });
    }
    Ok(Some(MimicGame {
        number,
        engines: ids.clone(),
        won: winner.map(|winner| winner == side),
        turns: observer.turns,
        record: game.game.to_string(),
    }))
}

/// Queries every tier before each turn of `mimic`.
struct TierObserver<'a> {
    db: &'a ArchiveDb,
    side: Side,
    turns: Vec<TierHits>,
    error: Option<LabError>,
}

impl Observer for TierObserver<'_> {
    fn on_turn(&mut self, game: &Game) -> ControlFlow<()> {
        if game.phase() == Phase::Play(self.side) {
            match tier_hits(self.db, game) {
                Ok(hits) => self.turns.push(hits),
                Err(error) => {
                    self.error = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn tier_hits(db: &ArchiveDb, game: &Game) -> Result<TierHits, LabError> {
    let mut hits = [false; 5];
    for (hit, tier) in hits.iter_mut().zip(TIERS) {
        *hit =
            lookup(db, game, tier, &LookupOptions::default()).map_err(|error| failed(&error))?.hit.is_some();
    }
    Ok(TierHits { turn: game.tag().number, hits })
}
