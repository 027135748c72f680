//! Games that people and programs have played: they replay, they end as their archive says, and their clocks ran
//! as ours do.

mod common;

use std::time::Duration;

use common::shared;
use surus_rules::{
    Clock, Game, GameResult, Handicap, IllegalTurn, OutOfTime, Position, Record, RecordError, Replay, Rules,
    Side, Termination, TimeControl, Token, TurnTag,
};

/// A row of the official archive, its columns found by their names.
struct Row<'a> {
    names: Vec<&'a str>,
    columns: Vec<&'a str>,
}

impl<'a> Row<'a> {
    fn all(archive: &'a str) -> Vec<Self> {
        let mut lines = archive.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let names = lines.next().unwrap();
        let row = |columns: Vec<&'a str>| {
            assert_eq!(columns.len(), 29);
            Self { names: names.clone(), columns }
        };
        lines.map(row).collect()
    }

    fn get(&self, name: &str) -> &'a str {
        self.columns[self.names.iter().position(|&n| n == name).unwrap()]
    }

    /// The rules of the day it was played; a row without a date is of today.
    fn rules(&self) -> Rules {
        const YEAR_2005: u64 = 1_104_537_600;
        const JULY_2008: u64 = 1_214_870_400;
        match self.get("startts").parse().unwrap() {
            0 | JULY_2008.. => Rules::Official,
            YEAR_2005.. => Rules::Classic2005,
            _ => Rules::Classic2004,
        }
    }

    fn replay(&self) -> Result<Replay, RecordError> {
        Record::parse(&self.get("movelist").replace("\\n", "\n"))?.replay(self.rules(), Handicap::None)
    }

    /// What the archive says about the end, where it was not a draw or unknown.
    fn ending(&self) -> GameResult {
        let letter = |name| self.get(name).chars().next().unwrap();
        GameResult::win(
            Side::from_letter(letter("result")).unwrap(),
            Termination::from_letter(letter("termination")).unwrap(),
        )
    }

    /// The log, each line with its time in seconds.
    fn events(&self) -> impl Iterator<Item = (u64, &'a str)> {
        self.get("events").split("\\n").filter_map(|line| {
            let (time, rest) = line.split_once(' ')?;
            Some((time.parse().ok()?, rest.split_once("] ")?.1))
        })
    }
}

/// Replays every row and returns what fails. The others end as the archive says, but for those in `disputed`, and
/// come back from the record that we write.
fn replay_all(archive: &str, disputed: &[&str]) -> Vec<String> {
    let mut failed = Vec::new();
    for row in Row::all(archive) {
        let (id, said) = (row.get("id"), row.ending());
        let game = match row.replay() {
            Ok(replay) => replay.game,
            Err(error) => {
                failed.push(format!("{id}: {error}"));
                continue;
            }
        };
        match game.result() {
            Some(found) => assert_eq!(found == said, !disputed.contains(&id), "{id}: {found}, not {said}"),
            None => assert!(!matches!(said.reason.letter(), 'g' | 'e' | 'm'), "{id} goes on"),
        }
        let written = Record::parse(&game.to_string()).unwrap().replay(row.rules(), Handicap::None);
        assert_eq!(written.unwrap().game, game, "{id}");
    }
    failed
}

#[test]
fn the_games_of_2002_replay_but_for_three_that_break_the_rules() {
    let Some(archive) = shared("games/allgames2002.txt") else { return };
    assert_eq!(Row::all(&archive).len(), 64);
    // In game 10 gold's resignation stands in the record, and gold is the winner in the columns beside it.
    assert_eq!(
        replay_all(&archive, &["10"]),
        [
            "32: line 29: 15g: Dd4n: the dog on d4 is frozen by the horse on c4",
            "46: line 43: 22g: the game is over: silver wins by goal",
            "55: line 47: 22g: Cg3n: the cat on g3 is frozen by the dog on h3",
        ]
    );
    let takebacks: usize =
        Row::all(&archive).iter().filter_map(|row| row.replay().ok()).map(|replay| replay.takebacks).sum();
    assert_eq!(takebacks, 23, "25 less the two of game 55");
}

#[test]
fn the_games_of_february_2026_replay() {
    let Some(archive) = shared("games/allgames202602.txt") else { return };
    assert_eq!(Row::all(&archive).len(), 121);
    assert!(replay_all(&archive, &[]).is_empty());
}

#[test]
fn the_games_of_older_engines_replay() {
    let Some(archive) = shared("games/engine_games.txt") else { return };
    assert_eq!(Row::all(&archive).len(), 240);
    assert!(replay_all(&archive, &[]).is_empty());
}

/// The gameroom took the turn out of the record, but its log has it.
#[test]
fn the_bot_that_lost_by_an_illegal_turn_repeated_a_position() {
    let Some(archive) = shared("games/allgames202602.txt") else { return };
    let rows = Row::all(&archive);
    let row = rows.iter().find(|row| row.get("id") == "669192").unwrap();
    assert_eq!(row.ending(), GameResult::win(Side::Gold, Termination::Illegal));
    let sent = row.events().filter_map(|(_, line)| line.strip_prefix("move 31b received from b ["));
    let turn = sent.last().unwrap().trim_end_matches(']');
    let mut game = row.replay().unwrap().game;
    let silver = |number| TurnTag { number, side: Side::Silver };
    let repetition = IllegalTurn::Repetition { first: silver(29), second: silver(30) };
    assert_eq!(game.play_text(turn), Err(repetition));
}

/// The records have a line `# replay: legal, plies 85, end natural w/g, flags …` each.
#[test]
fn the_records_of_many_sources_replay() {
    let Some(text) = shared("games/records.txt") else { return };
    let (mut records, mut ended, mut refused) = (0, 0, Vec::new());
    for record in text.split("\n\n").filter(|block| block.contains("# replay: legal")) {
        records += 1;
        let note = record.lines().find_map(|line| line.strip_prefix("# replay: legal, plies ")).unwrap();
        let source = record.lines().find_map(|line| line.strip_prefix("# source: ")).unwrap();
        // The records have no date; their rules follow from their contents.
        let old = note.contains("continues after e") || note.contains("third repetition");
        let rules = if old { Rules::Classic2005 } else { Rules::Official };
        let replay = match Record::parse(record).unwrap().replay(rules, Handicap::Allowed) {
            Ok(replay) => replay,
            Err(error) => {
                refused.push((source.split(' ').nth(1).unwrap(), error.to_string()));
                continue;
            }
        };
        let (plies, rest) = note.split_once(", end ").unwrap();
        assert_eq!(replay.game.entries().len(), plies.parse::<usize>().unwrap(), "{source}");
        match (rest.strip_prefix("natural "), replay.game.result()) {
            (Some(said), Some(found)) => {
                let letters: Vec<char> = said.chars().take(3).collect();
                assert_eq!(Side::from_letter(letters[0]), found.winner, "{source}");
                // A game that goes on after an elimination ends by something else under its own rules.
                assert!(old || letters[2] == found.reason.letter(), "{source}: {found}");
                ended += 1;
            }
            (None, found) => {
                let repeated = GameResult::win(Side::Silver, Termination::Repetition);
                assert_eq!(found, note.contains("third repetition").then_some(repeated), "{source}");
            }
            (Some(said), None) => panic!("{source} goes on: {said}"),
        }
    }
    // Both are test records of a program: one goes on after a third repetition, which no rules allow, and one
    // sets pieces up where none may stand.
    let file = "pyrimaa/tests/test_game.py";
    let repetition = "line 11: 5g: the game is over: gold wins by third repetition";
    let setup = "line 3: 1g: 'Ee5' is outside gold's home ranks: expected rank 1 or 2";
    assert_eq!(refused, [(file, repetition.to_owned()), (file, setup.to_owned())]);
    assert_eq!((records, ended), (54, 29));
}

/// The record that is refused for its setup, from the position it sets up, is the thirtieth that ends by rule.
#[test]
fn the_record_with_an_odd_setup_goes_on_from_its_position() {
    let Some(text) = shared("games/records.txt") else { return };
    let record = text.split("\n\n").find(|block| block.contains("1g Rc2 Ee5")).unwrap();
    let placed = ["Rc2", "Ee5", "rc7", "rf7", "ed7"].map(|word| match word.parse() {
        Ok(Token::Placement(piece, square)) => (square, piece),
        other => panic!("{word}: {other:?}"),
    });
    let start = Position::new(placed.into_iter().collect(), Side::Gold).unwrap();
    let turns: Vec<&str> = record.lines().filter(|line| line.starts_with(['2', '3'])).collect();
    let turns = Record::parse(&turns.join("\n")).unwrap();
    let game = turns.replay_on(Game::from_position(&start, 2, Rules::Official)).unwrap().game;
    assert_eq!(game.result(), Some(GameResult::win(Side::Silver, Termination::Elimination)));
}

#[test]
fn every_time_control_of_the_archives_is_read() {
    let (mut read, mut other) = (0, 0);
    for name in ["allgames2002.txt", "allgames202602.txt", "engine_games.txt"] {
        let Some(archive) = shared(&format!("games/{name}")) else { return };
        for row in Row::all(&archive) {
            let text = row.get("timecontrol");
            match text.parse::<TimeControl>() {
                Ok(control) => {
                    assert_eq!(control.to_string().parse(), Ok(control), "{text}");
                    read += 1;
                }
                Err(error) => {
                    assert!(text.starts_with("depth "), "{error}");
                    other += 1;
                }
            }
        }
    }
    assert_eq!((read, other), (64 + 121 + 91, 149));
}

/// `after 5w, move used:N wresv:N bresv:N game:N`: tag, seconds used, reserves of gold and silver.
fn logged_turn(line: &str) -> Option<(TurnTag, u64, [u64; 2])> {
    let (tag, rest) = line.strip_prefix("after ")?.split_once(", move ")?;
    let number = |name: &str| rest.split(' ').find_map(|word| word.strip_prefix(name)?.parse().ok());
    Some((TurnTag::parse(tag)?, number("used:")?, [number("wresv:")?, number("bresv:")?]))
}

/// Not one reserve of 7924 turns differs, and every side that lost on time had used a second more than it had.
#[test]
fn clocks_run_as_in_the_gameroom() {
    let Some(archive) = shared("games/allgames202602.txt") else { return };
    let (mut turns, mut overdue) = (0, 0);
    for row in Row::all(&archive) {
        let id = row.get("id");
        let mut clock = Clock::new(row.get("timecontrol").parse().unwrap());
        let (mut last, mut to_move) = (0, Side::Gold);
        for (time, line) in row.events() {
            if let Some((tag, used, reserves)) = logged_turn(line) {
                clock.charge(tag.side, Duration::from_secs(used), tag.number == 1).unwrap();
                let ours = Side::BOTH.map(|side| clock.reserve(side).as_secs());
                assert_eq!(ours, reserves, "{id}, turn {tag}, {used} s of {}", clock.control());
                (last, to_move) = (time, tag.side.other());
                turns += 1;
            } else if line.starts_with("game finished") && row.ending().reason == Termination::Time {
                let used = Duration::from_secs(time - last);
                assert_eq!(used, clock.available(to_move, false) + Duration::from_secs(1), "{id}");
                assert_eq!(clock.charge(to_move, used, false), Err(OutOfTime(to_move)));
                assert_eq!(row.ending().winner, Some(to_move.other()));
                overdue += 1;
            }
        }
    }
    assert_eq!((turns, overdue), (7924, 23));
}
