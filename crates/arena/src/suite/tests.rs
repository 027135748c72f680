//! The forms, the conditions, and what is said about mistakes.

use std::time::Duration;

use surus_play::{Answer, Engine, EngineError, Greedy, Job, Limits, Stop};
use surus_rules::{Side, Turn};

use super::*;

/// The example of seed 004, A.7, as it is printed there: no indentation, a blank line after every line.
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

fn turn(text: &str) -> Turn {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn toml(position: &str, rest: &str) -> Test {
    let text = format!("[[test]]\nname = 'a'\nposition = '{position}'\n{rest}\n");
    form::parse("a.toml", &text).unwrap().remove(0)
}

/// The compact form of ranks 8 to 1 with points for empty squares.
fn rows(side: char, rows: &str) -> String {
    format!("{side} [{}]", rows.replace('/', "").replace('.', " "))
}

fn got(test: &Test, text: &str) -> f64 {
    test.points(&turn(text)).got
}

#[test]
fn the_printed_example_is_read_as_it_stands() {
    let test = ats::parse("tests/15.txt", PRINTED).unwrap();
    assert_eq!((test.name.as_str(), test.comment.as_str()), ("15", "Elephant blockade at f7."));
    assert_eq!(
        (test.tags, test.game.side()),
        (vec!["elephant".to_string(), "blockade".into()], Side::Silver)
    );
    assert_eq!(test.game.tag().to_string(), "12s");
    let Condition::Pieces(blocks) = &test.condition else { panic!("{:?}", test.condition) };
    let weights: Vec<(usize, f64)> = blocks.iter().map(|block| (block.atoms.len(), block.weight)).collect();
    assert_eq!(weights, [(4, 1.0), (4, 0.8), (4, 0.85), (4, 0.7)]);
}

#[test]
fn the_best_satisfied_block_counts() {
    let test = ats::parse("15", PRINTED).unwrap();
    assert_eq!(got(&test, "rd8e md7s md6e cc7e"), 1.0);
    assert_eq!(got(&test, "rd8e db6s db5e"), 0.0);
    // The cat steps over c6, where the dog on b6 guards it.
    assert_eq!(got(&test, "rd8e cc7s cc6e cd6e"), 0.8);
    // Illegal: the rabbit would go backward. Nothing is gained by it.
    assert_eq!(got(&test, "rf5n"), 0.0);
    let points = test.points(&turn("rd8e md7s md6e cc7e"));
    assert!(points.solved() && !test.points(&turn("rd8e cc7s cc6e cd6e")).solved());
}

#[test]
fn diagrams_are_read_with_the_letters_of_either_time() {
    for letter in ["12b", "12s", "12B"] {
        let test = ats::parse("15", &PRINTED.replace("12b", letter)).unwrap();
        assert_eq!(test.game.side(), Side::Silver, "{letter}");
    }
    let gold = ats::parse("15", &PRINTED.replace("12b", "12w")).unwrap();
    assert_eq!(gold.game.side(), Side::Gold);
    // Indented, with Windows line ends, and without the blank lines: the same test.
    let indented = PRINTED.replace("\n\n", "\r\n").replace("re8 re7 md7 de6", "   re8 re7 md7 de6");
    assert_eq!(ats::parse("15", &indented).unwrap(), ats::parse("15", PRINTED).unwrap());
}

#[test]
fn the_printed_configuration_is_read() {
    let config = Config::parse("ats.cfg", PRINTED_CONFIG).unwrap();
    assert_eq!(config.engine, Some((3, "akimot/akimot -c akimot/akimot.cfg".into())));
    assert_eq!((config.tests, config.cycles, config.log), (vec!["15".to_string()], Some(1), None));
    assert_eq!(config.time_per_test, Some((7, Duration::from_secs(5))));
    let config = Config::parse("ats.cfg", "[global]\ntests = a, b\nlog = out.txt\n").unwrap();
    assert_eq!((config.tests.len(), config.log.as_deref()), (2, Some("out.txt")));
}

#[test]
fn captures_and_negations_are_atoms() {
    let position = "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]";
    let test = toml(position, "piece_position = 'hc6x !cf6 | cf6x !hd6 : 0.5'");
    assert_eq!(got(&test, "hd6w Md5n"), 1.0);
    assert_eq!(got(&test, "hd6w Md5n ce6e Ee5n"), 1.0);
    assert_eq!(got(&test, "ce6e Ee5n"), 0.0, "the horse still stands on d6");
    assert_eq!(got(&test, "Md5w"), 0.0);
}

#[test]
fn goals_are_scored_and_prevented() {
    let near = rows('g', "r......r/.R....../...E..../......../......../......../......../........");
    let test = toml(&near, "condition = 'score_goal'");
    assert_eq!((got(&test, "Rb7n"), got(&test, "Ed6n")), (1.0, 0.0));
    // The elephant freezes the rabbit that has one step to go.
    let last = rows('g', "r......r/......../......../......../......../......../r.E...../...R....");
    let test = toml(&last, "condition = 'prevent goal'");
    assert_eq!((got(&test, "Ec2w"), got(&test, "Ec2n")), (1.0, 0.0));
    // Or gold is faster.
    let race = rows('g', ".......r/R......./......../......../......../......../r......./...E....");
    let test = toml(&race, "condition = 'prevent_goal'");
    assert_eq!((got(&test, "Ra7n"), got(&test, "Ed1n")), (1.0, 0.0));
}

#[test]
fn a_turn_is_known_by_the_board_it_leads_to() {
    let position = "g [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]";
    let test = toml(position, "best = ['Ee2n Md2n', 'Ee2n Ee3n : 0.5']\navoid = ['Ha2n']");
    assert_eq!((got(&test, "Md2n Ee2n"), got(&test, "Ee2n Ee3n")), (1.0, 0.5));
    // A detour that ends on the same board is the same turn.
    assert_eq!(got(&test, "Ee2n Ee3n Md2n Ee4s"), 1.0);
    let test = toml(position, "avoid = ['Ha2n']");
    assert_eq!((got(&test, "Ha2n Ha3n Ha4s"), got(&test, "Hh2n")), (0.0, 1.0));
}

#[test]
fn a_goal_in_two_holds_against_every_reply() {
    // Two rabbits on different wings: the dog and the rabbit stop one of them, not both.
    let both = rows('g', "...r..../...d..../......../......../......../R......R/......../...E....");
    let test = toml(&both, "condition = 'goal_in_two'");
    assert_eq!((got(&test, "Ra3n Rh3n"), got(&test, "Ra3n"), got(&test, "Ed1n")), (1.0, 0.0, 0.0));
    let one = rows('g', "...r..../...d..../......../......../......../R......./......../...E....");
    let test = toml(&one, "condition = 'goal_in_two'");
    assert_eq!((got(&test, "Ra3n"), got(&test, "Ra3n Ra4n Ra5n Ra6n")), (0.0, 0.0));
}

#[test]
fn mistakes_are_told_with_file_and_line() {
    let ats = |text: &str| ats::parse("t/15", text).unwrap_err().to_string();
    let printed = |from: &str, to: &str| ats(&PRINTED.replace(from, to));
    for (error, expected) in [
        (printed("cd7 me6 |", "cd9 me6 |"), "t/15:39: 'cd9' names no square"),
        (
            printed("cd7 me6 |", "cd7n me6 |"),
            "t/15:39: 'cd7n' is no atom: expected a piece on a square (Eb3)",
        ),
        (printed(": 0.8 |", ": high |"), "t/15:39: 'high' is no weight: expected a number above 0"),
        (printed(": 0.8 |", "| |"), "t/15:39: a block has no atom"),
        (
            printed("= piece_position", "= win"),
            "t/15:37: there is no condition 'win': expected one of score_goal",
        ),
        (
            printed("tags =", "tag ="),
            "t/15:33: there is no setting 'tag': expected one of comment, position, tags",
        ),
        (printed("[criteria]", "[wishes]"), "t/15:37: there is no section 'wishes'"),
        (printed("condition = piece_position", ""), "t/15: the test has no condition"),
        (printed("6| . d X", "6| . d X X"), "t/15:7: position: line 17: rank 6 has 9 squares, expected 8"),
        (printed("8| r r r r", "8| r r r R"), "t/15:7: position: there are 9 pieces 'R'"),
        (printed("[settings]", "hello"), "t/15:1: expected [section] or key = value, found 'hello'"),
    ] {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let config = |text: &str| Config::parse("ats.cfg", text).unwrap_err().to_string();
    assert_eq!(
        config("[global]\ncycles = 0"),
        "ats.cfg:2: cycles: expected a whole number above 0, found '0'"
    );
    assert_eq!(
        config("[global]\ntime = 5"),
        "ats.cfg:2: there is no key 'time': expected one of engine, tests, time_per_test, cycles, log"
    );
    assert_eq!(config("[global]\nlog = a\nlog = b"), "ats.cfg:3: 'log' is given twice");
}

#[test]
fn mistakes_in_toml_are_told_with_file_and_line() {
    let head = "[[test]]\nname = 'a'\n";
    let start = "position = 'g [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]'\n";
    let told = |rest: &str| form::parse("a.toml", &format!("{head}{rest}")).unwrap_err().to_string();
    for (error, expected) in [
        (
            told("position = 'g [x]'"),
            "a.toml:3: position: expected 64 characters between '[' and ']', found 1",
        ),
        (told("position = '''\n2g\n8| . |\n'''"), "a.toml:3: position: line 5: rank 8 has"),
        (told(start), "a.toml:2: the test has no condition, piece_position, best or avoid"),
        (
            told(&format!("{start}best = ['Ee2n', 'Ee2s']")),
            "a.toml:4: best 'Ee2s': Ee2s: e1 is taken by a gold rabbit",
        ),
        (
            told(&format!("{start}best = ['Ee2n']\ncondition = 'goal'")),
            "a.toml:2: the test has condition and best",
        ),
        (told(&format!("{start}wish = 1")), "a.toml:4: unknown field `wish`"),
        (told("position = "), "a.toml:3: "),
    ] {
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    assert!(form::parse("a.toml", "").unwrap_err().to_string().starts_with("a.toml: there is no test in it"));
}

#[test]
fn checking_finds_unsolvable_and_repeated_tests() {
    let position = "g [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]";
    let wrong = toml(position, "piece_position = 'Ee8'\nsolution = 'Ee2n'");
    let flipped =
        toml("s [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]", "avoid = ['md7s']");
    let all = toml(position, "avoid = []\npiece_position = 'Ra1 | !Ra1'");
    let checked = check(&[wrong, flipped, all], &mut |_| true);
    assert_eq!(
        checked[0].problems,
        ["the solution 'Ee2n' gets 0 points, expected 1", "no turn gets full points"]
    );
    assert_eq!((checked[1].turns, checked[1].solving), (3353, 3352));
    assert_eq!(checked[2].problems[0], "every turn gets full points");
    assert!(checked[2].problems[1].contains("but for a mirror or flip"), "{:?}", checked[2].problems);
}

#[test]
fn an_engine_is_tallied_by_test_and_tag_and_its_limits_are_checked_first() {
    let near = rows('g', "r......r/.R....../...E..../......../......../......../......../........");
    let goal = toml(&near, "condition = 'goal'\ntags = ['goal', 'easy']");
    let never = toml(&near, "piece_position = 'Eh1'\ntags = ['goal']");
    let tests = [goal, never];
    let mut settings = Settings { limits: Limits::default(), cycles: 3, stop: Stop::default() };
    let answers = run(&mut Greedy::default(), &tests, &settings, &mut |_| {}).unwrap();
    let told: Vec<(String, usize, usize)> =
        tallies(&tests, &answers).into_iter().map(|t| (t.name, t.answers, t.solved)).collect();
    assert_eq!(told, [("goal".into(), 6, 3), ("easy".into(), 3, 3)]);
    settings.limits.nodes = Some(5);
    let mut stubborn = Stubborn { options: surus_play::Options::new(&[]), asked: 0, restarted: 0 };
    let refused = run(&mut stubborn, &tests, &settings, &mut |_| {});
    assert_eq!(refused.unwrap_err().to_string(), "stubborn can't be limited by nodes: it knows depth");
    assert_eq!(stubborn.asked, 0);
}

/// Keeps to a depth only, and fails at every second question.
struct Stubborn {
    options: surus_play::Options,
    asked: usize,
    restarted: usize,
}

impl Engine for Stubborn {
    fn id(&self) -> surus_play::Id {
        surus_play::Id::own("stubborn", "", &[surus_play::Limit::Depth])
    }

    fn options(&self) -> &surus_play::Options {
        &self.options
    }

    fn set(&mut self, _: &str, _: &str) -> Result<(), surus_play::OptionError> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(&mut self, _: &Job, _: &mut dyn FnMut(surus_play::Info)) -> Result<Answer, EngineError> {
        self.asked += 1;
        match self.asked % 2 {
            0 => Err(EngineError::Failed("no mood".into())),
            _ => Ok(Answer::Turn(turn("Rb7n"))),
        }
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        self.restarted += 1;
        Ok(())
    }
}

#[test]
fn an_engine_that_fails_gets_nothing_and_goes_on_and_a_stop_ends_the_run() {
    let near = rows('g', "r......r/.R....../...E..../......../......../......../......../........");
    let tests = [toml(&near, "condition = 'goal'")];
    let settings = Settings { limits: Limits::default(), cycles: 4, stop: Stop::default() };
    let mut stubborn = Stubborn { options: surus_play::Options::new(&[]), asked: 0, restarted: 0 };
    let answers = run(&mut stubborn, &tests, &settings, &mut |_| {}).unwrap();
    let got: Vec<f64> = answers.iter().map(|answer| answer.points.got).collect();
    assert_eq!((got, stubborn.restarted), (vec![1.0, 0.0, 1.0, 0.0], 2));
    assert_eq!(answers[1].turn, Err("no mood".into()));
    let answers = run(&mut stubborn, &tests, &settings, &mut |answer| {
        if answer.cycle == 1 {
            settings.stop.request();
        }
    });
    assert_eq!(answers.unwrap().len(), 2);
}
