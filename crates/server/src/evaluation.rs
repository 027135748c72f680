//! The static evaluation in words and numbers, as messages of the API.

use surus_engine::eval::{HANDCRAFTED_SCALE, TermScore, Weights, explain};
use surus_engine::win_probability;
use surus_rules::{Game, Score, Side};

use crate::api::{EvaluationBreakdown, EvaluationPart};

/// A smaller difference is called even, in centirabbits.
const EVEN: i32 = 15;

/// A group of evaluation terms that belong together for a player.
struct Group {
    name: &'static str,
    description: &'static str,
    /// What the side with the higher value has, after its name.
    advantage: &'static str,
    terms: &'static [&'static str],
}

const GROUPS: [Group; 8] = [
    Group {
        name: "Material",
        description: "The pieces on the board; the value of an officer grows as stronger enemies are captured.",
        advantage: "has more material",
        terms: &["OFFICER_VALUE", "RABBIT_COUNT", "PIECE_COUNT"],
    },
    Group {
        name: "Placement",
        description: "Where the pieces stand.",
        advantage: "has its pieces on better squares",
        terms: &["OFFICER_PST", "RABBIT_PST_EARLY", "RABBIT_PST_LATE"],
    },
    Group {
        name: "Freedom",
        description: "Frozen pieces, and pieces next to stronger enemies.",
        advantage: "has fewer pieces that are frozen or held",
        terms: &["FROZEN", "DOMINATED"],
    },
    Group {
        name: "Trap control",
        description: "The guards of the traps and the strength around them.",
        advantage: "controls the traps better",
        terms: &["TRAP_GUARDS", "BEST_TRAP_GUARD", "TRAP_CONTROL", "TRAP_ATTACK"],
    },
    Group {
        name: "Danger",
        description: "Hostages, framed and pinned pieces, and pieces that can be taken to a trap.",
        advantage: "has fewer pieces in danger at the traps",
        terms: &["HOSTAGE_HOME", "HOSTAGE_AWAY", "TRAP_THREAT", "FRAMED", "PINNED"],
    },
    Group {
        name: "Officers",
        description: "The mobility of the elephant, and the distances and the balance of the strong pieces.",
        advantage: "has the more active strong pieces",
        terms: &[
            "ELEPHANT_MOBILITY",
            "ELEPHANT_BLOCKADE",
            "ELEPHANT_CAMEL_DISTANCE",
            "SECOND_CLASS_DISTANCE",
            "THIRD_CLASS_DISTANCE",
            "WING_BALANCE",
            "WING_IMBALANCE",
            "FREE_OFFICERS",
        ],
    },
    Group {
        name: "Rabbits",
        description: "How far the rabbits have come, and what helps or stops them.",
        advantage: "has the more dangerous rabbits",
        terms: &["RABBIT_ADVANCE", "RABBIT_FRONT", "RABBIT_SUPPORT"],
    },
    Group { name: "Tempo", description: "Having the move.", advantage: "is to move", terms: &["TEMPO"] },
];

/// The evaluation of the current position of a game.
pub(crate) fn evaluation_breakdown(game: &Game) -> EvaluationBreakdown {
    let terms = explain(&Weights::embedded(), game.position().board(), game.side());
    let mut parts: Vec<EvaluationPart> = GROUPS.iter().map(|group| part(group, &terms)).collect();
    let score = parts.iter().map(|part| part.gold - part.silver).sum();
    parts.sort_by_key(|part| -(part.gold - part.silver).abs());
    let gold_win = win_probability(Score::Centirabbits(score), HANDCRAFTED_SCALE);
    EvaluationBreakdown { score, gold_win, text: summary(score, gold_win), parts }
}

fn part(group: &Group, terms: &[TermScore]) -> EvaluationPart {
    let own = terms.iter().filter(|term| group.terms.contains(&term.spec.name));
    let [gold, silver] =
        own.fold([0, 0], |sum, term| [sum[0] + term.sides[0], sum[1] + term.sides[1]]).map(|sum| sum / 10);
    let text = match better(gold - silver) {
        None => "Even.".into(),
        Some(side) => format!("{} {}.", capitalised(side), group.advantage),
    };
    EvaluationPart { name: group.name.into(), description: group.description.into(), gold, silver, text }
}

fn better(difference: i32) -> Option<Side> {
    match difference {
        EVEN.. => Some(Side::Gold),
        _ if difference <= -EVEN => Some(Side::Silver),
        _ => None,
    }
}

fn summary(score: i32, gold_win: f64) -> String {
    let Some(side) = better(score) else { return "The position is even.".into() };
    let win = if side == Side::Gold { gold_win } else { 1.0 - gold_win };
    let rabbits = f64::from(score.abs()) / 100.0;
    format!(
        "{} is ahead by {rabbits:.1} rabbits: it wins {:.0} % of such positions.",
        capitalised(side),
        win * 100.0
    )
}

fn capitalised(side: Side) -> &'static str {
    match side {
        Side::Gold => "Gold",
        Side::Silver => "Silver",
    }
}

#[cfg(test)]
mod tests {
    use surus_engine::eval::TERMS;

    use super::*;

    fn breakdown(text: &str) -> EvaluationBreakdown {
        evaluation_breakdown(&surus_record::game(text).unwrap())
    }

    #[test]
    fn every_term_belongs_to_one_group() {
        for spec in &TERMS {
            let groups = GROUPS.iter().filter(|group| group.terms.contains(&spec.name)).count();
            assert_eq!(groups, 1, "{}", spec.name);
        }
        assert_eq!(GROUPS.iter().map(|group| group.terms.len()).sum::<usize>(), TERMS.len());
    }

    #[test]
    fn the_parts_add_up_and_say_who_is_better() {
        let start = breakdown("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
        assert!(start.score.abs() < 100 && (start.gold_win - 0.5).abs() < 0.1, "{start:?}");
        let ahead = breakdown("s [rrrrrrrrhdcemcd                                 HDCMECDHRRRRRRRR]");
        assert_eq!(ahead.parts[0].name, "Material");
        assert_eq!(ahead.parts[0].text, "Gold has more material.");
        assert!(ahead.text.starts_with("Gold is ahead by") && ahead.gold_win > 0.6, "{ahead:?}");
        assert_eq!(ahead.score, ahead.parts.iter().map(|part| part.gold - part.silver).sum::<i32>());
        let differences: Vec<i32> = ahead.parts.iter().map(|part| (part.gold - part.silver).abs()).collect();
        assert!(differences.is_sorted_by(|a, b| a >= b), "{differences:?}");
    }
}
