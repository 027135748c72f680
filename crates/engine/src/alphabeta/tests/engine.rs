//! Tests of the engine through its public interface.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Info, Job, Limits, StopToken, TimeBudget};
use surus_rules::{Game, GameResult, PieceKind, Rules, Score, Side, Termination, Turn};

use crate::AlphaBeta;
use crate::eval::Weights;
use crate::phase::GamePhase;

const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
const FIGHT: &str = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";

fn game(text: &str) -> Game {
    Game::from_text(text, Rules::Official).unwrap()
}

fn engine() -> AlphaBeta {
    let mut engine = AlphaBeta::default();
    engine.set_option("hash", "4").unwrap();
    engine
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn think(job: &Job) -> (Turn, Info) {
    let mut last = Info::default();
    let answer = engine().think(job, &mut |info| last = info).unwrap();
    let Answer::Turn(turn) = answer else { panic!("no turn: {answer:?}") };
    (turn, last)
}

/// The game after the engine's turn, which must be legal.
fn played(job: &Job) -> (Game, Info) {
    let (turn, info) = think(job);
    let mut game = job.game.clone();
    game.play(&turn).unwrap();
    (game, info)
}

#[test]
fn it_takes_a_goal_and_the_last_rabbit() {
    let goal = game("g [r      r R         hE                                   RRRRRRR ]");
    assert_eq!(
        played(&Job::limited(goal, nodes(1000))).0.result(),
        Some(GameResult::win(Side::Gold, Termination::Goal))
    );
    // The only silver rabbit stands on d6, next to the trap c6.
    let last = game("g [           e       r       E                            R      R ]");
    let ending = played(&Job::limited(last, nodes(1000))).0.result();
    assert_eq!(ending, Some(GameResult::win(Side::Gold, Termination::Elimination)));
}

#[test]
fn it_stops_a_goal_where_it_can() {
    // Silver's rabbit on a3 walks to a1 unless it is blocked.
    let goal_threatened = game("g [rrrrrr   hd  m             e            r  D E    MCDHH   R RRRR]");
    assert!(surus_tactics::steps_to_goal(goal_threatened.position().board(), Side::Silver, 4).is_some());
    let (after, _) = played(&Job::limited(goal_threatened, nodes(20_000)));
    assert_eq!(surus_tactics::steps_to_goal(after.position().board(), Side::Silver, 4), None);
}

#[test]
fn it_wins_a_piece_that_hangs() {
    let hanging = game("g [rrrrrrrr           hc  e   ME                           RRRRRRRR]");
    let (after, info) = played(&Job::limited(hanging, depth(5)));
    let board = after.position().board();
    assert_eq!(board.count(Side::Silver, PieceKind::Horse) + board.count(Side::Silver, PieceKind::Cat), 0);
    assert!(info.score > Some(Score::Centirabbits(200)));
}

#[test]
fn the_same_job_gives_the_same_nodes_scores_and_turn() {
    for text in [START, FIGHT] {
        for limits in [nodes(5_000), depth(6)] {
            let job = Job::limited(game(text), limits);
            let [a, b] = [(); 2].map(|()| think(&job));
            assert_eq!(a.0, b.0);
            assert_eq!((a.1.nodes, a.1.score, a.1.pv), (b.1.nodes, b.1.score, b.1.pv));
        }
    }
}

#[test]
fn every_line_it_reports_can_be_played() {
    for text in [START, FIGHT] {
        let start = game(text);
        let mut reports = 0;
        let job = Job::limited(start.clone(), depth(8));
        engine()
            .think(&job, &mut |info| {
                let mut game = start.clone();
                info.pv.iter().for_each(|turn| game.play(turn).unwrap());
                assert!(!info.pv.is_empty());
                reports += 1;
            })
            .unwrap();
        assert!(reports >= 4);
    }
}

#[test]
fn limits_are_kept() {
    let (_, info) = think(&Job::limited(game(FIGHT), nodes(3_000)));
    assert!(info.nodes.unwrap() <= 3_000);
    let (_, info) = think(&Job::limited(game(FIGHT), depth(5)));
    assert_eq!(info.depth, Some(5));
    // One node is too few for anything, and still there is a turn.
    played(&Job::limited(game(FIGHT), nodes(1)));
}

#[test]
fn it_ends_soon_after_its_time_and_when_it_is_told_to() {
    let time = Some(TimeBudget::fixed(Duration::from_millis(100)));
    let job = Job {
        stop: StopToken::after(time),
        ..Job::limited(game(FIGHT), Limits { time, ..Limits::default() })
    };
    let began = Instant::now();
    played(&job);
    // Generous, because tests run in parallel on a busy machine.
    assert!(began.elapsed() < Duration::from_millis(400), "{:?}", began.elapsed());
    let job = Job::new(game(FIGHT));
    let stop = job.stop.clone();
    let thread = std::thread::spawn(move || think(&job));
    std::thread::sleep(Duration::from_millis(50));
    stop.request();
    let began = Instant::now();
    thread.join().unwrap();
    assert!(began.elapsed() < Duration::from_millis(300), "{:?}", began.elapsed());
}

#[test]
fn a_turn_that_runs_is_finished_even_in_the_middle_of_a_push() {
    let mut running = game("g [rrrrrrrr           hc  e   ME                           RRRRRRRR]");
    running.step("hd6w".parse().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert!(running.position().is_mid_push());
    played(&Job::limited(running.clone(), nodes(2_000)));
    running.undo_step();
    for step in ["Ra1n", "Rh1n", "Ra2n"] {
        running.step(step.parse().unwrap()).unwrap();
        let (turn, _) = think(&Job::limited(running.clone(), nodes(2_000)));
        assert!(turn.len() <= running.position().steps_left() as usize);
        running.clone().play(&turn).unwrap();
    }
}

#[test]
fn it_chooses_only_from_what_it_may() {
    let start = game(FIGHT);
    let only: Vec<Turn> = start.legal_turns().into_iter().step_by(5_000).collect();
    let mut job = Job::limited(start, nodes(2_000));
    job.search_turns.clone_from(&only);
    assert!(only.contains(&think(&job).0));
    job.search_turns.truncate(1);
    assert_eq!(think(&job).0, only[0]);
}

#[test]
fn it_never_repeats_a_position_a_third_time() {
    // Both sides shuffle their elephants; Ee2s would bring about the start for the third time.
    let mut game = game("g [r  e   r                                                R   E  R]");
    for turn in ["Ee1n", "ed8s", "Ee2s", "ed7n", "Ee1n", "ed8s", "Ee2s"] {
        game.play_text(turn).unwrap();
    }
    assert!(game.clone().play_text("ed7n").is_err());
    let mut job = Job::limited(game, nodes(500));
    played(&job);
    // Even if it is the only allowed turn, it is not played.
    job.search_turns = vec!["ed7n".parse::<surus_rules::Step>().into_iter().collect()];
    assert_eq!(engine().think(&job, &mut |_| {}), Err(EngineError::NoLegalTurn));
}

#[test]
fn odd_positions_are_played_and_finished_ones_refused() {
    for text in [
        "g [    e                          r   h       Er   R              H]",
        "s [E  d   e R     R                R      r        r      r   D    ]",
        "g [r                                                              R]",
        "g [        r  R                                         r M        ]",
    ] {
        played(&Job::limited(game(text), nodes(3_000)));
    }
    // By the oldest rules a side without rabbits plays on.
    let bare = "g [   e                               E                          R ]";
    let bare = Game::from_text(bare, Rules::Classic2004).unwrap();
    assert_eq!(bare.result(), None);
    played(&Job::limited(bare, nodes(500)));
    let over = game("s [R  e   r                                                R  E   R]");
    assert!(matches!(engine().think(&Job::new(over), &mut |_| {}), Err(EngineError::GameOver(_))));
}

/// Handicaps, one piece each, a side without rabbits where the rules let it play on: whatever the level and the
/// threads, there is a legal turn, or the answer that the game is over.
#[test]
fn whatever_can_be_set_up_is_searched_by_every_kind_of_engine() {
    let mut searched = 0;
    for text in [
        "g [rrrrrrrr   em                                             ERRRRR]",
        "s [r       e                                                      R]",
        "g [   e                        m                  H           E   R]",
        "s [rrr                        E                                  CC]",
        "g [r                                           E                   ]",
    ] {
        for rules in [Rules::Official, Rules::Classic2004] {
            let game = Game::from_text(text, rules).unwrap();
            for (name, value) in [("level", "1"), ("level", "6"), ("threads", "2"), ("hash", "1")] {
                let mut engine = engine();
                engine.set_option(name, value).unwrap();
                match engine.think(&Job::limited(game.clone(), nodes(1_500)), &mut |_| {}) {
                    Ok(Answer::Turn(turn)) => {
                        game.clone().play(&turn).unwrap();
                        searched += 1;
                    }
                    Err(EngineError::GameOver(ending)) => assert_eq!(game.result(), Some(ending)),
                    other => panic!("{text}: {other:?}"),
                }
            }
        }
    }
    assert!(searched >= 24, "{searched}");
}

#[test]
fn it_sets_up_both_sides_and_plays_on() {
    let mut game = Game::default();
    let mut engine = engine();
    for _ in 0..2 {
        let Answer::Setup(setup) = engine.think(&Job::new(game.clone()), &mut |_| {}).unwrap() else {
            panic!()
        };
        game.play_setup(setup).unwrap();
    }
    for _ in 0..4 {
        let Answer::Turn(turn) =
            engine.think(&Job::limited(game.clone(), nodes(2_000)), &mut |_| {}).unwrap()
        else {
            panic!()
        };
        game.play(&turn).unwrap();
    }
}

#[test]
fn several_lines_are_different_turns_in_order() {
    let job = Job { multi_pv: 4, ..Job::limited(game(FIGHT), depth(5)) };
    let mut lines: [Info; 4] = std::array::from_fn(|_| Info::default());
    let Answer::Turn(best) = engine().think(&job, &mut |info| lines[info.pv_index] = info.clone()).unwrap()
    else {
        panic!()
    };
    let boards: Vec<u64> = lines
        .iter()
        .map(|info| {
            let mut game = job.game.clone();
            info.pv.iter().for_each(|turn| game.play(turn).unwrap());
            let mut game = job.game.clone();
            game.play(&info.pv[0]).unwrap();
            assert_eq!(info.depth, Some(5));
            game.position().board().key()
        })
        .collect();
    assert_eq!(lines[0].pv[0], best);
    assert!(lines.is_sorted_by(|a, b| b.score <= a.score));
    assert!((1..4).all(|i| !boards[..i].contains(&boards[i])), "{boards:?}");
    let only: Vec<Turn> = job.game.legal_turns().into_iter().step_by(5_000).take(3).collect();
    let mut job = Job { multi_pv: 9, ..Job::limited(game(FIGHT), depth(6)) };
    job.search_turns.clone_from(&only);
    let mut firsts = Vec::new();
    engine()
        .think(&job, &mut |info| {
            if info.depth == Some(6) {
                firsts.push(info.pv[0]);
            }
        })
        .unwrap();
    firsts.sort();
    assert_eq!(firsts, {
        let mut only = only;
        only.sort();
        only
    });
}

#[test]
fn there_are_as_many_lines_as_are_wanted_at_every_depth() {
    let goal = "g [r  e    R      r            E                                 R ]";
    for (text, steps) in [(FIGHT, 1), (FIGHT, 2), (FIGHT, 3), (goal, 1), (goal, 4)] {
        let job = Job { multi_pv: 4, ..Job::limited(game(text), depth(steps)) };
        let mut lines = Vec::new();
        let answer = engine().think(&job, &mut |info| {
            if info.depth == Some(steps) {
                lines.push(info);
            }
        });
        assert_eq!(lines.len(), 4, "{text} {steps}");
        assert!(lines.is_sorted_by(|a, b| b.score <= a.score));
        assert_eq!(answer, Ok(Answer::Turn(lines[0].pv[0])));
    }
}

#[test]
fn a_turn_among_few_is_worth_what_it_is_among_all() {
    let job = Job::limited(game(FIGHT), depth(5));
    let mut all = Info::default();
    let Answer::Turn(best) = engine().think(&job, &mut |info| all = info).unwrap() else { panic!() };
    let others = job.game.legal_turns().into_iter().step_by(3_000);
    let only: Vec<Turn> = others.take(3).chain([best]).collect();
    let mut few = Info::default();
    let answer = engine().think(&Job { search_turns: only, ..job }, &mut |info| few = info).unwrap();
    assert_eq!(answer, Answer::Turn(best));
    let estimate = |info: &Info| info.score.and_then(Score::centirabbits).unwrap();
    assert!((estimate(&few) - estimate(&all)).abs() <= 60, "{few:?} {all:?}");
}

#[test]
fn a_level_that_overlooks_a_capture_of_the_last_rabbit_still_thinks() {
    for level in 1..=4 {
        let mut engine = engine();
        engine.set_option("level", &level.to_string()).unwrap();
        let job = Job::new(game("g [           e       r       E                            R      R ]"));
        let mut score = None;
        engine.think(&job, &mut |info| score = info.score).unwrap();
        assert!(score.is_some(), "{level}");
    }
}

#[test]
fn levels_play_legal_turns_within_their_nodes_and_always_the_same() {
    for level in 1..=9 {
        let played = [(); 2].map(|()| {
            let mut engine = engine();
            engine.set_option("level", &level.to_string()).unwrap();
            let (mut game, mut most) = (game(FIGHT), 0);
            for _ in 0..4 {
                let mut report = |info: Info| most = most.max(info.nodes.unwrap_or(0));
                let job = Job::new(game.clone());
                let Answer::Turn(turn) = engine.think(&job, &mut report).unwrap() else { panic!() };
                game.play(&turn).unwrap();
            }
            (*game.position().board(), most)
        });
        assert_eq!(played[0], played[1]);
        assert!(
            played[0].1 <= crate::alphabeta::levels::Level::from_number(level).nodes,
            "{level}: {}",
            played[0].1
        );
    }
    assert!(engine().set_option("level", "11").is_err());
}

#[test]
fn several_threads_keep_the_limits_and_play_legal_turns() {
    let mut engine = engine();
    engine.set_option("threads", "2").unwrap();
    for limits in [nodes(20_000), depth(6)] {
        let job = Job::limited(game(FIGHT), limits);
        let mut last = Info::default();
        let Answer::Turn(turn) = engine.think(&job, &mut |info| last = info).unwrap() else { panic!() };
        job.game.clone().play(&turn).unwrap();
        // Threads add their nodes at intervals.
        assert!(limits.nodes.is_none_or(|most| last.nodes.unwrap() < most + 4096), "{last:?}");
        assert!(limits.depth.is_none() || last.depth == limits.depth, "{last:?}");
    }
}

#[test]
fn impossible_options_are_refused_and_great_ones_cut_down_with_a_warning() {
    let mut engine = engine();
    for (name, value) in [("hash", "0"), ("threads", "0"), ("threads", "many")] {
        assert!(engine.set_option(name, value).is_err(), "{name} {value}");
    }
    engine.set_option("threads", "1024").unwrap();
    let mut words = Vec::new();
    engine.think(&Job::limited(game(START), depth(2)), &mut |info| words.extend(info.messages)).unwrap();
    let cores = std::thread::available_parallelism().unwrap().get();
    assert_eq!(words, [format!("threads reduced from 1024 to {cores}, the number of available cores")]);
}

#[cfg(feature = "tune")]
#[test]
fn search_parameters_are_options_of_a_tune_build() {
    let nodes = |divisor: &str| {
        let mut engine = engine();
        engine.set_option("lmr_divisor", divisor).unwrap();
        let mut nodes = None;
        engine.think(&Job::limited(game(FIGHT), depth(6)), &mut |info| nodes = info.nodes).unwrap();
        nodes
    };
    let (_, default) = think(&Job::limited(game(FIGHT), depth(6)));
    assert_eq!(nodes("160"), default.nodes);
    assert_ne!(nodes("320"), default.nodes);
    assert!(engine().set_option("lmr_divisor", "0").is_err());
}

#[test]
fn phase_weights_are_those_of_the_phase_of_the_root() {
    let file = std::env::temp_dir().join(format!("surus-phase-weights-{}.toml", std::process::id()));
    std::fs::write(&file, Weights::embedded().for_phase(GamePhase::Middlegame).to_toml()).unwrap();
    let search = |name: &str, value: &str| {
        let mut engine = engine();
        engine.set_option(name, value).unwrap();
        let mut scores = Vec::new();
        engine.think(&Job::limited(game(FIGHT), nodes(3000)), &mut |info| scores.push(info.score)).unwrap();
        scores
    };
    let with_file = search("weights", file.to_str().unwrap());
    std::fs::remove_file(&file).unwrap();
    assert_eq!(search("phase_weights", "true"), with_file);
    assert_ne!(search("phase_weights", "false"), with_file);
}

#[test]
fn variety_makes_games_of_different_seeds_differ() {
    let answer = |variety: &str, seed: usize, count: u64| {
        let mut engine = engine();
        engine.set_option("variety", variety).unwrap();
        engine.set_option("seed", &seed.to_string()).unwrap();
        let Ok(Answer::Turn(turn)) = engine.think(&Job::limited(game(START), nodes(count)), &mut |_| {})
        else {
            panic!("no turn")
        };
        turn.to_string()
    };
    // Without and with ranking of the root.
    for count in [3_000, 60_000] {
        let distinct =
            |variety: &str| (1..=6).map(|seed| answer(variety, seed, count)).collect::<HashSet<_>>().len();
        assert_eq!(distinct("0"), 1, "without variety the seed is used by setups only");
        assert!(distinct("50") >= 2, "{count}: {}", distinct("50"));
    }
    assert_eq!(answer("50", 1, 3_000), answer("50", 1, 3_000));
}
