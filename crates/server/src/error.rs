//! What a client is told when it can't have what it asked for.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::wire::Problem;

/// A refusal, with a sentence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The request makes no sense, or the rules forbid it.
    #[error("{0}")]
    Bad(String),
    /// It is not from our own page.
    #[error("{0}")]
    Foreign(String),
    /// There is no such thing.
    #[error("{0}")]
    Missing(String),
    /// It is known, but not to be had that way.
    #[error("{0} is not asked for in this way")]
    Method(String),
    /// The body is too large.
    #[error("{0}")]
    Large(String),
    /// Too much at once.
    #[error("{0}")]
    Busy(String),
    /// The archive could not be read.
    #[error("the archive can't be read: {0}")]
    Archive(String),
    /// The games could not be read or written.
    #[error("the games can't be kept: {0}")]
    Store(#[from] rusqlite::Error),
}

impl Refusal {
    pub(crate) fn bad(error: &impl ToString) -> Self {
        Self::Bad(error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Foreign(_) => StatusCode::FORBIDDEN,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Large(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Archive(_) | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, Json(Problem { error: self.to_string() })).into_response()
    }
}
