//! The thread that an engine lives in, so that the protocol is served while it thinks.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use surus_play::{Answer, Engine, EngineError, Info, Job};
use surus_rules::Game;

use crate::aei::Event;

/// What the engine's thread is told.
enum Order {
    Set(String, String),
    NewGame,
    GameOver(Box<Game>),
    Think(Box<Job>, u64),
    Ping,
    Explain(Box<Game>),
    Tree,
}

/// The way to the thread; the thread ends when this is dropped and its search has ended.
pub(crate) struct Worker {
    orders: Sender<Order>,
}

impl Worker {
    pub(crate) fn start(engine: Box<dyn Engine>, events: Sender<Event>) -> Self {
        let (orders, inbox) = channel();
        thread::spawn(move || serve(engine, &inbox, &events));
        Self { orders }
    }

    pub(crate) fn set(&self, name: &str, value: &str) {
        self.tell(Order::Set(name.into(), value.into()));
    }

    pub(crate) fn new_game(&self) {
        self.tell(Order::NewGame);
    }

    /// The game that runs has ended.
    pub(crate) fn game_over(&self, game: &Game) {
        self.tell(Order::GameOver(Box::new(game.clone())));
    }

    /// Begins to think; the answer comes as an event with this number.
    pub(crate) fn think(&self, job: Job, number: u64) {
        self.tell(Order::Think(Box::new(job), number));
    }

    /// What the engine thinks of the position of a game comes back as an event.
    pub(crate) fn explain(&self, game: &Game) {
        self.tell(Order::Explain(Box::new(game.clone())));
    }

    /// The tree of the last search comes back as an event.
    pub(crate) fn tree(&self) {
        self.tell(Order::Tree);
    }

    /// An event comes back when everything before is done.
    pub(crate) fn ping(&self) {
        self.tell(Order::Ping);
    }

    fn tell(&self, order: Order) {
        // The thread ends before this only if the engine panicked; its last event said so.
        let _ = self.orders.send(order);
    }
}

/// Tells the session when the engine's thread ends, however it ends.
struct Gone(Sender<Event>);

impl Drop for Gone {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Crashed);
        }
    }
}

fn serve(mut engine: Box<dyn Engine>, inbox: &Receiver<Order>, events: &Sender<Event>) {
    let _gone = Gone(events.clone());
    for order in inbox {
        let event = match order {
            Order::Set(name, value) => match engine.set_option(&name, &value) {
                Ok(()) => continue,
                Err(error) => Event::Warning(error.to_string()),
            },
            Order::NewGame => {
                engine.new_game();
                continue;
            }
            Order::GameOver(game) => {
                engine.game_over(&game);
                continue;
            }
            Order::Ping => Event::Pong,
            Order::Explain(game) => Event::Explained("eval", engine.explain(&game)),
            Order::Tree => Event::Explained("treedump", engine.dump_tree()),
            Order::Think(job, number) => {
                let mut report = |info: Info| {
                    let _ = events.send(Event::Info(number, Box::new(info)));
                };
                let answer: Result<Answer, EngineError> = engine.think(&job, &mut report);
                Event::Done(number, answer)
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
