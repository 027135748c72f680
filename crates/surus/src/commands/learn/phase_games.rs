//! Games for game phase, from files of every kind.

use std::borrow::Cow;
use std::path::PathBuf;

use anyhow::{Context, Result};
use surus_learn::data::InputFiles;
use surus_learn::import::{GameFilter, ImportedGame, SkippedGames, candidates};
use surus_learn::phase::PhaseHistogram;

use super::data::expand;
use crate::input;
use crate::shutdown::Shutdown;

#[derive(clap::Args)]
pub(crate) struct PhaseGameArgs {
    /// Files of games: the official archive, games.txt of a run, game records, .packed files or directories of them
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    pub(crate) min_rating: Option<u32>,
    /// Also use games without ratings, which --min-rating skips
    #[arg(long)]
    pub(crate) keep_unrated: bool,
}

/// The games of some files.
#[derive(Default)]
pub(crate) struct PhaseGames {
    /// Games of text files.
    pub(crate) games: Vec<ImportedGame>,
    /// The boards of games of self-play.
    pub(crate) self_play: PhaseHistogram,
    pub(crate) skipped: SkippedGames,
}

impl PhaseGameArgs {
    /// Reads the files.
    pub(crate) fn read(&self, shutdown: &Shutdown) -> Result<PhaseGames> {
        let filter = GameFilter {
            min_rating: self.min_rating,
            keep_unrated: self.keep_unrated,
            ..GameFilter::default()
        };
        let mut found = PhaseGames::default();
        let is_packed = |file: &PathBuf| file.is_dir() || file.extension().is_some_and(|end| end == "packed");
        let (packed, texts): (Vec<PathBuf>, Vec<PathBuf>) = self.files.iter().cloned().partition(is_packed);
        for file in &texts {
            let name = file.display().to_string();
            let read = candidates(&input::read(&name)?, &filter, &mut found.skipped);
            found.games.extend(read.with_context(|| name.clone())?.into_iter().flatten());
        }
        if !packed.is_empty() {
            let inputs = InputFiles::open(&expand(&packed)?, shutdown.stop(), false)?;
            inputs.for_each_game(|_, _, game| {
                found.self_play.add_packed(&game);
                Ok(())
            })?;
        }
        Ok(found)
    }

    fn file_names(&self) -> Vec<Cow<'_, str>> {
        self.files.iter().map(|file| file.file_name().unwrap_or_default().to_string_lossy()).collect()
    }

    /// The arguments that select these games, with the names of the files but not their directories.
    pub(crate) fn command_line(&self) -> String {
        let mut text = self.file_names().join(" ");
        if let Some(rating) = self.min_rating {
            text += &format!(" --min-rating {rating}");
        }
        if self.keep_unrated {
            text += " --keep-unrated";
        }
        text
    }

    /// The names of the files and the filter, as a model says what it was fitted to.
    pub(crate) fn source(&self) -> String {
        let mut text = self.file_names().join(", ");
        if let Some(rating) = self.min_rating {
            let kept = if self.keep_unrated { " or unrated" } else { "" };
            text += &format!("; players rated {rating} or more{kept}");
        }
        text
    }
}

impl PhaseGames {
    /// The boards of all games.
    pub(crate) fn histogram(&self) -> PhaseHistogram {
        let mut histogram = self.self_play.clone();
        self.games.iter().for_each(|game| histogram.add_game(game.game()));
        histogram
    }
}
