//! Our own program as an outside one: what it plays over a protocol is what its engine plays.

use std::time::Duration;

use surus_play::{Answer, Engine, Greedy, Job, Limits, StopToken, time_budget};
use surus_protocol::{AeiEngine, EngineProcessOptions, GetMoveEngine, SideLetters};
use surus_rules::{Clock, Game};

const SURUS: &str = env!("CARGO_BIN_EXE_surus");

/// A job on a clock, as a match makes it.
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
        Answer::Resign => panic!("it resigned"),
    }
}

#[test]
fn an_engine_plays_the_same_game_inside_and_outside() {
    let command_line = format!("'{SURUS}' aei --engine greedy");
    let options = [("seed".to_string(), "3".to_string())];
    let mut outside = AeiEngine::start(&command_line, &options, EngineProcessOptions::default()).unwrap();
    assert_eq!(outside.id().name, "surus greedy");
    let mut inside = Greedy::default();
    inside.set_option("seed", "3").unwrap();
    let mut games = [Game::default(), Game::default()];
    for _ in 0..20 {
        play(&mut outside, &mut games[0]);
        play(&mut inside, &mut games[1]);
    }
    assert_eq!(games[0].to_string(), games[1].to_string());
    let nodes = Job::limited(games[0].clone(), Limits { nodes: Some(1000), ..Limits::default() });
    assert!(outside.think(&nodes, &mut |_| {}).is_ok(), "our own programs are limited by nodes, too");
}

#[test]
fn getmove_is_understood_from_both_ends() {
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
    assert!(!directory.exists(), "its files go away with it");
}
