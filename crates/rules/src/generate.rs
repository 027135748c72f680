//! Generation of steps, pushes and pulls.

use crate::{Action, Bitboard, Board, Direction, Pending, PieceKind, Position, Side, Square, Step};

impl Board {
    /// The squares from which the mobile pieces of a side can step in a direction.
    #[inline]
    fn sources(&self, side: Side, mobile: Bitboard, direction: Direction) -> Bitboard {
        let free = mobile & self.empty().shifted(direction.opposite());
        if direction == side.backward() { free & !self.by_kind(PieceKind::Rabbit) } else { free }
    }

    /// Whether the side to move has a step.
    #[must_use]
    pub fn has_step(&self, side: Side) -> bool {
        let mobile = self.mobile(side);
        let steps = Direction::ALL.into_iter().any(|d| !self.sources(side, mobile, d).is_empty());
        // A pull starts with an own step, so only pushes remain.
        steps || !(self.outranked(self.by_side(side.other()), mobile).neighbours() & self.empty()).is_empty()
    }

    /// The board after an action, whose steps must satisfy the preconditions of [`Board::after_step`].
    #[inline]
    #[must_use]
    pub fn after_action(&self, action: Action) -> Self {
        let next = self.after_step(action.first);
        action.second.map_or(next, |step| next.after_step(step))
    }

    /// Calls `visit` with every action that a side can take with `steps_left` steps: own steps, then pushes, then pulls.
    ///
    /// Where nothing is pending, these are all the ways to continue a turn. Nothing is allocated.
    ///
    /// ```
    /// use surus_rules::{Position, Side};
    ///
    /// let position: Position = "g [                                   Eh                           ]".parse()?;
    /// let mut displacements = 0;
    /// position.board().for_each_action(Side::Gold, 4, |action| displacements += u32::from(action.displaces()));
    /// assert_eq!(displacements, 6);
    /// # Ok::<(), surus_rules::PositionError>(())
    /// ```
    #[inline]
    pub fn for_each_action(&self, side: Side, steps_left: u8, visit: impl FnMut(Action)) {
        self.for_each_action_within(side, self.mobile(side), steps_left, |_| Bitboard::ALL, visit);
    }

    /// The same for actions in which a piece of `movers` steps, pushes or pulls.
    #[inline]
    pub fn for_each_action_by(
        &self,
        side: Side,
        movers: Bitboard,
        steps_left: u8,
        visit: impl FnMut(Action),
    ) {
        let (own, enemies) = (self.by_side(side), self.by_side(side.other()));
        let movers = movers & own;
        let alone = movers & !own.neighbours();
        let frozen = if alone.is_empty() { alone } else { self.outranked(alone, enemies) };
        self.for_each_action_within(side, movers & !frozen, steps_left, |_| Bitboard::ALL, visit);
    }

    /// The same for pieces that are known to be mobile, with single steps only from some squares, depending on their
    /// direction.
    #[inline]
    pub(crate) fn for_each_action_within(
        &self,
        side: Side,
        mobile: Bitboard,
        steps_left: u8,
        allowed: impl Fn(Direction) -> Bitboard,
        mut visit: impl FnMut(Action),
    ) {
        if steps_left == 0 {
            return;
        }
        for direction in Direction::ALL {
            for from in self.sources(side, mobile, direction) & allowed(direction) {
                visit(Action::single(Step::new_unchecked(self.piece_at_unchecked(from), from, direction)));
            }
        }
        if steps_left >= 2 {
            let enemies = self.by_side(side.other());
            let outranked = self.outranked(enemies, mobile);
            if !outranked.is_empty() {
                self.for_each_push(mobile, outranked, &mut visit);
                self.for_each_pull(mobile, outranked, &mut visit);
            }
        }
    }

    /// `outranked`: the enemies next to a stronger piece of `mobile`.
    fn for_each_push(&self, mobile: Bitboard, outranked: Bitboard, visit: &mut impl FnMut(Action)) {
        for target in outranked {
            let exits = Bitboard::from(target).neighbours() & self.empty();
            if exits.is_empty() {
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
                for exit in exits {
                    visit(Action {
                        first: Step::new_unchecked(pushed, target, towards(target, exit)),
                        second,
                    });
                }
            }
        }
    }

    fn for_each_pull(&self, mobile: Bitboard, outranked: Bitboard, visit: &mut impl FnMut(Action)) {
        let pullers = mobile & outranked.neighbours() & self.empty().neighbours();
        for puller in pullers {
            let piece = self.piece_at_unchecked(puller);
            let near = Bitboard::from(puller).neighbours();
            let pulled = outranked & near & self.weaker_than(piece.kind());
            if pulled.is_empty() {
                continue;
            }
            for to in near & self.empty() {
                let first = Step::new_unchecked(piece, puller, towards(puller, to));
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

/// The direction from a square to an adjacent one.
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
    /// Calls `visit` with every legal next step of this turn and what it leaves pending. A step that completes a pull and
    /// could also start a push is taken as the pull, after which more steps are legal.
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
        let steps_left = self.steps_left();
        if steps_left == 0 {
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
        if steps_left < 2 {
            return;
        }
        for from in board.outranked(enemies, mobile) {
            let mut exits = Bitboard::from(from).neighbours() & board.empty();
            if let Pending::Pull { vacated, .. } = self.pending()
                && pulled_from.contains(from)
            {
                exits &= !Bitboard::from(vacated);
            }
            let pushed = board.piece_at_unchecked(from);
            for exit in exits {
                visit(
                    Step::new_unchecked(pushed, from, towards(from, exit)),
                    Pending::Push { vacated: from, pushed },
                );
            }
        }
    }

    /// The position after an action of the side to move, after which nothing is pending. The action must fit into the turn,
    /// and its steps must satisfy the preconditions of [`Board::after_step`].
    #[inline]
    #[must_use]
    pub fn after_action(&self, action: Action) -> Self {
        let next = self.stepped(action.first, Pending::None);
        action.second.map_or(next, |step| next.stepped(step, Pending::None))
    }

    /// Calls `visit` with every step that completes the pending push or pull.
    #[inline]
    pub fn for_each_completion(&self, mut visit: impl FnMut(Step)) {
        if !matches!(self.pending(), Pending::None) {
            self.for_each_step(|step, pending| {
                if matches!(pending, Pending::None) {
                    visit(step);
                }
            });
        }
    }

    /// Calls `visit` with every legal next step of this turn and the position after it.
    #[inline]
    pub fn for_each_next(&self, mut visit: impl FnMut(Step, &Self)) {
        self.for_each_step(|step, pending| visit(step, &self.stepped(step, pending)));
    }
}
