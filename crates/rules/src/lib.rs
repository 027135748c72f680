//! The rules of Arimaa.
//!
//! The game without search, evaluation and files: the [`Board`], [`Step`]s and [`Action`]s, the [`Position`] within a turn,
//! [`DistinctTurns`], the [`Game`] with its history and result, clocks, notation and text formats.
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
//! assert_eq!(error.to_string(), "me7n: e8 is occupied by a silver rabbit");
//! # Ok::<(), surus_rules::IllegalTurn>(())
//! ```
//!
//! No input causes a panic, and generation of steps and actions does not allocate.

mod action;
mod bitboard;
mod board;
mod clock;
mod error;
mod game;
mod game_result;
mod generate;
mod history;
mod key_map;
mod legality;
mod notation;
mod packed_action;
mod perft;
mod piece;
mod position;
mod record;
mod score;
mod setup;
mod splitmix;
mod square;
mod step;
mod symmetry;
mod text;
mod turns;
mod zobrist;

pub use action::Action;
pub use bitboard::Bitboard;
pub use board::Board;
pub use clock::{Clock, GameLimit, OutOfTime, TimeControl, TimeControlError};
pub use error::{IllegalStep, IllegalTurn, NotationError, PositionError};
pub use game::{Game, HistoryEntry, Phase, PlayedTurn, TurnTag};
pub use game_result::{GameResult, Rules, Termination, UnknownRules};
pub use key_map::{IdentityHasher, KeyMap};
pub use notation::Token;
pub use packed_action::PackedAction;
pub use perft::{Perft, walk_steps};
pub use piece::{Piece, PieceKind, Side};
pub use position::{Pending, Position};
pub use record::{Record, RecordError, RecordErrorKind, Replay};
pub use score::{Score, ScoreError};
pub use setup::{Handicap, Setup, SetupError};
pub use splitmix::SplitMix;
pub use square::{Direction, Square};
pub use step::{Step, Turn};
pub use text::{Diagram, ParseGameError};
pub use turns::DistinctTurns;
