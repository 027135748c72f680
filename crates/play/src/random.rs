//! The engine that plays anything.

use std::sync::LazyLock;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use surus_rules::{Game, Phase, Step, Turn};

use crate::{
    Answer, Engine, EngineError, EngineId, Info, Job, Limits, OptionError, OptionKind, Options, Revision,
    TypedOptions, random_setup,
};

/// Takes random steps until the turn is full. The weakest opponent there is, and the one that finds the strangest
/// positions.
#[derive(Clone, Debug, Default)]
pub struct Random {
    options: TypedOptions<SeedOptions>,
}

crate::options! {
    /// The seed that both simple engines have.
    pub(crate) struct SeedOptions {
        seed: u64 = OptionKind::Int(0, i64::MAX), "1", "The same seed plays the same games.";
    }
}

/// Chance for one turn: it depends on the seed, the position and the turn's number only, so that a game comes out the
/// same whatever was played before it.
pub(crate) fn turn_rng(seed: u64, game: &Game) -> Pcg64Mcg {
    let seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Pcg64Mcg::seed_from_u64(seed ^ game.position().key() ^ game.entries().len() as u64)
}

impl Engine for Random {
    fn id(&self) -> EngineId {
        static REVISION: LazyLock<String> =
            LazyLock::new(|| Revision::of(Random::default(), Limits::default()).to_string());
        EngineId::built_in("random", REVISION.as_str(), &[])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.options.set(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, _: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let random = &mut turn_rng(self.options.seed, &job.game);
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => {
                random_setup(side, random).map(Answer::Setup).ok_or(EngineError::NoLegalTurn)
            }
            Phase::Play(_) if !job.search_turns.is_empty() => {
                job.search_turns.choose(random).copied().map(Answer::Turn).ok_or(EngineError::NoLegalTurn)
            }
            Phase::Play(_) => turn(&job.game, random).map(Answer::Turn),
        }
    }
}

fn turn(game: &Game, random: &mut Pcg64Mcg) -> Result<Turn, EngineError> {
    // Steps at random end in a dead end now and then (a board unchanged, a repetition); try again.
    for _ in 0..100 {
        if let Some(turn) = steps(game.clone(), random) {
            return Ok(turn);
        }
    }
    game.legal_turns().choose(random).copied().ok_or(EngineError::NoLegalTurn)
}

fn steps(mut game: Game, random: &mut Pcg64Mcg) -> Option<Turn> {
    let mut turn = Turn::EMPTY;
    loop {
        let mut steps: Vec<Step> = Vec::new();
        game.position().for_each_step(|step, _| steps.push(step));
        let Some(&step) = steps.choose(random) else {
            return game.check_end_turn().is_ok().then_some(turn);
        };
        game.step(step).ok()?;
        turn.push(step);
    }
}
