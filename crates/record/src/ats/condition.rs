//! What a test asks for, and what a turn is worth by it.

use surus_rules::{Board, Piece, Square, Token};

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

impl Condition {
    /// The most that a turn can be worth.
    #[must_use]
    pub fn max_points(&self) -> f64 {
        let weights: Vec<f64> = match self {
            Self::Goal | Self::PreventGoal | Self::GoalInTwo | Self::Anything => vec![1.0],
            Self::Pieces(blocks) => blocks.iter().map(|block| block.weight).collect(),
            Self::Boards(boards) => boards.iter().map(|(_, weight)| *weight).collect(),
        };
        weights.into_iter().fold(0.0, f64::max)
    }
}

impl Atom {
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
