//! The explanation of the state of a game: of its last turn and of its position.

use surus_rules::{Board, Game, HistoryEntry, Phase, PlayedTurn, Side, Turn, TurnTag};

use crate::Remark;
use crate::position::explain_scene;
use crate::scene::Scene;
use crate::turn::turn_remarks;

/// Why a game cannot be explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExplainError {
    /// The setup is not complete.
    #[error("there is nothing to explain yet: {0} has not set up its pieces")]
    Setup(Side),
    /// A push has begun.
    #[error("complete the push first")]
    MidPush,
}

/// Remarks on the last turn of a game and on its position.
#[derive(Clone, Debug)]
pub struct GameExplanation {
    /// The tag of the last turn, if it is explained.
    pub tag: Option<TurnTag>,
    /// The board before that turn, otherwise the current one.
    pub before: Board,
    /// Remarks on that turn.
    pub turn: Vec<Remark>,
    /// The current board.
    pub after: Board,
    /// Remarks on the current position, addressed to the side to move; none if the game is over.
    pub position: Vec<Remark>,
}

/// Explains the last turn of a game, unless the next one has begun, and the current position.
///
/// # Errors
///
/// During a setup and in the middle of a push.
pub fn explain_game(game: &Game) -> Result<GameExplanation, ExplainError> {
    if let Phase::Setup(side) = game.phase() {
        return Err(ExplainError::Setup(side));
    }
    if game.position().is_mid_push() {
        return Err(ExplainError::MidPush);
    }
    let board = *game.position().board();
    let is_over = matches!(game.phase(), Phase::Over(_));
    let mut explanation = GameExplanation {
        tag: None,
        before: board,
        turn: Vec::new(),
        after: board,
        position: if is_over { Vec::new() } else { explain_scene(&Scene::of_game(game)) },
    };
    if let Some((entry, before, turn)) = last_turn(game).filter(|_| game.current_turn().is_empty())
        && let Ok(remarks) = turn_remarks(&before, entry.tag.side, &turn, game.rules())
    {
        explanation.tag = Some(entry.tag);
        explanation.before = before;
        explanation.turn = remarks;
    }
    Ok(explanation)
}

/// The last turn, with the board before it.
fn last_turn(game: &Game) -> Option<(&HistoryEntry, Board, Turn)> {
    let (last, earlier) = game.entries().split_last()?;
    let PlayedTurn::Turn(turn) = last.played else { return None };
    let before = earlier.last().map_or(*game.origin().0, |entry| entry.board);
    Some((last, before, turn))
}

#[cfg(test)]
mod tests {
    use surus_rules::{Handicap, Rules};

    use super::*;

    const BOARD: &str = "[       r     h      H     d            E    C  h    c        R  ]";

    fn texts(remarks: &[Remark]) -> Vec<&str> {
        remarks.iter().map(|remark| remark.text.as_str()).collect()
    }

    #[test]
    fn the_last_turn_and_the_position_are_explained() {
        let mut game = Game::from_text(&format!("s {BOARD}"), Rules::Official).unwrap();
        let explanation = explain_game(&game).unwrap();
        assert_eq!((explanation.tag, explanation.turn.len()), (None, 0));
        assert!(texts(&explanation.position).iter().any(|text| text.contains("through g3")));

        game.play_text("ce2e").unwrap();
        let explanation = explain_game(&game).unwrap();
        assert_eq!(explanation.tag, game.entries().last().map(|entry| entry.tag));
        let turn = texts(&explanation.turn);
        assert!(turn.iter().any(|text| text.starts_with("It saves the horse")), "{turn:?}");
        assert!(turn.iter().any(|text| text.starts_with("It leaves the dog on c5")), "{turn:?}");
        assert_ne!(explanation.before, explanation.after);
    }

    #[test]
    fn a_finished_game_has_no_remarks_on_its_position() {
        let board = format!("g [r       {:8}{:40}{:8}]", " R", "", "R");
        let mut game = Game::from_text(&board, Rules::Official).unwrap();
        game.play_text("Rb7n").unwrap();
        let explanation = explain_game(&game).unwrap();
        assert_eq!(texts(&explanation.turn), ["Gold's rabbit on b7 reaches its goal on b8."]);
        assert!(explanation.position.is_empty());
    }

    #[test]
    fn setups_and_pushes_in_progress_are_refused() {
        let error = explain_game(&Game::new(Rules::Official, Handicap::None)).unwrap_err();
        assert_eq!(error.to_string(), "there is nothing to explain yet: gold has not set up its pieces");
        let mut game = Game::from_text(&format!("g {BOARD}"), Rules::Official).unwrap();
        game.step("hh3w".parse().unwrap()).unwrap();
        assert_eq!(explain_game(&game).unwrap_err(), ExplainError::MidPush);
    }
}
