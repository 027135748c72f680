//! The engines of a game, and observers that follow it.

use std::ops::ControlFlow;

use surus_play::{Answer, Engine, Info, Limits};
use surus_rules::{Game, GameResult, Side};

use crate::match_game::MatchGame;

/// Follows a game and may intervene. `()` does nothing.
pub trait Observer {
    /// Called before a side searches. `Break` aborts the game.
    fn on_turn(&mut self, _game: &Game) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called for each report of a search.
    fn on_info(&mut self, _info: &Info) {}

    /// Called with the answer of the engine; decides how the game continues.
    fn on_answer(&mut self, _game: &Game, answer: Answer) -> Decision {
        Decision::Play(answer)
    }

    /// Called when the game is over.
    fn on_end(&mut self, _game: &MatchGame) {}
}

impl Observer for () {}

/// How a game continues after an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// Play this answer.
    Play(Answer),
    /// Search again with these limits.
    Retry(Limits),
    /// End the game without playing the answer.
    End(GameResult),
    /// Abort the game.
    Abort,
}

/// The engines of a game.
pub enum Players<'a> {
    /// Gold's and silver's.
    Two([&'a mut dyn Engine; 2]),
    /// One engine that plays both sides.
    Both(&'a mut dyn Engine),
}

impl std::fmt::Debug for Players<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Two(_) => "Two(..)",
            Self::Both(_) => "Both(..)",
        })
    }
}

impl Players<'_> {
    pub(crate) fn engine(&mut self, side: Side) -> &mut dyn Engine {
        match self {
            Self::Two(engines) => engines[side as usize],
            Self::Both(engine) => *engine,
        }
    }

    pub(crate) fn for_each(&mut self, mut action: impl FnMut(&mut dyn Engine)) {
        match self {
            Self::Two(engines) => engines.iter_mut().for_each(|engine| action(*engine)),
            Self::Both(engine) => action(*engine),
        }
    }
}
