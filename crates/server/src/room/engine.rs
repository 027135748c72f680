//! The turn of an engine: it thinks, and its answer is stored.

use std::sync::Arc;
use std::time::Duration;

use surus_play::{Answer, EngineError, Job, Limits, TimeBudget, time_budget};
use surus_rules::{GameResult, Phase, Termination};
use tokio::sync::Semaphore;

use super::{Inside, RETRY, Room};
use crate::engines::EngineRefused;
use crate::hub::Hub;
use crate::live::{GameError, Live};

/// Why an engine does not play.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum PlayError {
    #[error(transparent)]
    Refused(#[from] EngineRefused),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("its turn is not legal: {0}")]
    Illegal(#[from] GameError),
    #[error("it failed")]
    Panicked,
}

/// What an engine came to; nothing if it was not asked any more.
struct Thought {
    name: String,
    answer: Result<Answer, PlayError>,
}

/// Lets the engine think once there is a place for it, and stores its answer, as often as it takes.
pub(super) async fn play(room: Arc<Room>, hub: Arc<Hub>, number: u64, work: Arc<Semaphore>) {
    let thought = {
        let Ok(_own) = work.acquire_owned().await else { return };
        let Ok(_place) = Arc::clone(&hub.workshop.places).acquire_owned().await else { return };
        let (room, hub) = (Arc::clone(&room), Arc::clone(&hub));
        tokio::task::spawn_blocking(move || think(&room, &hub, number)).await
    };
    let thought = match thought {
        Ok(None) => return,
        Ok(Some(thought)) => thought,
        Err(_) => Thought { name: "the engine".into(), answer: Err(PlayError::Panicked) },
    };
    let mut thought = Some(thought);
    loop {
        let (same, shared, fresh) = (Arc::clone(&room), Arc::clone(&hub), thought.take());
        let stored = hub.games.run_always(move || {
            if let Some(fresh) = fresh {
                same.take_answer(number, fresh);
            }
            same.store_answer(&shared, number)
        });
        if stored.await.is_ok_and(|stored| stored) {
            return;
        }
        tokio::time::sleep(RETRY).await;
    }
}

fn think(room: &Room, hub: &Hub, number: u64) -> Option<Thought> {
    let (job, name, game) = room.lock().ok()?.job(number)?;
    let answer = hub.workshop.take(&game, &name).map_err(PlayError::from).and_then(|mut engine| {
        let answer = engine.think(&job, &mut |_| {});
        hub.workshop.give_back(&game, &name, engine);
        Ok(answer?)
    });
    Some(Thought { name, answer })
}

impl Room {
    /// Makes the turn of an engine on a copy of the game, unless it is not asked for any more.
    fn take_answer(&self, number: u64, thought: Thought) {
        let Ok(mut inside) = self.lock() else { return };
        let inside = &mut *inside;
        let Some(thinking) = inside.thinking.as_mut().filter(|thinking| thinking.number == number) else {
            return;
        };
        match thought.answer.and_then(|answer| Ok(played(&inside.live, answer)?)) {
            Ok(next) => thinking.answered = Some(Box::new(next)),
            Err(error) => {
                inside.thinking = None;
                inside.report(format!("{} can't play: {error}", thought.name));
            }
        }
    }

    /// Stores the answer; whether there is nothing left to do.
    fn store_answer(self: &Arc<Self>, hub: &Arc<Hub>, number: u64) -> bool {
        let Ok(mut inside) = self.lock() else { return true };
        let answered = inside.thinking.as_ref().filter(|thinking| thinking.number == number);
        let Some(mut next) = answered.and_then(|thinking| thinking.answered.as_deref().cloned()) else {
            return true;
        };
        // The other side's time begins when it sees the turn.
        next.restart_clock();
        if let Err(error) = inside.commit(hub, next) {
            inside.report(format!("the engine has played, but {error}. This is tried again."));
            return false;
        }
        drop(inside);
        // Only a poisoned lock, which the next command reports.
        let _ = self.proceed(hub);
        true
    }
}

fn played(live: &Live, answer: Answer) -> Result<Live, GameError> {
    let mut next = live.clone();
    match answer {
        Answer::Turn(turn) => next.play(&turn)?,
        Answer::Setup(setup) => next.play_setup(next.reduced(&setup)?)?,
        Answer::Resign => next.finish(GameResult::win(next.game.side().other(), Termination::Resignation)),
    }
    Ok(next)
}

impl Inside {
    /// What the engine is asked, unless it is not asked any more.
    fn job(&mut self, number: u64) -> Option<(Job, String, String)> {
        let (name, seconds) = self.live.engine_to_play()?;
        let thinking = self.thinking.as_mut().filter(|thinking| thinking.number == number)?;
        let game = self.live.game.clone();
        let setup = matches!(game.phase(), Phase::Setup(_));
        let clock = self.live.clock();
        let time = match &clock {
            Some(clock) => {
                time_budget(clock, game.side(), setup, self.live.used(), Duration::from_millis(150))
            }
            None => TimeBudget::fixed(Duration::from_secs(u64::from(seconds))),
        };
        thinking.stop = thinking.stop.with_deadline(Some(time), time.hard);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let job = Job { clock, stop: thinking.stop.clone(), ..Job::limited(game, limits) };
        Some((job, name, self.live.id.clone()))
    }
}
