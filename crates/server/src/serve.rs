//! Starting and shutting down the server.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use surus_archive::DbLocation;
use surus_play::Registry;
use tokio::net::TcpListener;

use crate::access::Tokens;
use crate::analysis::AnalysisService;
use crate::app_state::AppState;
use crate::archive::ArchiveService;
use crate::engine_pool::EnginePool;
use crate::guard::OriginGuard;
use crate::lock::{DataDirLock, LockResult};
use crate::store::GameStore;
use crate::{connections, http};

/// The first port to try unless another is configured.
const DEFAULT_PORT: u16 = 8641;

/// How many ports above the default are tried.
const EXTRA_PORTS: u16 = 20;

/// How long shutdown waits for engines and for games that are being stored.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The configuration of the server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port. `None` for the default port or the next free one, 0 for any free port.
    pub port: Option<u16>,
    /// Additional host names to accept.
    pub allowed_hosts: Vec<String>,
    /// The directory of the stored games.
    pub data_dir: PathBuf,
    /// The archive of games, which need not exist.
    pub archive: Option<DbLocation>,
    /// The default opponent.
    pub default_engine: String,
    /// The engine that analyses: a name, or `cmd=` and the command line of an AEI engine.
    pub analysis_engine: String,
    /// Whether games can only be viewed. Then another board may own the directory.
    pub read_only: bool,
}

/// A server that accepts connections.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The URL of the page, with the token of the owner if the board is open to other machines.
    pub address: String,
    /// The URL for others, if the board is open to other machines.
    pub guest_address: Option<String>,
    /// The file of stored games.
    pub games: PathBuf,
    /// Whether games can only be viewed.
    pub read_only: bool,
}

/// How serving ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServeOutcome {
    /// The server was shut down; all games are stored.
    Stopped,
    /// The server did not start, because another board owns the data directory.
    AlreadyRunning {
        /// The URL of the other board.
        address: String,
    },
}

/// Why the server failed.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is in use, or the address does not belong to this machine.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The data directory cannot be created.
    #[error("cannot create the directory {0}: {1}")]
    CreateDataDir(PathBuf, io::Error),
    /// The lock file of the data directory cannot be used.
    #[error("cannot lock the directory {0}: {1}")]
    Lock(PathBuf, io::Error),
    /// Another board owns the directory and published no address.
    #[error("the directory {0} is used by another board: stop it, or start with --read-only")]
    Locked(PathBuf),
    /// The file of stored games cannot be opened.
    #[error("cannot open the games in {file}: {error}")]
    OpenDatabase {
        /// The file.
        file: PathBuf,
        /// The cause.
        #[source]
        error: Box<dyn Error + Send + Sync>,
    },
    /// Not everything could be stored during shutdown.
    #[error("the board was stopped, but the elapsed time could not be stored: {0}")]
    Unsaved(#[source] Box<dyn Error + Send + Sync>),
    /// Threads cannot be started, or the listener failed.
    #[error("server error: {0}")]
    Io(#[from] io::Error),
}

/// Serves until Ctrl-C or SIGTERM, unless another board already owns the data directory.
pub fn run(
    registry: Registry,
    config: &ServerConfig,
    on_listening: impl FnOnce(&Listening),
) -> Result<ServeOutcome, ServeError> {
    let dir = &config.data_dir;
    let file = dir.join("games.sqlite");
    let (store, mut lock) = if config.read_only {
        (GameStore::open_read_only(&file), None)
    } else {
        std::fs::create_dir_all(dir).map_err(|error| ServeError::CreateDataDir(dir.clone(), error))?;
        match DataDirLock::acquire(dir).map_err(|error| ServeError::Lock(dir.clone(), error))? {
            LockResult::Acquired(lock) => (GameStore::open(&file), Some(lock)),
            LockResult::HeldBy(Some(address)) => return Ok(ServeOutcome::AlreadyRunning { address }),
            LockResult::HeldBy(None) => return Err(ServeError::Locked(dir.clone())),
        }
    };
    let store =
        store.map_err(|error| ServeError::OpenDatabase { file: file.clone(), error: error.into() })?;
    let archive = ArchiveService::new(config.archive.clone());
    let engines = EnginePool::new(registry.clone(), config.host.is_loopback());
    let analysis = AnalysisService::new(registry, &config.analysis_engine, engines.max_concurrent);
    let default_engine = config.default_engine.clone();
    let app = AppState::new(store, config.read_only, archive, engines, analysis, default_engine);
    let app = Arc::new(app);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(&app, config, |address, tokens| {
        let with_token = |token: &str| format!("{address}?token={token}");
        let own_address = tokens.map_or_else(|| address.clone(), |tokens| with_token(&tokens.owner));
        if let Some(lock) = &mut lock {
            lock.publish(&own_address).map_err(|error| ServeError::Lock(dir.clone(), error))?;
        }
        on_listening(&Listening {
            address: own_address,
            guest_address: tokens.map(|tokens| with_token(&tokens.guest)),
            games: file,
            read_only: config.read_only,
        });
        Ok(())
    }));
    // Engines have been stopped; wait for games that are being stored.
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    // Only now may another board own the directory.
    drop(lock);
    result.map(|()| ServeOutcome::Stopped)
}

async fn serve(
    app: &Arc<AppState>,
    config: &ServerConfig,
    on_listening: impl FnOnce(String, Option<&Tokens>) -> Result<(), ServeError>,
) -> Result<(), ServeError> {
    let listener = listen(config).await?;
    let address = listener.local_addr()?;
    let local = config.host.is_loopback();
    let tokens = (!local).then(|| Tokens::new(address.port()));
    let guard = OriginGuard {
        local,
        port: address.port(),
        allowed_hosts: config.allowed_hosts.clone(),
        tokens: tokens.clone(),
        refused: Arc::clone(&app.refused),
    };
    let router = http::router(Arc::clone(app), guard);
    let shutdown = shutdown_signal();
    let analysis = Arc::clone(&app.analysis);
    tokio::task::spawn_blocking(move || analysis.warm_up());
    on_listening(format!("http://{address}/"), tokens.as_ref())?;
    let served = tokio::select! {
        result = connections::serve(listener, router) => result,
        () = shutdown => Ok(()),
    };
    let shared = Arc::clone(app);
    let stopped = app.game_pool.run_always(move || shared.stop()).await;
    let stopped = stopped.map_err(|error| ServeError::Unsaved(error.into()))?;
    stopped.map_err(|error| ServeError::Unsaved(error.into()))?;
    Ok(served?)
}

async fn listen(config: &ServerConfig) -> Result<TcpListener, ServeError> {
    let address_at = |port| SocketAddr::new(config.host, port);
    let extra_ports = if config.port.is_some() { 0 } else { EXTRA_PORTS };
    let first = config.port.unwrap_or(DEFAULT_PORT);
    for extra in 0..=extra_ports {
        let address = address_at(first + extra);
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) if extra == extra_ports || error.kind() != io::ErrorKind::AddrInUse => {
                return Err(ServeError::Listen(address, error));
            }
            Err(_) => {}
        }
    }
    Err(ServeError::Listen(address_at(first), io::ErrorKind::AddrInUse.into()))
}

/// Completes on Ctrl-C or SIGTERM. The handlers are installed by the call, not by the first poll, so that a signal
/// right after the greeting is not lost.
#[cfg(unix)]
fn shutdown_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// Never completes if the handler could not be installed.
    async fn received(signal: io::Result<Signal>) {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    }

    let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async {
        tokio::select! {
            () = received(interrupt) => {}
            () = received(terminate) => {}
        }
    }
}

#[cfg(not(unix))]
async fn shutdown_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
