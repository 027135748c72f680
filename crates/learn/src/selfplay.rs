//! Self-play games with a sample for every turn.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_arena::{Adjudication, Decision, EngineLimits, GameOptions, Observer, Players, play_game};
use surus_play::{
    Answer, Engine, EngineError, Greedy, Info, Job, Limits, OptionError, Random, StopToken, random_setup,
    varied_setup,
};
use surus_record::packed::{Flags, PackedGame, PackedSample, Sample};
use surus_rules::{Game, GameResult, IllegalTurn, Position, Side, Termination, Turn};

use crate::import::ImportedGame;
use crate::labelling::{RETRY_FACTOR, SearchReport};
use crate::planted::{self, Structure};
use crate::{Adjudicator, LabelledTurn, RunError, label_position};

/// Settings of self-play. Together with the engine and its number they determine every turn of a game.
#[derive(Clone, Debug)]
pub struct SelfPlayConfig {
    /// Random seed.
    pub seed: u64,
    /// Nodes per turn.
    pub nodes: u64,
    /// Percentage of games that start from random setups instead of the book.
    pub random_setups: u32,
    /// Maximum number of random turns at the start of a game.
    pub random_turns: u32,
    /// The lead in centirabbits that wins a game, and the number of consecutive turns it must last.
    pub adjudication: (i32, u32),
    /// A game without a winner ends after this many turns, counting both sides.
    pub max_turns: u32,
    /// Games from whose positions some games start.
    pub starts: Option<Arc<Starts>>,
    /// Percentage of games that start with a planted structure.
    pub planted: u32,
}

/// Games whose positions are starts of self-play: structures that do not arise between equal players.
#[derive(Debug)]
pub struct Starts {
    /// The games.
    pub games: Vec<ImportedGame>,
    /// Percentage of games that start from their positions.
    pub percent: u32,
    /// The turns, including setups, that are kept at least.
    pub min_turns: usize,
}

/// Turns before the end of a game that are no starts, because the game is decided.
const UNUSED_END: usize = 8;
/// Turns, counting both sides, that are played before a structure is planted, and the nodes of each.
const PLANTED_AFTER: std::ops::RangeInclusive<u32> = 6..=16;
const PLANTED_NODES: u64 = 500;
/// Maximum number of random turns after such a start.
const RANDOM_TURNS_AFTER_START: u32 = 2;

impl fmt::Display for Starts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, percent, min_turns } = self;
        write!(f, "{percent} % from {} games, after {min_turns} turns or more", games.len())
    }
}

impl Starts {
    /// A random position of a random game that is long enough.
    fn draw(&self, rng: &mut Pcg64Mcg) -> Option<Result<Game, IllegalTurn>> {
        let game = self.games.get(rng.random_range(0..self.games.len().max(1)))?;
        let last = game.turn_count().checked_sub(UNUSED_END).filter(|last| *last >= self.min_turns)?;
        Some(game.prefix(rng.random_range(self.min_turns..=last)))
    }
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
            starts: None,
            planted: 0,
        }
    }
}

impl SelfPlayConfig {
    /// The settings stored in the header of a data file, besides seed and nodes.
    #[must_use]
    pub fn settings(&self) -> BTreeMap<String, String> {
        let (lead, turns) = self.adjudication;
        [
            ("random setups", format!("{} %", self.random_setups)),
            ("random turns", format!("0 to {}", self.random_turns)),
            ("adjudication", format!("{lead} centirabbits for {turns} turns, or proven")),
            ("longest game", format!("{} turns", self.max_turns)),
        ]
        .map(|(name, value)| (name.to_string(), value))
        .into_iter()
        .chain(self.starts.iter().map(|starts| ("starts".to_string(), starts.to_string())))
        .chain((self.planted > 0).then(|| ("planted structures".to_string(), format!("{} %", self.planted))))
        .collect()
    }

    /// Plays game `number`. Returns `None` if stopped.
    pub fn play(
        &self,
        number: u64,
        engine: &mut dyn Engine,
        stop: &StopToken,
    ) -> Result<Option<PackedGame>, RunError> {
        let mut rng = Pcg64Mcg::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (opening, random_turns) = match self.start(&mut rng) {
            Some(start) => (start, self.random_turns.min(RANDOM_TURNS_AFTER_START)),
            None => (self.opening(&mut rng), self.random_turns),
        };
        let mut opening = opening.map_err(|error| RunError::Illegal { game: number, error })?;
        // No random number is drawn without planted structures, so that they do not change other runs.
        if self.planted > 0 && rng.random_range(0..100) < self.planted {
            let Some(planted) = self.plant(opening, number, engine, &mut rng, stop)? else { return Ok(None) };
            opening = planted;
        }
        let random_turns_left = rng.random_range(0..=random_turns);
        let mut recorder = Recorder {
            number,
            nodes: self.nodes,
            random_turns_left,
            rng,
            adjudicator: Adjudicator::new(self.adjudication.0, self.adjudication.1),
            search: SearchReport::default(),
            retried: false,
            samples: Vec::new(),
            failed: None,
        };
        let options = GameOptions {
            adjudication: Adjudication { resign: None, length: Some(self.max_turns) },
            // The node limit ends a search, however slow the machine is.
            stall_timeout: Duration::MAX,
            stop: stop.clone(),
        };
        let limits = EngineLimits { nodes: Some(self.nodes), ..EngineLimits::default() };
        let played = play_game(Players::Both(engine), [limits; 2], opening, &options, &mut recorder);
        if let Some(error) = recorder.failed {
            return Err(error);
        }
        let Some(played) = played else { return Ok(None) };
        if let Some(fault) = played.forfeit_reason {
            return Err(RunError::Fault { game: number, fault });
        }
        let flags = Flags::ADJUDICATED.set_if(played.ending().reason == Termination::Score);
        pack_game(number, &played.game, recorder.samples, flags).map(Some)
    }

    /// The start from an existing game, if this game has one.
    fn start(&self, rng: &mut Pcg64Mcg) -> Option<Result<Game, IllegalTurn>> {
        // No random number is drawn without starts, so that they do not change other runs.
        let starts = self.starts.as_ref()?;
        if rng.random_range(0..100) < starts.percent { starts.draw(rng) } else { None }
    }

    /// Plays a few turns and plants a structure on the board, if it has a place for one. `None` if stopped.
    fn plant(
        &self,
        mut game: Game,
        number: u64,
        engine: &mut dyn Engine,
        rng: &mut Pcg64Mcg,
        stop: &StopToken,
    ) -> Result<Option<Game>, RunError> {
        engine.new_game();
        for _ in 0..rng.random_range(PLANTED_AFTER) {
            let labelled = label_position(engine, &game, PLANTED_NODES, stop)
                .map_err(|error| RunError::Engine { game: number, error })?;
            if stop.should_stop() {
                return Ok(None);
            }
            let Some(LabelledTurn { turn, .. }) = labelled else { break };
            game.play(&turn).map_err(|error| RunError::Illegal { game: number, error })?;
            if game.result().is_some() {
                game.undo_turn();
                break;
            }
        }
        let structure = Structure::ALL[rng.random_range(0..Structure::ALL.len())];
        let victim = if rng.random_bool(0.5) { Side::Gold } else { Side::Silver };
        let planted = planted::plant(game.position().board(), structure, victim, rng)
            .and_then(|board| Position::new(board, game.side()).ok())
            .map(|position| Game::from_position(&position, game.tag().number, game.rules()));
        Ok(Some(planted.filter(|game| game.result().is_none()).unwrap_or(game)))
    }

    fn opening(&self, rng: &mut Pcg64Mcg) -> Result<Game, IllegalTurn> {
        let mut game = Game::default();
        let is_random = rng.random_range(0..100) < self.random_setups;
        for side in Side::BOTH {
            let setup = if is_random { random_setup(side, rng) } else { varied_setup(side, rng) };
            if let Some(setup) = setup {
                game.play_setup(setup)?;
            }
        }
        Ok(game)
    }
}

/// Records the searches of a game, plays its random turns and adjudicates it.
struct Recorder {
    number: u64,
    nodes: u64,
    random_turns_left: u32,
    rng: Pcg64Mcg,
    adjudicator: Adjudicator,
    search: SearchReport,
    /// Whether the turn is being searched a second time.
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
        (self.search, self.retried) = (SearchReport::default(), false);
        ControlFlow::Continue(())
    }

    fn on_info(&mut self, info: &Info) {
        self.search.update(info);
    }

    fn on_answer(&mut self, game: &Game, answer: Answer) -> Decision {
        let Some(mut sample) = self.search.sample(game, answer) else {
            if std::mem::replace(&mut self.retried, true) {
                return self.fail(RunError::NoScore(self.number));
            }
            self.search = SearchReport::default();
            let nodes = self.nodes.saturating_mul(RETRY_FACTOR);
            return Decision::Retry(Limits { nodes: Some(nodes), ..Limits::default() });
        };
        let winner = self.adjudicator.update(sample.score, sample.side);
        if winner.is_some() {
            self.samples.push(sample);
            return Decision::End(GameResult { winner, reason: Termination::Score });
        }
        let mut turn = sample.best_turn;
        if self.random_turns_left > 0 {
            self.random_turns_left -= 1;
            turn = match random_turn(game, &mut self.rng) {
                Ok(turn) => turn,
                Err(error) => return self.fail(RunError::Engine { game: self.number, error }),
            };
            sample.flags = sample.flags | Flags::RANDOM_TURN.set_if(turn != sample.best_turn);
        }
        self.samples.push(sample);
        Decision::Play(Answer::Turn(turn))
    }
}

/// Packs the samples of a finished game and fills in its result.
pub(crate) fn pack_game(
    number: u64,
    game: &Game,
    samples: Vec<Sample>,
    flags: Flags,
) -> Result<PackedGame, RunError> {
    let result = game.result().unwrap_or(GameResult { winner: None, reason: Termination::Abandoned });
    let pack = |sample: Sample| {
        let sample = Sample { result: result.winner, flags: sample.flags | flags, ..sample };
        PackedSample::encode(&sample).map_err(|error| RunError::Sample { game: number, error })
    };
    Ok(PackedGame {
        id: number,
        origin: 0,
        result: result.winner,
        reason: result.reason,
        samples: samples.into_iter().map(pack).collect::<Result<_, _>>()?,
    })
}

/// With equal probability either random steps or a random one of the turns with the largest material gain.
fn random_turn(game: &Game, rng: &mut Pcg64Mcg) -> Result<Turn, EngineError> {
    let mut engine: Box<dyn Engine> =
        if rng.random_bool(0.5) { Box::new(Random::default()) } else { Box::new(Greedy::default()) };
    let seed = rng.random_range(0..=i64::MAX);
    let set_failed = |error: OptionError| EngineError::Failed(error.to_string());
    engine.set_option("seed", &seed.to_string()).map_err(set_failed)?;
    match engine.think(&Job::new(game.clone()), &mut |_| {})? {
        Answer::Turn(turn) => Ok(turn),
        Answer::Setup(_) | Answer::Resign => Err(EngineError::NoLegalTurn),
    }
}
