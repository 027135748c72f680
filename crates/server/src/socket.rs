//! The WebSocket: one for each client, for games and for looking at positions.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::extract::ws::{self, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, mpsc};

use crate::error::{Refusal, RequestError};
use crate::hub::Hub;
use crate::live::{GameError, Live};
use crate::room::{Message, Watcher, send, written};
use crate::wire::{Ask, Command, Tell, View};
use crate::{line, view};

/// More clients at once are turned away.
const MOST_CLIENTS: usize = 256;

/// The games that one client may watch at once.
const MOST_WATCHED: usize = 16;

/// The largest message: a long line to look at.
const MOST_BYTES: usize = 256 << 10;

/// Messages that wait for a slow client before it misses some.
const WAITING: usize = 64;

pub(crate) async fn connect(State(hub): State<Arc<Hub>>, upgrade: WebSocketUpgrade) -> Response {
    if MOST_CLIENTS <= hub.clients.load(Ordering::Relaxed) {
        return Refusal::TooManyClients(MOST_CLIENTS).into_response();
    }
    upgrade.max_message_size(MOST_BYTES).on_upgrade(|socket| serve(hub, socket))
}

async fn serve(hub: Arc<Hub>, mut socket: WebSocket) {
    hub.clients.fetch_add(1, Ordering::Relaxed);
    let (sender, mut outgoing) = mpsc::channel::<Message>(WAITING);
    let me = Watcher { client: hub.next_number(), send: sender, work: Arc::new(Semaphore::new(1)) };
    let mut watched: HashSet<String> = HashSet::new();
    loop {
        tokio::select! {
            message = outgoing.recv() => {
                let Some(message) = message else { break };
                if socket.send(ws::Message::Text((&*message).into())).await.is_err() {
                    break;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(ws::Message::Text(text))) => answer(&hub, &me, &mut watched, &text).await,
                Some(Ok(ws::Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    // Departures are never refused: engines and clocks must not go on for nobody.
    let shared = Arc::clone(&hub);
    let departed = hub.games.run_always(move || {
        let left = watched.iter().map(|game| shared.leave(game, me.client));
        left.fold(Ok(()), Result::and)
    });
    if let Ok(Err(error)) = departed.await {
        eprintln!("surus: a client left a game: {error}");
    }
    hub.clients.fetch_sub(1, Ordering::Relaxed);
}

async fn answer(hub: &Arc<Hub>, me: &Watcher, watched: &mut HashSet<String>, text: &str) {
    let told = match serde_json::from_str(text) {
        Ok(Ask { id, command }) => match obey(hub, me, watched, command).await {
            Ok(None) => Tell::Done { id },
            Ok(Some(view)) => Tell::View { id, view },
            Err(error) => Tell::Refused { id, error: error.to_string() },
        },
        Err(error) => Tell::Refused { id: 0, error: RequestError::Message(error).to_string() },
    };
    send(me, &written(&told));
}

async fn obey(
    hub: &Arc<Hub>,
    me: &Watcher,
    watched: &mut HashSet<String>,
    command: Command,
) -> Result<Option<Box<View>>, Refusal> {
    match command {
        Command::Watch { game } => {
            if MOST_WATCHED <= watched.len() && !watched.contains(&game) {
                return Err(Refusal::TooManyWatched(MOST_WATCHED));
            }
            let (id, me) = (game.clone(), me.clone());
            hub.blocking(move |hub| hub.watch(&id, &me)).await?;
            watched.insert(game);
        }
        Command::Leave { game } => {
            if watched.remove(&game) {
                let (shared, client) = (Arc::clone(hub), me.client);
                hub.games.run_always(move || shared.leave(&game, client)).await??;
            }
        }
        Command::Setup { game, text } => change(hub, game, move |live| live.set_up(&text)).await?,
        Command::Steps { game, text } => change(hub, game, move |live| live.take_steps(&text)).await?,
        Command::Undo { game } => change(hub, game, Live::undo).await?,
        Command::Redo { game } => change(hub, game, Live::redo).await?,
        Command::End { game } => change(hub, game, Live::end_turn).await?,
        Command::Takeback { game } => change(hub, game, Live::take_back).await?,
        Command::Resign { game } => change(hub, game, Live::resign).await?,
        Command::Look { line } => {
            let view = hub.compute.run(move || Ok::<_, Refusal>(view::view(&line::follow(&line)?))).await??;
            return Ok(Some(Box::new(view)));
        }
    }
    Ok(None)
}

async fn change(
    hub: &Arc<Hub>,
    game: String,
    act: impl FnOnce(&mut Live) -> Result<(), GameError> + Send + 'static,
) -> Result<(), Refusal> {
    hub.blocking(move |hub| hub.change(&game, act)).await
}
