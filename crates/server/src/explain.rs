//! Explanations of a turn and of a position.

use surus_geometry::explain::{BoardAt, Remark as Said, Topic, explain_position, explain_turn};
use surus_geometry::svg::visible_symbols;
use surus_geometry::zone::{Role, Zone};
use surus_rules::{Board, Game, Phase, PlayedTurn, Side};

use crate::api::{Explanation, Remark, Trajectory};

/// Why a position cannot be explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ExplainError {
    #[error("there is nothing to explain yet: {0} has not set up its pieces")]
    Setup(Side),
    #[error("complete the push first")]
    MidPush,
}

/// Explains the last turn and the current position of a game.
pub(crate) fn explain(game: &Game) -> Result<Explanation, ExplainError> {
    if let Phase::Setup(side) = game.phase() {
        return Err(ExplainError::Setup(side));
    }
    if game.position().is_mid_push() {
        return Err(ExplainError::MidPush);
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
    Ok(Explanation { tag, turn, position: said.iter().map(|one| remark(one, board, board)).collect() })
}

/// The last turn, with the board before it.
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
        zone: said.zone.as_ref().map_or_else(Vec::new, |zone| trajectories(zone, board)),
        board: board.compact(),
    }
}

fn trajectories(zone: &Zone, board: &Board) -> Vec<Trajectory> {
    visible_symbols(zone, board)
        .into_iter()
        .map(|symbol| Trajectory {
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
    use crate::api::{PlayedLine, StartPosition};
    use crate::replay::replay_line;

    fn at(board: &str, tag: &str, turns: &[&str]) -> Result<Explanation, ExplainError> {
        let start = Some(StartPosition { board: board.into(), tag: tag.into() });
        let turns = turns.iter().map(ToString::to_string).collect();
        explain(&replay_line(&PlayedLine { start, turns, ..PlayedLine::default() }).unwrap())
    }

    const BOARD: &str = "       r     h      H     d            E    C  h    c        R  ";

    #[test]
    fn threats_include_zones() {
        let explanation = at(BOARD, "2g", &[]).unwrap();
        assert_eq!((explanation.tag, explanation.turn.len()), (None, 0));
        let horse = explanation.position.iter().find(|remark| remark.text.contains("through g3")).unwrap();
        assert_eq!(
            horse.text,
            "Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3; silver can guard f3 with \
             the cat from e2 or guard f3 with the dog from c5 (4 steps, but it can be captured then)."
        );
        assert_eq!((horse.topic, horse.side), ("threat", 'g'));
        assert!(
            horse
                .zone
                .iter()
                .any(|trajectory| trajectory.role == "attack" && trajectory.path == ["h4", "h3"])
        );
        assert!(
            horse
                .zone
                .iter()
                .any(|trajectory| trajectory.role == "intercept" && trajectory.path == ["e2", "f2"])
        );
    }

    #[test]
    fn a_turn_is_explained() {
        let explanation = at(BOARD, "2s", &["ce2e"]).unwrap();
        assert_eq!(explanation.tag.as_deref(), Some("2s"));
        let texts: Vec<&str> = explanation.turn.iter().map(|remark| remark.text.as_str()).collect();
        assert!(texts.iter().any(|text| text.starts_with("It saves the horse")), "{texts:?}");
        assert!(texts.iter().any(|text| text.starts_with("It leaves the dog on c5")), "{texts:?}");
    }

    #[test]
    fn a_setup_has_no_explanation() {
        let error = explain(&replay_line(&PlayedLine::default()).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "there is nothing to explain yet: gold has not set up its pieces");
    }
}
