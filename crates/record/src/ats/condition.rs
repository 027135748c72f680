//! Conditions of tests and their weights.

use surus_rules::{Board, Piece, Square, Token};

use super::error::{SuiteErrorKind, quoted};

/// The condition that scores a turn.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// A rabbit of the mover is on its goal rank.
    Goal,
    /// The opponent has no turn that reaches goal, and has not won otherwise.
    PreventGoal,
    /// The turn wins, or the mover can reach goal after every reply.
    GoalInTwo,
    /// The score is the maximum weight of the satisfied blocks.
    PiecePosition(Vec<Block>),
    /// The final board is one of these, each with its weight.
    BestTurns(Vec<(Board, f64)>),
    /// Any turn that does not lead to a board to avoid.
    AvoidOnly,
}

/// Atoms that must all hold, with their weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// At least one.
    pub atoms: Vec<Atom>,
    /// 1 by default.
    pub weight: f64,
}

/// An elementary condition on the result of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    /// `Eb3`: the piece is on the square.
    On(Piece, Square),
    /// `!ce2`: the piece is not on the square.
    NotOn(Piece, Square),
    /// `Hf6x`: the piece was captured there during the turn.
    Captured(Piece, Square),
}

impl Condition {
    /// The maximum score of a turn.
    #[must_use]
    pub fn max_points(&self) -> f64 {
        let weights: Vec<f64> = match self {
            Self::Goal | Self::PreventGoal | Self::GoalInTwo | Self::AvoidOnly => vec![1.0],
            Self::PiecePosition(blocks) => blocks.iter().map(|block| block.weight).collect(),
            Self::BestTurns(boards) => boards.iter().map(|(_, weight)| *weight).collect(),
        };
        weights.into_iter().fold(0.0, f64::max)
    }
}

impl Atom {
    fn parse(text: &str) -> Result<Self, SuiteErrorKind> {
        let (negated, rest) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        match rest.parse()? {
            Token::Placement(piece, square) if negated => Ok(Self::NotOn(piece, square)),
            Token::Placement(piece, square) => Ok(Self::On(piece, square)),
            Token::Capture(piece, trap) if !negated => Ok(Self::Captured(piece, trap)),
            Token::Capture(..) | Token::Step(_) => Err(SuiteErrorKind::Atom(quoted(text))),
        }
    }
}

/// Parses blocks: atoms separated by spaces, optionally with `:` and a weight; blocks are separated by `|`.
pub(crate) fn parse_blocks(text: &str) -> Result<Vec<Block>, SuiteErrorKind> {
    text.split('|').map(parse_block).collect()
}

fn parse_block(text: &str) -> Result<Block, SuiteErrorKind> {
    let (atoms, weight) = split_weight(text)?;
    let atoms: Vec<Atom> = atoms.split_whitespace().map(Atom::parse).collect::<Result<_, _>>()?;
    if atoms.is_empty() {
        return Err(SuiteErrorKind::EmptyBlock);
    }
    Ok(Block { atoms, weight })
}

/// Splits off a weight: `text : 0.5`.
pub(crate) fn split_weight(text: &str) -> Result<(&str, f64), SuiteErrorKind> {
    let Some((value, weight)) = text.split_once(':') else { return Ok((text, 1.0)) };
    match weight.trim().parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok((value, number)),
        _ => Err(SuiteErrorKind::Weight(quoted(weight))),
    }
}
