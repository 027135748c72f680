//! Scores of turns, and runs with engines that fail.

use surus_play::{Answer, Engine, EngineError, Greedy, Job, Limits, StopToken};
use surus_record::ats::{parse, parse_toml};
use surus_rules::Turn;

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

fn turn(text: &str) -> Turn {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn toml(position: &str, rest: &str) -> Test {
    let text = format!("[[test]]\nname = 'a'\nposition = '{position}'\n{rest}\n");
    parse_toml("a.toml", &text).unwrap().remove(0)
}

/// The compact form of ranks 8 to 1 with dots for empty squares.
fn compact(side: char, rows: &str) -> String {
    format!("{side} [{}]", rows.replace('/', "").replace('.', " "))
}

fn earned(test: &Test, text: &str) -> f64 {
    points(test, &turn(text)).earned
}

#[test]
fn the_best_satisfied_block_counts() {
    let test = parse("15", PRINTED).unwrap();
    assert_eq!(earned(&test, "rd8e md7s md6e cc7e"), 1.0);
    assert_eq!(earned(&test, "rd8e db6s db5e"), 0.0);
    // The cat steps over c6, where the dog on b6 guards it.
    assert_eq!(earned(&test, "rd8e cc7s cc6e cd6e"), 0.8);
    // Illegal: rabbits do not step backward.
    assert_eq!(earned(&test, "rf5n"), 0.0);
    let best = points(&test, &turn("rd8e md7s md6e cc7e"));
    assert!(best.solved() && !points(&test, &turn("rd8e cc7s cc6e cd6e")).solved());
}

#[test]
fn scores_captures_and_negated_atoms() {
    let position = "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]";
    let test = toml(position, "piece_position = 'hc6x !cf6 | cf6x !hd6 : 0.5'");
    assert_eq!(earned(&test, "hd6w Md5n"), 1.0);
    assert_eq!(earned(&test, "hd6w Md5n ce6e Ee5n"), 1.0);
    assert_eq!(earned(&test, "ce6e Ee5n"), 0.0, "the horse is still on d6");
    assert_eq!(earned(&test, "Md5w"), 0.0);
}

#[test]
fn goals_are_scored_and_prevented() {
    let near = compact('g', "r......r/.R....../...E..../......../......../......../......../........");
    let test = toml(&near, "condition = 'score_goal'");
    assert_eq!((earned(&test, "Rb7n"), earned(&test, "Ed6n")), (1.0, 0.0));
    // The elephant freezes the rabbit one step before goal.
    let last = compact('g', "r......r/......../......../......../......../......../r.E...../...R....");
    let test = toml(&last, "condition = 'prevent goal'");
    assert_eq!((earned(&test, "Ec2w"), earned(&test, "Ec2n")), (1.0, 0.0));
    // Gold reaches goal first.
    let race = compact('g', ".......r/R......./......../......../......../......../r......./...E....");
    let test = toml(&race, "condition = 'prevent_goal'");
    assert_eq!((earned(&test, "Ra7n"), earned(&test, "Ed1n")), (1.0, 0.0));
}

#[test]
fn turns_are_compared_by_their_final_board() {
    let position = "g [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]";
    let test = toml(position, "best = ['Ee2n Md2n', 'Ee2n Ee3n : 0.5']\navoid = ['Ha2n']");
    assert_eq!((earned(&test, "Md2n Ee2n"), earned(&test, "Ee2n Ee3n")), (1.0, 0.5));
    // A detour to the same board is the same turn.
    assert_eq!(earned(&test, "Ee2n Ee3n Md2n Ee4s"), 1.0);
    let test = toml(position, "avoid = ['Ha2n']");
    assert_eq!((earned(&test, "Ha2n Ha3n Ha4s"), earned(&test, "Hh2n")), (0.0, 1.0));
}

#[test]
fn a_goal_in_two_holds_against_every_reply() {
    // The dog and the rabbit can stop one of the two rabbits, but not both.
    let both = compact('g', "...r..../...d..../......../......../......../R......R/......../...E....");
    let test = toml(&both, "condition = 'goal_in_two'");
    assert_eq!((earned(&test, "Ra3n Rh3n"), earned(&test, "Ra3n"), earned(&test, "Ed1n")), (1.0, 0.0, 0.0));
    let one = compact('g', "...r..../...d..../......../......../......../R......./......../...E....");
    let test = toml(&one, "condition = 'goal_in_two'");
    assert_eq!((earned(&test, "Ra3n"), earned(&test, "Ra3n Ra4n Ra5n Ra6n")), (0.0, 0.0));
}

#[test]
fn validation_finds_unsolvable_and_repeated_tests() {
    let position = "g [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]";
    let wrong = toml(position, "piece_position = 'Ee8'\nsolution = 'Ee2n'");
    let flipped =
        toml("s [rrrrrrrrdhcmechd                                HDCMECDHRRRRRRRR]", "avoid = ['md7s']");
    let all = toml(position, "avoid = []\npiece_position = 'Ra1 | !Ra1'");
    let checked = validate(&[wrong, flipped, all], &mut |_| true);
    assert_eq!(
        checked[0].problems,
        ["the solution 'Ee2n' gets 0 points, expected 1", "no turn gets full points"]
    );
    assert_eq!((checked[1].turns, checked[1].solutions), (3353, 3352));
    assert_eq!(checked[2].problems[0], "every turn gets full points");
    assert!(checked[2].problems[1].contains("after mirroring or flipping"), "{:?}", checked[2].problems);
}

#[test]
fn results_are_summarised_by_tag_and_limits_checked_first() {
    let near = compact('g', "r......r/.R....../...E..../......../......../......../......../........");
    let goal = toml(&near, "condition = 'goal'\ntags = ['goal', 'easy']");
    let never = toml(&near, "piece_position = 'Eh1'\ntags = ['goal']");
    let tests = [goal, never];
    let mut options = SuiteOptions { limits: Limits::default(), cycles: 3, stop: StopToken::default() };
    let answers = run(&mut Greedy::default(), &tests, &options, &mut |_| {}).unwrap();
    let summary: Vec<(String, usize, usize)> =
        summarize_by_tag(&tests, &answers).into_iter().map(|t| (t.name, t.answers, t.solved)).collect();
    assert_eq!(summary, [("goal".into(), 6, 3), ("easy".into(), 3, 3)]);
    options.limits.nodes = Some(5);
    let mut failing = FailingEngine { options: surus_play::Options::new(&[]), searches: 0, restarts: 0 };
    let result = run(&mut failing, &tests, &options, &mut |_| {});
    assert_eq!(result.unwrap_err().to_string(), "failing does not support a nodes limit (supported: depth)");
    assert_eq!(failing.searches, 0);
}

/// Supports only a depth limit and fails in every second search.
struct FailingEngine {
    options: surus_play::Options,
    searches: usize,
    restarts: usize,
}

impl Engine for FailingEngine {
    fn id(&self) -> surus_play::EngineId {
        surus_play::EngineId::built_in("failing", "", &[surus_play::LimitKind::Depth])
    }

    fn options(&self) -> &surus_play::Options {
        &self.options
    }

    fn set_option(&mut self, _: &str, _: &str) -> Result<(), surus_play::OptionError> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(&mut self, _: &Job, _: &mut dyn FnMut(surus_play::Info)) -> Result<Answer, EngineError> {
        self.searches += 1;
        match self.searches % 2 {
            0 => Err(EngineError::Failed("test failure".into())),
            _ => Ok(Answer::Turn(turn("Rb7n"))),
        }
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        self.restarts += 1;
        Ok(())
    }
}

#[test]
fn a_failure_scores_nothing_and_a_stop_ends_the_run() {
    let near = compact('g', "r......r/.R....../...E..../......../......../......../......../........");
    let tests = [toml(&near, "condition = 'goal'")];
    let options = SuiteOptions { limits: Limits::default(), cycles: 4, stop: StopToken::default() };
    let mut failing = FailingEngine { options: surus_play::Options::new(&[]), searches: 0, restarts: 0 };
    let answers = run(&mut failing, &tests, &options, &mut |_| {}).unwrap();
    let earned: Vec<f64> = answers.iter().map(|answer| answer.points.earned).collect();
    assert_eq!((earned, failing.restarts), (vec![1.0, 0.0, 1.0, 0.0], 2));
    assert_eq!(answers[1].turn, Err(NoTurn::Failed(EngineError::Failed("test failure".into()))));
    let answers = run(&mut failing, &tests, &options, &mut |answer| {
        if answer.cycle == 1 {
            options.stop.request();
        }
    });
    assert_eq!(answers.unwrap().len(), 2);
}
