//! Plays a record through by the rules of its time.

use surus_record::RawGame;
use surus_rules::{
    Board, Game, IllegalTurn, Position, Record, RecordErrorKind, Replay, Rules, Side, Termination, Token,
};

use super::reject::RejectReason;

/// A game that is legal from its beginning to its end.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedGame {
    /// More than one where play went on from a position whose history no longer counts.
    pub(crate) segments: Vec<Game>,
    pub(crate) rules: Rules,
    pub(crate) takebacks: usize,
}

/// Plays a row of the archive, whose date tells the rules.
pub(crate) fn replay_dated(source: &RawGame) -> Result<ReplayedGame, (RejectReason, String)> {
    play(source, source.rules)
}

/// Plays a record that does not tell its time: today's rules are tried first, then those of the time before. Test records
/// of programs are taken as they are: one goes on after a third repetition, one begins with a position.
pub(crate) fn replay_undated(source: &RawGame) -> Result<ReplayedGame, (RejectReason, String)> {
    let first = match play(source, Rules::Official) {
        Ok(legal) => return Ok(legal),
        Err(error) => error,
    };
    let fragment = |()| from_placements(source);
    [Rules::Classic2005, Rules::Classic2004]
        .into_iter()
        .find_map(|rules| play(source, rules).ok())
        .or_else(|| replay_past_repetition(source))
        .or_else(|| fragment(()))
        .ok_or(first)
}

fn play(source: &RawGame, rules: Rules) -> Result<ReplayedGame, (RejectReason, String)> {
    let record = Record::parse(&source.record).map_err(|error| (RejectReason::Record, error.to_string()))?;
    let mut replay = Replay { game: source.initial_game(rules), takebacks: 0 };
    record.replay_into(&mut replay).map_err(|error| (why(&error.problem), error.to_string()))?;
    Ok(ReplayedGame { segments: vec![replay.game], rules, takebacks: replay.takebacks })
}

const fn why(problem: &RecordErrorKind) -> RejectReason {
    match problem {
        RecordErrorKind::Turn { error: IllegalTurn::Notation(_), .. } | RecordErrorKind::Tag(_) => {
            RejectReason::Record
        }
        RecordErrorKind::NoTurns => RejectReason::Empty,
        _ => RejectReason::Illegal,
    }
}

/// Goes on after third repetitions: each time with a game that begins there.
fn replay_past_repetition(source: &RawGame) -> Option<ReplayedGame> {
    let rules = Rules::Classic2005;
    let mut parts = Vec::new();
    let mut game = source.initial_game(rules);
    let mut rest = source.record.clone();
    let mut takebacks = 0;
    loop {
        let mut replay = Replay { game, takebacks: 0 };
        let played = Record::parse(&rest).and_then(|record| record.replay_into(&mut replay));
        takebacks += replay.takebacks;
        let line = match played {
            Ok(()) => {
                parts.push(replay.game);
                return Some(ReplayedGame { segments: parts, rules, takebacks });
            }
            Err(error) => error.line,
        };
        if replay.game.entries().is_empty()
            || replay.game.result().is_none_or(|ending| ending.reason != Termination::Repetition)
        {
            return None;
        }
        rest = rest.lines().skip(line - 1).collect::<Vec<_>>().join("\n");
        game = Game::from_position(replay.game.position(), replay.game.tag().number, rules);
        parts.push(replay.game);
    }
}

/// A record whose first lines place pieces where no setup may have them begins with the position that they make.
fn from_placements(source: &RawGame) -> Option<ReplayedGame> {
    let is_first = |line: &&str| line.starts_with(['1']) && line[1..].starts_with(['g', 's', 'w', 'b']);
    let mut board = Board::EMPTY;
    for line in source.record.lines().filter(is_first) {
        for word in line.split_whitespace().skip(1) {
            let Ok(Token::Placement(piece, square)) = word.parse() else { return None };
            board.set(square, Some(piece));
        }
    }
    let position = Position::new(board, Side::Gold).ok()?;
    let rest: Vec<&str> = source.record.lines().filter(|line| !is_first(line)).collect();
    let replay = Record::parse(&rest.join("\n"))
        .ok()?
        .replay_on(Game::from_position(&position, 2, Rules::Official))
        .ok()?;
    let played = !replay.game.entries().is_empty();
    played.then_some(ReplayedGame {
        segments: vec![replay.game],
        rules: Rules::Official,
        takebacks: replay.takebacks,
    })
}
