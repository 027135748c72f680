//! External engines with faults: each gets the right error in time and leaves no process behind.

mod fake;

use std::time::{Duration, Instant};

use fake::{assert_processes, fake};
use surus_play::{Answer, Engine, EngineError, Info, Job, Limits, StopToken, TimeBudget};
use surus_protocol::{AeiEngine, EngineProcessOptions, GetMoveEngine, SideLetters};
use surus_rules::{Clock, Game, Phase, Rules};

const START: &str = "g [rrrrrrrrdhcemchd                                HDCMECDHRRRRRRRR]";

fn milliseconds(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Short timeouts for hanging engines, default timeouts otherwise, for slow machines.
fn settings() -> EngineProcessOptions {
    EngineProcessOptions {
        stop_timeout: milliseconds(300),
        quit_timeout: milliseconds(300),
        ..EngineProcessOptions::default()
    }
}

fn short_timeouts() -> EngineProcessOptions {
    EngineProcessOptions {
        startup_timeout: milliseconds(1500),
        ready_timeout: milliseconds(1500),
        ..settings()
    }
}

fn start(faults: &str) -> (AeiEngine, String) {
    let (command_line, tag) = fake(faults);
    (AeiEngine::start(&command_line, &[], settings()).unwrap(), tag)
}

fn opening() -> Game {
    Game::from_text(START, Rules::Official).unwrap()
}

/// A job with a fixed time.
fn timed(game: Game, time: Duration) -> Job {
    let time = Some(TimeBudget::fixed(time));
    Job { stop: StopToken::after(time), ..Job::limited(game, Limits { time, ..Limits::default() }) }
}

fn think(engine: &mut dyn Engine, job: &Job) -> Result<Answer, EngineError> {
    engine.think(job, &mut |_| {})
}

#[track_caller]
fn play(engine: &mut dyn Engine, game: &mut Game) {
    match think(engine, &Job::new(game.clone())).unwrap() {
        Answer::Setup(setup) => game.play_setup(setup).unwrap(),
        Answer::Turn(turn) => game.play(&turn).unwrap(),
        Answer::Resign => panic!("it resigned"),
    }
}

/// The error of an engine with these faults in its first search.
#[track_caller]
fn failure(faults: &str) -> EngineError {
    let (mut engine, tag) = start(faults);
    let start_time = Instant::now();
    let error = think(&mut engine, &timed(opening(), milliseconds(200))).unwrap_err();
    assert!(start_time.elapsed() < Duration::from_secs(10), "{:?}", start_time.elapsed());
    assert_processes(&tag, 0);
    assert_eq!(think(&mut engine, &Job::new(opening())), Err(error.clone()), "the error persists");
    error
}

#[test]
fn plays_from_setups_and_from_positions() {
    let (mut engine, tag) = start("");
    assert_eq!((engine.id().name.as_str(), engine.id().version.as_str()), ("fake engine", "0.1"));
    engine.new_game();
    let mut game = Game::default();
    for _ in 0..10 {
        play(&mut engine, &mut game);
    }
    // A takeback, another game and the first game again each resend what the engine does not have.
    let earlier = game.clone();
    game.undo_turn();
    play(&mut engine, &mut game);
    let mut other = opening();
    play(&mut engine, &mut other);
    play(&mut engine, &mut other);
    let mut again = earlier;
    play(&mut engine, &mut again);
    drop(engine);
    assert_processes(&tag, 0);
}

#[test]
fn reports_options_and_clocks_pass_between_both_ends() {
    let (command_line, _) = fake("");
    let options = [("color".to_string(), "deep blue".to_string())];
    let mut engine = AeiEngine::start(&command_line, &options, settings()).unwrap();
    assert_eq!(engine.options().get_str("color"), Some("deep blue"));
    assert!(engine.set_option("two words", "x").is_err() && engine.set_option("x", "two\nlines").is_err());
    let mut infos: Vec<Info> = Vec::new();
    let clock = Clock::new("30s/60s/100".parse().unwrap());
    let job = Job { clock: Some(clock), ..timed(opening(), milliseconds(1)) };
    engine.think(&job, &mut |info| infos.push(info)).unwrap();
    let last = infos.last().unwrap();
    assert_eq!(
        (last.depth, last.depth_complete, last.score),
        (Some(4), false, Some(surus_rules::Score::Centirabbits(17)))
    );
    let nodes = Job::limited(opening(), Limits { nodes: Some(1), ..Limits::default() });
    assert!(matches!(think(&mut engine, &nodes), Err(EngineError::UnsupportedLimit { .. })));
    let mut within_turn = opening();
    within_turn.step("Ee2n".parse().unwrap()).unwrap();
    assert!(matches!(think(&mut engine, &Job::new(within_turn)), Err(EngineError::Failed(_))));
    assert!(think(&mut engine, &Job::new(opening())).is_ok(), "an unsupported job is not a failure");
}

#[test]
fn startup_failures_are_not_started_errors() {
    let fails = |command_line: &str| match AeiEngine::start(command_line, &[], short_timeouts()) {
        Err(EngineError::NotStarted(text)) => text,
        other => panic!("{other:?}"),
    };
    for (faults, part) in [
        ("crash-at-start", "exit status: 3"),
        ("no-aeiok", "no aeiok"),
        ("late-aeiok=60000", "no aeiok"),
        ("no-readyok", "no readyok"),
        ("late-ready=60000", "no readyok"),
    ] {
        let (command_line, tag) = fake(faults);
        let text = fails(&command_line);
        assert!(text.contains(part), "{faults}: {text}");
        assert_processes(&tag, 0);
    }
    assert!(fails("/is/not/there --fast").contains("/is/not/there --fast: No such file"));
    assert!(fails("'open").contains("unclosed quote"));
    assert!(fails(" ").contains("empty command line"));
    let (command_line, tag) = fake("flood-at-start");
    assert!(matches!(
        AeiEngine::start(&command_line, &[], settings()),
        Err(EngineError::OutputLimitExceeded(_))
    ));
    assert_processes(&tag, 0);
}

#[test]
fn crash_error_contains_log_tail() {
    let EngineError::Crashed(text) = failure("crash-on-go") else { panic!() };
    assert_eq!(text, "fake engine: exit status: 3; last log lines: Error: about to crash");
    // The log shows that the options are sent again after a restart.
    let (command_line, _) = fake("crash-on-go");
    let options = [("color".to_string(), "deep blue".to_string())];
    let mut engine = AeiEngine::start(&command_line, &options, settings()).unwrap();
    for _ in 0..2 {
        let error = think(&mut engine, &Job::new(opening())).unwrap_err().to_string();
        assert!(
            error.contains("Warning: unknown option color in 'name color value deep blue' / Error"),
            "{error}"
        );
        engine.restart().unwrap();
    }
}

#[test]
fn crash_is_detected_while_a_descendant_holds_the_output() {
    assert!(matches!(failure("crash-on-go grandchild"), EngineError::Crashed(_)));
}

#[test]
fn restart_recovers_from_a_crash() {
    let (mut engine, tag) = start("crash-after=2");
    let mut game = Game::default();
    for _ in 0..3 {
        engine.new_game();
        play(&mut engine, &mut game);
        play(&mut engine, &mut game);
        let error = think(&mut engine, &Job::new(game.clone())).unwrap_err();
        assert!(matches!(error, EngineError::Crashed(_)), "{error}");
        engine.new_game();
        assert_eq!(think(&mut engine, &Job::new(game.clone())), Err(error));
        assert_processes(&tag, 0);
        engine.restart().unwrap();
        assert_processes(&tag, 1);
    }
}

#[test]
fn hanging_engines_are_killed() {
    for faults in ["hang-on-go", "ignore-stop", "hang-on-go grandchild ignore-quit"] {
        let error = failure(faults);
        assert!(
            matches!(&error, EngineError::Timeout(text) if text.contains("within 0.3 s of stop")),
            "{error}"
        );
    }
}

#[test]
fn stop_request_ends_a_search_on_a_clock() {
    let (mut engine, _) = start("delay=60000");
    let clock = Clock::new("1h/0".parse().unwrap());
    let job = Job { clock: Some(clock), ..Job::new(opening()) };
    let stop = job.stop.clone();
    let caller = std::thread::spawn(move || {
        std::thread::sleep(milliseconds(100));
        stop.request();
    });
    let start_time = Instant::now();
    assert!(think(&mut engine, &job).is_ok());
    assert!(start_time.elapsed() < Duration::from_secs(10));
    caller.join().unwrap();
    // When the clock runs out, the engine is stopped and still answers.
    let clock = Clock::new("1s/0".parse().unwrap());
    assert!(think(&mut engine, &Job { clock: Some(clock), ..Job::new(opening()) }).is_ok());
}

#[test]
fn output_limits_are_enforced() {
    for (faults, part) in
        [("flood-lines", "more than 100000 lines"), ("flood-line", "longer than 65536 bytes")]
    {
        // Without a time limit, because on a slow machine the timeout could come first.
        let (mut engine, tag) = start(faults);
        let error = think(&mut engine, &Job::new(opening())).unwrap_err();
        let EngineError::OutputLimitExceeded(text) = error else { panic!("{faults}: {error}") };
        assert!(text.contains(part), "{text}");
        assert_processes(&tag, 0);
    }
}

#[test]
fn unparsable_answers_differ_from_illegal_turns() {
    assert_eq!(failure("nonsense"), EngineError::InvalidReply("Qz9 hello".into()));
    let (mut engine, _) = start("illegal");
    let Answer::Turn(turn) = think(&mut engine, &Job::new(opening())).unwrap() else { panic!() };
    assert!(opening().play(&turn).is_err());
}

#[test]
fn duplicate_answers_are_discarded() {
    let (mut engine, _) = start("twice");
    let mut game = Game::default();
    for _ in 0..8 {
        play(&mut engine, &mut game);
    }
}

#[test]
fn slow_answers_within_the_limit_are_accepted() {
    let (mut engine, _) = start("delay=200 late-ready=100");
    let start_time = Instant::now();
    assert!(think(&mut engine, &timed(opening(), Duration::from_secs(30))).is_ok());
    assert!(start_time.elapsed() >= milliseconds(300));
}

#[test]
fn dropping_an_engine_kills_all_processes() {
    for (faults, processes) in [("", 1), ("ignore-quit", 1), ("grandchild", 2), ("grandchild ignore-quit", 2)]
    {
        let (engine, tag) = start(faults);
        assert_processes(&tag, processes);
        let start_time = Instant::now();
        drop(engine);
        assert!(start_time.elapsed() < Duration::from_secs(5), "{faults}");
        assert_processes(&tag, 0);
    }
}

/// A directory that is removed on drop.
struct TempDir(std::path::PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("surus-getmove-{}-{name}", std::process::id())))
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn getmove_engine_is_called_for_each_turn() {
    let dir = TempDir::new("plays");
    let (command_line, tag) = fake("getmove");
    let mut engine = GetMoveEngine::new(&command_line, dir.0.clone(), SideLetters::WhiteBlack, settings());
    let mut game = Game::default();
    for _ in 0..5 {
        play(&mut engine, &mut game);
    }
    assert_eq!(game.phase(), Phase::Play(surus_rules::Side::Silver));
    let job = Job { clock: Some(Clock::new("30s/60s/50".parse().unwrap())), ..Job::new(game.clone()) };
    think(&mut engine, &job).unwrap();
    assert!(dir.read("position.txt").starts_with("3b\n +---"), "{}", dir.read("position.txt"));
    let record = dir.read("record.txt");
    let tags: Vec<&str> = record.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(tags, ["1w", "1b", "2w", "2b", "3w", "3b"]);
    let state = dir.read("state.txt");
    for line in ["turn=b", "tcmove=30", "tcreserve=60", "tcpercent=50", "wreserve=60", "tcbreserve2=60"] {
        assert!(state.lines().any(|found| found == line), "{line}: {state}");
    }
    let mut position = opening();
    play(&mut engine, &mut position);
    assert_processes(&tag, 0);
}

#[test]
fn getmove_failures_have_distinct_errors() {
    let dir = TempDir::new("fails");
    let fails = |faults: &str| {
        let (command_line, tag) = fake(&format!("getmove {faults}"));
        let mut engine =
            GetMoveEngine::new(&command_line, dir.0.clone(), SideLetters::GoldSilver, settings());
        let error = think(&mut engine, &timed(opening(), milliseconds(200))).unwrap_err();
        assert_processes(&tag, 0);
        error
    };
    assert!(matches!(fails("crash-on-go"), EngineError::Crashed(text) if text.contains("exit status: 3")));
    assert!(matches!(fails("hang-on-go"), EngineError::Timeout(_)));
    assert_eq!(fails("nonsense"), EngineError::InvalidReply("hello".into()));
    let mut missing = GetMoveEngine::new("/is/not/there", dir.0.clone(), SideLetters::WhiteBlack, settings());
    assert!(matches!(think(&mut missing, &Job::new(opening())), Err(EngineError::NotStarted(_))));
}
