//! What a test asks for, and what a turn is worth by it.

use surus_rules::{Board, Ending, Piece, Position, Rules, Side, Square, Token, Turn, Turns};

use super::error::{Problem, quoted};

/// What a turn is judged by.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// A rabbit of the mover stands on its goal rank.
    Goal,
    /// The opponent has no turn that ends with a goal, and has not won otherwise.
    PreventGoal,
    /// Whatever the opponent replies, a goal follows; or the turn itself wins.
    GoalInTwo,
    /// The best block that is satisfied.
    Pieces(Vec<Block>),
    /// One of these boards, each with its weight.
    Boards(Vec<(Board, f64)>),
    /// Any turn that is not to be avoided.
    Anything,
}

/// Atoms that must all hold, and what they are worth together.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// At least one.
    pub atoms: Vec<Atom>,
    /// 1 unless it is given.
    pub weight: f64,
}

/// Something that holds after a turn or does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// `Eb3`: the piece stands there.
    On(Piece, Square),
    /// `!ce2`: it does not.
    NotOn(Piece, Square),
    /// `Hf6x`: it was captured there during the turn.
    Captured(Piece, Square),
}

/// A turn that was played, as far as conditions ask.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Outcome {
    pub(crate) mover: Side,
    pub(crate) board: Board,
    pub(crate) captures: Vec<(Piece, Square)>,
}

impl Outcome {
    /// Trusts that the turn is legal on this board.
    pub(crate) fn of(start: &Board, mover: Side, turn: &Turn) -> Self {
        let mut outcome = Self { mover, board: *start, captures: Vec::new() };
        for step in turn.steps() {
            outcome.captures.extend(outcome.board.capture_of(step));
            outcome.board = outcome.board.after(step);
        }
        outcome
    }
}

impl Condition {
    /// The most that a turn can be worth.
    #[must_use]
    pub fn most(&self) -> f64 {
        let weights: Vec<f64> = match self {
            Self::Goal | Self::PreventGoal | Self::GoalInTwo | Self::Anything => vec![1.0],
            Self::Pieces(blocks) => blocks.iter().map(|block| block.weight).collect(),
            Self::Boards(boards) => boards.iter().map(|(_, weight)| *weight).collect(),
        };
        weights.into_iter().fold(0.0, f64::max)
    }

    /// What a turn is worth.
    pub(crate) fn points(&self, outcome: &Outcome) -> f64 {
        let Outcome { mover, board, .. } = outcome;
        let passed = |passed: bool| f64::from(u8::from(passed));
        match self {
            Self::Anything => 1.0,
            Self::Goal => passed(!(board.rabbits(*mover) & mover.goal()).is_empty()),
            Self::PreventGoal => passed(match Ending::of_board(board, *mover, Rules::Official) {
                Some(ending) => ending.winner == Some(*mover),
                None => !can_score(board, mover.other()),
            }),
            Self::GoalInTwo => passed(goal_follows(board, *mover)),
            Self::Pieces(blocks) => {
                let satisfied = |block: &&Block| block.atoms.iter().all(|atom| atom.holds(outcome));
                blocks.iter().filter(satisfied).map(|block| block.weight).fold(0.0, f64::max)
            }
            Self::Boards(boards) => boards
                .iter()
                .filter(|(wanted, _)| wanted == board)
                .map(|(_, weight)| *weight)
                .fold(0.0, f64::max),
        }
    }
}

/// Whether a side has a goal in one turn.
fn can_score(board: &Board, side: Side) -> bool {
    surus_tactics::goal(board, side, Turn::MAX as u8).is_some()
}

/// Whether every reply to a board leaves the mover a goal, decided by all distinct replies.
fn goal_follows(board: &Board, mover: Side) -> bool {
    if let Some(ending) = Ending::of_board(board, mover, Rules::Official) {
        return ending.winner == Some(mover);
    }
    let Ok(position) = Position::new(*board, mover.other()) else { return false };
    let lost = |reply: &Board| match Ending::of_board(reply, mover.other(), Rules::Official) {
        Some(ending) => ending.winner == Some(mover),
        None => can_score(reply, mover),
    };
    // Nearly every turn is refuted by a single step already, and there are few of those.
    (1..=Turn::MAX as u8).step_by(3).all(|steps| Turns::new(&position, board, steps).boards().all(lost))
}

impl Atom {
    fn holds(&self, outcome: &Outcome) -> bool {
        match *self {
            Self::On(piece, square) => outcome.board.piece_at(square) == Some(piece),
            Self::NotOn(piece, square) => outcome.board.piece_at(square) != Some(piece),
            Self::Captured(piece, trap) => outcome.captures.contains(&(piece, trap)),
        }
    }

    fn parse(text: &str) -> Result<Self, Problem> {
        let (negated, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        match rest.parse()? {
            Token::Placement(piece, square) if negated => Ok(Self::NotOn(piece, square)),
            Token::Placement(piece, square) => Ok(Self::On(piece, square)),
            Token::Capture(piece, trap) if !negated => Ok(Self::Captured(piece, trap)),
            Token::Capture(..) | Token::Step(_) => Err(Problem::Atom(quoted(text))),
        }
    }
}

/// Reads blocks: atoms with blanks between them, `:` and a weight perhaps, `|` between blocks.
pub(crate) fn blocks(text: &str) -> Result<Vec<Block>, Problem> {
    text.split('|').map(block).collect()
}

fn block(text: &str) -> Result<Block, Problem> {
    let (atoms, weight) = weighted(text)?;
    let atoms: Vec<Atom> = atoms.split_whitespace().map(Atom::parse).collect::<Result<_, _>>()?;
    if atoms.is_empty() {
        return Err(Problem::EmptyBlock);
    }
    Ok(Block { atoms, weight })
}

/// Splits a weight off: `what : 0.5`.
pub(crate) fn weighted(text: &str) -> Result<(&str, f64), Problem> {
    let Some((what, weight)) = text.split_once(':') else { return Ok((text, 1.0)) };
    match weight.trim().parse() {
        Ok(number) if 0.0 < number && f64::is_finite(number) => Ok((what, number)),
        _ => Err(Problem::Weight(quoted(weight))),
    }
}
