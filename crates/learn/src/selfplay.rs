//! Games of an engine against itself, every turn of which is recorded.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_play::{Answer, Engine, Greedy, Job, OptionError, Random, Stop, book_setup, random_setup};
use surus_record::packed::{Flags, GameRecords, Packed, Sample};
use surus_rules::{Ending, Game, Phase, Reason, Side, Turn};

use crate::{Lead, RunError, think};

/// How games are played; with the engine and the number of a game, this tells every turn of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// Where chance begins.
    pub seed: u64,
    /// Nodes for each turn.
    pub nodes: u64,
    /// Of a hundred games so many begin with any setups at all, the others with those of the book.
    pub random_setups: u32,
    /// The most turns at the start that are played by chance.
    pub random_turns: u32,
    /// From how many hundredths of a rabbit on a side leads, and for how many turns it must lead to be given the win.
    pub lead: (i32, u32),
    /// After so many turns of both sides together nobody wins.
    pub longest: u32,
}

impl Default for Conduct {
    fn default() -> Self {
        Self { seed: 1, nodes: 5_000, random_setups: 25, random_turns: 6, lead: (800, 5), longest: 200 }
    }
}

impl Conduct {
    /// What the header of a file tells of it, beside seed and nodes.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let (lead, hold) = self.lead;
        [
            ("random setups", format!("{} %", self.random_setups)),
            ("random turns", format!("0 to {}", self.random_turns)),
            ("adjudication", format!("{lead} centirabbits for {hold} turns, or proven")),
            ("longest game", format!("{} turns", self.longest)),
        ]
        .map(|(name, value)| (name.to_string(), value))
        .into()
    }

    /// Plays the game of a number. Nothing comes back if it was stopped.
    pub fn play(
        &self,
        number: u64,
        engine: &mut dyn Engine,
        stop: &Stop,
    ) -> Result<Option<GameRecords>, RunError> {
        let failed = |error| RunError::Engine { game: number, error };
        let mut chance = Pcg64Mcg::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut game = self.opening(number, &mut chance)?;
        let mut by_chance = chance.random_range(0..=self.random_turns);
        let mut lead = Lead::new(self.lead.0, self.lead.1);
        let mut samples: Vec<Sample> = Vec::new();
        let mut adjudicated = false;
        engine.new_game();
        while let Phase::Play(side) = game.phase() {
            let thought = think(engine, &game, self.nodes, stop).map_err(failed)?;
            if stop.requested() {
                return Ok(None);
            }
            let Some(thought) = thought else { return Err(RunError::Silent(number)) };
            let (mut sample, mut turn) = (thought.sample, thought.turn);
            let winner = lead.verdict(sample.score, side);
            if winner.is_none() && 0 < by_chance {
                by_chance -= 1;
                turn = random_turn(&game, &mut chance).map_err(failed)?;
                sample.flags = sample.flags | Flags::RANDOM_TURN.when(turn != sample.best);
            }
            samples.push(sample);
            if winner.is_some() {
                game.end(Ending { winner, reason: Reason::Score });
                adjudicated = true;
                break;
            }
            game.play(&turn).map_err(|error| RunError::Illegal { game: number, error })?;
            if game.ending().is_none() && self.longest as usize <= game.entries().len() {
                game.end(Ending { winner: None, reason: Reason::Score });
                adjudicated = true;
            }
        }
        let flags = Flags::ADJUDICATED.when(adjudicated);
        records(number, &game, samples, flags).map(Some)
    }

    fn opening(&self, number: u64, chance: &mut Pcg64Mcg) -> Result<Game, RunError> {
        let mut game = Game::default();
        let any = chance.random_range(0..100) < self.random_setups;
        for side in Side::BOTH {
            let setup = if any { random_setup(side, chance) } else { book_setup(side, chance) };
            if let Some(setup) = setup {
                game.play_setup(setup).map_err(|error| RunError::Illegal { game: number, error })?;
            }
        }
        Ok(game)
    }
}

/// Packs what was seen of a game, now that its result is known.
pub(crate) fn records(
    number: u64,
    game: &Game,
    samples: Vec<Sample>,
    flags: Flags,
) -> Result<GameRecords, RunError> {
    let ending = game.ending().unwrap_or(Ending { winner: None, reason: Reason::Abandoned });
    let pack = |sample: Sample| {
        let sample = Sample { result: ending.winner, flags: sample.flags | flags, ..sample };
        Packed::new(&sample).map_err(|error| RunError::Sample { game: number, error })
    };
    Ok(GameRecords {
        id: number,
        origin: 0,
        result: ending.winner,
        reason: ending.reason,
        records: samples.into_iter().map(pack).collect::<Result<_, _>>()?,
    })
}

/// Half of the time any steps at all, half of the time any turn that wins as much as a turn can.
fn random_turn(game: &Game, chance: &mut Pcg64Mcg) -> Result<Turn, surus_play::EngineError> {
    let mut engine: Box<dyn Engine> =
        if chance.random_bool(0.5) { Box::new(Random::default()) } else { Box::new(Greedy::default()) };
    let seed = chance.random_range(0..=i64::MAX);
    let unset = |error: OptionError| surus_play::EngineError::Failed(error.to_string());
    engine.set("seed", &seed.to_string()).map_err(unset)?;
    match engine.think(&Job::new(game.clone()), &mut |_| {})? {
        Answer::Turn(turn) => Ok(turn),
        Answer::Setup(_) | Answer::Resign => Err(surus_play::EngineError::NoTurn),
    }
}
