//! A position as the page sees it: the legal actions, and why everything else is illegal.

use surus_rules::{
    Bitboard, Board, Direction, Game, GameResult, IllegalStep, Pending, Phase, Position, Side, Square, Step,
};

use crate::api::{GameEnd, ImmobilePiece, LegalAction, PositionView, StartPosition, StepInfo};
use crate::paths::piece_paths;
use crate::steps::{step_info, steps_from_text};

/// The current position of a game with its legal actions.
pub(crate) fn position_view(game: &Game) -> PositionView {
    let position = game.position();
    let board = position.board();
    let phase = game.phase();
    let playing = matches!(phase, Phase::Play(_));
    let actions = if playing { legal_actions(position) } else { Vec::new() };
    let immobile = if playing { immobile_pieces(position, &actions) } else { Vec::new() };
    let end_turn_error = game.check_end_turn().err().map(|error| error.to_string());
    let (push_to, pull_to) = match position.pending() {
        Pending::Push { vacated, .. } => (Some(vacated.to_string()), None),
        Pending::Pull { vacated, .. } => (None, Some(vacated.to_string())),
        Pending::None => (None, None),
    };
    let turn_text = game.turn_start().notation(game.current_turn());
    PositionView {
        board: board.compact(),
        side: game.side().letter(),
        tag: game.tag().to_string(),
        phase: match phase {
            Phase::Setup(_) => "setup",
            Phase::Play(_) => "play",
            Phase::Over(_) => "over",
        },
        steps_played: steps_from_text(&turn_text),
        turn_text,
        steps_left: position.steps_left(),
        pull_to: pull_to.filter(|square| actions.iter().any(|action| is_pull_to(action, square))),
        actions,
        paths: if playing { piece_paths(position) } else { Vec::new() },
        push_to,
        immobile,
        frozen: (board.frozen(Side::Gold) | board.frozen(Side::Silver))
            .into_iter()
            .map(|square| square.to_string())
            .collect(),
        can_end_turn: end_turn_error.is_none(),
        end_turn_error,
        end: game.result().map(game_end),
    }
}

/// The position in which a game started.
pub(crate) fn start_position(game: &Game) -> StartPosition {
    let (board, tag) = game.origin();
    StartPosition { board: board.compact(), tag: tag.to_string() }
}

pub(crate) fn game_end(result: GameResult) -> GameEnd {
    GameEnd {
        winner: result.winner.map(Side::letter),
        reason: result.reason.to_string(),
        code: result.reason.letter(),
    }
}

fn is_pull_to(action: &LegalAction, square: &str) -> bool {
    action.kind == "pull" && matches!(&action.steps[..], [step] if step.to == square)
}

fn legal_actions(position: &Position) -> Vec<LegalAction> {
    let board = position.board();
    let mut actions = Vec::new();
    // A pending push or pull is completed by a single step.
    position.for_each_step(|step, pending| {
        let own = step.piece().side() == position.side();
        let kind = match position.pending() {
            Pending::Push { .. } => "push",
            Pending::Pull { .. } if !own && matches!(pending, Pending::None) => "pull",
            _ => return,
        };
        actions.push(LegalAction { kind, steps: vec![step_info(board, step)] });
    });
    if !position.is_mid_push() {
        board.for_each_action(position.side(), position.steps_left(), |action| {
            let kind = match action.second {
                None => "step",
                Some(second) if second.piece().side() == position.side() => "push",
                Some(_) => "pull",
            };
            actions.push(LegalAction { kind, steps: step_infos(board, action.steps()) });
        });
    }
    actions
}

fn step_infos(board: &Board, steps: impl IntoIterator<Item = Step>) -> Vec<StepInfo> {
    let mut board = *board;
    let mut infos = Vec::new();
    for step in steps {
        infos.push(step_info(&board, step));
        board = board.after_step(step);
    }
    infos
}

/// Every piece that no action moves, with the most informative reason.
fn immobile_pieces(position: &Position, actions: &[LegalAction]) -> Vec<ImmobilePiece> {
    let movable: Bitboard = actions
        .iter()
        .flat_map(|action| &action.steps)
        .filter_map(|step| step.from.parse::<Square>().ok())
        .fold(Bitboard::EMPTY, |all, square| all | Bitboard::from(square));
    let immobile = position.board().occupied() & !movable;
    immobile
        .into_iter()
        .map(|square| ImmobilePiece {
            square: square.to_string(),
            reason: immobility_reason(position, square),
        })
        .collect()
}

fn immobility_reason(position: &Position, square: Square) -> String {
    let Some(piece) = position.board().piece_at(square) else { return String::new() };
    let reasons: Vec<IllegalStep> = Direction::ALL
        .into_iter()
        .filter_map(|direction| position.try_step(Step::new(piece, square, direction)?).err())
        .collect();
    let is_informative = |reason: &&IllegalStep| {
        !matches!(reason, IllegalStep::Occupied { .. } | IllegalStep::RabbitBackward { .. })
    };
    match reasons.iter().find(is_informative) {
        Some(reason) => reason.to_string(),
        None => format!("the {} on {square} has no free square to step to", piece.kind()),
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::{Rules, Token};

    use super::*;
    use crate::api::PlacedPiece;

    fn is_action(action: &LegalAction, kind: &str, steps: &[&str]) -> bool {
        action.kind == kind && action.steps.iter().map(|step| step.text.as_str()).eq(steps.iter().copied())
    }

    fn view_of(text: &str) -> PositionView {
        position_view(&Game::from_text(text, Rules::Official).unwrap())
    }

    const FROZEN: &str = "5g
 +-----------------+
8| r . . . . . . r |
7| . . . . . . . . |
6| . . x . . x . . |
5| . . . e . . . . |
4| . . . H . . . . |
3| . . x . . x . . |
2| . . . E . . . . |
1| R . . . . . . R |
 +-----------------+
   a b c d e f g h";

    #[test]
    fn immobile_pieces_come_with_a_reason() {
        let view = view_of(FROZEN);
        assert_eq!((view.phase, view.side, view.steps_left), ("play", 'g', 4));
        assert!(view.actions.iter().any(|a| is_action(a, "step", &["Ed2n"])));
        assert_eq!(view.frozen, ["d4"]);
        let reason = |square: &str| {
            view.immobile.iter().find(|piece| piece.square == square).map(|piece| piece.reason.as_str())
        };
        assert_eq!(reason("d4"), Some("the horse on d4 is frozen by the elephant on d5"));
        assert_eq!(
            reason("a8"),
            Some("the rabbit on a8 can't be displaced: no stronger gold piece is next to it")
        );
        assert_eq!(view.end_turn_error.as_deref(), Some("a turn needs at least one step"));
    }

    #[test]
    fn pushes_and_pulls_are_actions_with_captures() {
        let mut game = surus_record::game("r7/8/8/8/8/rE6/8/7R").unwrap();
        let before = position_view(&game);
        assert!(before.actions.iter().any(|a| is_action(a, "push", &["ra3n", "Eb3w"])));
        assert!(before.actions.iter().any(|a| is_action(a, "pull", &["Eb3n", "ra3e"])));
        let fatal = before.actions.iter().find(|a| is_action(a, "step", &["Eb3e"])).unwrap();
        assert_eq!(fatal.steps[0].captured, Some(PlacedPiece { piece: 'E', square: "c3".into() }));
        let Ok(Token::Step(step)) = "Eb3n".parse() else { panic!("a step") };
        game.step(step).unwrap();
        let after = position_view(&game);
        assert_eq!(after.pull_to.as_deref(), Some("b3"));
        assert!(after.actions.iter().any(|a| is_action(a, "pull", &["ra3e"])));
    }
}
