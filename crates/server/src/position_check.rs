//! Checks an edited position, in words.

use surus_rules::{Board, GameResult, Piece, PieceKind, Position, PositionError, Rules, Side, TurnTag};

use crate::api::{EditedPosition, PositionCheck};
use crate::replay::{ReplayError, quoted_tag};

/// Everything that is wrong or unusual.
pub(crate) fn check_position(edited: &EditedPosition) -> Result<PositionCheck, ReplayError> {
    let board = Board::from_compact(&edited.board)?;
    let tag = TurnTag::parse(&edited.tag).ok_or_else(|| ReplayError::Tag(quoted_tag(&edited.tag)))?;
    let errors = errors(&board);
    let mut notes = Vec::new();
    let mut playable = false;
    if errors.is_empty() {
        let ended = GameResult::from_board(&board, tag.side.other(), Rules::Official);
        if let Some(result) = ended {
            notes.push(format!("The game is over: {result}."));
        }
        playable = ended.is_none() && Position::new(board, tag.side).is_ok();
        notes.extend(missing_elephants(&board));
        if playable && edited.steps_left < 4 {
            notes.push(format!(
                "A turn with {} left can be analysed, but not played as a game.",
                steps(edited.steps_left)
            ));
        }
    }
    Ok(PositionCheck { errors, notes, playable })
}

fn steps(count: u8) -> String {
    if count == 1 { "1 step".into() } else { format!("{count} steps") }
}

fn errors(board: &Board) -> Vec<String> {
    let mut errors = Vec::new();
    for side in Side::BOTH {
        for kind in PieceKind::ALL {
            let (found, max) = (board.count(side, kind), kind.starting_count());
            if found > max {
                errors.push(format!("There are {found} {side} {kind}s: expected at most {max}."));
            }
        }
        for trap in board.unguarded(side) {
            if let Some(piece) = board.piece_at(trap) {
                errors.push(sentence(&PositionError::Unguarded { piece, trap }.to_string()));
            }
        }
        if board.rabbits(side).is_empty() {
            errors.push(format!("{} has no rabbit and has lost.", sentence_start(side)));
        }
    }
    errors
}

fn missing_elephants(board: &Board) -> impl Iterator<Item = String> {
    let elephants = Side::BOTH.map(|side| Piece::new(side, PieceKind::Elephant));
    let missing = elephants.map(|piece| board.iter().all(|(_, other)| other != piece));
    let sides = Side::BOTH.into_iter().zip(missing);
    sides
        .filter(|&(_, is_missing)| is_missing)
        .map(|(side, _)| format!("{} has no elephant.", sentence_start(side)))
}

fn sentence_start(side: Side) -> &'static str {
    match side {
        Side::Gold => "Gold",
        Side::Silver => "Silver",
    }
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(board: &str, steps_left: u8) -> PositionCheck {
        let edited = EditedPosition { board: board.into(), tag: "2g".into(), steps_left };
        check_position(&edited).unwrap()
    }

    #[test]
    fn a_usual_position_is_playable() {
        let check = check("rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR", 4);
        assert_eq!((check.errors.len(), check.notes.len(), check.playable), (0, 0, true));
    }

    #[test]
    fn all_errors_are_listed_in_words() {
        let check = check("ee                R                                             ", 4);
        assert_eq!(
            check.errors,
            [
                "The gold rabbit on the trap c6 has no friendly piece next to it and would be captured.",
                "There are 2 silver elephants: expected at most 1.",
                "Silver has no rabbit and has lost.",
            ]
        );
        assert!(!check.playable);
    }

    #[test]
    fn unusual_positions_have_notes() {
        let goal = check("R                                  eE                          r", 4);
        assert!(!goal.playable && goal.notes[0].starts_with("The game is over"), "{:?}", goal.notes);
        let part = check("r                                  e                           R", 2);
        assert!(part.playable);
        assert_eq!(
            part.notes,
            ["Gold has no elephant.", "A turn with 2 steps left can be analysed, but not played as a game."]
        );
    }

    #[test]
    fn invalid_boards_and_tags_are_errors() {
        let edited =
            |board: &str, tag: &str| EditedPosition { board: board.into(), tag: tag.into(), steps_left: 4 };
        assert!(check_position(&edited("R", "2g")).is_err());
        assert!(check_position(&edited(&" ".repeat(64), "x")).is_err());
    }
}
