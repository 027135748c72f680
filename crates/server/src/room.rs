//! A game that somebody watches: it tells every change to all of them and lets its engine think.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use surus_play::{Allowance, Answer, Job, Limits, Stop, allowance};
use surus_rules::{Ending, Phase, Reason};
use tokio::sync::{Semaphore, mpsc};

use crate::hub::Hub;
use crate::live::Live;
use crate::wire::Tell;

/// What a client is sent, already written.
pub(crate) type Message = Arc<str>;

/// Somebody who watches.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    pub(crate) client: u64,
    pub(crate) send: mpsc::Sender<Message>,
    /// One permit: a client's engines think one after the other.
    pub(crate) work: Arc<Semaphore>,
}

/// A watched game.
#[derive(Debug)]
pub(crate) struct Room {
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    live: Live,
    created: i64,
    watchers: Vec<Watcher>,
    /// What its engine is doing, and since which change of the game.
    thinking: Option<Thinking>,
}

#[derive(Debug)]
struct Thinking {
    number: u64,
    stop: Stop,
}

impl Room {
    pub(crate) fn new(live: Live, created: i64) -> Self {
        Self { inside: Mutex::new(Inside { live, created, watchers: Vec::new(), thinking: None }) }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        // The game is changed by single calls that leave it whole.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody comes: time runs, the engine begins.
    pub(crate) fn join(self: &Arc<Self>, hub: &Arc<Hub>, watcher: &Watcher) {
        let mut inside = self.lock();
        inside.watchers.retain(|known| known.client != watcher.client);
        inside.watchers.push(watcher.clone());
        inside.live.start_clock();
        let state = inside.live.state();
        drop(inside);
        send(watcher, &written(&Tell::Game { game: Box::new(state) }));
        self.consider(hub);
    }

    /// Somebody goes; whether that was the last. Then time stands still and the engine is free again.
    pub(crate) fn leave(&self, hub: &Hub, client: u64) -> bool {
        let mut inside = self.lock();
        inside.watchers.retain(|known| known.client != client);
        let empty = inside.watchers.is_empty();
        if empty {
            inside.stop_thinking();
            inside.live.stop_clock();
            hub.workshop.forget(&inside.live.id, &inside.live.game);
            // Only the time used so far is new; it is no loss if it can't be written.
            let _ = hub.keep(&inside.live, inside.created);
        }
        empty
    }

    /// Does something with the game, keeps it, and tells everybody.
    pub(crate) fn change(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        act: impl FnOnce(&mut Live) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut inside = self.lock();
        let late = inside.live.flag();
        let result = if late { Err("the time is over".into()) } else { act(&mut inside.live) };
        if late || result.is_ok() {
            inside.stop_thinking();
            inside.live.start_clock();
            hub.keep(&inside.live, inside.created).map_err(|error| error.to_string())?;
            inside.tell_all();
        }
        drop(inside);
        self.consider(hub);
        result
    }

    /// What the game is now.
    pub(crate) fn state(&self) -> crate::wire::GameState {
        self.lock().live.state()
    }

    /// The game was deleted.
    pub(crate) fn close(&self) {
        let mut inside = self.lock();
        inside.stop_thinking();
        let gone = written(&Tell::Gone { game: inside.live.id.clone() });
        inside.watchers.drain(..).for_each(|watcher| send(&watcher, &gone));
    }

    /// Sets the engine to work if it is its turn, and the alarm of the clock.
    fn consider(self: &Arc<Self>, hub: &Arc<Hub>) {
        let mut inside = self.lock();
        if let Some(left) = inside.live.time_left() {
            let (room, hub) = (Arc::clone(self), Arc::clone(hub));
            tokio::spawn(async move {
                tokio::time::sleep(left + Duration::from_millis(5)).await;
                room.ring(&hub);
            });
        }
        let Some(work) = inside.watchers.first().map(|watcher| Arc::clone(&watcher.work)) else { return };
        if inside.thinking.is_some() || inside.live.engine_to_play().is_none() {
            return;
        }
        let number = hub.next_number();
        inside.thinking = Some(Thinking { number, stop: Stop::default() });
        drop(inside);
        let (room, hub) = (Arc::clone(self), Arc::clone(hub));
        tokio::spawn(async move {
            let Ok(_own) = work.acquire_owned().await else { return };
            let Ok(_place) = Arc::clone(&hub.workshop.places).acquire_owned().await else { return };
            room.think(&hub, number).await;
        });
    }

    /// The alarm of the clock: an old one finds nothing to do.
    fn ring(self: &Arc<Self>, hub: &Arc<Hub>) {
        let mut inside = self.lock();
        if inside.live.flag() {
            inside.stop_thinking();
            // Told even if it can't be kept.
            let _ = hub.keep(&inside.live, inside.created);
            inside.tell_all();
        }
    }

    async fn think(self: &Arc<Self>, hub: &Arc<Hub>, number: u64) {
        let Some((job, name, game)) = self.lock().job(number) else { return };
        let workshop = Arc::clone(&hub.workshop);
        let (engine_name, game_name) = (name.clone(), game.clone());
        let thought = tokio::task::spawn_blocking(move || {
            let mut engine = workshop.take(&game_name, &engine_name)?;
            let answer = engine.think(&job, &mut |_| {}).map_err(|error| error.to_string());
            workshop.give_back(&game_name, &engine_name, engine);
            answer
        })
        .await
        .unwrap_or_else(|_| Err("it failed".into()));
        self.play(hub, number, &name, thought);
    }

    fn play(self: &Arc<Self>, hub: &Arc<Hub>, number: u64, name: &str, thought: Result<Answer, String>) {
        let mut inside = self.lock();
        if inside.thinking.as_ref().is_none_or(|thinking| thinking.number != number) {
            return;
        }
        inside.thinking = None;
        let live = &mut inside.live;
        let played = thought.and_then(|answer| match answer {
            Answer::Turn(turn) => live.play(&turn),
            Answer::Setup(setup) => live.reduced(&setup).and_then(|setup| live.play_setup(setup)),
            Answer::Resign => {
                live.finish(Ending::win(live.game.side().other(), Reason::Resignation));
                Ok(())
            }
        });
        match played.and_then(|()| hub.keep(&inside.live, inside.created).map_err(|error| error.to_string()))
        {
            Ok(()) => {
                inside.tell_all();
                drop(inside);
                self.consider(hub);
            }
            Err(error) => {
                let error = format!("{name} can't play: {error}");
                let trouble = written(&Tell::Trouble { game: inside.live.id.clone(), error });
                inside.watchers.iter().for_each(|watcher| send(watcher, &trouble));
            }
        }
    }
}

impl Inside {
    fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.request();
        }
    }

    fn tell_all(&self) {
        let text = written(&Tell::Game { game: Box::new(self.live.state()) });
        self.watchers.iter().for_each(|watcher| send(watcher, &text));
    }

    /// What the engine is asked, unless nobody wants to know any more.
    fn job(&mut self, number: u64) -> Option<(Job, String, String)> {
        let (name, seconds) = self.live.engine_to_play()?;
        let thinking = self.thinking.as_mut().filter(|thinking| thinking.number == number)?;
        let game = self.live.game.clone();
        let setup = matches!(game.phase(), Phase::Setup(_));
        let clock = self.live.clock();
        let time = match &clock {
            Some(clock) => allowance(clock, game.side(), setup, self.live.used(), Duration::from_millis(150)),
            None => Allowance::exactly(Duration::from_secs(u64::from(seconds))),
        };
        thinking.stop = thinking.stop.with_deadline(Some(time), time.hard);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let job = Job { clock, stop: thinking.stop.clone(), ..Job::limited(game, limits) };
        Some((job, name, self.live.id.clone()))
    }
}

/// A message as it goes out.
pub(crate) fn written(tell: &Tell) -> Message {
    serde_json::to_string(tell).unwrap_or_default().into()
}

/// A client that does not take its messages misses some; its next question is answered with the newest state.
pub(crate) fn send(watcher: &Watcher, message: &Message) {
    let _ = watcher.send.try_send(Arc::clone(message));
}
