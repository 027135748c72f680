//! Games of an engine against itself, every turn of which is recorded.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_arena::{Adjudication, Decision, EngineLimits, GameOptions, Observer, Players, play_game};
use surus_play::{
    Answer, Engine, EngineError, Greedy, Info, Job, Limits, OptionError, Random, StopToken, random_setup,
    varied_setup,
};
use surus_record::packed::{Flags, PackedGame, PackedSample, Sample};
use surus_rules::{Game, GameResult, Side, Termination, Turn};

use crate::labelling::{RETRY, Search};
use crate::{Adjudicator, RunError};

/// How games are played; with the engine and the number of a game, this tells every turn of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayConfig {
    /// Where chance begins.
    pub seed: u64,
    /// Nodes for each turn.
    pub nodes: u64,
    /// Of a hundred games so many begin with any setups at all, the others with those of the book.
    pub random_setups: u32,
    /// The most turns at the start that are played by chance.
    pub random_turns: u32,
    /// From how many hundredths of a rabbit on a side leads, and for how many turns it must lead to be given the win.
    pub adjudication: (i32, u32),
    /// After so many turns of both sides together nobody wins.
    pub max_turns: u32,
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 5_000,
            random_setups: 25,
            random_turns: 6,
            adjudication: (800, 5),
            max_turns: 200,
        }
    }
}

impl SelfPlayConfig {
    /// What the header of a file tells of it, beside seed and nodes.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let (lead, hold) = self.adjudication;
        [
            ("random setups", format!("{} %", self.random_setups)),
            ("random turns", format!("0 to {}", self.random_turns)),
            ("adjudication", format!("{lead} centirabbits for {hold} turns, or proven")),
            ("longest game", format!("{} turns", self.max_turns)),
        ]
        .map(|(name, value)| (name.to_string(), value))
        .into()
    }

    /// Plays the game of a number. Nothing comes back if it was stopped.
    pub fn play(
        &self,
        number: u64,
        engine: &mut dyn Engine,
        stop: &StopToken,
    ) -> Result<Option<PackedGame>, RunError> {
        let mut chance = Pcg64Mcg::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let opening = self.opening(number, &mut chance)?;
        let by_chance = chance.random_range(0..=self.random_turns);
        let mut recorder = Recorder {
            number,
            nodes: self.nodes,
            by_chance,
            chance,
            lead: Adjudicator::new(self.adjudication.0, self.adjudication.1),
            search: Search::default(),
            retried: false,
            samples: Vec::new(),
            failed: None,
        };
        let conditions = GameOptions {
            adjudication: Adjudication { resign: None, length: Some(self.max_turns) },
            // Nodes end a search, however slow the machine is.
            stall_timeout: Duration::MAX,
            stop: stop.clone(),
        };
        let pace = EngineLimits { nodes: Some(self.nodes), ..EngineLimits::default() };
        let bout = play_game(Players::Both(engine), [pace; 2], opening, &conditions, &mut recorder);
        if let Some(error) = recorder.failed {
            return Err(error);
        }
        let Some(bout) = bout else { return Ok(None) };
        if let Some(fault) = bout.forfeit_reason {
            return Err(RunError::Fault { game: number, fault });
        }
        let flags = Flags::ADJUDICATED.set_if(bout.ending().reason == Termination::Score);
        pack_game(number, &bout.game, recorder.samples, flags).map(Some)
    }

    fn opening(&self, number: u64, chance: &mut Pcg64Mcg) -> Result<Game, RunError> {
        let mut game = Game::default();
        let any = chance.random_range(0..100) < self.random_setups;
        for side in Side::BOTH {
            let setup = if any { random_setup(side, chance) } else { varied_setup(side, chance) };
            if let Some(setup) = setup {
                game.play_setup(setup).map_err(|error| RunError::Illegal { game: number, error })?;
            }
        }
        Ok(game)
    }
}

/// Records every search of a game, plays its random turns, and ends it where a side leads for long enough.
struct Recorder {
    number: u64,
    nodes: u64,
    /// How many turns are still played by chance.
    by_chance: u32,
    chance: Pcg64Mcg,
    lead: Adjudicator,
    search: Search,
    /// Whether this is the second search of the turn.
    retried: bool,
    samples: Vec<Sample>,
    failed: Option<RunError>,
}

impl Recorder {
    fn fail(&mut self, error: RunError) -> Decision {
        self.failed = Some(error);
        Decision::Abort
    }
}

impl Observer for Recorder {
    fn on_turn(&mut self, _game: &Game) -> ControlFlow<()> {
        (self.search, self.retried) = (Search::default(), false);
        ControlFlow::Continue(())
    }

    fn on_info(&mut self, info: &Info) {
        self.search.report(info);
    }

    fn on_answer(&mut self, game: &Game, answer: Answer) -> Decision {
        let Some(mut sample) = self.search.sample(game, answer) else {
            if std::mem::replace(&mut self.retried, true) {
                return self.fail(RunError::NoScore(self.number));
            }
            self.search = Search::default();
            let nodes = self.nodes.saturating_mul(RETRY);
            return Decision::Retry(Limits { nodes: Some(nodes), ..Limits::default() });
        };
        let winner = self.lead.update(sample.score, sample.side);
        if winner.is_some() {
            self.samples.push(sample);
            return Decision::End(GameResult { winner, reason: Termination::Score });
        }
        let mut turn = sample.best_turn;
        if 0 < self.by_chance {
            self.by_chance -= 1;
            turn = match random_turn(game, &mut self.chance) {
                Ok(turn) => turn,
                Err(error) => return self.fail(RunError::Engine { game: self.number, error }),
            };
            sample.flags = sample.flags | Flags::RANDOM_TURN.set_if(turn != sample.best_turn);
        }
        self.samples.push(sample);
        Decision::Play(Answer::Turn(turn))
    }
}

/// Packs what was seen of a game, now that its result is known.
pub(crate) fn pack_game(
    number: u64,
    game: &Game,
    samples: Vec<Sample>,
    flags: Flags,
) -> Result<PackedGame, RunError> {
    let ending = game.result().unwrap_or(GameResult { winner: None, reason: Termination::Abandoned });
    let pack = |sample: Sample| {
        let sample = Sample { result: ending.winner, flags: sample.flags | flags, ..sample };
        PackedSample::encode(&sample).map_err(|error| RunError::Sample { game: number, error })
    };
    Ok(PackedGame {
        id: number,
        origin: 0,
        result: ending.winner,
        reason: ending.reason,
        samples: samples.into_iter().map(pack).collect::<Result<_, _>>()?,
    })
}

/// Half of the time any steps at all, half of the time any turn that wins as much as a turn can.
fn random_turn(game: &Game, chance: &mut Pcg64Mcg) -> Result<Turn, EngineError> {
    let mut engine: Box<dyn Engine> =
        if chance.random_bool(0.5) { Box::new(Random::default()) } else { Box::new(Greedy::default()) };
    let seed = chance.random_range(0..=i64::MAX);
    let unset = |error: OptionError| EngineError::Failed(error.to_string());
    engine.set_option("seed", &seed.to_string()).map_err(unset)?;
    match engine.think(&Job::new(game.clone()), &mut |_| {})? {
        Answer::Turn(turn) => Ok(turn),
        Answer::Setup(_) | Answer::Resign => Err(EngineError::NoLegalTurn),
    }
}
