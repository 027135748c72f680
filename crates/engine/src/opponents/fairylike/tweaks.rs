//! The evaluation of `fairylike` changed by game phase \[Phase §4.1\].

use surus_play::{OptionKind, option_enum};
use surus_rules::{Board, Side};

use super::eval::Parts;
use crate::phase::{GamePhase, PhaseFeatures, PhaseHeuristic};

option_enum! {
    /// Whether the evaluation depends on the phase, and whether phases depend on goal threats.
    pub(crate) enum PhaseMode { Off = "off", WithoutThreats = "ngt", WithThreats = "gt" }
}

surus_play::options! {
    /// The options of `fairylike`.
    pub(crate) struct FairylikeOptions {
        hash: u64 = OptionKind::Int(1, 1 << 16), "16", "Transposition table size in megabytes.";
        seed: u64 = OptionKind::Int(0, i64::MAX), "1", "Random seed for the setup.";
        turns: u32 = OptionKind::Int(1, 4), "2",
            "Number of turns of the full-width search, unless a limit stops it earlier.";
        phases: PhaseMode = OptionKind::Choice(PhaseMode::WORDS), "off",
            "Changes the evaluation by game phase [Phase §4]: off, with goal threats (gt) or without (ngt).";
        phase_soft: bool = OptionKind::Bool, "false",
            "Weights the changes by the probabilities of the phases instead of switching at the cut-offs.";
        phase_file: PhaseHeuristic = OptionKind::Str, "",
            "File of the phase heuristic; empty for the embedded one.";
        minor_penalty: i32 = OptionKind::Int(0, 100), "10",
            "Opening: percentage of its value that a cat or dog loses on rank 4 or above.";
        frame_relief: i32 = OptionKind::Int(0, 100), "100",
            "Endgame: percentage of the penalty of framed pieces that is dropped.";
        material_bonus: i32 = OptionKind::Int(0, 300), "10",
            "Opening and middlegame: percentage added to material.";
        trap_bonus: i32 = OptionKind::Int(0, 300), "25",
            "Opening and middlegame: percentage added to the pieces around traps.";
        rabbit_bonus: i32 = OptionKind::Int(0, 300), "100",
            "Endgame: percentage added to the advancement of rabbits.";
    }
}

/// A probability of 1 in fixed point: integers make the same sums everywhere.
const ONE: i64 = 256;
const PERCENT: i64 = 100;

/// The score of a board for a side, in centirabbits.
pub(super) fn score(options: &FairylikeOptions, board: &Board, side: Side) -> i32 {
    let parts = Parts::new(board, side);
    match options.phases {
        PhaseMode::Off => parts.plain(),
        PhaseMode::WithoutThreats => options.apply(&parts, PhaseFeatures::without_threat(board)),
        PhaseMode::WithThreats => options.apply(&parts, PhaseFeatures::new(board)),
    }
}

impl FairylikeOptions {
    /// The probabilities of opening, middlegame and endgame.
    fn memberships(&self, features: PhaseFeatures) -> [i64; 3] {
        if self.phase_soft {
            let [opening, _, endgame] =
                self.phase_file.memberships(features).map(|share| (share * ONE as f32).round() as i64);
            return [opening, ONE - opening - endgame, endgame];
        }
        let phase = self.phase_file.phase(features);
        GamePhase::ALL.map(|other| if other == phase { ONE } else { 0 })
    }

    fn apply(&self, parts: &Parts, features: PhaseFeatures) -> i32 {
        let [opening, middlegame, endgame] = self.memberships(features);
        let early = opening + middlegame;
        let scaled = |part: i32, percent: i32, share: i64| {
            i64::from(part) * (PERCENT * ONE + i64::from(percent) * share)
        };
        let sum = scaled(parts.material, self.material_bonus, early)
            + scaled(parts.traps, self.trap_bonus, early)
            + scaled(parts.rabbits, self.rabbit_bonus, endgame)
            + scaled(parts.officers, 0, ONE)
            - scaled(parts.framed, -self.frame_relief, endgame)
            - i64::from(parts.advanced_minors) * i64::from(self.minor_penalty) * opening;
        (sum / (PERCENT * ONE)) as i32
    }
}
