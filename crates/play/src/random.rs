//! The engine `random`.

use std::sync::LazyLock;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use surus_rules::{Game, Phase, Step, Turn};

use crate::{
    Answer, Engine, EngineError, EngineId, Info, Job, Limits, OptionError, OptionKind, Options, Revision,
    TypedOptions, random_setup,
};

/// Plays random steps until the turn is complete: the weakest opponent, and a source of unusual positions for tests.
#[derive(Clone, Debug, Default)]
pub struct Random {
    options: TypedOptions<SeedOptions>,
}

crate::options! {
    /// The options of `random` and `greedy`.
    pub(crate) struct SeedOptions {
        seed: u64 = OptionKind::Int(0, i64::MAX), "1", "The same seed plays the same games.";
    }
}

/// The random generator for one turn. It depends only on the seed, the position and the number of the turn, so that earlier
/// games do not affect a game.
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
        let rng = &mut turn_rng(self.options.seed, &job.game);
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => random_setup(side, rng).map(Answer::Setup).ok_or(EngineError::NoLegalTurn),
            Phase::Play(_) if !job.search_turns.is_empty() => {
                job.search_turns.choose(rng).copied().map(Answer::Turn).ok_or(EngineError::NoLegalTurn)
            }
            Phase::Play(_) => random_turn(&job.game, rng).map(Answer::Turn),
        }
    }
}

fn random_turn(game: &Game, rng: &mut Pcg64Mcg) -> Result<Turn, EngineError> {
    // Random steps may end in an illegal turn (an unchanged board, a repetition); try again.
    for _ in 0..100 {
        if let Some(turn) = random_steps(game.clone(), rng) {
            return Ok(turn);
        }
    }
    game.legal_turns().choose(rng).copied().ok_or(EngineError::NoLegalTurn)
}

fn random_steps(mut game: Game, rng: &mut Pcg64Mcg) -> Option<Turn> {
    let mut turn = Turn::EMPTY;
    loop {
        let mut steps: Vec<Step> = Vec::new();
        game.position().for_each_step(|step, _| steps.push(step));
        let Some(&step) = steps.choose(rng) else {
            return game.check_end_turn().is_ok().then_some(turn);
        };
        game.step(step).ok()?;
        turn.push(step);
    }
}
