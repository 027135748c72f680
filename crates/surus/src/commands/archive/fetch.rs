//! `surus archive fetch`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use surus_gameroom::archive_files::{Fetched, Fetcher, GAME_DATA, Period, PeriodError, fetch};
use surus_gameroom::bot::HttpError;
use surus_gameroom::client::{Client, Download};
use surus_play::StopToken;

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Download the games that the site publishes
///
/// Files that have not changed are not downloaded again. One request at a time, with a pause between them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive fetch 2002-2012 --dir games
  surus archive fetch 2025 202601 202602 --dir games
  surus archive import games/allgames*.zip")]
pub(super) struct Args {
    /// Years (2013), months (202602) or ranges of years (2010-2013)
    #[arg(required = true, value_parser = periods)]
    periods: Vec<Periods>,
    /// Directory for the files
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Seconds between two files
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pause: u64,
    /// Directory of the site with the files
    #[arg(long, value_name = "URL", default_value = GAME_DATA)]
    url: String,
}

/// One argument.
#[derive(Clone)]
struct Periods(Vec<Period>);

fn periods(text: &str) -> Result<Periods, PeriodError> {
    Period::parse(text).map(Periods)
}

/// The network, until a signal arrives.
struct Site {
    client: Client,
    stop: StopToken,
}

impl Fetcher for Site {
    fn get(&mut self, url: &str, unless_changed_since: Option<&str>) -> Result<Download, HttpError> {
        self.client.download(url, unless_changed_since)
    }

    fn pause(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while !self.stop.stop_requested() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(50));
        }
        !self.stop.stop_requested()
    }
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    std::fs::create_dir_all(&args.dir).with_context(|| format!("can't create {}", args.dir.display()))?;
    let mut site = Site { client: Client::new(&args.url), stop: shutdown.stop() };
    let mut missing = 0;
    let pause = Duration::from_secs(args.pause);
    for (index, period) in args.periods.iter().flat_map(|periods| &periods.0).enumerate() {
        if index > 0 && !site.pause(pause) {
            break;
        }
        match fetch(&mut site, &args.url, *period, &args.dir, pause)? {
            Fetched::New(path) => println!("{}: downloaded", path.display()),
            Fetched::Unchanged(path) => println!("{}: unchanged", path.display()),
            Fetched::Missing => {
                println!("{period}: the site has no file");
                missing += 1;
            }
        }
    }
    Ok(shutdown.outcome(missing == 0 && !shutdown.requested()))
}
