//! Many games in one file, however they are written down.

use surus_rules::{Diagram, Game, Handicap, Position, Rules};

use crate::read::{split_headers, unescaped};
use crate::{Archive, ArchiveRow, Format, FormatError, GameTree, ReadError};

/// One game of a file: what it is called there, its record, and the rules of its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// The archive's number, or the line where the record begins.
    pub name: String,
    /// The line of the file where the game begins.
    pub line: usize,
    /// The record, one turn a line.
    pub record: String,
    /// The rules it was played by, as far as the file tells.
    pub rules: Rules,
    /// Where it began, if not with its setups.
    pub start: Option<Diagram>,
}

impl RawGame {
    /// The game before the first turn of the record. Handicaps are accepted: they were agreed on by those who played.
    #[must_use]
    pub fn initial_game(&self, rules: Rules) -> Game {
        match &self.start {
            Some(Diagram { number, position }) => Game::from_position(position, *number, rules),
            None => Game::new(rules, Handicap::Allowed),
        }
    }
}

impl RawGame {
    /// The main line of a tree, if all of it could be read.
    fn of_tree(tree: &GameTree) -> Result<Self, ReadError> {
        if let Some(problem) = &tree.problem {
            return Err(problem.clone());
        }
        let (board, tag) = tree.origin;
        let start = if board.occupied().is_empty() { None } else { Some(Position::new(board, tag.side)?) };
        Ok(Self {
            name: "1".into(),
            line: 1,
            record: tree.record(),
            rules: tree.rules,
            start: start.map(|position| Diagram { number: tag.number, position }),
        })
    }
}

impl From<&ArchiveRow> for RawGame {
    fn from(row: &ArchiveRow) -> Self {
        Self {
            name: row.id().into(),
            line: row.line,
            record: row.record(),
            rules: row.rules(),
            start: row.start_position(),
        }
    }
}

/// All games of a file, not yet played: those of an archive, the main line of a tree, or records with blank lines between
/// them and # before comments. A file of comments alone has none.
pub fn parse_games(text: &str) -> Result<Vec<RawGame>, ReadError> {
    const EXPECTED: &str = "game records, a game tree or an archive";
    let of_archive = |archive: Archive| archive.rows.iter().map(RawGame::from).collect();
    match Format::detect(text) {
        Err(FormatError::Empty) => Ok(Vec::new()),
        Ok(Format::Archive) => Ok(of_archive(Archive::parse(text.trim_start_matches('\u{feff}'))?)),
        Ok(Format::ArchiveRows) => Ok(of_archive(Archive::parse_bare(text.trim_start_matches('\u{feff}'))?)),
        Ok(Format::Tree) => Ok(vec![RawGame::of_tree(&GameTree::parse(&unescaped(text))?)?]),
        Ok(Format::Record) => Ok(plain(&split_headers(&unescaped(text.trim_start_matches('\u{feff}'))).1)),
        Ok(found) => Err(FormatError::Unexpected { found, expected: EXPECTED }.into()),
        Err(error) => Err(error.into()),
    }
}

fn plain(text: &str) -> Vec<RawGame> {
    let mut found: Vec<RawGame> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        let line_of_play = !line.trim().is_empty() && !line.trim_start().starts_with('#');
        match found.last_mut() {
            Some(last) if open && line_of_play => {
                last.record.push('\n');
                last.record.push_str(line);
            }
            _ if line_of_play => {
                found.push(RawGame {
                    name: (found.len() + 1).to_string(),
                    line: index + 1,
                    record: line.into(),
                    rules: Rules::Official,
                    start: None,
                });
            }
            _ => {}
        }
        open = line_of_play || (open && !line.trim().is_empty());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_records_and_comments_do_not() {
        let found = parse_games("# a\n1g x\n# between\n1s y\n\n\n1g z\n").unwrap();
        let told: Vec<_> = found.iter().map(|s| (s.name.as_str(), s.record.as_str())).collect();
        assert_eq!(told, [("1", "1g x\n1s y"), ("2", "1g z")]);
    }
}
