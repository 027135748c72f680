//! Whole turns: what the table and the killers hold at a turn's start.

use super::packed_turn::Plan;
use super::pvs::{Next, Node};
use super::search::{Choice, Search};
use crate::eval::Evaluate;

impl<E: Evaluate> Search<'_, E> {
    /// Turns that were good here or elsewhere, each played as a whole.
    pub(crate) fn try_turns(&mut self, node: &mut Node) {
        let killers =
            if self.features.killers { self.memory.killers(node.at.ply) } else { Default::default() };
        let plans = [node.plan, killers[0], killers[1]];
        for (i, &plan) in plans.iter().enumerate() {
            if plan == Plan::NONE || plans[..i].contains(&plan) {
                continue;
            }
            let mut choices = [None; 4];
            let Some((next, count)) = self.whole_turn(node, plan, &mut choices) else { continue };
            let left = node.depth - (next.place.ply - node.at.ply);
            let score = self.measure(node, next, left, 0);
            if self.over {
                return;
            }
            self.note(node, score, plan, choices[..count].iter().copied());
            if node.is_cut() {
                self.learn_turn(node, plan, &choices[..count]);
                return;
            }
        }
    }

    /// Where a whole turn leads, if it is complete and can be played here.
    fn whole_turn(&self, node: &Node, plan: Plan, choices: &mut [Choice; 4]) -> Option<(Next, usize)> {
        let side = node.at.position.side();
        let (mut place, mut rest, mut count) = (*node.at, plan, 0);
        while place.position.steps_left() != 0 && rest != Plan::PASS {
            let action = rest.first(place.board(), side, place.position.steps_left())?;
            place = place.after(action);
            rest = rest.rest(action.len());
            choices[count] = Some(action);
            count += 1;
        }
        // A turn of three steps ends with a choice of its own.
        count += usize::from(rest == Plan::PASS);
        let next = self.turn_ends(node, &place)?;
        Some((next, count))
    }
}
