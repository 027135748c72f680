//! Surus as an external engine plays the same turns as its built-in engine.

use std::time::Duration;

use surus_play::{Answer, Engine, Greedy, Job, Limits, StopToken, time_budget};
use surus_protocol::{AeiEngine, EngineProcessOptions, GetMoveEngine, SideLetters};
use surus_rules::{Clock, Game};

const SURUS: &str = env!("CARGO_BIN_EXE_surus");

/// A job with a clock, as in a match.
fn clocked(game: &Game, clock: Clock) -> Job {
    let setup = game.entries().len() < 2;
    let time = Some(time_budget(&clock, game.side(), setup, Duration::ZERO, Duration::from_millis(150)));
    let limits = Limits { time, ..Limits::default() };
    Job { clock: Some(clock), stop: StopToken::after(time), ..Job::limited(game.clone(), limits) }
}

fn play(engine: &mut dyn Engine, game: &mut Game) {
    let job = clocked(game, Clock::new("5s/60s/100".parse().unwrap()));
    match engine.think(&job, &mut |_| {}).unwrap() {
        Answer::Setup(setup) => game.play_setup(setup).unwrap(),
        Answer::Turn(turn) => game.play(&turn).unwrap(),
        Answer::Resign => panic!("the engine resigned"),
    }
}

#[test]
fn an_external_engine_plays_the_same_game() {
    let command_line = format!("'{SURUS}' aei --engine greedy");
    let options = [("seed".to_string(), "3".to_string())];
    let mut external = AeiEngine::start(&command_line, &options, EngineProcessOptions::default()).unwrap();
    assert_eq!(external.id().name, "surus greedy");
    let mut inside = Greedy::default();
    inside.set_option("seed", "3").unwrap();
    let mut games = [Game::default(), Game::default()];
    for _ in 0..20 {
        play(&mut external, &mut games[0]);
        play(&mut inside, &mut games[1]);
    }
    assert_eq!(games[0].to_string(), games[1].to_string());
    let nodes = Job::limited(games[0].clone(), Limits { nodes: Some(1000), ..Limits::default() });
    assert!(external.think(&nodes, &mut |_| {}).is_ok(), "surus supports node limits over AEI");
}

#[test]
fn both_ends_of_getmove_agree() {
    let directory = std::env::temp_dir().join(format!("surus-programs-{}", std::process::id()));
    for letters in [SideLetters::WhiteBlack, SideLetters::GoldSilver] {
        let command_line = format!("'{SURUS}' getmove --engine greedy");
        let mut program =
            GetMoveEngine::new(&command_line, directory.clone(), letters, EngineProcessOptions::default());
        let mut game = Game::default();
        for _ in 0..6 {
            play(&mut program, &mut game);
        }
    }
    assert!(!directory.exists(), "its files are removed with it");
}
