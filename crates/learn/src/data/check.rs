//! Whether files of packed records are sound, and whether what they say can be true.

use serde::Serialize;
use surus_play::StopToken;
use surus_record::packed::{
    Flags, PackedFileError, PackedGame, PackedReader, PackedSample, Sample, SampleError,
};
use surus_rules::{Game, IllegalTurn, Position, PositionError, Rules, Score, Side, Turn, TurnTag};

use super::DataError;
use crate::labelling::tactical_flags;

/// What a check found.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DataCheckReport {
    /// Sound games.
    pub games: u64,
    /// Records of sound games.
    pub positions: u64,
    /// What is wrong, as far as there is room to tell.
    pub problems: Vec<String>,
    /// How many problems there are.
    pub found: u64,
    /// Records with a lead of three rabbits or more that is not proven.
    pub leads: u64,
    /// Those of them where the leader won.
    pub won: u64,
    /// Games that have such records.
    pub games_with_leads: u64,
}

/// No more problems than these are told one by one.
const TOLD: usize = 20;
/// What counts as a lead, in hundredths of a rabbit.
const LEAD: i32 = 300;
/// Of the leads in so many games, so many of a hundred must have won, or scores and results contradict each other. A
/// shallow search may lead for nothing: only one that is mostly wrong is suspicious.
const ENOUGH_GAMES: u64 = 200;
const LEAST_WON: u64 = 40;

impl DataCheckReport {
    fn problem(&mut self, text: String) {
        self.found += 1;
        if self.problems.len() < TOLD {
            self.problems.push(text);
        }
    }
}

/// Checks all games of files: checksums, boards, best turns, the order of the turns, flags, and scores against
/// results.
pub fn check(files: &[std::path::PathBuf], stop: &StopToken) -> Result<DataCheckReport, DataError> {
    let mut checked = DataCheckReport::default();
    for file in files {
        let reader = match PackedReader::open(file) {
            Ok(reader) => reader,
            Err(error @ PackedFileError::Io { .. }) => return Err(error.into()),
            Err(error) => {
                checked.problem(error.to_string());
                continue;
            }
        };
        for game in reader.into_games() {
            if stop.should_stop() {
                return Err(DataError::Stopped);
            }
            match game {
                Err(error @ PackedFileError::Io { .. }) => return Err(error.into()),
                Err(error) => checked.problem(error.to_string()),
                Ok(game) => match problem_of(&game) {
                    Some(problem) => {
                        checked.problem(format!("{}: game {}: {problem}", file.display(), game.id));
                    }
                    None => checked.count(&game),
                },
            }
        }
    }
    if ENOUGH_GAMES <= checked.games_with_leads && checked.won * 100 < checked.leads * LEAST_WON {
        let share = checked.won * 100 / checked.leads;
        checked.problem(format!(
            "the side that leads by three rabbits or more wins only {share} of 100 times: expected at \
             least {LEAST_WON}; scores or results are wrong, perhaps those of the other side"
        ));
    }
    Ok(checked)
}

impl DataCheckReport {
    fn count(&mut self, game: &PackedGame) {
        self.games += 1;
        self.positions += game.samples.len() as u64;
        let Some(winner) = game.result else { return };
        let before = self.leads;
        for record in &game.samples {
            let Score::Centirabbits(score) = record.score() else { continue };
            if score.saturating_abs() >= LEAD {
                self.leads += 1;
                self.won += u64::from((winner == record.side()) == (score > 0));
            }
        }
        self.games_with_leads += u64::from(before < self.leads);
    }
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum RecordProblem {
    #[error(transparent)]
    Packed(#[from] SampleError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("its result is not that of its game")]
    Result,
    #[error("the best turn '{turn}': {error}")]
    Best { turn: Turn, error: IllegalTurn },
    #[error("its flags are {found:#x}, the tactics say {expected:#x}")]
    Flags { found: u16, expected: u16 },
    #[error("its score is proven, but the other side won")]
    Proven,
}

/// The first thing that is wrong in a game.
fn problem_of(game: &PackedGame) -> Option<String> {
    let mut before: Option<Sample> = None;
    for (index, record) in game.samples.iter().enumerate() {
        let sample = match validate_record(record, game.result) {
            Ok(sample) => sample,
            Err(problem) => return Some(format!("record {}: {problem}", index + 1)),
        };
        if let Some(problem) = before.and_then(|before| validate_sequence(&before, &sample)) {
            return Some(format!("record {}: {problem}", index + 1));
        }
        before = Some(sample);
    }
    None
}

/// A record by itself.
fn validate_record(record: &PackedSample, result: Option<Side>) -> Result<Sample, RecordProblem> {
    record.validate()?;
    let sample = record.decode();
    let position = Position::new(sample.board, sample.side)?;
    if sample.result != result {
        return Err(RecordProblem::Result);
    }
    let mut game = Game::from_position(&position, u32::from(sample.turn_number), Rules::Official);
    // An old game went on after the loss of all rabbits, and in mid-turn more than the board decides.
    if sample.steps_left == 4 && (game.result().is_none() || !sample.flags.contains(Flags::IMPORTED)) {
        game.play(&sample.best_turn)
            .map_err(|error| RecordProblem::Best { turn: sample.best_turn, error })?;
        let own = [Flags::QUIET, Flags::GOAL_THREAT, Flags::CAPTURE_AVAILABLE];
        let expected = tactical_flags(&position, sample.score, &sample.best_turn);
        if own.iter().any(|flag| expected.contains(*flag) != sample.flags.contains(*flag)) {
            return Err(RecordProblem::Flags { found: sample.flags.bits(), expected: expected.bits() });
        }
    }
    // A search that sees a proven win ends a game of self-play; people may still lose it.
    let winner = match sample.score {
        Score::Win { .. } => Some(sample.side),
        Score::Loss { .. } => Some(sample.side.other()),
        Score::Centirabbits(_) => None,
    };
    if winner.is_some() && winner != result && !sample.flags.contains(Flags::IMPORTED) {
        return Err(RecordProblem::Proven);
    }
    Ok(sample)
}

/// What is wrong between a record and the next one of the game.
fn validate_sequence(before: &Sample, next: &Sample) -> Option<String> {
    let tag = |sample: &Sample| TurnTag { number: u32::from(sample.turn_number), side: sample.side };
    let [earlier, later] = [before, next].map(tag);
    let imported = next.flags.contains(Flags::IMPORTED);
    let follows = if imported {
        (earlier.number, earlier.side as u8) < (later.number, later.side as u8)
    } else {
        earlier.next() == later
    };
    if !follows {
        return Some(format!("turn {later} does not follow turn {earlier}"));
    }
    let best_was_played = !imported && !before.flags.contains(Flags::RANDOM_TURN);
    let after = || before.best_turn.steps().fold(before.board, |board, step| board.after_step(step));
    (best_was_played && after() != next.board).then(|| {
        format!("the board is not that after the best turn '{}' of turn {earlier}", before.best_turn)
    })
}
