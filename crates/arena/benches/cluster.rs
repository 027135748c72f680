//! What the blocks of a shared run cost: 1,000 workers on one run directory, with real files and games that take no time.
//!
//! Each worker in turn claims a block, saves its games and forces each to the disk, as it would every ten seconds. Run it with
//! `cargo bench -p surus-arena --bench cluster [-- WORKERS BLOCKS]`.

use std::path::Path;
use std::time::{Duration, Instant};

use surus_arena::{
    Claims, GameEntry, Manifest, RunDir, SequentialTest, Sprt, SprtModel, TaskJournals, collect, task_dir,
};
use surus_record::GameRow;
use surus_rules::{Side, Termination};

const BLOCK_PAIRS: u64 = 4;
/// A game of 45 turns.
const TURNS: u32 = 45;

fn main() {
    let numbers: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let (workers, blocks) = (*numbers.first().unwrap_or(&1000), *numbers.get(1).unwrap_or(&4));
    let dir = std::env::temp_dir().join(format!("surus-cluster-{}", std::process::id()));
    simulate(&dir, workers, workers * blocks);
    let _ = std::fs::remove_dir_all(&dir);
}

fn simulate(dir: &Path, workers: u64, blocks: u64) {
    let manifest = manifest(2 * BLOCK_PAIRS * blocks);
    drop(RunDir::open(dir, &manifest, false).expect("an empty directory"));
    let (mut claiming, mut saving) = (Vec::new(), Vec::new());
    let mut tasks: Vec<(Claims, RunDir)> = Vec::new();
    let start = Instant::now();
    for task in 1..=workers {
        let claims = Claims::open(&dir.join("blocks"), task, blocks).expect("claims");
        tasks.push((claims, RunDir::open(&task_dir(dir, task), &manifest, true).expect("a task")));
    }
    let opening = start.elapsed() / u32::try_from(workers).unwrap_or(1);
    for block in 0..blocks {
        let (claims, games) = &mut tasks[(block % workers) as usize];
        let start = Instant::now();
        let claimed = claims.claim().expect("a claim").expect("a free block");
        claiming.push(start.elapsed());
        let start = Instant::now();
        for id in 2 * BLOCK_PAIRS * claimed + 1..=2 * BLOCK_PAIRS * (claimed + 1) {
            let (entry, row) = game(id);
            games.add(entry, &row).and_then(|()| games.sync()).expect("a game");
        }
        saving.push(start.elapsed());
    }
    drop(tasks);
    let start = Instant::now();
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).expect("bounds");
    let mut test = SequentialTest::new(sprt);
    let mut read = 0;
    let added = |entry: GameEntry| {
        read += 1;
        test.add(entry.id, entry.winner);
    };
    TaskJournals::new(dir, workers).read_new(added).expect("journals");
    let reading = start.elapsed();
    let start = Instant::now();
    let collected = collect(dir).expect("games");
    let collecting = start.elapsed();
    assert_eq!((read, collected as u64), (2 * BLOCK_PAIRS * blocks, read));
    println!("{workers} workers, {blocks} blocks of {} games, {read} games", 2 * BLOCK_PAIRS);
    println!("a task starts in {opening:.2?}");
    print_times("claim a block", &mut claiming);
    print_times("save its games", &mut saving);
    let block: Duration = (claiming.iter().sum::<Duration>() + saving.iter().sum()) / blocks as u32;
    println!("both are {:.3} % of a block of 10 s", 100.0 * block.as_secs_f64() / 10.0);
    println!("reading all journals for the sequential test: {reading:.2?}");
    println!("collecting the games in the directory of the run: {collecting:.2?}");
}

fn print_times(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let [median, worst] = [times.len() / 2, times.len() * 99 / 100].map(|index| times[index]);
    println!("{name}: median {median:.2?}, 99th percentile {worst:.2?}");
}

fn manifest(games: u64) -> Manifest {
    Manifest {
        program: "surus".into(),
        started: 0,
        comment: String::new(),
        games,
        format: "match".into(),
        openings: "book, seed 1".into(),
        adjudication: String::new(),
        shard: "1/1".into(),
        invocation: Default::default(),
        engine: Vec::new(),
    }
}

fn game(id: u64) -> (GameEntry, String) {
    let names = ["one", "two"].map(String::from);
    let engines = ["one 1 [0123456789abcdef]", "two 1 [0123456789abcdef]"].map(String::from);
    // Three wins in four pairs are shared, so that the test is not decided early.
    let winner = Some(if id % 2 == 1 { Side::Gold } else { Side::Silver }).filter(|_| !id.is_multiple_of(3));
    let termination = if winner.is_some() { Termination::Goal } else { Termination::Score };
    let turn = |number: u32| format!("{number}g Ed2n Ed3n Hb2n Hb3n\n{number}s ed7s ed6s hb7s hb6s\n");
    let row = GameRow { id, winner, record: (2..=TURNS).map(turn).collect(), ..GameRow::default() };
    (GameEntry { id, players: names, engines, winner, termination, turns: TURNS }, row.to_string())
}
