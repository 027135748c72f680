//! Validation of data files.

use std::path::{Path, PathBuf};

use serde::Serialize;
use surus_play::StopToken;
use surus_record::packed::{PackedFileError, PackedGame, PackedReader, Provenance};
use surus_rules::Score;

use super::DataError;
use super::validate::{validate_decision, validate_game};
use crate::comparison::PROVENANCE_KIND;

/// The result of a check.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DataCheckReport {
    /// Number of valid games.
    pub games: u64,
    /// Number of valid decisions, in files of comparisons.
    pub decisions: u64,
    /// Samples of valid games and decisions.
    pub positions: u64,
    /// Descriptions of the first problems.
    pub problems: Vec<String>,
    /// Number of problems.
    pub found: u64,
    /// Samples with an unproven lead of three rabbits or more.
    pub leads: u64,
    /// Those of them where the leader won.
    pub won: u64,
    /// Games with such samples.
    pub games_with_leads: u64,
}

/// Problems beyond this number are only counted.
const MAX_LISTED: usize = 20;
/// The score of a lead, in centirabbits.
const LEAD: i32 = 300;
/// In this many games or more, leads must win at least `MIN_WON_PERCENT`, or scores and results contradict each other. The
/// bound is low because a shallow search may overestimate its leads.
const MIN_GAMES_WITH_LEADS: u64 = 200;
const MIN_WON_PERCENT: u64 = 40;

/// Checks all games of files: checksums, boards, best turns, the order of turns, flags, and scores against results. Of
/// decisions, it checks the boards and that they can be compared with each other.
pub fn check(files: &[PathBuf], stop: &StopToken) -> Result<DataCheckReport, DataError> {
    let mut report = DataCheckReport::default();
    for file in files {
        report.check_file(file, stop)?;
    }
    report.check_leads();
    Ok(report)
}

impl DataCheckReport {
    fn check_file(&mut self, file: &Path, stop: &StopToken) -> Result<(), DataError> {
        let reader = match PackedReader::open(file) {
            Ok(reader) => reader,
            Err(error @ PackedFileError::Io { .. }) => return Err(error.into()),
            Err(error) => {
                self.add_problem(error.to_string());
                return Ok(());
            }
        };
        let origins = reader.header().origins.clone();
        for game in reader.into_games() {
            if stop.should_stop() {
                return Err(DataError::Stopped);
            }
            match game {
                Err(error @ PackedFileError::Io { .. }) => return Err(error.into()),
                Err(error) => self.add_problem(error.to_string()),
                Ok(game) => self.check_game(file, &game, &origins),
            }
        }
        Ok(())
    }

    fn check_game(&mut self, file: &Path, game: &PackedGame, origins: &[Provenance]) {
        let origin = origins.get(usize::from(game.origin));
        let is_decision = origin.is_some_and(|origin| origin.kind == PROVENANCE_KIND);
        let (name, validated) =
            if is_decision { ("decision", validate_decision(game)) } else { ("game", validate_game(game)) };
        if let Err(problem) = validated {
            return self.add_problem(format!("{}: {name} {}: {problem}", file.display(), game.id));
        }
        self.positions += game.samples.len() as u64;
        if is_decision {
            self.decisions += 1;
        } else {
            self.games += 1;
            self.count_leads(game);
        }
    }

    fn add_problem(&mut self, text: String) {
        self.found += 1;
        if self.problems.len() < MAX_LISTED {
            self.problems.push(text);
        }
    }

    fn count_leads(&mut self, game: &PackedGame) {
        let Some(winner) = game.result else { return };
        let before = self.leads;
        for sample in &game.samples {
            let Score::Centirabbits(score) = sample.score() else { continue };
            if score.saturating_abs() >= LEAD {
                self.leads += 1;
                self.won += u64::from((winner == sample.side()) == (score > 0));
            }
        }
        self.games_with_leads += u64::from(self.leads > before);
    }

    fn check_leads(&mut self) {
        if self.games_with_leads >= MIN_GAMES_WITH_LEADS && self.won * 100 < self.leads * MIN_WON_PERCENT {
            let percent = self.won * 100 / self.leads;
            self.add_problem(format!(
                "the side leading by three rabbits or more wins only {percent} %, expected at least {MIN_WON_PERCENT} %: \
                 scores or results are wrong, perhaps those of the other side"
            ));
        }
    }
}
