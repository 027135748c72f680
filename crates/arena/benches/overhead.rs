//! Overhead of the arena per turn: `cargo bench -p surus-arena`.
//!
//! The engine answers immediately with a random step, so the time of a turn is that of the arena: creating the job, the
//! clock, checking the answer, and the pipes of a child process. The last figure includes saving complete games.

use std::time::{Duration, Instant};

use surus_arena::{
    Contest, EngineLimits, EngineSpec, GameOptions, Manifest, Openings, Participant, Players, RunDir,
    Schedule, Terms, Tournament, TournamentFormat, merge,
};
use surus_engine::AlphaBeta;
use surus_play::{Engine, Random, Registry, StopToken};
use surus_rules::{Game, Phase};

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add("random", "random steps", || Box::new(Random::default()));
    registry
}

/// The time per turn beyond that of a direct call of the engine, sorted.
fn overhead(create_engine: &dyn Fn() -> Box<dyn Engine>, games: u64) -> Vec<Duration> {
    let mut costs = Vec::new();
    let options = GameOptions {
        adjudication: Default::default(),
        stall_timeout: Duration::from_secs(60),
        stop: StopToken::default(),
    };
    let [mut gold, mut silver] = [create_engine(), create_engine()];
    let mut plain = Random::default();
    for game in 0..games {
        let opening = Openings::Book { seed: 1 }.get(game);
        let limits = EngineLimits { time_control: "60s/60s".parse().ok(), ..EngineLimits::default() };
        let match_game = surus_arena::play_game(
            Players::Two([gold.as_mut(), silver.as_mut()]),
            [limits; 2],
            opening.clone(),
            &options,
            &mut (),
        );
        let Some(match_game) = match_game else { continue };
        // Repeat the turns without the arena, to measure the time of the engine itself.
        let mut replay: Game = opening;
        for stats in &match_game.turns {
            if !matches!(replay.phase(), Phase::Play(_)) {
                break;
            }
            let job = surus_play::Job::new(replay.clone());
            let start = Instant::now();
            let answer = plain.think(&job, &mut |_| {});
            let direct = start.elapsed();
            costs.push(stats.elapsed.saturating_sub(direct));
            if let Ok(surus_play::Answer::Turn(turn)) = answer {
                let _ = replay.play(&turn);
            }
        }
    }
    costs.sort_unstable();
    costs
}

fn main() {
    let percentile = |costs: &[Duration], fraction: f64| {
        costs[(costs.len() as f64 * fraction) as usize].as_secs_f64() * 1e6
    };
    let in_process = overhead(&|| Box::new(Random::default()), 40);
    println!(
        "in process:     {:>8.1} µs median, {:>8.1} µs 99th percentile, {} turns",
        percentile(&in_process, 0.5),
        percentile(&in_process, 0.99),
        in_process.len()
    );
    // The surus executable is next to the directory of the benchmark, if it was built.
    let program = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.parent()?.join("surus")));
    match program.filter(|program| program.exists()) {
        None => println!("child process:  build surus first: cargo build --release"),
        Some(program) => {
            let spec = EngineSpec::parse(&format!("cmd='{}' aei --engine random", program.display()));
            let registry = registry();
            let child_process = overhead(&|| spec.instantiate(&registry).expect("surus starts"), 10);
            println!(
                "child process:  {:>8.1} µs median, {:>8.1} µs 99th percentile, {} turns",
                percentile(&child_process, 0.5),
                percentile(&child_process, 0.99),
                child_process.len()
            );
        }
    }
    journal(40);
    whole_games(10_000);
}

/// Cost of the journal and the engine ids in a match at 1,000 nodes per turn.
fn journal(games: u64) {
    let mut registry = Registry::default();
    registry.add("alphabeta", "", || Box::new(AlphaBeta::default()));
    let limits = EngineLimits { nodes: Some(1000), ..EngineLimits::default() };
    let specs =
        ["a", "b"].map(|name| EngineSpec { name: name.into(), limits, ..EngineSpec::parse("alphabeta") });
    let folder = std::env::temp_dir().join(format!("surus-journal-{}", std::process::id()));
    let terms = Terms {
        openings: Openings::Book { seed: 1 },
        openings_name: "book".into(),
        adjudication: Default::default(),
        stall: Duration::from_secs(60),
        concurrency: 1,
        shard: Default::default(),
        comment: String::new(),
        out: Some(folder.join("run")),
        resume: false,
        engine_logs: None,
        default_limits: EngineLimits::default(),
        invocation: Default::default(),
        shared: None,
    };
    let schedule = Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: games };
    let start = Instant::now();
    let contest = Contest::prepare(specs.into(), schedule, "match", terms, &registry).expect("two engines");
    let first_ids = start.elapsed();
    let start = Instant::now();
    contest.play(&StopToken::default(), |_| false).expect("all games");
    let played = start.elapsed();
    // Merging reads, checks, appends and syncs the same rows again.
    let start = Instant::now();
    merge(&[folder.join("run")], &folder.join("merged")).expect("the same games");
    let written = start.elapsed();
    let engine = AlphaBeta::default();
    let start = Instant::now();
    let length: usize = (0..2 * games).map(|_| engine.id().to_string().len()).sum();
    let named = start.elapsed();
    let _ = std::fs::remove_dir_all(&folder);
    let per_game = |time: Duration| time.as_secs_f64() * 1e6 / games as f64;
    println!(
        "{games} games at 1,000 nodes per turn: {:.0} µs per game; journal {:.0} µs, ids of {} letters {:.0} µs: {:.3} %; \
         first ids {:.1} ms",
        per_game(played),
        per_game(written),
        length / (2 * games as usize),
        per_game(named),
        100.0 * (written + named).as_secs_f64() / played.as_secs_f64(),
        first_ids.as_secs_f64() * 1e3,
    );
}

fn whole_games(games: u64) {
    let folder = std::env::temp_dir().join(format!("surus-overhead-{}", std::process::id()));
    let manifest = Manifest {
        program: "bench".into(),
        started: 0,
        comment: String::new(),
        games,
        format: "match".into(),
        openings: "book".into(),
        adjudication: "none".into(),
        shard: "1/1".into(),
        invocation: Default::default(),
        engine: Vec::new(),
    };
    let participant = |name: &str, seed: &'static str| Participant {
        name: name.into(),
        id: Random::default().id().to_string(),
        limits: EngineLimits::default(),
        create_engine: Box::new(move |_| {
            let mut engine = Random::default();
            let _ = engine.set_option("seed", seed);
            Ok(Box::new(engine))
        }),
    };
    let run = Tournament {
        participants: vec![participant("one", "1"), participant("two", "2")],
        openings: Openings::Book { seed: 1 },
        options: GameOptions {
            adjudication: Default::default(),
            stall_timeout: Duration::from_secs(60),
            stop: StopToken::default(),
        },
        concurrency: 2,
        sync_games: false,
        event: "bench".into(),
        engine_logs: None,
    };
    let start = Instant::now();
    let mut turns = 0;
    let scheduled_games =
        Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: games }.games();
    let mut opened = RunDir::open(&folder, &manifest, false).expect("a new run directory");
    run.play(scheduled_games, Some(&mut opened), |_, _, match_game| turns += match_game.turns.len())
        .expect("all games");
    let size = std::fs::metadata(folder.join("games.txt")).map_or(0, |file| file.len());
    let _ = std::fs::remove_dir_all(&folder);
    println!(
        "{games} games of random against random, recorded: {:.1} s, {turns} turns, {:.0} MB",
        start.elapsed().as_secs_f64(),
        size as f64 / 1e6
    );
}
