//! The routes under `/api/v1/archive`.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::Json;
use axum::routing::{get, post};
use serde::Deserialize;

use super::QueryError;
use crate::api::{
    ArchivePlayers, ArchiveStatus, ExploreResponse, GameSearchResponse, ParsedGame, SetupsResponse,
};
use crate::app_state::AppState;
use crate::error::ApiError;
use crate::http::{Body, json};

pub(crate) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/api/v1/archive", get(status))
        .route("/api/v1/archive/explore", post(explore))
        .route("/api/v1/archive/setups", post(setups))
        .route("/api/v1/archive/search", post(search))
        .route("/api/v1/archive/players", get(players))
        .route("/api/v1/archive/games", get(games))
        .route("/api/v1/archive/games/{id}", get(game))
}

async fn status(State(app): State<Arc<AppState>>) -> Result<Json<ArchiveStatus>, ApiError> {
    Ok(Json(app.archive.status().await?))
}

async fn explore(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<ExploreResponse>, ApiError> {
    Ok(Json(app.archive.explore(json(body)?).await?))
}

async fn setups(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<SetupsResponse>, ApiError> {
    Ok(Json(app.archive.setups(json(body)?).await?))
}

async fn search(State(app): State<Arc<AppState>>, body: Body) -> Result<Json<GameSearchResponse>, ApiError> {
    Ok(Json(app.archive.search(&json(body)?).await?))
}

#[derive(Deserialize)]
struct NameQuery {
    name: String,
    limit: Option<usize>,
}

type NameQueryResult = Result<Query<NameQuery>, QueryRejection>;

fn require_name(query: NameQueryResult) -> Result<NameQuery, ApiError> {
    let Query(query) = query.map_err(|_| QueryError::MissingName)?;
    Ok(query)
}

async fn players(
    State(app): State<Arc<AppState>>,
    query: NameQueryResult,
) -> Result<Json<ArchivePlayers>, ApiError> {
    let NameQuery { name, limit } = require_name(query)?;
    Ok(Json(app.archive.players(name, limit).await?))
}

async fn games(
    State(app): State<Arc<AppState>>,
    query: NameQueryResult,
) -> Result<Json<GameSearchResponse>, ApiError> {
    let NameQuery { name, limit } = require_name(query)?;
    Ok(Json(app.archive.games_by_player(name, limit).await?))
}

async fn game(
    State(app): State<Arc<AppState>>,
    id: Result<Path<i64>, PathRejection>,
) -> Result<Json<ParsedGame>, ApiError> {
    let Path(id) = id.map_err(|_| QueryError::GameId)?;
    Ok(Json(app.archive.game(id).await?))
}
