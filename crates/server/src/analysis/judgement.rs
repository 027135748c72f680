//! Judging the turns of a game by the win probability that they lose.

use surus_rules::Side;

use crate::api::{GameReport, JudgedTurn, PlayerReport};

/// The losses of win probability from which a turn is an inaccuracy, a mistake or a blunder.
const VERDICTS: [(f64, &str); 3] = [(0.2, "blunder"), (0.12, "mistake"), (0.06, "inaccuracy")];

/// The loss at which the accuracy of a turn has dropped to 1/e.
const ACCURACY_SCALE: f64 = 0.25;

/// A played turn with the engine's opinion.
#[derive(Clone, Debug)]
pub(super) struct PlayedTurn {
    /// The number of turns of the line before it.
    pub(super) played: usize,
    pub(super) tag: String,
    pub(super) side: Side,
    /// Gold's win probability before and after the turn.
    pub(super) before: f64,
    pub(super) after: f64,
    /// Whether it leads to the same board as the engine's turn.
    pub(super) is_best: bool,
}

/// Judges the turns of both players.
pub(super) fn judge(turns: &[PlayedTurn]) -> GameReport {
    let judged: Vec<JudgedTurn> = turns.iter().map(judge_turn).collect();
    let report = |side| player_report(judged.iter().filter(|turn| turn.side == Side::letter(side)));
    GameReport { gold: report(Side::Gold), silver: report(Side::Silver), turns: judged }
}

fn judge_turn(turn: &PlayedTurn) -> JudgedTurn {
    let change = turn.after - turn.before;
    let loss = if turn.side == Side::Gold { -change } else { change };
    // The search after the turn sees more than the one before it: a gain means that the turn was better than its own.
    let loss = if turn.is_best { 0.0 } else { loss.max(0.0) };
    JudgedTurn {
        played: turn.played,
        tag: turn.tag.clone(),
        side: turn.side.letter(),
        loss,
        accuracy: 100.0 * (-loss / ACCURACY_SCALE).exp(),
        verdict: VERDICTS.iter().find(|(limit, _)| loss >= *limit).map(|&(_, name)| name),
    }
}

fn player_report<'a>(turns: impl Iterator<Item = &'a JudgedTurn>) -> PlayerReport {
    let mut report = PlayerReport::default();
    let mut sum = 0.0;
    for turn in turns {
        report.turns += 1;
        sum += turn.accuracy;
        match turn.verdict {
            Some("blunder") => report.blunders += 1,
            Some("mistake") => report.mistakes += 1,
            Some(_) => report.inaccuracies += 1,
            None => {}
        }
    }
    report.accuracy = (report.turns > 0).then(|| sum / report.turns as f64);
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(side: Side, before: f64, after: f64) -> PlayedTurn {
        PlayedTurn { played: 0, tag: "2g".into(), side, before, after, is_best: false }
    }

    #[test]
    fn losses_are_judged_from_the_side_of_the_player() {
        let report = judge(&[
            turn(Side::Gold, 0.5, 0.45),
            turn(Side::Silver, 0.45, 0.52),
            turn(Side::Gold, 0.52, 0.39),
            turn(Side::Silver, 0.39, 0.60),
            turn(Side::Gold, 0.60, 0.70),
        ]);
        let verdicts: Vec<_> = report.turns.iter().map(|turn| turn.verdict).collect();
        assert_eq!(verdicts, [None, Some("inaccuracy"), Some("mistake"), Some("blunder"), None]);
        let count =
            |player: &PlayerReport| (player.turns, player.inaccuracies, player.mistakes, player.blunders);
        assert_eq!((count(&report.gold), count(&report.silver)), ((3, 0, 1, 0), (2, 1, 0, 1)));
        assert_eq!((report.turns[4].loss, report.turns[4].accuracy), (0.0, 100.0), "a gain is no loss");
    }

    #[test]
    fn the_turn_of_the_engine_loses_nothing() {
        let best = PlayedTurn { is_best: true, ..turn(Side::Gold, 0.6, 0.3) };
        let report = judge(&[best]);
        assert_eq!((report.turns[0].loss, report.turns[0].verdict), (0.0, None));
        assert_eq!((report.gold.accuracy, report.silver.accuracy), (Some(100.0), None));
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        let losses = [0.0, 0.05, 0.1, 0.3, 1.0];
        let turns: Vec<_> = losses.iter().map(|loss| turn(Side::Gold, 1.0, 1.0 - loss)).collect();
        let report = judge(&turns);
        let accuracies: Vec<f64> = report.turns.iter().map(|turn| turn.accuracy).collect();
        assert!(accuracies.windows(2).all(|pair| pair[0] > pair[1]) && accuracies[4] > 0.0, "{accuracies:?}");
        let mean = accuracies.iter().sum::<f64>() / 5.0;
        assert!((report.gold.accuracy.unwrap() - mean).abs() < 1e-9);
    }
}
