//! The phases of a game, turn by turn \[Phase, figure 3\].

use serde::Serialize;
use surus_rules::{Board, Game, Phase, PlayedTurn, TurnTag};

use super::{PhaseFeatures, PhaseModel};

/// The phase of the board on which a turn was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PhaseOfTurn {
    /// The turn: number and side. That of the position to move in the end has not been played.
    pub turn: String,
    /// Pieces of the side that has fewer.
    pub min_pieces: u8,
    /// Advanced pieces of the side that has more.
    pub max_advanced: u8,
    /// Whether a side threatens to reach goal.
    pub goal_threat: bool,
    /// The phase, from 0.
    pub phase: usize,
    /// Its name.
    pub name: String,
    /// The probabilities of all phases.
    pub memberships: Vec<f32>,
}

/// The boards on which a turn was or is to be played, with that turn.
#[must_use]
pub fn decision_boards(game: &Game) -> Vec<(TurnTag, Board)> {
    let mut boards = Vec::new();
    let mut before = *game.origin().0;
    for entry in game.entries() {
        if matches!(entry.played, PlayedTurn::Turn(_)) {
            boards.push((entry.tag, before));
        }
        before = entry.board;
    }
    if matches!(game.phase(), Phase::Play(_)) {
        boards.push((game.tag(), before));
    }
    boards
}

/// The phase before each turn of a game after the setup, and of the position at its end unless the game is over.
#[must_use]
pub fn phase_course(game: &Game, model: &PhaseModel) -> Vec<PhaseOfTurn> {
    let of_turn = |(tag, board): (TurnTag, Board)| {
        let features = PhaseFeatures::new(&board);
        let phase = model.phase(features);
        PhaseOfTurn {
            turn: tag.to_string(),
            min_pieces: features.min_pieces,
            max_advanced: features.max_advanced,
            goal_threat: features.goal_threat,
            phase,
            name: model.phase_name(phase),
            memberships: model.memberships(features),
        }
    };
    decision_boards(game).into_iter().map(of_turn).collect()
}

#[cfg(test)]
mod tests {
    use surus_rules::Rules;

    use super::*;

    /// Gold advances three pieces and threatens to reach goal with a rabbit; silver stops it, so that the phase goes back.
    #[test]
    fn a_small_game_goes_through_all_phases() {
        let rows =
            [" rrrrrrr", "  hdcemh", "       d", "        ", "        ", "RH MD EH", "       C", " RRRRRRR"];
        let mut game = Game::from_text(&format!("g [{}]", rows.concat()), Rules::Official).unwrap();
        for turn in ["Hb3n Md3n De3n", "dh6w", "Ra3n Ra4n", "rb8w hc7w hb7s"] {
            game.play_text(turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
        }
        let course = phase_course(&game, &PhaseModel::default());
        let turns: Vec<(&str, &str, bool)> =
            course.iter().map(|turn| (turn.turn.as_str(), turn.name.as_str(), turn.goal_threat)).collect();
        assert_eq!(
            turns,
            [
                ("2g", "opening", false),
                ("2s", "middlegame", false),
                ("3g", "middlegame", false),
                ("3s", "endgame", true),
                ("4g", "middlegame", false),
            ]
        );
        assert!(course.iter().all(|turn| turn.min_pieces == 14));
        assert_eq!(course.iter().map(|turn| turn.max_advanced).collect::<Vec<_>>(), [0, 3, 3, 4, 4]);
        assert!(course.iter().all(|turn| (turn.memberships.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    }
}
