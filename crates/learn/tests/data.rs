//! Self-play runs that are interrupted, truncated, sharded and merged, and validation of data files.

use std::fs;
use std::path::{Path, PathBuf};

use surus_engine::AlphaBeta;
use surus_learn::comparison::PROVENANCE_KIND;
use surus_learn::data::{DataError, InputFiles, check, merge, shuffle, stats};
use surus_learn::selfplay::SelfPlayConfig;
use surus_play::{Engine, StopToken};
use surus_record::Shard;
use surus_record::packed::{
    Flags, Header, PackedAppender, PackedGame, PackedReader, PackedSample, PackedWriter, Provenance, Sample,
    Score,
};
use surus_rules::{Side, Turn};

/// A directory removed at the end of the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-learn-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Short games of a shallow search.
const CONFIG: SelfPlayConfig = SelfPlayConfig {
    seed: 5,
    nodes: 150,
    random_setups: 30,
    random_turns: 4,
    adjudication: (800, 3),
    max_turns: 24,
    starts: None,
    planted: 0,
};

fn engine() -> AlphaBeta {
    let mut engine = AlphaBeta::default();
    engine.set_option("hash", "1").unwrap();
    engine
}

fn origin(seed: u64) -> Provenance {
    Provenance { kind: "selfplay".into(), seed, settings: CONFIG.settings(), ..Provenance::default() }
}

/// Plays games 1 to `games` of a shard into a file; a worker stops after `max_games`.
fn play(file: &Path, games: u64, shard: Shard, concurrency: usize, max_games: usize) {
    let stop = StopToken::default();
    let appender = PackedAppender::open(file, &origin(CONFIG.seed)).unwrap();
    let worker = || {
        let (mut engine, stop, mut played) = (engine(), stop.clone(), 0);
        Ok(move |number| {
            played += 1;
            if played > max_games { Ok(None) } else { CONFIG.play(number, &mut engine, &stop) }
        })
    };
    let numbers = (1..=games).filter(|number| shard.contains(number - 1));
    surus_learn::run_workers(appender, numbers, concurrency, &stop, worker, |_| ()).unwrap();
}

fn full() -> Shard {
    Shard::default()
}

fn read(file: &Path) -> Vec<PackedGame> {
    PackedReader::open(file).unwrap().into_games().collect::<Result<_, _>>().unwrap()
}

fn inputs(files: &[PathBuf]) -> InputFiles {
    InputFiles::open(files, StopToken::default(), false).unwrap()
}

fn merged(files: &[PathBuf], out: &Path) -> Vec<u8> {
    merge(&inputs(files), false, out).unwrap();
    fs::read(out).unwrap()
}

#[test]
fn game_is_determined_by_its_number() {
    let (mut used, stop) = (engine(), StopToken::default());
    let game = |number, engine: &mut AlphaBeta| CONFIG.play(number, engine, &stop).unwrap().unwrap();
    let first = game(7, &mut engine());
    let other = game(8, &mut used);
    assert_eq!(game(7, &mut used), first);
    assert_ne!(first.samples, other.samples);
    let other_seed = SelfPlayConfig { seed: 6, ..CONFIG }.play(7, &mut used, &stop).unwrap().unwrap();
    assert_ne!(other_seed.samples, first.samples);
}

#[test]
fn shards_and_threads_give_the_games_of_one_run() {
    let dir = TempDir::new("shards");
    play(&dir.file("one"), 9, full(), 1, usize::MAX);
    let parts = [1, 2].map(|part| dir.file(&format!("part{part}")));
    for (part, file) in (1..).zip(&parts) {
        play(file, 9, Shard { index: part, count: 2 }, 2, usize::MAX);
    }
    let one = merged(&[dir.file("one")], &dir.file("one.merged"));
    assert_eq!(merged(&parts, &dir.file("parts.merged")), one);
    // Games that are in two files count once.
    let both = [parts[0].clone(), dir.file("one"), parts[1].clone()];
    let joined = merge(&inputs(&both), false, &dir.file("both.merged")).unwrap();
    assert_eq!((joined.games, joined.duplicates), (9, 9));
    assert_eq!(fs::read(dir.file("both.merged")).unwrap(), one);
}

#[test]
fn interrupted_run_resumes_to_the_same_games() {
    let dir = TempDir::new("truncated");
    play(&dir.file("one"), 6, full(), 1, usize::MAX);
    let one = fs::read(dir.file("one")).unwrap();
    let file = dir.file("stopped");
    play(&file, 6, full(), 1, 2);
    assert_eq!(read(&file).len(), 2);
    let length = fs::metadata(&file).unwrap().len();
    fs::File::options().write(true).open(&file).unwrap().set_len(length - 30).unwrap();
    play(&file, 4, full(), 1, usize::MAX);
    play(&file, 6, full(), 1, usize::MAX);
    assert_eq!(fs::read(&file).unwrap(), one);
}

#[test]
fn flags_describe_the_game() {
    let stop = StopToken::default();
    let games: Vec<PackedGame> =
        (1..=12).map(|number| CONFIG.play(number, &mut engine(), &stop).unwrap().unwrap()).collect();
    let records: Vec<&PackedSample> = games.iter().flat_map(|game| &game.samples).collect();
    let has = |flag| records.iter().filter(|record| record.flags().contains(flag)).count();
    assert!(has(Flags::RANDOM_TURN) > 0 && has(Flags::QUIET) > 0);
    assert!(games.iter().any(|game| game.result.is_none()), "a game ended after 24 turns");
    for game in &games {
        let stopped = game.result.is_none();
        let random = game.samples.iter().filter(|record| record.flags().contains(Flags::RANDOM_TURN)).count();
        assert!(random <= 4);
        assert!(game.samples.iter().all(|record| record.result() == game.result));
        assert!(!stopped || game.samples.iter().all(|record| record.flags().contains(Flags::ADJUDICATED)));
        // The setups count as turns.
        assert!(game.samples.len() <= 22);
    }
    let without =
        SelfPlayConfig { random_turns: 0, ..CONFIG }.play(1, &mut engine(), &stop).unwrap().unwrap();
    assert!(without.samples.iter().all(|record| !record.flags().contains(Flags::RANDOM_TURN)));
}

#[test]
fn shuffle_depends_on_games_and_seed_only() {
    let dir = TempDir::new("shuffle");
    play(&dir.file("one"), 12, full(), 1, usize::MAX);
    let halves = [1, 2].map(|part| dir.file(&format!("half{part}")));
    for (part, file) in (1..).zip(&halves) {
        play(file, 12, Shard { index: part, count: 2 }, 1, usize::MAX);
    }
    let shuffled = |files: &[PathBuf], seed, memory, name: &str| {
        let done = shuffle(&inputs(files), seed, memory, &dir.file(name)).unwrap();
        assert_eq!((done.games, done.duplicates), (12, 0));
        fs::read(dir.file(name)).unwrap()
    };
    let one = shuffled(&[dir.file("one")], 1, u64::MAX, "a");
    // With a few hundred bytes of memory, and from two files in another order.
    assert_eq!(shuffled(&[halves[1].clone(), halves[0].clone()], 1, 300, "b"), one);
    assert_ne!(shuffled(&halves, 2, u64::MAX, "c"), one);
    let mut games = read(&dir.file("a"));
    assert_ne!(games, read(&dir.file("one")));
    games.sort_by_key(|game| game.id);
    assert_eq!(games, read(&dir.file("one")));
    let stopped = inputs(&halves);
    stopped.stop.request();
    assert!(matches!(shuffle(&stopped, 1, 300, &dir.file("d")), Err(DataError::Stopped)));
    assert_eq!(dir.names(), ["a", "b", "c", "half1", "half2", "one"], "temporary files are removed");
}

#[test]
fn merge_rejects_different_runs_and_conflicting_games() {
    let dir = TempDir::new("mixed");
    let game = |id, turn: u16| {
        let played = CONFIG.play(1, &mut engine(), &StopToken::default()).unwrap().unwrap();
        let first = Sample { turn_number: turn, ..played.samples[0].decode() };
        PackedGame { id, samples: vec![PackedSample::encode(&first).unwrap()], ..played }
    };
    let write = |name: &str, seed, game: &PackedGame| {
        let mut writer = PackedWriter::create(&dir.file(name), &Header::of(origin(seed))).unwrap();
        writer.write_game(game).unwrap();
        writer.finish().unwrap();
        dir.file(name)
    };
    let [one, other, conflicting] =
        [("one", 5, game(1, 2)), ("other", 6, game(1, 2)), ("conflicting", 5, game(1, 3))]
            .map(|(n, s, g)| write(n, s, &g));
    let join = |files: &[PathBuf], allow_mixed, out: &str| merge(&inputs(files), allow_mixed, &dir.file(out));
    let error = join(&[one.clone(), other.clone()], false, "x").unwrap_err().to_string();
    assert!(error.ends_with("seed '6' against '5'; --allow-mixed merges them anyway"), "{error}");
    let joined = join(&[one.clone(), other.clone()], true, "y").unwrap();
    assert_eq!((joined.games, joined.duplicates), (2, 0));
    let swapped = merge(&inputs(&[other, one.clone()]), true, &dir.file("z")).unwrap();
    assert_eq!(swapped.games, 2);
    assert_eq!(fs::read(dir.file("y")).unwrap(), fs::read(dir.file("z")).unwrap());
    assert!(matches!(join(&[one, conflicting], false, "w"), Err(DataError::ConflictingGame { id: 1, .. })));
    assert!(!dir.file("w").exists() && !dir.file("x").exists());
}

#[test]
fn check_accepts_played_games_and_finds_forged_ones() {
    let dir = TempDir::new("check");
    play(&dir.file("good"), 6, full(), 1, usize::MAX);
    let good = check(&[dir.file("good")], &StopToken::default()).unwrap();
    assert_eq!((good.games, good.found), (6, 0), "{:?}", good.problems);
    let game = read(&dir.file("good")).into_iter().find(|game| game.samples.len() > 8).unwrap();
    let forge = |name: &str, forged: PackedGame| {
        let mut writer = PackedWriter::create(&dir.file(name), &Header::of(origin(5))).unwrap();
        writer.write_game(&forged).unwrap();
        writer.finish().unwrap();
        let checked = check(&[dir.file(name)], &StopToken::default()).unwrap();
        assert_eq!((checked.games, checked.found), (0, 1), "{name}");
        checked.problems[0].clone()
    };
    let change = |index: usize, change: &dyn Fn(&mut Sample)| {
        let mut forged = game.clone();
        let mut sample = forged.samples[index].decode();
        change(&mut sample);
        forged.samples[index] = PackedSample::encode(&sample).unwrap();
        forged
    };
    let other = |result: Option<Side>| if result.is_none() { Some(Side::Gold) } else { None };
    for (name, forged, problem) in [
        ("result", change(0, &|s| s.result = other(s.result)), "its result differs from that of its game"),
        ("turn", change(7, &|s| s.turn_number += 1), "does not follow turn"),
        ("side", change(7, &|s| s.side = s.side.other()), "best turn"),
        ("flags", change(7, &|s| s.flags = Flags::from_bits(s.flags.bits() ^ 2)), ", expected 0x"),
        ("best", change(7, &|s| s.best_turn.pop().map_or((), drop)), "differs from that after the best turn"),
    ] {
        let found = forge(name, forged);
        assert!(found.contains(problem), "{name}: {found}");
    }
    let proven = change(7, &|s| {
        s.flags = Flags::from_bits(s.flags.bits() & !1);
        s.score =
            if game.result == Some(s.side) { Score::Loss { turns: 3 } } else { Score::Win { turns: 3 } };
    });
    assert!(forge("proven", proven).contains("its score is proven, but the other side won"));
    let mut bytes = *game.samples[3].as_bytes();
    bytes[31] = 0xff;
    let mut forged = game.clone();
    forged.samples[3] = PackedSample::from_bytes(bytes);
    assert!(forge("bytes", forged).ends_with("record 4: invalid value of byte 31 of the record"));
}

#[test]
fn corrupt_games_are_reported_and_can_be_skipped() {
    let dir = TempDir::new("corrupt");
    let file = dir.file("file");
    play(&file, 4, full(), 1, usize::MAX);
    let mut bytes = fs::read(&file).unwrap();
    let games = read(&file);
    let mut all = PackedReader::open(&file).unwrap().into_games();
    all.next();
    // A changed bit in the second game, and a missing end.
    let offset = all.offset() as usize + 40;
    bytes[offset] ^= 4;
    bytes.truncate(bytes.len() - 5);
    fs::write(&file, &bytes).unwrap();
    let checked = check(std::slice::from_ref(&file), &StopToken::default()).unwrap();
    assert_eq!((checked.games, checked.found), (2, 2));
    assert!(merge(&inputs(std::slice::from_ref(&file)), false, &dir.file("no")).is_err());
    let skipping = InputFiles::open(&[file], StopToken::default(), true).unwrap();
    let recovered = merge(&skipping, false, &dir.file("recovered")).unwrap();
    assert_eq!((recovered.skipped.damaged, recovered.skipped.truncated), (1, 1));
    assert_eq!(read(&dir.file("recovered")), [games[0].clone(), games[2].clone()]);
    let stats = stats(&skipping).unwrap();
    assert_eq!(stats.games, 2);
    assert_eq!(stats.scores.iter().map(|bin| bin.positions).sum::<u64>(), stats.positions);
    assert_eq!(stats.gold + stats.silver + stats.draws, 2);
}

/// A likely mistake: storing the scores of the other side.
#[test]
fn check_finds_scores_that_contradict_results() {
    let dir = TempDir::new("contradict");
    let played = CONFIG.play(1, &mut engine(), &StopToken::default()).unwrap().unwrap();
    let first = Sample { flags: Flags::QUIET, ..played.samples[0].decode() };
    let file = |name: &str, score: i32| {
        let mut writer = PackedWriter::create(&dir.file(name), &Header::of(origin(5))).unwrap();
        for id in 1..=200 {
            let result = if id % 2 == 0 { Some(Side::Gold) } else { Some(Side::Silver) };
            let score = if result == Some(first.side) { score } else { -score };
            let sample = Sample { result, score: Score::Centirabbits(score), ..first.clone() };
            let records = vec![PackedSample::encode(&sample).unwrap()];
            writer.write_game(&PackedGame { id, result, samples: records, ..played.clone() }).unwrap();
        }
        writer.finish().unwrap();
        check(&[dir.file(name)], &StopToken::default()).unwrap()
    };
    let right = file("right", 400);
    assert_eq!((right.found, right.leads, right.won), (0, 200, 200), "{:?}", right.problems);
    let wrong = file("wrong", -400);
    assert_eq!((wrong.found, wrong.won, wrong.games), (1, 0, 200));
    assert!(wrong.problems[0].contains("scores or results are wrong"));
}

#[test]
fn check_validates_decisions() {
    let dir = TempDir::new("decisions");
    let played = CONFIG.play(1, &mut engine(), &StopToken::default()).unwrap().unwrap();
    let leaf = Sample {
        flags: Flags::NONE,
        depth: 0,
        score: Score::Centirabbits(400),
        result: Some(Side::Gold),
        best_turn: Turn::EMPTY,
        ..played.samples[0].decode()
    };
    let check_leaves = |name: &str, leaves: &[&Sample]| {
        let provenance = Provenance { kind: PROVENANCE_KIND.into(), ..origin(5) };
        let mut writer = PackedWriter::create(&dir.file(name), &Header::of(provenance)).unwrap();
        let samples = leaves.iter().map(|leaf| PackedSample::encode(leaf).unwrap()).collect();
        writer
            .write_game(&PackedGame { id: 10_002, result: Some(Side::Gold), samples, ..played.clone() })
            .unwrap();
        writer.finish().unwrap();
        check(&[dir.file(name)], &StopToken::default()).unwrap()
    };
    let valid = check_leaves("valid", &[&leaf, &leaf]);
    assert_eq!((valid.games, valid.decisions, valid.positions), (0, 1, 2), "{:?}", valid.problems);
    assert_eq!((valid.found, valid.leads), (0, 0));
    assert_eq!(check_leaves("forced", &[]).decisions, 1);
    let other_turn = Sample { turn_number: leaf.turn_number + 1, ..leaf.clone() };
    let proven = Sample { score: Score::Win { turns: 2 }, ..leaf.clone() };
    let labelled = Sample { flags: Flags::QUIET, ..leaf.clone() };
    let lost = Sample { result: Some(Side::Silver), ..leaf.clone() };
    for (name, leaves, problem) in [
        ("single", &[&leaf][..], "decision 10002: a single sample"),
        ("turn", &[&leaf, &other_turn], "record 2: it has turn number"),
        ("proven", &[&leaf, &proven], "record 2: the game is over or its score is proven"),
        ("labelled", &[&leaf, &labelled], "record 2: it has a best turn, flags"),
        ("lost", &[&leaf, &lost], "record 2: its result differs"),
    ] {
        let report = check_leaves(name, leaves);
        assert_eq!((report.decisions, report.found), (0, 1), "{name}");
        assert!(report.problems[0].contains(problem), "{name}: {:?}", report.problems);
    }
}
