//! The requests under `/api/v1/archive`.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::Json;
use axum::routing::{get, post};
use serde::Deserialize;

use super::QueryError;
use crate::error::Refusal;
use crate::http::json;
use crate::hub::Hub;
use crate::wire::{ArchivePlayers, ArchiveState, Explored, FoundGames, ReadGame, Setups};

pub(crate) fn routes() -> Router<Arc<Hub>> {
    Router::new()
        .route("/api/v1/archive", get(state))
        .route("/api/v1/archive/explore", post(explore))
        .route("/api/v1/archive/setups", post(setups))
        .route("/api/v1/archive/search", post(search))
        .route("/api/v1/archive/players", get(players))
        .route("/api/v1/archive/games", get(games))
        .route("/api/v1/archive/games/{id}", get(game))
}

async fn state(State(hub): State<Arc<Hub>>) -> Result<Json<ArchiveState>, Refusal> {
    Ok(Json(hub.archive.state().await?))
}

type Body = Result<Bytes, BytesRejection>;

async fn explore(State(hub): State<Arc<Hub>>, body: Body) -> Result<Json<Explored>, Refusal> {
    Ok(Json(hub.archive.explore(json(body)?).await?))
}

async fn setups(State(hub): State<Arc<Hub>>, body: Body) -> Result<Json<Setups>, Refusal> {
    Ok(Json(hub.archive.setups(json(body)?).await?))
}

async fn search(State(hub): State<Arc<Hub>>, body: Body) -> Result<Json<FoundGames>, Refusal> {
    Ok(Json(hub.archive.search(&json(body)?).await?))
}

#[derive(Deserialize)]
struct Named {
    name: String,
    most: Option<usize>,
}

type Asked = Result<Query<Named>, QueryRejection>;

fn named(asked: Asked) -> Result<Named, Refusal> {
    let Query(named) = asked.map_err(|_| QueryError::NoName)?;
    Ok(named)
}

async fn players(State(hub): State<Arc<Hub>>, asked: Asked) -> Result<Json<ArchivePlayers>, Refusal> {
    let Named { name, most } = named(asked)?;
    Ok(Json(hub.archive.players(name, most).await?))
}

async fn games(State(hub): State<Arc<Hub>>, asked: Asked) -> Result<Json<FoundGames>, Refusal> {
    let Named { name, most } = named(asked)?;
    Ok(Json(hub.archive.games_of(name, most).await?))
}

async fn game(
    State(hub): State<Arc<Hub>>,
    id: Result<Path<i64>, PathRejection>,
) -> Result<Json<ReadGame>, Refusal> {
    let Path(id) = id.map_err(|_| QueryError::GameNumber)?;
    Ok(Json(hub.archive.game(id).await?))
}
