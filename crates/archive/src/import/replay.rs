//! Replays a record under the rules of its time.

use surus_record::RawGame;
use surus_rules::{
    Board, Game, IllegalTurn, Position, Record, RecordErrorKind, Replay, Rules, Side, Termination, Token,
};

use super::reject::RejectReason;

/// A game that is legal from beginning to end.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedGame {
    /// More than one segment where play continued after a position whose history no longer counts.
    pub(crate) segments: Vec<Game>,
    pub(crate) rules: Rules,
    pub(crate) takebacks: usize,
}

/// Replays a row of an archive file, whose date determines the rules.
pub(crate) fn replay_dated(source: &RawGame) -> Result<ReplayedGame, (RejectReason, String)> {
    play(source, source.rules)
}

/// Replays a record without a date: under the current rules first, then under earlier ones. Records of test games are
/// accepted as well: they may continue after a third repetition or start from a position.
pub(crate) fn replay_undated(source: &RawGame) -> Result<ReplayedGame, (RejectReason, String)> {
    let first = match play(source, Rules::Official) {
        Ok(replayed) => return Ok(replayed),
        Err(error) => error,
    };

    [Rules::Classic2005, Rules::Classic2004]
        .into_iter()
        .find_map(|rules| play(source, rules).ok())
        .or_else(|| replay_past_repetition(source))
        .or_else(|| from_placements(source))
        .ok_or(first)
}

fn play(source: &RawGame, rules: Rules) -> Result<ReplayedGame, (RejectReason, String)> {
    let record = Record::parse(&source.record).map_err(|error| (RejectReason::Record, error.to_string()))?;
    let mut replay = Replay { game: source.initial_game(rules), takebacks: 0 };
    record.replay_into(&mut replay).map_err(|error| (reject_reason(&error.problem), error.to_string()))?;
    Ok(ReplayedGame { segments: vec![replay.game], rules, takebacks: replay.takebacks })
}

const fn reject_reason(problem: &RecordErrorKind) -> RejectReason {
    match problem {
        RecordErrorKind::Turn { error: IllegalTurn::Notation(_), .. } | RecordErrorKind::Tag(_) => {
            RejectReason::Record
        }
        RecordErrorKind::NoTurns => RejectReason::Empty,
        _ => RejectReason::Illegal,
    }
}

/// Continues after each third repetition with a new game from that position.
fn replay_past_repetition(source: &RawGame) -> Option<ReplayedGame> {
    let rules = Rules::Classic2005;
    let mut segments = Vec::new();
    let mut game = source.initial_game(rules);
    let mut remaining = source.record.clone();
    let mut takebacks = 0;
    loop {
        let mut replay = Replay { game, takebacks: 0 };
        let played = Record::parse(&remaining).and_then(|record| record.replay_into(&mut replay));
        takebacks += replay.takebacks;
        let line = match played {
            Ok(()) => {
                segments.push(replay.game);
                return Some(ReplayedGame { segments, rules, takebacks });
            }
            Err(error) => error.line,
        };
        if replay.game.entries().is_empty()
            || replay.game.result().is_none_or(|result| result.reason != Termination::Repetition)
        {
            return None;
        }
        remaining = remaining.lines().skip(line - 1).collect::<Vec<_>>().join("\n");
        game = Game::from_position(replay.game.position(), replay.game.tag().number, rules);
        segments.push(replay.game);
    }
}

/// A record whose first lines place pieces outside the home ranks starts from the resulting position.
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
    let remaining: Vec<&str> = source.record.lines().filter(|line| !is_first(line)).collect();
    let replay = Record::parse(&remaining.join("\n"))
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
