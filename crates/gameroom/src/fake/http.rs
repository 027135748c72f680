//! The imitation behind real sockets, in real time.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderName, IF_MODIFIED_SINCE, LAST_MODIFIED, REFERER, USER_AGENT};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};

use super::{FakeConfig, FakeServer, HoldId, Outcome, WireReply, WireRequest};

/// Forms are small.
const MAX_BODY: usize = 64 * 1024;

/// The pause after an error of the listener.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is in use or not of this machine.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The runtime or its thread could not be started.
    #[error("cannot start the server: {0}")]
    Runtime(io::Error),
}

/// State shared by all connections.
struct Shared {
    server: Mutex<FakeServer>,
    started: Instant,
    waiting: Mutex<HashMap<HoldId, oneshot::Sender<WireReply>>>,
    /// Wakes the task that answers held requests.
    changed: Notify,
    stop: Notify,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A server that runs until it is stopped or dropped.
pub struct RunningServer {
    url: String,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for RunningServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningServer").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Starts a server on its own thread. The URL of `config` is replaced by the one of `address`, whose port may be 0.
pub fn serve(address: SocketAddr, mut config: FakeConfig) -> Result<RunningServer, ServeError> {
    let listener =
        std::net::TcpListener::bind(address).map_err(|error| ServeError::Listen(address, error))?;
    let bound = listener.local_addr().map_err(ServeError::Runtime)?;
    listener.set_nonblocking(true).map_err(ServeError::Runtime)?;
    config.url = format!("http://{bound}");
    let url = config.url.clone();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Runtime)?;
    let shared = Arc::new(Shared {
        server: Mutex::new(FakeServer::new(config)),
        started: Instant::now(),
        waiting: Mutex::default(),
        changed: Notify::new(),
        stop: Notify::new(),
    });
    let task = Arc::clone(&shared);
    let thread = thread::Builder::new()
        .name("gameroom".into())
        .spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, Arc::clone(&task)) => {}
                    () = answer_held(&task) => {}
                    () = task.stop.notified() => {}
                }
            });
        })
        .map_err(ServeError::Runtime)?;
    Ok(RunningServer { url, shared, thread: Some(thread) })
}

impl RunningServer {
    /// The URL of the site, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The URL of the gameroom.
    #[must_use]
    pub fn gameroom_url(&self) -> String {
        format!("{}/arimaa/gameroom", self.url)
    }

    /// Looks into the server.
    pub fn inspect<T>(&self, look: impl FnOnce(&FakeServer) -> T) -> T {
        look(&lock(&self.shared.server))
    }

    /// Closes all connections and waits for the thread.
    pub fn stop(&mut self) {
        self.shared.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the server has been reported already.
            let _ = thread.join();
        }
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn accept(listener: std::net::TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors, for instance.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let service = service_fn(|request| handle(&shared, request));
            // An error means that the client is gone, or that a fault closed the connection.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

/// Answers a request, or fails so that the connection is closed without an answer.
async fn handle(shared: &Shared, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, io::Error> {
    let header = |name: HeaderName| request.headers().get(name)?.to_str().ok().map(ToOwned::to_owned);
    let (referer, user_agent) = (header(REFERER), header(USER_AGENT));
    let if_modified_since = header(IF_MODIFIED_SINCE);
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let posted = request.method() == Method::POST;
    let body = Limited::new(request.into_body(), MAX_BODY).collect().await.map_err(io::Error::other)?;
    let body = String::from_utf8_lossy(&body.to_bytes()).into_owned();
    let request = WireRequest {
        path: &path,
        referer: referer.as_deref(),
        user_agent: user_agent.as_deref(),
        if_modified_since: if_modified_since.as_deref(),
        form: posted.then_some(body.as_str()),
    };
    let held = {
        let mut server = lock(&shared.server);
        match server.handle(shared.started.elapsed(), &request) {
            Outcome::Reply(reply) => Ok(reply),
            Outcome::Drop => return Err(io::ErrorKind::ConnectionAborted.into()),
            Outcome::Hold(id) => {
                let (sender, receiver) = oneshot::channel();
                lock(&shared.waiting).insert(id, sender);
                Err(receiver)
            }
        }
    };
    shared.changed.notify_one();
    let reply = match held {
        Ok(reply) => reply,
        Err(receiver) => receiver.await.map_err(io::Error::other)?,
    };
    let mut response = Response::builder().status(reply.status).header("Content-Type", "text/plain");
    if let Some(time) = reply.last_modified {
        response = response.header(LAST_MODIFIED, time);
    }
    response.body(Full::new(reply.body.into())).map_err(io::Error::other)
}

/// Lets the server act when something is due, and delivers the answers to held requests.
async fn answer_held(shared: &Shared) {
    loop {
        let next = {
            let mut server = lock(&shared.server);
            let answers = server.advance(shared.started.elapsed());
            let mut waiting = lock(&shared.waiting);
            for (id, reply) in answers {
                // The client may have gone.
                waiting.remove(&id).map(|sender| sender.send(reply));
            }
            server.next_event()
        };
        let pause = next.map_or(Duration::from_secs(60), |at| at.saturating_sub(shared.started.elapsed()));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = shared.changed.notified() => {}
        }
    }
}
