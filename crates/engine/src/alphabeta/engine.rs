//! The engine `alphabeta`: its options and its [`Engine`] implementation.

use std::sync::LazyLock;
use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, Limits, OptionError, OptionKind, Options,
    Revision, TypedOptions,
};
use surus_rules::{Board, Game, Phase, Turn};

use super::features::{AllFeatures, FeatureSet, Features};
use super::history::{Cutoffs, HistoryTables};
use super::lazy_smp::LazySmp;
use super::levels::{Level, MAX_LEVEL, NoisyEval};
use super::params::Params;
use super::root_ranking::{RankingModel, RootRanking};
use super::tt::TranspositionTable;
use crate::common::root_turns::{any_legal_turn, immediate_win};
use crate::common::{resources, setups};
use crate::eval::{self, Evaluate, Evaluation, HandcraftedEval, NetworkEval, Weights};
use crate::ordering::ActionModel;
use crate::phase::{GamePhase, PhaseFeatures, PhaseHeuristic};

/// Declares the options, followed by the tunable search parameters of a `tune` build.
macro_rules! declare_options {
    ($($param:ident, $default:literal, $min:literal, $max:literal, $description:literal;)*) => {
        surus_play::options! {
            /// The options of `alphabeta`.
            pub(crate) struct AlphaBetaOptions renamed(&[("without", "disable")]) {
                hash: u64 = OptionKind::Int(1, 1 << 20), "64", "Transposition table size in megabytes.";
                level: u8 = OptionKind::Int(1, MAX_LEVEL as i64), "10",
                    "Playing strength, from beginner (1) to full strength (10).";
                seed: u64 = OptionKind::Int(0, i64::MAX), "1",
                    "Random seed for setups and for the errors of the lower levels. The same seed reproduces the same games.";
                variety: i32 = OptionKind::Int(0, 1000), "0",
                    "Maximum evaluation error at full strength, in millirabbits, and a thirty-second of the maximum random cost of the first six turns of a game; both depend on the seed, so that games with different seeds differ.";
                threads: u64 = OptionKind::Int(1, 1024), "1",
                    "Number of search threads. Results are reproducible with one thread only.";
                weights: Evaluation = OptionKind::Str, "",
                    "Evaluation: a network of `surus learn train`, or weights of the handcrafted evaluation; empty for the embedded weights.";
                root_turns: u64 = OptionKind::Int(0, 1 << 20), "60",
                    "Number of turns to search at the root, the most likely ones for strong players; 0 for all turns.";
                root_cost: i32 = OptionKind::Int(0, 10_000), "200",
                    "Cost in millirabbits of a turn that is e times less likely than the most likely one.";
                root_reduction: i32 = OptionKind::Int(0, 1000), "0",
                    "Hundredths of a step by which a turn that is e times less likely is searched less deep unless it seems best.";
                root_model: RankingModel = OptionKind::Str, "",
                    "Model of `surus learn order` that ranks the turns of the root; empty for the embedded one.";
                action_model: ActionModel = OptionKind::Str, "",
                    "Model of `surus learn order train --features action` that orders actions inside the tree; empty for the embedded one, or none.";
                phase_weights: bool = OptionKind::Bool, "false",
                    "Scales weights by the game phase of the root [Phase §4.1]; for experiments.";
                disable: Features = OptionKind::Str, "",
                    "Search features to disable, separated by +, to measure their effect.";
                $($param: i32 = OptionKind::Int($min, $max), stringify!($default), $description;)*
            }
        }

        impl AlphaBetaOptions {
            const fn params(&self) -> Params {
                Params { $($param: self.$param,)* }
            }
        }
    };
}
#[cfg(feature = "tune")]
super::params::search_params!(declare_options);
#[cfg(not(feature = "tune"))]
declare_options!();

/// The maximum random cost of a turn at the root, in units of `variety`, in the first turns of a game: an error of the leaves
/// seldom changes the best turn there, because their ranking decides.
const ROOT_VARIETY: i32 = 32;

/// Principal variation search over steps with a transposition table, quiescence search and exact tactics at the ends of
/// turns.
#[derive(Debug, Default)]
pub struct AlphaBeta {
    options: TypedOptions<AlphaBetaOptions>,
    /// Allocated lazily, so that an engine created only to list its options uses no memory.
    tt: Option<TranspositionTable>,
    /// One per thread; empty until the number of threads is settled.
    histories: Vec<HistoryTables>,
    /// The phase whose weights the entries of the table were made with, with `phase_weights`.
    phase: Option<GamePhase>,
    /// To be sent with the next report.
    warnings: Vec<String>,
}

impl Engine for AlphaBeta {
    fn id(&self) -> EngineId {
        static BEHAVIOUR: LazyLock<String> = LazyLock::new(|| {
            let mut engine = AlphaBeta::default();
            // The smallest table is allocated fastest.
            let _ = engine.set_option("hash", "1");
            Revision::of(engine, Limits { nodes: Some(4_000), ..Limits::default() }).to_string()
        });
        let revision = Revision::default()
            .with(BEHAVIOUR.as_str())
            .with(self.options.weights.revision())
            .with(self.options.root_model.revision())
            .with(self.options.action_model.revision());
        EngineId::built_in(
            "alphabeta",
            revision.to_string(),
            &[LimitKind::Depth, LimitKind::Nodes, LimitKind::Time],
        )
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let before = (*self.options).clone();
        self.options.set(name, value)?;
        let now = &*self.options;
        if now.hash != before.hash {
            self.tt = None;
        }
        if now.threads != before.threads {
            self.histories.clear();
        }
        let scoring = |options: &AlphaBetaOptions| {
            (
                options.level,
                options.seed,
                options.variety,
                options.weights.clone(),
                options.phase_weights,
                options.action_model.clone(),
                options.params(),
            )
        };
        if scoring(now) != scoring(&before) {
            // Entries of another level, evaluation or search are invalid.
            self.tt.iter_mut().for_each(TranspositionTable::clear);
            self.histories.iter_mut().for_each(HistoryTables::clear);
        }
        Ok(())
    }

    /// Also allocates the transposition table, which can take longer than a turn of a tenth of a second.
    fn new_game(&mut self) {
        if let Some(tt) = &mut self.tt {
            tt.clear();
        }
        self.allocate();
        self.histories.iter_mut().for_each(HistoryTables::clear);
    }

    fn explain(&self, game: &Game) -> Vec<String> {
        let format = |sides: [i32; 2]| {
            format!("gold {} silver {} sum {:+}", sides[0] / 10, sides[1] / 10, (sides[0] - sides[1]) / 10)
        };
        let evaluation = &self.options.weights;
        let Evaluation::Handcrafted(weights) = evaluation else {
            return vec![format!("network {:+}", evaluation.evaluate(game.turn_start(), game.side()) / 10)];
        };
        let terms = eval::explain(weights, game.position().board(), game.side());
        let total = terms.iter().fold([0, 0], |sum, term| [sum[0] + term.sides[0], sum[1] + term.sides[1]]);
        let rows = terms.iter().filter(|term| term.sides != [0, 0]);
        let rows = rows.map(|term| format!("{} {}", term.spec.name.to_lowercase(), format(term.sides)));
        rows.chain([format!("all {}", format(total))]).collect()
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let game = &job.game;
        match game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => setups::setup_answer(game, side, self.options.seed),
            Phase::Play(_) => self.choose_turn(job, report).map(Answer::Turn),
        }
    }
}

impl AlphaBeta {
    /// The boards generated in mid-turn by all searches since the last new game, and how many of them were distinct
    /// within their turn.
    #[must_use]
    pub fn boards(&self) -> (u64, u64) {
        let dedups = || self.histories.iter().map(|history| &history.turn_dedup);
        (
            dedups().map(|dedup| dedup.boards_generated).sum(),
            dedups().map(|dedup| dedup.boards_distinct).sum(),
        )
    }

    /// The cutoffs of all searches since the last new game.
    #[must_use]
    pub fn cutoffs(&self) -> Cutoffs {
        self.histories.iter().fold(Cutoffs::default(), |sum, history| Cutoffs {
            all: sum.all + history.cutoffs.all,
            first: sum.first + history.cutoffs.first,
        })
    }

    fn choose_turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let started = Instant::now();
        self.allocate();
        if !self.warnings.is_empty() {
            report(Info { messages: std::mem::take(&mut self.warnings), ..Info::default() });
        }
        if job.multi_pv < 2
            && let Some(turn) = immediate_win(job, self.level().tactical_depth.goal_steps)
        {
            report(Info {
                depth: Some(turn.len() as u32),
                depth_complete: true,
                score: Some(surus_rules::Score::Win { turns: 1 }),
                win_probability: Some(1.0),
                nodes: Some(0),
                time: Some(started.elapsed()),
                pv: vec![turn],
                ..Info::default()
            });
            return Ok(turn);
        }
        let best = self.search(job, started, report);
        best.or_else(|| any_legal_turn(job)).ok_or(EngineError::NoLegalTurn)
    }

    /// Allocates the tables in the requested sizes, or in the largest that the machine allows.
    fn allocate(&mut self) {
        let AlphaBetaOptions { hash, threads, .. } = *self.options;
        if self.tt.is_none() {
            self.tt = Some(TranspositionTable::new(resources::hash(hash, &mut self.warnings)));
        }
        if self.histories.is_empty() {
            let threads = resources::threads(threads, &mut self.warnings);
            self.histories.resize_with(threads as usize, HistoryTables::new);
        }
    }

    fn search(&mut self, job: &Job, started: Instant, report: &mut dyn FnMut(Info)) -> Option<Turn> {
        match self.options.weights.clone() {
            Evaluation::Handcrafted(weights) => {
                let weights = self.phase_weights(weights, job.game.turn_start());
                self.search_with_noise(HandcraftedEval::new(weights), job, started, report)
            }
            Evaluation::Network(network) => {
                self.search_with_noise(NetworkEval(network), job, started, report)
            }
        }
    }

    fn search_with_noise<E: Evaluate>(
        &mut self,
        eval: E,
        job: &Job,
        started: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Option<Turn> {
        let noise = self.level().eval_noise.max(self.options.variety);
        if noise == 0 {
            return self.search_with_eval(eval, job, started, report);
        }
        let eval = NoisyEval { eval, noise, seed: self.options.seed };
        self.search_with_eval(eval, job, started, report)
    }

    /// The weights for a search from a board.
    fn phase_weights(&mut self, weights: Weights, board: &Board) -> Weights {
        if !self.options.phase_weights {
            return weights;
        }
        let phase = PhaseHeuristic::embedded().phase(PhaseFeatures::new(board));
        if self.phase.replace(phase) != Some(phase) {
            // Scores of another phase are not comparable.
            self.tt.iter_mut().for_each(TranspositionTable::clear);
        }
        weights.for_phase(phase)
    }

    /// Chooses the search without runtime checks unless features are disabled.
    fn search_with_eval<E: Evaluate>(
        &mut self,
        eval: E,
        job: &Job,
        started: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Option<Turn> {
        let features = self.options.disable;
        if features == Features::default() {
            self.run(eval, AllFeatures, job, started, report)
        } else {
            self.run(eval, features, job, started, report)
        }
    }

    fn run<E: Evaluate, F: FeatureSet>(
        &mut self,
        eval: E,
        features: F,
        job: &Job,
        started: Instant,
        report: &mut dyn FnMut(Info),
    ) -> Option<Turn> {
        let (level, params) = (self.level(), self.options.params());
        let ranked = self.root_ranking().branches(job);
        // Lower levels have none, which would make them stronger.
        let is_full = usize::from(self.options.level) == MAX_LEVEL;
        let policy = self.options.action_model.scorer(job.game.turn_start()).filter(|_| is_full);
        let tt = self.tt.as_mut()?;
        tt.new_search();
        self.histories.iter_mut().for_each(|history| history.age(&params));
        // A weaker level needs one thread only, which also makes it reproducible.
        let threads = if level.eval_noise == 0 { self.histories.len() } else { 1 };
        let search = LazySmp { job, eval, level, features, params, tt, started, policy, ranked };
        search.run(self.histories.get_mut(..threads)?, report)
    }

    /// The ranking of the root. Lower levels have none, which would make them stronger.
    fn root_ranking(&self) -> RootRanking<'_> {
        let AlphaBetaOptions { level, root_turns, root_cost, root_reduction, ref root_model, .. } =
            *self.options;
        let turns = if usize::from(level) == MAX_LEVEL { root_turns as usize } else { 0 };
        let variety = (ROOT_VARIETY * self.options.variety, self.options.seed);
        RootRanking { model: root_model, turns, cost: root_cost, reduction: root_reduction, variety }
    }

    fn level(&self) -> Level {
        Level::from_number(i64::from(self.options.level))
    }
}
