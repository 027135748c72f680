//! The steps of a turn, as the API describes them.

use surus_rules::{Board, Piece, Square, Step, Token};

use crate::api::{PlacedPiece, StepInfo};

/// A step played on `board`.
pub(crate) fn step_info(board: &Board, step: Step) -> StepInfo {
    StepInfo { captured: board.captured_by(step).map(placed_piece), ..without_capture(step) }
}

/// The steps of a turn in record notation, which includes captures. Placements and everything unknown are skipped.
pub(crate) fn steps_from_text(text: &str) -> Vec<StepInfo> {
    let mut steps: Vec<StepInfo> = Vec::new();
    for word in text.split_whitespace() {
        match (word.parse(), steps.last_mut()) {
            (Ok(Token::Step(step)), _) => steps.push(without_capture(step)),
            (Ok(Token::Capture(piece, square)), Some(last)) => {
                last.captured = Some(placed_piece((piece, square)));
            }
            _ => {}
        }
    }
    steps
}

pub(crate) fn placed_piece((piece, square): (Piece, Square)) -> PlacedPiece {
    PlacedPiece { piece: piece.letter(), square: square.to_string() }
}

fn without_capture(step: Step) -> StepInfo {
    StepInfo {
        text: step.to_string(),
        piece: step.piece().letter(),
        from: step.from().to_string(),
        to: step.to().to_string(),
        captured: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_belong_to_the_preceding_step() {
        let steps = steps_from_text("Ed3e rc3x Ee3n");
        let texts: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(texts, ["Ed3e", "Ee3n"]);
        assert_eq!(steps[0].captured, Some(PlacedPiece { piece: 'r', square: "c3".into() }));
        assert_eq!((steps[1].piece, steps[1].from.as_str(), steps[1].to.as_str()), ('E', "e3", "e4"));
        assert_eq!(steps[1].captured, None);
    }

    #[test]
    fn placements_and_unknown_words_are_skipped() {
        assert_eq!(steps_from_text("Ra1 Rb1 zz"), []);
        assert_eq!(steps_from_text("rc3x"), []);
    }
}
