//! Principal variation search over steps, pushes and pulls; depth is counted in steps.

use surus_rules::Squares;
use surus_tactics::{goal, stopping_squares};

use super::ordering::{ActionClass, ActionScorer, CanonicalOrder, ScoredAction, pick_best};
use super::packed_turn::PackedTurn;
use super::search::{ActionOrPass, Search, repetition_key};
use super::state::SearchState;
use super::tt::{Bound, TtEntry};
use crate::common::score::{INFINITE, Score, from_tt, is_proven, loss_in, to_tt};
use crate::eval::Evaluate;

/// A node while it is searched.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) state: &'a SearchState,
    pub(crate) depth: i32,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) is_pv: bool,
    /// What is entry to be good here.
    pub(crate) hash_turn: PackedTurn,
    /// The score of the best way so far, and that way with what follows it in this turn.
    pub(crate) best_score: Score,
    best_turn: PackedTurn,
    /// Ways that were searched.
    pub(crate) searched_count: usize,
    /// At most this is what the ways are worth that were left out.
    pruned_bound: Score,
    /// Whether the other side would have a goal if this turn had been skipped.
    pub(crate) goal_threatened: bool,
    /// Steps by which the line to here and this node are extension.
    pub(crate) extension: u8,
    /// Which visit of its turn's start this belongs to.
    generation: u32,
    /// What the evaluation says here, once it was asked.
    pub(crate) cached_eval: Option<Score>,
}

impl Node<'_> {
    #[inline]
    pub(crate) fn is_cutoff(&self) -> bool {
        self.beta <= self.best_score
    }

    /// Something is not searched, because it is worth no more than this.
    #[inline]
    fn prune(&mut self, at_most: Score) {
        self.pruned_bound = self.pruned_bound.max(at_most);
    }
}

/// Where a way leads.
#[derive(Debug)]
pub(crate) struct Successor {
    pub(crate) state: SearchState,
    /// Whether the other side is to move there.
    pub(crate) ends_turn: bool,
    /// What the turn costs beside what its board is worth.
    pub(crate) penalty: Score,
}

impl<E: Evaluate> Search<'_, E> {
    /// The score of a place for its side to move, looking so many steps ahead.
    pub(crate) fn search(&mut self, at: &SearchState, depth: i32, alpha: Score, beta: Score) -> Score {
        self.clear_pv(at.stack_index);
        if depth <= 0 {
            return self.qsearch(at, alpha, beta);
        }
        if !self.count_node() {
            return 0;
        }
        let key = self.key(at);
        let entry = self.tt.probe(key);
        let plan = entry.map_or(PackedTurn::NONE, |entry| PackedTurn(entry.best_turn));
        let in_pv = 1 < beta - alpha;
        if let Some(entry) = entry
            && !in_pv
        {
            let score = from_tt(entry.score, at.ply);
            if entry.allows_cutoff(depth, score, alpha, beta) {
                self.best_turns[at.stack_index] = plan;
                return score;
            }
        }
        let begins = at.is_turn_start();
        // At the root it would say that there is a win, but not which.
        if begins
            && at.turns_from_root != 0
            && let Some(score) = self.terminal_score(at)
        {
            return score;
        }
        let mut node = Node {
            state: at,
            depth,
            alpha,
            beta,
            is_pv: in_pv,
            hash_turn: if plan == PackedTurn::NONE { at.turn_hint } else { plan },
            best_score: -INFINITE,
            best_turn: PackedTurn::NONE,
            searched_count: 0,
            pruned_bound: -INFINITE,
            goal_threatened: if begins || at.stack_index == 0 {
                self.is_goal_threatened(at)
            } else {
                at.goal_threatened
            },
            extension: at.extension,
            generation: if begins || at.generation == 0 {
                self.history.turn_dedup.next_generation()
            } else {
                at.generation
            },
            cached_eval: None,
        };
        let early = if node.goal_threatened { self.extend(&mut node) } else { self.prune_node(&mut node) };
        if let Some(score) = early {
            if node.goal_threatened && !self.aborted {
                // That nothing stops a goal is true at any depth, and takes long to find out.
                let score = to_tt(score, at.ply);
                self.tt
                    .store(key, TtEntry { best_turn: plan.0, score, depth: i32::MAX, bound: Bound::Exact });
            }
            return score;
        }
        if begins && self.features.stored_turns {
            self.search_stored_turns(&mut node);
        }
        if !self.aborted && !node.is_cutoff() {
            self.search_actions(&mut node);
        }
        self.store_result(&node, key, (depth, alpha))
    }

    fn is_goal_threatened(&self, at: &SearchState) -> bool {
        (self.features.goal_defence_filter || self.features.goal_extensions)
            && goal(at.board(), at.position.side().other(), self.tactical_depth.goal_steps).is_some()
    }

    /// Stores and returns what was found, with the depth and the alpha that the node was asked with.
    fn store_result(&mut self, node: &Node, key: u64, (depth, floor): (i32, Score)) -> Score {
        if self.aborted {
            return 0;
        }
        let at = node.state;
        let best = node.best_score.max(node.pruned_bound);
        if best == -INFINITE {
            // No way leads to a turn's end that the rules allow.
            return loss_in(at.ply);
        }
        let bound = Bound::of(best, (floor, node.beta));
        self.best_turns[at.stack_index] = node.best_turn;
        let score = to_tt(best, at.ply);
        self.tt.store(key, TtEntry { best_turn: node.best_turn.0, score, depth, bound });
        best
    }

    /// The ways of a node, best first.
    fn search_actions(&mut self, node: &mut Node) {
        let at = node.state;
        let mut ways = std::mem::take(&mut self.action_lists[at.stack_index]);
        ways.clear();
        // What is entry is tried before anything else is even listed.
        let left = at.position.steps_left();
        let entry = node.hash_turn.first_action(at.board(), at.position.side(), left);
        if let Some(action) = entry {
            let way = ScoredAction { action: Some(action), score: i32::MAX, class: ActionClass::Noisy };
            let rest = node.hash_turn.skip_steps(action.len());
            self.search_action(node, &way, rest, &ways);
        }
        if !self.aborted && !node.is_cutoff() {
            self.generate_actions(node, entry, &mut ways);
            let area = self.defence_area(node);
            for index in 0..ways.len() {
                pick_best(&mut ways[index..]);
                let way = ways[index];
                if area.is_some_and(|area| misses_defence(area, &way, left)) {
                    node.prune(loss_in(at.ply + i32::from(left) + 4));
                } else if self.should_prune(node, &way) {
                    node.prune(node.alpha);
                } else {
                    self.search_action(node, &way, PackedTurn::NONE, &ways[..index]);
                }
                if self.aborted || node.is_cutoff() {
                    break;
                }
            }
        }
        self.action_lists[at.stack_index] = ways;
    }

    /// Searches one way; `before` was tried in vain.
    fn search_action(
        &mut self,
        node: &mut Node,
        way: &ScoredAction,
        plan: PackedTurn,
        before: &[ScoredAction],
    ) {
        let Some(mut next) = self.apply_action(node, way) else { return };
        next.state.turn_hint = plan;
        self.tt.prefetch(self.key(&next.state));
        let left = node.depth - (next.state.ply - node.state.ply);
        let less = if node.searched_count == 0 { 0 } else { self.reduction(node, way) };
        if self.features.turn_dedup && !next.ends_turn {
            let (place, taken) = (&next.state, next.state.position.steps_taken());
            let key = place.board().key();
            if self.history.turn_dedup.seen_or_insert(
                place.turns_from_root,
                node.generation,
                key,
                taken,
                left - less,
            ) {
                node.prune(node.alpha);
                return;
            }
        }
        let (level, ends) = (next.state.stack_index, next.ends_turn);
        let score = self.search_pvs(node, next, left, less);
        if self.aborted {
            return;
        }
        let rest = if ends { PackedTurn::NONE } else { self.best_turns[level] };
        let plan = PackedTurn::prepend(way.action, rest);
        self.update_best(node, score, plan, std::iter::once(way.action));
        if node.is_cutoff() {
            self.update_history(node, way, plan, before);
        }
    }

    /// The score of a way: at full width for the first, else a proof that it is no better, perhaps with less depth.
    pub(crate) fn search_pvs(&mut self, node: &mut Node, mut next: Successor, left: i32, less: i32) -> Score {
        let (alpha, beta) = (node.alpha, node.beta);
        if next.ends_turn {
            self.path_keys.push(repetition_key(next.state.board(), node.state.position.side(), self.rules));
        }
        let first = node.searched_count == 0;
        node.searched_count += 1;
        let score = if first {
            self.search_child(&next, left, alpha, beta)
        } else {
            let mut score = self.search_child(&next, left - less, alpha, alpha + 1);
            if alpha < score && 0 < less {
                next.state.generation = self.history.turn_dedup.next_generation();
                score = self.search_child(&next, left, alpha, alpha + 1);
            }
            if alpha < score && score < beta {
                next.state.generation = self.history.turn_dedup.next_generation();
                score = self.search_child(&next, left, alpha, beta);
            }
            score
        };
        if next.ends_turn {
            self.path_keys.pop();
        }
        score
    }

    /// The score of a place for the side that led there.
    pub(crate) fn search_child(&mut self, next: &Successor, depth: i32, alpha: Score, beta: Score) -> Score {
        if !next.ends_turn {
            return self.search(&next.state, depth, alpha, beta);
        }
        // A proven win or loss is what it is; and no window reaches qsearch_turns what a score can be.
        let cost = if is_proven(alpha) && alpha != -INFINITE { 0 } else { next.penalty };
        let score = -self.search(&next.state, depth, (-beta - cost).max(-INFINITE), -alpha - cost);
        if is_proven(score) { score } else { score - cost }
    }

    /// Keeps what is better than what was best.
    pub(crate) fn update_best(
        &mut self,
        node: &mut Node,
        score: Score,
        plan: PackedTurn,
        choices: impl Iterator<Item = ActionOrPass>,
    ) {
        if score <= node.best_score {
            return;
        }
        node.best_score = score;
        let level = node.state.stack_index;
        if level == 0 {
            self.use_soft_limit = self.score_drop_limit <= score;
        }
        if node.alpha < score {
            node.alpha = score;
            node.best_turn = plan;
            if node.is_pv {
                self.update_pv(level, choices);
            }
        }
    }

    /// The place that a way leads to, if the rules allow it.
    fn apply_action(&self, node: &Node, way: &ScoredAction) -> Option<Successor> {
        let Some(action) = way.action else { return self.end_turn(node, node.state) };
        let mut place = node.state.after_action(action);
        if node.state.repeats_board(place.board()) {
            return None;
        }
        if place.position.steps_left() == 0 {
            return self.end_turn(node, &place);
        }
        (place.goal_threatened, place.extension, place.generation) =
            (node.goal_threatened, node.extension, node.generation);
        Some(Successor { state: place, ends_turn: false, penalty: 0 })
    }

    /// The other side's turn after one that ends here, if it may.
    pub(crate) fn end_turn(&self, node: &Node, last: &SearchState) -> Option<Successor> {
        let (start, end, side) = (&node.state.turn_start, last.board(), node.state.position.side());
        if end == start || self.is_illegal_end(end, side) {
            return None;
        }
        let cost = self.turn_penalty(start, end, side);
        let place = SearchState {
            stack_index: node.state.stack_index + 1,
            extension: node.extension,
            after_null: false,
            ..last.next_turn()
        };
        Some(Successor { state: place, ends_turn: true, penalty: cost })
    }

    /// All ways to go on but one, ranked but not sorted.
    fn generate_actions(&mut self, node: &mut Node, but: ActionOrPass, ways: &mut Vec<ScoredAction>) {
        let at = node.state;
        let (board, side, left) = (at.board(), at.position.side(), at.position.steps_left());
        if !at.is_turn_start() && *board != at.turn_start {
            let early = self.features.pass_first && node.beta <= self.node_static_eval(node);
            ways.push(ScoredAction {
                action: None,
                score: if early { 700_000 } else { 0 },
                class: ActionClass::Noisy,
            });
        }
        let exchange = CanonicalOrder::after(at.last_action.filter(|_| self.features.canonical_order));
        let killers = self.history.killers(at.ply);
        let scorer = ActionScorer::new(
            (board, side, left),
            self.history,
            &self.features,
            (at.continuation_context, killers),
        );
        board.for_each_action(side, left, |action| {
            if Some(action) != but && !exchange.is_redundant(action) {
                ways.push(scorer.score_action(action));
            }
        });
    }

    /// What the last action must touch so that the other side has no goal, if it has one here and this may be the last.
    fn defence_area(&self, node: &Node) -> Option<Squares> {
        let at = node.state;
        if !self.features.goal_defence_filter || !node.goal_threatened || 2 < at.position.steps_left() {
            return None;
        }
        stopping_squares(at.board(), at.position.side())
    }
}

/// Whether the turn ends with this way and a goal_threatened goal is still there.
fn misses_defence(area: Squares, way: &ScoredAction, left: u8) -> bool {
    way.action.is_none_or(|action| action.len() == left && (action.touched() & area).is_empty())
}
