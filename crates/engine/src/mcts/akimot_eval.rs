//! The evaluation of 4.5: material, traps, pins and frames, hostages, blockades; and the sigmoid.

use surus_rules::{Board, Kind, Side, Square, Squares};
use surus_tactics::{captures, goal};

use super::params::{Config, Judge};
use crate::common::material;
use crate::common::rng::sigmoid;
use crate::common::score::WIN_SCALE;
use crate::eval::HandWritten;

/// The weights of a configuration in the form that counting needs.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    worth: [f32; 6],
    frozen: [f32; 6],
    rabbits: [f32; 9],
    guards: [f32; 5],
    enemy: f32,
    dominant: f32,
    prey: f32,
    standing: f32,
    home: f32,
    away: f32,
    frame: f32,
    pin: f32,
    pin_weak: f32,
    hostage: f32,
    blockade: f32,
    lambda: f32,
    judge: Judge,
    hand_written: HandWritten,
    goal_check: bool,
    trap_check: f32,
}

/// The squares at most two steps away from each.
pub(crate) static VICINITY: [u64; 64] = {
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        let near = Squares(1 << i).neighbours().0 | 1 << i;
        all[i] = Squares(near).neighbours().0 | near;
        i += 1;
    }
    all
};

impl Weights {
    pub(crate) fn new(config: &Config) -> Self {
        let c = config;
        let worth = [c.rabbit, c.cat, c.dog, c.horse, c.camel, c.elephant].map(|worth| worth as f32);
        let shares = [c.frozenrabbit, c.frozencat, c.frozendog, c.frozenhorse, c.frozencamel, 0.0];
        let mut frozen = worth;
        frozen.iter_mut().zip(shares).for_each(|(loss, share)| *loss *= share);
        let rabbits = [
            c.rabbits0, c.rabbits1, c.rabbits2, c.rabbits3, c.rabbits4, c.rabbits5, c.rabbits6, c.rabbits7, 0,
        ];
        let guards = [c.trapguards0, c.trapguards1, c.trapguards2, c.trapguards3, c.trapguards4];
        Self {
            worth,
            frozen,
            rabbits: rabbits.map(|penalty| penalty as f32),
            guards: guards.map(|bonus| bonus as f32),
            enemy: c.trapenemy as f32,
            dominant: c.trapdominant as f32,
            prey: c.trapprey as f32,
            standing: c.trapstanding as f32,
            home: c.traphome,
            away: c.trapaway,
            frame: c.frame,
            pin: c.pin,
            pin_weak: c.pinweak,
            hostage: c.hostage as f32,
            blockade: c.blockade as f32,
            lambda: c.lambda,
            judge: c.judge,
            hand_written: HandWritten::new(c.weights.clone()),
            goal_check: c.goalcheck,
            trap_check: c.trapcheck,
        }
    }

    /// What a board is worth where a side begins its turn, from -1 to 1, seen by gold.
    pub(crate) fn judge(&self, board: &Board, side: Side) -> f32 {
        let sign = if side == Side::Gold { 1.0 } else { -1.0 };
        if self.goal_check && goal(board, side, 4).is_some() {
            return sign;
        }
        let gain = sign * self.gain(board, side);
        let chance = match self.judge {
            Judge::Akimot => sigmoid(self.lambda * (self.lead(board) + gain)),
            Judge::AlphaBeta => sigmoid(
                (sign * self.hand_written.evaluate(board, side) as f32 + gain) / (10 * WIN_SCALE) as f32,
            ),
        };
        2.0 * chance - 1.0
    }

    /// The same in the middle of a side's turn with so many steps left.
    pub(crate) fn judge_inside(&self, board: &Board, side: Side, left: u8) -> f32 {
        if self.goal_check && goal(board, side, left).is_some() {
            return if side == Side::Gold { 1.0 } else { -1.0 };
        }
        self.judge(board, side.other())
    }

    /// What a side that begins its turn may expect of the dearest piece that it can capture.
    fn gain(&self, board: &Board, side: Side) -> f32 {
        if self.trap_check == 0.0 {
            return 0.0;
        }
        let prey = captures(board, side, 4).squares();
        if prey.is_empty() {
            return 0.0;
        }
        let worth = match self.judge {
            Judge::Akimot => self.worth,
            Judge::AlphaBeta => material::victims(board, side).map(|worth| worth as f32),
        };
        let dearest = prey.into_iter().filter_map(|square| board.piece_at(square));
        self.trap_check * dearest.map(|piece| worth[piece.kind() as usize - 1]).fold(0.0, f32::max)
    }

    /// Gold's lead.
    pub(crate) fn lead(&self, board: &Board) -> f32 {
        let halves = Side::BOTH.map(|side| self.half(board, side));
        halves[0] - halves[1]
    }

    fn half(&self, board: &Board, side: Side) -> f32 {
        let (own, foe) = (board.side(side), board.side(side.other()));
        let frozen = board.frozen(side);
        let mut sum = 0.0;
        for kind in Kind::ALL {
            let pieces = board.kind(kind) & own;
            let index = kind as usize - 1;
            sum += self.worth[index] * pieces.len() as f32;
            sum -= self.frozen[index] * (pieces & frozen).len() as f32;
        }
        sum -= self.rabbits[(board.rabbits(side).len() as usize).min(8)];
        for trap in Squares::TRAPS {
            sum += self.trap(board, side, own, foe, trap);
        }
        sum - self.hostage(board, side, frozen) - self.blockade(board, side, own)
    }

    fn trap(&self, board: &Board, side: Side, own: Squares, foe: Squares, trap: Square) -> f32 {
        let near = Squares::from(trap).neighbours();
        let (mine, theirs) = (near & own, near & foe);
        let mut sum = self.guards[mine.len() as usize] + self.enemy * theirs.len() as f32;
        if strongest(board, theirs) < strongest(board, mine) {
            sum += self.dominant + self.prey * theirs.len() as f32;
        }
        let mut all = sum * if side.home_traps().contains(trap) { self.home } else { self.away };
        if own.contains(trap) && mine.len() == 1 {
            all += self.standing;
            if theirs.len() == 3 && !pushes_any(board, trap, theirs) {
                all -= self.framed(board, trap, mine, foe);
            }
        }
        all
    }

    /// What a framed piece and the friend that guards it lose.
    fn framed(&self, board: &Board, trap: Square, guard: Squares, foe: Squares) -> f32 {
        let worth = |square: Square| {
            board.piece_at(square).map_or(0.0, |piece| self.worth[piece.kind() as usize - 1])
        };
        let Some(pinned) = guard.first() else { return 0.0 };
        let around = Squares(VICINITY[pinned.index()]) & foe;
        let weak = strongest(board, guard) < strongest(board, around);
        self.frame * worth(trap) + (self.pin + if weak { self.pin_weak } else { 0.0 }) * worth(pinned)
    }

    /// A frozen camel at most two squares from an empty trap.
    fn hostage(&self, board: &Board, side: Side, frozen: Squares) -> f32 {
        let camel = board.pieces(side, Kind::Camel) & frozen;
        let held = camel
            .into_iter()
            .any(|square| !(Squares(VICINITY[square.index()]) & Squares::TRAPS & board.empty()).is_empty());
        if held { self.hostage } else { 0.0 }
    }

    /// An elephant that can neither step nor push.
    fn blockade(&self, board: &Board, side: Side, own: Squares) -> f32 {
        let stuck = (board.kind(Kind::Elephant) & own).into_iter().any(|square| {
            let near = Squares::from(square).neighbours();
            (near & board.empty()).is_empty() && !pushes_any(board, square, near & board.side(side.other()))
        });
        if stuck { self.blockade } else { 0.0 }
    }
}

/// The strength of the strongest piece of a set; 0 for none.
#[inline]
fn strongest(board: &Board, of: Squares) -> u8 {
    if of.is_empty() {
        return 0;
    }
    Kind::ALL.into_iter().rev().find(|&kind| !(board.kind(kind) & of).is_empty()).map_or(0, |kind| kind as u8)
}

/// Whether the piece on a square could push one of these neighbours away.
fn pushes_any(board: &Board, square: Square, targets: Squares) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let weaker = targets & board.weaker_than(piece.kind());
    !(weaker.neighbours() & board.empty()).is_empty()
}

trait HomeTraps {
    fn home_traps(self) -> Squares;
}

impl HomeTraps for Side {
    #[inline]
    fn home_traps(self) -> Squares {
        let half = match self {
            Self::Gold => 0x0000_0000_ffff_ffff,
            Self::Silver => 0xffff_ffff_0000_0000,
        };
        Squares::TRAPS & Squares(half)
    }
}
