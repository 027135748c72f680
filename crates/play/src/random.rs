//! The engine that plays anything.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use surus_rules::{Game, Phase, Step, Turn};

use crate::{
    Answer, Engine, EngineError, Id, Info, Job, OptionError, OptionKind, OptionSpec, Options, random_setup,
};

/// Takes random steps until the turn is full. The weakest opponent there is, and the one that finds the strangest
/// positions.
#[derive(Clone, Debug)]
pub struct Random {
    options: Options,
    random: Pcg64Mcg,
}

/// The seed that both simple engines have.
pub(crate) static SEED: [OptionSpec; 1] = [OptionSpec {
    name: "seed",
    kind: OptionKind::Whole(0, i64::MAX),
    default: "1",
    help: "The same seed plays the same games.",
}];

pub(crate) fn seeded(options: &Options) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(options.whole("seed").unsigned_abs())
}

impl Default for Random {
    fn default() -> Self {
        let options = Options::new(&SEED);
        Self { random: seeded(&options), options }
    }
}

impl Engine for Random {
    fn id(&self) -> Id {
        Id::own("random", &[])
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.options.set(name, value)?;
        self.random = seeded(&self.options);
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, _: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => {
                random_setup(side, &mut self.random).map(Answer::Setup).ok_or(EngineError::NoTurn)
            }
            Phase::Play(_) if !job.only.is_empty() => {
                job.only.choose(&mut self.random).copied().map(Answer::Turn).ok_or(EngineError::NoTurn)
            }
            Phase::Play(_) => self.turn(&job.game).map(Answer::Turn),
        }
    }
}

impl Random {
    fn turn(&mut self, game: &Game) -> Result<Turn, EngineError> {
        // Steps at random end in a dead end now and then (a board unchanged, a repetition); try again.
        for _ in 0..100 {
            if let Some(turn) = self.steps(game.clone()) {
                return Ok(turn);
            }
        }
        game.legal_turns().choose(&mut self.random).copied().ok_or(EngineError::NoTurn)
    }

    fn steps(&mut self, mut game: Game) -> Option<Turn> {
        let mut turn = Turn::EMPTY;
        loop {
            let mut steps: Vec<Step> = Vec::new();
            game.position().for_each_step(|step, _| steps.push(step));
            let Some(&step) = steps.choose(&mut self.random) else {
                return game.may_end_turn().is_ok().then_some(turn);
            };
            game.step(step).ok()?;
            turn.push(step);
        }
    }
}
