//! The thread on which an engine runs, so that the session can serve the controller during a search.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use surus_play::{Engine, Info, Job};
use surus_rules::Game;

use crate::aei::Event;

enum EngineCommand {
    SetOption(String, String),
    NewGame,
    GameOver(Box<Game>),
    Think(Box<Job>, u64),
    Ping,
    Explain(Box<Game>),
    DumpTree,
}

/// Handle of the engine thread, which ends when this is dropped and a running search has finished.
pub(crate) struct EngineThread {
    commands: Sender<EngineCommand>,
}

impl EngineThread {
    pub(crate) fn start(engine: Box<dyn Engine>, events: Sender<Event>) -> Self {
        let (commands, receiver) = channel();
        thread::spawn(move || run_loop(engine, &receiver, &events));
        Self { commands }
    }

    pub(crate) fn set_option(&self, name: &str, value: &str) {
        self.send(EngineCommand::SetOption(name.into(), value.into()));
    }

    pub(crate) fn new_game(&self) {
        self.send(EngineCommand::NewGame);
    }

    pub(crate) fn game_over(&self, game: &Game) {
        self.send(EngineCommand::GameOver(Box::new(game.clone())));
    }

    /// Starts a search; its reports and its answer are events with this id.
    pub(crate) fn think(&self, job: Job, search_id: u64) {
        self.send(EngineCommand::Think(Box::new(job), search_id));
    }

    /// Requests the static evaluation of a position; the reply is [`Event::DebugLines`].
    pub(crate) fn explain(&self, game: &Game) {
        self.send(EngineCommand::Explain(Box::new(game.clone())));
    }

    /// Requests the tree of the last search; the reply is [`Event::DebugLines`].
    pub(crate) fn dump_tree(&self) {
        self.send(EngineCommand::DumpTree);
    }

    /// Requests [`Event::Ready`] after all earlier commands have been processed.
    pub(crate) fn ping(&self) {
        self.send(EngineCommand::Ping);
    }

    fn send(&self, command: EngineCommand) {
        // Sending fails only after a panic of the engine, which `ExitNotifier` has reported.
        let _ = self.commands.send(command);
    }
}

/// Reports a panic of the engine to the session.
struct ExitNotifier(Sender<Event>);

impl Drop for ExitNotifier {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Crashed);
        }
    }
}

fn run_loop(mut engine: Box<dyn Engine>, commands: &Receiver<EngineCommand>, events: &Sender<Event>) {
    let _notifier = ExitNotifier(events.clone());
    for command in commands {
        let event = match command {
            EngineCommand::SetOption(name, value) => match engine.set_option(&name, &value) {
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
            EngineCommand::DumpTree => Event::DebugLines("treedump", engine.dump_tree()),
            EngineCommand::Think(job, search_id) => {
                let mut report = |info: Info| {
                    let _ = events.send(Event::Info(search_id, Box::new(info)));
                };
                Event::SearchFinished(search_id, engine.think(&job, &mut report))
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
