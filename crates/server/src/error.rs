//! The only place where errors are mapped to an HTTP status and a message.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use surus_explain::ExplainError;
use surus_play::EngineError;
use surus_record::ReadError;

use crate::analysis::AnalysisError;
use crate::api::ErrorBody;
use crate::archive::QueryError;
use crate::blocking::PoolError;
use crate::engine_pool::EngineRequestError;
use crate::game::GameError;
use crate::replay::ReplayError;
use crate::session::SessionError;
use crate::store::StoreError;

/// Why a request or a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Parse(#[from] ReadError),
    #[error(transparent)]
    Explain(#[from] ExplainError),
    #[error(transparent)]
    Engine(#[from] EngineRequestError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Archive(#[from] QueryError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("the engine has no hint: {0}")]
    Hint(EngineError),
    #[error("the limit of {0} stored games is reached: delete some first")]
    TooManyGames(u64),
    #[error("the limit of {0} connected clients is reached")]
    TooManyClients(usize),
    #[error("the limit of {0} subscribed games per client is reached")]
    TooManySubscriptions(usize),
    #[error("only the client that started a game, or the owner of the board, can delete it")]
    NotOwner,
    #[error("this board is read-only: games cannot be started, changed or deleted")]
    ReadOnly,
    #[error("games in progress are unavailable after an internal error: restart the program")]
    Poisoned,
}

/// Errors of the HTTP layer, independent of what a request does.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    #[error("the name in the Host header is not allowed")]
    Host,
    #[error("requests from pages of other origins are not allowed")]
    Origin,
    #[error("this board is open only with a token: use the address that it printed when it started")]
    Token,
    #[error("there is nothing at {0}")]
    Path(String),
    #[error("there is no such page")]
    Page,
    #[error("method not allowed: {0}")]
    Method(String),
    #[error("the body is too large: expected at most {0} bytes")]
    TooLarge(usize),
    #[error("the body did not arrive in time")]
    BodyTimeout,
    #[error("the body cannot be read: {0}")]
    Body(String),
    #[error("invalid body: {0}")]
    Json(serde_json::Error),
    #[error("invalid message: {0}")]
    Message(serde_json::Error),
}

impl ApiError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Request(error) => error.status(),
            Self::Game(_)
            | Self::Replay(_)
            | Self::Parse(_)
            | Self::Explain(_)
            | Self::Engine(_)
            | Self::Analysis(_) => StatusCode::BAD_REQUEST,
            Self::Session(SessionError::Poisoned) | Self::Poisoned => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Session(_) => StatusCode::CONFLICT,
            Self::Store(error) => match error {
                StoreError::Missing(_) => StatusCode::NOT_FOUND,
                StoreError::Conflict(_) => StatusCode::CONFLICT,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            },
            Self::Archive(error) => match error {
                QueryError::NoDataDir
                | QueryError::NoArchive(_)
                | QueryError::NoGame(_)
                | QueryError::Unusable(_)
                | QueryError::GameId => StatusCode::NOT_FOUND,
                QueryError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
                _ => StatusCode::BAD_REQUEST,
            },
            Self::Pool(PoolError::Failed(_)) | Self::Hint(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Pool(PoolError::Busy(_))
            | Self::TooManyGames(_)
            | Self::TooManyClients(_)
            | Self::TooManySubscriptions(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::ReadOnly | Self::NotOwner => StatusCode::FORBIDDEN,
        }
    }
}

impl RequestError {
    fn status(&self) -> StatusCode {
        match self {
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Path(_) | Self::Page => StatusCode::NOT_FOUND,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::Body(_) | Self::Json(_) | Self::Message(_) => StatusCode::BAD_REQUEST,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status(), Json(ErrorBody { error: self.to_string() })).into_response()
    }
}
