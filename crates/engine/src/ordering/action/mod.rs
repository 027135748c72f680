//! Features of single actions, cheap enough for every node of a search.

mod groups;

use surus_rules::{Action, Bitboard, Board, Side, Square, Step};
use surus_tactics::captures;

use super::history::History;
use super::rows::FeatureRows;
use super::view::{RABBIT, TRAP_SQUARES, TRAPS, View, folded, neighbours, squares};
pub(super) use groups::{GROUPS, OFFSETS};

/// What the features of all actions at a point of a turn have in common.
#[derive(Clone, Debug)]
pub struct ActionContext {
    side: Side,
    board: Board,
    view: View,
    steps_left: usize,
    /// Squares of the previous action of the turn; empty before the first.
    last_action: u64,
    /// The square where the own piece of the previous action stands.
    last_mover: u64,
    /// Squares that the opponent's last turn changed.
    last_turn: u64,
    /// Own pieces that the opponent could capture at the start of the turn, as far as they have not moved.
    threatened: u64,
}

/// An own or enemy step as the mover sees it.
#[derive(Clone, Copy)]
struct SeenStep {
    /// Kind, plus six for an enemy.
    piece: usize,
    from: usize,
    to: usize,
}

impl SeenStep {
    const fn kind(self) -> usize {
        self.piece % 6
    }

    /// Square and direction with the files folded: 0 forward, 1 towards the middle, 2 backward, 3 towards the edge.
    const fn folded(self) -> usize {
        let (from, to) = (self.from % 8, self.to % 8);
        let inward = (from < 4) == (from < to);
        let direction = match (self.from / 8, self.to / 8) {
            (a, b) if a < b => 0,
            (a, b) if a > b => 2,
            _ => 3 - 2 * inward as usize,
        };
        4 * folded(self.from) + direction
    }
}

impl ActionContext {
    /// For the actions of the side to move on `board`, in a turn that started on `start`.
    #[must_use]
    pub fn new(
        start: &Board,
        board: &Board,
        side: Side,
        steps_left: u8,
        last_action: Option<Action>,
        history: &History,
    ) -> Self {
        let view = View::new(board, side);
        let at_start = View::new(start, side);
        let seen = |set: Bitboard| if side == Side::Gold { set.0 } else { set.0.swap_bytes() };
        let unmoved = (0..6).fold(0, |all, kind| all | view.planes[kind] & at_start.planes[kind]);
        let last_turn = history.before_opponent.map_or(0, |board| {
            let before = View::new(&board, side);
            (0..12).fold(0, |all, piece| all | (before.planes[piece] ^ at_start.planes[piece]))
        });
        let own_target = last_action.and_then(|action| {
            action.steps().find(|step| step.piece().side() == side).map(|step| Bitboard::from(step.to()))
        });
        Self {
            side,
            board: *board,
            view,
            steps_left: usize::from(steps_left.clamp(1, 4)),
            last_action: last_action.map_or(0, |action| seen(action.touched())),
            last_mover: own_target.map_or(0, seen),
            last_turn,
            threatened: seen(captures(start, side.other(), 4).squares()) & unmoved,
        }
    }

    /// The same after an action of the turn that touched some squares and took the own piece to one of them.
    #[must_use]
    pub(crate) fn following(self, touched: Bitboard, mover: Option<Square>) -> Self {
        let seen = |set: Bitboard| if self.side == Side::Gold { set.0 } else { set.0.swap_bytes() };
        Self { last_action: seen(touched), last_mover: mover.map_or(0, |square| seen(square.into())), ..self }
    }

    /// Adds a row with the features of an action.
    pub fn extract(&self, action: Action, rows: &mut FeatureRows) {
        rows.start(usize::from(groups::STARTS[GROUPS.len()]));
        self.add(action, rows);
        rows.end();
    }

    fn add(&self, action: Action, rows: &mut FeatureRows) {
        let mut put = |group: usize, index: usize| {
            debug_assert!(index < GROUPS[group].len(), "{} has no feature {index}", GROUPS[group].name);
            rows.add(usize::from(groups::STARTS[group]) + index);
        };
        let after = View::new(&self.board.after_action(action), self.side);
        let pushes = action.first.piece().side() != self.side;
        let (mover, victim) = match action.second {
            Some(second) if pushes => (self.see(second), Some(self.see(action.first))),
            second => (self.see(action.first), second.map(|step| self.see(step))),
        };
        put(groups::STEP, 128 * mover.kind() + mover.folded());
        put(groups::MOVER_PRESSURE, 9 * mover.kind() + self.pressures(mover, &after));
        put(groups::STEPS_LEFT, 24 * usize::from(victim.is_some()) + 4 * mover.kind() + self.steps_left - 1);
        if let Some(victim) = victim {
            put(groups::VICTIM, 128 * victim.kind() + victim.folded());
            put(groups::DISPLACEMENT, 36 * usize::from(!pushes) + 6 * mover.kind() + victim.kind());
            put(groups::VICTIM_PRESSURE, 9 * victim.kind() + self.pressures(victim, &after));
        }
        self.add_traps(&after, &mut put);
        self.add_freezing(mover, victim, &after, &mut put);
        for piece in 0..12 {
            if after.planes[piece].count_ones() < self.view.planes[piece].count_ones() {
                put(groups::CAPTURE, piece);
            }
        }
        let touched = [Some(mover), victim]
            .into_iter()
            .flatten()
            .fold(0, |all, step| all | 1 << step.from | 1 << step.to);
        for (group, set) in
            [(groups::NEAR_LAST_ACTION, self.last_action), (groups::NEAR_LAST_TURN, self.last_turn)]
        {
            if set != 0 {
                put(group, steps_between(set, touched));
            }
        }
        if self.last_mover >> mover.from & 1 != 0 {
            put(groups::SAME_PIECE, mover.kind());
        }
        for square in squares(self.threatened) {
            put(groups::THREATENED, 6 * usize::from(square != mover.from) + self.view.piece_at(square) % 6);
        }
        if mover.piece == RABBIT {
            put(groups::GOAL, mover.to / 8);
        }
    }

    fn see(&self, step: Step) -> SeenStep {
        let seen = |square: Square| square.index() ^ if self.side == Side::Gold { 0 } else { 56 };
        let enemy = step.piece().side() != self.side;
        let piece = step.piece().kind() as usize - 1 + if enemy { 6 } else { 0 };
        SeenStep { piece, from: seen(step.from()), to: seen(step.to()) }
    }

    /// How a piece stands to stronger ones before and after it moved, as a number under 9.
    fn pressures(&self, step: SeenStep, after: &View) -> usize {
        let side = step.piece / 6;
        let at = |view: &View, square: usize| {
            ((view.dominated[side] >> square & 1) + (view.frozen[side] >> square & 1)) as usize
        };
        3 * at(&self.view, step.from) + at(after, step.to)
    }

    fn add_traps(&self, after: &View, put: &mut impl FnMut(usize, usize)) {
        let changed = (self.view.own ^ after.own) | (self.view.enemy ^ after.enemy);
        if changed & neighbours(TRAPS) == 0 {
            return;
        }
        for trap in 0..TRAP_SQUARES.len() {
            for side in 0..2 {
                let [old, new] = [&self.view, after].map(|view| view.trap_status(trap, side));
                if old != new {
                    put(groups::TRAP_STATUS, 64 * (2 * (trap / 2) + side) + 8 * old + new);
                }
            }
        }
    }

    /// Pieces that did not move and are frozen or free now.
    fn add_freezing(
        &self,
        mover: SeenStep,
        victim: Option<SeenStep>,
        after: &View,
        put: &mut impl FnMut(usize, usize),
    ) {
        let moved = 1 << mover.to | victim.map_or(0, |step| 1 << step.to);
        for side in 0..2 {
            let stayed = self.view.side(side) & after.side(side) & !moved;
            let frozen = after.frozen[side] & !self.view.frozen[side] & stayed;
            let thawed = self.view.frozen[side] & !after.frozen[side] & stayed;
            for (set, event) in [(frozen, 2 * side), (thawed, 2 * side + 1)] {
                squares(set).for_each(|square| put(groups::FREEZING, 6 * event + after.piece_at(square) % 6));
            }
        }
    }
}

/// The smallest distance between two sets, at most 7.
fn steps_between(from: u64, to: u64) -> usize {
    let mut zone = from;
    for steps in 0..7 {
        if zone & to != 0 {
            return steps;
        }
        zone |= neighbours(zone);
    }
    7
}

#[cfg(test)]
mod tests;
