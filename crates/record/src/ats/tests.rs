//! Tests of both formats and their errors.

use std::time::Duration;

use surus_rules::Side;

use super::*;

/// The example of [Akimot §A.7] as published: no indentation, a blank line after every line.
const PRINTED: &str = "\
[settings]

comment =

Elephant blockade at f7.

position =

12b

+-----------------+

8| r r r r . c r . |

7| h . c m r E h r |

6| . d X . . X d . |

5| . . . . . r . . |

4| . . . . . . . . |

3| . H C e . X D . |

2| . D . M . C . H |

1| R R R R R R R R |

+-----------------+

a b c d e f g h

tags = elephant, blockade

[criteria]

condition = piece_position

after_piece_position = re8 re7 cd7 me6 | re8 re7 md7 ce6 : 0.8 |

re8 re7 md7 de6 : 0.85 | re8 cd7 me7 re6 : 0.7
";

const PRINTED_CONFIG: &str = "[global]\n\nengine = akimot/akimot -c akimot/akimot.cfg\n\ntests = 15\n\ntime_per_test = 5\n\ncycles = 1\n";

#[test]
fn the_published_example_is_parsed() {
    let test = parse("tests/15.txt", PRINTED).unwrap();
    assert_eq!((test.name.as_str(), test.comment.as_str()), ("15", "Elephant blockade at f7."));
    assert_eq!(
        (test.tags, test.game.side()),
        (vec!["elephant".to_string(), "blockade".into()], Side::Silver)
    );
    assert_eq!(test.game.tag().to_string(), "12s");
    let Condition::PiecePosition(blocks) = &test.condition else { panic!("{:?}", test.condition) };
    let weights: Vec<(usize, f64)> = blocks.iter().map(|block| (block.atoms.len(), block.weight)).collect();
    assert_eq!(weights, [(4, 1.0), (4, 0.8), (4, 0.85), (4, 0.7)]);
}

#[test]
fn diagrams_are_parsed_with_old_and_new_letters() {
    for letter in ["12b", "12s", "12B"] {
        let test = parse("15", &PRINTED.replace("12b", letter)).unwrap();
        assert_eq!(test.game.side(), Side::Silver, "{letter}");
    }
    let gold = parse("15", &PRINTED.replace("12b", "12w")).unwrap();
    assert_eq!(gold.game.side(), Side::Gold);
    // The same test with indentation, Windows line ends and no blank lines.
    let indented = PRINTED.replace("\n\n", "\r\n").replace("re8 re7 md7 de6", "   re8 re7 md7 de6");
    assert_eq!(parse("15", &indented).unwrap(), parse("15", PRINTED).unwrap());
}

#[test]
fn the_published_configuration_is_parsed() {
    let config = Config::parse("ats.cfg", PRINTED_CONFIG).unwrap();
    assert_eq!(config.engine, Some((3, "akimot/akimot -c akimot/akimot.cfg".into())));
    assert_eq!((config.tests, config.cycles, config.log), (vec!["15".to_string()], Some(1), None));
    assert_eq!(config.time_per_test, Some((7, Duration::from_secs(5))));
    let config = Config::parse("ats.cfg", "[global]\ntests = a, b\nlog = out.txt\n").unwrap();
    assert_eq!((config.tests.len(), config.log.as_deref()), (2, Some("out.txt")));
}

#[test]
fn errors_name_file_and_line() {
    let ats = |text: &str| parse("t/15", text).unwrap_err().to_string();
    let printed = |from: &str, to: &str| ats(&PRINTED.replace(from, to));
    for (error, expected) in [
        (printed("cd7 me6 |", "cd9 me6 |"), "t/15:39: invalid square 'd9' in 'cd9'"),
        (
            printed("cd7 me6 |", "cd7n me6 |"),
            "t/15:39: invalid atom 'cd7n': expected a piece on a square (Eb3)",
        ),
        (printed(": 0.8 |", ": high |"), "t/15:39: invalid weight 'high': expected a number above 0"),
        (printed(": 0.8 |", "| |"), "t/15:39: a block has no atom"),
        (
            printed("= piece_position", "= win"),
            "t/15:37: unknown condition 'win': expected one of score_goal",
        ),
        (
            printed("tags =", "tag ="),
            "t/15:33: unknown setting 'tag': expected one of comment, position, tags",
        ),
        (printed("[criteria]", "[wishes]"), "t/15:37: unknown section 'wishes'"),
        (printed("condition = piece_position", ""), "t/15: the test has no condition"),
        (printed("6| . d X", "6| . d X X"), "t/15:7: position: line 17: rank 6 has 9 squares, expected 8"),
        (printed("8| r r r r", "8| r r r R"), "t/15:7: position: 9 pieces 'R'"),
        (printed("[settings]", "hello"), "t/15:1: expected [section] or key = value, found 'hello'"),
    ] {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let config = |text: &str| Config::parse("ats.cfg", text).unwrap_err().to_string();
    assert_eq!(config("[global]\ncycles = 0"), "ats.cfg:2: cycles: expected an integer above 0, found '0'");
    assert_eq!(
        config("[global]\ntime = 5"),
        "ats.cfg:2: unknown key 'time': expected one of engine, tests, time_per_test, cycles, log"
    );
    assert_eq!(config("[global]\nlog = a\nlog = b"), "ats.cfg:3: duplicate key 'log'");
}

#[test]
fn errors_in_toml_name_file_and_line() {
    let head = "[[test]]\nname = 'a'\n";
    let start = "position = 'g [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]'\n";
    let error = |rest: &str| parse_toml("a.toml", &format!("{head}{rest}")).unwrap_err().to_string();
    for (error, expected) in [
        (
            error("position = 'g [x]'"),
            "a.toml:3: position: expected 64 characters between '[' and ']', found 1",
        ),
        (error("position = '''\n2g\n8| . |\n'''"), "a.toml:3: position: line 5: rank 8 has"),
        (error(start), "a.toml:2: the test has no condition, piece_position, best or avoid"),
        (
            error(&format!("{start}best = ['Ee2n', 'Ee2s']")),
            "a.toml:4: best 'Ee2s': Ee2s: e1 is occupied by a gold rabbit",
        ),
        (
            error(&format!("{start}best = ['Ee2n']\ncondition = 'goal'")),
            "a.toml:2: the test has condition and best",
        ),
        (error(&format!("{start}wish = 1")), "a.toml:4: unknown field `wish`"),
        (error("position = "), "a.toml:3: "),
    ] {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    assert!(parse_toml("a.toml", "").unwrap_err().to_string().starts_with("a.toml: no test found"));
}
