//! The WebSocket: one per client, for games and for positions.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{self, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use tokio::sync::{Semaphore, mpsc};

use crate::api::{ClientCommand, ClientMessage, PositionView, ServerMessage};
use crate::app_state::AppState;
use crate::error::{ApiError, RequestError};
use crate::game::{ActiveGame, GameError};
use crate::position_view::position_view;
use crate::replay::replay_line;
use crate::session::{Message, Subscriber, encode, send};

/// The maximum number of connected clients.
const MAX_CLIENTS: usize = 256;

/// The maximum number of games to which one client can subscribe.
const MAX_SUBSCRIPTIONS: usize = 16;

/// The maximum size of a message: a long line of play fits.
const MAX_MESSAGE_BYTES: usize = 256 << 10;

/// Messages queued for a slow client before further ones are dropped.
const SEND_QUEUE_LEN: usize = 64;

/// A client that answers none of this many pings is gone, even if its connection was never closed.
const MAX_UNANSWERED_PINGS: u32 = 3;
const PING_INTERVAL: Duration = Duration::from_millis(if cfg!(test) { 30 } else { 20_000 });

pub(crate) async fn connect(State(app): State<Arc<AppState>>, upgrade: WebSocketUpgrade) -> Response {
    if app.clients.load(Ordering::Relaxed) >= MAX_CLIENTS {
        return ApiError::TooManyClients(MAX_CLIENTS).into_response();
    }
    upgrade.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(|socket| serve(app, socket))
}

async fn serve(app: Arc<AppState>, mut socket: WebSocket) {
    app.clients.fetch_add(1, Ordering::Relaxed);
    let (sender, mut outgoing) = mpsc::channel::<Message>(SEND_QUEUE_LEN);
    let client = Subscriber { client: app.next_id(), sender, engine_permit: Arc::new(Semaphore::new(1)) };
    let mut subscriptions: HashSet<String> = HashSet::new();
    let mut ping = tokio::time::interval(PING_INTERVAL);
    let mut unanswered = 0;
    loop {
        tokio::select! {
            message = outgoing.recv() => {
                let Some(message) = message else { break };
                if !send_in_time(&mut socket, ws::Message::Text((&*message).into())).await {
                    break;
                }
            }
            _ = ping.tick() => {
                if unanswered == MAX_UNANSWERED_PINGS || !send_in_time(&mut socket, ws::Message::Ping(Bytes::new())).await {
                    break;
                }
                unanswered += 1;
            }
            message = socket.recv() => match message.inspect(|_| unanswered = 0) {
                Some(Ok(ws::Message::Text(text))) => {
                    handle_message(&app, &client, &mut subscriptions, &text).await;
                }
                Some(Ok(ws::Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    app.analysis.disconnect(client.client);
    // Never rejected: engines and clocks must not run without subscribers.
    let shared = Arc::clone(&app);
    let unsubscribed = app.game_pool.run_always(move || {
        let results = subscriptions.iter().map(|game| shared.unsubscribe(game, client.client));
        results.fold(Ok(()), Result::and)
    });
    if let Ok(Err(error)) = unsubscribed.await {
        eprintln!("surus: a client disconnected: {error}");
    }
    app.clients.fetch_sub(1, Ordering::Relaxed);
}

/// Sends a message, unless the client does not read.
async fn send_in_time(socket: &mut WebSocket, message: ws::Message) -> bool {
    tokio::time::timeout(PING_INTERVAL, socket.send(message)).await.is_ok_and(|sent| sent.is_ok())
}

async fn handle_message(
    app: &Arc<AppState>,
    client: &Subscriber,
    subscriptions: &mut HashSet<String>,
    text: &str,
) {
    let reply = match serde_json::from_str(text) {
        Ok(ClientMessage { id, command }) => {
            match handle_command(app, client, subscriptions, command).await {
                Ok(None) => ServerMessage::Ok { id },
                Ok(Some(position)) => ServerMessage::Position { id, position },
                Err(error) => error_message(app, id, &error),
            }
        }
        Err(error) => error_message(app, 0, &RequestError::Message(error).into()),
    };
    send(client, &encode(&reply));
}

fn error_message(app: &AppState, id: u32, error: &ApiError) -> ServerMessage {
    app.refused.count(error.status());
    ServerMessage::Error { id, error: error.to_string() }
}

async fn handle_command(
    app: &Arc<AppState>,
    client: &Subscriber,
    subscriptions: &mut HashSet<String>,
    command: ClientCommand,
) -> Result<Option<Box<PositionView>>, ApiError> {
    match command {
        ClientCommand::Subscribe { game } => {
            if subscriptions.len() >= MAX_SUBSCRIPTIONS && !subscriptions.contains(&game) {
                return Err(ApiError::TooManySubscriptions(MAX_SUBSCRIPTIONS));
            }
            let (id, client) = (game.clone(), client.clone());
            app.run_blocking(move |app| app.subscribe(&id, &client)).await?;
            subscriptions.insert(game);
        }
        ClientCommand::Unsubscribe { game } => {
            if subscriptions.remove(&game) {
                let (shared, client) = (Arc::clone(app), client.client);
                app.game_pool.run_always(move || shared.unsubscribe(&game, client)).await??;
            }
        }
        ClientCommand::Setup { game, text } => {
            update(app, game, move |active| active.place_setup(&text)).await?;
        }
        ClientCommand::Steps { game, text } => {
            update(app, game, move |active| active.play_steps(&text)).await?;
        }
        ClientCommand::Undo { game } => update(app, game, ActiveGame::undo).await?,
        ClientCommand::Redo { game } => update(app, game, ActiveGame::redo).await?,
        ClientCommand::EndTurn { game } => update(app, game, ActiveGame::end_turn).await?,
        ClientCommand::Takeback { game } => update(app, game, ActiveGame::take_back).await?,
        ClientCommand::Resign { game } => update(app, game, ActiveGame::resign).await?,
        ClientCommand::Position { line } => {
            let compute = move || Ok::<_, ApiError>(position_view(&replay_line(&line)?));
            return Ok(Some(Box::new(app.compute.run(compute).await??)));
        }
        ClientCommand::Analyze { request } => {
            let (app_state, client) = (Arc::clone(app), client.clone());
            let start = move || {
                let game = replay_line(&request.line)?;
                Ok::<_, ApiError>(app_state.analysis.start(&client, &request, game)?)
            };
            app.compute.run(start).await??;
        }
        ClientCommand::AnalyzeGame { request } => {
            let (app_state, client) = (Arc::clone(app), client.clone());
            let start = move || {
                let game = replay_line(&request.line)?;
                Ok::<_, ApiError>(app_state.analysis.start_game(&client, &request, &game)?)
            };
            app.compute.run(start).await??;
        }
        ClientCommand::StopAnalysis { analysis } => app.analysis.stop(client.client, analysis),
    }
    Ok(None)
}

async fn update(
    app: &Arc<AppState>,
    game: String,
    update: impl FnOnce(&mut ActiveGame) -> Result<(), GameError> + Send + 'static,
) -> Result<(), ApiError> {
    app.run_blocking(move |app| app.update_game(&game, update)).await
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::any;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::session::tests::board;

    /// The bytes of a masked pong without text.
    const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

    async fn open(address: std::net::SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_client_that_answers_no_ping_is_disconnected() {
        let board = board("pings");
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", any(connect)).with_state(Arc::clone(&board.app));
        tokio::spawn(crate::connections::serve(listener, router));
        let (mut silent, mut answering) = (open(address).await, open(address).await);
        let mut received = Vec::new();
        let answer = async {
            let mut bytes = [0; 64];
            while answering.read(&mut bytes).await.is_ok_and(|count| count > 0) {
                answering.write_all(&PONG).await.unwrap();
            }
        };
        tokio::select! {
            () = answer => panic!("a client that answers was disconnected"),
            count = silent.read_to_end(&mut received) => assert!(count.is_ok()),
        }
        let pings = received.windows(2).filter(|frame| *frame == [0x89, 0]).count();
        assert_eq!(pings, MAX_UNANSWERED_PINGS as usize);
        while board.app.stats().unwrap().clients != 1 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
