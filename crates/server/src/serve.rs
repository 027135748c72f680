//! Starting and ending the server.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use surus_archive::Place;
use surus_play::Registry;
use tokio::net::TcpListener;

use crate::archive::Archive;
use crate::engines::Workshop;
use crate::guard::Guard;
use crate::http;
use crate::hub::Hub;
use crate::store::Store;

/// The port where nobody asks for another.
const USUAL_PORT: u16 = 8641;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; without one the usual one or the next that is free, with 0 any.
    pub port: Option<u16>,
    /// Further host names that the server answers to.
    pub names: Vec<String>,
    /// The folder for the games.
    pub data: PathBuf,
    /// Where the archive of games is; it need not be there.
    pub archive: Option<Place>,
    /// The opponent where nobody names one.
    pub engine: String,
}

/// A server that listens.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Where to find the page.
    pub address: String,
    /// Where the games are.
    pub games: PathBuf,
    /// Whether it is bound to this machine alone.
    pub local: bool,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken, or the address is not ours.
    #[error("can't listen at {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The folder for the games.
    #[error("can't make the folder {0}: {1}")]
    Folder(PathBuf, io::Error),
    /// The file of games.
    #[error("can't open the games in {0}: {1}")]
    Games(PathBuf, rusqlite::Error),
    /// The system gives no threads, or the connections broke.
    #[error("the server failed: {0}")]
    Failed(#[from] io::Error),
}

/// Serves until Ctrl-C, or until the system asks for the end.
pub fn run(registry: Registry, settings: &Settings, ready: impl FnOnce(&Ready)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(registry, settings, ready));
    // An engine that thinks is not waited for: every turn is on disk.
    runtime.shutdown_background();
    result
}

async fn serve(
    registry: Registry,
    settings: &Settings,
    ready: impl FnOnce(&Ready),
) -> Result<(), ServeError> {
    std::fs::create_dir_all(&settings.data)
        .map_err(|error| ServeError::Folder(settings.data.clone(), error))?;
    let games = settings.data.join("games.sqlite");
    let store = Store::open(&games).map_err(|error| ServeError::Games(games.clone(), error))?;
    let listener = listen(settings).await?;
    let address = listener.local_addr()?;
    let local = settings.host.is_loopback();
    let guard = Guard { local, port: address.port(), names: settings.names.clone() };
    let hub = Arc::new(Hub::new(
        store,
        Archive::new(settings.archive.clone()),
        Workshop::new(registry),
        settings.engine.clone(),
    ));
    let router = http::router(hub, guard);
    let end = told_to_end();
    ready(&Ready { address: format!("http://{address}/"), games, local });
    tokio::select! {
        ended = async { axum::serve(listener, router).await } => Ok(ended?),
        () = end => Ok(()),
    }
}

async fn listen(settings: &Settings) -> Result<TcpListener, ServeError> {
    let at = |port| SocketAddr::new(settings.host, port);
    let last = if settings.port.is_some() { 0 } else { 20 };
    let first = settings.port.unwrap_or(USUAL_PORT);
    for further in 0..=last {
        let address = at(first + further);
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) if further == last || error.kind() != io::ErrorKind::AddrInUse => {
                return Err(ServeError::Listen(address, error));
            }
            Err(_) => {}
        }
    }
    Err(ServeError::Listen(at(first), io::ErrorKind::AddrInUse.into()))
}

/// Ends when the system says so. It listens from the call on, not only when it is waited for: whoever has read the
/// greeting can end the server.
#[cfg(unix)]
fn told_to_end() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// Without a signal to wait for the server runs until it is killed.
    async fn heard(signal: io::Result<Signal>) {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    }

    let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async {
        tokio::select! {
            () = heard(interrupt) => {}
            () = heard(terminate) => {}
        }
    }
}

#[cfg(not(unix))]
async fn told_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
