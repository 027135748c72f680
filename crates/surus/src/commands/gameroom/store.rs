//! The log and the finished games of a bot.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use surus_archive::import::{ImportOptions, import};
use surus_archive::{ArchiveDb, DbLocation};
use surus_gameroom::bot::{FinishedGame, Level};
use surus_gameroom::runner::Report;
use surus_record::COLUMNS;
use surus_record::journal::LineJournal;

/// The files of a bot.
pub(super) struct BotFiles {
    directory: PathBuf,
    log: File,
    games: LineJournal,
    /// Lines at or above this level are also printed.
    print: Level,
    archive: Option<DbLocation>,
}

impl BotFiles {
    pub(super) fn open(directory: &Path, print: Level, archive: Option<DbLocation>) -> Result<Self> {
        let log_path = directory.join("bot.log");
        let log = OpenOptions::new().create(true).append(true).open(&log_path);
        let log = log.with_context(|| format!("can't write {}", log_path.display()))?;
        let header = [&COLUMNS[..], &["crc32"]].concat().join("\t");
        let games = LineJournal::open(&directory.join("games.txt"), &header, |_| Ok(()))?;
        Ok(Self { directory: directory.into(), log, games, print, archive })
    }

    fn keep(&mut self, game: &FinishedGame) -> Result<()> {
        let id = game.permanent_id.as_ref().and_then(|id| id.parse().ok()).unwrap_or(0);
        let ended = u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0);
        let row = game.game.row(id, ended).to_string();
        self.games.append(&row)?;
        self.games.sync()?;
        if let Some(location) = &self.archive {
            // Only the new game: the file also has those of earlier years.
            let file = tempfile::Builder::new().suffix(".txt").tempfile_in(&self.directory)?;
            writeln!(&file, "{}\n{row}", surus_record::header())?;
            let db = ArchiveDb::open_or_create(location)?;
            let stop = AtomicBool::new(false);
            import(&db, &[file.path().to_owned()], &ImportOptions::default(), &stop, &mut |_| ())?;
        }
        Ok(())
    }
}

impl Report for BotFiles {
    fn log(&mut self, level: Level, text: &str) {
        let word = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        let time = jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default();
        // A full disk must not end a game.
        if level > Level::Debug || self.print == Level::Debug {
            let _ = writeln!(self.log, "{time} {word}: {text}");
        }
        if level >= self.print {
            let _ = writeln!(io::stderr(), "{time} {word}: {text}");
        }
    }

    fn finished(&mut self, game: &FinishedGame) {
        match self.keep(game) {
            Ok(()) => {
                let result = game.result.map_or_else(|| "?".into(), |result| result.code());
                let id = game.permanent_id.as_deref().unwrap_or("?");
                let _ = writeln!(io::stdout(), "game {}: {result}, permanent id {id}", game.gid);
            }
            Err(error) => self.log(Level::Error, &format!("game {} was not stored: {error:#}", game.gid)),
        }
    }
}
