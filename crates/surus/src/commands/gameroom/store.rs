//! The log and the finished games of a bot.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use surus_archive::import::{ImportOptions, import};
use surus_archive::{ArchiveDb, DbLocation};
use surus_gameroom::bot::{FinishedGame, Level};
use surus_gameroom::protocol::replay_moves;
use surus_gameroom::runner::Report;
use surus_record::journal::LineJournal;
use surus_record::{ArchiveHeader, COLUMNS, GameRow};
use surus_rules::{GameResult, Termination};

/// The files of a bot.
pub(super) struct BotFiles {
    directory: PathBuf,
    log: File,
    games: LineJournal,
    /// Id and site of the games in the file.
    stored: BTreeSet<(String, String)>,
    /// Lines at or above this level are also printed.
    print: Level,
    /// The data directory of the board.
    board: Option<PathBuf>,
    archive: Option<DbLocation>,
}

impl BotFiles {
    pub(super) fn open(
        directory: &Path,
        print: Level,
        board: Option<PathBuf>,
        archive: Option<DbLocation>,
    ) -> Result<Self> {
        let log_path = directory.join("bot.log");
        let log = OpenOptions::new().create(true).append(true).open(&log_path);
        let log = log.with_context(|| format!("can't write {}", log_path.display()))?;
        let header = [&COLUMNS[..], &["crc32"]].concat().join("\t");
        let columns = ArchiveHeader::parse(&surus_record::header())?;
        let mut stored = BTreeSet::new();
        let games = LineJournal::open(&directory.join("games.txt"), &header, |text| {
            let row = columns.parse_row(text, 0).map_err(|error| error.to_string())?;
            stored.insert((row.id().to_owned(), row.get("site").to_owned()));
            Ok(())
        })?;
        Ok(Self { directory: directory.into(), log, games, stored, print, board, archive })
    }

    /// A bot that was killed before its journal had the end of a game fetches that game again.
    fn keep(&mut self, game: &FinishedGame) -> Result<()> {
        let ended = jiff::Timestamp::now();
        let seconds = u64::try_from(ended.as_second()).unwrap_or(0);
        let row = game.game.row(game.permanent_id.as_deref(), &game.gid, seconds);
        if self.stored.insert((row.id.to_string(), row.site.clone())) {
            self.games.append(&row.to_string())?;
            self.games.sync()?;
        }
        if let Some(location) = &self.archive {
            // Only the new game: the file also has those of earlier years.
            let file = tempfile::Builder::new().suffix(".txt").tempfile_in(&self.directory)?;
            writeln!(&file, "{}\n{row}", surus_record::header())?;
            let db = ArchiveDb::open_or_create(location)?;
            let stop = AtomicBool::new(false);
            import(&db, &[file.path().to_owned()], &ImportOptions::default(), &stop, &mut |_| ())?;
        }
        // Not every game can be shown, and the file has it.
        if let Err(error) = self.show_on_board(game, &row, ended.as_millisecond()) {
            self.log(Level::Warning, &format!("game {}: {error:#}", game.gid));
        }
        Ok(())
    }

    fn show_on_board(&self, game: &FinishedGame, row: &GameRow, ended_at: i64) -> Result<()> {
        let Some(directory) = &self.board else { return Ok(()) };
        let (replayed, _) = replay_moves(&game.game.moves)?;
        if replayed.entries().is_empty() {
            return Ok(());
        }
        let id = match &game.permanent_id {
            Some(id) => format!("gameroom-{id}"),
            None => format!("gameroom-running-{}", game.gid),
        };
        let result =
            game.result.map_or(GameResult { winner: None, reason: Termination::Abandoned }, |result| {
                GameResult {
                    winner: result.winner,
                    reason: result.termination().unwrap_or(Termination::Abandoned),
                }
            });
        let players = row.players.clone().map(|player| player.name);
        surus_server::FinishedGame { id, players, game: replayed, result, ended_at }.store(directory)?;
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

    fn finished(&mut self, game: &FinishedGame) -> bool {
        match self.keep(game) {
            Ok(()) => {
                let result = game.result.map_or_else(|| "?".into(), |result| result.code());
                let id = game.permanent_id.as_deref().unwrap_or("?");
                let _ = writeln!(io::stdout(), "game {}: {result}, permanent id {id}", game.gid);
                true
            }
            Err(error) => {
                self.log(Level::Error, &format!("game {} was not stored: {error:#}", game.gid));
                false
            }
        }
    }
}
