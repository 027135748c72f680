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

#[cfg(test)]
mod tests {
    use surus_play::TypedOptions;
    use surus_rules::Piece;

    use super::*;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    fn board(words: &str) -> Board {
        let place = |word: &str| {
            let piece = Piece::from_letter(word.chars().next().unwrap()).unwrap();
            (word[1..].parse().unwrap(), piece)
        };
        words.split_whitespace().map(place).collect()
    }

    /// The options with all changes disabled but those given.
    fn options(changes: &str) -> FairylikeOptions {
        let mut options = TypedOptions::<FairylikeOptions>::default();
        let disabled =
            "phases=gt minor_penalty=0 frame_relief=0 material_bonus=0 trap_bonus=0 rabbit_bonus=0";
        for word in disabled.split(' ').chain(changes.split_whitespace()) {
            let (name, value) = word.split_once('=').unwrap();
            options.set(name, value).unwrap();
        }
        FairylikeOptions::clone(&options)
    }

    fn gold_score(changes: &str, words: &str) -> i32 {
        let board = board(words);
        let score_of = |side| score(&options(changes), &board, side);
        assert_eq!(score_of(Side::Gold), -score_of(Side::Silver), "{changes}: {words}");
        score_of(Side::Gold)
    }

    fn plain(words: &str) -> i32 {
        let parts = Parts::new(&board(words), Side::Gold);
        assert_eq!(gold_score("phases=off", words), parts.plain());
        parts.plain()
    }

    /// All pieces but a cat at home, and that cat on rank 4: an opening.
    fn advanced_cat() -> String {
        format!("{GOLD} Ca4 {SILVER}")
    }

    /// A dog on c3 with three enemies and one friend around it, and a silver rabbit that threatens to reach goal.
    const FRAME: &str = "Dc3 Rc2 Ra1 hb3 md3 cc4 rh3 rg8 Eh8 eg7";

    #[test]
    fn advanced_cats_and_dogs_lose_value_in_the_opening_only() {
        let words = advanced_cat();
        assert_eq!(gold_score("minor_penalty=10", &words), plain(&words) - 25);
        assert_eq!(gold_score("minor_penalty=40 phases=ngt", &words), plain(&words) - 100);
        assert_eq!(gold_score("minor_penalty=0", &words), plain(&words));
        // Silver's cat on rank 5 counts for gold.
        let both = words.replace("cc7", "cc5");
        assert_eq!(gold_score("minor_penalty=10", &both), plain(&both));
        assert_eq!(gold_score("minor_penalty=10", FRAME), plain(FRAME));
    }

    #[test]
    fn framed_pieces_lose_nothing_in_the_endgame() {
        let framed = Parts::new(&board(FRAME), Side::Gold).framed;
        assert_eq!(framed, 300 * 2 / 8);
        assert_eq!(gold_score("frame_relief=100", FRAME), plain(FRAME) + framed);
        assert_eq!(gold_score("frame_relief=40", FRAME), plain(FRAME) + framed * 40 / 100);
        // With more pieces on the board it is no endgame.
        let early = format!("Dc3 Cc2 hb3 md3 cc4 {} {}", &GOLD[..39], &SILVER[..39]);
        assert_eq!(Parts::new(&board(&early), Side::Gold).framed, framed);
        assert_eq!(gold_score("frame_relief=100", &early), plain(&early));
    }

    #[test]
    fn material_and_traps_count_more_early_and_rabbits_late() {
        let early = format!("{GOLD} Ca3 {}", &SILVER[..59]);
        let parts = Parts::new(&board(&early), Side::Gold);
        assert!(parts.material == 550 && parts.traps != 0, "{parts:?}");
        assert_eq!(gold_score("material_bonus=10", &early), plain(&early) + 55);
        assert_eq!(
            gold_score("trap_bonus=50", &early),
            (parts.plain() * 100 + parts.traps * 50) / 100,
            "{parts:?}"
        );
        assert_eq!(gold_score("rabbit_bonus=100", &early), plain(&early));
        let parts = Parts::new(&board(FRAME), Side::Gold);
        assert!(parts.rabbits != 0);
        assert_eq!(gold_score("rabbit_bonus=100", FRAME), plain(FRAME) + parts.rabbits);
        assert_eq!(gold_score("material_bonus=10 trap_bonus=50", FRAME), plain(FRAME));
    }

    /// Without the threat the same board is an earlier phase.
    #[test]
    fn phases_without_threats_ignore_them() {
        let threat = "Ra6 Ee2 Ha2 Mb2 Dd2 De1 Cc1 Cf1 Hg2 Rb1 Rd1 eh7 mg7 hf8 hb8 de8 dd7 cc8 cg8 rh8 re6";
        let parts = Parts::new(&board(threat), Side::Gold);
        assert!(PhaseFeatures::new(&board(threat)).goal_threat && parts.rabbits != 0);
        let endgame = plain(threat) + parts.rabbits;
        assert_eq!(gold_score("rabbit_bonus=100", threat), endgame);
        assert_eq!(gold_score("rabbit_bonus=100 phases=ngt", threat), plain(threat));
    }

    #[test]
    fn soft_phases_weight_the_changes() {
        let words = advanced_cat();
        let options = options("minor_penalty=40 phase_soft=true");
        let [opening, middlegame, endgame] = options.memberships(PhaseFeatures::new(&board(&words)));
        assert_eq!(opening + middlegame + endgame, ONE);
        assert!(opening < ONE && opening > ONE / 2, "{opening}");
        let penalty = 100.0 * opening as f64 / ONE as f64;
        let soft = f64::from(plain(&words)) - penalty;
        assert!((f64::from(gold_score("minor_penalty=40 phase_soft=true", &words)) - soft).abs() < 1.0);
    }
}
