//! Results of finished games.

use std::fmt;

use surus_rules::{GameResult, Side, Termination};

/// The result of a game as the server reports it: winner and reason, such as `wg`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomResult {
    /// The winner; draws and unknown results have none.
    pub winner: Option<Side>,
    /// The reason.
    pub reason: ResultCode,
}

/// The letter of a reason, which this version may not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultCode {
    /// A known reason.
    Known(Termination),
    /// Another letter, or none.
    Unknown(char),
}

impl RoomResult {
    /// Parses `wg`; spaces are ignored. Returns `None` for an empty field, which means that the game is not over.
    ///
    /// ```
    /// use surus_gameroom::protocol::RoomResult;
    /// use surus_rules::{Side, Termination};
    ///
    /// let result = RoomResult::parse("bt").unwrap();
    /// assert_eq!(result.winner, Some(Side::Silver));
    /// assert_eq!(result.termination(), Some(Termination::Time));
    /// assert_eq!(RoomResult::parse(" "), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars().filter(|c| !c.is_whitespace());
        let winner = Side::from_letter(letters.next()?);
        let letter = letters.next().unwrap_or('?').to_ascii_lowercase();
        let reason = Termination::from_letter(letter).map_or(ResultCode::Unknown(letter), ResultCode::Known);
        Some(Self { winner, reason })
    }

    /// The reason, if it is known.
    #[must_use]
    pub const fn termination(&self) -> Option<Termination> {
        match self.reason {
            ResultCode::Known(reason) => Some(reason),
            ResultCode::Unknown(_) => None,
        }
    }

    /// The letters of the server.
    #[must_use]
    pub fn code(&self) -> String {
        let letter = match self.reason {
            ResultCode::Known(reason) => reason.letter(),
            ResultCode::Unknown(letter) => letter,
        };
        format!("{}{letter}", self.winner.map_or('d', super::side_letter))
    }
}

impl From<GameResult> for RoomResult {
    fn from(result: GameResult) -> Self {
        Self { winner: result.winner, reason: ResultCode::Known(result.reason) }
    }
}

impl fmt::Display for RoomResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} wins")?,
            None => f.write_str("no winner")?,
        }
        match self.reason {
            ResultCode::Known(reason) => write!(f, " ({reason})"),
            ResultCode::Unknown(letter) => write!(f, " (reason '{}')", letter.escape_debug()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_kinds_are_read() {
        let text = |code: &str| RoomResult::parse(code).unwrap().to_string();
        assert_eq!(text("wg"), "gold wins (goal)");
        assert_eq!(text("b m"), "silver wins (immobilisation)");
        assert_eq!(text("dn"), "no winner (no rabbits left)");
        assert_eq!(text("u"), "no winner (reason '?')");
        assert_eq!(text("wz"), "gold wins (reason 'z')");
        assert_eq!(RoomResult::parse("wr").unwrap().code(), "wr");
        assert_eq!(RoomResult::parse(""), None);
    }
}
