//! The turn of an engine: searching, and storing its answer.

use std::sync::Arc;
use std::time::Duration;

use surus_play::{Answer, EngineError, Job, Limits, TimeBudget, time_budget};
use surus_rules::{GameResult, Phase, Termination};
use tokio::sync::Semaphore;

use super::{GameSession, RETRY_DELAY, SessionState};
use crate::app_state::AppState;
use crate::engine_pool::EngineRequestError;
use crate::game::{ActiveGame, GameError};

/// The part of the available time that is reserved for everything but searching.
const MOVE_OVERHEAD: Duration = Duration::from_millis(150);

/// Why an engine played no turn.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum PlayError {
    #[error(transparent)]
    Request(#[from] EngineRequestError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("illegal turn: {0}")]
    Illegal(#[from] GameError),
    #[error("it crashed")]
    Panicked,
}

/// The result of a search.
struct SearchResult {
    engine: String,
    answer: Result<Answer, PlayError>,
}

/// Searches once the permits are available, then stores the answer, retrying until that succeeds.
pub(super) async fn play(session: Arc<GameSession>, app: Arc<AppState>, id: u64, permit: Arc<Semaphore>) {
    let result = {
        let Ok(_client) = permit.acquire_owned().await else { return };
        let Ok(_engine) = Arc::clone(&app.engines.permits).acquire_owned().await else { return };
        let (session, app) = (Arc::clone(&session), Arc::clone(&app));
        tokio::task::spawn_blocking(move || search(&session, &app, id)).await
    };
    let result = match result {
        Ok(None) => return,
        Ok(Some(result)) => result,
        Err(_) => SearchResult { engine: "the engine".into(), answer: Err(PlayError::Panicked) },
    };
    let mut result = Some(result);
    loop {
        let (session, shared, result) = (Arc::clone(&session), Arc::clone(&app), result.take());
        let stored = app.game_pool.run_always(move || {
            if let Some(result) = result {
                session.accept_answer(id, result);
            }
            session.store_answer(&shared, id)
        });
        if stored.await.is_ok_and(|done| done) {
            return;
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

/// Runs the engine. Returns `None` if the search was cancelled before it started.
fn search(session: &GameSession, app: &AppState, id: u64) -> Option<SearchResult> {
    let (job, engine, game) = session.lock().ok()?.job(id)?;
    let answer = app.engines.acquire(&game, &engine).map_err(PlayError::from).and_then(|mut instance| {
        let answer = instance.think(&job, &mut |_| {});
        // Under the lock of the session, so that the engine of a client that has gone is not kept.
        if let Ok(state) = session.lock()
            && !state.subscribers.is_empty()
        {
            app.engines.release(&game, &engine, instance);
        }
        Ok(answer?)
    });
    Some(SearchResult { engine, answer })
}

impl GameSession {
    /// Plays the engine's answer on a copy of the game, unless the search was cancelled.
    fn accept_answer(&self, id: u64, result: SearchResult) {
        let Ok(mut state) = self.lock() else { return };
        let state = &mut *state;
        let Some(search) = state.search.as_mut().filter(|search| search.id == id) else {
            return;
        };
        match result.answer.and_then(|answer| Ok(play_answer(&state.active, answer)?)) {
            Ok(next) => search.answered = Some(Box::new(next)),
            Err(error) => {
                state.search = None;
                state.report_error(format!("{} cannot play: {error}", result.engine));
            }
        }
    }

    /// Stores the answer. Returns `false` if that has to be retried.
    fn store_answer(self: &Arc<Self>, app: &Arc<AppState>, id: u64) -> bool {
        let Ok(mut state) = self.lock() else { return true };
        let search = state.search.as_ref().filter(|search| search.id == id);
        let Some(mut next) = search.and_then(|search| search.answered.as_deref().cloned()) else {
            return true;
        };
        // The time of the other side starts when the turn is shown.
        next.restart_clock();
        if let Err(error) = state.commit(app, next) {
            state.report_error(format!("the engine has played, but {error}. Storing its turn is retried."));
            return false;
        }
        drop(state);
        // Fails only on a poisoned lock, which the next command reports.
        let _ = self.schedule(app);
        true
    }
}

fn play_answer(active: &ActiveGame, answer: Answer) -> Result<ActiveGame, GameError> {
    let mut next = active.clone();
    match answer {
        Answer::Turn(turn) => next.play(&turn)?,
        Answer::Setup(setup) => next.play_setup(next.apply_handicap(&setup)?)?,
        Answer::Resign => next.finish(GameResult::win(next.game.side().other(), Termination::Resignation)),
    }
    Ok(next)
}

impl SessionState {
    /// The job of a search with the names of its engine and game, unless the search was cancelled.
    fn job(&mut self, id: u64) -> Option<(Job, String, String)> {
        let (engine, seconds) = self.active.engine_to_move()?;
        let search = self.search.as_mut().filter(|search| search.id == id)?;
        let game = self.active.game.clone();
        let setup = matches!(game.phase(), Phase::Setup(_));
        let clock = self.active.clock();
        let time = match &clock {
            Some(clock) => time_budget(clock, game.side(), setup, self.active.elapsed(), MOVE_OVERHEAD),
            None => TimeBudget::fixed(Duration::from_secs(u64::from(seconds))),
        };
        search.stop = search.stop.with_deadline(Some(time), time.hard);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let job = Job { clock, stop: search.stop.clone(), ..Job::limited(game, limits) };
        Some((job, engine, self.active.id.clone()))
    }
}
