//! What is looked at beyond the depth: captures, goals and what stops them, until the board is quiet.
//!
//! A side may always leave things as they are (a virtual pass), so a bad capture is never forced on it. All of it
//! works on whole actions: no push is ever half done here.

use surus_rules::{Action, Position, Turn};
use surus_tactics::{Defence, captures, goal};

use super::packed_turn::Plan;
use super::search::{REPETITION, Search};
use super::state::Place;
use super::tt::{Bound, Known};
use crate::common::material;
use crate::common::score::{Score, from_table, is_proven, loss_at, to_table};
use crate::eval::Evaluate;

/// What a capture can bring beyond the piece itself.
const MARGIN: Score = 600;

/// What it costs to have to stop a goal, by the steps to it.
const THREAT: [Score; 5] = [2000, 1500, 1200, 900, 600];

/// What a side has less at the least that spends steps on stopping a goal.
const DISTRACTED: Score = 500;

/// The best of the turns tried so far at a place, and the window for the next.
struct Best {
    score: Score,
    /// The rest of the turn that has this score.
    tail: Turn,
    alpha: Score,
    beta: Score,
}

impl<E: Evaluate> Search<'_, E> {
    /// A place where the depth is used up. Many orders of steps lead to the same one, so it is remembered.
    pub(crate) fn leaf(&mut self, at: &Place, alpha: Score, beta: Score) -> Score {
        let key = self.key(at);
        let in_pv = 1 < beta - alpha;
        if !in_pv && let Some(known) = self.table.get(key) {
            let score = from_table(known.score, at.ply);
            if known.settles(0, score, alpha, beta) {
                // A node is an entry, settled or not.
                self.enter();
                return score;
            }
        }
        let score = self.quiesce(at, alpha, beta, 0);
        if !self.over {
            if in_pv && alpha < score {
                // The rest of a turn that is played must be known.
                let rest = self.tail.steps().map(|first| Some(Action { first, second: None }));
                self.lines[at.level].extend(rest);
            }
            let bound = Bound::of(score, (alpha, beta));
            let score = to_table(score, at.ply);
            self.table.put(key, Known { choice: Plan::NONE.0, score, depth: 0, bound });
        }
        score
    }

    fn quiesce(&mut self, at: &Place, alpha: Score, beta: Score, turns: u32) -> Score {
        self.tail = Turn::EMPTY;
        if !self.enter() {
            return 0;
        }
        if at.is_turn_start()
            && let Some(score) = self.decided(at)
        {
            return score;
        }
        let (board, side) = (*at.board(), at.position.side());
        if self.care.beyond <= turns {
            return self.judge(at);
        }
        if let Some(steps) = goal(&board, side.other(), self.care.sight) {
            let stand = self.standing(at) - DISTRACTED;
            if self.features.qbehind && stand <= alpha && !is_proven(alpha) {
                return stand;
            }
            return self.defend(at, (alpha, beta), turns, steps);
        }
        let stand = if board == at.start {
            self.eval.score(&board, side)
        } else if self.repeats(&board, side) {
            // Here the turn may not end; it can do so elsewhere, unless this is the turn that is asked for.
            if at.turn == 0 { loss_at(at.ply) } else { self.standing(at) - REPETITION }
        } else {
            -self.quiesce(&at.turn_over(), -beta, -alpha, turns + 1)
        };
        let mut best = Best { score: stand, tail: Turn::EMPTY, alpha: alpha.max(stand), beta };
        self.tail = best.tail;
        if self.over || beta <= stand || at.position.steps_left() < 2 {
            return stand;
        }
        for (turn, worth) in self.captures(at) {
            if best.score + worth + MARGIN <= best.alpha || self.settled_by(at, &turn, turns, &mut best) {
                break;
            }
        }
        self.tail = best.tail;
        best.score
    }

    /// The other side has a goal: what stops it in the fewest steps is all that counts.
    fn defend(&mut self, at: &Place, (alpha, beta): (Score, Score), turns: u32, steps: u8) -> Score {
        let lost = loss_at(at.ply + i32::from(at.position.steps_left()) + i32::from(steps));
        let Defence::Turns(defences) = self.defences(at) else { return lost };
        let mut best = Best { score: lost, tail: Turn::EMPTY, alpha, beta };
        for turn in defences.iter().take(8) {
            if self.settled_by(at, turn, turns, &mut best) {
                break;
            }
        }
        self.tail = best.tail;
        best.score
    }

    /// Tries some steps of this turn; whether nothing more needs to be tried.
    fn settled_by(&mut self, at: &Place, turn: &Turn, turns: u32, best: &mut Best) -> bool {
        let score = self.quiesce_turn(at, turn, best.alpha, best.beta, turns);
        if best.score < score {
            (best.score, best.tail) = (score, self.tail);
        }
        best.alpha = best.alpha.max(best.score);
        self.over || best.beta <= best.score
    }

    /// The score after some steps of this turn; a loss where the rules don't allow it to end there.
    fn quiesce_turn(&mut self, at: &Place, turn: &Turn, alpha: Score, beta: Score, turns: u32) -> Score {
        let Some(position) = taken(&at.position, turn) else { return loss_at(at.ply) };
        let next = Place { position, ply: at.ply + turn.len() as i32, last: None, ..*at };
        let score = if position.steps_left() != 0 {
            self.quiesce(&next, alpha, beta, turns)
        } else if self.repeats(next.board(), at.position.side()) {
            return loss_at(at.ply);
        } else {
            let score = -self.quiesce(&next.turn_over(), -beta, -alpha, turns + 1);
            self.tail = Turn::EMPTY;
            score
        };
        self.tail = turn.steps().chain(self.tail.steps()).collect();
        score
    }

    /// What the evaluation says where nothing more is searched; a goal that must be stopped costs steps.
    fn judge(&mut self, at: &Place) -> Score {
        let (board, side) = (at.board(), at.position.side());
        let score = self.standing(at);
        match goal(board, side.other(), self.care.sight) {
            Some(steps) if self.features.qthreats => score - THREAT[usize::from(steps.min(4))],
            _ => score,
        }
    }

    /// What can be captured, the dearest first.
    fn captures(&self, at: &Place) -> Vec<(Turn, Score)> {
        let (board, side) = (at.board(), at.position.side());
        let found = captures(board, side, at.position.steps_left());
        if found.is_empty() {
            return Vec::new();
        }
        let worth = material::victims(board, side);
        let mut all: Vec<(Turn, Score)> =
            found.iter().map(|capture| (capture.turn, worth[capture.piece.kind() as usize - 1])).collect();
        all.sort_by_key(|&(_, worth)| -worth);
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
