//! Errors that the server reports in the field `error`.

use super::{Fields, Secret};

/// An error answer, classified by what a client has to do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The table has forgotten the seat: reserve it and sit again, unless the game has ended.
    #[error("the table does not know this seat any more ({0})")]
    SeatLost(String),
    /// The room session has expired: log in again.
    #[error("the session of the room has expired")]
    SessionExpired,
    /// The turn was refused.
    #[error("the server refused the turn: {0}")]
    BadMove(String),
    /// Anything else.
    #[error("the server answered with an error: {0}")]
    Other(String),
}

impl Failure {
    /// Classifies the text of an error.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let detail = text.strip_prefix("Gameserver:").map_or(text, str::trim_start);
        if ["Invalid Session Id", "No Game Data"].iter().any(|known| detail.starts_with(known)) {
            Self::SeatLost(printable(detail))
        } else if text.contains("Session id is invalid or expired") {
            Self::SessionExpired
        } else if let Some(reason) = detail.strip_prefix("Bad Move") {
            Self::BadMove(printable(reason.trim_start_matches([':', ' '])))
        } else {
            Self::Other(printable(detail))
        }
    }
}

/// The fields of an answer, unless it is an error. Text that occurs in `secrets` is removed from the error.
///
/// ```
/// use surus_gameroom::protocol::{Failure, Fields, check};
///
/// let answer = Fields::parse("error=Gameserver: Bad Move: not your piece\n");
/// assert_eq!(check(answer, &[]), Err(Failure::BadMove("not your piece".into())));
/// ```
pub fn check(fields: Fields, secrets: &[&Secret]) -> Result<Fields, Failure> {
    let Some(error) = fields.text("error") else { return Ok(fields) };
    let hidden = secrets
        .iter()
        .filter(|secret| !secret.is_empty())
        .fold(error.to_owned(), |text, secret| text.replace(secret.expose(), "[hidden]"));
    Err(Failure::from_text(&hidden))
}

/// One line of at most 200 characters, for logs.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect::<String>().trim().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_classified() {
        for (text, expected) in [
            ("Gameserver: Invalid Session Id", Failure::SeatLost("Invalid Session Id".into())),
            ("Gameserver: No Game Data for 7", Failure::SeatLost("No Game Data for 7".into())),
            ("Session id is invalid or expired.", Failure::SessionExpired),
            ("Gameserver: Bad Move: 17 pieces", Failure::BadMove("17 pieces".into())),
            ("unknown\naction", Failure::Other("unknown action".into())),
        ] {
            assert_eq!(Failure::from_text(text), expected);
        }
    }

    #[test]
    fn errors_do_not_repeat_secrets() {
        let answer: Fields = [("error", "no session 4711xyz")].into_iter().collect();
        let failure = check(answer, &[&Secret::new("4711xyz"), &Secret::default()]).unwrap_err();
        assert_eq!(failure, Failure::Other("no session [hidden]".into()));
    }
}
