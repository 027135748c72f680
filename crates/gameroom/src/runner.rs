//! Runs a bot in real time: sockets, engine threads, the clock.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use surus_play::{Answer, Engine, EngineError, Greedy, Info, Job, StopToken};
use surus_rules::{Game, Phase, Score, SplitMix};

use crate::bot::{Bot, Command, Event, FinishedGame, Level, Search};
use crate::client::Client;

/// Creates an engine.
pub type EngineFactory = Arc<dyn Fn() -> Result<Box<dyn Engine>, EngineError> + Send + Sync>;

/// How often a request to stop is noticed.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// What the runner reports.
pub trait Report {
    /// A line for the log.
    fn log(&mut self, level: Level, text: &str);
    /// A finished game to keep; false if that failed.
    fn finished(&mut self, game: &FinishedGame) -> bool;
}

/// What an engine thread does next.
enum Work {
    Search(Box<(Search, Job)>),
    GameOver(Box<Game>),
}

/// The engine of one game, on its own thread; dropping it stops the search.
struct EngineThread {
    work: Sender<Work>,
    stop: StopToken,
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop.request();
    }
}

/// Runs a bot until it is done, or leaves its tables when `stop` is requested.
pub fn run(
    bot: &mut Bot,
    client: &Client,
    make_engine: &EngineFactory,
    report: &mut dyn Report,
    stop: &StopToken,
) {
    let started = Instant::now();
    let (sender, events) = channel();
    let mut engines = BTreeMap::new();
    let mut stopping = false;
    loop {
        if !stopping && stop.stop_requested() {
            stopping = true;
            bot.handle(started.elapsed(), Event::Shutdown);
        }
        bot.tick(started.elapsed());
        for command in bot.commands() {
            match command {
                Command::Finished(game) if report.finished(&game) => {
                    bot.handle(started.elapsed(), game.stored());
                }
                command => carry_out(command, client, make_engine, &mut engines, &sender, report),
            }
        }
        if bot.is_done() {
            return;
        }
        let wakeup = bot.next_wakeup().map_or(STOP_INTERVAL, |at| at.saturating_sub(started.elapsed()));
        receive(&events, wakeup.min(STOP_INTERVAL), |event| bot.handle(started.elapsed(), event));
    }
}

/// Passes on what arrives within a time.
fn receive(events: &Receiver<Event>, time: Duration, mut handle: impl FnMut(Event)) {
    if let Ok(event) = events.recv_timeout(time) {
        handle(event);
        events.try_iter().for_each(handle);
    }
}

fn carry_out(
    command: Command,
    client: &Client,
    make_engine: &EngineFactory,
    engines: &mut BTreeMap<String, EngineThread>,
    events: &Sender<Event>,
    report: &mut dyn Report,
) {
    match command {
        Command::Send(id, request) => {
            let (client, events) = (client.clone(), events.clone());
            // A held poll blocks its thread for minutes. The receiver may be gone when it ends.
            let send = move || drop(events.send(Event::Reply { id, result: client.send(&request) }));
            if let Err(error) = thread::Builder::new().name("request".into()).spawn(send) {
                report.log(Level::Error, &format!("no thread for a request: {error}"));
            }
        }
        Command::Think(search) => {
            let gid = search.gid.clone();
            let engine = engines.entry(gid).or_insert_with(|| start_engine(make_engine, events));
            engine.stop.request();
            let stop = StopToken::after(search.budget);
            engine.stop = stop.clone();
            let limits = surus_play::Limits { time: search.budget, ..Default::default() };
            let job = Job { clock: search.clock, stop, ..Job::limited(search.game.clone(), limits) };
            // A thread that has ended has reported why.
            let _ = engine.work.send(Work::Search(Box::new((*search, job))));
        }
        Command::Stop(gid) => {
            if let Some(engine) = engines.get(&gid) {
                engine.stop.request();
            }
        }
        Command::Release(gid, game) => {
            if let Some((engine, game)) = engines.remove(&gid).zip(game) {
                let _ = engine.work.send(Work::GameOver(game));
            }
        }
        Command::Finished(_) => {}
        Command::Log(level, text) => report.log(level, &text),
    }
}

fn start_engine(make_engine: &EngineFactory, events: &Sender<Event>) -> EngineThread {
    let (work, received) = channel();
    let (make_engine, events) = (Arc::clone(make_engine), events.clone());
    // If the thread cannot be started, its jobs are dropped, and the bot's state shows that the turn is still due.
    let _ = thread::Builder::new()
        .name("engine".into())
        .spawn(move || engine_loop(&make_engine, &received, &events));
    EngineThread { work, stop: StopToken::default() }
}

fn engine_loop(make_engine: &EngineFactory, work: &Receiver<Work>, events: &Sender<Event>) {
    let mut engine: Option<Box<dyn Engine>> = None;
    for item in work {
        match item {
            Work::GameOver(game) => {
                if let Some(engine) = &mut engine {
                    // The game is over: a panic has no consequences.
                    let _ = catch_unwind(AssertUnwindSafe(|| engine.game_over(&game)));
                }
            }
            Work::Search(work) => {
                let (search, job) = *work;
                let ponders = search.budget.is_none();
                let (result, score) = think(&mut engine, make_engine, &search, job);
                if !ponders {
                    let event = Event::Answer { gid: search.gid, id: search.id, result, score };
                    if events.send(event).is_err() {
                        return;
                    }
                }
            }
        }
    }
}

fn think(
    engine: &mut Option<Box<dyn Engine>>,
    make_engine: &EngineFactory,
    search: &Search,
    mut job: Job,
) -> (Result<Answer, String>, Option<Score>) {
    let mut score = None;
    if let (Phase::Setup(_), Some(answer)) = (search.game.phase(), another_setup(search)) {
        return (Ok(answer), None);
    }
    if !search.refused_turns.is_empty() {
        job.search_turns = search.game.legal_turns();
        job.search_turns.retain(|turn| !search.refused_turns.contains(turn));
    }
    if search.fallback {
        let answer = Greedy::default().think(&job, &mut |_| ());
        return (answer.map_err(|error| error.to_string()), None);
    }
    let result = catch_unwind(AssertUnwindSafe(|| {
        let engine = match engine {
            Some(engine) => engine,
            None => {
                let mut new = make_engine()?;
                new.new_game();
                engine.insert(new)
            }
        };
        let id = engine.id();
        if !id.supported_limits.contains(&surus_play::LimitKind::Time) {
            job.limits.time = None;
        }
        engine.think(&job, &mut |info: Info| score = info.score.filter(|_| info.pv_index == 0).or(score))
    }));
    let result = result.unwrap_or_else(|_| Err(EngineError::Failed("the engine panicked".into())));
    let result = result.map_err(|error| {
        // The next search starts a new one.
        *engine = None;
        error.to_string()
    });
    (result, score)
}

/// A setup other than the refused ones, if there are any.
fn another_setup(search: &Search) -> Option<Answer> {
    let refused = &search.refused_setups;
    let seed = SplitMix::hash(refused.len() as u64);
    let mut candidates = (0..8).filter_map(|n| crate::fake::quick_answer(&search.game, seed ^ n));
    candidates.find(|answer| {
        !refused.is_empty() && matches!(answer, Answer::Setup(setup) if !refused.contains(setup))
    })
}
