//! The rules of Arimaa.
//!
//! Everything that can be said about the game without searching, judging or reading files: the [`Board`] and its
//! [`Step`]s, pushes and pulls, the [`Position`] in the middle of a turn, all distinct [`Turns`], the [`Game`] with
//! its history and endings, clocks, and the texts that people exchange.
//!
//! ```
//! use surus_rules::{Game, Phase, Side};
//!
//! let mut game = Game::default();
//! game.play_text("Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2")?;
//! game.play_text("ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7")?;
//! game.play_text("Ee2n Ee3n Ee4n Ee5n")?;
//! assert_eq!(game.phase(), Phase::Play(Side::Silver));
//! let error = game.play_text("me7n").unwrap_err();
//! assert_eq!(error.to_string(), "me7n: e8 is taken by a silver rabbit");
//! # Ok::<(), surus_rules::IllegalTurn>(())
//! ```
//!
//! Nothing here panics, whatever it is given; nothing here allocates while it generates steps.

mod board;
mod by_key;
mod clock;
mod ending;
mod error;
mod game;
mod generate;
mod judge;
mod notation;
mod perft;
mod piece;
mod position;
mod random;
mod record;
mod score;
mod setup;
mod square;
mod squares;
mod step;
mod symmetry;
mod text;
mod turns;
mod zobrist;

pub use board::Board;
pub use by_key::{ByKey, PlainHasher};
pub use clock::{Clock, ClockError, GameLimit, OutOfTime, TimeControl};
pub use ending::{Ending, Reason, Rules, UnknownRules};
pub use error::{IllegalStep, IllegalTurn, NotationError, PositionError};
pub use game::{Entry, Game, Phase, Played, TurnTag};
pub use generate::Action;
pub use notation::Token;
pub use perft::{Perft, walk_steps};
pub use piece::{Kind, Piece, Side};
pub use position::{Pending, Position};
pub use random::SplitMix;
pub use record::{Record, RecordError, RecordProblem, Replay};
pub use score::{Score, ScoreError};
pub use setup::{Handicap, Setup, SetupError};
pub use square::{Direction, Square};
pub use squares::Squares;
pub use step::{Step, Turn};
pub use text::{Diagram, TextError};
pub use turns::Turns;
