//! Whole turns: what the table and the killers hold at a turn's start.

use super::packed_turn::PackedTurn;
use super::pvs::{Node, Successor};
use super::search::{ActionOrPass, Search};
use crate::eval::Evaluate;

impl<E: Evaluate> Search<'_, E> {
    /// Turns that were good here or elsewhere, each played as a whole.
    pub(crate) fn search_stored_turns(&mut self, node: &mut Node) {
        let killers =
            if self.features.killers { self.history.killers(node.state.ply) } else { Default::default() };
        let plans = [node.hash_turn, killers[0], killers[1]];
        for (i, &plan) in plans.iter().enumerate() {
            if plan == PackedTurn::NONE || plans[..i].contains(&plan) {
                continue;
            }
            let mut choices = [None; 4];
            let Some((next, count)) = self.unpack_turn(node, plan, &mut choices) else { continue };
            let left = node.depth - (next.state.ply - node.state.ply);
            let score = self.search_pvs(node, next, left, 0);
            if self.aborted {
                return;
            }
            self.update_best(node, score, plan, choices[..count].iter().copied());
            if node.is_cutoff() {
                self.update_turn_history(node, plan, &choices[..count]);
                return;
            }
        }
    }

    /// Where a whole turn leads, if it is complete and can be played here.
    fn unpack_turn(
        &self,
        node: &Node,
        plan: PackedTurn,
        choices: &mut [ActionOrPass; 4],
    ) -> Option<(Successor, usize)> {
        let side = node.state.position.side();
        let (mut place, mut rest, mut count) = (*node.state, plan, 0);
        while place.position.steps_left() != 0 && rest != PackedTurn::PASS {
            let action = rest.first_action(place.board(), side, place.position.steps_left())?;
            place = place.after_action(action);
            rest = rest.skip_steps(action.len());
            choices[count] = Some(action);
            count += 1;
        }
        // A turn of three steps ends with a choice of its own.
        count += usize::from(rest == PackedTurn::PASS);
        let next = self.end_turn(node, &place)?;
        Some((next, count))
    }
}
