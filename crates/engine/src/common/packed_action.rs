//! A step, push, pull or pass packed into sixteen bits.

use surus_rules::{Action, Bitboard, Board, Direction, Side, Square, Step, Turn};

/// An action with the piece that moves first, or the end of the turn.
///
/// The second step of a push or pull always enters the square that the first has left, so that its direction
/// suffices. The piece and the side are included, so that an action has the same meaning on every board and can index
/// the history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PackedAction(pub(crate) u16);

/// Bits: square 0 to 5, direction 6 and 7, second direction 8 and 9, whether there is a second step 10, piece 11 to
/// 14, side 15.
const SECOND: u16 = 1 << 10;

impl PackedAction {
    /// The end of the turn.
    #[inline]
    pub(crate) const fn pass(side: Side) -> Self {
        Self((side as u16) << 15)
    }

    #[inline]
    pub(crate) const fn is_pass(self) -> bool {
        self.0 & 0x7800 == 0
    }

    /// The number of possible values.
    pub(crate) const COUNT: usize = 1 << 16;

    /// A single step of a piece with this code.
    #[inline]
    pub(crate) fn step(side: Side, code: usize, from: Square, direction: Direction) -> Self {
        Self(from.index() as u16 | (direction as u16) << 6 | (code as u16) << 11 | (side as u16) << 15)
    }

    /// The same with another piece entering the square that it leaves.
    #[inline]
    pub(crate) fn with_second(self, second: Direction) -> Self {
        Self(self.0 | SECOND | (second as u16) << 8)
    }

    #[inline]
    pub(crate) fn new(side: Side, action: Action) -> Self {
        let step = action.first;
        let first = Self::step(side, step.piece().code(), step.from(), step.direction());
        action.second.map_or(first, |second| first.with_second(second.direction()))
    }

    /// Calls `visit` with the actions of a side's turn in order.
    pub(crate) fn of_turn(side: Side, turn: &Turn, mut visit: impl FnMut(Self)) {
        let mut steps = turn.steps().peekable();
        let mut rest = turn.steps().skip(2);
        while let Some(first) = steps.next() {
            let (next, behind) = (steps.peek().copied(), rest.next());
            // An enemy's step belongs to the following own one if that pushes it, otherwise to the preceding one.
            let pushed = |step: Step| behind.is_some_and(|own| own.to() == step.from());
            let second = next.filter(|next| {
                next.to() == first.from()
                    && next.piece().side() != first.piece().side()
                    && (first.piece().side() != side
                        || next.piece().kind() < first.piece().kind() && !pushed(*next))
            });
            if second.is_some() {
                steps.next();
                rest.next();
            }
            visit(Self::new(side, Action { first, second }));
        }
    }

    /// The square that the first piece leaves.
    #[inline]
    pub(crate) fn from(self) -> Option<Square> {
        if self.is_pass() { None } else { Square::new((self.0 & 63) as u8) }
    }

    /// The square that the first piece enters.
    #[inline]
    pub(crate) fn to(self) -> Option<Square> {
        self.from()?.neighbour(direction(self.0 >> 6))
    }

    #[inline]
    pub(crate) const fn displaces(self) -> bool {
        self.0 & SECOND != 0
    }

    /// The steps it takes.
    #[inline]
    pub(crate) const fn len(self) -> u8 {
        if self.is_pass() { 0 } else { 1 + self.displaces() as u8 }
    }

    /// Whether it undoes the preceding action.
    #[inline]
    pub(crate) fn reverses(self, last: Self) -> bool {
        let single = !self.displaces() && !last.displaces() && !self.is_pass() && !last.is_pass();
        single && self.from() == last.to() && self.to() == last.from()
    }

    /// The squares it touches.
    #[inline]
    pub(crate) fn touched(self) -> Bitboard {
        let set = |square: Option<Square>| square.map_or(Bitboard::EMPTY, Bitboard::from);
        let second = if self.displaces() { set(self.second_from()) } else { Bitboard::EMPTY };
        set(self.from()) | set(self.to()) | second
    }

    #[inline]
    fn second_from(self) -> Option<Square> {
        self.from()?.neighbour(direction(self.0 >> 8).opposite())
    }

    /// The action on a board where it is possible; `None` for a pass.
    #[inline]
    pub(crate) fn action(self, board: &Board) -> Option<Action> {
        let from = self.from()?;
        let first = Step::new(board.piece_at(from)?, from, direction(self.0 >> 6))?;
        if !self.displaces() {
            return Some(Action { first, second: None });
        }
        let square = self.second_from()?;
        let second = Step::new(board.piece_at(square)?, square, direction(self.0 >> 8))?;
        Some(Action { first, second: Some(second) })
    }

    /// The board after it.
    #[inline]
    pub(crate) fn applied(self, board: &Board) -> Board {
        self.action(board).map_or(*board, |action| board.after_action(action))
    }
}

#[inline]
fn direction(bits: u16) -> Direction {
    Direction::ALL[(bits & 3) as usize]
}

/// A list of actions without allocation.
#[derive(Clone, Debug)]
pub(crate) struct ActionList {
    all: [PackedAction; Self::MAX_LEN],
    len: usize,
}

impl ActionList {
    /// More than any position has; further actions are dropped.
    pub(crate) const MAX_LEN: usize = 256;

    pub(crate) const fn new() -> Self {
        Self { all: [PackedAction(0); Self::MAX_LEN], len: 0 }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, action: PackedAction) {
        if let Some(slot) = self.all.get_mut(self.len) {
            *slot = action;
            self.len += 1;
        }
    }

    #[inline]
    pub(crate) fn as_mut(&mut self) -> &mut [PackedAction] {
        &mut self.all[..self.len]
    }

    /// Adds all actions of the piece on a square.
    #[inline]
    pub(crate) fn add_from(&mut self, board: &Board, side: Side, from: Square, steps_left: u8) {
        let Some(piece) = board.piece_at(from) else { return };
        let (own, enemies, empty) = (board.by_side(side), board.by_side(side.other()), board.empty());
        let near = Bitboard::from(from).neighbours();
        let kind = piece.kind();
        if (near & own).is_empty() && !(near & enemies & board.stronger_than(kind)).is_empty() {
            return;
        }
        let rabbit = kind == surus_rules::PieceKind::Rabbit;
        let mut free = [None; 4];
        for (slot, action) in free.iter_mut().zip(Direction::ALL) {
            let backward = rabbit && action == side.backward();
            if !backward && !(Bitboard::from(from).shifted(action) & empty).is_empty() {
                let step = PackedAction::step(side, piece.code(), from, action);
                self.push(step);
                *slot = Some(step);
            }
        }
        if steps_left < 2 || rabbit {
            return;
        }
        for target in near & enemies & board.weaker_than(kind) {
            let (Some(towards), Some(victim)) = (from.direction_to(target), board.piece_at(target)) else {
                continue;
            };
            for action in Direction::ALL {
                if !(Bitboard::from(target).shifted(action) & empty).is_empty() {
                    self.push(PackedAction::step(side, victim.code(), target, action).with_second(towards));
                }
            }
            for pull in free.into_iter().flatten() {
                self.push(pull.with_second(towards.opposite()));
            }
        }
    }

    /// Adds all actions of a side.
    pub(crate) fn add_all(&mut self, board: &Board, side: Side, steps_left: u8) {
        board.for_each_action(side, steps_left, |action| self.push(PackedAction::new(side, action)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Position;

    #[test]
    fn ways_of_all_squares_are_the_actions_of_the_rules_and_lead_to_the_same_boards() {
        for (board, side) in surus_tactics::verify::random_game_boards(60, 5) {
            for left in 1..=4 {
                let mut actions = ActionList::new();
                for square in board.by_side(side) {
                    actions.add_from(&board, side, square, left);
                }
                let mut found: Vec<u64> =
                    actions.as_mut().iter().map(|action| action.applied(&board).key()).collect();
                let mut wanted = Vec::new();
                board.for_each_action(side, left, |action| {
                    assert_eq!(PackedAction::new(side, action).action(&board), Some(action));
                    wanted.push(board.after_action(action).key());
                });
                found.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(found, wanted);
            }
        }
    }

    #[test]
    fn a_pass_is_no_action_and_a_step_back_is_seen() {
        let position: Position =
            "g [                                   E                            ]".parse().unwrap();
        let from: Square = "d4".parse().unwrap();
        let there = PackedAction::step(
            Side::Gold,
            position.board().piece_at(from).unwrap().code(),
            from,
            Direction::North,
        );
        let next = there.applied(position.board());
        let back = PackedAction::step(Side::Gold, 6, there.to().unwrap(), Direction::South);
        assert!(back.reverses(there) && !there.reverses(there));
        assert_eq!(back.applied(&next), *position.board());
        assert!(
            PackedAction::pass(Side::Silver).is_pass()
                && PackedAction::pass(Side::Gold).action(&next).is_none()
        );
    }
}
