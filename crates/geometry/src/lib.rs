//! Linguistic Geometry for Arimaa.
//!
//! A position is seen as a network of zones. A zone says who attacks, along which squares, who can come in the way and in
//! how much time; it is geometry and knows neither freezing nor blocking. So zones only propose: two searches, for a
//! capture and for a goal in one turn, follow them, and nothing is claimed that the rules have not replayed.
//!
//! The [`grammar`] module has the controlled grammars as tables, with a machine that prints derivations. Everything else
//! works on bits and is compared with those tables.

pub mod abg;
pub mod grammar;
pub mod search;
pub mod trajectory;
pub mod translation;
pub mod zone;

/// How closely the document is followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fidelity {
    /// The conditions as printed: a captor at most two cells away, no square of a trap's guard in the zone. It does not bring
    /// about the document's own figures and is kept to show that.
    Printed,
    /// The document with what its own examples need corrected; one captor for each zone.
    Paper,
    /// Any captor, guards that are led away, pieces that stand on a trap, helpers.
    Extended,
}
