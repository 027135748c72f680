//! Game trees: a game record with variations in brackets, comments in quotes, marks, times and shapes.
//!
//! ```text
//! # Surus tree 1
//! # gold: Ann
//! 1g Ra1 …
//! 2g Ee2n Ee3n !? (12.5s) {g:e2e4 r:c3} "to the middle"
//! [ 2g Md2n "also good" ]
//! ```
//!
//! A variation stands behind the turn that it replaces.

mod parts;
mod reader;
#[cfg(test)]
mod tests;

use std::time::Duration;

use surus_rules::{Board, Game, GameResult, IllegalTurn, PlayedTurn, Rules, Token, TurnTag};

use crate::ReadError;

/// The first line of a tree.
pub const FIRST_LINE: &str = "# Surus tree 1";
/// A longer text is not read.
pub const MAX_BYTES: usize = 16 << 20;
/// A tree with more turns is read up to here.
pub const MAX_NODES: usize = 20_000;
/// Brackets that may be open at once.
pub const MAX_DEPTH: usize = 8_192;
/// Shapes of a turn beyond these are left out.
pub const MAX_SHAPES: usize = 64;

const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// A game with its variations, or without any.
///
/// ```
/// use surus_record::GameTree;
///
/// let tree = GameTree::parse(
///     "position 2g [r      r                                                R   E  R]\n\
///      2g Ee1n !? (2.5s) \"slow\"\n[ 2g Ee1nn ]\n2s ra8s",
/// )?;
/// let parents: Vec<_> = tree.nodes.iter().map(|node| node.parent).collect();
/// assert_eq!(parents, [None, None, Some(0)]);
/// assert_eq!((tree.nodes[0].mark, tree.nodes[1].text.as_str()), (Some("!?"), "Ee1n Ee2n"));
/// # Ok::<(), surus_record::TreeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTree {
    /// What to call it.
    pub title: String,
    /// Who played gold.
    pub gold: String,
    /// Who played silver.
    pub silver: String,
    /// The rules it was played by.
    pub rules: Rules,
    /// The board and the turn it begins with.
    pub origin: (Board, TurnTag),
    /// The turns; among those of one parent the first is the main one.
    pub nodes: Vec<Node>,
    /// How it ended, as the text tells.
    pub ending: Option<GameResult>,
    /// Why the text could not be followed further.
    pub problem: Option<ReadError>,
}

/// A turn in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The index of the turn before; none for the first turns.
    pub parent: Option<usize>,
    /// Its number and side.
    pub tag: TurnTag,
    /// Placements or steps, with captures.
    pub text: String,
    /// How long it took.
    pub used: Option<Duration>,
    /// What somebody wrote about it.
    pub comment: String,
    /// `!`, `?!` and so on.
    pub mark: Option<&'static str>,
    /// Arrows and circles: `g:e2e5`, `r:c3`.
    pub shapes: Vec<String>,
}

/// What is wrong with a tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// Too long to be read.
    #[error("the tree has {0} bytes: expected at most {MAX_BYTES}")]
    TooLong(usize),
    /// Too many turns.
    #[error("the tree has more than {MAX_NODES} turns")]
    TooManyTurns,
    /// Too many open brackets.
    #[error("more than {MAX_DEPTH} variations are open within each other")]
    TooDeep,
    /// A quote, bracket or brace that never ends.
    #[error("expected '{0}' before the end of the text")]
    Unclosed(char),
    /// A bracket that was not opened.
    #[error("a bracket is closed that was not opened")]
    NotOpen,
    /// Nothing to replace.
    #[error("a variation stands before the first turn")]
    VariationFirst,
    /// Nothing to say it of.
    #[error("a comment stands before the first turn")]
    CommentFirst,
    /// Something else than a turn.
    #[error("expected a turn number and a side, like 2g, found '{0}'")]
    Word(String),
    /// The turn of another number or side.
    #[error("expected turn {expected}, found {found}")]
    Order {
        /// The turn that comes next.
        expected: TurnTag,
        /// The one that stands there.
        found: TurnTag,
    },
    /// The turn can't be played.
    #[error("{tag}: {error}")]
    Turn {
        /// The turn.
        tag: TurnTag,
        /// What is wrong with it.
        error: IllegalTurn,
    },
    /// A time that is none.
    #[error("invalid time '({0})': expected seconds, like (12.5s)")]
    Time(String),
    /// Rules that nobody knows.
    #[error("rules: {0}")]
    Rules(surus_rules::UnknownRules),
    /// The line that says where the game begins.
    #[error("invalid position '{0}': expected a turn and a board, like 2g [64 characters]")]
    Position(String),
    /// No turn at all.
    #[error("the tree has no turn: expected a line like 2g Ed2n")]
    NoTurns,
}

impl GameTree {
    /// Whether a text is a tree and not a plain record.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        let is_bracket = |line: &str| line == "]" || line.starts_with("[ ");
        Self::has_first_line(text) || text.lines().map(str::trim).any(is_bracket)
    }

    pub(crate) fn has_first_line(text: &str) -> bool {
        text.lines().next().is_some_and(|line| line.trim() == FIRST_LINE)
    }

    /// Reads a tree as far as it is right; it is an error if its first turn is wrong.
    pub fn parse(text: &str) -> Result<Self, TreeError> {
        reader::read(text)
    }

    /// A game without variations.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        let (board, tag) = game.origin();
        let mut before = *board;
        let mut nodes = Vec::with_capacity(game.entries().len());
        for (index, entry) in game.entries().iter().enumerate() {
            let text = written(&before, &entry.played);
            nodes.push(Node::new(index.checked_sub(1), entry.tag, text));
            before = entry.board;
        }
        Self {
            title: String::new(),
            gold: String::new(),
            silver: String::new(),
            rules: game.rules(),
            origin: (*board, tag),
            nodes,
            ending: game.result(),
            problem: None,
        }
    }

    /// The turns of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        let mut last = None;
        let follows = move |&(index, node): &(usize, &Node)| {
            let follows = node.parent == last;
            if follows {
                last = Some(index);
            }
            follows
        };
        self.nodes.iter().enumerate().filter(follows).map(|(_, node)| node)
    }

    /// The record of the main line.
    #[must_use]
    pub fn record(&self) -> String {
        self.main_line().map(|node| format!("{} {}\n", node.tag, node.text)).collect()
    }
}

impl Node {
    /// A turn about which nothing is said.
    pub(crate) fn new(parent: Option<usize>, tag: TurnTag, text: String) -> Self {
        Self { parent, tag, text, used: None, comment: String::new(), mark: None, shapes: Vec::new() }
    }
}

/// What was played on a board, with captures.
fn written(board: &Board, played: &PlayedTurn) -> String {
    match played {
        PlayedTurn::Setup(setup) => setup.to_string(),
        PlayedTurn::Turn(turn) => board.notation(turn),
    }
}

/// Several steps of one piece may be written together (`Ee2nn`). Nothing else is changed.
pub(crate) fn spelled_out(word: &str) -> Vec<String> {
    let is_short = 4 < word.len()
        && word.get(..4).is_some_and(|head| matches!(head.parse(), Ok(Token::Step(_))))
        && word[4..].chars().all(|letter| "nesw".contains(letter));
    if is_short { Token::expand_shorthand(word) } else { vec![word.into()] }
}
