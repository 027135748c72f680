//! Values of actions by a model of strong players, in place of step knowledge.

use surus_rules::{Board, PackedAction, Side, Turn};

use super::params::Config;
use crate::ordering::{ActionContext, FeatureRows, History, Scorer};

/// What ending the turn counts for, relative to the most likely action: the model ranks actions only.
const PASS: f32 = -2.0;

/// The model of the option `action_model` for one search, if a key uses it.
#[derive(Clone, Debug)]
pub(crate) struct LearnedValues(Scorer);

impl LearnedValues {
    /// For a search from a board.
    pub(crate) fn new(config: &Config, board: &Board) -> Option<Self> {
        if config.uses_action_model() { config.action_model.scorer(board).map(Self) } else { None }
    }

    /// The logarithm of the likelihood of each action of `side` on `board`, relative to the most likely one. The turn
    /// started on `start`, and `last` is the preceding action.
    pub(crate) fn values(
        &self,
        [start, board]: [&Board; 2],
        side: Side,
        steps_left: u8,
        last: PackedAction,
        actions: impl Iterator<Item = PackedAction>,
    ) -> Vec<f32> {
        let mut context = ActionContext::new(start, board, side, steps_left, None, &History::default());
        if steps_left < Turn::MAX as u8 {
            context = context.following(last.touched(), last.mover_to());
        }
        let mut rows = FeatureRows::default();
        let mut logit = |packed: PackedAction| {
            let action = packed.action(board)?;
            rows.clear();
            context.extract(action, &mut rows);
            Some(self.0.logit(self.0.score(rows.get(0))))
        };
        let logits: Vec<Option<f32>> = actions.map(&mut logit).collect();
        let best = logits.iter().flatten().copied().fold(f32::MIN, f32::max);
        logits.into_iter().map(|logit| logit.map_or(PASS, |logit| logit - best)).collect()
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Position;

    use super::*;
    use crate::common::action_list::ActionList;
    use crate::mcts::tests::config_of as config;

    #[test]
    fn a_push_that_captures_is_likelier_than_others_and_the_best_value_is_zero() {
        // The dog pushes the rabbit from c5 into the trap on c6, where it is alone.
        let position: Position = format!("g [{:26}rD{:34}E ]", "", "").parse().unwrap();
        let (board, side) = (position.board(), position.side());
        let learned = LearnedValues::new(&config("tree_values=model"), board).unwrap();
        let mut list = ActionList::new();
        list.add_all(board, side, 4);
        list.push(PackedAction::pass(side));
        let actions = list.as_mut();
        let values = learned.values([board, board], side, 4, PackedAction::NONE, actions.iter().copied());
        assert_eq!(values.last(), Some(&PASS));
        let of = |step: &str| {
            let is_wanted =
                |action: &PackedAction| action.action(board).is_some_and(|a| a.first.to_string() == step);
            values[actions.iter().position(is_wanted).unwrap()]
        };
        assert!(of("rc5n") > of("rc5s") && of("rc5n") > of("rc5w"));
        assert!(values.iter().all(|&value| value <= 0.0) && values.contains(&0.0));
    }

    #[test]
    fn the_model_is_used_only_where_a_key_asks_for_it() {
        let position: Position = format!("g [{:26}rD{:34}E ]", "", "").parse().unwrap();
        let learned = |values: &str| LearnedValues::new(&config(values), position.board()).is_some();
        assert!(learned("tree_values=model") && learned("playout_values=model"));
        assert!(!learned("") && !learned("tree_values=model,action_model=none"));
    }
}
