//! A position as the page sees it: everything that can be done, and why the rest can't.

use surus_rules::{
    Bitboard, Board, Direction, Game, GameResult, IllegalStep, Pending, Phase, Position, Side, Square, Step,
    Token,
};

use crate::ways;
use crate::wire::{End, LegalAction, Origin, Stuck, View};

/// All that can be done in a game now.
pub(crate) fn view(game: &Game) -> View {
    let position = game.position();
    let board = position.board();
    let phase = game.phase();
    let playing = matches!(phase, Phase::Play(_));
    let actions = if playing { actions(position) } else { Vec::new() };
    let stuck = if playing { stuck(position, &actions) } else { Vec::new() };
    let cannot_end = game.check_end_turn().err().map(|error| error.to_string());
    let (push_to, pull_to) = match position.pending() {
        Pending::Push { vacated, .. } => (Some(vacated.to_string()), None),
        Pending::Pull { vacated, .. } => (None, Some(vacated.to_string())),
        Pending::None => (None, None),
    };
    View {
        board: board.compact(),
        side: game.side().letter(),
        tag: game.tag().to_string(),
        phase: match phase {
            Phase::Setup(_) => "setup",
            Phase::Play(_) => "play",
            Phase::Over(_) => "over",
        },
        running: game.turn_start().notation(game.current_turn()),
        steps_left: position.steps_left(),
        pull_to: pull_to.filter(|square| actions.iter().any(|action| pulls_to(action, square))),
        actions,
        ways: if playing { ways::ways(position) } else { Vec::new() },
        push_to,
        stuck,
        frozen: (board.frozen(Side::Gold) | board.frozen(Side::Silver))
            .into_iter()
            .map(|s| s.to_string())
            .collect(),
        may_end: cannot_end.is_none(),
        cannot_end,
        end: game.result().map(end),
    }
}

/// Where a game began.
pub(crate) fn origin(game: &Game) -> Origin {
    let (board, tag) = game.origin();
    Origin { board: board.compact(), tag: tag.to_string() }
}

pub(crate) fn end(ending: GameResult) -> End {
    End {
        winner: ending.winner.map(Side::letter),
        reason: ending.reason.to_string(),
        letter: ending.reason.letter(),
    }
}

fn pulls_to(action: &LegalAction, square: &str) -> bool {
    let goes_there =
        |step: &String| matches!(step.parse(), Ok(Token::Step(step)) if step.to().to_string() == square);
    action.kind == "pull" && action.steps.len() == 1 && action.steps.iter().all(goes_there)
}

fn actions(position: &Position) -> Vec<LegalAction> {
    let board = position.board();
    let mut found = Vec::new();
    // What the step before left open is finished by single steps.
    position.for_each_step(|step, pending| {
        let own = step.piece().side() == position.side();
        let kind = match position.pending() {
            Pending::Push { .. } => "push",
            Pending::Pull { .. } if !own && matches!(pending, Pending::None) => "pull",
            _ => return,
        };
        found.push(action(kind, board, [step]));
    });
    if !position.is_mid_push() {
        board.for_each_action(position.side(), position.steps_left(), |one| {
            let kind = match one.second {
                None => "step",
                Some(second) if second.piece().side() == position.side() => "push",
                Some(_) => "pull",
            };
            found.push(action(kind, board, one.steps()));
        });
    }
    found
}

fn action(kind: &'static str, board: &Board, steps: impl IntoIterator<Item = Step>) -> LegalAction {
    let (mut board, mut words, mut captures) = (*board, Vec::new(), Vec::new());
    for step in steps {
        captures
            .extend(board.captured_by(step).map(|(piece, trap)| Token::Placement(piece, trap).to_string()));
        words.push(step.to_string());
        board = board.after_step(step);
    }
    LegalAction { kind, steps: words, captures }
}

/// Every piece that no action moves, with the reason that tells most.
fn stuck(position: &Position, actions: &[LegalAction]) -> Vec<Stuck> {
    let moved: Bitboard = actions
        .iter()
        .flat_map(|action| &action.steps)
        .filter_map(|step| match step.parse() {
            Ok(Token::Step(step)) => Some(step.from()),
            _ => None,
        })
        .fold(Bitboard::EMPTY, |all, square| all | Bitboard::from(square));
    let still = position.board().occupied() & !moved;
    still
        .into_iter()
        .map(|square| Stuck { square: square.to_string(), why: why_stuck(position, square) })
        .collect()
}

fn why_stuck(position: &Position, square: Square) -> String {
    let Some(piece) = position.board().piece_at(square) else { return String::new() };
    let reasons: Vec<IllegalStep> = Direction::ALL
        .into_iter()
        .filter_map(|direction| position.try_step(Step::new(piece, square, direction)?).err())
        .collect();
    let tells = |reason: &&IllegalStep| !matches!(reason, IllegalStep::Occupied { .. });
    let backward = |reason: &&IllegalStep| matches!(reason, IllegalStep::RabbitBackward { .. });
    match reasons.iter().filter(tells).find(|reason| !backward(reason)) {
        Some(reason) => reason.to_string(),
        None => format!("the {} on {square} has no free square to step to", piece.kind()),
    }
}

#[cfg(test)]
mod tests {
    use surus_rules::Rules;

    use super::*;

    fn seen(text: &str) -> View {
        view(&Game::from_text(text, Rules::Official).unwrap())
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
    fn a_position_tells_what_can_be_done_and_why_the_rest_cannot() {
        let view = seen(FROZEN);
        assert_eq!((view.phase, view.side, view.steps_left), ("play", 'g', 4));
        assert!(view.actions.iter().any(|a| a.kind == "step" && a.steps == ["Ed2n"]));
        assert_eq!(view.frozen, ["d4"]);
        let why = |square: &str| view.stuck.iter().find(|s| s.square == square).map(|s| s.why.as_str());
        assert_eq!(why("d4"), Some("the horse on d4 is frozen by the elephant on d5"));
        assert_eq!(
            why("a8"),
            Some("the rabbit on a8 can't be moved: no stronger gold piece stands next to it")
        );
        assert_eq!(view.cannot_end.as_deref(), Some("a turn needs at least one step"));
    }

    #[test]
    fn pushes_and_pulls_are_actions_with_their_captures() {
        let mut game = surus_record::game("r7/8/8/8/8/rE6/8/7R").unwrap();
        let before = view(&game);
        assert!(before.actions.iter().any(|a| a.kind == "push" && a.steps == ["ra3n", "Eb3w"]));
        assert!(before.actions.iter().any(|a| a.kind == "pull" && a.steps == ["Eb3n", "ra3e"]));
        let fatal = before.actions.iter().find(|a| a.kind == "step" && a.steps == ["Eb3e"]).unwrap();
        assert_eq!(fatal.captures, ["Ec3"]);
        let Ok(Token::Step(step)) = "Eb3n".parse() else { panic!("a step") };
        game.step(step).unwrap();
        let after = view(&game);
        assert_eq!(after.pull_to.as_deref(), Some("b3"));
        assert!(after.actions.iter().any(|a| a.kind == "pull" && a.steps == ["ra3e"]));
    }
}
