//! Exact tactics of one turn of Arimaa: goals, captures, elimination of all rabbits, immobilisation, and defences against
//! goals and captures.
//!
//! ```
//! use surus_rules::{Position, Side};
//! use surus_tactics::{captures, steps_to_goal, find_goal};
//!
//! let text = "g [r      r R         hE                                   RRRRRRR ]";
//! let position: Position = text.parse()?;
//! assert_eq!(steps_to_goal(position.board(), Side::Gold, 4), Some(1));
//! assert_eq!(find_goal(position.board(), Side::Gold, 4).unwrap().to_string(), "Rb7n");
//! let capture = captures(position.board(), Side::Gold, 4).iter().next().unwrap();
//! assert_eq!((capture.piece.letter(), capture.square.to_string(), capture.steps), ('h', "d6".into(), 2));
//! # Ok::<(), surus_rules::PositionError>(())
//! ```
//!
//! The functions on a [`Board`](surus_rules::Board) are called at every node of a search: they do not allocate, and return
//! in a few nanoseconds where the bit planes rule a tactic out. They apply where no push or pull is pending. Those whose
//! names end in `_from` take a [`Position`](surus_rules::Position), which may have a pending push or pull.
//!
//! Repetition is not checked.
//!
//! Every answer is found by a search that prunes only what provably does not matter; [`verify`] compares them with
//! exhaustive generation.

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
pub use defence::{Defences, all_goal_defences, capture_defences, goal_defence_squares, goal_defences};
pub use elimination::{elimination, elimination_from};
pub use goal::{find_goal, find_goal_from, has_goal, steps_to_goal};
pub use immobilisation::immobilisation_from;
