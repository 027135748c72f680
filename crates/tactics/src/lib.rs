//! Exact answers about one turn of Arimaa: can a side score a goal, what can it capture, can it take the last
//! rabbits or leave the other side without a step, and what stops a goal of the other side.
//!
//! ```
//! use surus_rules::{Position, Side};
//! use surus_tactics::{captures, steps_to_goal, find_goal};
//!
//! let text = "g [r      r R         hE                                   RRRRRRR ]";
//! let position: Position = text.parse()?;
//! assert_eq!(goal(position.board(), Side::Gold, 4), Some(1));
//! assert_eq!(find_goal(position.board(), Side::Gold, 4).unwrap().to_string(), "Rb7n");
//! let taken = captures(position.board(), Side::Gold, 4).iter().next().unwrap();
//! assert_eq!((taken.piece.letter(), taken.square.to_string(), taken.steps), ('h', "d6".into(), 2));
//! # Ok::<(), surus_rules::PositionError>(())
//! ```
//!
//! The questions about a [`Board`](surus_rules::Board) are those that a search asks at every node: they allocate
//! nothing, and say no in a few nanoseconds where a look at the bit planes shows that. They hold where nothing is
//! pending, at a turn's start or in its middle. Those whose names end in `_in` take a
//! [`Position`](surus_rules::Position), which may be in the middle of a push or have a pull open.
//!
//! Repetition plays no part: whether a turn would repeat a position a third time is the game's question.
//!
//! Every answer is found by a search that leaves out only what is proved to be of no use; [`verify`] compares
//! them all with exhaustive generation.

mod bit_action;
mod capture;
mod defence;
mod elimination;
mod goal;
mod immobilisation;
mod pending;
mod relative_board;
pub mod verify;
mod visited;

pub use capture::{Capture, Captures, captures, captures_from};
pub use defence::{GoalDefence, goal_defence_squares, goal_defences};
pub use elimination::{elimination, elimination_from};
pub use goal::{find_goal, find_goal_from, steps_to_goal};
pub use immobilisation::immobilisation_from;
