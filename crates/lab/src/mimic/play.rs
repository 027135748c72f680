//! The games, and what each tier would have answered on the way.

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

/// The tiers of play, in the document's order.
pub(super) const TIERS: [Tier; 5] = [Tier::Win, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece];

/// A turn of mimic: its number, and which tiers had an answer, each asked by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TierHits {
    /// The number of the turn.
    pub turn: u32,
    /// Win, full, middle, area, piece.
    pub hits: [bool; 5],
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MimicGame {
    /// Counted from 1; mimic has gold in odd ones.
    pub number: u64,
    /// The full ids of mimic and its opponent.
    pub engines: [String; 2],
    /// Whether mimic won; nothing if the game was cut.
    pub won: Option<bool>,
    /// Its turns after the setup.
    pub met: Vec<TierHits>,
    /// The game record.
    pub record: String,
}

impl MimicGame {
    /// The side of mimic.
    #[must_use]
    pub const fn side(&self) -> Side {
        mimic_side(self.number)
    }
}

const fn mimic_side(number: u64) -> Side {
    if number % 2 == 1 { Side::Gold } else { Side::Silver }
}

/// The columns of the journal of games.
const HEADER: &str = "game\tcrc32";

/// Plays the games that are not on disk.
pub(super) fn games(
    lab: &MimicExperiment<'_>,
    opponent: &Opponent,
    registry: &Registry,
    stop: &StopToken,
    tell: &mut impl FnMut(&str),
) -> Result<Vec<MimicGame>, LabError> {
    let path = lab.out.join(opponent.file);
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
    let ids = engines(lab, opponent, 1, registry)?.map(|engine| engine.id().to_string());
    if let Some(other) = rows.iter().find(|row| row.engines != ids) {
        let [before, now] =
            [&other.engines, &ids].map(|[mimic, opponent]| format!("{mimic} against {opponent}"));
        return Err(LabError::Revision { path, before, now });
    }
    let store = ArchiveDb::open(&lab.store()).map_err(|error| failed(&error))?;
    rows.truncate(usize::try_from(lab.games).unwrap_or(usize::MAX));
    for number in rows.len() as u64 + 1..=lab.games {
        let Some(row) = game(lab, opponent, number, &ids, &store, registry, stop)? else { break };
        journal.append(&serde_json::to_string(&row).map_err(LabError::json(&path))?)?;
        rows.push(row);
        if number % 50 == 0 {
            let won = rows.iter().filter(|row| row.won == Some(true)).count();
            tell(&format!("{number} games against {}, mimic won {won}", opponent.name));
        }
    }
    journal.sync()?;
    Ok(rows)
}

/// Mimic and its opponent in a game.
fn engines(
    lab: &MimicExperiment<'_>,
    asked: &Opponent,
    number: u64,
    registry: &Registry,
) -> Result<[Box<dyn Engine>; 2], LabError> {
    let name = asked.name.replace("{n}", &number.to_string());
    let opponent = registry
        .make(&name)
        .map_err(|error| LabError::Engine { engine: name.clone(), problem: error.to_string() })?;
    let mut mimic = Mimic::new(registry.clone(), None);
    for (key, value) in
        [("db", lab.archive_file().display().to_string()), ("fallback", format!("random:seed={number}"))]
    {
        mimic
            .set_option(key, &value)
            .map_err(|error| LabError::Engine { engine: "mimic".into(), problem: error.to_string() })?;
    }
    Ok([Box::new(mimic), opponent])
}

/// One game; nothing if it was stopped.
fn game(
    lab: &MimicExperiment<'_>,
    asked: &Opponent,
    number: u64,
    ids: &[String; 2],
    store: &ArchiveDb,
    registry: &Registry,
    stop: &StopToken,
) -> Result<Option<MimicGame>, LabError> {
    let [mut mimic, mut opponent] = engines(lab, asked, number, registry)?;
    let side = mimic_side(number);
    let paces = [EngineLimits::default(), EngineLimits { nodes: asked.nodes, ..EngineLimits::default() }];
    let (players, paces): ([&mut dyn Engine; 2], _) = match side {
        Side::Gold => ([mimic.as_mut(), opponent.as_mut()], paces),
        Side::Silver => ([opponent.as_mut(), mimic.as_mut()], [paces[1], paces[0]]),
    };
    let conditions = GameOptions {
        adjudication: Adjudication { resign: None, length: u32::try_from(lab.turns).ok() },
        stall_timeout: Duration::MAX,
        stop: stop.clone(),
    };
    let mut tiers = Tiers { store, side, met: Vec::new(), failed: None };
    let bout = play_game(Players::Two(players), paces, Game::default(), &conditions, &mut tiers);
    if let Some(error) = tiers.failed {
        return Err(error);
    }
    let Some(bout) = bout else { return Ok(None) };
    let winner = bout.ending().winner;
    if let Some(fault) = &bout.forfeit_reason {
        let engine = if winner == Some(side) { &asked.name } else { "mimic" };
        return Err(LabError::Engine { engine: engine.into(), problem: fault.to_string() });
    }
    Ok(Some(MimicGame {
        number,
        engines: ids.clone(),
        won: winner.map(|winner| winner == side),
        met: tiers.met,
        record: bout.game.to_string(),
    }))
}

/// Asks every tier about the turns of mimic.
struct Tiers<'a> {
    store: &'a ArchiveDb,
    side: Side,
    met: Vec<TierHits>,
    failed: Option<LabError>,
}

impl Observer for Tiers<'_> {
    fn on_turn(&mut self, game: &Game) -> ControlFlow<()> {
        if game.phase() == Phase::Play(self.side) {
            match met(self.store, game) {
                Ok(met) => self.met.push(met),
                Err(error) => {
                    self.failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn met(store: &ArchiveDb, game: &Game) -> Result<TierHits, LabError> {
    let mut hits = [false; 5];
    for (hit, tier) in hits.iter_mut().zip(TIERS) {
        *hit = lookup(store, game, tier, &LookupOptions::default())
            .map_err(|error| failed(&error))?
            .hit
            .is_some();
    }
    Ok(TierHits { turn: game.tag().number, hits })
}
