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

    /// A rabbit that nothing guards runs from its fourth rank to the eighth: the threat makes the position an endgame,
    /// and the capture of a cat before that a middlegame.
    #[test]
    fn a_small_game_goes_through_all_phases() {
        let text = "g [rrrrrrr hdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut game = Game::from_text(text, Rules::Official).unwrap();
        for turn in
            ["Hh2n Hh3n Hh4n Hh5n", "hh7n", "Hh6w Hg6s", "dg7e", "Rh1n Rh2n Rh3n Rh4n", "dh7w", "Rh5n"]
        {
            game.play_text(turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
        }
        let course = phase_course(&game, &PhaseModel::default());
        let phases: Vec<&str> = course.iter().map(|turn| turn.name.as_str()).collect();
        let tags: Vec<&str> = course.iter().map(|turn| turn.turn.as_str()).collect();
        assert_eq!(tags, ["2g", "2s", "3g", "3s", "4g", "4s", "5g", "5s"]);
        assert_eq!(phases, ["opening"; 8]);
        assert!(course.iter().all(|turn| (turn.memberships.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    }
}
