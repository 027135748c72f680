//! Simulated time: a network with delays, engines that think, and a bot that can crash.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use surus_gameroom::bot::{
    Bot, BotJournal, BotSettings, Command, Event, FinishedGame, HttpError, HttpReply, HttpRequest,
    JournalRow, Level, Search,
};
use surus_gameroom::fake::{FakeConfig, FakeServer, HoldId, Outcome, WireReply, WireRequest, quick_answer};
use surus_play::Answer;
use surus_rules::SplitMix;

/// What happens at some time.
enum Happening {
    Arrive { process: u32, id: u64, request: HttpRequest },
    Deliver { process: u32, id: u64, result: Result<HttpReply, HttpError> },
    Expire { process: u32, id: u64 },
    Answer { process: u32, search: Box<Search> },
    Crash,
    Restart,
}

/// A request that the bot sent.
pub(crate) struct Sent {
    pub(crate) at: Duration,
    pub(crate) action: &'static str,
    pub(crate) poll: bool,
    pub(crate) process: u32,
}

pub(crate) struct World {
    pub(crate) server: FakeServer,
    pub(crate) now: Duration,
    pub(crate) sent: Vec<Sent>,
    pub(crate) finished: Vec<FinishedGame>,
    pub(crate) log: Vec<(Level, String)>,
    pub(crate) rows: Vec<JournalRow>,
    settings: BotSettings,
    bot: Option<Bot>,
    process: u32,
    queue: BTreeMap<(Duration, u64), Happening>,
    held: BTreeMap<HoldId, (u32, u64)>,
    open: BTreeSet<(u32, u64)>,
    stopped: BTreeSet<(u32, u64)>,
    searching: BTreeMap<String, u64>,
    sequence: u64,
    rng: SplitMix,
    pub(crate) engine_failures: f64,
    crashes_left: u32,
}

impl World {
    pub(crate) fn new(config: FakeConfig, settings: BotSettings, crashes: u32) -> Self {
        let rng = SplitMix::new(config.seed ^ 0x5eed);
        let bot = Bot::new(settings.clone(), BotJournal::in_memory(Vec::new()));
        let mut world = Self {
            server: FakeServer::new(config),
            now: Duration::ZERO,
            sent: Vec::new(),
            finished: Vec::new(),
            log: Vec::new(),
            rows: Vec::new(),
            settings,
            bot: Some(bot),
            process: 0,
            queue: BTreeMap::new(),
            held: BTreeMap::new(),
            open: BTreeSet::new(),
            stopped: BTreeSet::new(),
            searching: BTreeMap::new(),
            sequence: 0,
            rng,
            engine_failures: 0.0,
            crashes_left: crashes,
        };
        world.schedule_crash();
        world
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.rng.next_u64() % limit
    }

    fn plan(&mut self, after: Duration, happening: Happening) {
        self.sequence += 1;
        self.queue.insert((self.now + after, self.sequence), happening);
    }

    fn schedule_crash(&mut self) {
        if self.crashes_left > 0 {
            self.crashes_left -= 1;
            let after = Duration::from_millis(1000 + self.below(120_000));
            self.plan(after, Happening::Crash);
        }
    }

    fn latency(&mut self) -> Duration {
        Duration::from_millis(20 + self.below(300))
    }

    /// Runs until the bot is done; fails if it is still busy after this much simulated time.
    pub(crate) fn run(&mut self, limit: Duration) {
        loop {
            self.tick_bot();
            let done = self.bot.as_ref().is_some_and(Bot::is_done);
            if done {
                return;
            }
            let wakeup = self.bot.as_ref().and_then(Bot::next_wakeup);
            let server = self.server.next_event();
            let queued = self.queue.keys().next().map(|(at, _)| *at);
            let next =
                [wakeup, server, queued].into_iter().flatten().min().expect("nothing will ever happen");
            self.now = self.now.max(next);
            assert!(self.now < limit, "still busy: {}", self.tail(""));
            for (hold, reply) in self.server.advance(self.now) {
                if let Some((process, id)) = self.held.remove(&hold) {
                    self.deliver(process, id, Ok(http(reply)));
                }
            }
            while let Some(entry) = self.queue.first_entry().filter(|entry| entry.key().0 <= self.now) {
                let happening = entry.remove();
                self.happen(happening);
            }
        }
    }

    /// The last lines of the log that contain a text, or are about the room.
    pub(crate) fn tail(&self, about: &str) -> String {
        let lines = self.log.iter().filter(|(level, text)| {
            text.contains(about) || *level > Level::Debug && !text.contains(" game ")
        });
        let lines: Vec<_> = lines.map(|(_, text)| format!("\n{text}")).collect();
        lines[lines.len().saturating_sub(80)..].concat()
    }

    pub(crate) fn shut_down(&mut self) {
        if let Some(bot) = &mut self.bot {
            bot.handle(self.now, Event::Shutdown);
        }
    }

    /// Lets some time pass.
    pub(crate) fn run_for(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.tick_bot();
            let wakeup = self.bot.as_ref().and_then(Bot::next_wakeup);
            let queued = self.queue.keys().next().map(|(at, _)| *at);
            let next = [wakeup, self.server.next_event(), queued].into_iter().flatten().min().unwrap_or(end);
            self.now = self.now.max(next).min(end);
            for (hold, reply) in self.server.advance(self.now) {
                if let Some((process, id)) = self.held.remove(&hold) {
                    self.deliver(process, id, Ok(http(reply)));
                }
            }
            while let Some(entry) = self.queue.first_entry().filter(|entry| entry.key().0 <= self.now) {
                let happening = entry.remove();
                self.happen(happening);
            }
        }
    }

    fn tick_bot(&mut self) {
        let Some(bot) = &mut self.bot else { return };
        bot.tick(self.now);
        let commands = bot.commands();
        self.rows = bot.journal().rows().to_vec();
        for command in commands {
            self.carry_out(command);
        }
    }

    fn carry_out(&mut self, command: Command) {
        let process = self.process;
        match command {
            Command::Send(id, request) => {
                let at = self.now;
                self.sent.push(Sent { at, action: request.action, poll: request.poll, process });
                self.open.insert((process, id));
                self.plan(request.timeout, Happening::Expire { process, id });
                let latency = self.latency();
                self.plan(latency, Happening::Arrive { process, id, request });
            }
            Command::Think(search) => {
                self.searching.insert(search.gid.clone(), search.id);
                let Some(budget) = search.budget else { return };
                let share = self.below(1000);
                // Sometimes the engine takes all the time that it is given.
                let most = if share > 950 { budget.hard } else { budget.soft };
                let time = most.mul_f64(share as f64 / 1000.0);
                self.plan(time, Happening::Answer { process, search });
            }
            Command::Stop(gid) => {
                let stopped = self.searching.remove(&gid).map(|id| (process, id));
                self.stopped.extend(stopped);
            }
            Command::Release(..) => {}
            Command::Finished(game) => {
                self.event(process, game.stored());
                self.finished.push(*game);
            }
            Command::Log(level, text) => {
                let line = format!("{:>9.3} {text}", self.now.as_secs_f64());
                if std::env::var_os("SURUS_LOG").is_some() {
                    println!("{line}");
                }
                self.log.push((level, line));
            }
        }
    }

    fn deliver(&mut self, process: u32, id: u64, result: Result<HttpReply, HttpError>) {
        let latency = self.latency();
        self.plan(latency, Happening::Deliver { process, id, result });
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Arrive { process, id, request } => {
                let path = request.url.strip_prefix("http://fake").unwrap().to_owned();
                let wire = WireRequest {
                    path: &path,
                    referer: Some(&request.referer),
                    user_agent: Some("surus-test"),
                    if_modified_since: None,
                    form: request.form.as_deref(),
                };
                match self.server.handle(self.now, &wire) {
                    Outcome::Reply(reply) => self.deliver(process, id, Ok(http(reply))),
                    Outcome::Drop => {
                        let error = HttpError::Connection("connection closed".into());
                        self.deliver(process, id, Err(error));
                    }
                    Outcome::Hold(hold) => {
                        self.held.insert(hold, (process, id));
                    }
                }
            }
            Happening::Deliver { process, id, result } => {
                if self.open.remove(&(process, id)) {
                    self.event(process, Event::Reply { id, result });
                }
            }
            Happening::Expire { process, id } => {
                if self.open.remove(&(process, id)) {
                    self.event(process, Event::Reply { id, result: Err(HttpError::Timeout) });
                }
            }
            Happening::Answer { process, search } => {
                if self.stopped.contains(&(process, search.id)) {
                    return;
                }
                let fails = (self.below(10_000) as f64) < self.engine_failures * 10_000.0;
                let result = if fails && !search.fallback {
                    Err("the engine crashed".into())
                } else {
                    Ok(self.answer(&search))
                };
                self.event(process, Event::Answer { gid: search.gid, id: search.id, result, score: None });
            }
            Happening::Crash => {
                if self.bot.take().is_some() {
                    self.process += 1;
                    // A supervisor restarts at once, a person later.
                    let most = if self.below(2) == 0 { 100 } else { 5000 };
                    let after = Duration::from_millis(self.below(most));
                    self.plan(after, Happening::Restart);
                }
            }
            Happening::Restart => {
                self.bot = Some(Bot::new(self.settings.clone(), BotJournal::in_memory(self.rows.clone())));
                self.schedule_crash();
            }
        }
    }

    fn event(&mut self, process: u32, event: Event) {
        if let Some(bot) = self.bot.as_mut().filter(|_| self.process == process) {
            bot.handle(self.now, event);
            self.rows = bot.journal().rows().to_vec();
        }
    }

    fn answer(&mut self, search: &Search) -> Answer {
        for _ in 0..50 {
            let seed = self.rng.next_u64();
            let answer = quick_answer(&search.game, seed).unwrap();
            let refused = match &answer {
                Answer::Turn(turn) => search.refused_turns.contains(turn),
                Answer::Setup(setup) => search.refused_setups.contains(setup),
                Answer::Resign => false,
            };
            if !refused {
                return answer;
            }
        }
        panic!("no other turn");
    }
}

fn http(reply: WireReply) -> HttpReply {
    HttpReply { status: reply.status, body: String::from_utf8(reply.body).unwrap() }
}
