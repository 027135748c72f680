//! The evaluation of [Akimot §4.5]: material, traps, pins and frames, hostages and blockades, mapped by a sigmoid.

use surus_rules::{Bitboard, Board, PieceKind, Side, Square};
use surus_tactics::{captures, steps_to_goal};

use super::params::{Config, Evaluator};
use crate::common::by_kind::ByKind;
use crate::common::material;
use crate::common::math::sigmoid;
use crate::eval::Evaluation;

/// The weights of a configuration in the form that the evaluation needs.
#[derive(Clone, Debug)]
pub(crate) struct AkimotEval {
    piece_value: ByKind<f32>,
    frozen_penalty: ByKind<f32>,
    rabbit_penalty: [f32; 9],
    trap_guards: [f32; 5],
    enemy_guard: f32,
    dominant: f32,
    weaker_enemy: f32,
    occupied: f32,
    home: f32,
    away: f32,
    frame: f32,
    pin: f32,
    pin_outranked: f32,
    hostage: f32,
    blockade: f32,
    lambda: f32,
    evaluator: Evaluator,
    evaluation: Evaluation,
    goal_check: bool,
    trap_check: f32,
}

/// The squares at most two steps from each square.
pub(crate) static VICINITY: [u64; 64] = {
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        let near = Bitboard(1 << i).neighbours().0 | 1 << i;
        all[i] = Bitboard(near).neighbours().0 | near;
        i += 1;
    }
    all
};

impl AkimotEval {
    pub(crate) fn new(config: &Config) -> Self {
        let c = config;
        let values =
            [c.rabbit_value, c.cat_value, c.dog_value, c.horse_value, c.camel_value, c.elephant_value];
        let piece_value = ByKind::new(values.map(|value| value as f32));
        let fractions = [c.frozen_rabbit, c.frozen_cat, c.frozen_dog, c.frozen_horse, c.frozen_camel, 0.0];
        let fractions = ByKind::new(fractions);
        let rabbit_penalty = [
            c.rabbit_penalty_0,
            c.rabbit_penalty_1,
            c.rabbit_penalty_2,
            c.rabbit_penalty_3,
            c.rabbit_penalty_4,
            c.rabbit_penalty_5,
            c.rabbit_penalty_6,
            c.rabbit_penalty_7,
            0,
        ];
        let trap_guards =
            [c.trap_guards_0, c.trap_guards_1, c.trap_guards_2, c.trap_guards_3, c.trap_guards_4];
        Self {
            piece_value,
            frozen_penalty: ByKind::from_fn(|kind| piece_value[kind] * fractions[kind]),
            rabbit_penalty: rabbit_penalty.map(|penalty| penalty as f32),
            trap_guards: trap_guards.map(|bonus| bonus as f32),
            enemy_guard: c.trap_enemy_guard as f32,
            dominant: c.trap_dominant as f32,
            weaker_enemy: c.trap_weaker_enemy as f32,
            occupied: c.trap_occupied as f32,
            home: c.trap_home,
            away: c.trap_away,
            frame: c.frame,
            pin: c.pin,
            pin_outranked: c.pin_outranked,
            hostage: c.hostage as f32,
            blockade: c.blockade as f32,
            lambda: c.lambda,
            evaluator: c.evaluator,
            evaluation: c.weights.clone(),
            goal_check: c.goal_check,
            trap_check: c.trap_check,
        }
    }

    /// The expected result for gold, from -1 to 1, where a side starts its turn.
    pub(crate) fn evaluate(&self, board: &Board, side: Side) -> f32 {
        let sign = if side == Side::Gold { 1.0 } else { -1.0 };
        if self.goal_check && steps_to_goal(board, side, 4).is_some() {
            return sign;
        }
        let gain = sign * self.capture_gain(board, side);
        let probability = match self.evaluator {
            Evaluator::Akimot => sigmoid(self.lambda * (self.raw_score(board) + gain)),
            Evaluator::AlphaBeta => sigmoid(
                (sign * self.evaluation.evaluate(board, side) as f32 + gain)
                    / (10 * self.evaluation.scale()) as f32,
            ),
        };
        2.0 * probability - 1.0
    }

    /// The expected result for gold in the middle of a side's turn.
    pub(crate) fn evaluate_mid_turn(&self, board: &Board, side: Side, steps_left: u8) -> f32 {
        if self.goal_check && steps_to_goal(board, side, steps_left).is_some() {
            return if side == Side::Gold { 1.0 } else { -1.0 };
        }
        self.evaluate(board, side.other())
    }

    /// The fraction of the most valuable capturable piece that is credited to a side starting its turn.
    fn capture_gain(&self, board: &Board, side: Side) -> f32 {
        if self.trap_check == 0.0 {
            return 0.0;
        }
        let targets = captures(board, side, 4).squares();
        if targets.is_empty() {
            return 0.0;
        }
        let values = match self.evaluator {
            Evaluator::Akimot => self.piece_value,
            Evaluator::AlphaBeta => material::capture_values(board, side).map(|value| value as f32),
        };
        let pieces = targets.into_iter().filter_map(|square| board.piece_at(square));
        self.trap_check * pieces.map(|piece| values[piece.kind()]).fold(0.0, f32::max)
    }

    /// The score of gold minus that of silver.
    pub(crate) fn raw_score(&self, board: &Board) -> f32 {
        let [gold, silver] = Side::BOTH.map(|side| self.score_side(board, side));
        gold - silver
    }

    fn score_side(&self, board: &Board, side: Side) -> f32 {
        let (own, enemies) = (board.by_side(side), board.by_side(side.other()));
        let frozen = board.frozen(side);
        let mut sum = 0.0;
        for kind in PieceKind::ALL {
            let pieces = board.by_kind(kind) & own;
            sum += self.piece_value[kind] * pieces.len() as f32;
            sum -= self.frozen_penalty[kind] * (pieces & frozen).len() as f32;
        }
        sum -= self.rabbit_penalty[(board.rabbits(side).len() as usize).min(8)];
        for trap in Bitboard::TRAPS {
            sum += self.trap(board, side, own, enemies, trap);
        }
        sum - self.hostage(board, side, frozen) - self.blockade(board, side, own)
    }

    fn trap(&self, board: &Board, side: Side, own: Bitboard, enemies: Bitboard, trap: Square) -> f32 {
        let near = Bitboard::from(trap).neighbours();
        let (own_guards, enemy_guards) = (near & own, near & enemies);
        let mut sum =
            self.trap_guards[own_guards.len() as usize] + self.enemy_guard * enemy_guards.len() as f32;
        if strongest(board, own_guards) > strongest(board, enemy_guards) {
            sum += self.dominant + self.weaker_enemy * enemy_guards.len() as f32;
        }
        let mut score = sum * if side.home_traps().contains(trap) { self.home } else { self.away };
        if own.contains(trap) && own_guards.len() == 1 {
            score += self.occupied;
            score -= self.frame(board, own, enemies, trap);
        }
        score
    }

    /// The penalty for a piece that is framed on a trap and for its pinned guard; 0 if there is none.
    fn frame(&self, board: &Board, own: Bitboard, enemies: Bitboard, trap: Square) -> f32 {
        let near = Bitboard::from(trap).neighbours();
        let (guard, enemy_guards) = (near & own, near & enemies);
        let is_framed = own.contains(trap) && guard.len() == 1 && enemy_guards.len() == 3;
        if !is_framed || pushes_any(board, trap, enemy_guards) {
            return 0.0;
        }
        let value =
            |square: Square| board.piece_at(square).map_or(0.0, |piece| self.piece_value[piece.kind()]);
        let Some(pinned) = guard.first() else { return 0.0 };
        let nearby = Bitboard(VICINITY[pinned.index()]) & enemies;
        let outranked = strongest(board, nearby) > strongest(board, guard);
        let pin = self.pin + if outranked { self.pin_outranked } else { 0.0 };
        self.frame * value(trap) + pin * value(pinned)
    }

    /// The penalty for a frozen camel at most two steps from an empty trap.
    fn hostage(&self, board: &Board, side: Side, frozen: Bitboard) -> f32 {
        let camel = board.pieces(side, PieceKind::Camel) & frozen;
        let held = camel
            .into_iter()
            .any(|square| !(Bitboard(VICINITY[square.index()]) & Bitboard::TRAPS & board.empty()).is_empty());
        if held { self.hostage } else { 0.0 }
    }

    /// The penalty for an elephant that can neither step nor push.
    fn blockade(&self, board: &Board, side: Side, own: Bitboard) -> f32 {
        let stuck = (board.by_kind(PieceKind::Elephant) & own).into_iter().any(|square| {
            let near = Bitboard::from(square).neighbours();
            (near & board.empty()).is_empty()
                && !pushes_any(board, square, near & board.by_side(side.other()))
        });
        if stuck { self.blockade } else { 0.0 }
    }
}

/// The terms of a side's score.
const TERMS: [&str; 7] = ["material", "frozen", "rabbits", "traps", "frames", "hostage", "blockade"];

impl AkimotEval {
    fn terms(&self, board: &Board, side: Side) -> [f32; TERMS.len()] {
        let (own, enemies) = (board.by_side(side), board.by_side(side.other()));
        let frozen = board.frozen(side);
        let sum_by_kind = |values: &ByKind<f32>, pieces: Bitboard| -> f32 {
            let count = |kind| (board.by_kind(kind) & pieces).len() as f32;
            PieceKind::ALL.into_iter().map(|kind| values[kind] * count(kind)).sum()
        };
        let over_traps =
            |term: &dyn Fn(Square) -> f32| -> f32 { Bitboard::TRAPS.into_iter().map(term).sum() };
        let frames = over_traps(&|trap| self.frame(board, own, enemies, trap));
        [
            sum_by_kind(&self.piece_value, own),
            -sum_by_kind(&self.frozen_penalty, own & frozen),
            -self.rabbit_penalty[(board.rabbits(side).len() as usize).min(8)],
            over_traps(&|trap| self.trap(board, side, own, enemies, trap)) + frames,
            -frames,
            -self.hostage(board, side, frozen),
            -self.blockade(board, side, own),
        ]
    }

    /// The evaluation where a side starts its turn, one line per term.
    pub(crate) fn explain(&self, board: &Board, side: Side) -> Vec<String> {
        let result = format!("result for gold {:+.4}", self.evaluate(board, side));
        if self.evaluator == Evaluator::AlphaBeta {
            let score = self.evaluation.evaluate(board, side) / 10;
            return vec![format!("alphabeta {side} {score:+}"), result];
        }
        let [gold, silver] = Side::BOTH.map(|side| self.terms(board, side));
        let line = |name: &str, gold: f32, silver: f32| {
            format!("{name} gold {gold:.1} silver {silver:.1} sum {:+.1}", gold - silver)
        };
        let mut lines: Vec<String> =
            TERMS.iter().zip(gold.iter().zip(&silver)).map(|(name, (&g, &s))| line(name, g, s)).collect();
        lines.push(line("all", gold.iter().sum(), silver.iter().sum()));
        lines.push(format!("trapcheck {side} {:+.1}", self.capture_gain(board, side)));
        lines.push(result);
        lines
    }

    /// The sum of all terms of gold minus that of silver.
    #[cfg(test)]
    pub(crate) fn sum_of_terms(&self, board: &Board) -> f32 {
        let [gold, silver] = Side::BOTH.map(|side| self.terms(board, side).iter().sum::<f32>());
        gold - silver
    }
}

/// The strength of the strongest piece of a set; 0 if it is empty.
#[inline]
fn strongest(board: &Board, pieces: Bitboard) -> u8 {
    if pieces.is_empty() {
        return 0;
    }
    PieceKind::ALL
        .into_iter()
        .rev()
        .find(|&kind| !(board.by_kind(kind) & pieces).is_empty())
        .map_or(0, |kind| kind as u8)
}

/// Whether the piece on a square could push one of these neighbours away.
fn pushes_any(board: &Board, square: Square, targets: Bitboard) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let weaker = targets & board.weaker_than(piece.kind());
    !(weaker.neighbours() & board.empty()).is_empty()
}

trait HomeTraps {
    fn home_traps(self) -> Bitboard;
}

impl HomeTraps for Side {
    #[inline]
    fn home_traps(self) -> Bitboard {
        let half = match self {
            Self::Gold => 0x0000_0000_ffff_ffff,
            Self::Silver => 0xffff_ffff_0000_0000,
        };
        Bitboard::TRAPS & Bitboard(half)
    }
}
