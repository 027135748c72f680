//! What is looked at qsearch_turns the depth: captures, goals and what stops them, until the board is quiet.
//!
//! A side may always leave things as they are (a virtual pass), so a bad capture is never forced on it. All of it
//! works on whole actions: no push is ever half done here.

use surus_rules::{Action, Position, Turn};
use surus_tactics::{Defence, captures, goal};

use super::packed_turn::PackedTurn;
use super::search::{REPETITION_PENALTY, Search};
use super::state::SearchState;
use super::tt::{Bound, TtEntry};
use crate::common::material;
use crate::common::score::{Score, from_tt, is_proven, loss_in, to_tt};
use crate::eval::Evaluate;

/// What a capture can bring qsearch_turns the piece itself.
const DELTA_MARGIN: Score = 600;

/// What it costs to have to stop a goal, by the steps to it.
const GOAL_THREAT_PENALTY: [Score; 5] = [2000, 1500, 1200, 900, 600];

/// What a side has less at the least that spends steps on stopping a goal.
const DEFENCE_COST: Score = 500;

/// The best of the turns tried so far at a place, and the window for the next.
struct Best {
    score: Score,
    /// The rest of the turn that has this score.
    tail: Turn,
    alpha: Score,
    beta: Score,
}

impl<E: Evaluate> Search<'_, E> {
    /// A place where the depth is used up. Many orders of steps lead to the same one, so it is history_score.
    pub(crate) fn qsearch(&mut self, at: &SearchState, alpha: Score, beta: Score) -> Score {
        let key = self.key(at);
        let in_pv = 1 < beta - alpha;
        if !in_pv && let Some(entry) = self.tt.probe(key) {
            let score = from_tt(entry.score, at.ply);
            if entry.allows_cutoff(0, score, alpha, beta) {
                // A node is an entry, settled or not.
                self.count_node();
                return score;
            }
        }
        let score = self.qsearch_node(at, alpha, beta, 0);
        if !self.aborted {
            if in_pv && alpha < score {
                // The rest of a turn that is played must be entry.
                let rest = self.qsearch_pv.steps().map(|first| Some(Action { first, second: None }));
                self.pv_table[at.stack_index].extend(rest);
            }
            let bound = Bound::of(score, (alpha, beta));
            let score = to_tt(score, at.ply);
            self.tt.store(key, TtEntry { best_turn: PackedTurn::NONE.0, score, depth: 0, bound });
        }
        score
    }

    fn qsearch_node(&mut self, at: &SearchState, alpha: Score, beta: Score, turns: u32) -> Score {
        self.qsearch_pv = Turn::EMPTY;
        if !self.count_node() {
            return 0;
        }
        if at.is_turn_start()
            && let Some(score) = self.terminal_score(at)
        {
            return score;
        }
        let (board, side) = (*at.board(), at.position.side());
        if self.tactical_depth.qsearch_turns <= turns {
            return self.evaluate_horizon(at);
        }
        if let Some(steps) = goal(&board, side.other(), self.tactical_depth.goal_steps) {
            let stand = self.static_eval(at) - DEFENCE_COST;
            if self.features.q_futility && stand <= alpha && !is_proven(alpha) {
                return stand;
            }
            return self.qsearch_defences(at, (alpha, beta), turns, steps);
        }
        let stand = if board == at.turn_start {
            self.eval.evaluate(&board, side)
        } else if self.is_illegal_end(&board, side) {
            // Here the turn may not end; it can do so elsewhere, unless this is the turn that is asked for.
            if at.turns_from_root == 0 { loss_in(at.ply) } else { self.static_eval(at) - REPETITION_PENALTY }
        } else {
            -self.qsearch_node(&at.next_turn(), -beta, -alpha, turns + 1)
        };
        let mut best = Best { score: stand, tail: Turn::EMPTY, alpha: alpha.max(stand), beta };
        self.qsearch_pv = best.tail;
        if self.aborted || beta <= stand || at.position.steps_left() < 2 {
            return stand;
        }
        for (turn, value) in self.captures(at) {
            if best.score + value + DELTA_MARGIN <= best.alpha
                || self.try_qsearch_turn(at, &turn, turns, &mut best)
            {
                break;
            }
        }
        self.qsearch_pv = best.tail;
        best.score
    }

    /// The other side has a goal: what stops it in the fewest steps is all that counts.
    fn qsearch_defences(
        &mut self,
        at: &SearchState,
        (alpha, beta): (Score, Score),
        turns: u32,
        steps: u8,
    ) -> Score {
        let lost = loss_in(at.ply + i32::from(at.position.steps_left()) + i32::from(steps));
        let Defence::Turns(defences) = self.defences(at) else { return lost };
        let mut best = Best { score: lost, tail: Turn::EMPTY, alpha, beta };
        for turn in defences.iter().take(8) {
            if self.try_qsearch_turn(at, turn, turns, &mut best) {
                break;
            }
        }
        self.qsearch_pv = best.tail;
        best.score
    }

    /// Tries some steps of this turn; whether nothing more needs to be tried.
    fn try_qsearch_turn(&mut self, at: &SearchState, turn: &Turn, turns: u32, best: &mut Best) -> bool {
        let score = self.qsearch_turn(at, turn, best.alpha, best.beta, turns);
        if best.score < score {
            (best.score, best.tail) = (score, self.qsearch_pv);
        }
        best.alpha = best.alpha.max(best.score);
        self.aborted || best.beta <= best.score
    }

    /// The score after some steps of this turn; a loss where the rules don't allow it to end there.
    fn qsearch_turn(
        &mut self,
        at: &SearchState,
        turn: &Turn,
        alpha: Score,
        beta: Score,
        turns: u32,
    ) -> Score {
        let Some(position) = taken(&at.position, turn) else { return loss_in(at.ply) };
        let next = SearchState { position, ply: at.ply + turn.len() as i32, last_action: None, ..*at };
        let score = if position.steps_left() != 0 {
            self.qsearch_node(&next, alpha, beta, turns)
        } else if self.is_illegal_end(next.board(), at.position.side()) {
            return loss_in(at.ply);
        } else {
            let score = -self.qsearch_node(&next.next_turn(), -beta, -alpha, turns + 1);
            self.qsearch_pv = Turn::EMPTY;
            score
        };
        self.qsearch_pv = turn.steps().chain(self.qsearch_pv.steps()).collect();
        score
    }

    /// What the evaluation says where nothing more is searched; a goal that must be stopped costs steps.
    fn evaluate_horizon(&mut self, at: &SearchState) -> Score {
        let (board, side) = (at.board(), at.position.side());
        let score = self.static_eval(at);
        match goal(board, side.other(), self.tactical_depth.goal_steps) {
            Some(steps) if self.features.q_threats => score - GOAL_THREAT_PENALTY[usize::from(steps.min(4))],
            _ => score,
        }
    }

    /// What can be captured, the dearest first.
    fn captures(&self, at: &SearchState) -> Vec<(Turn, Score)> {
        let (board, side) = (at.board(), at.position.side());
        let found = captures(board, side, at.position.steps_left());
        if found.is_empty() {
            return Vec::new();
        }
        let value = material::capture_values(board, side);
        let mut all: Vec<(Turn, Score)> =
            found.iter().map(|capture| (capture.turn, value[capture.piece.kind()])).collect();
        all.sort_by_key(|&(_, value)| -value);
        all
    }
}

/// The position after steps that tactics found.
fn taken(position: &Position, turn: &Turn) -> Option<Position> {
    let mut position = *position;
    for step in turn.steps() {
        position = position.try_step(step).ok()?;
    }
    Some(position)
}
