//! Outside programs of every kind of bad manners: the right error, soon, and nothing left behind.

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

/// Patient enough for a busy machine, but not for a test that waits for a hanging program.
fn settings() -> EngineProcessOptions {
    EngineProcessOptions {
        stop_timeout: milliseconds(300),
        quit_timeout: milliseconds(300),
        ..EngineProcessOptions::default()
    }
}

fn impatient() -> EngineProcessOptions {
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

/// A question with so much time for it.
fn timed(game: Game, time: Duration) -> Job {
    let time = Some(TimeBudget::fixed(time));
    Job { stop: StopToken::after(time), ..Job::limited(game, Limits { time, ..Limits::default() }) }
}

fn think(program: &mut dyn Engine, job: &Job) -> Result<Answer, EngineError> {
    program.think(job, &mut |_| {})
}

#[track_caller]
fn play(program: &mut dyn Engine, game: &mut Game) {
    match think(program, &Job::new(game.clone())).unwrap() {
        Answer::Setup(setup) => game.play_setup(setup).unwrap(),
        Answer::Turn(turn) => game.play(&turn).unwrap(),
        Answer::Resign => panic!("it resigned"),
    }
}

/// A program with these faults fails at the first question, with a second to answer it, and leaves nothing behind.
#[track_caller]
fn failure(faults: &str) -> EngineError {
    let (mut program, tag) = start(faults);
    let begun = Instant::now();
    let error = think(&mut program, &timed(opening(), milliseconds(200))).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_processes(&tag, 0);
    assert_eq!(think(&mut program, &Job::new(opening())), Err(error.clone()), "it stays failed");
    error
}

#[test]
fn games_are_played_from_the_setups_and_from_positions() {
    let (mut program, tag) = start("");
    assert_eq!((program.id().name.as_str(), program.id().version.as_str()), ("fake engine", "0.1"));
    program.new_game();
    let mut game = Game::default();
    for _ in 0..10 {
        play(&mut program, &mut game);
    }
    // A step back, another game, and the first again: the program is told what it does not know.
    let earlier = game.clone();
    game.undo_turn();
    play(&mut program, &mut game);
    let mut other = opening();
    play(&mut program, &mut other);
    play(&mut program, &mut other);
    let mut again = earlier;
    play(&mut program, &mut again);
    drop(program);
    assert_processes(&tag, 0);
}

#[test]
fn reports_options_and_clocks_pass_between_both_ends() {
    let (command_line, _) = fake("");
    let options = [("color".to_string(), "deep blue".to_string())];
    let mut program = AeiEngine::start(&command_line, &options, settings()).unwrap();
    assert_eq!(program.options().get_str("color"), Some("deep blue"));
    assert!(program.set_option("two words", "x").is_err() && program.set_option("x", "two\nlines").is_err());
    let mut infos: Vec<Info> = Vec::new();
    let clock = Clock::new("30s/60s/100".parse().unwrap());
    let job = Job { clock: Some(clock), ..timed(opening(), milliseconds(1)) };
    program.think(&job, &mut |info| infos.push(info)).unwrap();
    let last = infos.last().unwrap();
    assert_eq!(
        (last.depth, last.depth_complete, last.score),
        (Some(4), false, Some(surus_rules::Score::Centirabbits(17)))
    );
    let nodes = Job::limited(opening(), Limits { nodes: Some(1), ..Limits::default() });
    assert!(matches!(think(&mut program, &nodes), Err(EngineError::UnsupportedLimit { .. })));
    let mut begun = opening();
    begun.step("Ee2n".parse().unwrap()).unwrap();
    assert!(matches!(think(&mut program, &Job::new(begun)), Err(EngineError::Failed(_))));
    assert!(think(&mut program, &Job::new(opening())).is_ok(), "a refusal is no failure");
}

#[test]
fn a_program_that_does_not_come_up_is_not_started() {
    let fails = |command_line: &str| match AeiEngine::start(command_line, &[], impatient()) {
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
    assert!(fails("'open").contains("a quote is not closed"));
    assert!(fails(" ").contains("there is no program"));
    let (command_line, tag) = fake("flood-at-start");
    assert!(matches!(AeiEngine::start(&command_line, &[], settings()), Err(EngineError::Flooded(_))));
    assert_processes(&tag, 0);
}

#[test]
fn a_crash_is_told_with_the_last_words() {
    let EngineError::Crashed(text) = failure("crash-on-go") else { panic!() };
    assert_eq!(text, "fake engine: exit status: 3; it logged last: Error: about to crash");
    // Here the log shows that the options arrived, too, also after a restart.
    let (command_line, _) = fake("crash-on-go");
    let options = [("color".to_string(), "deep blue".to_string())];
    let mut program = AeiEngine::start(&command_line, &options, settings()).unwrap();
    for _ in 0..2 {
        let error = think(&mut program, &Job::new(opening())).unwrap_err().to_string();
        assert!(
            error.contains("Warning: no option color, asked for with 'name color value deep blue' / Error"),
            "{error}"
        );
        program.restart().unwrap();
    }
}

#[test]
fn a_crash_is_noticed_while_a_grandchild_holds_the_output() {
    assert!(matches!(failure("crash-on-go grandchild"), EngineError::Crashed(_)));
}

#[test]
fn a_program_that_failed_comes_back_when_it_is_restarted() {
    let (mut program, tag) = start("crash-after=2");
    let mut game = Game::default();
    for _ in 0..3 {
        program.new_game();
        play(&mut program, &mut game);
        play(&mut program, &mut game);
        let error = think(&mut program, &Job::new(game.clone())).unwrap_err();
        assert!(matches!(error, EngineError::Crashed(_)), "{error}");
        program.new_game();
        assert_eq!(think(&mut program, &Job::new(game.clone())), Err(error));
        assert_processes(&tag, 0);
        program.restart().unwrap();
        assert_processes(&tag, 1);
    }
}

#[test]
fn a_program_that_hangs_or_does_not_heed_stop_is_ended() {
    for faults in ["hang-on-go", "ignore-stop", "hang-on-go grandchild ignore-quit"] {
        let error = failure(faults);
        assert!(
            matches!(&error, EngineError::Timeout(text) if text.contains("within 0.3 s of stop")),
            "{error}"
        );
    }
}

#[test]
fn a_call_to_stop_ends_a_search_on_a_clock() {
    let (mut program, _) = start("delay=60000");
    let clock = Clock::new("1h/0".parse().unwrap());
    let job = Job { clock: Some(clock), ..Job::new(opening()) };
    let stop = job.stop.clone();
    let caller = std::thread::spawn(move || {
        std::thread::sleep(milliseconds(100));
        stop.request();
    });
    let begun = Instant::now();
    assert!(think(&mut program, &job).is_ok());
    assert!(begun.elapsed() < Duration::from_secs(10));
    caller.join().unwrap();
    // When all the time of its clock is gone, it is asked for its turn; whether that is too late others judge.
    let clock = Clock::new("1s/0".parse().unwrap());
    assert!(think(&mut program, &Job { clock: Some(clock), ..Job::new(opening()) }).is_ok());
}

#[test]
fn a_flood_is_dammed() {
    for (faults, part) in [("flood-lines", "more than 100000 lines"), ("flood-line", "more than 65536 bytes")]
    {
        // No time limit: on a busy machine the flood is slow, and being late would be another fault.
        let (mut program, tag) = start(faults);
        let error = think(&mut program, &Job::new(opening())).unwrap_err();
        let EngineError::Flooded(text) = error else { panic!("{faults}: {error}") };
        assert!(text.contains(part), "{text}");
        assert_processes(&tag, 0);
    }
}

#[test]
fn nonsense_is_told_from_illegal_turns() {
    assert_eq!(failure("nonsense"), EngineError::InvalidReply("Qz9 hello".into()));
    let (mut program, _) = start("illegal");
    let Answer::Turn(turn) = think(&mut program, &Job::new(opening())).unwrap() else { panic!() };
    assert!(opening().play(&turn).is_err());
}

#[test]
fn an_answer_given_twice_is_not_taken_for_the_next() {
    let (mut program, _) = start("twice");
    let mut game = Game::default();
    for _ in 0..8 {
        play(&mut program, &mut game);
    }
}

#[test]
fn late_answers_count_as_long_as_there_is_time() {
    let (mut program, _) = start("delay=200 late-ready=100");
    let begun = Instant::now();
    assert!(think(&mut program, &timed(opening(), Duration::from_secs(30))).is_ok());
    assert!(milliseconds(300) <= begun.elapsed());
}

#[test]
fn no_process_is_left_when_a_program_is_dropped() {
    for (faults, processes) in [("", 1), ("ignore-quit", 1), ("grandchild", 2), ("grandchild ignore-quit", 2)]
    {
        let (program, tag) = start(faults);
        assert_processes(&tag, processes);
        let begun = Instant::now();
        drop(program);
        assert!(begun.elapsed() < Duration::from_secs(5), "{faults}");
        assert_processes(&tag, 0);
    }
}

/// A directory that goes away with the test.
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
fn a_getmove_program_is_called_for_every_turn() {
    let scratch = TempDir::new("plays");
    let (command_line, tag) = fake("getmove");
    let mut program =
        GetMoveEngine::new(&command_line, scratch.0.clone(), SideLetters::WhiteBlack, settings());
    let mut game = Game::default();
    for _ in 0..5 {
        play(&mut program, &mut game);
    }
    assert_eq!(game.phase(), Phase::Play(surus_rules::Side::Silver));
    let job = Job { clock: Some(Clock::new("30s/60s/50".parse().unwrap())), ..Job::new(game.clone()) };
    think(&mut program, &job).unwrap();
    assert!(scratch.read("position.txt").starts_with("3b\n +---"), "{}", scratch.read("position.txt"));
    let record = scratch.read("record.txt");
    let tags: Vec<&str> = record.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(tags, ["1w", "1b", "2w", "2b", "3w", "3b"]);
    let state = scratch.read("state.txt");
    for line in ["turn=b", "tcmove=30", "tcreserve=60", "tcpercent=50", "wreserve=60", "tcbreserve2=60"] {
        assert!(state.lines().any(|found| found == line), "{line}: {state}");
    }
    let mut position = opening();
    play(&mut program, &mut position);
    assert_processes(&tag, 0);
}

#[test]
fn a_getmove_program_that_fails_is_told_by_its_fault() {
    let scratch = TempDir::new("fails");
    let fails = |faults: &str| {
        let (command_line, tag) = fake(&format!("getmove {faults}"));
        let mut program =
            GetMoveEngine::new(&command_line, scratch.0.clone(), SideLetters::GoldSilver, settings());
        let error = think(&mut program, &timed(opening(), milliseconds(200))).unwrap_err();
        assert_processes(&tag, 0);
        error
    };
    assert!(matches!(fails("crash-on-go"), EngineError::Crashed(text) if text.contains("exit status: 3")));
    assert!(matches!(fails("hang-on-go"), EngineError::Timeout(_)));
    assert_eq!(fails("nonsense"), EngineError::InvalidReply("hello".into()));
    let mut missing =
        GetMoveEngine::new("/is/not/there", scratch.0.clone(), SideLetters::WhiteBlack, settings());
    assert!(matches!(think(&mut missing, &Job::new(opening())), Err(EngineError::NotStarted(_))));
}
