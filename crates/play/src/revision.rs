//! Revisions: short hashes of what determines an engine's play. They are always derived, never edited by hand.

use std::fmt;
use std::io::{self, Read};

use surus_rules::{Game, Handicap, Rules};
use xxhash_rust::xxh3::Xxh3;

use crate::{Answer, Engine, Info, Job, Limits};

/// Hashes weights, parameters and behaviour into a revision.
///
/// ```
/// use surus_play::Revision;
///
/// let revision = Revision::default().with("weights 1 2 3").with("margin 40");
/// assert_eq!(revision.to_string().len(), 12);
/// assert_ne!(revision.to_string(), Revision::default().with("weights 1 2 4").with("margin 40").to_string());
/// ```
#[derive(Clone, Default)]
pub struct Revision(Xxh3);

impl Revision {
    /// The revision of an engine that has no weights or parameters, from its behaviour at these limits.
    #[must_use]
    pub fn of(mut engine: impl Engine, limits: Limits) -> Self {
        Self::default().with(behaviour(&mut engine, limits))
    }

    /// Adds something that determines the play.
    #[must_use]
    pub fn with(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        // The length distinguishes "ab", "c" from "a", "bc".
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// Adds all bytes of a reader, such as a file, without loading it into memory.
    pub fn with_reader(mut self, mut reader: impl Read) -> io::Result<Self> {
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0_u64;
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    self.0.update(&buffer[..read]);
                    length += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.0.update(&length.to_le_bytes());
        Ok(self)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012x}", self.0.digest() >> 16)
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revision({self})")
    }
}

/// An opening, middlegames and an endgame.
const POSITIONS: [&str; 5] = [
    "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "g [               r         chemd   CHEMD          R               ]",
];

/// The answers and reports of an engine in fixed positions, as text to be hashed. Time is not part of it, so the limits must
/// be depth or nodes.
fn behaviour(engine: &mut dyn Engine, limits: Limits) -> String {
    let mut text = String::new();
    let games = POSITIONS.iter().filter_map(|position| Game::from_text(position, Rules::Official).ok());
    for game in std::iter::once(Game::new(Rules::Official, Handicap::default())).chain(games) {
        let board = *game.position().board();
        let mut last = Info::default();
        let answer = engine.think(&Job::limited(game, limits), &mut |info| last = info);
        let answer = match answer {
            Ok(Answer::Turn(turn)) => board.notation(&turn),
            Ok(other) => format!("{other:?}"),
            Err(error) => error.to_string(),
        };
        let Info { depth, score, nodes, .. } = last;
        text += &format!("{answer} {depth:?} {score:?} {nodes:?}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Greedy, Random};

    #[test]
    fn readers_are_hashed_completely() {
        let of = |bytes: &[u8]| Revision::default().with_reader(bytes).unwrap().to_string();
        let mut bytes = vec![7; 200_000];
        let before = of(&bytes);
        bytes[199_999] = 8;
        assert_ne!(of(&bytes), before);
        assert_ne!(of(b""), Revision::default().to_string());
    }

    #[test]
    fn behaviour_is_reproducible_and_differs_between_engines() {
        let of = |engine: &mut dyn Engine| behaviour(engine, Limits::default());
        assert_eq!(of(&mut Random::default()), of(&mut Random::default()));
        assert_ne!(of(&mut Random::default()), of(&mut Greedy::default()));
        assert_eq!(of(&mut Greedy::default()).lines().count(), 1 + POSITIONS.len());
    }
}
