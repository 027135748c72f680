//! Linguistic Geometry for Arimaa.
//!
//! A position is represented as a network of zones \[LG\]. A zone contains the trajectory of an attack and those of the
//! pieces that can intercept or support it in time. Zones ignore freezing and blocking, so they only propose: two
//! searches, for a capture and for a goal in one turn, follow them, and every result is replayed with the rules.
//!
//! The [`grammar`] module has the controlled grammars as tables and can print derivations. Everything else works on
//! bitboards; tests compare it with those tables.

pub mod abg;
pub mod grammar;
pub mod search;
pub mod trajectory;
pub mod translation;
pub mod zone;

/// How closely the definitions of \[LG\] are followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fidelity {
    /// The conditions as printed: a captor at most two cells away, and no squares next to the trap in the zone. Does not
    /// reproduce the figures of \[LG\]; kept to show that.
    Printed,
    /// The conditions corrected as far as the examples of \[LG\] require; one captor per zone.
    Paper,
    /// Also changing captors, guards that are displaced, victims on a trap, and helpers.
    Extended,
}
