//! Where the search looks less far, further, or not at all: every decision by itself.

use surus_tactics::{Defence, goal};

use super::history::{self, Marks, praise};
use super::ordering::{Class, Way};
use super::packed_turn::Plan;
use super::pvs::Node;
use super::search::{Choice, Search, end_key};
use super::state::Place;
use crate::common::score::{Score, is_proven, loss_at};
use crate::eval::Evaluate;

/// How many steps less a null turn is looked at: the turn itself and one more.
const NULL_LESS: i32 = 5;
/// Below that depth quiescence judges the null turn, and the score must be this much better.
const CONTENT: Score = 200;

/// By depth: how far below alpha quiescence alone decides.
const RAZOR: [Score; 4] = [0, 1500, 2000, 2500];
/// By depth: what quiet ways can't add to a score.
const FUTILE: [Score; 6] = [0, 300, 450, 600, 800, 1100];
/// By depth: after how many ways quiet ones are left out.
const LATE: [usize; 7] = [0, 6, 9, 14, 18, 26, 36];
/// Where the board is this far below alpha, late ways are reduced by more: so many hundredths of a step.
const BEHIND: (Score, i32) = (300, 60);

/// Natural logarithms of 0 to 63 in hundredths.
const LOG: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304,
    309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374,
    376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// An extension ends where a line was extended by this much.
const MOST_EXTENDED: u8 = 8;

impl<E: Evaluate> Search<'_, E> {
    /// What the evaluation says if the board stayed as it is: at a turn's start for the side that begins, in mid-turn
    /// for the one that ends.
    pub(crate) fn standing(&mut self, at: &Place) -> Score {
        let (board, side) = (at.board(), at.position.side());
        if at.is_turn_start() { self.eval.score(board, side) } else { -self.eval.score(board, side.other()) }
    }

    /// The same, asked once for a node.
    pub(crate) fn stand(&mut self, node: &mut Node) -> Score {
        *node.stand.get_or_insert_with(|| self.standing(node.at))
    }

    /// The score of a node that needs no search of its ways.
    pub(crate) fn ends_early(&mut self, node: &mut Node) -> Option<Score> {
        if node.in_pv || !node.at.is_turn_start() || is_proven(node.beta) {
            return None;
        }
        let stand = self.stand(node);
        self.null_turn(node, stand).or_else(|| self.razor(node, stand))
    }

    /// A side that is content even without its turn is with it.
    fn null_turn(&mut self, node: &Node, stand: Score) -> Option<Score> {
        let deep = NULL_LESS <= node.depth;
        let (on, margin) =
            if deep { (self.features.nullturn, 0) } else { (self.features.reversefutility, CONTENT) };
        if !on || node.at.after_null || stand < node.beta + margin {
            return None;
        }
        let mut next = node.at.turn_over();
        next.after_null = true;
        self.path.push(end_key(node.at.board(), node.at.position.side(), self.rules));
        let score = -self.search(&next, node.depth - NULL_LESS, -node.beta, 1 - node.beta);
        self.path.pop();
        (!self.over && node.beta <= score).then_some(node.beta)
    }

    /// Far below alpha only captures and goals can help.
    fn razor(&mut self, node: &Node, stand: Score) -> Option<Score> {
        let margin = RAZOR.get(node.depth as usize)?;
        if !self.features.razoring || node.alpha < stand + margin {
            return None;
        }
        let score = self.leaf(node.at, node.alpha, node.beta);
        (!self.over && score <= node.alpha).then_some(score)
    }

    /// Looks further where a goal must be stopped; the score if nothing stops it.
    pub(crate) fn extend(&mut self, node: &mut Node) -> Option<Score> {
        let at = node.at;
        if !self.features.extensions || !at.is_turn_start() || node.depth < 3 && at.level != 0 {
            return None;
        }
        let steps = goal(at.board(), at.position.side().other(), self.care.sight)?;
        let needed = match self.defences(at) {
            Defence::Turns(turns) => {
                let first = turns.first()?;
                // Something that stops it is a better beginning than nothing.
                if node.plan == Plan::NONE {
                    node.plan = Plan::of_turn(first);
                }
                first.len()
            }
            Defence::None if at.level != 0 => return Some(loss_at(at.ply + 4 + i32::from(steps))),
            _ => return None,
        };
        let more = match needed {
            0 | 1 => u8::from(steps <= 2),
            2 => 1,
            3 => 2,
            _ => 3,
        };
        let more = more.min(MOST_EXTENDED.saturating_sub(node.extended));
        node.extended += more;
        node.depth += i32::from(more);
        None
    }

    /// Whether a quiet way is not worth a search.
    pub(crate) fn is_left_out(&mut self, node: &mut Node, way: &Way) -> bool {
        if node.in_pv
            || self.several && node.at.turn == 0
            || node.threatened
            || node.tried == 0
            || way.class != Class::Quiet
            || is_proven(node.alpha)
            || is_proven(node.best)
        {
            return false;
        }
        let depth = node.depth as usize;
        if self.features.latepruning && LATE.get(depth).is_some_and(|&most| most <= node.tried) {
            return true;
        }
        match FUTILE.get(depth) {
            Some(margin) if self.features.futility => self.stand(node) + margin <= node.alpha,
            _ => false,
        }
    }

    /// How good a way was elsewhere.
    fn remembered(&self, node: &Node, way: &Way) -> i32 {
        way.action.map_or(0, |action| self.memory.value(Marks::of(action, node.at.before), &self.features))
    }

    /// Steps that a late way is looked at less.
    pub(crate) fn reduction(&mut self, node: &mut Node, way: &Way) -> i32 {
        if !self.features.reductions || node.depth < 2 {
            return 0;
        }
        let log = |n: usize| LOG[n.min(63)];
        // In hundredths of a step.
        let mut by = log(node.depth as usize) * log(node.tried) / 160;
        if self.features.behind && self.stand(node) + BEHIND.0 <= node.alpha {
            by += BEHIND.1;
        }
        by -= match way.class {
            Class::Quiet => self.remembered(node, way) / 100,
            Class::Tactical => 60,
            Class::Losing => 0,
            Class::Loud => by,
        };
        by.max(0) / 100
    }

    /// Remembers a way that ended a node, and those that did not.
    pub(crate) fn learn(&mut self, node: &Node, way: &Way, plan: Plan, before: &[Way]) {
        let Some(action) = way.action else { return };
        let captures = way.class == Class::Loud && 900_000 < way.rank && way.rank != i32::MAX;
        if captures {
            return;
        }
        let by = praise(node.depth);
        self.memory.kill(node.at.ply, plan);
        self.memory.teach(action, node.at.before, by);
        for other in before.iter().filter_map(|way| way.action) {
            self.memory.teach(other, node.at.before, -by / 8);
        }
    }

    /// Remembers a turn that ended a node.
    pub(crate) fn learn_turn(&mut self, node: &Node, plan: Plan, choices: &[Choice]) {
        self.memory.kill(node.at.ply, plan);
        let mut context = node.at.before;
        for action in choices.iter().copied().flatten() {
            self.memory.teach(action, context, praise(node.depth) / 2);
            context = history::before(action, true);
        }
    }
}
