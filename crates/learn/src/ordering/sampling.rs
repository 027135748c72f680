//! The candidates of a decision: the played turn or action and its alternatives.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_engine::ordering::{ActionContext, FeatureKind, FeatureRows, TurnContext};
use surus_rules::{Action, Board, DistinctTurns, SplitMix, Turn};

use super::choices::ChoiceSet;
use super::dataset::TurnDecision;

/// Alternatives to sample for training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// The number of alternatives of each decision.
    pub alternatives: usize,
    /// Random seed.
    pub seed: u64,
}

impl Sampling {
    /// A generator that depends on nothing but the seed and the decision.
    fn random(&self, decision: &TurnDecision) -> Pcg64Mcg {
        let mixed = decision.board.key() ^ decision.end.key().rotate_left(17) ^ SplitMix::hash(self.seed);
        Pcg64Mcg::seed_from_u64(SplitMix::hash(mixed))
    }
}

/// Memory that is reused from decision to decision.
#[derive(Debug)]
pub(super) struct Generator {
    kind: FeatureKind,
    turns: Option<DistinctTurns>,
    others: Vec<(usize, Board)>,
}

impl Generator {
    pub(super) const fn new(kind: FeatureKind) -> Self {
        Self { kind, turns: None, others: Vec::new() }
    }

    /// Adds the choices of a decision: one for its turn, or one for each of its actions. All alternatives are added, or a
    /// sample of them. A decision without alternatives, or whose turn is not legal, adds none.
    pub(super) fn add(
        &mut self,
        decision: &TurnDecision,
        sampling: Option<&Sampling>,
        choices: &mut ChoiceSet,
    ) {
        match self.kind {
            FeatureKind::Turn => self.add_turn(decision, sampling, choices),
            FeatureKind::Action => add_actions(decision, sampling, choices),
        }
    }

    fn add_turn(&mut self, decision: &TurnDecision, sampling: Option<&Sampling>, choices: &mut ChoiceSet) {
        let Ok(position) = surus_rules::Position::new(decision.board, decision.side) else { return };
        let turns = self.turns.get_or_insert_with(|| DistinctTurns::new(&position, &decision.board, 0));
        turns.regenerate(&position, &decision.board, Turn::MAX as u8);
        let mut played = None;
        self.others.clear();
        for (turn, board) in turns.iter() {
            if *board == decision.end {
                played = Some(turn.len());
            } else if !decision.forbidden.contains(&board.key()) {
                self.others.push((turn.len(), *board));
            }
        }
        let Some(steps) = played else { return };
        let total = self.others.len();
        if total == 0 {
            return;
        }
        if let Some(sampling) = sampling {
            keep_random(&mut self.others, sampling.alternatives, &mut sampling.random(decision));
        }
        let context = TurnContext::new(&decision.board, decision.side, &decision.history);
        let rows = choices.rows();
        context.extract(&decision.end, steps, rows);
        for (steps, board) in &self.others {
            context.extract(board, *steps, rows);
        }
        choices.finish(1, total as f32 / self.others.len() as f32);
        choices.push_board(decision.end);
        self.others.iter().for_each(|&(_, board)| choices.push_board(board));
    }
}

/// Keeps a random subset, at least one element.
fn keep_random<T>(items: &mut Vec<T>, count: usize, random: &mut Pcg64Mcg) {
    let count = count.clamp(1, items.len());
    for index in 0..count {
        let other = random.random_range(index..items.len());
        items.swap(index, other);
    }
    items.truncate(count);
}

/// Adds a choice for each action of the played turn. Its order is arbitrary, so every action that can come next in some
/// order that leads to the same board counts as played.
fn add_actions(decision: &TurnDecision, sampling: Option<&Sampling>, choices: &mut ChoiceSet) {
    let mut remaining: Vec<Action> = decision.played.actions(decision.side).collect();
    let (mut board, mut left, mut last) = (decision.board, Turn::MAX as u8, None);
    while !remaining.is_empty() {
        let context =
            ActionContext::new(&decision.board, &board, decision.side, left, last, &decision.history);
        let mut legal = Vec::new();
        board.for_each_action(decision.side, left, |action| legal.push(action));
        if !legal.contains(&remaining[0]) {
            return;
        }
        let leads_there = |action: &Action| {
            let index = remaining.iter().position(|other| other == action)?;
            let mut rest = remaining.clone();
            rest.remove(index);
            reaches(&board.after_action(*action), decision, &rest, left - action.len()).then_some(())
        };
        let (good, mut others): (Vec<Action>, Vec<Action>) =
            legal.into_iter().partition(|action| leads_there(action).is_some());
        let total = others.len();
        if let Some(sampling) = sampling {
            let mut random = sampling.random(decision);
            if !others.is_empty() {
                keep_random(&mut others, sampling.alternatives, &mut random);
            }
        }
        if !good.is_empty() && !others.is_empty() {
            let rows: &mut FeatureRows = choices.rows();
            for action in good.iter().chain(&others) {
                context.extract(*action, rows);
            }
            choices.finish(good.len(), total as f32 / others.len() as f32);
        }
        let action = remaining.remove(0);
        board = board.after_action(action);
        left = left.saturating_sub(action.len());
        last = Some(action);
    }
}

/// Whether the actions lead to the end of the turn in some legal order.
fn reaches(board: &Board, decision: &TurnDecision, actions: &[Action], left: u8) -> bool {
    if actions.is_empty() {
        return *board == decision.end;
    }
    (0..actions.len()).any(|index| {
        let action = actions[index];
        let mut legal = false;
        board.for_each_action(decision.side, left, |other| legal |= other == action);
        let mut rest = actions.to_vec();
        rest.remove(index);
        legal && reaches(&board.after_action(action), decision, &rest, left - action.len())
    })
}
