//! Malformed input: each error names the place, what was found and what was expected.

mod common;

use common::placed;
use surus_rules::{
    Diagram, Game, Handicap, Position, Record, Rules, Setup, Side, Square, Step, TimeControl, Token,
};

/// The message of an error.
fn message<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>, input: &str) -> String {
    match result {
        Err(error) => error.to_string(),
        Ok(read) => panic!("'{input}' was read as {read:?}"),
    }
}

/// A compact position of 64 characters with these pieces.
fn compact(pieces: &str) -> String {
    placed(pieces).compact()
}

#[test]
fn a_compact_position_is_told_what_is_wrong() {
    let empty = " ".repeat(64);
    for (text, expected) in [
        ("".to_owned(), "expected '[' in the compact position, found ''"),
        ("hello".to_owned(), "expected '[' in the compact position, found 'hello'"),
        (format!("[{empty}]"), "expected the side to move, g or s (or w or b), before '[', found ''"),
        (format!("x [{empty}]"), "expected the side to move, g or s (or w or b), before '[', found 'x'"),
        (
            format!("gold [{empty}]"),
            "expected the side to move, g or s (or w or b), before '[', found 'gold'",
        ),
        (format!("8g [{empty}]"), "expected the side to move, g or s (or w or b), before '[', found '8g'"),
        (
            format!("g {empty}]"),
            "expected '[' in the compact position, found 'g                                       …'",
        ),
        (
            format!("g [{empty}"),
            "expected ']' in the compact position, found '                                        …'",
        ),
        ("g []".to_owned(), "expected 64 characters between '[' and ']', found 0"),
        (format!("g [{}]", &empty[1..]), "expected 64 characters between '[' and ']', found 63"),
        (format!("g [{empty}.]"), "expected 64 characters between '[' and ']', found 65"),
        (
            format!("g [{}q]", &empty[1..]),
            "invalid character 'q' on h1: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        ),
        (
            format!("g [\u{1b}{}]", &empty[1..]),
            "invalid character '\\u{1b}' on a8: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        ),
        (
            format!("g [é{}]", &empty[1..]),
            "invalid character 'é' on a8: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        ),
        (format!("g [{empty}] 12"), "line 1: expected the end of the position, found '12'"),
        (
            format!("g [{empty}]\n\ng [{empty}]"),
            "line 3: expected the end of the position, found 'g [                                     …'",
        ),
        (
            format!("g [{}]", compact("Ea1 Eb1")),
            "2 pieces 'E' (gold elephant) on the board: expected at most 1",
        ),
        (
            format!("g [{}]", compact("hb1 hc1 hd1")),
            "3 pieces 'h' (silver horse) on the board: expected at most 2",
        ),
        (
            format!("g [{}]", compact("ra1 rb1 rc1 rd1 re1 rf1 rg1 rh1 ra2")),
            "9 pieces 'r' (silver rabbit) on the board: expected at most 8",
        ),
        (
            format!("g [{}]", compact("Rc3")),
            "the gold rabbit on the trap c3 has no friendly piece next to it and would be captured",
        ),
        (
            format!("g [{}]", compact("df6 Rf5")),
            "the silver dog on the trap f6 has no friendly piece next to it and would be captured",
        ),
    ] {
        assert_eq!(message(text.parse::<Position>(), &text), expected, "{text}");
    }
}

const DIAGRAM: &str = "8s
 +-----------------+
8| r . . . . r r r |
7| . r c . . c . h |
6| h . x r . x d . |
5| . . . . . r . . |
4| . . d . r e . . |
3| . D x E M x D . |
2| H . C m . C . H |
1| R R R R R R R R |
 +-----------------+
   a b c d e f g h
";

#[test]
fn a_diagram_is_told_what_is_wrong() {
    for (from, to, expected) in [
        ("8s\n", "", "line 1: expected a turn number and a side, like 8s, found '+-----------------+'"),
        ("8s", "s", "line 1: expected a turn number and a side, like 8s, found 's'"),
        ("8s", "8", "line 1: expected a turn number and a side, like 8s, found '8'"),
        ("8s", "0s", "line 1: expected a turn number and a side, like 8s, found '0s'"),
        ("8s", "+8s", "line 1: expected a turn number and a side, like 8s, found '+8s'"),
        ("8s", "8s Ee2n", "line 1: expected a turn number and a side, like 8s, found '8s Ee2n'"),
        ("8s", "99999999999s", "line 1: expected a turn number and a side, like 8s, found '99999999999s'"),
        (
            "8| r . . . . r r r |\n",
            "",
            "line 3: expected rank 8 of the diagram, '8| . . . . . . . . |', found '7| . r c . . c . h |'",
        ),
        (
            "4| . . d . r e . . |",
            "5| . . d . r e . . |",
            "line 7: expected rank 4 of the diagram, '4| . . . . . . . . |', found '5| . . d . r e . . |'",
        ),
        (
            "4| . . d . r e . . |",
            "4 . . d . r e . .",
            "line 7: expected rank 4 of the diagram, '4| . . . . . . . . |', found '4 . . d . r e . .'",
        ),
        (
            "4| . . d . r e . . |",
            "-----------------",
            "line 7: expected rank 4 of the diagram, '4| . . . . . . . . |', found '-----------------'",
        ),
        ("4| . . d . r e . . |", "4| . . d . r e . |", "line 7: rank 4 has 7 squares, expected 8"),
        ("4| . . d . r e . . |", "4| . . d . r e . . . |", "line 7: rank 4 has 9 squares, expected 8"),
        ("4| . . d . r e . . |", "4|    d   r e        .|", "line 7: rank 4 has 4 squares, expected 8"),
        ("4| . . d . r e . . |", "4|   d    re     |", "line 7: rank 4 has 3 squares, expected 8"),
        (
            "4| . . d . r e . . |",
            "4| . . d . r e . . | <-",
            "line 7: expected rank 4 of the diagram, '4| . . . . . . . . |', found '4| . . d . r e . . | <-'",
        ),
        (
            "4| . . d . r e . . |",
            "4| . . d . r e . q |",
            "invalid character 'q' on h4: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        ),
        (
            "4| . . d . r e . . |",
            "4| . . d . r e . \0 |",
            "invalid character '\\0' on h4: expected EMHDCR, emhdcr, or . x - or space for an empty square",
        ),
        ("1| R R R R R R R R |\n", "1|", "line 10: rank 1 has 19 squares, expected 8"),
        (
            "   a b c d e f g h\n",
            "   a b c d e f g h\n\n2g Ee2n",
            "line 14: expected the end of the position, found '2g Ee2n'",
        ),
        (
            "   a b c d e f g h\n",
            "0| . . . . . . . . |",
            "line 12: expected the end of the position, found '0| . . . . . . . . |'",
        ),
        ("c . h |", "e . h |", "2 pieces 'e' (silver elephant) on the board: expected at most 1"),
        (
            "4| . . d . r e . . |",
            "4| . . d . r e R . |",
            "9 pieces 'R' (gold rabbit) on the board: expected at most 8",
        ),
    ] {
        assert!(DIAGRAM.contains(from), "{from}");
        let text = DIAGRAM.replacen(from, to, 1);
        assert_eq!(message(text.parse::<Diagram>(), &text), expected, "{from} -> {to}");
    }
    let (cut, _) = DIAGRAM.split_once("5|").unwrap();
    assert_eq!(
        message(cut.parse::<Diagram>(), cut),
        "line 6: expected rank 5 of the diagram, '5| . . . . . . . . |', found the end of the text"
    );
    assert_eq!(
        message("\n \n".parse::<Diagram>(), "blank lines"),
        "the position is empty: expected a diagram, 'g [64 characters]', or a game record"
    );
}

#[test]
fn a_token_a_square_and_a_step_are_told_what_is_wrong() {
    for (text, expected) in [
        ("", "'' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("E", "'E' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("Ed", "'Ed' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("Ed2nn", "'Ed2nn' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("takeback", "'takeback' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("Qd2n", "'Qd2n' does not start with a piece: expected one of EMHDCR (gold) or emhdcr (silver)"),
        ("2d2n", "'2d2n' does not start with a piece: expected one of EMHDCR (gold) or emhdcr (silver)"),
        ("Ei2n", "invalid square 'i2' in 'Ei2n': expected a file a to h and a rank 1 to 8 after the piece"),
        ("Ed9", "invalid square 'd9' in 'Ed9': expected a file a to h and a rank 1 to 8 after the piece"),
        ("E2dn", "invalid square '2d' in 'E2dn': expected a file a to h and a rank 1 to 8 after the piece"),
        ("Ed2q", "'Ed2q' does not end with a direction: expected n, e, s, w, or x for a capture"),
        ("Ed2é", "'Ed2é' does not end with a direction: expected n, e, s, w, or x for a capture"),
        ("rc4x", "'rc4x' is a capture on c4, which is not a trap: expected c3, f3, c6 or f6"),
        ("Eh2e", "'Eh2e' leaves the board"),
        ("Ra8n", "'Ra8n' leaves the board"),
        ("Ed2\0", "'Ed2�' does not end with a direction: expected n, e, s, w, or x for a capture"),
    ] {
        assert_eq!(message(text.parse::<Token>(), text), expected, "{text}");
    }
    for (text, expected) in [
        ("i1", "'i1' is not a square: expected a file a to h and a rank 1 to 8, like d2"),
        ("a0", "'a0' is not a square: expected a file a to h and a rank 1 to 8, like d2"),
        ("A1", "'A1' is not a square: expected a file a to h and a rank 1 to 8, like d2"),
        ("", "'' is not a square: expected a file a to h and a rank 1 to 8, like d2"),
        ("a11", "'a11' is not a square: expected a file a to h and a rank 1 to 8, like d2"),
    ] {
        assert_eq!(message(text.parse::<Square>(), text), expected, "{text}");
    }
    let long = message("long ".repeat(1000).parse::<Square>(), "a long text");
    assert!(long.starts_with("'long long long long long long long long …' is not a square"), "{long}");
    for (text, expected) in [
        ("Ra1", "'Ra1' is not a step: expected a piece, a square and a direction, like Ed2n"),
        ("rc3x", "'rc3x' is not a step: expected a piece, a square and a direction, like Ed2n"),
    ] {
        assert_eq!(message(text.parse::<Step>(), text), expected, "{text}");
    }
}

const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";

#[test]
fn a_setup_is_told_what_is_wrong() {
    for (from, to, expected) in [
        (GOLD, "", "the setup of gold has 0 pieces: expected 16; the elephant is missing"),
        (GOLD, SILVER, "'ra8' places a silver piece: expected a gold piece"),
        ("Hh2", "", "the setup of gold has 15 pieces: expected 16; the horse is missing"),
        ("Hh2", "Hh3", "'Hh3' is outside gold's home ranks: expected rank 1 or 2"),
        ("Hh2", "Hg2", "'Hg2': g2 is already occupied"),
        ("Hh2", "Rh2", "'Rh2' is one rabbit too many: expected at most 8"),
        ("Hh2", "Mh2", "'Mh2' is one camel too many: expected at most 1"),
        ("Hh2", "hh2", "'hh2' places a silver piece: expected a gold piece"),
        ("Hh2", "Hh2n", "'Hh2n' is not a placement: expected a piece and a square, like Ra1"),
        ("Hh2", "Hh", "'Hh' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        (
            "Hh2",
            "Hi2",
            "invalid square 'i2' in 'Hi2': expected a file a to h and a rank 1 to 8 after the piece",
        ),
        ("Hh2", "Hh2 Rh3", "'Rh3' is outside gold's home ranks: expected rank 1 or 2"),
    ] {
        let text = GOLD.replace(from, to);
        assert_eq!(
            message(Setup::parse(&text, Side::Gold, Handicap::None), &text),
            expected,
            "{from} -> {to}"
        );
    }
    let silver = SILVER.replace("hh7", "hh6");
    assert_eq!(
        message(Setup::parse(&silver, Side::Silver, Handicap::None), &silver),
        "'hh6' is outside silver's home ranks: expected rank 7 or 8"
    );
    assert_eq!(
        message(Setup::parse("", Side::Silver, Handicap::Allowed), "nothing"),
        "the setup of silver has no piece: expected at least one"
    );
    for (front, back, expected) in [
        ("HDCMECD", "RRRRRRRR", "invalid setup row 'HDCMECD': expected eight of the letters EMHDCR"),
        ("HDCMECDHR", "RRRRRRRR", "invalid setup row 'HDCMECDHR': expected eight of the letters EMHDCR"),
        ("HDCMECDQ", "RRRRRRRR", "invalid setup row 'HDCMECDQ': expected eight of the letters EMHDCR"),
        ("HDCMECDH", "RRRRRRRD", "'Dh1' is one dog too many: expected at most 2"),
    ] {
        assert_eq!(message(Setup::from_rows(Side::Gold, front, back), front), expected, "{front} {back}");
    }
}

/// Gold to move; its rabbit on b7 and its horse on g5 are frozen.
const BOARD: &str = "Ed3 Ra2 Cb2 Rc2 Rb7 Hg5 rd2 db6 eg6 df5 ra8";

#[test]
fn a_turn_is_told_what_is_wrong_and_leaves_the_game_as_it_was() {
    for (text, expected) in [
        ("", "a turn needs at least one step"),
        ("Ee3n", "Ee3n: there is no piece on e3"),
        ("Md3n", "Md3n: the piece on d3 is a gold elephant, not a gold camel"),
        ("Cb2w", "Cb2w: a2 is occupied by a gold rabbit"),
        ("Ra2s", "Ra2s: the rabbit on a2 can't step backward"),
        ("Rb7n", "Rb7n: the rabbit on b7 is frozen by the dog on b6"),
        ("df5s", "df5s: the dog on f5 can't be pushed: the horse on g5 is frozen"),
        ("eg6n", "eg6n: the elephant on g6 can't be displaced: no stronger gold piece is next to it"),
        ("rd2e", "the turn ends in the middle of a push: a piece must step to d2"),
        ("rd2e Ed3n", "Ed3n: the push is not complete: a piece stronger than the rabbit must step to d2"),
        ("rd2e Rc2e", "Rc2e: the rabbit on c2 is not stronger than the rabbit and can't push it"),
        ("rd2e Ra2n", "Ra2n: the push is not complete: a piece stronger than the rabbit must step to d2"),
        ("rd2e rd2e", "rd2e: there is no piece on d2"),
        ("rd2w", "rd2w: c2 is occupied by a gold rabbit"),
        ("ra8e", "ra8e: the rabbit on a8 can't be displaced: no stronger gold piece is next to it"),
        ("Ed3n Ed4n rd2e", "rd2e: the rabbit on d2 can't be displaced: no stronger gold piece is next to it"),
        ("Ed3n Ed4s Ra2n rd2e", "rd2e: a push takes two steps and only one is left"),
        ("Ed3n Ed4s", "the turn leaves the board unchanged"),
        ("Ed3n Ed4n Ed5w Ec5w Eb5n", "the turn has more than four steps: 'Eb5n' is the fifth"),
        ("Ed3n rc3x", "'rc3x': nothing is captured there"),
        ("Rc2n Rc3x Ed3n", "'Rc3x': nothing is captured there"),
        ("Rc2n Ed3n rc3x", "'rc3x': the captured piece is a gold rabbit"),
        ("Rc2n Ed3n Rc6x", "'Rc6x': nothing is captured there"),
        ("rc3x", "'rc3x': nothing is captured there"),
        ("Ed3n Ra1", "'Ra1': a turn has either steps or placements, not both"),
        ("Ra1 Ed3n", "the pieces are already set up: expected steps, like Ed2n"),
        (
            "Ed3n and wins",
            "'and' does not start with a piece: expected one of EMHDCR (gold) or emhdcr (silver)",
        ),
        ("2g Ed3n", "'2g' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("Ed3n\0", "'Ed3n�' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
        ("Ed3n Ed4n takeback", "'takeback' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)"),
    ] {
        let start = Position::new(placed(BOARD), Side::Gold).unwrap();
        let mut game = Game::from_position(&start, 2, Rules::Official);
        let before = game.clone();
        assert_eq!(message(game.play_text(text), text), expected, "{text}");
        assert_eq!(game, before, "{text}");
    }
    for (text, expected) in [
        ("Ed3n", "gold must set up its pieces first: expected placements, like Ra1"),
        (SILVER, "'ra8' places a silver piece: expected a gold piece"),
        ("", "gold must set up its pieces first: expected placements, like Ra1"),
        ("rc3x", "'rc3x': nothing is captured there"),
    ] {
        assert_eq!(message(Game::default().play_text(text), text), expected, "{text}");
    }
}

#[test]
fn a_record_is_told_the_line_and_what_is_wrong() {
    let start = format!("1g {GOLD}\n1s {SILVER}\n");
    for (rest, expected) in [
        ("hello", "line 3: expected a turn number and a side, like 2g, found 'hello'"),
        ("g Ee2n", "line 3: expected a turn number and a side, like 2g, found 'g'"),
        ("2 Ee2n", "line 3: expected a turn number and a side, like 2g, found '2'"),
        ("2x Ee2n", "line 3: expected a turn number and a side, like 2g, found '2x'"),
        ("0g Ee2n", "line 3: expected a turn number and a side, like 2g, found '0g'"),
        ("-2g Ee2n", "line 3: expected a turn number and a side, like 2g, found '-2g'"),
        ("2g Ee2n\n2g Ee3n", "line 4: expected turn 2s, found 2g"),
        ("2g Ee2n\n3s ee7s", "line 4: expected turn 2s, found 3s"),
        ("2s ee7s", "line 3: expected turn 2g, found 2s"),
        ("2g Ee2n\n2s\n3g Ee3n", "line 4: 2s: the turn is empty, but more lines follow"),
        ("2g Ee2n\n\n# a comment\n2s ee7n", "line 6: 2s: ee7n: e8 is occupied by a silver rabbit"),
        ("2g Ee2n Ee3n Ee4n Ee5n Ee6n", "line 3: 2g: the turn has more than four steps: 'Ee6n' is the fifth"),
        ("2g Ee2n Ee3s", "line 3: 2g: the turn leaves the board unchanged"),
        ("2g Ee2n Ee3", "line 3: 2g: 'Ee3': a turn has either steps or placements, not both"),
        (
            "2g Ee2n Ee33",
            "line 3: 2g: 'Ee33' does not end with a direction: expected n, e, s, w, or x for a capture",
        ),
        (
            "2g Ee2n now",
            "line 3: 2g: 'now' does not start with a piece: expected one of EMHDCR (gold) or emhdcr (silver)",
        ),
        ("2g Ra1", "line 3: 2g: the pieces are already set up: expected steps, like Ed2n"),
        ("2g resigns\n2s ee7s", "line 4: 2s: the game is over: silver wins by resignation"),
        ("2g resigns\n2g Ee2n", "line 4: 2g: the game is over: silver wins by resignation"),
        ("2g resigns\n9s", "line 4: 9s: the game is over: silver wins by resignation"),
        (
            "2g resigns now",
            "line 3: 2g: 'resigns' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)",
        ),
        ("2g takeback\n1s takeback\n1g takeback", "line 5: 1g: there is no turn to take back"),
        ("2s takeback", "line 3: expected turn 2g, found 2s"),
        (
            "2g Ee2n | ee7s",
            "line 3: 2g: '|' is neither a placement (Ra1), a step (Ed2n) nor a capture (rc3x)",
        ),
    ] {
        let text = format!("{start}{rest}");
        let replay = Record::parse(&text).and_then(|record| record.replay(Rules::Official, Handicap::None));
        assert_eq!(message(replay, rest), expected, "{rest}");
    }
    for (text, expected) in [
        ("", "line 1: the record has no turns: expected a line like 2g Ed2n"),
        ("# only this\n", "line 1: the record has no turns: expected a line like 2g Ed2n"),
    ] {
        let replay = Record::parse(text).and_then(|record| record.replay(Rules::Official, Handicap::None));
        assert_eq!(message(replay, text), expected, "{text}");
    }
}

#[test]
fn a_text_is_told_what_is_wrong_with_the_form_it_seems_to_have() {
    for (text, expected) in [
        (String::new(), "the position is empty: expected a diagram, 'g [64 characters]', or a game record"),
        (
            "\n \t\n".to_owned(),
            "the position is empty: expected a diagram, 'g [64 characters]', or a game record",
        ),
        ("hello".to_owned(), "line 1: expected a turn number and a side, like 2g, found 'hello'"),
        ("g [".to_owned(), "expected ']' in the compact position, found ''"),
        (
            format!("\n\ng [{}]\nmore", " ".repeat(64)),
            "line 4: expected the end of the position, found 'more'",
        ),
        (
            "1g\n+--".to_owned(),
            "line 2: expected rank 8 of the diagram, '8| . . . . . . . . |', found the end of the text",
        ),
        (
            format!("1g {}", GOLD.replace(" Md2", " ")),
            "line 1: 1g: the setup of gold has 15 pieces: expected 16; the camel is missing",
        ),
        (
            format!("# a [comment]\n1g {}", GOLD.replace("Md2", "Md3")),
            "line 2: 1g: 'Md3' is outside gold's home ranks: expected rank 1 or 2",
        ),
    ] {
        assert_eq!(message(Game::from_text(&text, Rules::Official), &text), expected, "{text}");
    }
}

#[test]
fn invalid_time_controls_and_rules_are_rejected() {
    const TURN: &str = "time per turn";
    for (text, found, part) in [
        ("/2", "", TURN),
        ("x", "x", TURN),
        ("-1", "-1", TURN),
        ("+1", "+1", TURN),
        ("1.5", "1.5", TURN),
        ("2m30", "2m30", TURN),
        ("m", "m", TURN),
        ("2:60", "2:60", TURN),
        (":30", ":30", TURN),
        ("2:", "2:", TURN),
        ("2y", "2y", TURN),
        ("2é", "2é", TURN),
        ("878401h", "878401h", TURN),
        ("99999999999999999999", "99999999999999999999", TURN),
        ("99999999999999999999s", "99999999999999999999s", TURN),
        ("x/y/z", "x", TURN),
        ("depth 5", "depth 5", TURN),
        ("1/x", "x", "reserve"),
        ("1/1/100/x", "x", "reserve limit"),
        ("1/1/100/0/x", "x", "game limit"),
        ("1/1/100/0/t", "t", "game limit"),
        ("1/1/100/0/+8t", "+8t", "game limit"),
        ("1/1/100/0/99999999999t", "99999999999t", "game limit"),
        ("1/1/100/0/0/8t", "8t", "turn limit"),
    ] {
        let unit = if part == "game limit" { "hours, 80t means 80 turns" } else { "minutes" };
        let expected = format!(
            "invalid {part} '{found}' in '{text}': expected a time such as 15s, 0.2s, 2m30s, 2:30 or 1h, \
             at most 100 years (a plain number means {unit})"
        );
        assert_eq!(message(text.parse::<TimeControl>(), text), expected);
    }
    for percent in ["101", "+50", "50%", "-1"] {
        let text = format!("1/1/{percent}");
        let expected = format!("invalid percentage '{percent}' in '{text}': expected 0 to 100");
        assert_eq!(message(text.parse::<TimeControl>(), &text), expected);
    }
    for (text, parts) in [("", 0), (" ", 0), ("1/2/3/4/5/6/7", 7), ("//////", 7)] {
        let expected = format!(
            "'{text}' has {parts} parts, expected 1 to 6: \
             turn/reserve/percent/reserve limit/game limit/turn limit"
        );
        assert_eq!(message(text.parse::<TimeControl>(), text), expected);
    }
    let rules = "invalid rules 'classic': expected official, classic2004 or classic2005";
    assert_eq!(message("classic".parse::<Rules>(), "classic"), rules);
}
