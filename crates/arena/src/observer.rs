//! Who plays a game, and who watches it.

use std::ops::ControlFlow;

use surus_play::{Answer, Engine, Info, Limits};
use surus_rules::{Game, GameResult, Side};

use crate::match_game::MatchGame;

/// Follows a game and may intervene. `()` does neither.
pub trait Observer {
    /// A side is about to think. `Break` drops the game.
    fn on_turn(&mut self, _game: &Game) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The engine reports on its search.
    fn on_info(&mut self, _info: &Info) {}

    /// The engine has answered; decides what becomes of the answer.
    fn on_answer(&mut self, _game: &Game, answer: Answer) -> Decision {
        Decision::Play(answer)
    }

    /// The game is over.
    fn on_end(&mut self, _bout: &MatchGame) {}
}

impl Observer for () {}

/// What is done with an engine's answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// It, or another in its place, is played.
    Play(Answer),
    /// The engine is asked again, with these limits.
    Retry(Limits),
    /// The game ends before the answer is played.
    End(GameResult),
    /// The game is dropped.
    Abort,
}

/// The engines of a game.
pub enum Players<'a> {
    /// Gold's and silver's.
    Two([&'a mut dyn Engine; 2]),
    /// One that plays both sides, and remembers both.
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
    pub(crate) fn of(&mut self, side: Side) -> &mut dyn Engine {
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
