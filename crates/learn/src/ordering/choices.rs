//! Choices: candidates with their features, of which some were played.

use surus_engine::ordering::{FeatureKind, FeatureRows, PhaseAssignment, Phases};
use surus_rules::Board;

use super::OrderingError;
use super::dataset::{DecisionGame, TurnDecision};
use super::parallel::{Workload, parallel_map};
use super::sampling::{Generator, Sampling};

/// The choices of many decisions.
#[derive(Clone, Debug, Default)]
pub struct ChoiceSet {
    rows: FeatureRows,
    /// The board after the turn of each row; empty for actions.
    boards: Vec<Board>,
    choices: Vec<Choice>,
}

/// A choice by its candidates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Choice {
    /// Its rows; those that were played come first.
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) played: u32,
    /// How many alternatives each of the others stands for.
    pub(super) weight: f32,
    /// The indices of game and decision.
    pub(super) game: u32,
    pub(super) decision: u32,
}

impl Choice {
    /// Its rows.
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    /// Whether a row was played.
    pub(super) const fn is_played(&self, row: usize) -> bool {
        row < (self.first + self.played) as usize
    }
}

/// Decisions of a task for one thread.
const DECISIONS_PER_TASK: usize = 32;

impl ChoiceSet {
    /// The choices of all decisions, each with a sample of its alternatives.
    pub fn sample(
        kind: FeatureKind,
        games: &[DecisionGame],
        sampling: &Sampling,
        work: &Workload<'_>,
    ) -> Result<Self, OrderingError> {
        let decisions: Vec<(u32, u32)> = (0..)
            .zip(games)
            .flat_map(|(game, of)| (0..of.decisions.len() as u32).map(move |decision| (game, decision)))
            .collect();
        let tasks: Vec<&[(u32, u32)]> = decisions.chunks(DECISIONS_PER_TASK).collect();
        let parts = parallel_map(&tasks, work, |task| {
            let mut generator = Generator::new(kind);
            let mut part = Self::default();
            for &(game, index) in *task {
                let decision: &TurnDecision = &games[game as usize].decisions[index as usize];
                let known = part.choices.len();
                generator.add(decision, Some(sampling), &mut part);
                for choice in &mut part.choices[known..] {
                    (choice.game, choice.decision) = (game, index);
                }
            }
            part
        })?;
        let mut all = Self::default();
        for part in &parts {
            all.append(part);
        }
        Ok(all)
    }

    fn append(&mut self, other: &Self) {
        let offset = self.rows.len() as u32;
        self.rows.append(&other.rows);
        self.boards.extend(&other.boards);
        self.choices.extend(other.choices.iter().map(|choice| Choice {
            first: choice.first + offset,
            end: choice.end + offset,
            ..*choice
        }));
    }

    /// Removes all choices.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.boards.clear();
        self.choices.clear();
    }

    /// Adds the board after the turn of a row.
    pub(super) fn push_board(&mut self, board: Board) {
        self.boards.push(board);
    }

    /// The board after the turn of a row; none for actions.
    pub(super) fn board(&self, row: usize) -> Option<&Board> {
        self.boards.get(row)
    }

    /// Where the rows of the next choice are added.
    pub(super) fn rows(&mut self) -> &mut FeatureRows {
        &mut self.rows
    }

    /// Makes a choice of the rows added since the last one.
    pub(super) fn finish(&mut self, played: usize, weight: f32) {
        let first = self.choices.last().map_or(0, |choice| choice.end);
        let end = self.rows.len() as u32;
        self.choices.push(Choice { first, end, played: played as u32, weight, game: 0, decision: 0 });
    }

    /// The number of choices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether there are no choices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// The indices of the choices of some games.
    #[must_use]
    pub fn of_games(&self, selects: impl Fn(usize) -> bool) -> Vec<u32> {
        let chosen = |&(_, choice): &(u32, &Choice)| selects(choice.game as usize);
        (0..).zip(&self.choices).filter(chosen).map(|(index, _)| index).collect()
    }

    pub(super) fn choice(&self, index: usize) -> &Choice {
        &self.choices[index]
    }

    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The features of a row.
    pub(super) fn features(&self, row: usize) -> &[u16] {
        self.rows.get(row)
    }

    /// The phase shares of every choice, one after the other.
    pub(super) fn shares(&self, games: &[DecisionGame], phases: &Phases) -> Vec<f32> {
        let count = phases.count();
        let mut shares = vec![0.0; count * self.len()];
        for (choice, shares) in self.choices.iter().zip(shares.chunks_exact_mut(count)) {
            let decision = &games[choice.game as usize].decisions[choice.decision as usize];
            phases.membership(&decision.board, shares);
        }
        shares
    }
}
