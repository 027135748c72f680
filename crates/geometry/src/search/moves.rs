//! The moves that zones propose: steps and displacements along their trajectories.

use surus_rules::{Action, Bitboard, Board, Side, Square, Step};

use crate::abg::{MovementKind, Reach, manhattan};
use crate::trajectory::{Bundle, shortest};

/// The step of the enemy piece in a push or pull.
pub(super) fn displaced(action: &Action, side: Side) -> Option<Step> {
    action.second.map(|second| if second.piece().side() == side { action.first } else { second })
}

/// An own piece may step to these squares.
struct Steps {
    priority: u8,
    from: Square,
    to: Bitboard,
}

/// An enemy piece may be displaced to these squares by the pieces on others.
struct Displacement {
    priority: u8,
    from: Square,
    to: Bitboard,
    by: Bitboard,
}

/// The moves of one side that zones propose on a board.
pub(super) struct ZoneMoves<'a> {
    board: &'a Board,
    side: Side,
    frozen: Bitboard,
    steps: Vec<Steps>,
    displacements: Vec<Displacement>,
}

/// The priority of moves that support a piece of the main line: unfreezing it and guarding a trap on its way.
const SUPPORT: u8 = 3;
/// The priority of moves that clear a trajectory.
const CLEAR: u8 = 2;

impl<'a> ZoneMoves<'a> {
    pub(super) fn new(board: &'a Board, side: Side) -> Self {
        let frozen = board.frozen(side);
        Self { board, side, frozen, steps: Vec::with_capacity(32), displacements: Vec::with_capacity(8) }
    }

    /// Calls `add` with the legal actions among the moves.
    pub(super) fn for_each_action(&self, left: u8, mut add: impl FnMut(u8, Action)) {
        self.board.for_each_action(self.side, left, |action| {
            if let Some(priority) = self.priority(&action) {
                add(priority, action);
            }
        });
    }

    /// The best priority of an action; `None` if no zone proposes it.
    pub(super) fn priority(&self, action: &Action) -> Option<u8> {
        let Some(step) = displaced(action, self.side) else {
            let (from, to) = (action.first.from(), action.first.to());
            let fits = self.steps.iter().filter(|steps| steps.from == from && steps.to.contains(to));
            return fits.map(|steps| steps.priority).min();
        };
        let own = if action.first.piece().side() == self.side { Some(action.first) } else { action.second };
        let by = own?.from();
        let fits = self.displacements.iter().filter(|displacement| {
            displacement.from == step.from()
                && displacement.to.contains(step.to())
                && displacement.by.contains(by)
        });
        fits.map(|displacement| displacement.priority).min()
    }

    fn own(&self) -> Bitboard {
        self.board.by_side(self.side)
    }

    pub(super) fn step(&mut self, priority: u8, from: Square, to: Bitboard) {
        self.steps.push(Steps { priority, from, to });
    }

    pub(super) fn displace(&mut self, priority: u8, from: Square, to: Bitboard, by: Bitboard) {
        self.displacements.push(Displacement { priority, from, to, by });
    }

    /// An own piece leaves a square, or an enemy piece on it is displaced, with `slack` steps for it.
    pub(super) fn clear(&mut self, square: Square, slack: u8) {
        if self.own().contains(square) && slack >= 1 {
            self.step(CLEAR, square, Bitboard::ALL);
            if self.frozen.contains(square) {
                self.free(square, slack - 1);
            }
            let ways = self
                .board
                .piece_at(square)
                .map_or(Bitboard::EMPTY, |piece| MovementKind::of(piece).successors(square.into()));
            // It goes by pushing a piece, or after another own piece has left.
            if slack >= 2 {
                for beside in ways & self.own() {
                    self.step(CLEAR, beside, Bitboard::ALL);
                }
                for beside in ways & !self.own() {
                    self.displace(CLEAR, beside, Bitboard::ALL, square.into());
                }
            }
        } else if self.board.by_side(self.side.other()).contains(square) {
            self.displacement_zone(square, Bitboard::ALL, slack, [CLEAR, CLEAR]);
        }
    }

    /// Own pieces step towards the squares next to a frozen piece, or the pieces that freeze it are displaced.
    pub(super) fn free(&mut self, square: Square, slack: u8) {
        self.escort(Bitboard::from(square).neighbours(), square.into(), slack);
        if slack >= 2 {
            // The piece that freezes it goes, or a captor takes the place of another one.
            for enemy in self.board.by_side(self.side.other()) & Bitboard::from(square).neighbours() {
                let by = self.captors(enemy) & Bitboard::from(enemy).neighbours();
                self.displace(SUPPORT, enemy, Bitboard::ALL, by);
            }
        }
    }

    /// Own pieces other than `except` step towards a square of `targets` that they reach in up to `slack` steps.
    pub(super) fn escort(&mut self, targets: Bitboard, except: Bitboard, slack: u8) {
        for from in self.own() & !except {
            for target in targets & !self.own() {
                self.towards(SUPPORT, from, target, slack);
            }
        }
    }

    fn towards(&mut self, priority: u8, from: Square, target: Square, slack: u8) {
        if from == target || manhattan(from, target) > slack {
            return;
        }
        let Some(bundle) = self.bundle(from, target).filter(|bundle| bundle.len <= slack) else { return };
        self.step(priority, from, bundle.layer(1));
        let spare = slack - bundle.len;
        if spare >= 1 {
            if self.frozen.contains(from) {
                self.unfreeze_beside(from, spare);
            }
            for square in bundle.after_start() & self.board.occupied() {
                self.leave(square);
            }
            // It may push an enemy piece off its way.
            for enemy in bundle.layer(1) & !self.own() {
                self.displace(priority, enemy, Bitboard::ALL, from.into());
            }
        }
    }

    /// Pieces beside a frozen supporter free it with one step.
    fn unfreeze_beside(&mut self, square: Square, slack: u8) {
        let beside = Bitboard::from(square).neighbours() & self.board.empty();
        for from in self.own() & !Bitboard::from(square) {
            let near = beside.into_iter().any(|to| manhattan(from, to) <= slack);
            if near {
                let to: Bitboard = beside.into_iter().filter(|&to| manhattan(from, to) <= slack).collect();
                self.step(SUPPORT, from, to);
            }
        }
    }

    fn leave(&mut self, square: Square) {
        if self.own().contains(square) {
            self.step(CLEAR, square, Bitboard::ALL);
        }
    }

    /// The shortest trajectories of an own piece.
    pub(super) fn bundle(&self, from: Square, to: Square) -> Option<Bundle> {
        let mover = self.board.piece_at(from).map(MovementKind::of)?;
        shortest(&mover, from, to, Bitboard::EMPTY)
    }

    /// Own pieces strong enough to displace the piece on a square.
    pub(super) fn captors(&self, square: Square) -> Bitboard {
        let piece = self.board.piece_at(square);
        piece.map_or(Bitboard::EMPTY, |piece| self.own() & self.board.stronger_than(piece.kind()))
    }

    /// Another guard is brought to the traps among `squares` that are lethal to the piece on `square`, or would be without
    /// one piece, which may have to go.
    pub(super) fn guard_traps(&mut self, square: Square, squares: Bitboard, slack: u8) {
        let others = self.own() & !Bitboard::from(square);
        for trap in squares & Bitboard::TRAPS {
            let beside = Bitboard::from(trap).neighbours();
            if (beside & others).len() <= 1 {
                self.escort(beside, square.into(), slack);
            }
        }
    }

    /// The moves of a zone that displaces the enemy piece on `square` to `to` in `budget` steps, with the priorities of the
    /// displacement and of the approach.
    pub(super) fn displacement_zone(
        &mut self,
        square: Square,
        to: Bitboard,
        budget: u8,
        [displacing, approaching]: [u8; 2],
    ) {
        let ends = Bitboard::from(square).neighbours() & to;
        for captor in self.captors(square) {
            let Some(bundle) = self.bundle(captor, square).filter(|main| main.len < budget) else { continue };
            let slack = budget - bundle.len - 1;
            if bundle.len == 1 {
                self.displace(displacing, square, to, captor.into());
                if slack >= 1 {
                    self.make_room(captor, square, ends, slack);
                }
            } else {
                self.step(approaching, captor, bundle.layer(1));
                for obstacle in bundle.inner() & self.board.occupied() {
                    // A captor that pushes the obstacle comes nearer at the same time.
                    self.clear(obstacle, slack + 1);
                }
            }
            if slack >= 1 {
                if self.frozen.contains(captor) {
                    self.free(captor, slack);
                }
                self.guard_traps(captor, bundle.inner() | captor.into() | square.into(), slack);
            }
        }
    }

    /// Pieces leave the squares to which a piece is pushed, or to which its captor steps back when it pulls.
    fn make_room(&mut self, captor: Square, square: Square, ends: Bitboard, slack: u8) {
        if (ends & self.board.empty()).is_empty() {
            for end in ends & !Bitboard::from(captor) {
                self.clear(end, slack);
            }
        }
        if ends.contains(captor) {
            let back = Bitboard::from(captor).neighbours() & !Bitboard::from(square);
            if (back & self.board.empty()).is_empty() {
                for end in back {
                    self.clear(end, slack);
                }
            }
        }
    }
}
