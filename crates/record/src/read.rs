//! Games and positions out of a text in any known format.

use surus_rules::{
    Diagram, Game, GameResult, ParseGameError, Position, PositionError, Record, RecordError, Replay, Rules,
    TurnTag,
};

use crate::ats::SuiteError;
use crate::format::{header, ranks};
use crate::tree::spelled_out;
use crate::{
    Archive, ArchiveFileError, ArchiveRow, Format, FormatError, GameTree, RawGame, TreeError, ats,
    parse_games,
};

/// Why no game could be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It is nothing known, or nothing that games can be read from.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It is an archive.
    #[error(transparent)]
    Archive(#[from] ArchiveFileError),
    /// It is a position or a record.
    #[error(transparent)]
    Text(#[from] ParseGameError),
    /// It is a tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// It is a test.
    #[error(transparent)]
    Test(#[from] SuiteError),
    /// Nothing in it.
    #[error("there is no game in the text")]
    NoGame,
    /// One game is wanted.
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

const WANTED: &str = "a position, a game record, a game tree, an archive or a test";

/// At most so many games of a text, each as far as it is right. A position is a game without turns.
///
/// ```
/// let games = surus_record::games("Gold: Ann\n\n1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2", 10)?;
/// assert_eq!((games[0].gold.as_str(), games[0].nodes.len()), ("Ann", 1));
/// # Ok::<(), surus_record::ReadError>(())
/// ```
pub fn games(text: &str, most: usize) -> Result<Vec<GameTree>, ReadError> {
    let text = plain(text);
    let found = match Format::detect(&text)? {
        found @ (Format::KnownWins | Format::Packed) => {
            return Err(FormatError::Unexpected { found, expected: WANTED }.into());
        }
        Format::Archive => rows(&Archive::parse(&text)?, most),
        Format::ArchiveRows => rows(&Archive::parse_bare(&text)?, most),
        Format::TestToml => {
            let tests = ats::parse_toml("the text", &text)?;
            let tree = |test: &ats::Test| titled(&test.game, &test.name);
            tests.iter().take(most).map(tree).collect()
        }
        Format::Tree => vec![GameTree::parse(&unescaped(&text))?],
        Format::Record => plain_records(&text, most)?,
        format @ (Format::Compact | Format::Ranks | Format::Diagram | Format::Ats) => {
            vec![titled(&position(&text, format)?, "Position")]
        }
    };
    if found.is_empty() { Err(ReadError::NoGame) } else { Ok(found) }
}

/// The one game or position of a text, which has to be right. A game record is read without handicaps.
pub fn game(text: &str) -> Result<Game, ReadError> {
    let text = plain(text);
    if text.trim().is_empty() {
        return Err(PositionError::Empty.into());
    }
    match Format::detect(&text)? {
        found @ (Format::KnownWins | Format::Packed) => {
            Err(FormatError::Unexpected { found, expected: WANTED }.into())
        }
        Format::Archive | Format::ArchiveRows | Format::Tree => match &parse_games(&text)?[..] {
            [source] => match source.replay(source.rules) {
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
            Ok(Game::from_text(&normal(&record), Rules::Official)?)
        }
        format @ (Format::Compact | Format::Ranks | Format::Diagram | Format::Ats) => position(&text, format),
    }
}

/// Without what editors and operating systems add.
fn plain(text: &str) -> String {
    text.trim_start_matches('\u{feff}').replace('\r', "")
}

fn titled(game: &Game, title: &str) -> GameTree {
    GameTree { title: title.into(), ..GameTree::of_game(game) }
}

fn rows(archive: &Archive, most: usize) -> Vec<GameTree> {
    archive.rows.iter().take(most).map(GameTree::of_row).collect()
}

/// Records with their headers, which belong to the game if there is only one.
fn plain_records(text: &str, most: usize) -> Result<Vec<GameTree>, ReadError> {
    let (headers, _) = split_headers(&unescaped(text));
    let sources = parse_games(text)?;
    let mut games: Vec<GameTree> = sources.iter().take(most).map(RawGame::tree).collect::<Result<_, _>>()?;
    if let [game] = &mut games[..] {
        let value = |names: [&str; 2]| {
            let known = |name: &str| names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name));
            headers.iter().find(|(name, _)| known(name)).map_or(String::new(), |(_, value)| value.clone())
        };
        (game.gold, game.silver) = (value(["Gold", "White"]), value(["Silver", "Black"]));
        game.title = value(["Event", "Title"]);
    }
    Ok(games)
}

/// The headers, and the text with empty lines in their place: lines keep their numbers.
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

/// Records out of web pages have their line ends written out.
pub(crate) fn unescaped(text: &str) -> String {
    if text.trim().contains('\n') {
        text.into()
    } else {
        text.replace("\\n", "\n").replace("%13", "\n").replace("%25", "%")
    }
}

/// A record whose steps are written one by one.
fn normal(record: &str) -> String {
    let line = |line: &str| line.split_whitespace().flat_map(spelled_out).collect::<Vec<_>>().join(" ");
    record.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl RawGame {
    /// Plays the record as far as it is right, and says what is wrong then; lines are counted from where it begins.
    #[must_use]
    pub fn replay(&self, rules: Rules) -> (Replay, Option<RecordError>) {
        let mut replay = Replay { game: self.initial_game(rules), takebacks: 0 };
        let played = Record::parse(&normal(&self.record)).and_then(|record| record.replay_into(&mut replay));
        (replay, played.err())
    }

    /// The game as far as it is right; an error if its first turn is wrong.
    pub fn tree(&self) -> Result<GameTree, ReadError> {
        let (replay, problem) = self.replay(self.rules);
        let in_file = |error: RecordError| RecordError { line: self.line - 1 + error.line, ..error };
        match problem.map(in_file) {
            Some(problem) if replay.game.entries().is_empty() => Err(problem.into()),
            problem => Ok(GameTree { problem: problem.map(Into::into), ..GameTree::of_game(&replay.game) }),
        }
    }
}

impl GameTree {
    /// A game as far as it is right, which may be not at all.
    #[must_use]
    pub fn of_source(source: &RawGame) -> Self {
        source.tree().unwrap_or_else(|problem| Self {
            problem: Some(problem),
            ..Self::of_game(&source.initial_game(source.rules))
        })
    }

    /// A row of an archive, with the times of its turns.
    #[must_use]
    pub fn of_row(row: &ArchiveRow) -> Self {
        let player = |name: &str, rating: &str| match row.get(rating) {
            "" => row.get(name).to_string(),
            rating => format!("{} ({rating})", row.get(name)),
        };
        let mut tree = Self::of_source(&RawGame::from(row));
        tree.gold = player("gusername", "grating");
        tree.silver = player("susername", "srating");
        tree.title = format!("{} {}", row.id(), row.get("event")).trim().into();
        if let (Some(reason), winner) = (row.termination(), row.winner()) {
            tree.ending = Some(GameResult { winner, reason });
        }
        tree.set_times(&row.events());
        tree
    }

    /// Takes over how long the turns of the main line took.
    pub fn set_times(&mut self, log: &crate::EventLog) {
        let times: std::collections::HashMap<TurnTag, _> =
            log.turns.iter().map(|turn| (turn.tag, turn.used)).collect();
        for node in &mut self.nodes {
            node.used = times.get(&node.tag).copied();
        }
    }
}

fn position(text: &str, format: Format) -> Result<Game, ReadError> {
    let of_ranks = || ranks(text).map(|(side, ranks)| short_ranks(side, ranks));
    match format {
        Format::Ats => Ok(ats::position("the text", text)?),
        Format::Ranks => of_ranks().unwrap_or(Err(PositionError::Empty)).map_err(Into::into),
        Format::Diagram => Ok(diagram(text)?),
        _ => {
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
            let text = lines.join("\n");
            let text = text.trim();
            Ok(Game::from_text(text.strip_prefix("setposition ").unwrap_or(text), Rules::Official)?)
        }
    }
}

fn short_ranks(side: &str, ranks: &str) -> Result<Game, PositionError> {
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

/// A diagram, also inside of a letter: the last tag before its first rank, and eight lines from there. Everything else is
/// made empty, so that lines keep their numbers.
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
    let kept = |(index, line): (usize, &&'_ str)| {
        let is_rank = top <= index && !line.trim().is_empty() && ranks < 8;
        ranks += usize::from(is_rank);
        if is_rank || tag == Some(index) { (*line).to_string() } else { String::new() }
    };
    let mut kept: Vec<String> = lines.iter().enumerate().map(kept).collect();
    match (tag, top) {
        (None, 0) => kept.insert(0, "2g".into()),
        (None, _) => kept[0] = "2g".into(),
        (Some(_), _) => {}
    }
    read(&kept.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{EventLog, GameRow, Player};

    const RECORD: &str = "1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2\n\
        1s ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7\n2g Ee2nn Md2n\n2s";
    const COMPACT: &str = "s [r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR]";

    fn one(text: &str) -> GameTree {
        let mut found = games(text, 10).unwrap();
        assert_eq!(found.len(), 1, "{text}");
        found.remove(0)
    }

    #[test]
    fn records_are_read_however_they_were_copied() {
        let plain = one(RECORD);
        assert_eq!(plain.nodes.len(), 3);
        assert_eq!(plain.nodes[2].text, "Ee2n Ee3n Md2n");
        let tagged = one(&format!("Gold: Ann\n[Silver \"Bob\"]\nResult: 1\n\n{RECORD}"));
        assert_eq!((tagged.gold.as_str(), tagged.silver.as_str(), tagged.nodes.len()), ("Ann", "Bob", 3));
        for end in ["\\n", "%13", "\r\n"] {
            assert_eq!(one(&RECORD.replace('\n', end)).nodes.len(), 3);
            assert_eq!(game(&RECORD.replace('\n', end)).unwrap().tag().to_string(), "2s");
        }
        let two = format!("{RECORD}\n\n{RECORD}");
        assert_eq!((games(&two, 10).unwrap().len(), games(&two, 1).unwrap().len()), (2, 1));
    }

    #[test]
    fn an_archive_row_has_the_times_of_either_log_with_and_without_its_header() {
        let gamerooms = "1 [x] after 1g, move used:13 wresv:1\n2 [x] after 2w, move used:7 wresv:1";
        let ours = "after 1g, move used:0.013 gresv:1 sresv:0\nafter 2g, move used:1.500 score:win-2";
        for (events, times) in [(gamerooms, [13_000, 7_000]), (ours, [13, 1_500])] {
            let player = |name: &str, rating| Player { name: name.into(), rating, ..Player::default() };
            let row = GameRow {
                id: 77,
                players: [player("Ann", Some(1500)), player("Bob", None)],
                event: "Casual".into(),
                record: RECORD.replace("Ee2nn", "Ee2n Ee3n"),
                events: events.into(),
                reason: surus_rules::Termination::Resignation,
                ..GameRow::default()
            };
            for text in [format!("{row}"), format!("{}\n{row}\n", crate::header())] {
                let tree = one(&text);
                assert_eq!(
                    (tree.gold.as_str(), tree.silver.as_str(), tree.title.as_str()),
                    ("Ann (1500)", "Bob", "77 Casual")
                );
                let used: Vec<_> = tree.nodes.iter().map(|node| node.used).collect();
                let [first, last] = times.map(|millis| Some(Duration::from_millis(millis)));
                assert_eq!(used, [first, None, last]);
                assert_eq!(tree.ending.unwrap().reason.letter(), 'r');
                assert_eq!(game(&text).unwrap().entries().len(), 3);
                assert_eq!(parse_games(&text).unwrap()[0].name, "77");
            }
        }
    }

    #[test]
    fn a_game_of_ours_that_began_with_a_position_is_read_from_there() {
        let game = Game::from_text(COMPACT, Rules::Official).unwrap();
        let start = Diagram { number: 2, position: *game.position() };
        let log = EventLog { start: Some(start), ..EventLog::default() };
        let row = GameRow { record: "2s ef4s".into(), events: log.to_string(), ..GameRow::default() };
        let tree = one(&format!("{row}"));
        assert_eq!((tree.problem, tree.nodes.len(), tree.origin.1.to_string()), (None, 1, "2s".into()));
    }

    #[test]
    fn positions_are_found_in_every_form() {
        let position = *Game::from_text(COMPACT, Rules::Official).unwrap().position();
        let diagram = Game::from_text(COMPACT, Rules::Official).unwrap().diagram();
        for text in [
            COMPACT.to_string(),
            format!("setposition {COMPACT}\n"),
            format!("# of a game\n{COMPACT}"),
            diagram.clone(),
            diagram.replace('.', " "),
            format!("Dear Ann,\n\n{diagram}\nIs it won?\n"),
            format!("[settings]\nposition =\n{diagram}\ntags = x\n"),
            format!("[[test]]\nname = 'a'\nposition = '{COMPACT}'\navoid = ['ef4s']\n"),
            "r4rrr/1rc2c1h/h2r2d1/5r2/2d1re2/1D1EM1D1/H1Cm1C1H/RRRRRRRR s".into(),
        ] {
            let tree = one(&text);
            assert_eq!(
                (tree.origin.0, tree.origin.1.to_string()),
                (*position.board(), "2s".into()),
                "{text}"
            );
            assert_eq!(game(&text).unwrap().position(), &position, "{text}");
        }
        assert_eq!(one(diagram.split_once('\n').unwrap().1).origin.1.to_string(), "2g", "no tag: gold moves");
    }

    #[test]
    fn trees_are_read_by_everybody_and_only_games_that_are_right_are_replayed() {
        let tree = format!("# Surus tree 1\nposition 2{COMPACT}\n2s ef4s\n[ 2s rg8s ]\n3g Ed3n");
        assert_eq!(one(&tree).nodes.len(), 3);
        assert_eq!(game(&tree).unwrap().tag().to_string(), "3s");
        let wrong = tree.replace("3g Ed3n", "3g Ra1s");
        assert_eq!(one(&wrong).problem.unwrap().to_string(), "3g: 'Ra1s' leaves the board");
        assert_eq!(game(&wrong).unwrap_err().to_string(), "3g: 'Ra1s' leaves the board");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let broken = RECORD.replace("Md2n", "Md2s");
        let tree = one(&format!("Gold: Ann\n{broken}"));
        assert_eq!(tree.nodes.len(), 2);
        let problem = tree.problem.unwrap().to_string();
        assert_eq!(problem, "line 4: 2g: Md2s: d1 is occupied by a gold dog");
        let error = |text: &str| games(text, 10).unwrap_err().to_string();
        assert_eq!(
            error(" "),
            "the text is empty: expected a position, a game record or rows of the archive"
        );
        assert!(error("hello").starts_with("line 1: expected a turn number and a side, like 2g, or"));
        assert_eq!(
            error("4321:23g Ra6n Ra7n"),
            "found a list of wins in two turns: expected a position, a game record, a game tree, an archive or a test"
        );
        assert_eq!(
            game("7| r . |\n8| . |").unwrap_err().to_string(),
            "line 2: rank 8 has 1 squares, expected 8"
        );
        assert_eq!(game("").unwrap_err(), PositionError::Empty.into());
        let twice = format!("{}\n{row}\n{row}\n", crate::header(), row = GameRow::default());
        assert_eq!(game(&twice).unwrap_err(), ReadError::ManyGames(2));
        assert_eq!(
            parse_games(COMPACT).unwrap_err().to_string(),
            "found a compact position: expected game records, a game tree or an archive"
        );
    }
}
