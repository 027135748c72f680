//! Conversion between the types of the archive and those of the API.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use surus_archive::{FullGame, GameFilter, GameHeader, PositionId};
use surus_record::{GameTree, RawGame};
use surus_rules::{GameResult, Rules, Side, Termination};

use crate::api::{ArchiveFilters, ArchivedGame, ParsedGame};
use crate::parse::parsed_game;
use crate::position_view::game_end;

pub(super) fn game_filter(filters: &ArchiveFilters) -> GameFilter {
    let non_empty = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(Into::into)
    };
    GameFilter {
        min_rating: filters.min_rating,
        max_rating: filters.max_rating,
        players: filters.players,
        event: non_empty(&filters.event),
        player: non_empty(&filters.player),
        from_year: filters.from_year,
        to_year: filters.to_year,
        result: filters.result,
        no_symmetry: filters.no_symmetry,
    }
}

/// A game without its turns, with the queried position.
pub(super) fn archived_game(position: Option<PositionId>, header: GameHeader) -> ArchivedGame {
    let year = |seconds| Some(Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::UTC).year());
    let result = game_result(&header);
    ArchivedGame {
        id: header.id,
        at_turn: position.map(|id| format!("{}{}", id.turn(), id.side().letter())),
        gold: header.gold,
        silver: header.silver,
        gold_rating: header.gold_rating,
        silver_rating: header.silver_rating,
        event: header.event,
        year: header.started.and_then(year),
        winner: winner(&header.result),
        reason: result.map_or_else(String::new, |result| result.reason.to_string()),
        turns: header.turns,
    }
}

fn winner(result: &str) -> Option<char> {
    result.chars().next().filter(|letter| "gs".contains(*letter))
}

fn game_result(header: &GameHeader) -> Option<GameResult> {
    let reason = Termination::from_letter(header.termination.chars().next()?)?;
    Some(GameResult { winner: winner(&header.result).and_then(Side::from_letter), reason })
}

/// A game with its turns, as if its text had been parsed.
pub(super) fn full_game(game: &FullGame) -> ParsedGame {
    let rules: Result<Rules, _> = game.rules.parse();
    let source = RawGame {
        name: game.header.id.to_string(),
        line: 1,
        record: game.record.clone(),
        rules: rules.clone().unwrap_or(Rules::Official),
        start: game.log.start,
    };
    let mut tree = GameTree::from_raw(&source);
    tree.set_times(&game.log);
    let mut parsed = parsed_game(tree);
    if let Err(unknown) = rules {
        parsed.error = Some(unknown.to_string());
    }
    let player = |name: &str, rating: Option<i64>| match rating {
        Some(rating) => format!("{name} ({rating})"),
        None => name.to_string(),
    };
    parsed.gold = player(&game.header.gold, game.header.gold_rating);
    parsed.silver = player(&game.header.silver, game.header.silver_rating);
    let number = game.header.external_id.map_or_else(String::new, |number| number.to_string());
    parsed.title = format!("{number} {}", game.header.event).trim().into();
    parsed.end = game_result(&game.header).map(game_end).or(parsed.end);
    parsed
}
