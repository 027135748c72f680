//! Principal variation search over steps, pushes and pulls; depth is counted in steps.

use surus_rules::Squares;
use surus_tactics::{goal, stopping_squares};

use super::ordering::{Class, Exchange, Ranking, Way, bring_best};
use super::packed_turn::Plan;
use super::search::{Choice, Search, end_key};
use super::state::Place;
use super::tt::{Bound, Known};
use crate::common::score::{INFINITE, Score, from_table, is_proven, loss_at, to_table};
use crate::eval::Evaluate;

/// A node while it is searched.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) at: &'a Place,
    pub(crate) depth: i32,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) in_pv: bool,
    /// What is known to be good here.
    pub(crate) plan: Plan,
    /// The score of the best way so far, and that way with what follows it in this turn.
    pub(crate) best: Score,
    best_plan: Plan,
    /// Ways that were searched.
    pub(crate) tried: usize,
    /// At most this is what the ways are worth that were left out.
    left_out: Score,
    /// Whether the other side would have a goal if this turn had been skipped.
    pub(crate) threatened: bool,
    /// Steps by which the line to here and this node are extended.
    pub(crate) extended: u8,
    /// Which visit of its turn's start this belongs to.
    visit: u32,
    /// What the evaluation says here, once it was asked.
    pub(crate) stand: Option<Score>,
}

impl Node<'_> {
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.beta <= self.best
    }

    /// Something is not searched, because it is worth no more than this.
    #[inline]
    fn leave_out(&mut self, at_most: Score) {
        self.left_out = self.left_out.max(at_most);
    }
}

/// Where a way leads.
#[derive(Debug)]
pub(crate) struct Next {
    pub(crate) place: Place,
    /// Whether the other side is to move there.
    pub(crate) ends: bool,
    /// What the turn costs beside what its board is worth.
    pub(crate) cost: Score,
}

impl<E: Evaluate> Search<'_, E> {
    /// The score of a place for its side to move, looking so many steps ahead.
    pub(crate) fn search(&mut self, at: &Place, depth: i32, alpha: Score, beta: Score) -> Score {
        self.clear_line(at.level);
        if depth <= 0 {
            return self.leaf(at, alpha, beta);
        }
        if !self.enter() {
            return 0;
        }
        let key = self.key(at);
        let known = self.table.get(key);
        let plan = known.map_or(Plan::NONE, |known| Plan(known.choice));
        let in_pv = 1 < beta - alpha;
        if let Some(known) = known
            && !in_pv
        {
            let score = from_table(known.score, at.ply);
            if known.settles(depth, score, alpha, beta) {
                self.plans[at.level] = plan;
                return score;
            }
        }
        let begins = at.is_turn_start();
        // At the root it would say that there is a win, but not which.
        if begins
            && at.turn != 0
            && let Some(score) = self.decided(at)
        {
            return score;
        }
        let mut node = Node {
            at,
            depth,
            alpha,
            beta,
            in_pv,
            plan: if plan == Plan::NONE { at.plan } else { plan },
            best: -INFINITE,
            best_plan: Plan::NONE,
            tried: 0,
            left_out: -INFINITE,
            threatened: if begins || at.level == 0 { self.is_threatened(at) } else { at.threatened },
            extended: at.extended,
            visit: if begins || at.visit == 0 { self.memory.turn_set.next_visit() } else { at.visit },
            stand: None,
        };
        let early = if node.threatened { self.extend(&mut node) } else { self.ends_early(&mut node) };
        if let Some(score) = early {
            if node.threatened && !self.over {
                // That nothing stops a goal is true at any depth, and takes long to find out.
                let score = to_table(score, at.ply);
                self.table.put(key, Known { choice: plan.0, score, depth: i32::MAX, bound: Bound::Exact });
            }
            return score;
        }
        if begins && self.features.wholeturns {
            self.try_turns(&mut node);
        }
        if !self.over && !node.is_cut() {
            self.try_ways(&mut node);
        }
        self.conclude(&node, key, (depth, alpha))
    }

    fn is_threatened(&self, at: &Place) -> bool {
        (self.features.goalarea || self.features.extensions)
            && goal(at.board(), at.position.side().other(), self.care.sight).is_some()
    }

    /// Stores and returns what was found, with the depth and the alpha that the node was asked with.
    fn conclude(&mut self, node: &Node, key: u64, (depth, floor): (i32, Score)) -> Score {
        if self.over {
            return 0;
        }
        let at = node.at;
        let best = node.best.max(node.left_out);
        if best == -INFINITE {
            // No way leads to a turn's end that the rules allow.
            return loss_at(at.ply);
        }
        let bound = Bound::of(best, (floor, node.beta));
        self.plans[at.level] = node.best_plan;
        let score = to_table(best, at.ply);
        self.table.put(key, Known { choice: node.best_plan.0, score, depth, bound });
        best
    }

    /// The ways of a node, best first.
    fn try_ways(&mut self, node: &mut Node) {
        let at = node.at;
        let mut ways = std::mem::take(&mut self.ways[at.level]);
        ways.clear();
        // What is known is tried before anything else is even listed.
        let left = at.position.steps_left();
        let known = node.plan.first(at.board(), at.position.side(), left);
        if let Some(action) = known {
            let way = Way { action: Some(action), rank: i32::MAX, class: Class::Loud };
            let rest = node.plan.rest(action.len());
            self.try_way(node, &way, rest, &ways);
        }
        if !self.over && !node.is_cut() {
            self.list(node, known, &mut ways);
            let area = self.area(node);
            for index in 0..ways.len() {
                bring_best(&mut ways[index..]);
                let way = ways[index];
                if area.is_some_and(|area| fails_to_stop(area, &way, left)) {
                    node.leave_out(loss_at(at.ply + i32::from(left) + 4));
                } else if self.is_left_out(node, &way) {
                    node.leave_out(node.alpha);
                } else {
                    self.try_way(node, &way, Plan::NONE, &ways[..index]);
                }
                if self.over || node.is_cut() {
                    break;
                }
            }
        }
        self.ways[at.level] = ways;
    }

    /// Searches one way; `before` was tried in vain.
    fn try_way(&mut self, node: &mut Node, way: &Way, plan: Plan, before: &[Way]) {
        let Some(mut next) = self.follow(node, way) else { return };
        next.place.plan = plan;
        self.table.prefetch(self.key(&next.place));
        let left = node.depth - (next.place.ply - node.at.ply);
        let less = if node.tried == 0 { 0 } else { self.reduction(node, way) };
        if self.features.turnset && !next.ends {
            let (place, taken) = (&next.place, next.place.position.steps_taken());
            let key = place.board().key();
            if self.memory.turn_set.meets_again(place.turn, node.visit, key, taken, left - less) {
                node.leave_out(node.alpha);
                return;
            }
        }
        let (level, ends) = (next.place.level, next.ends);
        let score = self.measure(node, next, left, less);
        if self.over {
            return;
        }
        let rest = if ends { Plan::NONE } else { self.plans[level] };
        let plan = Plan::of(way.action, rest);
        self.note(node, score, plan, std::iter::once(way.action));
        if node.is_cut() {
            self.learn(node, way, plan, before);
        }
    }

    /// The score of a way: at full width for the first, else a proof that it is no better, perhaps with less depth.
    pub(crate) fn measure(&mut self, node: &mut Node, mut next: Next, left: i32, less: i32) -> Score {
        let (alpha, beta) = (node.alpha, node.beta);
        if next.ends {
            self.path.push(end_key(next.place.board(), node.at.position.side(), self.rules));
        }
        let first = node.tried == 0;
        node.tried += 1;
        let score = if first {
            self.visit(&next, left, alpha, beta)
        } else {
            let mut score = self.visit(&next, left - less, alpha, alpha + 1);
            if alpha < score && 0 < less {
                next.place.visit = self.memory.turn_set.next_visit();
                score = self.visit(&next, left, alpha, alpha + 1);
            }
            if alpha < score && score < beta {
                next.place.visit = self.memory.turn_set.next_visit();
                score = self.visit(&next, left, alpha, beta);
            }
            score
        };
        if next.ends {
            self.path.pop();
        }
        score
    }

    /// The score of a place for the side that led there.
    pub(crate) fn visit(&mut self, next: &Next, depth: i32, alpha: Score, beta: Score) -> Score {
        if !next.ends {
            return self.search(&next.place, depth, alpha, beta);
        }
        // A proven win or loss is what it is; and no window reaches beyond what a score can be.
        let cost = if is_proven(alpha) && alpha != -INFINITE { 0 } else { next.cost };
        let score = -self.search(&next.place, depth, (-beta - cost).max(-INFINITE), -alpha - cost);
        if is_proven(score) { score } else { score - cost }
    }

    /// Keeps what is better than what was best.
    pub(crate) fn note(
        &mut self,
        node: &mut Node,
        score: Score,
        plan: Plan,
        choices: impl Iterator<Item = Choice>,
    ) {
        if score <= node.best {
            return;
        }
        node.best = score;
        let level = node.at.level;
        if level == 0 {
            self.at_ease = self.worry <= score;
        }
        if node.alpha < score {
            node.alpha = score;
            node.best_plan = plan;
            if node.in_pv {
                self.keep_line(level, choices);
            }
        }
    }

    /// The place that a way leads to, if the rules allow it.
    fn follow(&self, node: &Node, way: &Way) -> Option<Next> {
        let Some(action) = way.action else { return self.turn_ends(node, node.at) };
        let mut place = node.at.after(action);
        if node.at.has_seen(place.board()) {
            return None;
        }
        if place.position.steps_left() == 0 {
            return self.turn_ends(node, &place);
        }
        (place.threatened, place.extended, place.visit) = (node.threatened, node.extended, node.visit);
        Some(Next { place, ends: false, cost: 0 })
    }

    /// The other side's turn after one that ends here, if it may.
    pub(crate) fn turn_ends(&self, node: &Node, last: &Place) -> Option<Next> {
        let (start, end, side) = (&node.at.start, last.board(), node.at.position.side());
        if end == start || self.repeats(end, side) {
            return None;
        }
        let cost = self.burden(start, end, side);
        let place = Place {
            level: node.at.level + 1,
            extended: node.extended,
            after_null: false,
            ..last.turn_over()
        };
        Some(Next { place, ends: true, cost })
    }

    /// All ways to go on but one, ranked but not sorted.
    fn list(&mut self, node: &mut Node, but: Choice, ways: &mut Vec<Way>) {
        let at = node.at;
        let (board, side, left) = (at.board(), at.position.side(), at.position.steps_left());
        if !at.is_turn_start() && *board != at.start {
            let early = self.features.passfirst && node.beta <= self.stand(node);
            ways.push(Way { action: None, rank: if early { 700_000 } else { 0 }, class: Class::Loud });
        }
        let exchange = Exchange::after(at.last.filter(|_| self.features.exchange));
        let killers = self.memory.killers(at.ply);
        let ranking = Ranking::new((board, side, left), self.memory, &self.features, (at.before, killers));
        board.for_each_action(side, left, |action| {
            if Some(action) != but && !exchange.skips(action) {
                ways.push(ranking.way(action));
            }
        });
    }

    /// What the last action must touch so that the other side has no goal, if it has one here and this may be the last.
    fn area(&self, node: &Node) -> Option<Squares> {
        let at = node.at;
        if !self.features.goalarea || !node.threatened || 2 < at.position.steps_left() {
            return None;
        }
        stopping_squares(at.board(), at.position.side())
    }
}

/// Whether the turn ends with this way and a threatened goal is still there.
fn fails_to_stop(area: Squares, way: &Way, left: u8) -> bool {
    way.action.is_none_or(|action| action.len() == left && (action.touched() & area).is_empty())
}
