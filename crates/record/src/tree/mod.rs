//! Game trees: game records with variations in brackets, comments in quotes, glyphs, times and shapes.
//!
//! ```text
//! # Surus tree 1
//! # gold: Ann
//! 1g Ra1 …
//! 2g Ee2n Ee3n !? (12.5s) {g:e2e4 r:c3} "to the middle"
//! [ 2g Md2n "also good" ]
//! ```
//!
//! A variation follows the turn that it replaces.

mod parts;
mod reader;
#[cfg(test)]
mod tests;

use std::time::Duration;

use surus_rules::{Board, Game, GameResult, IllegalTurn, PlayedTurn, Rules, Token, TurnTag};

use crate::ReadError;

/// The first line of a tree.
pub const FIRST_LINE: &str = "# Surus tree 1";
/// Maximum length of a text.
pub const MAX_BYTES: usize = 16 << 20;
/// Maximum number of turns; a larger tree is truncated.
pub const MAX_NODES: usize = 20_000;
/// Maximum depth of nested brackets.
pub const MAX_DEPTH: usize = 8_192;
/// Maximum number of shapes of a turn; others are ignored.
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
    /// Title of the game.
    pub title: String,
    /// Name of the gold player.
    pub gold: String,
    /// Name of the silver player.
    pub silver: String,
    /// Rules of the game.
    pub rules: Rules,
    /// Board and turn number at the start.
    pub origin: (Board, TurnTag),
    /// The turns; the first child of a parent is the main line.
    pub nodes: Vec<Node>,
    /// The result, if the text has one.
    pub ending: Option<GameResult>,
    /// The first error; the tree ends before it.
    pub problem: Option<ReadError>,
}

/// A turn in a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Index of the preceding turn; `None` for first turns.
    pub parent: Option<usize>,
    /// Number and side.
    pub tag: TurnTag,
    /// Placements or steps, with captures.
    pub text: String,
    /// Time used.
    pub used: Option<Duration>,
    /// Comment in the text.
    pub comment: String,
    /// A glyph such as `!` or `?!`.
    pub mark: Option<&'static str>,
    /// Arrows and circles: `g:e2e5`, `r:c3`.
    pub shapes: Vec<String>,
}

/// An error in a tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// The text exceeds [`MAX_BYTES`].
    #[error("the tree has {0} bytes: expected at most {MAX_BYTES}")]
    TooLong(usize),
    /// More than [`MAX_NODES`] turns.
    #[error("the tree has more than {MAX_NODES} turns")]
    TooManyTurns,
    /// More than [`MAX_DEPTH`] nested brackets.
    #[error("more than {MAX_DEPTH} nested variations")]
    TooDeep,
    /// A quote, bracket or brace that is not closed.
    #[error("expected '{0}' before the end of the text")]
    Unclosed(char),
    /// A closing bracket without an opening one.
    #[error("unmatched closing bracket")]
    NotOpen,
    /// A variation without a turn to replace.
    #[error("variation before the first turn")]
    VariationFirst,
    /// A comment, glyph, time or shape without a turn.
    #[error("comment before the first turn")]
    CommentFirst,
    /// A word that is not a turn.
    #[error("expected a turn number and a side, like 2g, found '{0}'")]
    Word(String),
    /// A turn with the wrong number or side.
    #[error("expected turn {expected}, found {found}")]
    Order {
        /// The next turn.
        expected: TurnTag,
        /// The turn in the text.
        found: TurnTag,
    },
    /// An illegal turn.
    #[error("{tag}: {error}")]
    Turn {
        /// The turn.
        tag: TurnTag,
        /// The cause.
        error: IllegalTurn,
    },
    /// An invalid time.
    #[error("invalid time '({0})': expected seconds, like (12.5s)")]
    Time(String),
    /// Unknown rules.
    #[error("rules: {0}")]
    Rules(surus_rules::UnknownRules),
    /// An invalid start position.
    #[error("invalid position '{0}': expected a turn and a board, like 2g [64 characters]")]
    Position(String),
    /// No turns.
    #[error("the tree has no turn: expected a line like 2g Ed2n")]
    NoTurns,
}

impl GameTree {
    /// Whether a text is a tree rather than a plain record.
    #[must_use]
    pub fn looks_like_tree(text: &str) -> bool {
        let is_bracket = |line: &str| line == "]" || line.starts_with("[ ");
        Self::has_first_line(text) || text.lines().map(str::trim).any(is_bracket)
    }

    pub(crate) fn has_first_line(text: &str) -> bool {
        text.lines().next().is_some_and(|line| line.trim() == FIRST_LINE)
    }

    /// Parses a tree up to its first error; fails if not even the first turn is legal.
    pub fn parse(text: &str) -> Result<Self, TreeError> {
        reader::read(text)
    }

    /// The tree of a game without variations.
    #[must_use]
    pub fn from_game(game: &Game) -> Self {
        let (board, tag) = game.origin();
        let mut before = *board;
        let mut nodes = Vec::with_capacity(game.entries().len());
        for (index, entry) in game.entries().iter().enumerate() {
            let text = notation(&before, &entry.played);
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
    /// A turn without comment, glyph, time and shapes.
    pub(crate) fn new(parent: Option<usize>, tag: TurnTag, text: String) -> Self {
        Self { parent, tag, text, used: None, comment: String::new(), mark: None, shapes: Vec::new() }
    }
}

/// The notation of a turn on a board, with captures.
fn notation(board: &Board, played: &PlayedTurn) -> String {
    match played {
        PlayedTurn::Setup(setup) => setup.to_string(),
        PlayedTurn::Turn(turn) => board.notation(turn),
    }
}

/// Expands several steps of one piece that are written together (`Ee2nn`).
pub(crate) fn expand_word(word: &str) -> Vec<String> {
    let is_short = word.len() > 4
        && word.get(..4).is_some_and(|head| matches!(head.parse(), Ok(Token::Step(_))))
        && word[4..].chars().all(|letter| "nesw".contains(letter));
    if is_short { Token::expand_shorthand(word) } else { vec![word.into()] }
}
