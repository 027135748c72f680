//! Quiescence search: captures, goals and their defences, until the board is quiet.
//!
//! A side may always pass, so that a bad capture is never forced on it. Only complete actions are tried: no push is
//! ever half done here.

use surus_rules::{Action, Position, Turn};
use surus_tactics::{Defences, captures};

use super::features::FeatureSet;
use super::packed_turn::PackedTurn;
use super::search::Search;
use super::state::SearchState;
use super::tt::{Bound, TtEntry};
use crate::common::material;
use crate::common::score::{Score, from_tt, is_proven, loss_in, to_tt};
use crate::eval::Evaluate;

/// The best turn tried so far at a state, and the window for the next.
struct Best {
    score: Score,
    /// The continuation of the turn with this score.
    pv: Turn,
    alpha: Score,
    beta: Score,
}

impl<E: Evaluate, F: FeatureSet> Search<'_, E, F> {
    /// Quiescence search at the horizon. Many orders of steps lead to the same state, so results are stored.
    pub(crate) fn qsearch(&mut self, state: &SearchState, alpha: Score, beta: Score) -> Score {
        let key = self.key(state);
        let is_pv = beta - alpha > 1;
        if !is_pv && let Some(entry) = self.tt.probe(key) {
            let score = from_tt(entry.score, state.ply);
            if entry.allows_cutoff(0, score, alpha, beta) {
                self.count_node();
                return score;
            }
        }
        let score = self.qsearch_node(state, alpha, beta, 0);
        if !self.aborted {
            if is_pv && score > alpha {
                // The principal variation must contain the rest of the turn.
                let rest = self.qsearch_pv.steps().map(|step| Some(Action::single(step)));
                self.stack[state.stack_index].pv.extend(rest);
            }
            let entry = TtEntry {
                best_turn: PackedTurn::NONE.0,
                score: to_tt(score, state.ply),
                depth: 0,
                bound: Bound::new(score, alpha, beta),
            };
            self.tt.store(key, entry);
        }
        score
    }

    /// `turns` is the number of turns since the horizon.
    fn qsearch_node(&mut self, state: &SearchState, alpha: Score, beta: Score, turns: u32) -> Score {
        self.qsearch_pv = Turn::EMPTY;
        if !self.count_node() {
            return 0;
        }
        if state.is_turn_start()
            && let Some(score) = self.terminal_score(state)
        {
            return score;
        }
        if turns >= self.tactical_depth.qsearch_turns {
            return self.evaluate_horizon(state);
        }
        if let Some(goal_steps) = self.enemy_goal(state) {
            let static_eval = self.static_eval(state) - self.params.q_defence_cost();
            if self.features.q_futility() && static_eval <= alpha && !is_proven(alpha) {
                return static_eval;
            }
            return self.qsearch_defences(state, alpha, beta, turns, goal_steps);
        }
        let (board, side) = (*state.board(), state.position.side());
        let stand_pat = if board == state.turn_start {
            self.evaluate_turn_start(&board, side)
        } else if self.is_illegal_end(&board, side) {
            // The turn may not end here; it can end elsewhere, unless it is the root's turn.
            if state.turns_from_root == 0 {
                loss_in(state.ply)
            } else {
                self.static_eval(state) - self.params.repetition_cost()
            }
        } else {
            -self.qsearch_node(&state.next_turn(), -beta, -alpha, turns + 1)
        };
        let mut best = Best { score: stand_pat, pv: Turn::EMPTY, alpha: alpha.max(stand_pat), beta };
        self.qsearch_pv = best.pv;
        if self.aborted || stand_pat >= beta || state.position.steps_left() < 2 {
            return stand_pat;
        }
        for (turn, value) in self.captures(state) {
            let delta = best.score + value + self.params.q_delta_margin();
            if delta <= best.alpha || self.try_qsearch_turn(state, &turn, turns, &mut best) {
                break;
            }
        }
        self.qsearch_pv = best.pv;
        best.score
    }

    /// Tries the turns that stop a goal of the other side with the fewest steps.
    fn qsearch_defences(
        &mut self,
        state: &SearchState,
        alpha: Score,
        beta: Score,
        turns: u32,
        goal_steps: u8,
    ) -> Score {
        let loss = loss_in(state.ply + i32::from(state.position.steps_left()) + i32::from(goal_steps));
        let Defences::Turns(defences) = self.goal_defences(state) else { return loss };
        let mut best = Best { score: loss, pv: Turn::EMPTY, alpha, beta };
        for turn in defences.iter().take(self.params.q_max_defences() as usize) {
            if self.try_qsearch_turn(state, turn, turns, &mut best) {
                break;
            }
        }
        self.qsearch_pv = best.pv;
        best.score
    }

    /// Tries some steps of this turn; returns whether nothing more needs to be tried.
    fn try_qsearch_turn(&mut self, state: &SearchState, turn: &Turn, turns: u32, best: &mut Best) -> bool {
        let score = self.qsearch_turn(state, turn, best.alpha, best.beta, turns);
        if score > best.score {
            (best.score, best.pv) = (score, self.qsearch_pv);
        }
        best.alpha = best.alpha.max(best.score);
        self.aborted || best.score >= best.beta
    }

    /// The score after some steps of this turn; a loss if the turn may not end there.
    fn qsearch_turn(
        &mut self,
        state: &SearchState,
        turn: &Turn,
        alpha: Score,
        beta: Score,
        turns: u32,
    ) -> Score {
        let Some(position) = position_after(&state.position, turn) else { return loss_in(state.ply) };
        let next = state.after_steps(position, turn.len());
        let score = if position.steps_left() > 0 {
            self.qsearch_node(&next, alpha, beta, turns)
        } else if self.is_illegal_end(next.board(), state.position.side()) {
            return loss_in(state.ply);
        } else {
            let score = -self.qsearch_node(&next.next_turn(), -beta, -alpha, turns + 1);
            self.qsearch_pv = Turn::EMPTY;
            score
        };
        self.qsearch_pv = turn.steps().chain(self.qsearch_pv.steps()).collect();
        score
    }

    /// The static evaluation where nothing more is searched, less a penalty for a goal that must be stopped.
    fn evaluate_horizon(&mut self, state: &SearchState) -> Score {
        let score = self.static_eval(state);
        match self.enemy_goal(state) {
            Some(steps) if self.features.q_threats() => score - self.params.q_threat_penalty(steps),
            _ => score,
        }
    }

    /// The captures of this turn with the values of their pieces, most valuable first.
    fn captures(&self, state: &SearchState) -> Vec<(Turn, Score)> {
        let (board, side) = (state.board(), state.position.side());
        let found = captures(board, side, state.position.steps_left());
        if found.is_empty() {
            return Vec::new();
        }
        let values = material::capture_values(board, side);
        let mut captures: Vec<(Turn, Score)> =
            found.iter().map(|capture| (capture.turn, values[capture.piece.kind()])).collect();
        captures.sort_by_key(|&(_, value)| -value);
        captures
    }
}

/// The position after steps that tactics found.
fn position_after(position: &Position, turn: &Turn) -> Option<Position> {
    turn.steps().try_fold(*position, |position, step| position.try_step(step).ok())
}
