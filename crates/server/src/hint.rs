//! Hints: the turn that the default engine plays at full strength.

use std::sync::Arc;

use surus_play::{Answer, Job, LimitKind, Limits, StopToken};
use surus_rules::Phase;

use crate::api::Hint;
use crate::app_state::AppState;
use crate::error::ApiError;
use crate::game::{ActiveGame, GameError};
use crate::steps::steps_from_text;

/// The positions that are searched: about a second, and always the same answer.
const NODES: u64 = 60_000;

/// Stops the search when the client disconnects.
struct StopOnDrop(StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Searches for the human player to move.
pub(crate) async fn hint(app: &Arc<AppState>, id: String) -> Result<Hint, ApiError> {
    let active = app.run_blocking(move |app| app.active_game(&id)).await?;
    active.check_hint()?;
    let Ok(permit) = Arc::clone(&app.engines.permits).acquire_owned().await else {
        return Err(ApiError::Poisoned);
    };
    let stop = StopToken::default();
    let _stop = StopOnDrop(stop.clone());
    let shared = Arc::clone(app);
    app.hints
        .run(move || {
            let _permit = permit;
            search(&shared, active, stop)
        })
        .await?
}

fn search(app: &AppState, active: ActiveGame, stop: StopToken) -> Result<Hint, ApiError> {
    let board = *active.game.position().board();
    let mut engine = app.engines.make(&app.default_engine)?;
    // An engine without limits answers immediately.
    let nodes = engine.id().supported_limits.contains(&LimitKind::Nodes).then_some(NODES);
    let limits = Limits { nodes, ..Limits::default() };
    let job = Job { stop, ..Job::limited(active.game, limits) };
    match engine.think(&job, &mut |_| {}).map_err(ApiError::Hint)? {
        Answer::Turn(turn) => {
            let text = board.notation(&turn);
            Ok(Hint { steps: steps_from_text(&text), text })
        }
        Answer::Setup(_) | Answer::Resign => Err(GameError::NoHint.into()),
    }
}

impl ActiveGame {
    /// Whether a human player is to play a turn.
    fn check_hint(&self) -> Result<(), GameError> {
        match (self.game.phase(), self.engine_to_move()) {
            (Phase::Over(result), _) => Err(GameError::Over(result)),
            (_, Some((name, _))) => Err(GameError::EngineToMove(name)),
            (Phase::Setup(_), None) => Err(GameError::NoHint),
            (Phase::Play(_), None) => Ok(()),
        }
    }
}
