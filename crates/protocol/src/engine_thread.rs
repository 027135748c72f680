//! The thread that an engine lives in, so that the protocol is served while it thinks.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use surus_play::{Answer, Engine, EngineError, Info, Job};
use surus_rules::Game;

use crate::aei::Event;

/// What the engine's thread is told.
enum EngineCommand {
    Set(String, String),
    NewGame,
    GameOver(Box<Game>),
    Think(Box<Job>, u64),
    Ping,
    Explain(Box<Game>),
    Tree,
}

/// The way to the thread; the thread ends when this is dropped and its search has ended.
pub(crate) struct EngineThread {
    orders: Sender<EngineCommand>,
}

impl EngineThread {
    pub(crate) fn start(engine: Box<dyn Engine>, events: Sender<Event>) -> Self {
        let (orders, inbox) = channel();
        thread::spawn(move || run_loop(engine, &inbox, &events));
        Self { orders }
    }

    pub(crate) fn set(&self, name: &str, value: &str) {
        self.send(EngineCommand::Set(name.into(), value.into()));
    }

    pub(crate) fn new_game(&self) {
        self.send(EngineCommand::NewGame);
    }

    /// The game that runs has ended.
    pub(crate) fn game_over(&self, game: &Game) {
        self.send(EngineCommand::GameOver(Box::new(game.clone())));
    }

    /// Begins to think; the answer comes as an event with this number.
    pub(crate) fn think(&self, job: Job, number: u64) {
        self.send(EngineCommand::Think(Box::new(job), number));
    }

    /// What the engine thinks of the position of a game comes back as an event.
    pub(crate) fn explain(&self, game: &Game) {
        self.send(EngineCommand::Explain(Box::new(game.clone())));
    }

    /// The tree of the last search comes back as an event.
    pub(crate) fn tree(&self) {
        self.send(EngineCommand::Tree);
    }

    /// An event comes back when everything before is done.
    pub(crate) fn ping(&self) {
        self.send(EngineCommand::Ping);
    }

    fn send(&self, order: EngineCommand) {
        // The thread ends before this only if the engine panicked; its last event said so.
        let _ = self.orders.send(order);
    }
}

/// Tells the session when the engine's thread ends, however it ends.
struct ExitNotifier(Sender<Event>);

impl Drop for ExitNotifier {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Crashed);
        }
    }
}

fn run_loop(mut engine: Box<dyn Engine>, inbox: &Receiver<EngineCommand>, events: &Sender<Event>) {
    let _gone = ExitNotifier(events.clone());
    for order in inbox {
        let event = match order {
            EngineCommand::Set(name, value) => match engine.set_option(&name, &value) {
                Ok(()) => continue,
                Err(error) => Event::Warning(error.to_string()),
            },
            EngineCommand::NewGame => {
                engine.new_game();
                continue;
            }
            EngineCommand::GameOver(game) => {
                engine.game_over(&game);
                continue;
            }
            EngineCommand::Ping => Event::Ready,
            EngineCommand::Explain(game) => Event::DebugLines("eval", engine.explain(&game)),
            EngineCommand::Tree => Event::DebugLines("treedump", engine.dump_tree()),
            EngineCommand::Think(job, number) => {
                let mut report = |info: Info| {
                    let _ = events.send(Event::Info(number, Box::new(info)));
                };
                let answer: Result<Answer, EngineError> = engine.think(&job, &mut report);
                Event::SearchFinished(number, answer)
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
