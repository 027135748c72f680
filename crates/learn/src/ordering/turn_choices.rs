//! Decisions for the network of a model of turns. Of a random part of the turns, those that the linear model ranks best and
//! some of the others are compared with the played one.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_engine::ordering::{FeatureKind, Model};
use surus_rules::SplitMix;

use super::OrderingError;
use super::choices::ChoiceSet;
use super::dataset::DecisionGame;
use super::parallel::{Workload, parallel_map};
use super::sampling::{Generator, Sampling};
use crate::network::TurnChoices;

/// Which turns of a decision are compared with the played one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkSampling {
    /// The number of random turns that the linear model ranks.
    pub ranked: usize,
    /// The number of these that are used because they rank best.
    pub best: usize,
    /// The number of random others, which stand for all of them.
    pub random: usize,
    /// Random seed.
    pub seed: u64,
}

impl Default for NetworkSampling {
    fn default() -> Self {
        Self { ranked: 1500, best: 48, random: 16, seed: 1 }
    }
}

/// Games for a task of one thread.
const GAMES_PER_TASK: usize = 4;

impl NetworkSampling {
    /// The decisions of some games.
    pub fn choices(
        &self,
        games: &[&DecisionGame],
        model: &Model,
        work: &Workload<'_>,
    ) -> Result<TurnChoices, OrderingError> {
        let tasks: Vec<&[&DecisionGame]> = games.chunks(GAMES_PER_TASK).collect();
        let parts = parallel_map(&tasks, work, |games| {
            let mut part = TurnChoices::default();
            let mut generator = Generator::new(FeatureKind::Turn);
            let mut candidates = ChoiceSet::default();
            games.iter().for_each(|game| {
                self.add_game(game, model, &mut generator, &mut candidates, &mut part);
            });
            part
        })?;
        let mut all = TurnChoices::default();
        parts.iter().for_each(|part| all.append(part));
        Ok(all)
    }

    fn add_game(
        &self,
        game: &DecisionGame,
        model: &Model,
        generator: &mut Generator,
        candidates: &mut ChoiceSet,
        found: &mut TurnChoices,
    ) {
        for decision in &game.decisions {
            candidates.clear();
            let alternatives = Sampling { alternatives: self.ranked, seed: self.seed };
            generator.add(decision, Some(&alternatives), candidates);
            let Some(choice) = candidates.choices().first() else { continue };
            let scorer = model.scorer(&decision.board);
            let logit = |row: usize| scorer.logit(scorer.score(candidates.features(row)));
            let mut rows = choice.rows();
            let Some(played) = rows.next() else { continue };
            let mut others: Vec<(f32, usize)> = rows.map(|row| (logit(row), row)).collect();
            others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let rest = others.split_off(self.best.min(others.len()));
            let mut push = |row: usize, logit: f32| {
                if let Some(board) = candidates.board(row) {
                    found.push_turn(board, decision.side, logit);
                }
            };
            push(played, logit(played));
            let each = choice.weight.ln();
            others.iter().for_each(|&(logit, row)| push(row, logit + each));
            let count = self.random.min(rest.len());
            let weight = each + (rest.len().max(1) as f32 / count.max(1) as f32).ln();
            let mut random =
                Pcg64Mcg::seed_from_u64(SplitMix::hash(decision.board.key() ^ SplitMix::hash(self.seed)));
            for _ in 0..count {
                let (logit, row) = rest[random.random_range(0..rest.len())];
                push(row, logit + weight);
            }
            found.end_decision();
        }
    }
}
