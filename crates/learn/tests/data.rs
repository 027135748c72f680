//! Runs of self-play that are stopped, torn, split and joined, and files that lie.

use std::fs;
use std::path::{Path, PathBuf};

use surus_engine::AlphaBeta;
use surus_learn::data::{DataError, InputFiles, check, merge, shuffle, stats};
use surus_learn::selfplay::SelfPlayConfig;
use surus_play::{Engine, StopToken};
use surus_record::Shard;
use surus_record::packed::{
    Flags, Header, PackedAppender, PackedGame, PackedReader, PackedSample, PackedWriter, Provenance, Sample,
    Score,
};
use surus_rules::Side;

/// A folder that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
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

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Short games of a shallow search.
const CONDUCT: SelfPlayConfig = SelfPlayConfig {
    seed: 5,
    nodes: 150,
    random_setups: 30,
    random_turns: 4,
    adjudication: (800, 3),
    max_turns: 24,
};

fn engine() -> AlphaBeta {
    let mut engine = AlphaBeta::default();
    engine.set_option("hash", "1").unwrap();
    engine
}

fn origin(seed: u64) -> Provenance {
    Provenance { kind: "selfplay".into(), seed, settings: CONDUCT.settings(), ..Provenance::default() }
}

/// Plays games 1 to `games` of a part into a file; a worker is stopped after so many.
fn play(file: &Path, games: u64, shard: Shard, concurrency: usize, most: usize) {
    let stop = StopToken::default();
    let appender = PackedAppender::open(file, &origin(CONDUCT.seed)).unwrap();
    let worker = || {
        let (mut engine, stop, mut played) = (engine(), stop.clone(), 0);
        Ok(move |number| {
            played += 1;
            if most < played { Ok(None) } else { CONDUCT.play(number, &mut engine, &stop) }
        })
    };
    let numbers = (1..=games).filter(|number| shard.contains(number - 1));
    surus_learn::run_workers(appender, numbers, concurrency, &stop, worker, |_| ()).unwrap();
}

fn whole() -> Shard {
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
fn a_game_is_told_by_its_number_alone() {
    let (mut used, stop) = (engine(), StopToken::default());
    let game = |number, engine: &mut AlphaBeta| CONDUCT.play(number, engine, &stop).unwrap().unwrap();
    let first = game(7, &mut engine());
    let other = game(8, &mut used);
    assert_eq!(game(7, &mut used), first);
    assert_ne!(first.samples, other.samples);
    let elsewhere = SelfPlayConfig { seed: 6, ..CONDUCT }.play(7, &mut used, &stop).unwrap().unwrap();
    assert_ne!(elsewhere.samples, first.samples);
}

#[test]
fn parts_and_threads_make_the_games_of_one_run() {
    let scratch = Scratch::new("parts");
    play(&scratch.file("one"), 9, whole(), 1, usize::MAX);
    let parts = [1, 2].map(|part| scratch.file(&format!("part{part}")));
    for (part, file) in (1..).zip(&parts) {
        play(file, 9, Shard { index: part, count: 2 }, 2, usize::MAX);
    }
    let one = merged(&[scratch.file("one")], &scratch.file("one.merged"));
    assert_eq!(merged(&parts, &scratch.file("parts.merged")), one);
    // Games that stand in two files count once.
    let both = [parts[0].clone(), scratch.file("one"), parts[1].clone()];
    let joined = merge(&inputs(&both), false, &scratch.file("both.merged")).unwrap();
    assert_eq!((joined.games, joined.duplicates), (9, 9));
    assert_eq!(fs::read(scratch.file("both.merged")).unwrap(), one);
}

#[test]
fn a_run_that_was_stopped_or_torn_goes_on_to_the_same_games() {
    let scratch = Scratch::new("torn");
    play(&scratch.file("one"), 6, whole(), 1, usize::MAX);
    let one = fs::read(scratch.file("one")).unwrap();
    let file = scratch.file("stopped");
    play(&file, 6, whole(), 1, 2);
    assert_eq!(read(&file).len(), 2);
    let length = fs::metadata(&file).unwrap().len();
    fs::File::options().write(true).open(&file).unwrap().set_len(length - 30).unwrap();
    play(&file, 4, whole(), 1, usize::MAX);
    play(&file, 6, whole(), 1, usize::MAX);
    assert_eq!(fs::read(&file).unwrap(), one);
}

#[test]
fn games_are_labelled_as_they_went() {
    let stop = StopToken::default();
    let games: Vec<PackedGame> =
        (1..=12).map(|number| CONDUCT.play(number, &mut engine(), &stop).unwrap().unwrap()).collect();
    let records: Vec<&PackedSample> = games.iter().flat_map(|game| &game.samples).collect();
    let has = |flag| records.iter().filter(|record| record.flags().contains(flag)).count();
    assert!(0 < has(Flags::RANDOM_TURN) && 0 < has(Flags::QUIET));
    assert!(games.iter().any(|game| game.result.is_none()), "a game of 24 turns is cut");
    for game in &games {
        let cut = game.result.is_none();
        let random = game.samples.iter().filter(|record| record.flags().contains(Flags::RANDOM_TURN)).count();
        assert!(random <= 4);
        assert!(game.samples.iter().all(|record| record.result() == game.result));
        assert!(!cut || game.samples.iter().all(|record| record.flags().contains(Flags::ADJUDICATED)));
        // Both setups are turns, too.
        assert!(game.samples.len() <= 22);
    }
    let calm = SelfPlayConfig { random_turns: 0, ..CONDUCT }.play(1, &mut engine(), &stop).unwrap().unwrap();
    assert!(calm.samples.iter().all(|record| !record.flags().contains(Flags::RANDOM_TURN)));
}

#[test]
fn a_shuffle_keeps_all_games_and_depends_on_the_seed_alone() {
    let scratch = Scratch::new("shuffle");
    play(&scratch.file("one"), 12, whole(), 1, usize::MAX);
    let halves = [1, 2].map(|part| scratch.file(&format!("half{part}")));
    for (part, file) in (1..).zip(&halves) {
        play(file, 12, Shard { index: part, count: 2 }, 1, usize::MAX);
    }
    let shuffled = |files: &[PathBuf], seed, memory, name: &str| {
        let done = shuffle(&inputs(files), seed, memory, &scratch.file(name)).unwrap();
        assert_eq!((done.games, done.duplicates), (12, 0));
        fs::read(scratch.file(name)).unwrap()
    };
    let one = shuffled(&[scratch.file("one")], 1, u64::MAX, "a");
    // A few hundred bytes at a time, and the games spread over two files in another order.
    assert_eq!(shuffled(&[halves[1].clone(), halves[0].clone()], 1, 300, "b"), one);
    assert_ne!(shuffled(&halves, 2, u64::MAX, "c"), one);
    let mut games = read(&scratch.file("a"));
    assert_ne!(games, read(&scratch.file("one")));
    games.sort_by_key(|game| game.id);
    assert_eq!(games, read(&scratch.file("one")));
    let stopped = inputs(&halves);
    stopped.stop.request();
    assert!(matches!(shuffle(&stopped, 1, 300, &scratch.file("d")), Err(DataError::Stopped)));
    assert_eq!(scratch.names(), ["a", "b", "c", "half1", "half2", "one"], "nothing else is left");
}

#[test]
fn different_runs_and_contradictions_are_not_joined() {
    let scratch = Scratch::new("mixed");
    let game = |id, turn: u16| {
        let played = CONDUCT.play(1, &mut engine(), &StopToken::default()).unwrap().unwrap();
        let first = Sample { turn_number: turn, ..played.samples[0].decode() };
        PackedGame { id, samples: vec![PackedSample::encode(&first).unwrap()], ..played }
    };
    let write = |name: &str, seed, game: &PackedGame| {
        let mut writer = PackedWriter::create(&scratch.file(name), &Header::of(origin(seed))).unwrap();
        writer.write_game(game).unwrap();
        writer.finish().unwrap();
        scratch.file(name)
    };
    let [one, other, liar] = [("one", 5, game(1, 2)), ("other", 6, game(1, 2)), ("liar", 5, game(1, 3))]
        .map(|(n, s, g)| write(n, s, &g));
    let join = |files: &[PathBuf], mixed, out: &str| merge(&inputs(files), mixed, &scratch.file(out));
    let error = join(&[one.clone(), other.clone()], false, "x").unwrap_err().to_string();
    assert!(error.ends_with("seed '6' against '5'; --allow-mixed merges them anyway"), "{error}");
    let joined = join(&[one.clone(), other.clone()], true, "y").unwrap();
    assert_eq!((joined.games, joined.duplicates), (2, 0));
    let turned = merge(&inputs(&[other, one.clone()]), true, &scratch.file("z")).unwrap();
    assert_eq!(turned.games, 2);
    assert_eq!(fs::read(scratch.file("y")).unwrap(), fs::read(scratch.file("z")).unwrap());
    assert!(matches!(join(&[one, liar], false, "w"), Err(DataError::ConflictingGame { id: 1, .. })));
    assert!(!scratch.file("w").exists() && !scratch.file("x").exists());
}

#[test]
fn a_check_passes_what_was_played_and_finds_what_was_not() {
    let scratch = Scratch::new("check");
    play(&scratch.file("good"), 6, whole(), 1, usize::MAX);
    let good = check(&[scratch.file("good")], &StopToken::default()).unwrap();
    assert_eq!((good.games, good.found), (6, 0), "{:?}", good.problems);
    let game = read(&scratch.file("good")).into_iter().find(|game| 8 < game.samples.len()).unwrap();
    let forge = |name: &str, forged: PackedGame| {
        let mut writer = PackedWriter::create(&scratch.file(name), &Header::of(origin(5))).unwrap();
        writer.write_game(&forged).unwrap();
        writer.finish().unwrap();
        let checked = check(&[scratch.file(name)], &StopToken::default()).unwrap();
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
        ("result", change(0, &|s| s.result = other(s.result)), "its result is not that of its game"),
        ("turn", change(7, &|s| s.turn_number += 1), "does not follow turn"),
        ("side", change(7, &|s| s.side = s.side.other()), "the best turn"),
        ("flags", change(7, &|s| s.flags = Flags::from_bits(s.flags.bits() ^ 2)), "the tactics say"),
        ("best", change(7, &|s| s.best_turn.pop().map_or((), drop)), "not that after the best turn"),
    ] {
        let told = forge(name, forged);
        assert!(told.contains(problem), "{name}: {told}");
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
    assert!(
        forge("bytes", forged)
            .ends_with("record 4: byte 31 of the record has a value that nothing is packed to")
    );
}

#[test]
fn damaged_games_are_told_and_can_be_left_out() {
    let scratch = Scratch::new("salvage");
    let file = scratch.file("file");
    play(&file, 4, whole(), 1, usize::MAX);
    let mut bytes = fs::read(&file).unwrap();
    let games = read(&file);
    let mut all = PackedReader::open(&file).unwrap().into_games();
    all.next();
    // In the records of the second game, and the end is missing.
    let place = all.offset() as usize + 40;
    bytes[place] ^= 4;
    bytes.truncate(bytes.len() - 5);
    fs::write(&file, &bytes).unwrap();
    let checked = check(std::slice::from_ref(&file), &StopToken::default()).unwrap();
    assert_eq!((checked.games, checked.found), (2, 2));
    assert!(merge(&inputs(std::slice::from_ref(&file)), false, &scratch.file("no")).is_err());
    let salvaging = InputFiles::open(&[file], StopToken::default(), true).unwrap();
    let saved = merge(&salvaging, false, &scratch.file("saved")).unwrap();
    assert_eq!((saved.skipped.damaged, saved.skipped.truncated), (1, 1));
    assert_eq!(read(&scratch.file("saved")), [games[0].clone(), games[2].clone()]);
    let figures = stats(&salvaging).unwrap();
    assert_eq!(figures.games, 2);
    assert_eq!(figures.scores.iter().map(|bin| bin.positions).sum::<u64>(), figures.positions);
    assert_eq!(figures.gold + figures.silver + figures.draws, 2);
}

/// Whoever stores scores of the wrong side finds out.
#[test]
fn scores_that_contradict_the_results_are_found() {
    let scratch = Scratch::new("contradict");
    let played = CONDUCT.play(1, &mut engine(), &StopToken::default()).unwrap().unwrap();
    let first = Sample { flags: Flags::QUIET, ..played.samples[0].decode() };
    let file = |name: &str, score: i32| {
        let mut writer = PackedWriter::create(&scratch.file(name), &Header::of(origin(5))).unwrap();
        for id in 1..=200 {
            let result = if id % 2 == 0 { Some(Side::Gold) } else { Some(Side::Silver) };
            let score = if result == Some(first.side) { score } else { -score };
            let sample = Sample { result, score: Score::Centirabbits(score), ..first.clone() };
            let records = vec![PackedSample::encode(&sample).unwrap()];
            writer.write_game(&PackedGame { id, result, samples: records, ..played.clone() }).unwrap();
        }
        writer.finish().unwrap();
        check(&[scratch.file(name)], &StopToken::default()).unwrap()
    };
    let right = file("right", 400);
    assert_eq!((right.found, right.leads, right.won), (0, 200, 200), "{:?}", right.problems);
    let wrong = file("wrong", -400);
    assert_eq!((wrong.found, wrong.won, wrong.games), (1, 0, 200));
    assert!(wrong.problems[0].contains("scores or results are wrong"));
}
