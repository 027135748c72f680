//! The parts of the experiment, each saved when it is finished.

use std::cell::OnceCell;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use surus_engine::ordering::{FeatureKind, FeatureRows, Model, TurnContext};
use surus_learn::ordering::{
    ChoiceSet, CrossValidation, Dataset, Histogram, ModelSpec, OrderingError, Outcome, Sampling, Summary,
    Workload, cross_validate, evaluate,
};
use surus_play::StopToken;
use surus_rules::{DistinctTurns, Position, Turn};

use super::OrderingExperiment;
use super::curves::{CurveRow, learning_curve};
use super::models::{BEST, CANDIDATES, Clusters, action_specs};

/// What the parts have in common.
pub(super) struct Parts<'a> {
    pub(super) experiment: &'a OrderingExperiment<'a>,
    stop: &'a StopToken,
    pub(super) experts: &'a Dataset,
    pub(super) selfplay: &'a Dataset,
    expert_clusters: &'a Clusters,
    own_clusters: &'a Clusters,
    /// The turns of both sets, sampled when they are first needed.
    expert_choices: OnceCell<ChoiceSet>,
    own_choices: OnceCell<ChoiceSet>,
}

/// How a model ranked held-out decisions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct ModelRow {
    pub(super) name: String,
    pub(super) all: Summary,
    /// By group of games.
    pub(super) groups: Vec<(String, Summary)>,
    /// By the number of pieces.
    pub(super) phases: Vec<Summary>,
    pub(super) histogram: Histogram,
}

/// Seconds of single tasks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Timing {
    /// Games and decisions of the training of the best model.
    pub(super) games: usize,
    pub(super) decisions: usize,
    pub(super) training: f64,
    /// Mean turns of a position, and milliseconds to generate and rank them.
    pub(super) turns: f64,
    pub(super) ranking: f64,
    pub(super) model_bytes: usize,
}

/// Ranges of ten turns in histograms.
const RANGES: usize = 8;
/// Phases by the number of pieces.
const PHASES: usize = 3;
/// Positions ranked for the timing.
const TIMED: usize = 200;

impl<'a> Parts<'a> {
    pub(super) const fn new(
        experiment: &'a OrderingExperiment<'a>,
        stop: &'a StopToken,
        [experts, selfplay]: [&'a Dataset; 2],
        [expert_clusters, own_clusters]: &'a [Clusters; 2],
    ) -> Self {
        Self {
            experiment,
            stop,
            experts,
            selfplay,
            expert_clusters,
            own_clusters,
            expert_choices: OnceCell::new(),
            own_choices: OnceCell::new(),
        }
    }

    fn workload(&self) -> Workload<'_> {
        Workload { threads: self.experiment.threads, stop: self.stop, progress: &|_, _| {} }
    }

    const fn sampling(&self) -> Sampling {
        Sampling { alternatives: self.experiment.alternatives, seed: 1 }
    }

    fn validation(&self) -> CrossValidation {
        CrossValidation { folds: 5, seed: 1, one_in: self.experiment.one_in }
    }

    fn sample(&self, kind: FeatureKind, data: &Dataset) -> Result<ChoiceSet, OrderingError> {
        ChoiceSet::sample(kind, &data.games, &self.sampling(), &self.workload())
    }

    fn expert_choices(&self) -> Result<&ChoiceSet, OrderingError> {
        sampled(&self.expert_choices, || self.sample(FeatureKind::Turn, self.experts))
    }

    fn own_choices(&self) -> Result<&ChoiceSet, OrderingError> {
        sampled(&self.own_choices, || self.sample(FeatureKind::Turn, self.selfplay))
    }

    pub(super) fn compare_experts(&self) -> Result<Vec<ModelRow>, OrderingError> {
        self.compare(self.experts, self.expert_choices()?, self.expert_clusters)
    }

    pub(super) fn compare_selfplay(&self) -> Result<Vec<ModelRow>, OrderingError> {
        self.compare(self.selfplay, self.own_choices()?, self.own_clusters)
    }

    /// All models by cross-validation.
    fn compare(
        &self,
        data: &Dataset,
        choices: &ChoiceSet,
        clusters: &Clusters,
    ) -> Result<Vec<ModelRow>, OrderingError> {
        let specs = CANDIDATES.map(|candidate| candidate.spec(clusters, self.experiment.epochs));
        let outcomes = cross_validate(&data.games, choices, &specs, &self.validation(), &self.workload())?;
        Ok(CANDIDATES.iter().enumerate().map(|(model, of)| row(of.name, data, &outcomes, model)).collect())
    }

    /// The models of actions by cross-validation on the games of strong players.
    pub(super) fn actions(&self) -> Result<Vec<ModelRow>, OrderingError> {
        let choices = self.sample(FeatureKind::Action, self.experts)?;
        let (names, specs): (Vec<&str>, Vec<ModelSpec>) =
            action_specs(self.experiment.epochs).into_iter().unzip();
        let games = &self.experts.games;
        let outcomes = cross_validate(games, &choices, &specs, &self.validation(), &self.workload())?;
        let rows = names.iter().enumerate();
        Ok(rows.map(|(model, name)| row(name, self.experts, &outcomes, model)).collect())
    }

    /// The best model trained on each set and tested on the other.
    pub(super) fn transfer(&self) -> Result<Vec<ModelRow>, OrderingError> {
        let directions = [
            ("self-play, tested on strong players", self.selfplay, self.own_choices()?, self.experts),
            ("strong players, tested on self-play", self.experts, self.expert_choices()?, self.selfplay),
        ];
        let mut rows = Vec::new();
        for (name, train, choices, test) in directions {
            let model = self.best(train, choices)?;
            let outcomes =
                evaluate(&test.games, &|_| vec![&model], self.experiment.one_in, &self.workload())?;
            rows.push(row(name, test, &outcomes, 0));
        }
        Ok(rows)
    }

    fn best(&self, data: &Dataset, choices: &ChoiceSet) -> Result<Model, OrderingError> {
        let all = choices.of_games(|_| true);
        let spec = CANDIDATES[BEST].spec(self.own_clusters, self.experiment.epochs);
        spec.train(&data.games, choices, &all, "surus lab ordering", &self.workload())
    }

    pub(super) fn selfplay_curve(&self) -> Result<Vec<CurveRow>, OrderingError> {
        learning_curve(
            self.experiment,
            self.selfplay,
            self.own_clusters,
            self.own_choices()?,
            &self.workload(),
        )
    }

    pub(super) fn experts_curve(&self) -> Result<Vec<CurveRow>, OrderingError> {
        learning_curve(
            self.experiment,
            self.experts,
            self.expert_clusters,
            self.expert_choices()?,
            &self.workload(),
        )
    }

    /// The time to train the best model on self-play, and to rank the turns of positions with one thread.
    pub(super) fn timing(&self) -> Result<Timing, OrderingError> {
        let started = Instant::now();
        let choices = self.sample(FeatureKind::Turn, self.selfplay)?;
        let model = self.best(self.selfplay, &choices)?;
        let training = started.elapsed().as_secs_f64();
        let decisions = || self.experts.games.iter().flat_map(|game| &game.decisions);
        let step = (self.experts.decisions() / TIMED).max(1);
        let (mut turns, mut positions, mut best) = (0, 0, i64::MIN);
        let mut rows = FeatureRows::default();
        let started = Instant::now();
        for decision in decisions().step_by(step) {
            let Ok(position) = Position::new(decision.board, decision.side) else { continue };
            let scorer = model.scorer(&decision.board);
            let context = TurnContext::new(&decision.board, decision.side, &decision.history);
            for (turn, end) in DistinctTurns::new(&position, &decision.board, Turn::MAX as u8).iter() {
                rows.clear();
                context.extract(end, turn.len(), &mut rows);
                best = best.max(scorer.score(rows.get(0)).into());
                turns += 1;
            }
            positions += 1;
        }
        let milliseconds = 1000.0 * started.elapsed().as_secs_f64();
        debug_assert!(best > i64::MIN);
        let per_position = |value: f64| value / f64::from(positions.max(1));
        Ok(Timing {
            games: self.selfplay.games.len(),
            decisions: self.selfplay.decisions(),
            training,
            turns: per_position(f64::from(turns)),
            ranking: per_position(milliseconds),
            model_bytes: model.to_bytes().len(),
        })
    }
}

fn sampled(
    cell: &OnceCell<ChoiceSet>,
    sample: impl FnOnce() -> Result<ChoiceSet, OrderingError>,
) -> Result<&ChoiceSet, OrderingError> {
    let choices = match cell.get() {
        Some(choices) => return Ok(choices),
        None => sample()?,
    };
    Ok(cell.get_or_init(|| choices))
}

fn row(name: &str, data: &Dataset, outcomes: &[Outcome], model: usize) -> ModelRow {
    let of = |selects: &dyn Fn(&Outcome) -> bool| Summary::of(outcomes, model, selects);
    let groups = data.groups.iter().enumerate();
    ModelRow {
        name: name.into(),
        all: of(&|_| true),
        groups: groups.map(|(group, name)| (name.clone(), of(&|outcome| outcome.group == group))).collect(),
        phases: (0..PHASES).map(|phase| of(&|outcome| outcome.phase == phase)).collect(),
        histogram: Histogram::of(outcomes, model, RANGES),
    }
}
