//! Full turns from the transposition table and the killers, searched before single actions at the start of a turn.

use super::features::FeatureSet;
use super::packed_turn::PackedTurn;
use super::pvs::{Node, Successor};
use super::search::{ActionOrPass, Search};
use crate::eval::Evaluate;

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// Searches the hash turn and the killer turns of a node, each as one unit.
    pub(crate) fn search_stored_turns(&mut self, node: &mut Node) {
        let killers =
            if self.features.killers() { self.history.killers(node.state.ply) } else { Default::default() };
        let turns = [node.hash_turn, killers[0], killers[1]];
        for (i, &turn) in turns.iter().enumerate() {
            if turn == PackedTurn::NONE || turns[..i].contains(&turn) {
                continue;
            }
            let mut actions = [None; 4];
            let Some((next, count)) = self.unpack_turn(node, turn, &mut actions) else { continue };
            let depth = node.depth - (next.state.ply - node.state.ply);
            let score = self.search_pvs(node, next, depth, 0);
            if self.aborted {
                return;
            }
            self.update_best(node, score, turn, actions[..count].iter().copied());
            if node.is_cutoff() {
                self.history.cutoffs.add(node.searched_count);
                self.update_turn_history(node, turn, &actions[..count]);
                return;
            }
        }
    }

    /// The state after a full turn and the number of its actions, if it is complete and legal here.
    fn unpack_turn(
        &self,
        node: &Node,
        turn: PackedTurn,
        actions: &mut [ActionOrPass; 4],
    ) -> Option<(Successor, usize)> {
        let side = node.state.position.side();
        let (mut state, mut rest, mut count) = (node.state, turn, 0);
        while state.position.steps_left() > 0 && rest != PackedTurn::PASS {
            let action = rest.first_action(state.board(), side, state.position.steps_left())?;
            state = state.after_action(action, PackedTurn::NONE);
            rest = rest.skip_steps(action.len());
            actions[count] = Some(action);
            count += 1;
        }
        // A turn that ends early has a pass as its last element.
        count += usize::from(rest == PackedTurn::PASS);
        let next = self.end_turn(node, &state)?;
        Some((next, count))
    }
}
