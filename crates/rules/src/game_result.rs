//! Rule sets, terminations and results.

use std::fmt;
use std::str::FromStr;

use crate::{Board, Side};

/// A rule set.
///
/// ```
/// use surus_rules::Rules;
///
/// let rules: Rules = "classic2005".parse()?;
/// assert!(!rules.elimination());
/// assert!(Rules::default().repetition_is_illegal());
/// # Ok::<(), surus_rules::UnknownRules>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rules {
    /// The current rules: the loss of all rabbits loses, a third repetition is an illegal turn.
    #[default]
    Official,
    /// The rules of 2002 to 2004: no elimination, a draw if neither side has rabbits, and the side that repeats a board
    /// for the third time loses, regardless of the side to move.
    Classic2004,
    /// The rules of 2005 to June 2008: as in 2004, but repeated positions have the same side to move.
    Classic2005,
}

impl Rules {
    /// Whether a side that loses all rabbits loses the game.
    #[must_use]
    pub const fn elimination(self) -> bool {
        matches!(self, Self::Official)
    }

    /// Whether a third repetition is an illegal turn; otherwise it loses the game.
    #[must_use]
    pub const fn repetition_is_illegal(self) -> bool {
        matches!(self, Self::Official)
    }

    /// Whether repeated positions must have the same side to move.
    #[must_use]
    pub const fn repetition_counts_side(self) -> bool {
        !matches!(self, Self::Classic2004)
    }

    /// The name used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Classic2004 => "classic2004",
            Self::Classic2005 => "classic2005",
        }
    }
}

/// An unknown name of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid rules '{0}': expected official, classic2004 or classic2005")]
pub struct UnknownRules(String);

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, UnknownRules> {
        [Self::Official, Self::Classic2004, Self::Classic2005]
            .into_iter()
            .find(|rules| rules.name() == text)
            .ok_or_else(|| UnknownRules(crate::notation::shortened(text)))
    }
}

/// What ended a game, with the letters of the official archive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// g: a rabbit reached its goal rank.
    Goal,
    /// e: all rabbits of a side are captured.
    Elimination,
    /// m: the side to move has no step.
    Immobilisation,
    /// m: every turn of the side to move would repeat a position a third time.
    OnlyRepetitions,
    /// p: a third repetition, under the classic rules.
    Repetition,
    /// n: no rabbits on either side, under the classic rules.
    NoRabbits,
    /// t: out of time.
    Time,
    /// r: resigned.
    Resignation,
    /// i: an illegal turn.
    Illegal,
    /// a: abandoned.
    Abandoned,
    /// s: the game's time limit was reached and the pieces were counted.
    Score,
    /// f: forfeited.
    Forfeit,
}

impl Termination {
    /// The letter of the official archive.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Goal => 'g',
            Self::Elimination => 'e',
            Self::Immobilisation | Self::OnlyRepetitions => 'm',
            Self::Repetition => 'p',
            Self::NoRabbits => 'n',
            Self::Time => 't',
            Self::Resignation => 'r',
            Self::Illegal => 'i',
            Self::Abandoned => 'a',
            Self::Score => 's',
            Self::Forfeit => 'f',
        }
    }

    /// The termination of a letter; m means immobilisation.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'g' => Self::Goal,
            'e' => Self::Elimination,
            'm' => Self::Immobilisation,
            'p' => Self::Repetition,
            'n' => Self::NoRabbits,
            't' => Self::Time,
            'r' => Self::Resignation,
            'i' => Self::Illegal,
            'a' => Self::Abandoned,
            's' => Self::Score,
            'f' => Self::Forfeit,
            _ => return None,
        })
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Goal => "goal",
            Self::Elimination => "elimination of all rabbits",
            Self::Immobilisation => "immobilisation",
            Self::OnlyRepetitions => "immobilisation: only third repetitions are left",
            Self::Repetition => "third repetition",
            Self::NoRabbits => "no rabbits left",
            Self::Time => "time",
            Self::Resignation => "resignation",
            Self::Illegal => "illegal turn",
            Self::Abandoned => "abandoned",
            Self::Score => "score at the time limit",
            Self::Forfeit => "forfeit",
        })
    }
}

/// The winner of a game and what ended it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameResult {
    /// `None` for a draw, which is possible only under the classic rules.
    pub winner: Option<Side>,
    /// What ended the game.
    pub reason: Termination,
}

impl GameResult {
    /// A win of `winner`.
    #[must_use]
    pub const fn win(winner: Side, reason: Termination) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// The result determined by the board at the end of a turn of `mover`. Repetition is not checked here; see
    /// [`Game::end_turn`](crate::Game::end_turn).
    ///
    /// ```
    /// use surus_rules::{GameResult, Position, Rules, Side, Termination};
    ///
    /// let position: Position = "s [R      r                                                R       ]".parse()?;
    /// let result = GameResult::from_board(position.board(), Side::Gold, Rules::Official);
    /// assert_eq!(result, Some(GameResult::win(Side::Gold, Termination::Goal)));
    /// # Ok::<(), surus_rules::PositionError>(())
    /// ```
    #[must_use]
    pub fn from_board(board: &Board, mover: Side, rules: Rules) -> Option<Self> {
        let other = mover.other();
        for side in [mover, other] {
            if !(board.rabbits(side) & side.goal()).is_empty() {
                return Some(Self::win(side, Termination::Goal));
            }
        }
        let bare = |side| board.rabbits(side).is_empty();
        if rules.elimination() {
            for side in [other, mover] {
                if bare(side) {
                    return Some(Self::win(side.other(), Termination::Elimination));
                }
            }
        } else if bare(mover) && bare(other) {
            return Some(Self { winner: None, reason: Termination::NoRabbits });
        }
        (!board.has_step(other)).then_some(Self::win(mover, Termination::Immobilisation))
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} wins by {}", self.reason),
            None => write!(f, "draw, {}", self.reason),
        }
    }
}
