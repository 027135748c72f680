//! What a client is told when it can't have what it asked for: the one place where errors become a status and a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use surus_record::ReadError;

use crate::archive::QueryError;
use crate::blocking::PoolError;
use crate::engines::EngineRefused;
use crate::line::LineError;
use crate::live::GameError;
use crate::room::RoomError;
use crate::store::StoreError;
use crate::why::WhyError;
use crate::wire::Problem;

/// Why a request or a command is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    Text(#[from] ReadError),
    #[error(transparent)]
    Why(#[from] WhyError),
    #[error(transparent)]
    Engine(#[from] EngineRefused),
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Archive(#[from] QueryError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("{0} games are stored already: delete some first")]
    TooManyGames(u64),
    #[error("{0} clients are connected already")]
    TooManyClients(usize),
    #[error("{0} games are watched already")]
    TooManyWatched(usize),
    #[error("this board is read-only: games cannot be started, changed or deleted here")]
    ReadOnly,
    #[error("an earlier failure makes the running games unavailable: start the program again")]
    Poisoned,
}

/// What is wrong with a request before anybody looks at what it asks for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    #[error("this server does not answer to the name in the Host header")]
    Host,
    #[error("a page from elsewhere may not use this server")]
    Origin,
    #[error("there is nothing at {0}")]
    Path(String),
    #[error("there is no such page")]
    Page,
    #[error("{0} is not asked for in this way")]
    Method(String),
    #[error("the body is too large: expected at most {0} bytes")]
    TooLarge(usize),
    #[error("the body cannot be read: {0}")]
    Body(String),
    #[error("the body is not what was expected: {0}")]
    Json(serde_json::Error),
    #[error("the message is not what was expected: {0}")]
    Message(serde_json::Error),
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Request(error) => match error {
                RequestError::Host | RequestError::Origin => StatusCode::FORBIDDEN,
                RequestError::Path(_) | RequestError::Page => StatusCode::NOT_FOUND,
                RequestError::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
                RequestError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
                RequestError::Body(_) | RequestError::Json(_) | RequestError::Message(_) => {
                    StatusCode::BAD_REQUEST
                }
            },
            Self::Game(_) | Self::Line(_) | Self::Text(_) | Self::Why(_) | Self::Engine(_) => {
                StatusCode::BAD_REQUEST
            }
            Self::Room(RoomError::Poisoned) | Self::Poisoned => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Room(_) => StatusCode::CONFLICT,
            Self::Store(error) => match error {
                StoreError::Missing(_) => StatusCode::NOT_FOUND,
                StoreError::Conflict(_) => StatusCode::CONFLICT,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            },
            Self::Archive(error) => match error {
                QueryError::NoPlace | QueryError::NoArchive(_) | QueryError::NoGame(_) => {
                    StatusCode::NOT_FOUND
                }
                QueryError::Unusable(_) | QueryError::GameNumber => StatusCode::NOT_FOUND,
                QueryError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
                _ => StatusCode::BAD_REQUEST,
            },
            Self::Pool(PoolError::Failed(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Pool(PoolError::Busy(_))
            | Self::TooManyGames(_)
            | Self::TooManyClients(_)
            | Self::TooManyWatched(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::ReadOnly => StatusCode::FORBIDDEN,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status(), Json(Problem { error: self.to_string() })).into_response()
    }
}
