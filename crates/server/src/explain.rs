//! Explanations of a turn and of a position, as messages of the API.

use surus_explain::svg::visible_symbols;
use surus_explain::{BoardAt, ExplainError, Response, explain_game};
use surus_geometry::zone::{Role, Zone};
use surus_rules::{Board, Game, Turn};

use crate::api::{AnswerLine, DemoLine, Explanation, Remark, Trajectory};
use crate::steps::step_info;

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
        side: game.side().letter(),
        board: explanation.after.compact(),
        tag: explanation.tag.map(|tag| tag.to_string()),
        turn: to_api(&explanation.turn),
        position: to_api(&explanation.position),
    })
}

/// A remark with the board of its zone and lines.
fn to_remark(remark: &surus_explain::Remark, board: &Board) -> Remark {
    let (answers, answer_count) = answers(remark, board);
    Remark {
        topic: remark.topic.name(),
        side: remark.side.letter(),
        text: remark.text.clone(),
        line: remark.line.map(|turn| demo_line(board, &turn)),
        response: remark.response_text.clone(),
        answers,
        answer_count,
        zone: remark.zone.as_ref().map_or_else(Vec::new, |zone| trajectories(zone, board)),
        board: board.compact(),
    }
}

/// The answers to a threat and the number of the shortest ones, or the reply to a capture.
fn answers(remark: &surus_explain::Remark, board: &Board) -> (Vec<AnswerLine>, usize) {
    match &remark.response {
        Response::Defences { answers, count, .. } => {
            let answers = answers
                .iter()
                .map(|answer| AnswerLine { text: answer.text.clone(), line: demo_line(board, &answer.turn) });
            (answers.collect(), *count)
        }
        Response::Reply(aftermath) => {
            let steps = remark.line.iter().flat_map(Turn::steps);
            let after = steps.fold(*board, |board, step| board.after_step(step));
            let reply = aftermath.reply().map(|turn| AnswerLine {
                text: remark.response_text.clone(),
                line: demo_line(&after, &turn),
            });
            (reply.into_iter().collect(), 0)
        }
        Response::None | Response::Unstoppable => (Vec::new(), 0),
    }
}

fn demo_line(board: &Board, turn: &Turn) -> DemoLine {
    let mut current = *board;
    let steps = turn.steps().map(|step| {
        let info = step_info(&current, step);
        current = current.after_step(step);
        info
    });
    DemoLine { board: board.compact(), steps: steps.collect(), text: board.notation(turn) }
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
    fn threats_include_lines_answers_and_zones() {
        let explanation = at(BOARD, "2s", &[]).unwrap();
        assert_eq!((explanation.side, explanation.tag, explanation.turn.len()), ('s', None, 0));
        let horse = &explanation.position[0];
        assert_eq!(
            horse.text,
            "Gold threatens to capture your horse on h3: its elephant on h4 pushes the horse from h3 through g3 into the \
             trap on f3."
        );
        assert_eq!((horse.topic, horse.side), ("threat", 'g'));
        let line = horse.line.as_ref().unwrap();
        assert_eq!((line.board.as_str(), line.text.as_str()), (BOARD, "hh3w Eh4s hg3w hf3x Eh3w"));
        assert_eq!(line.steps[2].captured.as_ref().map(|captured| captured.square.as_str()), Some("f3"));
        let answers: Vec<&str> = horse.answers.iter().map(|answer| answer.line.text.as_str()).collect();
        assert_eq!(answers, ["ce2e dc5e", "ce2e"]);
        assert!(horse.response.ends_with(&horse.answers[0].text));
        let has = |role, path: [&str; 2]| {
            horse.zone.iter().any(|trajectory| trajectory.role == role && trajectory.path == path)
        };
        assert!(has("attack", ["h4", "h3"]) && has("intercept", ["e2", "f2"]));
    }

    #[test]
    fn a_capture_has_the_reply_on_the_board_after_it() {
        let board = format!("{:8}{:8}{:8}{:24}{:8}{:8}", "r", " R", "   hE", "", "      r", "R");
        let explanation = at(&board, "2g", &[]).unwrap();
        assert_eq!(explanation.position[0].topic, "win");
        let capture = explanation.position.iter().find(|remark| remark.topic == "capture").unwrap();
        let [reply] = capture.answers.as_slice() else { panic!("{capture:?}") };
        assert_eq!(reply.text, "If you stop there, silver can win by a goal on g1.");
        assert_eq!((reply.line.text.as_str(), &reply.line.board[16..24]), ("rg2s", "   E    "));
        assert_eq!(capture.answer_count, 0);
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
