//! The WebSocket: one for each client, for games and for looking at positions.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::extract::ws::{self, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, mpsc};

use crate::error::Refusal;
use crate::hub::Hub;
use crate::room::{Message, Watcher, send, written};
use crate::wire::{Ask, Command, Tell};
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
        return Refusal::Busy(format!("{MOST_CLIENTS} clients are connected already")).into_response();
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
                Some(Ok(ws::Message::Text(text))) => answer(&hub, &me, &mut watched, &text),
                Some(Ok(ws::Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    for game in watched {
        hub.leave(&game, me.client);
    }
    hub.clients.fetch_sub(1, Ordering::Relaxed);
}

fn answer(hub: &Arc<Hub>, me: &Watcher, watched: &mut HashSet<String>, text: &str) {
    let Ask { id, command } = match serde_json::from_str(text) {
        Ok(ask) => ask,
        Err(error) => {
            let error = format!("the message is not what was expected: {error}");
            return send(me, &written(&Tell::Refused { id: 0, error }));
        }
    };
    let told = match obey(hub, me, watched, command) {
        Ok(None) => Tell::Done { id },
        Ok(Some(view)) => Tell::View { id, view },
        Err(error) => Tell::Refused { id, error },
    };
    send(me, &written(&told));
}

fn obey(
    hub: &Arc<Hub>,
    me: &Watcher,
    watched: &mut HashSet<String>,
    command: Command,
) -> Result<Option<Box<crate::wire::View>>, String> {
    match command {
        Command::Watch { game } => {
            if MOST_WATCHED <= watched.len() && !watched.contains(&game) {
                return Err(format!("{MOST_WATCHED} games are watched already"));
            }
            hub.watch(&game, me).map_err(|refusal| refusal.to_string())?;
            watched.insert(game);
        }
        Command::Leave { game } => {
            if watched.remove(&game) {
                hub.leave(&game, me.client);
            }
        }
        Command::Setup { game, text } => hub.change(&game, |live| live.set_up(&text))?,
        Command::Steps { game, text } => hub.change(&game, |live| live.take_steps(&text))?,
        Command::Undo { game } => hub.change(&game, crate::live::Live::undo)?,
        Command::Redo { game } => hub.change(&game, crate::live::Live::redo)?,
        Command::End { game } => hub.change(&game, crate::live::Live::end_turn)?,
        Command::Takeback { game } => hub.change(&game, crate::live::Live::take_back)?,
        Command::Resign { game } => hub.change(&game, crate::live::Live::resign)?,
        Command::Look { line } => return Ok(Some(Box::new(view::view(&line::follow(&line)?)))),
    }
    Ok(None)
}
