//! `surus ratings`

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_arena::{
    GameEntry, Manifest, RatingOptions, Results, is_games_file, rate, read_games_file, read_run,
};
use surus_record::ArchiveFile;
use surus_rules::{Side, Termination};

use crate::{CommandStatus, input, output};

/// Compute Elo ratings from the games of runs and archive files, or list runs
///
/// Fits one scale to all games, with 95 % confidence intervals. Each player gets two virtual draws against an average
/// opponent (--prior), so that a score of 0 % or 100 % has a finite rating. Revisions of an engine are rated separately, as
/// name@revision, unless --merge-revisions is given. A merged run and its shards may be given together: every game counts
/// once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus ratings runs/*
  surus ratings runs/spring games.txt --anchor greedy=1000
  surus ratings --list-runs runs/*")]
pub(crate) struct Args {
    /// Run directories, or files in the format of the official archive
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fix the rating of a player (repeatable)
    #[arg(long = "anchor", value_name = "NAME=ELO", allow_hyphen_values = true)]
    anchors: Vec<String>,
    /// Virtual draws per player
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    prior: f64,
    /// Mean rating of a scale without an anchor
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true)]
    mean: f64,
    /// Treat all revisions of an engine as one player
    #[arg(long)]
    merge_revisions: bool,
    /// List the runs with their engines, options, comments and results instead of rating them
    #[arg(long, visible_alias = "list")]
    list_runs: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct RunEntry {
    folder: String,
    #[serde(flatten)]
    manifest: Manifest,
    finished: usize,
    /// Points and games by engine.
    results: BTreeMap<String, (f64, u64)>,
}

/// Points and games of each player.
fn points(entries: &[GameEntry]) -> BTreeMap<String, (f64, u64)> {
    let mut results: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for entry in entries {
        for (player, side) in entry.players.iter().zip(Side::BOTH) {
            let result = results.entry(player.clone()).or_default();
            result.0 += entry.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
            result.1 += 1;
        }
    }
    results
}

#[derive(Serialize)]
struct RunList {
    runs: Vec<RunEntry>,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    if args.list_runs {
        return list(args);
    }
    let mut results = Results::default();
    let mut seen = HashSet::new();
    for file in &args.files {
        add(&mut results, &mut seen, file)?;
    }
    let mut options = RatingOptions { prior: args.prior, mean: args.mean, ..RatingOptions::default() };
    for anchor in &args.anchors {
        // A name may contain an equals sign, as in greedy:seed=3; a rating does not.
        let pair = anchor.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.trim().parse().ok()?)));
        let (name, elo) = pair.with_context(|| format!("--anchor {anchor}: expected NAME=ELO"))?;
        options.anchors.insert(name.trim().into(), elo);
    }
    let mut ratings = rate(&results.table(args.merge_revisions), &options)?;
    results.identify(&mut ratings, args.merge_revisions);
    if args.json {
        output::json(&ratings)?;
    } else {
        writeln!(io::stdout(), "{ratings}")?;
    }
    Ok(CommandStatus::Success)
}

/// Adds the games of a run or of an archive file, each once: a row of a run that was seen before, such as a game of a
/// merged run that is also in one of its shards, is skipped.
fn add(results: &mut Results, seen: &mut HashSet<String>, path: &Path) -> Result<()> {
    let file = if path.is_dir() { path.join("games.txt") } else { path.to_path_buf() };
    let text = input::read(&file.to_string_lossy())?;
    if is_games_file(&text) {
        let mut duplicates = HashSet::new();
        for row in text.lines().skip(1) {
            if !seen.insert(row.into()) {
                duplicates.extend(row.split('\t').next().and_then(|id| id.parse::<u64>().ok()));
            }
        }
        let entries = read_games_file(&file)?;
        entries.iter().filter(|entry| !duplicates.contains(&entry.id)).for_each(|entry| results.add(entry));
        return Ok(());
    }
    let name = path.display().to_string();
    let archive = ArchiveFile::parse(&text).with_context(|| name.clone())?;
    let mut seen = HashSet::new();
    for row in archive.rows.iter().filter(|row| seen.insert(row.id().to_string())) {
        let [gold, silver] = [row.get("gusername"), row.get("susername")];
        if gold.is_empty() || silver.is_empty() {
            bail!("{name}: line {}: expected the names of both players", row.line);
        }
        results.add(&GameEntry {
            id: 0,
            players: [gold.into(), silver.into()],
            engines: [row.get("gengine").into(), row.get("sengine").into()],
            winner: row.winner(),
            // An unknown code does not affect the result.
            termination: row.termination().unwrap_or(Termination::Score),
            turns: 0,
        });
    }
    Ok(())
}

fn list(args: &Args) -> Result<CommandStatus> {
    let mut runs = Vec::new();
    for dir in &args.files {
        let (manifest, entries) = read_run(dir)?;
        let (folder, results) = (dir.display().to_string(), points(&entries));
        runs.push(RunEntry { folder, manifest, finished: entries.len(), results });
    }
    if args.json {
        output::json(&RunList { runs })?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout().lock();
    for RunEntry { folder, manifest, finished, results } in &runs {
        writeln!(out, "{folder}: {}, {finished} games, openings {}", manifest.format, manifest.openings)?;
        if !manifest.comment.is_empty() {
            writeln!(out, "    {}", manifest.comment)?;
        }
        for engine in &manifest.engine {
            let options: Vec<String> =
                engine.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
            let (points, games) = results.get(&engine.name).copied().unwrap_or_default();
            let (name, id, pace) = (&engine.name, &engine.id, &engine.pace);
            writeln!(out, "    {name} ({id}), {pace}, {points} of {games} points, {}", options.join(" "))?;
        }
    }
    Ok(CommandStatus::Success)
}
