//! Reads games and positions from a text in any known format.

use surus_rules::{
    Diagram, Game, GameResult, ParseGameError, Position, PositionError, Record, RecordError, Replay, Rules,
    TurnTag,
};

use crate::ats::SuiteError;
use crate::composed::composed_start;
use crate::format::{header, ranks};
use crate::tree::expand_word;
use crate::{
    ArchiveFileError, ArchiveHeader, ArchiveRow, Format, FormatError, GameTree, RawGame, TreeError, ats,
    parse_games,
};

/// A text without a readable game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// Unknown format, or a format without games.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Invalid archive.
    #[error(transparent)]
    Archive(#[from] ArchiveFileError),
    /// Invalid position or record.
    #[error(transparent)]
    Text(#[from] ParseGameError),
    /// Invalid tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// Invalid test.
    #[error(transparent)]
    Test(#[from] SuiteError),
    /// No game.
    #[error("the text contains no game")]
    NoGame,
    /// Several games instead of one.
    #[error("the text has {0} games: expected one")]
    ManyGames(usize),
}

impl From<PositionError> for ReadError {
    fn from(error: PositionError) -> Self {
        Self::Text(error.into())
    }
}

impl From<RecordError> for ReadError {
    fn from(error: RecordError) -> Self {
        Self::Text(error.into())
    }
}

const EXPECTED_FORMATS: &str = "a position, a game record, a game tree, an archive or a test";

/// The games of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// Each up to its first error. A position is a game without turns.
    pub games: Vec<GameTree>,
    /// The games of which not even the first turn could be read.
    pub failures: Vec<ReadFailure>,
}

/// A game that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadFailure {
    /// Number of the game in the archive, or its position in the text.
    pub name: String,
    /// Its first line in the text.
    pub line: usize,
    /// Place and cause.
    pub error: ReadError,
}

impl FromIterator<Result<GameTree, ReadFailure>> for Games {
    fn from_iter<I: IntoIterator<Item = Result<GameTree, ReadFailure>>>(results: I) -> Self {
        let mut found = Self::default();
        for result in results {
            match result {
                Ok(game) => found.games.push(game),
                Err(failure) => found.failures.push(failure),
            }
        }
        found
    }
}

/// Reads up to `limit` games of a text. A text with a single game that cannot be read is an error.
///
/// ```
/// let found = surus_record::games("Gold: Ann\n\n1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2", 10)?;
/// assert_eq!((found.games[0].gold.as_str(), found.games[0].nodes.len()), ("Ann", 1));
/// # Ok::<(), surus_record::ReadError>(())
/// ```
pub fn games(text: &str, limit: usize) -> Result<Games, ReadError> {
    let text = normalize(text);
    let only = |games| Games { games, failures: Vec::new() };
    let mut found = match Format::detect(&text)? {
        found @ (Format::KnownWins | Format::Packed) => {
            return Err(FormatError::Unexpected { found, expected: EXPECTED_FORMATS }.into());
        }
        Format::Archive => {
            let columns = ArchiveHeader::parse(text.lines().next().unwrap_or(""))?;
            rows(&columns, &text, 1, limit)
        }
        Format::ArchiveRows => {
            let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
            let columns = ArchiveHeader::from_bare_row(first).ok_or(ReadError::NoGame)?;
            rows(&columns, &text, 0, limit)
        }
        Format::TestToml => {
            let tests = ats::parse_toml("the text", &text)?;
            let tree = |test: &ats::Test| titled(&test.game, &test.name);
            only(tests.iter().take(limit).map(tree).collect())
        }
        Format::Tree => only(vec![GameTree::parse(&unescaped(&text))?]),
        Format::Record => plain_records(&text, limit)?,
        format @ (Format::Compact | Format::Ranks | Format::Diagram | Format::Ats) => {
            only(vec![titled(&position(&text, format)?, "Position")])
        }
    };
    match (&found.games[..], found.failures.len()) {
        ([], 0) => Err(ReadError::NoGame),
        ([], 1) => Err(found.failures.remove(0).error),
        _ => Ok(found),
    }
}

/// Reads the only game or position of a text, which must be free of errors. A game record is read without handicaps.
pub fn game(text: &str) -> Result<Game, ReadError> {
    let text = normalize(text);
    if text.trim().is_empty() {
        return Err(PositionError::Empty.into());
    }
    match Format::detect(&text)? {
        found @ (Format::KnownWins | Format::Packed) => {
            Err(FormatError::Unexpected { found, expected: EXPECTED_FORMATS }.into())
        }
        Format::Archive | Format::ArchiveRows | Format::Tree => match &parse_games(&text)?[..] {
            [raw] => match raw.replay(raw.rules) {
                (replay, None) => Ok(replay.game),
                (_, Some(problem)) => Err(problem.into()),
            },
            [] => Err(ReadError::NoGame),
            many => Err(ReadError::ManyGames(many.len())),
        },
        Format::TestToml => {
            let mut tests = ats::parse_toml("the text", &text)?;
            match (tests.pop(), tests.len()) {
                (Some(test), 0) => Ok(test.game),
                (_, others) => Err(ReadError::ManyGames(others + 1)),
            }
        }
        Format::Record => {
            let (_, record) = split_headers(&unescaped(&text));
            if let Some(composed) = composed_start(&record) {
                let (start, record) = composed?;
                let raw = RawGame { start: Some(start), ..RawGame::new("1", 1, record) };
                return match raw.replay(raw.rules) {
                    (replay, None) => Ok(replay.game),
                    (_, Some(problem)) => Err(problem.into()),
                };
            }
            Ok(Game::from_text(&expand_steps(&record), Rules::Official)?)
        }
        format @ (Format::Compact | Format::Ranks | Format::Diagram | Format::Ats) => position(&text, format),
    }
}

/// Removes the byte order mark and carriage returns.
fn normalize(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace('\r', "")
}

fn titled(game: &Game, title: &str) -> GameTree {
    GameTree { title: title.into(), ..GameTree::from_game(game) }
}

/// Reads the rows of an archive.
fn rows(columns: &ArchiveHeader, text: &str, header_lines: usize, limit: usize) -> Games {
    let read = |(index, text): (usize, &str)| {
        let line = index + 1;
        let failure = |name: &str, error| ReadFailure { name: name.into(), line, error };
        let row = columns.parse_row(text, line).map_err(|error| failure("", error.into()))?;
        let mut tree = GameTree::from_row(&row);
        match tree.problem.take() {
            Some(problem) if tree.nodes.is_empty() => Err(failure(row.id(), problem)),
            problem => Ok(GameTree { problem, ..tree }),
        }
    };
    let lines = text.lines().enumerate().skip(header_lines).filter(|(_, line)| !line.trim().is_empty());
    lines.take(limit).map(read).collect()
}

/// Reads records. Headers are used if there is only one game.
fn plain_records(text: &str, limit: usize) -> Result<Games, ReadError> {
    let (headers, _) = split_headers(&unescaped(text));
    let read = |raw: &RawGame| {
        raw.with_composed_start().and_then(|raw| raw.tree()).map_err(|error| ReadFailure {
            name: raw.name.clone(),
            line: raw.line,
            error,
        })
    };
    let mut found: Games = parse_games(text)?.iter().take(limit).map(read).collect();
    if let [game] = &mut found.games[..] {
        let value = |names: [&str; 2]| {
            let matches = |name: &str| names.iter().any(|other| other.eq_ignore_ascii_case(name));
            headers.iter().find(|(name, _)| matches(name)).map_or(String::new(), |(_, value)| value.clone())
        };
        (game.gold, game.silver) = (value(["Gold", "White"]), value(["Silver", "Black"]));
        game.title = value(["Event", "Title"]);
    }
    Ok(found)
}

/// Splits off the headers and replaces them by empty lines, so that line numbers do not change.
pub(crate) fn split_headers(text: &str) -> (Vec<(String, String)>, String) {
    let mut headers = Vec::new();
    let mut record = Vec::new();
    for line in text.lines() {
        match header(line) {
            Some((name, value)) => {
                headers.push((name.into(), value.into()));
                record.push("");
            }
            None => record.push(line),
        }
    }
    (headers, record.join("\n"))
}

/// Replaces escaped line ends, which records copied from web pages have, and the slashes between the turns of a puzzle.
pub(crate) fn unescaped(text: &str) -> String {
    if text.trim().contains('\n') {
        text.into()
    } else {
        text.replace("\\n", "\n").replace(" / ", "\n").replace("%13", "\n").replace("%25", "%")
    }
}

/// Expands the steps of a record that are written in shorthand.
fn expand_steps(record: &str) -> String {
    let line = |line: &str| line.split_whitespace().flat_map(expand_word).collect::<Vec<_>>().join(" ");
    record.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl RawGame {
    /// Replays the record up to its first error, which is returned; its lines are counted from the start of the record.
    #[must_use]
    pub fn replay(&self, rules: Rules) -> (Replay, Option<RecordError>) {
        let mut replay = Replay { game: self.initial_game(rules), takebacks: 0 };
        if self.start.is_some() && self.record.trim().is_empty() {
            return (replay, None);
        }
        let played =
            Record::parse(&expand_steps(&self.record)).and_then(|record| record.replay_into(&mut replay));
        (replay, played.err())
    }

    /// With the position of a record that has one instead of setups.
    fn with_composed_start(&self) -> Result<Self, ReadError> {
        match composed_start(&self.record) {
            None => Ok(self.clone()),
            Some(composed) => {
                let (start, record) = composed?;
                Ok(Self { start: Some(start), record, ..self.clone() })
            }
        }
    }

    /// The game up to its first error; an error if there is neither a start position nor a legal first turn.
    pub fn tree(&self) -> Result<GameTree, ReadError> {
        let (replay, problem) = self.replay(self.rules);
        let in_file = |error: RecordError| RecordError { line: self.line - 1 + error.line, ..error };
        match problem.map(in_file) {
            Some(problem) if self.start.is_none() && replay.game.entries().is_empty() => Err(problem.into()),
            problem => Ok(GameTree { problem: problem.map(Into::into), ..GameTree::from_game(&replay.game) }),
        }
    }
}

impl GameTree {
    /// The game up to its first error, possibly without turns.
    #[must_use]
    pub fn from_raw(raw: &RawGame) -> Self {
        raw.tree().unwrap_or_else(|problem| Self {
            problem: Some(problem),
            ..Self::from_game(&raw.initial_game(raw.rules))
        })
    }

    /// The game of an archive row, with the times of its turns.
    #[must_use]
    pub fn from_row(row: &ArchiveRow) -> Self {
        let player = |name: &str, rating: &str| match row.get(rating) {
            "" => row.get(name).to_string(),
            rating => format!("{} ({rating})", row.get(name)),
        };
        let mut tree = Self::from_raw(&RawGame::from(row));
        if let Some(ReadError::Text(ParseGameError::Record(error))) = &mut tree.problem {
            // The record of a row is on one line of the file.
            error.line = row.line;
        }
        tree.gold = player("gusername", "grating");
        tree.silver = player("susername", "srating");
        tree.title = format!("{} {}", row.id(), row.get("event")).trim().into();
        if let (Some(reason), winner) = (row.termination(), row.winner()) {
            tree.ending = Some(GameResult { winner, reason });
        }
        tree.set_times(&row.events());
        tree
    }

    /// Sets the times of the turns from a log.
    pub fn set_times(&mut self, log: &crate::EventLog) {
        let times: std::collections::HashMap<TurnTag, _> =
            log.turns.iter().map(|turn| (turn.tag, turn.used)).collect();
        for node in &mut self.nodes {
            node.used = times.get(&node.tag).copied();
        }
    }
}

fn position(text: &str, format: Format) -> Result<Game, ReadError> {
    let parse_ranks = || ranks(text).map(|(side, ranks)| position_from_ranks(side, ranks));
    match format {
        Format::Ats => Ok(ats::position("the text", text)?),
        Format::Ranks => parse_ranks().unwrap_or(Err(PositionError::Empty)).map_err(Into::into),
        Format::Diagram => Ok(diagram(text)?),
        _ => {
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
            let text = lines.join("\n");
            let text = text.trim();
            Ok(Game::from_text(text.strip_prefix("setposition ").unwrap_or(text), Rules::Official)?)
        }
    }
}

fn position_from_ranks(side: &str, ranks: &str) -> Result<Game, PositionError> {
    let squares: String = ranks
        .chars()
        .filter(|&letter| letter != '/')
        .map(|letter| match letter.to_digit(10) {
            Some(empty) => " ".repeat(empty as usize),
            None => letter.to_string(),
        })
        .collect();
    let position: Position = format!("{side} [{squares}]").parse()?;
    Ok(Game::from_position(&position, 2, Rules::Official))
}

/// Parses a diagram, also within other text: the last tag before the first rank, and the eight ranks. Other lines are
/// replaced by empty ones, so that line numbers do not change.
fn diagram(text: &str) -> Result<Game, PositionError> {
    let lines: Vec<&str> = text.lines().collect();
    let is_top =
        |line: &&str| line.trim().strip_prefix('8').is_some_and(|rest| rest.trim_start().starts_with('|'));
    let top = lines.iter().position(is_top);
    let read = |text: &str| {
        let diagram: Diagram = text.parse()?;
        Ok(Game::from_position(&diagram.position, diagram.number, Rules::Official))
    };
    let Some(top) = top else { return read(text) };
    let tag = lines[..top].iter().rposition(|line| TurnTag::parse(line.trim()).is_some());
    let mut ranks = 0;
    let keep_line = |(index, line): (usize, &&'_ str)| {
        let is_rank = index >= top && !line.trim().is_empty() && ranks < 8;
        ranks += usize::from(is_rank);
        if is_rank || tag == Some(index) { (*line).to_string() } else { String::new() }
    };
    let mut kept_lines: Vec<String> = lines.iter().enumerate().map(keep_line).collect();
    match (tag, top) {
        (None, 0) => kept_lines.insert(0, "2g".into()),
        (None, _) => kept_lines[0] = "2g".into(),
        (Some(_), _) => {}
    }
    read(&kept_lines.join("\n"))
}

#[cfg(test)]
mod tests;
