//! Decisions read from packed games.

use std::collections::HashMap;
use std::path::PathBuf;

use surus_engine::ordering::History;
use surus_record::packed::{Flags, PackedGame, PackedReader, PackedSample, Provenance, Sample};
use surus_rules::{Board, Side, Turn, TurnTag};

use super::OrderingError;
use crate::comparison;

/// The kind of a file of `surus learn positions`, in its header.
pub const POSITIONS_KIND: &str = "positions";

/// A position at the start of a turn, with the turn played in it.
#[derive(Clone, Debug)]
pub struct TurnDecision {
    /// The board.
    pub board: Board,
    /// The side to move.
    pub side: Side,
    /// The number of the turn.
    pub number: u32,
    /// The turn played.
    pub played: Turn,
    /// The board after it.
    pub end: Board,
    /// The turns before it.
    pub history: History,
    /// The keys of boards that would occur for the third time.
    pub forbidden: Vec<u64>,
}

/// The decisions of a game.
#[derive(Clone, Debug)]
pub struct DecisionGame {
    /// The index of its group in [`Dataset::groups`].
    pub group: usize,
    /// In the order of play.
    pub decisions: Vec<TurnDecision>,
}

/// The games of several files.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// The names of the groups, in the order of the files.
    pub groups: Vec<String>,
    /// Games with at least one decision.
    pub games: Vec<DecisionGame>,
    /// The checksum of all samples, in the order of the files.
    pub checksum: u32,
}

impl Dataset {
    /// Reads files of self-play or of `surus learn positions`.
    pub fn read(files: &[PathBuf]) -> Result<Self, OrderingError> {
        let mut dataset = Self::default();
        let mut sum = Vec::new();
        for file in files {
            let reader = PackedReader::open(file)?;
            let origins = reader.header().origins.clone();
            if origins.iter().any(|origin| origin.kind == comparison::PROVENANCE_KIND) {
                return Err(OrderingError::Comparisons(file.display().to_string()));
            }
            let groups: Vec<usize> =
                origins.iter().map(|origin| dataset.group(&group_name(origin))).collect();
            for game in reader.into_games() {
                let game = game?;
                sum.extend(game.samples.iter().flat_map(PackedSample::as_bytes));
                let decisions = decisions(&game);
                if !decisions.is_empty() {
                    let group = groups.get(usize::from(game.origin)).copied().unwrap_or_default();
                    dataset.games.push(DecisionGame { group, decisions });
                }
            }
        }
        if dataset.games.is_empty() {
            return Err(OrderingError::NoDecisions);
        }
        dataset.checksum = surus_record::packed::checksum(&sum);
        Ok(dataset)
    }

    fn group(&mut self, name: &str) -> usize {
        let known = self.groups.iter().position(|group| group == name);
        known.unwrap_or_else(|| {
            self.groups.push(name.into());
            self.groups.len() - 1
        })
    }

    /// The number of decisions.
    #[must_use]
    pub fn decisions(&self) -> usize {
        self.games.iter().map(|game| game.decisions.len()).sum()
    }
}

/// The group of an origin: that given to `surus learn positions`, otherwise the kind of the file.
fn group_name(origin: &Provenance) -> String {
    origin.settings.get("group").cloned().unwrap_or_else(|| origin.kind.clone())
}

/// The turns of a game that are decisions, with their history.
fn decisions(game: &PackedGame) -> Vec<TurnDecision> {
    let samples: Vec<Sample> = game.samples.iter().map(PackedSample::decode).collect();
    let tag = |sample: &Sample| TurnTag { number: sample.turn_number.into(), side: sample.side };
    let mut occurrences: HashMap<(u64, Side), u32> = HashMap::new();
    let mut found = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        *occurrences.entry((sample.board.key(), sample.side)).or_default() += 1;
        if sample.steps_left != 4 || !is_decision(sample) {
            continue;
        }
        let before = |back: usize| {
            let earlier = &samples[index.checked_sub(back)?];
            let follows = (0..back).fold(tag(earlier), |tag, _| tag.next()) == tag(sample);
            follows.then_some(earlier.board)
        };
        let other = sample.side.other();
        let repeated = |&(&(_, side), &count): &(&(u64, Side), &u32)| side == other && count >= 2;
        found.push(TurnDecision {
            board: sample.board,
            side: sample.side,
            number: sample.turn_number.into(),
            played: sample.best_turn,
            end: sample.best_turn.steps().fold(sample.board, |board, step| board.after_step(step)),
            history: History { before_opponent: before(1), before_own: before(2) },
            forbidden: occurrences.iter().filter(repeated).map(|(&(key, _), _)| key).collect(),
        });
    }
    found
}

/// Whether a turn was chosen by the player, and the filter of the file includes it.
fn is_decision(sample: &Sample) -> bool {
    let excluded = [Flags::RANDOM_TURN, Flags::CONTEXT];
    !sample.best_turn.is_empty() && !excluded.iter().any(|&flag| sample.flags.contains(flag))
}
