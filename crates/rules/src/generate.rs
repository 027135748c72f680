//! Which steps, pushes and pulls there are.

use crate::{Board, Direction, Kind, Pending, Position, Side, Square, Squares, Step};

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
    pub fn touched(self) -> Squares {
        let squares = |step: Step| Squares(step.from().bit() | step.to().bit());
        squares(self.first) | self.second.map_or(Squares::NONE, squares)
    }

    /// Where another action would have to do with this one: what freezes, guards or blocks a piece stands next to it,
    /// and around a trap a guard more or less may capture. Two actions of one turn can be exchanged if neither
    /// touches the other's reach; it is enough to ask one way.
    #[inline]
    #[must_use]
    pub fn reach(self) -> Squares {
        let touched = self.touched();
        let near = touched | touched.neighbours();
        near | (near & Squares::TRAPS).neighbours()
    }

    /// Its steps in order.
    pub fn steps(self) -> impl Iterator<Item = Step> {
        std::iter::once(self.first).chain(self.second)
    }
}

impl Board {
    /// The own steps of a side in one direction: the squares from which a piece can take one.
    #[inline]
    fn sources(&self, side: Side, mobile: Squares, direction: Direction) -> Squares {
        let free = mobile & self.empty().shifted(direction.opposite());
        if direction == side.backward() { free & !self.kind(Kind::Rabbit) } else { free }
    }

    /// Whether a side that is to move has any step at all.
    #[must_use]
    pub fn has_step(&self, side: Side) -> bool {
        let mobile = self.mobile(side);
        let steps = Direction::ALL.into_iter().any(|d| !self.sources(side, mobile, d).is_empty());
        // A pull begins with an own step, so only pushes are left to ask for.
        steps || !(self.outranked(self.side(side.other()), mobile).neighbours() & self.empty()).is_empty()
    }

    /// The board after an action, under the same trust as [`Board::after`].
    #[inline]
    #[must_use]
    pub fn after_action(&self, action: Action) -> Self {
        let next = self.after(action.first);
        action.second.map_or(next, |step| next.after(step))
    }

    /// Visits every action that a side can take with so many steps left: own steps, then pushes, then pulls.
    #[inline]
    pub fn for_each_action(&self, side: Side, steps_left: u8, visit: impl FnMut(Action)) {
        self.for_each_action_from(side, steps_left, |_| Squares::ALL, visit);
    }

    /// The same with single steps only from some squares, depending on their direction.
    #[inline]
    pub(crate) fn for_each_action_from(
        &self,
        side: Side,
        steps_left: u8,
        allowed: impl Fn(Direction) -> Squares,
        mut visit: impl FnMut(Action),
    ) {
        if steps_left == 0 {
            return;
        }
        let mobile = self.mobile(side);
        for direction in Direction::ALL {
            for from in self.sources(side, mobile, direction) & allowed(direction) {
                visit(Action { first: Step::within(self.occupant(from), from, direction), second: None });
            }
        }
        if 2 <= steps_left {
            let enemies = self.side(side.other());
            self.for_each_push(mobile, enemies, &mut visit);
            self.for_each_pull(mobile, enemies, &mut visit);
        }
    }

    fn for_each_push(&self, mobile: Squares, enemies: Squares, visit: &mut impl FnMut(Action)) {
        for target in self.outranked(enemies, mobile) {
            let ways = Squares::from(target).neighbours() & self.empty();
            if ways.is_empty() {
                continue;
            }
            let pushed = self.occupant(target);
            let pushers = mobile & Squares::from(target).neighbours() & self.stronger_than(pushed.kind());
            for pusher in pushers {
                let second = Some(Step::within(self.occupant(pusher), pusher, towards(pusher, target)));
                for way in ways {
                    visit(Action { first: Step::within(pushed, target, towards(target, way)), second });
                }
            }
        }
    }

    fn for_each_pull(&self, mobile: Squares, enemies: Squares, visit: &mut impl FnMut(Action)) {
        let pullers = mobile & self.outranked(enemies, mobile).neighbours() & self.empty().neighbours();
        for puller in pullers {
            let piece = self.occupant(puller);
            let near = Squares::from(puller).neighbours();
            let pulled = enemies & near & self.weaker_than(piece.kind());
            if pulled.is_empty() {
                continue;
            }
            for way in near & self.empty() {
                let first = Step::within(piece, puller, towards(puller, way));
                for enemy in pulled {
                    let second = Some(Step::within(self.occupant(enemy), enemy, towards(enemy, puller)));
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
            let near = Squares::from(vacated).neighbours();
            for from in mobile & near & board.stronger_than(pushed.kind()) {
                visit(Step::within(board.occupant(from), from, towards(from, vacated)), Pending::Nothing);
            }
            return;
        }
        let left = self.steps_left();
        if left == 0 {
            return;
        }
        for direction in Direction::ALL {
            for from in board.sources(self.side(), mobile, direction) {
                let piece = board.occupant(from);
                visit(Step::within(piece, from, direction), Pending::Pull { vacated: from, puller: piece });
            }
        }
        let enemies = board.side(self.side().other());
        let mut pulled_from = Squares::NONE;
        if let Pending::Pull { vacated, puller } = self.pending() {
            pulled_from = enemies & Squares::from(vacated).neighbours() & board.weaker_than(puller.kind());
            for from in pulled_from {
                visit(Step::within(board.occupant(from), from, towards(from, vacated)), Pending::Nothing);
            }
        }
        if left < 2 {
            return;
        }
        for from in board.outranked(enemies, mobile) {
            let mut ways = Squares::from(from).neighbours() & board.empty();
            if let Pending::Pull { vacated, .. } = self.pending()
                && pulled_from.contains(from)
            {
                ways &= !Squares::from(vacated);
            }
            let pushed = board.occupant(from);
            for way in ways {
                visit(
                    Step::within(pushed, from, towards(from, way)),
                    Pending::Push { vacated: from, pushed },
                );
            }
        }
    }

    /// The position after an action of the side to move that fits into its turn, under the same trust as
    /// [`Board::after`]; nothing is pending then.
    #[inline]
    #[must_use]
    pub fn after_action(&self, action: Action) -> Self {
        let next = self.stepped(action.first, Pending::Nothing);
        action.second.map_or(next, |step| next.stepped(step, Pending::Nothing))
    }

    /// Visits every position one step further into this turn.
    #[inline]
    pub fn for_each_next(&self, mut visit: impl FnMut(Step, &Self)) {
        self.for_each_step(|step, pending| visit(step, &self.stepped(step, pending)));
    }
}
