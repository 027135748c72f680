//! Faults of the server, by seed.

use surus_rules::SplitMix;

use super::{Outcome, WireReply, reply};

/// Probabilities of faults per request, from 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Faults {
    /// The connection is closed before the request is processed.
    pub dropped: f64,
    /// The connection is closed after the request was processed.
    pub lost_answer: f64,
    /// An answer without a body.
    pub empty: f64,
    /// A poll that ends without a body.
    pub empty_poll: f64,
    /// HTTP 404.
    pub not_found: f64,
    /// HTTP 408.
    pub timeout: f64,
    /// HTTP 500.
    pub server_error: f64,
    /// A turn is answered with `ok` and not played.
    pub ignored_move: f64,
    /// A turn gets no answer and is played seconds later.
    pub late_move: f64,
    /// A legal turn is refused.
    pub refused_move: f64,
    /// The table forgets a seat.
    pub lost_seat: f64,
    /// The room forgets the session.
    pub expired_session: f64,
    /// A state contradicts itself.
    pub garbled_state: f64,
}

impl Faults {
    /// Every fault, each rare enough that games end.
    #[must_use]
    pub const fn all() -> Self {
        Self {
            dropped: 0.02,
            lost_answer: 0.02,
            empty: 0.02,
            empty_poll: 0.05,
            not_found: 0.005,
            timeout: 0.01,
            server_error: 0.01,
            ignored_move: 0.03,
            late_move: 0.02,
            refused_move: 0.005,
            lost_seat: 0.005,
            expired_session: 0.01,
            garbled_state: 0.01,
        }
    }

    /// Draws the fault of a request.
    pub(super) fn draw(&self, rng: &mut SplitMix) -> Fault {
        let faults = [
            (self.dropped, Fault::Dropped),
            (self.lost_answer, Fault::LostAnswer),
            (self.empty, Fault::Empty),
            (self.not_found, Fault::Status(404)),
            (self.timeout, Fault::Status(408)),
            (self.server_error, Fault::Status(500)),
            (self.ignored_move, Fault::IgnoredMove),
            (self.late_move, Fault::LateMove),
            (self.refused_move, Fault::RefusedMove),
            (self.lost_seat, Fault::LostSeat),
            (self.expired_session, Fault::ExpiredSession),
            (self.garbled_state, Fault::GarbledState),
        ];
        // At most one fault per request; each draw is made, so that one probability does not shift the others.
        let mut drawn = Fault::None;
        for (probability, fault) in faults {
            if chance(rng, probability) && drawn == Fault::None {
                drawn = fault;
            }
        }
        drawn
    }
}

/// Draws a number below a probability.
pub(super) const fn chance(rng: &mut SplitMix, probability: f64) -> bool {
    ((rng.next_u64() >> 11) as f64) < probability * (1_u64 << 53) as f64
}

/// The fault of one request. Those of moves and states have no effect on other requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    None,
    Dropped,
    LostAnswer,
    Empty,
    Status(u16),
    IgnoredMove,
    LateMove,
    RefusedMove,
    LostSeat,
    ExpiredSession,
    GarbledState,
}

impl Fault {
    /// The outcome of a request that is not processed.
    pub(super) fn before(self) -> Option<Outcome> {
        match self {
            Self::Dropped => Some(Outcome::Drop),
            Self::Empty => Some(Outcome::Reply(WireReply::text(String::new()))),
            Self::Status(status) => Some(reply(status)),
            _ => None,
        }
    }

    /// Whether the request is processed and its answer lost.
    pub(super) fn loses_answer(self) -> bool {
        self == Self::LostAnswer
    }
}
