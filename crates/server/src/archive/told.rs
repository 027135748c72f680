//! What the archive says, in the words of the API.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use surus_archive::{FullGame, GameFilter, GameHeader, PositionId};
use surus_record::{GameTree, RawGame};
use surus_rules::{GameResult, Rules, Side, Termination};

use crate::wire::{ArchiveFilters, ArchivedGame, ReadGame};
use crate::{read, view};

pub(super) fn filters(wanted: &ArchiveFilters) -> GameFilter {
    let named = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(Into::into)
    };
    GameFilter {
        min_rating: wanted.min_rating,
        max_rating: wanted.max_rating,
        players: wanted.players,
        event: named(&wanted.event),
        player: named(&wanted.player),
        from_year: wanted.from_year,
        to_year: wanted.to_year,
        outcome: wanted.outcome,
        no_symmetry: wanted.no_symmetry,
    }
}

/// A game in a line, with the position of it that was asked for.
pub(super) fn archived(position: Option<PositionId>, line: GameHeader) -> ArchivedGame {
    let year = |seconds| Some(Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::UTC).year());
    let ending = ending(&line);
    ArchivedGame {
        id: line.id,
        before: position.map(|id| format!("{}{}", id.turn(), id.side().letter())),
        gold: line.gold,
        silver: line.silver,
        gold_rating: line.gold_rating,
        silver_rating: line.silver_rating,
        event: line.event,
        year: line.started.and_then(year),
        winner: winner(&line.result),
        reason: ending.map_or_else(String::new, |ending| ending.reason.to_string()),
        turns: line.turns,
    }
}

fn winner(result: &str) -> Option<char> {
    result.chars().next().filter(|letter| "gs".contains(*letter))
}

fn ending(line: &GameHeader) -> Option<GameResult> {
    let reason = Termination::from_letter(line.termination.chars().next()?)?;
    Some(GameResult { winner: winner(&line.result).and_then(Side::from_letter), reason })
}

/// The whole game, as a text of it would be read.
pub(super) fn full_game(game: &FullGame) -> ReadGame {
    let rules: Result<Rules, _> = game.rules.parse();
    let source = RawGame {
        name: game.line.id.to_string(),
        line: 1,
        record: game.record.clone(),
        rules: rules.clone().unwrap_or(Rules::Official),
        start: game.log.start,
    };
    let mut tree = GameTree::of_source(&source);
    tree.set_times(&game.log);
    let mut told = read::shown(tree);
    if let Err(unknown) = rules {
        told.problem = Some(unknown.to_string());
    }
    let player = |name: &str, rating: Option<i64>| match rating {
        Some(rating) => format!("{name} ({rating})"),
        None => name.to_string(),
    };
    told.gold = player(&game.line.gold, game.line.gold_rating);
    told.silver = player(&game.line.silver, game.line.silver_rating);
    let number = game.line.number.map_or_else(String::new, |number| number.to_string());
    told.title = format!("{number} {}", game.line.event).trim().into();
    told.end = ending(&game.line).map(view::end).or(told.end);
    told
}
