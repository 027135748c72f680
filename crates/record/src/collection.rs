//! Files with several games in any format.

use surus_rules::{Diagram, Game, Handicap, Position, Rules};

use crate::read::{split_headers, unescaped};
use crate::{ArchiveFile, ArchiveRow, Format, FormatError, GameTree, ReadError};

/// One game of a file before it is replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// Number of the game in the archive, or its position in the file.
    pub name: String,
    /// First line of the game in the file.
    pub line: usize,
    /// The record, one turn per line.
    pub record: String,
    /// The rules of the game, as far as the file has them.
    pub rules: Rules,
    /// The start position, if the game does not start with its setups.
    pub start: Option<Diagram>,
}

impl RawGame {
    /// A game that starts with its setups.
    pub(crate) fn new(name: impl Into<String>, line: usize, record: String) -> Self {
        Self { name: name.into(), line, record, rules: Rules::Official, start: None }
    }

    /// The game before the first turn of the record. Handicaps are accepted, because the players agreed on them.
    #[must_use]
    pub fn initial_game(&self, rules: Rules) -> Game {
        match &self.start {
            Some(Diagram { number, position }) => Game::from_position(position, *number, rules),
            None => Game::new(rules, Handicap::Allowed),
        }
    }
}

impl RawGame {
    /// The main line of a tree without errors.
    fn from_tree(tree: &GameTree) -> Result<Self, ReadError> {
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

/// All games of a file before they are replayed: those of an archive, the main line of a tree, or records separated by blank
/// lines, with comments after `#`. A file with comments only has no games.
pub fn parse_games(text: &str) -> Result<Vec<RawGame>, ReadError> {
    const EXPECTED: &str = "game records, a game tree or an archive";
    let from_archive = |archive: ArchiveFile| archive.rows.iter().map(RawGame::from).collect();
    match Format::detect(text) {
        Err(FormatError::Empty) => Ok(Vec::new()),
        Ok(Format::Archive) => Ok(from_archive(ArchiveFile::parse(text.trim_start_matches('\u{feff}'))?)),
        Ok(Format::ArchiveRows) => {
            Ok(from_archive(ArchiveFile::parse_bare(text.trim_start_matches('\u{feff}'))?))
        }
        Ok(Format::Tree) => Ok(vec![RawGame::from_tree(&GameTree::parse(&unescaped(text))?)?]),
        Ok(Format::Record) => {
            Ok(parse_records(&split_headers(&unescaped(text.trim_start_matches('\u{feff}'))).1))
        }
        Ok(found) => Err(FormatError::Unexpected { found, expected: EXPECTED }.into()),
        Err(error) => Err(error.into()),
    }
}

fn parse_records(text: &str) -> Vec<RawGame> {
    let mut games: Vec<RawGame> = Vec::new();
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        let has_text = !line.trim().is_empty() && !line.trim_start().starts_with('#');
        match games.last_mut() {
            Some(last) if open && has_text => {
                last.record.push('\n');
                last.record.push_str(line);
            }
            _ if has_text => {
                games.push(RawGame::new((games.len() + 1).to_string(), index + 1, line.into()));
            }
            _ => {}
        }
        open = has_text || (open && !line.trim().is_empty());
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_separated_by_blank_lines_only() {
        let games = parse_games("# a\n1g x\n# between\n1s y\n\n\n1g z\n").unwrap();
        let parsed: Vec<_> = games.iter().map(|s| (s.name.as_str(), s.record.as_str())).collect();
        assert_eq!(parsed, [("1", "1g x\n1s y"), ("2", "1g z")]);
    }
}
