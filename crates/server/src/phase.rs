//! The phases of a line, as messages of the API.

use surus_engine::phase::{PhaseFeatures, PhaseHeuristic, decision_boards};
use surus_rules::Game;

use crate::api::{PhaseCourse, TurnPhase};

/// The phase before each turn of a game, by the embedded heuristic.
pub(crate) fn phase_course(game: &Game) -> PhaseCourse {
    let heuristic = PhaseHeuristic::embedded();
    let turns = decision_boards(game).into_iter().map(|(tag, board)| {
        let features = PhaseFeatures::new(&board);
        let PhaseFeatures { min_pieces, max_advanced, goal_threat } = features;
        TurnPhase {
            tag: tag.to_string(),
            phase: heuristic.phase(features).name(),
            probabilities: heuristic.memberships(features),
            min_pieces,
            max_advanced,
            goal_threat,
        }
    });
    PhaseCourse { turns: turns.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{PlayedLine, StartPosition};
    use crate::replay::replay_line;

    fn course(board: &str, tag: &str, turns: &[&str]) -> Vec<TurnPhase> {
        let start = Some(StartPosition { board: board.into(), tag: tag.into() });
        let turns = turns.iter().map(ToString::to_string).collect();
        phase_course(&replay_line(&PlayedLine { start, turns, ..PlayedLine::default() }).unwrap()).turns
    }

    #[test]
    fn every_position_with_a_turn_to_play_has_a_phase() {
        let board = "rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR";
        let turns = course(board, "2g", &["Ee2n Ee3n", "ed7s"]);
        let tags: Vec<&str> = turns.iter().map(|turn| turn.tag.as_str()).collect();
        assert_eq!(tags, ["2g", "2s", "3g"]);
        assert!(turns.iter().all(|turn| turn.phase == "opening" && turn.probabilities[0] > 0.9));
    }

    #[test]
    fn a_threat_is_an_endgame_and_the_end_has_no_phase() {
        let board = "r                R                  e               E           ";
        let turns = course(board, "30g", &[]);
        assert_eq!((turns[0].phase, turns[0].goal_threat, turns[0].min_pieces), ("endgame", true, 2));
        assert_eq!(course(board, "30g", &["Rb6n Rb7n"]).len(), 1);
    }

    #[test]
    fn setups_have_no_phase() {
        let game = replay_line(&PlayedLine::default()).unwrap();
        assert!(phase_course(&game).turns.is_empty());
    }
}
