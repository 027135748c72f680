//! Explanations for the page.

use surus_geometry::explain::{BoardAt, Remark as Said, Topic, explain_position, explain_turn};
use surus_geometry::svg::visible_symbols;
use surus_geometry::zone::{Role, Zone};
use surus_rules::{Board, Game, Phase, PlayedTurn, Side};

use crate::wire::{Remark, Track, Why};

/// Why there is nothing to explain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum WhyError {
    #[error("there is nothing to explain yet: {0} has to set up its pieces")]
    Setup(Side),
    #[error("a push is half done: finish it first")]
    HalfPush,
}

/// What there is to say of a game as it stands.
pub(crate) fn why(game: &Game) -> Result<Why, WhyError> {
    if let Phase::Setup(side) = game.phase() {
        return Err(WhyError::Setup(side));
    }
    if game.position().is_mid_push() {
        return Err(WhyError::HalfPush);
    }
    let board = game.position().board();
    let (mut tag, mut turn) = (None, Vec::new());
    if let Some((last, before)) = last_turn(game).filter(|_| game.current_turn().is_empty())
        && let Ok(said) = explain_turn(&before, last.tag.side, &last_steps(last))
    {
        tag = Some(last.tag.to_string());
        turn = said.iter().map(|one| remark(one, &before, board)).collect();
    }
    let over = matches!(game.phase(), Phase::Over(_));
    let said = if over { Vec::new() } else { explain_position(board) };
    Ok(Why { tag, turn, position: said.iter().map(|one| remark(one, board, board)).collect() })
}

/// The last turn that was played, with the board before it.
fn last_turn(game: &Game) -> Option<(&surus_rules::HistoryEntry, Board)> {
    let entries = game.entries();
    let last = entries.last().filter(|entry| matches!(entry.played, PlayedTurn::Turn(_)))?;
    let before = match entries.len() {
        1 => *game.origin().0,
        count => entries[count - 2].board,
    };
    Some((last, before))
}

fn last_steps(entry: &surus_rules::HistoryEntry) -> surus_rules::Turn {
    match entry.played {
        PlayedTurn::Turn(turn) => turn,
        PlayedTurn::Setup(_) => surus_rules::Turn::EMPTY,
    }
}

fn remark(said: &Said, before: &Board, after: &Board) -> Remark {
    let board = if said.when == BoardAt::Before { before } else { after };
    Remark {
        topic: match said.topic {
            Topic::Goal => "goal",
            Topic::Capture => "capture",
            Topic::Loss => "loss",
            Topic::Defence => "defence",
            Topic::Threat => "threat",
            Topic::GoalRun => "run",
            Topic::None => "nothing",
        },
        side: said.side.letter(),
        text: said.text.clone(),
        line: said.turn.map(|turn| board.notation(&turn)),
        zone: said.zone.as_ref().map_or_else(Vec::new, |zone| tracks(zone, board)),
        board: board.compact(),
    }
}

fn tracks(zone: &Zone, board: &Board) -> Vec<Track> {
    visible_symbols(zone, board)
        .into_iter()
        .map(|symbol| Track {
            piece: symbol.piece.letter(),
            role: match symbol.role {
                Role::Captor | Role::Runner => "attack",
                Role::Victim => "victim",
                Role::Intercept => "intercept",
                Role::Support => "support",
            },
            path: symbol.path().0.iter().map(ToString::to_string).collect(),
            time: zone.printed_time(symbol),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::follow;
    use crate::wire::{Line, Origin};

    fn at(board: &str, tag: &str, turns: &[&str]) -> Result<Why, WhyError> {
        let origin = Some(Origin { board: board.into(), tag: tag.into() });
        let turns = turns.iter().map(ToString::to_string).collect();
        why(&follow(&Line { origin, turns, ..Line::default() }).unwrap())
    }

    const BOARD: &str = "       r     h      H     d            E    C  h    c        R  ";

    #[test]
    fn threats_of_either_side_come_with_their_zones() {
        let why = at(BOARD, "2g", &[]).unwrap();
        assert_eq!((why.tag, why.turn.len()), (None, 0));
        let horse = why.position.iter().find(|remark| remark.text.contains("through g3")).unwrap();
        assert_eq!(
            horse.text,
            "Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3; silver can guard f3 with \
             the cat from e2 or guard f3 with the dog from c5 (4 steps, but it can be captured then)."
        );
        assert_eq!((horse.topic, horse.side), ("threat", 'g'));
        assert!(horse.zone.iter().any(|track| track.role == "attack" && track.path == ["h4", "h3"]));
        assert!(horse.zone.iter().any(|track| track.role == "intercept" && track.path == ["e2", "f2"]));
    }

    #[test]
    fn a_turn_is_explained_with_what_it_ends_and_what_it_leaves() {
        let why = at(BOARD, "2s", &["ce2e"]).unwrap();
        assert_eq!(why.tag.as_deref(), Some("2s"));
        let texts: Vec<&str> = why.turn.iter().map(|remark| remark.text.as_str()).collect();
        assert!(texts.iter().any(|text| text.starts_with("It saves the horse")), "{texts:?}");
        assert!(texts.iter().any(|text| text.starts_with("It leaves the dog on c5")), "{texts:?}");
    }

    #[test]
    fn a_setup_has_no_explanation() {
        let error = why(&follow(&Line::default()).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "there is nothing to explain yet: gold has to set up its pieces");
    }
}
