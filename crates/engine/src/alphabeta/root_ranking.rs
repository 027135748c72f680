//! The turns of the root, ranked by a model of strong players.
//!
//! A search that is free to choose steers to positions that the evaluation overrates. At the root, only the turns that the
//! model ranks best are searched, and a turn costs the more the less likely the model finds it. The evaluation has to be
//! surer of an unusual turn than of a usual one.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use surus_play::{InvalidValue, Job, Limits, OptionValue, Revision};
use surus_rules::{Board, SplitMix};

use super::params::{RANKING_MIN_NODES, RANKING_MIN_TIME, ROOT_REDUCTION_MAX};
use super::root::{RootBranch, turn_branch};
use crate::common::score::Score;
use crate::ordering::{FeatureKind, Model, RankedTurn, rank_turns};

const EMBEDDED: &[u8] = include_bytes!("../../weights/turns.order");

/// The model of the option `root_model`. Clones share it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RankingModel(Arc<Model>);

impl RankingModel {
    /// The model compiled into the program.
    ///
    /// # Panics
    /// If the file that was compiled in is invalid; a test loads it.
    fn embedded() -> Self {
        static MODEL: LazyLock<RankingModel> = LazyLock::new(|| {
            RankingModel(Arc::new(Model::from_bytes(EMBEDDED).expect("the embedded model is valid")))
        });
        MODEL.clone()
    }

    /// A hash of the model.
    pub(crate) fn revision(&self) -> String {
        Revision::default().with(self.0.to_bytes()).to_string()
    }
}

impl Default for RankingModel {
    fn default() -> Self {
        Self::embedded()
    }
}

/// The path of a file, or empty for the embedded model.
impl OptionValue for RankingModel {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let invalid = |reason: String| InvalidValue { expected: format!("a model of turns, but {reason}") };
        if text.is_empty() {
            return Ok(Self::embedded());
        }
        let model = Model::load(Path::new(text)).map_err(|error| invalid(error.to_string()))?;
        if model.kind() == FeatureKind::Turn {
            Ok(Self(Arc::new(model)))
        } else {
            Err(invalid(format!("{text} ranks actions")))
        }
    }
}

/// How the root is ranked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootRanking<'a> {
    pub(crate) model: &'a RankingModel,
    /// The number of turns to search; 0 for all, without ranking.
    pub(crate) turns: usize,
    /// The cost in millirabbits of a turn that is e times less likely than the best.
    pub(crate) cost: Score,
    /// Hundredths of a step by which such a turn is reduced.
    pub(crate) reduction: i32,
    /// The maximum random cost in millirabbits of a turn at the beginning of a game, and its seed.
    pub(crate) variety: (Score, u64),
}

/// Turns of a side, without the setup, that can have a random cost.
const VARIED_TURNS: u32 = 6;

impl RootRanking<'_> {
    /// The branches of the best-ranked turns, best first. Empty if all turns are to be searched: in the middle of a turn, for
    /// several variations or restricted turns, and where ranking would take a large part of the search.
    pub(crate) fn branches(&self, job: &Job) -> Vec<RootBranch> {
        let game = &job.game;
        let is_whole_turn = game.current_turn().is_empty() && !game.position().is_mid_push();
        if self.turns == 0
            || !is_whole_turn
            || job.multi_pv > 1
            || !job.search_turns.is_empty()
            || !is_long(job)
        {
            return Vec::new();
        }
        let mut ranked = rank_turns(game, &self.model.0, 0);
        ranked.truncate(self.turns);
        let best = ranked.first().map_or(1.0, |turn| turn.probability);
        let branch = |turn: &RankedTurn| {
            let unlikely = (best / turn.probability.max(1e-9)).ln();
            let after = turn_branch(game, turn.turn)?;
            let cost = (unlikely * self.cost as f32) as Score
                + self.random_cost(game.tag().number, after.state.board());
            let reduction = ((unlikely * self.reduction as f32) as i32).min(ROOT_REDUCTION_MAX) / 100;
            Some(RootBranch { cost, reduction, ..after })
        };
        ranked.iter().filter_map(branch).collect()
    }

    fn random_cost(&self, turn_number: u32, board: &Board) -> Score {
        let (max, seed) = self.variety;
        if turn_number > 1 + VARIED_TURNS {
            return 0;
        }
        (SplitMix::hash(board.key() ^ SplitMix::hash(seed)) % (max as u64 + 1)) as Score
    }
}

/// Whether the search is limited, but long compared with the ranking. Without a limit it is an analysis of all turns.
fn is_long(job: &Job) -> bool {
    let Limits { time, nodes, .. } = job.limits;
    let is_limited = time.is_some() || nodes.is_some();
    is_limited
        && time.is_none_or(|time| time.soft >= RANKING_MIN_TIME)
        && nodes.is_none_or(|nodes| nodes >= RANKING_MIN_NODES)
}
