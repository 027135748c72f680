//! Which steps, pushes and pulls there are.

use crate::{Bitboard, Board, Direction, Pending, PieceKind, Position, Side, Square, Step};

/// A step, or the two steps of a push or a pull: what leaves no question open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// The step of the own piece, or of the enemy piece that is pushed.
    pub first: Step,
    /// The own piece that follows a push, or the enemy piece that follows a pull.
    pub second: Option<Step>,
}

impl Action {
    /// One, or two for a push or pull.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u8 {
        1 + self.second.is_some() as u8
    }

    /// Never: an action has a step.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The squares whose pieces it moves, and where to.
    #[inline]
    #[must_use]
    pub fn touched(self) -> Bitboard {
        let squares = |step: Step| Bitboard(step.from().bit() | step.to().bit());
        squares(self.first) | self.second.map_or(Bitboard::EMPTY, squares)
    }

    /// Where another action would have to do with this one: what freezes, guards or blocks a piece stands next to it,
    /// and around a trap a guard more or less may capture. Two actions of one turn can be exchanged if neither
    /// touches the other's reach; it is enough to ask one way.
    #[inline]
    #[must_use]
    pub fn interaction_zone(self) -> Bitboard {
        let touched = self.touched();
        let near = touched | touched.neighbours();
        near | (near & Bitboard::TRAPS).neighbours()
    }

    /// Its steps in order.
    pub fn steps(self) -> impl Iterator<Item = Step> {
        std::iter::once(self.first).chain(self.second)
    }
}

impl Board {
    /// The own steps of a side in one direction: the squares from which a piece can take one.
    #[inline]
    fn sources(&self, side: Side, mobile: Bitboard, direction: Direction) -> Bitboard {
        let free = mobile & self.empty().shifted(direction.opposite());
        if direction == side.backward() { free & !self.by_kind(PieceKind::Rabbit) } else { free }
    }

    /// Whether a side that is to move has any step at all.
    #[must_use]
    pub fn has_step(&self, side: Side) -> bool {
        let mobile = self.mobile(side);
        let steps = Direction::ALL.into_iter().any(|d| !self.sources(side, mobile, d).is_empty());
        // A pull begins with an own step, so only pushes are left to ask for.
        steps || !(self.outranked(self.by_side(side.other()), mobile).neighbours() & self.empty()).is_empty()
    }

    /// The board after an action, under the same trust as [`Board::after_step`].
    #[inline]
    #[must_use]
    pub fn after_action(&self, action: Action) -> Self {
        let next = self.after_step(action.first);
        action.second.map_or(next, |step| next.after_step(step))
    }

    /// Visits every action that a side can take with so many steps left: own steps, then pushes, then pulls.
    #[inline]
    pub fn for_each_action(&self, side: Side, steps_left: u8, visit: impl FnMut(Action)) {
        self.for_each_action_from(side, steps_left, |_| Bitboard::ALL, visit);
    }

    /// The same with single steps only from some squares, depending on their direction.
    #[inline]
    pub(crate) fn for_each_action_from(
        &self,
        side: Side,
        steps_left: u8,
        allowed: impl Fn(Direction) -> Bitboard,
        mut visit: impl FnMut(Action),
    ) {
        if steps_left == 0 {
            return;
        }
        let mobile = self.mobile(side);
        for direction in Direction::ALL {
            for from in self.sources(side, mobile, direction) & allowed(direction) {
                visit(Action {
                    first: Step::new_unchecked(self.piece_at_unchecked(from), from, direction),
                    second: None,
                });
            }
        }
        if 2 <= steps_left {
            let enemies = self.by_side(side.other());
            self.for_each_push(mobile, enemies, &mut visit);
            self.for_each_pull(mobile, enemies, &mut visit);
        }
    }

    fn for_each_push(&self, mobile: Bitboard, enemies: Bitboard, visit: &mut impl FnMut(Action)) {
        for target in self.outranked(enemies, mobile) {
            let ways = Bitboard::from(target).neighbours() & self.empty();
            if ways.is_empty() {
                continue;
            }
            let pushed = self.piece_at_unchecked(target);
            let pushers = mobile & Bitboard::from(target).neighbours() & self.stronger_than(pushed.kind());
            for pusher in pushers {
                let second = Some(Step::new_unchecked(
                    self.piece_at_unchecked(pusher),
                    pusher,
                    towards(pusher, target),
                ));
                for way in ways {
                    visit(Action {
                        first: Step::new_unchecked(pushed, target, towards(target, way)),
                        second,
                    });
                }
            }
        }
    }

    fn for_each_pull(&self, mobile: Bitboard, enemies: Bitboard, visit: &mut impl FnMut(Action)) {
        let pullers = mobile & self.outranked(enemies, mobile).neighbours() & self.empty().neighbours();
        for puller in pullers {
            let piece = self.piece_at_unchecked(puller);
            let near = Bitboard::from(puller).neighbours();
            let pulled = enemies & near & self.weaker_than(piece.kind());
            if pulled.is_empty() {
                continue;
            }
            for way in near & self.empty() {
                let first = Step::new_unchecked(piece, puller, towards(puller, way));
                for enemy in pulled {
                    let second = Some(Step::new_unchecked(
                        self.piece_at_unchecked(enemy),
                        enemy,
                        towards(enemy, puller),
                    ));
                    visit(Action { first, second });
                }
            }
        }
    }
}

/// The direction from a square to its neighbour.
#[inline]
fn towards(from: Square, to: Square) -> Direction {
    match to.index().wrapping_sub(from.index()) {
        8 => Direction::North,
        1 => Direction::East,
        n if n == 1usize.wrapping_neg() => Direction::West,
        _ => Direction::South,
    }
}

impl Position {
    /// Visits every step that may come next in this turn, with what it leaves open. A step that both finishes
    /// a pull and could begin a push is read as the pull, which leaves more freedom.
    #[inline]
    pub fn for_each_step(&self, mut visit: impl FnMut(Step, Pending)) {
        let board = self.board();
        let mobile = self.mobile();
        if let Pending::Push { vacated, pushed } = self.pending() {
            let near = Bitboard::from(vacated).neighbours();
            for from in mobile & near & board.stronger_than(pushed.kind()) {
                visit(
                    Step::new_unchecked(board.piece_at_unchecked(from), from, towards(from, vacated)),
                    Pending::None,
                );
            }
            return;
        }
        let left = self.steps_left();
        if left == 0 {
            return;
        }
        for direction in Direction::ALL {
            for from in board.sources(self.side(), mobile, direction) {
                let piece = board.piece_at_unchecked(from);
                visit(
                    Step::new_unchecked(piece, from, direction),
                    Pending::Pull { vacated: from, puller: piece },
                );
            }
        }
        let enemies = board.by_side(self.side().other());
        let mut pulled_from = Bitboard::EMPTY;
        if let Pending::Pull { vacated, puller } = self.pending() {
            pulled_from = enemies & Bitboard::from(vacated).neighbours() & board.weaker_than(puller.kind());
            for from in pulled_from {
                visit(
                    Step::new_unchecked(board.piece_at_unchecked(from), from, towards(from, vacated)),
                    Pending::None,
                );
            }
        }
        if left < 2 {
            return;
        }
        for from in board.outranked(enemies, mobile) {
            let mut ways = Bitboard::from(from).neighbours() & board.empty();
            if let Pending::Pull { vacated, .. } = self.pending()
                && pulled_from.contains(from)
            {
                ways &= !Bitboard::from(vacated);
            }
            let pushed = board.piece_at_unchecked(from);
            for way in ways {
                visit(
                    Step::new_unchecked(pushed, from, towards(from, way)),
                    Pending::Push { vacated: from, pushed },
                );
            }
        }
    }

    /// The position after an action of the side to move that fits into its turn, under the same trust as
    /// [`Board::after_step`]; nothing is pending then.
    #[inline]
    #[must_use]
    pub fn after_action(&self, action: Action) -> Self {
        let next = self.stepped(action.first, Pending::None);
        action.second.map_or(next, |step| next.stepped(step, Pending::None))
    }

    /// Visits every position one step further into this turn.
    #[inline]
    pub fn for_each_next(&self, mut visit: impl FnMut(Step, &Self)) {
        self.for_each_step(|step, pending| visit(step, &self.stepped(step, pending)));
    }
}
