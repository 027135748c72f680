//! The heuristic discriminator: a weighted sum of the features and two cut-offs \[Phase §3.2.1\].

use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use surus_play::{InvalidValue, OptionValue};

use super::model::{parse_kind, read};
use super::{FORMAT, PhaseFeatures, PhaseModelError};
use crate::common::math::sigmoid;

const EMBEDDED: &str = include_str!("../../weights/phase_heuristic.toml");

/// The kind of its files.
pub(super) const KIND: &str = "heuristic";

/// A third of a game, as people speak of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GamePhase {
    /// Few captures, most pieces at home.
    Opening,
    /// Pieces are advanced or captured, but there is no race yet.
    Middlegame,
    /// Goals are threatened, or few pieces are left to stop them.
    Endgame,
}

impl GamePhase {
    /// All phases, in the order of a game.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The English word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

impl fmt::Display for GamePhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Weights and cut-offs.
///
/// The score of a board is the dot product of its features and the weights; it grows in the course of a game. A score
/// below the first cut-off is an opening, from the second one on an endgame, in between a middlegame.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseHeuristic {
    weights: HeuristicWeights,
    cutoffs: Cutoffs,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeuristicWeights {
    min_pieces: f32,
    max_advanced: f32,
    goal_threat: f32,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cutoffs {
    middlegame: f32,
    endgame: f32,
    /// The distance from a cut-off at which the odds between both phases are e to 1.
    softness: f32,
}

impl PhaseHeuristic {
    /// The heuristic compiled into the program.
    ///
    /// # Panics
    /// If the file that was compiled in is invalid; a test loads it.
    #[must_use]
    pub fn embedded() -> Self {
        static HEURISTIC: LazyLock<PhaseHeuristic> =
            LazyLock::new(|| PhaseHeuristic::parse(EMBEDDED).expect("the embedded heuristic is valid"));
        *HEURISTIC
    }

    /// Loads a file.
    pub fn load(path: &Path) -> Result<Self, PhaseModelError> {
        Self::parse(&read(path)?)
    }

    /// Parses the text of a file.
    pub fn parse(text: &str) -> Result<Self, PhaseModelError> {
        let heuristic: Self = parse_kind(text, KIND)?;
        let invalid = |field, found: f32, expected| PhaseModelError::Value {
            field,
            found: found.to_string(),
            expected,
        };
        let HeuristicWeights { min_pieces, max_advanced, goal_threat } = heuristic.weights;
        for (field, value) in
            [("min_pieces", min_pieces), ("max_advanced", max_advanced), ("goal_threat", goal_threat)]
        {
            if !value.is_finite() {
                return Err(invalid(field, value, "a finite number"));
            }
        }
        let Cutoffs { middlegame, endgame, softness } = heuristic.cutoffs;
        if !(middlegame.is_finite() && endgame.is_finite() && middlegame <= endgame) {
            return Err(invalid(
                "endgame",
                endgame,
                "a number that is not below the cut-off of the middlegame",
            ));
        }
        if !(softness > 0.0 && softness.is_finite()) {
            return Err(invalid("softness", softness, "a number above 0"));
        }
        Ok(heuristic)
    }

    /// The weighted sum of the features.
    #[inline]
    #[must_use]
    pub fn score(&self, features: PhaseFeatures) -> f32 {
        let PhaseFeatures { min_pieces, max_advanced, goal_threat } = features;
        let weights = &self.weights;
        let threat = if goal_threat { weights.goal_threat } else { 0.0 };
        weights.min_pieces * f32::from(min_pieces) + weights.max_advanced * f32::from(max_advanced) + threat
    }

    /// The phase of a board.
    #[inline]
    #[must_use]
    pub fn phase(&self, features: PhaseFeatures) -> GamePhase {
        match self.score(features) {
            score if score < self.cutoffs.middlegame => GamePhase::Opening,
            score if score < self.cutoffs.endgame => GamePhase::Middlegame,
            _ => GamePhase::Endgame,
        }
    }

    /// Probabilities of the phases \[Phase §6.2.1\], which sum to 1.
    ///
    /// With score s, cut-offs m ≤ e, softness t and the logistic function σ, the opening has σ((m − s) / t), the endgame
    /// σ((s − e) / t), and the middlegame the rest: at a cut-off both phases are equally likely.
    #[must_use]
    pub fn memberships(&self, features: PhaseFeatures) -> [f32; 3] {
        let score = self.score(features);
        let Cutoffs { middlegame, endgame, softness } = self.cutoffs;
        let opening = sigmoid((middlegame - score) / softness);
        let end = sigmoid((score - endgame) / softness);
        [opening, (1.0 - opening - end).max(0.0), end]
    }

    /// The text of a file with these values.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let HeuristicWeights { min_pieces, max_advanced, goal_threat } = self.weights;
        let Cutoffs { middlegame, endgame, softness } = self.cutoffs;
        format!(
            "format = {FORMAT}\nkind = \"{KIND}\"\n\n[weights]\nmin_pieces = {min_pieces}\n\
             max_advanced = {max_advanced}\ngoal_threat = {goal_threat}\n\n[cutoffs]\nmiddlegame = {middlegame}\n\
             endgame = {endgame}\nsoftness = {softness}\n"
        )
    }
}

impl Default for PhaseHeuristic {
    fn default() -> Self {
        Self::embedded()
    }
}

/// An option value: the path of a file, or empty for the embedded heuristic.
impl OptionValue for PhaseHeuristic {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let loaded = if text.is_empty() { Ok(Self::embedded()) } else { Self::load(Path::new(text)) };
        loaded.map_err(|error| InvalidValue { expected: format!("a phase file, but {error}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "format = 1\nkind = 'heuristic'\n[weights]\nmin_pieces = -1\nmax_advanced = 0.5\n\
        goal_threat = 4\n[cutoffs]\nmiddlegame = -13\nendgame = -8\nsoftness = 1\n";

    const fn features(min_pieces: u8, max_advanced: u8, goal_threat: bool) -> PhaseFeatures {
        PhaseFeatures { min_pieces, max_advanced, goal_threat }
    }

    #[test]
    fn the_score_is_a_dot_product_with_two_cutoffs() {
        let heuristic = PhaseHeuristic::parse(TEXT).unwrap();
        assert_eq!(heuristic.score(features(12, 3, true)), -12.0 + 1.5 + 4.0);
        for (board, phase) in [
            (features(16, 0, false), GamePhase::Opening),
            (features(14, 1, false), GamePhase::Opening),
            (features(14, 2, false), GamePhase::Middlegame),
            (features(9, 1, false), GamePhase::Middlegame),
            (features(9, 2, false), GamePhase::Endgame),
            (features(14, 4, true), GamePhase::Endgame),
        ] {
            assert_eq!(heuristic.phase(board), phase, "{board:?}");
        }
    }

    #[test]
    fn memberships_sum_to_one_and_are_equal_at_a_cutoff() {
        let heuristic = PhaseHeuristic::parse(TEXT).unwrap();
        for pieces in 0..=16 {
            for advanced in 0..=15 {
                for threat in [false, true] {
                    let board = features(pieces, advanced, threat);
                    let memberships = heuristic.memberships(board);
                    assert!((memberships.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{memberships:?}");
                    assert!(memberships.iter().all(|&share| share >= 0.0));
                }
            }
        }
        let [opening, middlegame, endgame] = heuristic.memberships(features(13, 0, false));
        assert!((opening - 0.5).abs() < 1e-6 && (middlegame - 0.4933).abs() < 1e-3 && endgame < 0.01);
        let start = heuristic.memberships(features(16, 0, false));
        assert!((start[0] - 0.9526).abs() < 1e-3, "{start:?}");
    }

    #[test]
    fn files_round_trip_and_invalid_ones_are_refused() {
        let heuristic = PhaseHeuristic::parse(TEXT).unwrap();
        assert_eq!(PhaseHeuristic::parse(&heuristic.to_toml()).unwrap(), heuristic);
        assert_eq!(
            PhaseHeuristic::parse(&PhaseHeuristic::embedded().to_toml()).unwrap(),
            PhaseHeuristic::embedded()
        );
        let error =
            |from: &str, to: &str| PhaseHeuristic::parse(&TEXT.replace(from, to)).unwrap_err().to_string();
        assert_eq!(error("format = 1", "format = 2"), "unsupported phase format 2: expected 1");
        assert_eq!(
            error("'heuristic'", "'clusters'"),
            "the file has a model of kind 'clusters': expected 'heuristic'"
        );
        assert_eq!(
            error("endgame = -8", "endgame = -18"),
            "endgame is -18: expected a number that is not below the cut-off of the middlegame"
        );
        assert_eq!(error("softness = 1", "softness = 0"), "softness is 0: expected a number above 0");
        assert_eq!(
            error("goal_threat = 4", "goal_threat = inf"),
            "goal_threat is inf: expected a finite number"
        );
        assert!(error("goal_threat", "goal_treat").contains("goal_treat"));
        assert!(
            PhaseHeuristic::parse(&TEXT[..TEXT.len() - 13]).unwrap_err().to_string().contains("softness")
        );
        let option = <PhaseHeuristic as OptionValue>::parse("/no/such/file").unwrap_err().to_string();
        assert!(option.starts_with("expected a phase file, but No such file"), "{option}");
    }
}
