//! Text that must not appear in logs.

use std::fmt;

/// A password, session id or token. `Debug` hides it; [`Secret::expose`] is the only way to the text.
///
/// ```
/// use surus_gameroom::protocol::Secret;
///
/// let password = Secret::new("sesame");
/// assert_eq!(format!("{password:?}"), "[hidden]");
/// assert_eq!(password.expose(), "sesame");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, to be sent to the server only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}
