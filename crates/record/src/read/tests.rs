use std::time::Duration;

use super::*;
use crate::{EventLog, GameRow, Player};

const RECORD: &str = "1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2\n\
    1s ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7\n2g Ee2nn Md2n\n2s";
const COMPACT: &str = "s [r    rrr rc  c hh  r  d      r    d re   D EM D H Cm C HRRRRRRRR]";

fn one(text: &str) -> GameTree {
    let mut found = games(text, 10).unwrap();
    assert_eq!((found.games.len(), found.failures.len()), (1, 0), "{text}");
    found.games.remove(0)
}

#[test]
fn records_are_read_with_headers_and_escaped_line_ends() {
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
    assert_eq!((games(&two, 10).unwrap().games.len(), games(&two, 1).unwrap().games.len()), (2, 1));
}

#[test]
fn archive_rows_have_times_of_both_kinds_of_logs() {
    let gameroom_log = "1 [x] after 1g, move used:13 wresv:1\n2 [x] after 2w, move used:7 wresv:1";
    let surus_log = "after 1g, move used:0.013 gresv:1 sresv:0\nafter 2g, move used:1.500 score:win-2";
    for (events, times) in [(gameroom_log, [13_000, 7_000]), (surus_log, [13, 1_500])] {
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
fn a_row_with_a_start_position_is_replayed_from_there() {
    let game = Game::from_text(COMPACT, Rules::Official).unwrap();
    let start = Diagram { number: 2, position: *game.position() };
    let log = EventLog { start: Some(start), ..EventLog::default() };
    let row = GameRow { record: "2s ef4s".into(), events: log.to_string(), ..GameRow::default() };
    let tree = one(&format!("{row}"));
    assert_eq!((tree.problem, tree.nodes.len(), tree.origin.1.to_string()), (None, 1, "2s".into()));
}

#[test]
fn positions_are_read_in_every_format() {
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
        assert_eq!((tree.origin.0, tree.origin.1.to_string()), (*position.board(), "2s".into()), "{text}");
        assert_eq!(game(&text).unwrap().position(), &position, "{text}");
    }
    assert_eq!(
        one(diagram.split_once('\n').unwrap().1).origin.1.to_string(),
        "2g",
        "without a tag, gold is to move"
    );
}

#[test]
fn trees_are_read_up_to_an_error_and_replayed_without_one() {
    let tree = format!("# Surus tree 1\nposition 2{COMPACT}\n2s ef4s\n[ 2s rg8s ]\n3g Ed3n");
    assert_eq!(one(&tree).nodes.len(), 3);
    assert_eq!(game(&tree).unwrap().tag().to_string(), "3s");
    let wrong = tree.replace("3g Ed3n", "3g Ra1s");
    assert_eq!(one(&wrong).problem.unwrap().to_string(), "3g: 'Ra1s' leaves the board");
    assert_eq!(game(&wrong).unwrap_err().to_string(), "3g: 'Ra1s' leaves the board");
}

#[test]
fn errors_name_the_line() {
    let broken = RECORD.replace("Md2n", "Md2s");
    let tree = one(&format!("Gold: Ann\n{broken}"));
    assert_eq!(tree.nodes.len(), 2);
    let problem = tree.problem.unwrap().to_string();
    assert_eq!(problem, "line 4: 2g: Md2s: d1 is occupied by a gold dog");
    let error = |text: &str| games(text, 10).unwrap_err().to_string();
    assert_eq!(error(" "), "the text is empty: expected a position, a game record or rows of the archive");
    assert!(error("hello").starts_with("line 1: expected a turn number and a side, like 2g, or"));
    assert_eq!(
        error("4321:23g Ra6n Ra7n"),
        "found a list of wins in two turns: expected a position, a game record, a game tree, an archive or a test"
    );
    assert_eq!(game("7| r . |\n8| . |").unwrap_err().to_string(), "line 2: rank 8 has 1 squares, expected 8");
    assert_eq!(game("").unwrap_err(), PositionError::Empty.into());
    let twice = format!("{}\n{row}\n{row}\n", crate::header(), row = GameRow::default());
    assert_eq!(game(&twice).unwrap_err(), ReadError::ManyGames(2));
    assert_eq!(
        parse_games(COMPACT).unwrap_err().to_string(),
        "found a compact position: expected game records, a game tree or an archive"
    );
}

#[test]
fn one_unreadable_game_does_not_hide_the_others() {
    let wrong_setup = RECORD.replace("1g Ra1", "1g Ra4 Ra5 Ra4");
    for (text, line, error) in [
        (
            format!("{RECORD}\n\nhello\n\n{RECORD}"),
            6,
            "line 6: expected a turn number and a side, like 2g, found 'hello'",
        ),
        (
            format!("hello\n\n{RECORD}\n\n{RECORD}"),
            1,
            "line 1: expected a turn number and a side, like 2g, found 'hello'",
        ),
        (
            format!("{RECORD}\n\n{wrong_setup}\n\n{RECORD}"),
            6,
            "line 6: 1g: 'Ra4' is outside gold's home ranks: expected rank 1 or 2",
        ),
    ] {
        let found = games(&text, 10).unwrap();
        assert_eq!((found.games.len(), found.failures.len()), (2, 1), "{text}");
        assert_eq!((found.failures[0].line, &*found.failures[0].error.to_string()), (line, error));
    }
    let row = |id, record: &str| GameRow { id, record: record.into(), ..GameRow::default() }.to_string();
    let rows = [
        &row(1, RECORD.replace("Ee2nn", "Ee2n").as_str()),
        "7\tcut off",
        &row(3, "1g Ra1 Ra1"),
        &row(4, RECORD),
    ];
    let found = games(&format!("{}\n{}\n", crate::header(), rows.map(String::from).join("\n")), 10).unwrap();
    assert_eq!(found.games.len(), 2);
    let failures: Vec<_> = found.failures.iter().map(|failure| (&*failure.name, failure.line)).collect();
    assert_eq!(failures, [("", 3), ("3", 4)]);
    assert_eq!(found.failures[0].error.to_string(), "line 3: expected 29 columns, found 2");
    assert_eq!(found.failures[1].error.to_string(), "line 4: 1g: 'Ra1': a1 is already occupied");
    assert_eq!(games("hello\n\nhello\n\n2g", 10).unwrap().failures.len(), 3, "nothing is readable");
}

#[test]
fn puzzles_start_with_a_composed_position() {
    for text in [
        "1w Ca1 Rd2\n1b ra5\n2w pass",
        "1w Ca1 Rd2 / 1b ra5 / 2w pass",
        "1g Ca1 Rd2\n# to move\n1s ra5\n2g PASS\n",
    ] {
        let tree = one(text);
        assert_eq!((tree.origin.1.to_string(), tree.nodes.len()), ("2s".into(), 0), "{text}");
        assert_eq!(tree.origin.0.occupied().into_iter().count(), 3);
        assert_eq!(game(text).unwrap().tag().to_string(), "2s");
    }
    // With the solution, and with gold to move.
    let solved = one("1w Ca1 Rd2\n1b ra5\n2w pass\n2b ra5s\n3w Rd2n\n");
    assert_eq!((solved.nodes.len(), solved.problem), (2, None));
    assert_eq!(one("1w Ca3 Rd6\n1b ra5\n2w Rd6nn").nodes.len(), 1);
    // Short setups on the home ranks are a handicap game.
    let handicap = one("1w Ca1 Rd2\n1b ra8\n2w Ca1n");
    assert_eq!((handicap.origin.1.to_string(), handicap.nodes.len()), ("1g".into(), 3));
    let error = |text: &str| games(text, 10).unwrap_err().to_string();
    assert_eq!(
        error("1w Cc3 Rd2\n1b ra5"),
        "the gold cat on the trap c3 has no friendly piece next to it and would be captured"
    );
    let wrong = one("1w Ca1 Rd2\n1b ra5\n2w pass\n2b ra6s").problem.unwrap();
    assert_eq!(wrong.to_string(), "line 4: 2s: ra6s: there is no piece on a6");
}
