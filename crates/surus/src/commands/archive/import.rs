//! `surus archive import`

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use surus_archive::import::{
    ImportOptions, ImportProgress, ImportSummary, RejectedGame, import, write_report,
};
use surus_archive::{ArchiveDb, KnownWinsSummary, import_wins};

use super::DbArg;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Import games into the database
///
/// Reads the official archive (allgamesYYYY.txt, 28 or 29 columns), games.txt of a run, or game records separated by blank
/// lines; plain, gz or zip. Duplicates are skipped, so repeating the command completes an interrupted import. Without files
/// it creates missing indexes and migrates an older database. Games that are illegal under the rules of their time are
/// rejected. Exits with 2 if a file contains no games or is truncated.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive import allgames2013.txt
  surus archive import allgames*.zip --rejects rejects.tsv --json
  surus archive import runs/first/games.txt --db matches.db
  surus archive import --known-wins wins.txt")]
pub(super) struct Args {
    /// Files of games, or with --known-wins lists of known wins
    files: Vec<PathBuf>,
    #[command(flatten)]
    db: DbArg,
    /// Write the rejected games or lines to this file, with file, line and reason
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Import lists of forced wins in two turns: gameNumber:turnNumber and the winning turn
    #[arg(long, conflicts_with = "threads")]
    known_wins: bool,
    /// Number of threads that replay games [default: number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let location = args.db.location()?;
    let store = ArchiveDb::open_or_create(&location)?;
    if args.known_wins {
        return import_known_wins(args, &store);
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
    if let Some(file) = &args.rejects {
        write_rejects(file, &done.rejects)?;
    }
    for sentence in &done.skipped_files {
        eprintln!("surus: {sentence}");
    }
    if args.json {
        output::json(&done)?;
    } else {
        print_summary(args, &location.to_string(), &done)?;
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

fn print_summary(args: &Args, location: &str, done: &ImportSummary) -> Result<()> {
    let mut out = io::stdout().lock();
    let ImportSummary {
        games_read: read,
        games_added: games,
        positions,
        duplicates,
        seconds,
        index_seconds,
        ..
    } = done;
    writeln!(
        out,
        "{location}: {read} games read, {games} added with {positions} positions, {duplicates} already present"
    )?;
    writeln!(out, "{seconds:.1} s to import the games, {index_seconds:.1} s to build the indexes")?;
    print_rejects(&mut out, args, &done.rejected, &done.rejects)?;
    if !done.completed {
        writeln!(out, "Interrupted: repeat the command to continue.")?;
    }
    Ok(())
}

fn print_rejects(
    out: &mut impl Write,
    args: &Args,
    counts: &BTreeMap<String, u64>,
    rejects: &[RejectedGame],
) -> io::Result<()> {
    if rejects.is_empty() {
        return Ok(());
    }
    let reasons: Vec<String> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    writeln!(out, "rejected: {}", reasons.join(", "))?;
    let shown = if args.rejects.is_some() { 0 } else { 10 };
    for RejectedGame { file, line, id, reason, detail } in rejects.iter().take(shown) {
        let game = if id.is_empty() { String::new() } else { format!("game {id}: ") };
        writeln!(out, "  {file}:{line}: {game}{reason}: {detail}")?;
    }
    if shown > 0 && rejects.len() > shown {
        writeln!(out, "  … and {} more: --rejects FILE lists them all", rejects.len() - shown)?;
    }
    Ok(())
}

fn write_rejects(file: &Path, rejects: &[RejectedGame]) -> Result<()> {
    let write = || {
        let mut out = BufWriter::new(File::create(file)?);
        write_report(&mut out, rejects)?;
        out.flush()
    };
    write().with_context(|| format!("can't write {}", file.display()))
}

/// Imports lists of known wins; their positions are taken from games in the database.
fn import_known_wins(args: &Args, store: &ArchiveDb) -> Result<CommandStatus> {
    let mut out = io::stdout().lock();
    let mut rejects = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let done = import_wins(store, &name, &crate::input::read(&name)?)?;
        rejects.extend_from_slice(&done.rejects);
        if args.json {
            serde_json::to_writer(&mut out, &done).map_err(io::Error::from)?;
            writeln!(out)?;
            continue;
        }
        let KnownWinsSummary { read, added, duplicates, .. } = done;
        writeln!(out, "{name}: {read} lines read, {added} added, {duplicates} already present")?;
        print_rejects(&mut out, args, &done.rejected, &done.rejects)?;
    }
    if let Some(file) = &args.rejects {
        write_rejects(file, &rejects)?;
    }
    Ok(if rejects.is_empty() { CommandStatus::Success } else { CommandStatus::Failure })
}
