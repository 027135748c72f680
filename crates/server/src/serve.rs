//! Starting and ending the server.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use surus_archive::DbLocation;
use surus_play::Registry;
use tokio::net::TcpListener;

use crate::archive::Archive;
use crate::engines::Workshop;
use crate::guard::Guard;
use crate::http;
use crate::hub::Hub;
use crate::lock::{FolderLock, Locked};
use crate::store::Store;

/// The port where nobody asks for another.
const USUAL_PORT: u16 = 8641;

/// How long the end waits for engines and for games that are being stored.
const PATIENCE: Duration = Duration::from_secs(5);

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
    pub archive: Option<DbLocation>,
    /// The opponent where nobody names one.
    pub engine: String,
    /// Whether games can only be looked at. Then the folder may belong to another board.
    pub read_only: bool,
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
    /// Whether games can only be looked at.
    pub read_only: bool,
}

/// Why a server does not serve any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// It was told to end: all games are stored.
    Stopped,
    /// It never began, because another board has the folder.
    AlreadyRunning {
        /// Where that one is.
        address: String,
    },
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
    /// The file that locks the folder.
    #[error("can't lock the folder {0}: {1}")]
    Lock(PathBuf, io::Error),
    /// Another board has the folder and does not say where it is.
    #[error("the folder {0} is used by another board: end it, or start with --read-only")]
    InUse(PathBuf),
    /// The file of games.
    #[error("can't open the games in {file}: {error}")]
    Games {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        #[source]
        error: Box<dyn Error + Send + Sync>,
    },
    /// At the end not everything could be stored.
    #[error("the board ended, but not all used time is stored: {0}")]
    Unsaved(#[source] Box<dyn Error + Send + Sync>),
    /// The system gives no threads, or the connections broke.
    #[error("the server failed: {0}")]
    Failed(#[from] io::Error),
}

/// Serves until Ctrl-C or SIGTERM, unless another board has the folder already.
pub fn run(registry: Registry, settings: &Settings, ready: impl FnOnce(&Ready)) -> Result<Ended, ServeError> {
    let folder = &settings.data;
    let file = folder.join("games.sqlite");
    let (store, mut lock) = if settings.read_only {
        (Store::open_read_only(&file), None)
    } else {
        std::fs::create_dir_all(folder).map_err(|error| ServeError::Folder(folder.clone(), error))?;
        match FolderLock::acquire(folder).map_err(|error| ServeError::Lock(folder.clone(), error))? {
            Locked::Ours(lock) => (Store::open(&file), Some(lock)),
            Locked::Theirs(Some(address)) => return Ok(Ended::AlreadyRunning { address }),
            Locked::Theirs(None) => return Err(ServeError::InUse(folder.clone())),
        }
    };
    let store = store.map_err(|error| ServeError::Games { file: file.clone(), error: error.into() })?;
    let archive = Archive::new(settings.archive.clone());
    let workshop = Workshop::new(registry);
    let hub = Arc::new(Hub::new(store, settings.read_only, archive, workshop, settings.engine.clone()));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(&hub, settings, |address, local| {
        if let Some(lock) = &mut lock {
            lock.publish(&address).map_err(|error| ServeError::Lock(folder.clone(), error))?;
        }
        ready(&Ready { address, games: file, local, read_only: settings.read_only });
        Ok(())
    }));
    // Engines have been stopped; what is being stored is waited for.
    runtime.shutdown_timeout(PATIENCE);
    // Only now may another board have the folder.
    drop(lock);
    result.map(|()| Ended::Stopped)
}

async fn serve(
    hub: &Arc<Hub>,
    settings: &Settings,
    ready: impl FnOnce(String, bool) -> Result<(), ServeError>,
) -> Result<(), ServeError> {
    let listener = listen(settings).await?;
    let address = listener.local_addr()?;
    let local = settings.host.is_loopback();
    let guard = Guard { local, port: address.port(), names: settings.names.clone() };
    let router = http::router(Arc::clone(hub), guard);
    let end = told_to_end();
    ready(format!("http://{address}/"), local)?;
    let served = tokio::select! {
        ended = async { axum::serve(listener, router).await } => ended,
        () = end => Ok(()),
    };
    let shared = Arc::clone(hub);
    let stopped = hub.games.run_always(move || shared.stop()).await;
    let stopped = stopped.map_err(|error| ServeError::Unsaved(error.into()))?;
    stopped.map_err(|error| ServeError::Unsaved(error.into()))?;
    Ok(served?)
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
