//! The routes under `/api/v1`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use surus_engine::LEVEL_DESCRIPTIONS;
use surus_play::STANDARD_SETUPS;

use crate::access::Client;
use crate::api::{
    AppInfo, EditedPosition, EngineResults, EvaluationBreakdown, Explanation, GameList, GameState, Hint,
    LevelInfo, NewGame, ParseRequest, ParseResponse, PhaseCourse, PlayedLine, PositionCheck, PositionTactics,
    PositionView, ServerStats, SetupPreset, TimeControlPreset,
};
use crate::app_state::AppState;
use crate::error::{ApiError, RequestError};
use crate::guard::{self, OriginGuard};
use crate::parse::parse_text;
use crate::position_view::position_view;
use crate::replay::replay_line;
use crate::{
    archive, assets, connections, evaluation, explain, hint, phase, position_check, tactics_view, websocket,
};

/// The maximum size of a request body. A tournament fits, a year of the official archive does not.
pub(crate) const MAX_BODY_BYTES: usize = 4 << 20;

/// Games per page of the list.
const DEFAULT_PAGE_LEN: u32 = 50;
const MAX_PAGE_LEN: u32 = 200;

/// The part of a path that error messages quote, in characters.
const QUOTED_PATH_LEN: usize = 60;

/// The gameroom's usual time controls.
const TIME_CONTROLS: [(&str, &str); 7] = [
    ("Lightning", "15s/2m30s/100/0/1h/2m30s"),
    ("Blitz", "30s/3m/100/5m/8h"),
    ("Fast", "1m/4m/100/0/4h/4m"),
    ("Standard", "2m/2m/100/10m/8h"),
    ("Tournament", "2m/6m/100/0/7h"),
    ("Slow", "4m/10m/100/0/16h/10m"),
    ("Postal", "1d/30d/100/0/0/2d"),
];

pub(crate) fn router(app: Arc<AppState>, guard: OriginGuard) -> Router {
    Router::new()
        .route("/api/v1/info", get(info))
        .route("/api/v1/stats", get(stats))
        .route("/api/v1/games", get(list_games).post(create_game))
        .route("/api/v1/games/{id}", get(game_state).delete(delete_game))
        .route("/api/v1/games/{id}/record", get(game_record))
        .route("/api/v1/games/{id}/hint", post(game_hint))
        .route("/api/v1/results", get(results))
        .route("/api/v1/parse", post(parse))
        .route("/api/v1/position", post(position))
        .route("/api/v1/explain", post(explain_line))
        .route("/api/v1/phases", post(phases))
        .route("/api/v1/tactics", post(tactics))
        .route("/api/v1/evaluation", post(evaluation))
        .route("/api/v1/position/check", post(check))
        .merge(archive::routes::routes())
        .route("/api/v1/ws", get(websocket::connect))
        .route("/api/{*rest}", any(not_found))
        .fallback(get(assets::serve))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(axum::middleware::from_fn(connections::read_body))
        .layer(axum::middleware::from_fn_with_state(Arc::new(guard), guard::enforce))
        .with_state(app)
}

fn quoted_path(uri: &Uri) -> String {
    uri.path().chars().take(QUOTED_PATH_LEN).collect()
}

async fn not_found(uri: Uri) -> ApiError {
    RequestError::Path(quoted_path(&uri)).into()
}

async fn method_not_allowed(method: Method, uri: Uri) -> ApiError {
    RequestError::Method(format!("{method} {}", quoted_path(&uri))).into()
}

pub(crate) type Body = Result<Bytes, BytesRejection>;

/// Parses a JSON body; errors get a message in our own format.
pub(crate) fn json<T: DeserializeOwned>(body: Body) -> Result<T, RequestError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => RequestError::TooLarge(MAX_BODY_BYTES),
        _ => RequestError::Body(rejection.body_text()),
    })?;
    serde_json::from_slice(&body).map_err(RequestError::Json)
}

async fn info(State(app): State<Arc<AppState>>) -> Result<Json<AppInfo>, ApiError> {
    // Engines are created to list their options.
    let shared = Arc::clone(&app);
    Ok(Json(app.compute.run(move || app_info(&shared)).await?))
}

fn app_info(app: &AppState) -> AppInfo {
    let setup = |&(name, front, back): &(&str, &str, &str)| SetupPreset {
        name: name.into(),
        front: front.into(),
        back: back.into(),
    };
    let level = |&(name, description): &(&str, &str)| LevelInfo {
        name: name.into(),
        description: description.into(),
    };
    let time_control = |&(name, time_control): &(&str, &str)| TimeControlPreset {
        name: name.into(),
        time_control: time_control.into(),
    };
    AppInfo {
        version: env!("CARGO_PKG_VERSION").into(),
        default_engine: app.default_engine.clone(),
        engines: app.engines.describe_all(),
        levels: LEVEL_DESCRIPTIONS.iter().map(level).collect(),
        setups: STANDARD_SETUPS.iter().map(setup).collect(),
        time_controls: TIME_CONTROLS.iter().map(time_control).collect(),
        read_only: app.read_only,
        analysis: app.analysis.limits(),
    }
}

async fn stats(State(app): State<Arc<AppState>>) -> Result<Json<ServerStats>, ApiError> {
    Ok(Json(app.run_blocking(|app| app.stats()).await?))
}

#[derive(Deserialize)]
struct Pagination {
    limit: Option<u32>,
    offset: Option<u32>,
}

async fn list_games(
    State(app): State<Arc<AppState>>,
    Extension(client): Extension<Client>,
    Query(page): Query<Pagination>,
) -> Result<Json<GameList>, ApiError> {
    let limit = page.limit.unwrap_or(DEFAULT_PAGE_LEN).min(MAX_PAGE_LEN);
    let offset = page.offset.unwrap_or(0);
    Ok(Json(app.run_blocking(move |app| app.list_games(&client, limit, offset)).await?))
}

async fn create_game(
    State(app): State<Arc<AppState>>,
    Extension(client): Extension<Client>,
    body: Body,
) -> Result<(StatusCode, Json<GameState>), ApiError> {
    let config: NewGame = json(body)?;
    Ok((StatusCode::CREATED, Json(app.run_blocking(move |app| app.create_game(&client, config)).await?)))
}

async fn game_state(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
) -> Result<Json<GameState>, ApiError> {
    Ok(Json(app.run_blocking(move |app| app.game_state(&id)).await?))
}

async fn delete_game(
    State(app): State<Arc<AppState>>,
    Extension(client): Extension<Client>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    app.run_blocking(move |app| app.delete_game(&client, &id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn game_record(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((headers, app.run_blocking(move |app| app.game_record(&id)).await?).into_response())
}

async fn game_hint(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> Result<Json<Hint>, ApiError> {
    Ok(Json(hint::hint(&app, id).await?))
}

async fn results(
    State(app): State<Arc<AppState>>,
    Extension(client): Extension<Client>,
) -> Result<Json<Vec<EngineResults>>, ApiError> {
    Ok(Json(app.run_blocking(move |app| app.results(&client)).await?))
}

async fn parse(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<ParseResponse>, ApiError> {
    let ParseRequest { text } = json(body)?;
    let parsed = app.compute.run(move || parse_text(&text)).await?;
    Ok(Json(parsed?))
}

async fn position(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<PositionView>, ApiError> {
    let line: PlayedLine = json(body)?;
    app.compute.run(move || Ok(Json(position_view(&replay_line(&line)?)))).await?
}

async fn phases(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<PhaseCourse>, ApiError> {
    let line: PlayedLine = json(body)?;
    app.compute.run(move || Ok(Json(phase::phase_course(&replay_line(&line)?)))).await?
}

async fn tactics(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<PositionTactics>, ApiError> {
    let line: PlayedLine = json(body)?;
    app.compute.run(move || Ok(Json(tactics_view::position_tactics(&replay_line(&line)?)))).await?
}

async fn evaluation(
    State(app): State<Arc<AppState>>,
    body: Body,
) -> Result<Json<EvaluationBreakdown>, ApiError> {
    let line: PlayedLine = json(body)?;
    app.compute.run(move || Ok(Json(evaluation::evaluation_breakdown(&replay_line(&line)?)))).await?
}

async fn check(body: Body) -> Result<Json<PositionCheck>, ApiError> {
    let edited: EditedPosition = json(body)?;
    Ok(Json(position_check::check_position(&edited)?))
}

async fn explain_line(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<Explanation>, ApiError> {
    let line: PlayedLine = json(body)?;
    app.compute.run(move || Ok(Json(explain::explain(&replay_line(&line)?)?))).await?
}
