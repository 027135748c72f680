//! The requests under `/api/v1`.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, get, post};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use surus_play::STANDARD_SETUPS;

use crate::error::{Refusal, RequestError};
use crate::guard::{self, Guard};
use crate::hub::Hub;
use crate::wire::{
    About, GameState, Games, Line, NamedControl, NamedSetup, NewGame, ReadRequest, Reading, Served, View, Why,
};
use crate::{archive, assets, line, read, socket, view, why};

/// The largest body: a year of the official archive is larger, a tournament is not.
const MOST_BYTES: usize = 4 << 20;

/// The gameroom's usual time controls.
const CONTROLS: [(&str, &str); 7] = [
    ("Lightning", "15s/2m30s/100/0/1h/2m30s"),
    ("Blitz", "30s/3m/100/5m/8h"),
    ("Fast", "1m/4m/100/0/4h/4m"),
    ("Standard", "2m/2m/100/10m/8h"),
    ("Tournament", "2m/6m/100/0/7h"),
    ("Slow", "4m/10m/100/0/16h/10m"),
    ("Postal", "1d/30d/100/0/0/2d"),
];

pub(crate) fn router(hub: Arc<Hub>, guard: Guard) -> Router {
    Router::new()
        .route("/api/v1/about", get(about))
        .route("/api/v1/served", get(served))
        .route("/api/v1/games", get(list).post(begin))
        .route("/api/v1/games/{id}", get(state).delete(delete))
        .route("/api/v1/games/{id}/record", get(record))
        .route("/api/v1/read", post(read_text))
        .route("/api/v1/look", post(look))
        .route("/api/v1/why", post(explain))
        .merge(archive::http::routes())
        .route("/api/v1/live", get(socket::connect))
        .route("/api/{*rest}", any(nothing))
        .fallback(get(assets::serve))
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(axum::middleware::from_fn_with_state(Arc::new(guard), guard::stand))
        .with_state(hub)
}

async fn nothing(uri: Uri) -> Refusal {
    RequestError::Path(uri.path().chars().take(60).collect()).into()
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    RequestError::Method(format!("{method} {}", uri.path().chars().take(60).collect::<String>())).into()
}

/// A JSON body, with a sentence of our own where it is none.
pub(crate) fn json<T: DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, RequestError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => RequestError::TooLarge(MOST_BYTES),
        _ => RequestError::Body(rejection.body_text()),
    })?;
    serde_json::from_slice(&body).map_err(RequestError::Json)
}

async fn about(State(hub): State<Arc<Hub>>) -> Result<Json<About>, Refusal> {
    // The options of the engines are those of real ones, which are made for it.
    let shared = Arc::clone(&hub);
    Ok(Json(hub.compute.run(move || all_about(&shared)).await?))
}

fn all_about(hub: &Hub) -> About {
    let setup = |&(name, front, back): &(&str, &str, &str)| NamedSetup {
        name: name.into(),
        front: front.into(),
        back: back.into(),
    };
    let control =
        |&(name, control): &(&str, &str)| NamedControl { name: name.into(), control: control.into() };
    About {
        version: env!("CARGO_PKG_VERSION").into(),
        engine: hub.engine.clone(),
        engines: hub.workshop.all(),
        setups: STANDARD_SETUPS.iter().map(setup).collect(),
        controls: CONTROLS.iter().map(control).collect(),
        read_only: hub.read_only,
    }
}

async fn served(State(hub): State<Arc<Hub>>) -> Result<Json<Served>, Refusal> {
    Ok(Json(hub.blocking(|hub| hub.served()).await?))
}

#[derive(Deserialize)]
struct Page {
    most: Option<u32>,
    skip: Option<u32>,
}

async fn list(State(hub): State<Arc<Hub>>, Query(page): Query<Page>) -> Result<Json<Games>, Refusal> {
    let (most, skip) = (page.most.unwrap_or(50).min(200), page.skip.unwrap_or(0));
    Ok(Json(hub.blocking(move |hub| hub.list(most, skip)).await?))
}

async fn begin(
    State(hub): State<Arc<Hub>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<GameState>), Refusal> {
    let terms: NewGame = json(body)?;
    Ok((StatusCode::CREATED, Json(hub.blocking(move |hub| hub.begin(terms)).await?)))
}

async fn state(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Result<Json<GameState>, Refusal> {
    Ok(Json(hub.blocking(move |hub| hub.state(&id)).await?))
}

async fn delete(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    hub.blocking(move |hub| hub.delete(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((headers, hub.blocking(move |hub| hub.record(&id)).await?).into_response())
}

async fn read_text(
    State(hub): State<Arc<Hub>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Reading>, Refusal> {
    let ReadRequest { text } = json(body)?;
    let reading = hub.compute.run(move || read::read(&text)).await?;
    Ok(Json(reading?))
}

async fn look(
    State(hub): State<Arc<Hub>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<View>, Refusal> {
    let line: Line = json(body)?;
    hub.compute.run(move || Ok(Json(view::view(&line::follow(&line)?)))).await?
}

async fn explain(
    State(hub): State<Arc<Hub>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Why>, Refusal> {
    let line: Line = json(body)?;
    hub.compute.run(move || Ok(Json(why::why(&line::follow(&line)?)?))).await?
}
