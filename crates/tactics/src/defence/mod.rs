//! Defences against goals and captures.

mod search;
mod threat;

use surus_rules::{Bitboard, Board, DistinctTurns, Position, Side, Square, Turn};

use search::Search;
use threat::{CaptureThreat, GoalThreat, Threat, goal_line};

/// The defences of the side to move against a threat of the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defences {
    /// There would be no threat if the other side were to move now.
    NoThreat,
    /// Turns that stop it, those with fewer steps first.
    Turns(Vec<Turn>),
    /// Provably no turn stops it.
    Unstoppable,
}

impl Defences {
    /// The turns; none if there is no threat, or no defence.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        match self {
            Self::Turns(turns) => turns,
            Self::NoThreat | Self::Unstoppable => &[],
        }
    }
}

/// All shortest turns of the side to move after which the other side has no goal within a full turn, one for each resulting
/// board, including turns that score a goal themselves. The turn started on `start`; a push or pull may be pending.
///
/// ```
/// use surus_rules::Position;
/// use surus_tactics::{Defences, goal_defences};
///
/// let position: Position = "s [        R      r                                       e        ]".parse()?;
/// assert_eq!(goal_defences(&position, position.board()), Defences::Unstoppable);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn goal_defences(position: &Position, start: &Board) -> Defences {
    let side = position.side();
    Search::new(side, GoalThreat { side }).shortest(position, start, ())
}

/// All turns of the side to move after which the other side has no goal within a full turn, one for each resulting board,
/// those with fewer steps first. Otherwise as [`goal_defences`].
///
/// A defence of one step can be continued in thousands of ways, so there may be tens of thousands.
///
/// ```
/// use surus_rules::Position;
/// use surus_tactics::{all_goal_defences, goal_defences};
///
/// let position: Position = "s [        R  c   r                                                ]".parse()?;
/// assert_eq!(goal_defences(&position, position.board()).turns().len(), 1);
/// assert!(all_goal_defences(&position, position.board()).turns().len() > 10);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn all_goal_defences(position: &Position, start: &Board) -> Defences {
    let side = position.side();
    if !position.is_mid_push() && goal_line(position.board(), side).is_none() {
        return Defences::NoThreat;
    }
    let turns = DistinctTurns::new(position, start, position.steps_left());
    let stops = |(turn, board): (Turn, &Board)| goal_line(board, side).is_none().then_some(turn);
    let mut found: Vec<Turn> = turns.iter().filter_map(stops).collect();
    found.sort_by_key(Turn::len);
    if found.is_empty() { Defences::Unstoppable } else { Defences::Turns(found) }
}

/// All shortest turns of the side to move after which the other side cannot capture the piece that now stands on `square`
/// within a full turn; one for each resulting board and square of the piece, which distinguishes equal pieces. Turns that
/// score a goal are included; turns that lose the piece, or bring an enemy rabbit to its goal, are not. Whatever else
/// they leave to the other side does not matter.
///
/// The turn started on `start`; a push or pull may be pending. [`Defences::NoThreat`] also if no own piece is on the square.
///
/// ```
/// use surus_rules::{Position, Side};
/// use surus_tactics::capture_defences;
///
/// // The frozen horse can be pushed into the trap on c6; the cat comes to free it, and it leaves.
/// let position: Position = "s [        rc         hE                                  R        ]".parse()?;
/// let defences = capture_defences(&position, position.board(), "d6".parse().unwrap());
/// let turns: Vec<String> = defences.turns().iter().map(ToString::to_string).collect();
/// assert_eq!(turns, ["cb7e cc7e hd6s", "cb7e cc7s hd6n", "cb7e cc7s hd6s"]);
/// # Ok::<(), surus_rules::PositionError>(())
/// ```
#[must_use]
pub fn capture_defences(position: &Position, start: &Board, square: Square) -> Defences {
    let side = position.side();
    if !position.board().by_side(side).contains(square) {
        return Defences::NoThreat;
    }
    Search::new(side, CaptureThreat { side }).shortest(position, start, Some(square))
}

/// The squares of which the last action of a turn must touch one so that the other side has no goal within a full turn;
/// `None` if it has none anyway, or if a rabbit of `side` is on its goal rank.
#[must_use]
pub fn goal_defence_squares(board: &Board, side: Side) -> Option<Bitboard> {
    goal_line(board, side).map(|footprint| footprint | side.goal())
}
