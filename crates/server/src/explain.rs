//! Explanations of a turn and of a position, as messages of the API.

use surus_explain::svg::visible_symbols;
use surus_explain::{BoardAt, ExplainError, explain_game};
use surus_geometry::zone::{Role, Zone};
use surus_rules::{Board, Game};

use crate::api::{Explanation, Remark, Trajectory};

/// Explains the last turn and the current position of a game.
pub(crate) fn explain(game: &Game) -> Result<Explanation, ExplainError> {
    let explanation = explain_game(game)?;
    let to_api = |remarks: &[surus_explain::Remark]| {
        let board = |remark: &surus_explain::Remark| match remark.when {
            BoardAt::Before => &explanation.before,
            BoardAt::After => &explanation.after,
        };
        remarks.iter().map(|remark| to_remark(remark, board(remark))).collect()
    };
    Ok(Explanation {
        tag: explanation.tag.map(|tag| tag.to_string()),
        turn: to_api(&explanation.turn),
        position: to_api(&explanation.position),
    })
}

/// A remark with the board of its zone and turn.
fn to_remark(remark: &surus_explain::Remark, board: &Board) -> Remark {
    Remark {
        topic: remark.topic.name(),
        side: remark.side.letter(),
        text: remark.text.clone(),
        line: remark.turn.map(|turn| board.notation(&turn)),
        zone: remark.zone.as_ref().map_or_else(Vec::new, |zone| trajectories(zone, board)),
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
