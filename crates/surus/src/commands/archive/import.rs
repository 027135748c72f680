//! `surus archive import`

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use surus_archive::import::{ImportOptions, ImportProgress, ImportSummary, import, write_report};
use surus_archive::{ArchiveDb, KnownWinsSummary, import_wins};

use super::StoreArg;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Put the games of files into the database
///
/// Files are the official archive (allgamesYYYY.txt, with 28 or 29 columns), games.txt of our own matches, or game records
/// with blank lines between them; plain, gz or zip. Games that are there are passed over, so the same command again
/// completes an import that was cut off; without files it only makes what is missing of the indexes. A game that is not
/// legal by the rules of its time is set aside. Exits with 2 if a file held no games at
/// all, or broke off.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive import allgames2013.txt
  surus archive import allgames*.zip --report aside.tsv --json
  surus archive import runs/first/games.txt --store matches.db")]
pub(super) struct Args {
    /// Files of games
    files: Vec<PathBuf>,
    #[command(flatten)]
    store: StoreArg,
    /// List the games that were set aside in this file, with file, line and reason
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The files are lists of wins in two turns: gameNumber:turnNumber and the winning turn
    #[arg(long, conflicts_with_all = ["report", "threads"])]
    wins: bool,
    /// Threads that play games through; by default as many as there are processors
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let place = args.store.place()?;
    let store = ArchiveDb::open_or_create(&place)?;
    if args.wins {
        return import_lists(args, &store);
    }
    let stop = shutdown.flag();
    let mut options = ImportOptions::default();
    options.threads = args.threads.unwrap_or(options.threads);
    let bar = bar(args.json);
    let done = import(&store, &args.files, &options, &stop, &mut |progress| match progress {
        ImportProgress::Games { read, of, games_added: games, positions } => {
            bar.set_length(of);
            bar.set_position(read);
            let rate = positions as f64 / bar.elapsed().as_secs_f64().max(0.001);
            bar.set_message(format!("{games} games, {positions} positions, {rate:.0}/s"));
        }
        ImportProgress::BuildingIndex(what) => bar.set_message(format!("indexing: {what}")),
    })?;
    bar.finish_and_clear();
    if let Some(file) = &args.report {
        let write = || {
            let mut out = BufWriter::new(File::create(file)?);
            write_report(&mut out, &done.rejects)?;
            out.flush()
        };
        write().with_context(|| format!("can't write {}", file.display()))?;
    }
    for sentence in &done.skipped_files {
        eprintln!("surus: {sentence}");
    }
    if args.json {
        output::json(&done)?;
    } else {
        tell(args, &place.to_string(), &done)?;
    }
    if !done.skipped_files.is_empty() {
        anyhow::bail!("{} of {} files could not be imported", done.skipped_files.len(), args.files.len());
    }
    Ok(shutdown.outcome(done.completed))
}

fn bar(quiet: bool) -> ProgressBar {
    let visible = io::stderr().is_terminal() && !quiet;
    let bar = if visible { ProgressBar::new(0) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes}, {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn tell(args: &Args, place: &str, done: &ImportSummary) -> Result<()> {
    let mut out = io::stdout().lock();
    let ImportSummary {
        read, games_added: games, positions, duplicates: known, seconds, index_seconds, ..
    } = done;
    writeln!(
        out,
        "{place}: {read} games read, {games} added with {positions} positions, {known} were there"
    )?;
    writeln!(out, "{seconds:.1} s for the games, {index_seconds:.1} s for the indexes")?;
    if !done.rejected.is_empty() {
        let reasons: Vec<String> =
            done.rejected.iter().map(|(why, count)| format!("{why} {count}")).collect();
        writeln!(out, "set aside: {}", reasons.join(", "))?;
        for one in done.rejects.iter().take(if args.report.is_some() { 0 } else { 10 }) {
            writeln!(out, "  {}:{}: game {}: {}: {}", one.file, one.line, one.id, one.reason, one.detail)?;
        }
        if args.report.is_none() && 10 < done.rejects.len() {
            writeln!(out, "  … and {} more: --report FILE lists them all", done.rejects.len() - 10)?;
        }
    }
    if !done.completed {
        writeln!(out, "Not finished: the same command goes on.")?;
    }
    Ok(())
}

/// Lists of wins, whose boards come out of the games that are there.
fn import_lists(args: &Args, store: &ArchiveDb) -> Result<CommandStatus> {
    let mut out = io::stdout().lock();
    let mut sound = true;
    for file in &args.files {
        let name = file.display().to_string();
        let done = import_wins(store, &crate::input::read(&name)?)?;
        sound &= done.rejected.is_empty();
        if args.json {
            serde_json::to_writer(&mut out, &done).map_err(io::Error::from)?;
            writeln!(out)?;
            continue;
        }
        let KnownWinsSummary { read, added, duplicates: known, rejected: aside } = done;
        writeln!(out, "{name}: {read} lines, {added} added, {known} were there, {} set aside", aside.len())?;
        for sentence in aside.iter().take(10) {
            writeln!(out, "  {name}: {sentence}")?;
        }
    }
    Ok(if sound { CommandStatus::Success } else { CommandStatus::Failure })
}
