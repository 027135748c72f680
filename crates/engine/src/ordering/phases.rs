//! Assigning boards to game phases.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use surus_rules::{Board, Side};

use crate::phase::{PhaseFeatures, PhaseModel, PhaseModelError};

/// Gives a board a share in each of several phases.
pub trait PhaseAssignment {
    /// The number of phases, at least one.
    fn count(&self) -> usize;

    /// Sets the membership in each phase; the sum is 1.
    fn membership(&self, board: &Board, shares: &mut [f32]);
}

/// The assignments that a model can use.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Phases {
    /// One phase.
    #[default]
    Single,
    /// Three phases by the number of pieces of the side that has fewer: 15 or 16, 12 to 14, less.
    Pieces,
    /// The same with gradual transitions.
    SoftPieces,
    /// The clusters of a file of `surus learn phase fit` [Phase §5.3], or another file of phases: the most likely one.
    Model(Arc<PhaseModel>),
    /// The same with the probabilities of all of them [Phase §6.2.1].
    SoftModel(Arc<PhaseModel>),
}

impl Phases {
    /// The assignments that need no file.
    pub const BUILT_IN: [Self; 3] = [Self::Single, Self::Pieces, Self::SoftPieces];

    /// Its name in a model file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Pieces => "pieces",
            Self::SoftPieces => "soft-pieces",
            Self::Model(_) => "model",
            Self::SoftModel(_) => "soft-model",
        }
    }

    /// The phases that are not built in.
    #[must_use]
    pub fn phase_model(&self) -> Option<&PhaseModel> {
        match self {
            Self::Model(model) | Self::SoftModel(model) => Some(model),
            _ => None,
        }
    }

    /// The assignment of a model file: its name, and the phases that are not built in.
    pub(super) fn from_parts(name: &str, model: Option<PhaseModel>) -> Option<Self> {
        match (name, model) {
            ("model", Some(model)) => Some(Self::Model(Arc::new(model))),
            ("soft-model", Some(model)) => Some(Self::SoftModel(Arc::new(model))),
            (name, None) => Self::BUILT_IN.into_iter().find(|phases| phases.name() == name),
            _ => None,
        }
    }

    /// The shares of a board.
    #[must_use]
    pub fn shares(&self, board: &Board) -> Vec<f32> {
        let mut shares = vec![0.0; self.count()];
        self.membership(board, &mut shares);
        shares
    }
}

/// The piece counts at the centres of the three phases.
const CENTRES: [f32; 3] = [15.5, 13.0, 9.0];

impl PhaseAssignment for Phases {
    fn count(&self) -> usize {
        match self {
            Self::Single => 1,
            Self::Pieces | Self::SoftPieces => CENTRES.len(),
            Self::Model(model) | Self::SoftModel(model) => model.count(),
        }
    }

    fn membership(&self, board: &Board, shares: &mut [f32]) {
        match self {
            Self::Model(model) => {
                shares.fill(0.0);
                if let Some(share) = shares.get_mut(model.phase(PhaseFeatures::new(board))) {
                    *share = 1.0;
                }
                return;
            }
            Self::SoftModel(model) => {
                let memberships = model.memberships(PhaseFeatures::new(board));
                shares.iter_mut().zip(memberships).for_each(|(share, membership)| *share = membership);
                return;
            }
            Self::Single | Self::Pieces | Self::SoftPieces => {}
        }
        let pieces = Side::BOTH.map(|side| board.by_side(side).len()).into_iter().min().unwrap_or_default();
        shares.fill(0.0);
        let [first, second, third] = CENTRES;
        let pieces_now = pieces as f32;
        match (self, shares) {
            (Self::Single, [all, ..]) => *all = 1.0,
            (Self::Pieces, [opening, middle, end, ..]) => {
                let phase = if pieces >= 15 {
                    opening
                } else if pieces >= 12 {
                    middle
                } else {
                    end
                };
                *phase = 1.0;
            }
            (Self::SoftPieces, [opening, middle, end, ..]) => {
                *opening = ((pieces_now - second) / (first - second)).clamp(0.0, 1.0);
                *end = ((second - pieces_now) / (second - third)).clamp(0.0, 1.0);
                *middle = 1.0 - *opening - *end;
            }
            _ => {}
        }
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Neither the name of an assignment nor a file of phases.
#[derive(Debug, thiserror::Error)]
#[error("unknown phases '{text}': expected single, pieces, soft-pieces, or a file of phases, but {error}")]
pub struct UnknownPhases {
    /// What was found.
    pub text: String,
    /// Why it is no file of phases.
    pub error: PhaseModelError,
}

/// What a file of phases starts with if its probabilities are to be used.
const SOFT: &str = "soft:";

/// A name, the path of a file of phases, or `soft:` with such a path.
impl FromStr for Phases {
    type Err = UnknownPhases;

    fn from_str(text: &str) -> Result<Self, UnknownPhases> {
        if let Some(phases) = Self::from_parts(text, None) {
            return Ok(phases);
        }
        let path = text.strip_prefix(SOFT);
        let model = PhaseModel::load(Path::new(path.unwrap_or(text)));
        let model = Arc::new(model.map_err(|error| UnknownPhases { text: text.into(), error })?);
        Ok(if path.is_some() { Self::SoftModel(model) } else { Self::Model(model) })
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Position;

    use super::*;

    /// All built-in assignments, and two models with three phases.
    fn all() -> Vec<Phases> {
        let model = Arc::new(PhaseModel::default());
        let fitted = [Phases::Model(model.clone()), Phases::SoftModel(model)];
        Phases::BUILT_IN.into_iter().chain(fitted).collect()
    }

    fn shares(phases: &Phases, gold_rabbits: usize) -> Vec<f32> {
        let rows = format!("{:<16}", "R".repeat(gold_rabbits));
        let text = format!("g [rrrrrrrrhdcemcdh{:32}{rows}]", "");
        phases.shares(text.parse::<Position>().unwrap().board())
    }

    #[test]
    fn shares_add_up_to_one_for_every_number_of_pieces() {
        for phases in &all() {
            for rabbits in 0..=8 {
                let shares = shares(phases, rabbits);
                assert_eq!(shares.len(), phases.count());
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{phases} {rabbits}: {shares:?}");
                assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{phases} {shares:?}");
            }
        }
        assert_eq!(shares(&Phases::Pieces, 8), [0.0, 0.0, 1.0]);
        assert_eq!(shares(&all()[3], 8), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn names_and_files_are_parsed() {
        for phases in Phases::BUILT_IN {
            assert_eq!(phases.to_string().parse::<Phases>().unwrap(), phases);
        }
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/weights/phase_heuristic.toml");
        assert_eq!(file.parse::<Phases>().unwrap(), all()[3]);
        assert_eq!(format!("soft:{file}").parse::<Phases>().unwrap(), all()[4]);
        let error = "late".parse::<Phases>().unwrap_err().to_string();
        assert!(error.starts_with("unknown phases 'late': expected single, pieces"), "{error}");
    }
}
