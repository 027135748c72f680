//! `surus gameroom bot`

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use surus_archive::DbLocation;
use surus_arena::EngineSpec;
use surus_gameroom::bot::{Bot, BotJournal, BotSettings, Level, OpenGames};
use surus_gameroom::client::Client;
use surus_gameroom::config::{Config, EXAMPLE};
use surus_gameroom::runner::{self, EngineFactory};
use surus_play::EngineError;
use surus_record::journal::JournalError;

use super::account::AccountArgs;
use super::store::BotFiles;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Run a bot: continue its games, open new ones, play them
///
/// Username and password come from the configuration file, which others must not be able to read, from the environment
/// (SURUS_GAMEROOM_USERNAME, SURUS_GAMEROOM_PASSWORD), or from a prompt. A bot never joins the open game of a person by itself, only games
/// given with --join. After a crash, running it again continues its games. Ctrl-C leaves the tables and cancels games without
/// an opponent; the clocks of running games go on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus gameroom bot --print-config > bot.toml; chmod 600 bot.toml
  surus gameroom bot --config bot.toml
  surus gameroom bot --config bot.toml --engine alphabeta:level=5 --games 1
  surus gameroom bot --config gameroom.cfg --join 1234

docs/gameroom.md explains how to run a bot.")]
pub(super) struct Args {
    #[command(flatten)]
    account: AccountArgs,
    /// Print a commented configuration file and exit
    #[arg(long)]
    print_config: bool,
    /// Engine: name[:key=value,…] or cmd=PROGRAM; `surus engine` lists all
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Join this open game or continue it, instead of opening games; repeatable
    #[arg(long, value_name = "GID", value_parser = super::lists::gid)]
    join: Vec<String>,
    /// Number of games to open; 0 only continues games
    #[arg(long, value_name = "N", conflicts_with = "join")]
    games: Option<u32>,
    /// Directory for journal, log and finished games
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Data directory of the board, which shows finished games [default: the user data directory]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Archive for finished games, instead of the one in the user data directory
    #[arg(long, value_name = "PATH|URL")]
    db: Option<String>,
    /// Print and log every request, without its contents
    #[arg(long)]
    debug: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    if args.print_config {
        print!("{EXAMPLE}");
        return Ok(CommandStatus::Success);
    }
    let account = args.account.account()?;
    let mut settings = account.config.settings(&account.path)?;
    settings.username.clone_from(&account.username);
    settings.password = account.password.clone();
    settings.seed = u64::from(std::process::id());
    args.change(&mut settings);
    let make_engine = engine(&account.config, args.engine.as_deref(), settings.max_searches)?;
    let directory = account.directory(args.dir.as_deref())?;
    std::fs::create_dir_all(&directory).with_context(|| format!("can't create {}", directory.display()))?;
    let journal = match BotJournal::open(&directory.join("journal.txt")) {
        Err(JournalError::Locked(_)) => bail!("another bot uses {}: use --dir DIR", directory.display()),
        other => other?,
    };
    let print = if args.debug { Level::Debug } else { Level::Info };
    let archive = match (&args.db, account.config.archive) {
        (Some(text), _) => Some(DbLocation::parse(text)),
        (None, Some(true)) => DbLocation::default_location(),
        _ => None,
    };
    let board = account.config.board.unwrap_or(true).then(|| {
        args.data_dir.clone().or_else(|| account.config.data_dir.clone()).or_else(surus_archive::data_dir)
    });
    let mut files = BotFiles::open(&directory, print, board.flatten(), archive)?;
    let client = Client::new(&settings.url);
    let mut bot = Bot::new(settings, journal);
    runner::run(&mut bot, &client, &make_engine, &mut files, &shutdown.stop());
    if let Some(reason) = bot.fatal() {
        bail!("{reason}");
    }
    Ok(shutdown.outcome(!shutdown.requested()))
}

impl Args {
    fn change(&self, settings: &mut BotSettings) {
        settings.join.clone_from(&self.join);
        if !self.join.is_empty() {
            (settings.open, settings.resume) = (None, false);
            settings.max_games = settings.max_games.max(self.join.len());
        }
        match self.games {
            None => {}
            Some(0) => settings.open = None,
            Some(count) => {
                let default = || OpenGames {
                    side: None,
                    time_control: "1m/2m/100/5m/4h".into(),
                    rated: false,
                    count: None,
                };
                settings.open.get_or_insert_with(default).count = Some(count);
            }
        }
    }
}

/// Creates engines with their options, and checks once that it is possible.
fn engine(config: &Config, name: Option<&str>, searches: usize) -> Result<EngineFactory> {
    let mut spec = EngineSpec::parse(name.or(config.engine.as_deref()).unwrap_or(engines::DEFAULT));
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), Into::into);
    // Options of the file belong to the engine of the file.
    if name.is_none() {
        spec.options = config.options.iter().map(|(key, value)| (key.clone(), text(value))).collect();
    }
    let threads = config.threads.map(|threads| (threads / searches.max(1)).max(1).to_string());
    let registry = engines::registry();
    let make = move || -> Result<Box<dyn surus_play::Engine>, EngineError> {
        let mut engine = spec.instantiate(&registry)?;
        if let Some(threads) = threads.as_ref().filter(|_| engine.options().contains("threads")) {
            engine.set_option("threads", threads).map_err(|error| EngineError::Failed(error.to_string()))?;
        }
        Ok(engine)
    };
    drop(make()?);
    Ok(Arc::new(make))
}
