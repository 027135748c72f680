//! The text of a tree: a game record with variations in brackets, comments in quotes, marks, times and shapes.
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

use surus_rules::{Ending, Game, Handicap, Reason, Rules, Token, TurnTag};

use crate::line;
use crate::live::turn_texts;
use crate::view;
use crate::wire::{Origin, ReadGame, TreeNode};

/// The first line of a tree.
pub(crate) const FIRST_LINE: &str = "# Surus tree 1";

/// More turns than anybody writes by hand.
const MOST_NODES: usize = 20_000;

/// Whether a text is a tree and not a plain record.
pub(crate) fn is_one(text: &str) -> bool {
    let lines = || text.lines().map(str::trim);
    lines().next() == Some(FIRST_LINE) || lines().any(|line| line == "]" || line.starts_with("[ "))
}

/// Reads a tree as far as it is right.
pub(crate) fn read(text: &str) -> Result<ReadGame, String> {
    let header = |key: &str| {
        let line =
            text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
        line.unwrap_or_default().trim().to_string()
    };
    let position = text.lines().find_map(|line| line.trim().strip_prefix("position "));
    let origin = position.and_then(|line| {
        let (tag, board) = line.split_once(" [")?;
        Some(Origin { tag: tag.trim().into(), board: board.split_once(']')?.0.into() })
    });
    let rules = header("rules").parse().unwrap_or(Rules::Official);
    let game = line::begin(origin.as_ref(), rules, Handicap::Allowed)?;
    let mut reader = Reader { nodes: Vec::new(), game, at: None, stack: Vec::new(), end: None };
    let origin = view::origin(&reader.game);
    let problem = reader.follow(text).err();
    if reader.nodes.is_empty() {
        return Err(problem.unwrap_or_else(|| "the tree has no turn: expected a line like 2g Ed2n".into()));
    }
    Ok(ReadGame {
        title: header("title"),
        gold: header("gold"),
        silver: header("silver"),
        rules: rules.name().into(),
        origin,
        nodes: reader.nodes,
        end: reader.end.map(view::end),
        problem,
    })
}

struct Reader {
    nodes: Vec<TreeNode>,
    /// The game at the turn where the reader is.
    game: Game,
    at: Option<usize>,
    stack: Vec<(Game, Option<usize>)>,
    end: Option<Ending>,
}

impl Reader {
    fn follow(&mut self, text: &str) -> Result<(), String> {
        let mut turn: Option<(TurnTag, Vec<String>)> = None;
        for part in parts(text)? {
            if let Part::Word(word) = &part
                && let Some((_, words)) = &mut turn
                && TurnTag::parse(word).is_none()
                && !is_mark(word)
            {
                words.push(word.clone());
                continue;
            }
            if let Some((tag, words)) = turn.take() {
                self.play(tag, &words)?;
            }
            match part {
                Part::Word(word) => match TurnTag::parse(&word) {
                    Some(tag) => turn = Some((tag, Vec::new())),
                    None if is_mark(&word) => self.last()?.mark = word,
                    None => {
                        return Err(format!("expected a turn number and a side, like 2g, found '{word}'"));
                    }
                },
                Part::Comment(comment) => self.last()?.comment = comment,
                Part::Time(time) => {
                    let seconds: f64 = time.trim_end_matches('s').parse().unwrap_or(0.0);
                    self.last()?.used_ms = Some((seconds.clamp(0.0, 1e7) * 1000.0) as u64);
                }
                Part::Shapes(shapes) => {
                    self.last()?.shapes = shapes.split_whitespace().take(64).map(Into::into).collect();
                }
                Part::Open => {
                    let at = self.at.ok_or("a variation stands before the first turn")?;
                    self.stack.push((self.game.clone(), self.at));
                    self.game.take_back();
                    self.at = self.nodes[at].parent;
                }
                Part::Close => {
                    (self.game, self.at) =
                        self.stack.pop().ok_or("a bracket is closed that was not opened")?;
                }
            }
        }
        turn.map_or(Ok(()), |(tag, words)| self.play(tag, &words))
    }

    fn last(&mut self) -> Result<&mut TreeNode, String> {
        let at = self.at.ok_or("a comment stands before the first turn")?;
        Ok(&mut self.nodes[at])
    }

    fn play(&mut self, tag: TurnTag, words: &[String]) -> Result<(), String> {
        let gives = match words {
            [] => return Ok(()),
            [word] if word == "resigns" => Some(Reason::Resignation),
            [word] if word == "loses" => Some(Reason::Forfeit),
            _ => None,
        };
        if let Some(reason) = gives {
            self.end = Some(Ending::win(tag.side.other(), reason));
            return Ok(());
        }
        if tag != self.game.tag() {
            return Err(format!("expected turn {}, found {tag}", self.game.tag()));
        }
        if MOST_NODES <= self.nodes.len() {
            return Err(format!("the tree has more than {MOST_NODES} turns"));
        }
        let words: Vec<String> = words.iter().flat_map(|word| spelled_out(word)).collect();
        self.game.play_text(&words.join(" ")).map_err(|error| format!("{tag}: {error}"))?;
        if self.stack.is_empty() {
            self.end = self.game.ending();
        }
        let text = turn_texts(&self.game).pop().unwrap_or_default();
        self.nodes.push(node(self.at, tag, text));
        self.at = Some(self.nodes.len() - 1);
        Ok(())
    }
}

/// A turn about which nothing is said.
pub(crate) fn node(parent: Option<usize>, tag: TurnTag, text: String) -> TreeNode {
    TreeNode {
        parent,
        tag: tag.to_string(),
        text,
        used_ms: None,
        comment: String::new(),
        mark: String::new(),
        shapes: Vec::new(),
    }
}

/// Only what is a short form of steps is spelled out, so that words stay words.
pub(crate) fn spelled_out(word: &str) -> Vec<String> {
    let is_short = 4 < word.len()
        && word.get(..4).is_some_and(|head| matches!(head.parse(), Ok(Token::Step(_))))
        && word[4..].chars().all(|letter| "nesw".contains(letter));
    if is_short { Token::spelled_out(word) } else { vec![word.into()] }
}

fn is_mark(word: &str) -> bool {
    ["!", "?", "!!", "??", "!?", "?!"].contains(&word)
}

enum Part {
    Word(String),
    Comment(String),
    Time(String),
    Shapes(String),
    Open,
    Close,
}

fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let text: Vec<&str> =
        text.lines().filter(|line| !line.starts_with('#') && !line.trim().starts_with("position ")).collect();
    let text = text.join("\n");
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut until = |end: char| {
            let mut found = String::new();
            loop {
                match letters.next() {
                    None => return Err(format!("expected '{end}' before the end of the text")),
                    Some('\\') => found.extend(letters.next().map(|c| if c == 'n' { '\n' } else { c })),
                    Some(letter) if letter == end => return Ok(found),
                    Some(letter) => found.push(letter),
                }
            }
        };
        match letter {
            '"' => parts.push(Part::Comment(until('"')?)),
            '(' => parts.push(Part::Time(until(')')?)),
            '{' => parts.push(Part::Shapes(until('}')?)),
            '[' => parts.push(Part::Open),
            ']' => parts.push(Part::Close),
            letter if letter.is_whitespace() => {}
            letter => {
                let mut word = String::from(letter);
                while let Some(more) = letters.next_if(|c| !c.is_whitespace() && !"\"([{]})".contains(*c)) {
                    word.push(more);
                }
                parts.push(Part::Word(word));
            }
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "# Surus tree 1
# gold: Ann
position 2g [r      r                                                R   E  R]
2g Ee1nn !? (2.5s) {g:e1e3 r:c3} \"to the \\\"middle\\\"\"
[ 2g Ee1n \"shorter\"
2s ra8s ]
2s rh8s";

    #[test]
    fn variations_comments_marks_times_and_shapes_are_read() {
        let game = read(TREE).unwrap();
        assert_eq!(game.problem, None);
        assert_eq!((game.gold.as_str(), game.origin.tag.as_str()), ("Ann", "2g"));
        let told: Vec<_> = game.nodes.iter().map(|n| (n.parent, n.tag.as_str(), n.text.as_str())).collect();
        assert_eq!(
            told,
            [
                (None, "2g", "Ee1n Ee2n"),
                (None, "2g", "Ee1n"),
                (Some(1), "2s", "ra8s"),
                (Some(0), "2s", "rh8s")
            ]
        );
        let first = &game.nodes[0];
        assert_eq!((first.mark.as_str(), first.used_ms), ("!?", Some(2500)));
        assert_eq!(
            (first.comment.as_str(), &first.shapes[..]),
            ("to the \"middle\"", &["g:e1e3".into(), "r:c3".into()][..])
        );
    }

    #[test]
    fn a_tree_is_read_as_far_as_it_is_right() {
        let game = read(&TREE.replace("2s rh8s", "2s rh8n")).unwrap();
        assert_eq!(game.nodes.len(), 3);
        assert_eq!(game.problem.as_deref(), Some("2s: 'rh8n' leaves the board"));
        assert!(read("# Surus tree 1\n]").is_err());
    }
}
