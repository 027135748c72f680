//! The games, and what each tier would have answered on the way.

use std::fs::OpenOptions;
use std::io::Write;

use serde::{Deserialize, Serialize};
use surus_archive::{AskOptions, Mimic, Place, Store, Tier, ask};
use surus_play::{Answer, Engine, Job, Limits, Registry, Stop};
use surus_rules::{Game, Phase, Side};

use super::{MimicLab, Opponent, failed};
use crate::error::LabError;

/// The tiers of play, in the document's order.
pub(super) const TIERS: [Tier; 5] = [Tier::Win, Tier::Full, Tier::Middle, Tier::Area, Tier::Piece];

/// A turn of mimic: its number, and which tiers had an answer, each asked by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Met {
    /// The number of the turn.
    pub turn: u32,
    /// Win, full, middle, area, piece.
    pub hits: [bool; 5],
}

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRow {
    /// Counted from 1; mimic has gold in odd ones.
    pub number: u64,
    /// Whether mimic won; nothing if the game was cut.
    pub won: Option<bool>,
    /// Its turns after the setup.
    pub met: Vec<Met>,
    /// The game record.
    pub record: String,
}

impl GameRow {
    /// The side of mimic.
    #[must_use]
    pub const fn side(&self) -> Side {
        if self.number % 2 == 1 { Side::Gold } else { Side::Silver }
    }
}

/// Plays the games that are not on disk.
pub(super) fn games(
    lab: &MimicLab<'_>,
    opponent: &Opponent,
    registry: &Registry,
    stop: &Stop,
    tell: &mut impl FnMut(&str),
) -> Result<Vec<GameRow>, LabError> {
    let path = lab.out.join(opponent.file);
    let fail = |error| LabError::File { path: path.clone(), error };
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    // A torn last line is a game that is played again.
    let mut rows: Vec<GameRow> = text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    let whole: String =
        rows.iter().filter_map(|row| serde_json::to_string(row).ok()).map(|line| line + "\n").collect();
    if whole != text {
        std::fs::write(&path, &whole).map_err(fail)?;
    }
    let store = Store::open(&lab.store()).map_err(|error| failed(&error))?;
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
    rows.truncate(usize::try_from(lab.games).unwrap_or(usize::MAX));
    for number in rows.len() as u64 + 1..=lab.games {
        let Some(row) = game(lab, opponent, number, &store, registry, stop)? else { break };
        let line = serde_json::to_string(&row).unwrap_or_default() + "\n";
        file.write_all(line.as_bytes()).map_err(fail)?;
        rows.push(row);
        if number % 50 == 0 {
            let won = rows.iter().filter(|row| row.won == Some(true)).count();
            tell(&format!("{number} games against {}, mimic won {won}", opponent.name));
        }
    }
    Ok(rows)
}

/// One game; nothing if it was stopped.
fn game(
    lab: &MimicLab<'_>,
    asked: &Opponent,
    number: u64,
    store: &Store,
    registry: &Registry,
    stop: &Stop,
) -> Result<Option<GameRow>, LabError> {
    let name = asked.name.replace("{n}", &number.to_string());
    let broken = |engine: &str, problem: String| LabError::Engine { engine: engine.into(), problem };
    let mut opponent = registry.make(&name).map_err(|error| broken(&name, error.to_string()))?;
    let mut mimic = Mimic::new(registry.clone(), None);
    let Place::File(archive) = lab.store() else { return Ok(None) };
    for (key, value) in
        [("store", archive.display().to_string()), ("fallback", format!("random:seed={number}"))]
    {
        mimic.set(key, &value).map_err(|error| broken("mimic", error.to_string()))?;
    }
    let mut row = GameRow { number, won: None, met: Vec::new(), record: String::new() };
    let side = row.side();
    let mut game = Game::default();
    while game.entries().len() < lab.turns && !matches!(game.phase(), Phase::Over(_)) {
        if stop.requested() {
            return Ok(None);
        }
        let own = game.side() == side;
        if own && matches!(game.phase(), Phase::Play(_)) {
            row.met.push(met(store, &game)?);
        }
        let engine: &mut dyn Engine = if own { &mut mimic } else { opponent.as_mut() };
        let limits = Limits { nodes: asked.nodes.filter(|_| !own), ..Limits::default() };
        let job = Job { stop: stop.clone(), ..Job::limited(game.clone(), limits) };
        let answer = engine.think(&job, &mut |_| ()).map_err(|error| broken(&name, error.to_string()))?;
        let played = match answer {
            Answer::Turn(turn) => game.play(&turn),
            Answer::Setup(setup) => game.play_setup(setup),
            Answer::Resign => {
                game.end(surus_rules::Ending::win(game.side().other(), surus_rules::Reason::Resignation));
                Ok(())
            }
        };
        played.map_err(|error| broken(&name, error.to_string()))?;
    }
    row.won = game.ending().and_then(|ending| ending.winner).map(|winner| winner == side);
    row.record = game.to_string();
    Ok(Some(row))
}

fn met(store: &Store, game: &Game) -> Result<Met, LabError> {
    let mut hits = [false; 5];
    for (hit, tier) in hits.iter_mut().zip(TIERS) {
        *hit = ask(store, game, tier, &AskOptions::default()).map_err(|error| failed(&error))?.hit.is_some();
    }
    Ok(Met { turn: game.tag().number, hits })
}
