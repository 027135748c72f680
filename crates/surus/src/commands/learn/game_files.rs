//! Arguments of the commands that turn files of games into a data file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use surus_record::packed::checksum;

use crate::input::{self, name_of};

#[derive(clap::Args)]
pub(super) struct GameFileArgs {
    /// Files of games: the official archive, games.txt of a run, or game records separated by blank lines
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<String>,
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    pub(super) min_rating: Option<u32>,
    /// Data file to create or continue
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Number of searches to run in parallel
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    pub(super) concurrency: usize,
    /// Engine: name[:key=value,…]
    #[arg(long, value_name = "NAME", default_value = "alphabeta:hash=16")]
    pub(super) engine: String,
    /// Print one JSON object at the end
    #[arg(long)]
    pub(super) json: bool,
}

impl GameFileArgs {
    /// As [`read_games`].
    pub(super) fn read(&self, on_text: impl FnMut(&str) -> Result<()>) -> Result<BTreeMap<String, String>> {
        read_games(&self.files, on_text)
    }
}

/// Calls `on_text` with the text of each file. Returns the settings that identify the files: IDs of games count through
/// all of them.
pub(super) fn read_games(
    files: &[String],
    mut on_text: impl FnMut(&str) -> Result<()>,
) -> Result<BTreeMap<String, String>> {
    let mut settings = BTreeMap::new();
    for (number, file) in (1..).zip(files) {
        let text = input::read(file)?;
        on_text(&text).with_context(|| name_of(file).to_string())?;
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let sum = checksum(text.as_bytes());
        settings.insert(format!("file {number}"), format!("{name}, checksum {sum:08x}"));
    }
    Ok(settings)
}
