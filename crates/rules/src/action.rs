//! Actions: steps, pushes and pulls.

use crate::{Bitboard, Side, Step, Turn};

/// One step, push or pull: what a search branches on.
///
/// After an action nothing is pending, so that the board, the side and the steps left determine what can follow.
///
/// ```
/// use surus_rules::{Action, Side, Turn};
///
/// // Gold's elephant pushes the horse from d5 to d6, then steps back.
/// let turn: Turn = ["hd5n", "Ed4n", "Ed5s"].iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
/// let actions: Vec<Action> = turn.actions(Side::Gold).collect();
/// assert_eq!(actions.iter().map(|action| action.len()).collect::<Vec<_>>(), [2, 1]);
/// assert!(actions[0].displaces());
/// # Ok::<(), surus_rules::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// The step of the own piece, or of the enemy piece that is pushed.
    pub first: Step,
    /// The own piece that follows a push, or the enemy piece that follows a pull.
    pub second: Option<Step>,
}

impl Action {
    /// An action of a single step.
    #[inline]
    #[must_use]
    pub const fn single(step: Step) -> Self {
        Self { first: step, second: None }
    }

    /// The number of steps: two for a push or pull, otherwise one.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an action always has a step")]
    pub const fn len(self) -> u8 {
        1 + self.displaces() as u8
    }

    /// Whether this is a push or a pull.
    #[inline]
    #[must_use]
    pub const fn displaces(self) -> bool {
        self.second.is_some()
    }

    /// The squares that its steps leave and enter.
    #[inline]
    #[must_use]
    pub fn touched(self) -> Bitboard {
        let squares = |step: Step| Bitboard(step.from().bit() | step.to().bit());
        squares(self.first) | self.second.map_or(Bitboard::EMPTY, squares)
    }

    /// The squares on which another action could interact with this one: what freezes, guards or blocks a piece is next to
    /// it, and a guard of a trap more or less decides about a capture there.
    ///
    /// Two actions of a turn commute if neither touches the other's zone; checking one of them is enough.
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

impl Turn {
    /// The turn of a side as steps, pushes and pulls.
    ///
    /// An enemy's step belongs to the following own step if that enters the square it has left, otherwise to the
    /// preceding one. For a legal turn, playing the actions is playing the turn.
    pub fn actions(&self, side: Side) -> impl Iterator<Item = Action> {
        let steps = *self;
        let mut index = 0;
        std::iter::from_fn(move || {
            let step = |offset: usize| steps.get(index + offset);
            let first = step(0)?;
            let second = step(1).filter(|&second| {
                let enters = |own: Step, vacated: Step| own.to() == vacated.from();
                let pulled = second.piece().kind() < first.piece().kind()
                    && !step(2).is_some_and(|third| enters(third, second));
                enters(second, first)
                    && second.piece().side() != first.piece().side()
                    && (first.piece().side() != side || pulled)
            });
            let action = Action { first, second };
            index += usize::from(action.len());
            Some(action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(side: Side, text: &str) -> Vec<String> {
        let turn: Turn = text.split(' ').map(|step| step.parse::<Step>().unwrap()).collect();
        let joined =
            |action: Action| action.steps().map(|step| step.to_string()).collect::<Vec<_>>().join("+");
        turn.actions(side).map(joined).collect()
    }

    #[test]
    fn turns_split_into_pushes_pulls_and_steps() {
        assert_eq!(actions(Side::Gold, "hd5n Ed4n Ed5s Ra2n"), ["hd5n+Ed4n", "Ed5s", "Ra2n"]);
        assert_eq!(actions(Side::Gold, "Ed4n hd3n"), ["Ed4n+hd3n"]);
        assert_eq!(actions(Side::Silver, "Ra4n cb4w"), ["Ra4n+cb4w"]);
        // The rabbit is pushed by the camel, although it enters the square that the elephant has left.
        assert_eq!(actions(Side::Gold, "Ed4n rd3n Md2n"), ["Ed4n", "rd3n+Md2n"]);
        // A step of the same side into the vacated square is a step of its own.
        assert_eq!(actions(Side::Gold, "Ed4n Md3n"), ["Ed4n", "Md3n"]);
    }
}
