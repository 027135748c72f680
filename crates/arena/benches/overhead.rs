//! What the arena adds to a turn: `cargo bench -p surus-arena`.
//!
//! The engine answers at once with the first step it finds, so that the time of a turn is the arena's own: the job, the
//! clock, judging the answer, and for a child process the pipes. The last figure is for whole games with everything
//! written to disk.

use std::time::{Duration, Instant};

use surus_arena::{
    Conditions, EngineSpec, Entrant, Folder, Format, Manifest, Openings, Pace, Players, Run, Schedule,
};
use surus_play::{Engine, Random, Registry, Stop};
use surus_rules::{Game, Phase};

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.add("random", "takes random steps", || Box::new(Random::default()));
    registry
}

/// Plays games turn by turn and sorts what each turn cost beyond the same question asked of the engine directly.
fn overhead(make: &dyn Fn() -> Box<dyn Engine>, games: u64) -> Vec<Duration> {
    let mut costs = Vec::new();
    let conditions = Conditions {
        adjudication: Default::default(),
        stall: Duration::from_secs(60),
        stop: Stop::default(),
    };
    let [mut gold, mut silver] = [make(), make()];
    let mut plain = Random::default();
    for game in 0..games {
        let opening = Openings::Book { seed: 1 }.get(game);
        let pace = Pace { control: "60s/60s".parse().ok(), ..Pace::default() };
        let bout = surus_arena::play(
            Players::Two([gold.as_mut(), silver.as_mut()]),
            [pace; 2],
            opening.clone(),
            &conditions,
            &mut (),
        );
        let Some(bout) = bout else { continue };
        // The same turns again without the arena: what the engine itself takes.
        let mut again: Game = opening;
        for note in &bout.notes {
            if !matches!(again.phase(), Phase::Play(_)) {
                break;
            }
            let job = surus_play::Job::new(again.clone());
            let start = Instant::now();
            let answer = plain.think(&job, &mut |_| {});
            let own = start.elapsed();
            costs.push(note.used.saturating_sub(own));
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
            let outside = overhead(&|| spec.make(&registry).expect("the program starts"), 10);
            println!(
                "child process:  {:>8.1} µs median, {:>8.1} µs 99th percentile, {} turns",
                percentile(&outside, 0.5),
                percentile(&outside, 0.99),
                outside.len()
            );
        }
    }
    whole_games(10_000);
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
    let entrant = |name: &str, seed: &'static str| Entrant {
        name: name.into(),
        id: Random::default().id().to_string(),
        pace: Pace::default(),
        make: Box::new(move || {
            let mut engine = Random::default();
            let _ = engine.set("seed", seed);
            Ok(Box::new(engine))
        }),
    };
    let run = Run {
        entrants: vec![entrant("one", "1"), entrant("two", "2")],
        openings: Openings::Book { seed: 1 },
        conditions: Conditions {
            adjudication: Default::default(),
            stall: Duration::from_secs(60),
            stop: Stop::default(),
        },
        concurrency: 2,
        event: "bench".into(),
    };
    let start = Instant::now();
    let mut turns = 0;
    let fixtures = Schedule { engines: 2, format: Format::RoundRobin, games }.fixtures();
    let mut opened = Folder::open(&folder, &manifest, false).expect("a folder");
    run.play(fixtures, Some(&mut opened), |_, _, bout| turns += bout.notes.len()).expect("all games");
    let size = std::fs::metadata(folder.join("games.txt")).map_or(0, |file| file.len());
    let _ = std::fs::remove_dir_all(&folder);
    println!(
        "{games} games of random against random, recorded: {:.1} s, {turns} turns, {:.0} MB",
        start.elapsed().as_secs_f64(),
        size as f64 / 1e6
    );
}
