//! What the arena adds to a turn: `cargo bench -p surus-arena`.
//!
//! The engine answers at once with the first step it finds, so that the time of a turn is the arena's own: the job, the
//! clock, judging the answer, and for a child process the pipes. The last figure is for whole games with everything
//! written to disk.

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
    registry.add("random", "takes random steps", || Box::new(Random::default()));
    registry
}

/// Plays games turn by turn and sorts what each turn cost beyond the same question asked of the engine directly.
fn overhead(make: &dyn Fn() -> Box<dyn Engine>, games: u64) -> Vec<Duration> {
    let mut costs = Vec::new();
    let conditions = GameOptions {
        adjudication: Default::default(),
        stall_timeout: Duration::from_secs(60),
        stop: StopToken::default(),
    };
    let [mut gold, mut silver] = [make(), make()];
    let mut plain = Random::default();
    for game in 0..games {
        let opening = Openings::Book { seed: 1 }.get(game);
        let pace = EngineLimits { time_control: "60s/60s".parse().ok(), ..EngineLimits::default() };
        let bout = surus_arena::play_game(
            Players::Two([gold.as_mut(), silver.as_mut()]),
            [pace; 2],
            opening.clone(),
            &conditions,
            &mut (),
        );
        let Some(bout) = bout else { continue };
        // The same turns again without the arena: what the engine itself takes.
        let mut again: Game = opening;
        for note in &bout.turns {
            if !matches!(again.phase(), Phase::Play(_)) {
                break;
            }
            let job = surus_play::Job::new(again.clone());
            let start = Instant::now();
            let answer = plain.think(&job, &mut |_| {});
            let own = start.elapsed();
            costs.push(note.elapsed.saturating_sub(own));
            if let Ok(surus_play::Answer::Turn(turn)) = answer {
                let _ = again.play(&turn);
            }
        }
    }
    costs.sort_unstable();
    costs
}

fn main() {
    let percentile =
        |costs: &[Duration], share: f64| costs[(costs.len() as f64 * share) as usize].as_secs_f64() * 1e6;
    let inside = overhead(&|| Box::new(Random::default()), 40);
    println!(
        "in process:     {:>8.1} µs median, {:>8.1} µs 99th percentile, {} turns",
        percentile(&inside, 0.5),
        percentile(&inside, 0.99),
        inside.len()
    );
    // The program of this project stands beside the benchmark, if it was built.
    let program = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.parent()?.join("surus")));
    match program.filter(|program| program.exists()) {
        None => println!("child process:  build the program first: cargo build --release"),
        Some(program) => {
            let spec = EngineSpec::parse(&format!("cmd='{}' aei --engine random", program.display()));
            let registry = registry();
            let outside = overhead(&|| spec.instantiate(&registry).expect("the program starts"), 10);
            println!(
                "child process:  {:>8.1} µs median, {:>8.1} µs 99th percentile, {} turns",
                percentile(&outside, 0.5),
                percentile(&outside, 0.99),
                outside.len()
            );
        }
    }
    journal(40);
    whole_games(10_000);
}

/// What journal and identity take of a match at 1,000 nodes a turn.
fn journal(games: u64) {
    let mut registry = Registry::default();
    registry.add("alphabeta", "", || Box::new(AlphaBeta::default()));
    let pace = EngineLimits { nodes: Some(1000), ..EngineLimits::default() };
    let specs =
        ["a", "b"].map(|name| EngineSpec { name: name.into(), pace, ..EngineSpec::parse("alphabeta") });
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
        default_pace: EngineLimits::default(),
    };
    let schedule = Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: games };
    let start = Instant::now();
    let contest = Contest::prepare(specs.into(), schedule, "match", terms, &registry).expect("two engines");
    let first_ids = start.elapsed();
    let start = Instant::now();
    contest.play(&StopToken::default(), |_| false).expect("all games");
    let played = start.elapsed();
    // The same rows once more: read, checked, appended, forced to the disk.
    let start = Instant::now();
    merge(&[folder.join("run")], &folder.join("again")).expect("the same games");
    let written = start.elapsed();
    let engine = AlphaBeta::default();
    let start = Instant::now();
    let length: usize = (0..2 * games).map(|_| engine.id().to_string().len()).sum();
    let named = start.elapsed();
    let _ = std::fs::remove_dir_all(&folder);
    let per_game = |time: Duration| time.as_secs_f64() * 1e6 / games as f64;
    println!(
        "{games} games at 1,000 nodes a turn: {:.0} µs a game; journal {:.0} µs, ids of {} letters {:.0} µs: {:.3} %; \
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
        engine: Vec::new(),
    };
    let entrant = |name: &str, seed: &'static str| Participant {
        name: name.into(),
        id: Random::default().id().to_string(),
        pace: EngineLimits::default(),
        create_engine: Box::new(move || {
            let mut engine = Random::default();
            let _ = engine.set_option("seed", seed);
            Ok(Box::new(engine))
        }),
    };
    let run = Tournament {
        participants: vec![entrant("one", "1"), entrant("two", "2")],
        openings: Openings::Book { seed: 1 },
        conditions: GameOptions {
            adjudication: Default::default(),
            stall_timeout: Duration::from_secs(60),
            stop: StopToken::default(),
        },
        concurrency: 2,
        event: "bench".into(),
    };
    let start = Instant::now();
    let mut turns = 0;
    let fixtures = Schedule { engines: 2, format: TournamentFormat::RoundRobin, games_per_pairing: games }
        .games_per_pairing();
    let mut opened = RunDir::open(&folder, &manifest, false).expect("a folder");
    run.play(fixtures, Some(&mut opened), |_, _, bout| turns += bout.turns.len()).expect("all games");
    let size = std::fs::metadata(folder.join("games.txt")).map_or(0, |file| file.len());
    let _ = std::fs::remove_dir_all(&folder);
    println!(
        "{games} games of random against random, recorded: {:.1} s, {turns} turns, {:.0} MB",
        start.elapsed().as_secs_f64(),
        size as f64 / 1e6
    );
}
