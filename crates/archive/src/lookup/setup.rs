//! Setups: the most frequent one.

use surus_rules::{Game, Handicap, Setup, Side};

use super::{Hit, LookupOptions, LookupResult};
use crate::error::Result;
use crate::explore::{Mirrored, PositionQuery, explore_with};
use crate::filter::GameFilter;
use crate::pack::SetupOrTurn;
use crate::rank::PositionId;
use crate::store::ArchiveDb;

/// Gold's most frequent setup. Setups are compared as boards.
pub(super) fn most_common(store: &ArchiveDb, game: &Game) -> Result<LookupResult> {
    most_chosen(store, game, &GameFilter::default())
}

/// Silver's most frequent reply to gold's setup; to an unknown setup, a copy of it.
pub(super) fn reply(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let filters = GameFilter { no_symmetry: !options.symmetry, ..GameFilter::default() };
    let result = most_chosen(store, game, &filters)?;
    if result.hit.is_some() {
        return Ok(result);
    }
    let own = Setup::from_board(game.turn_start(), Side::Gold).map(|setup| setup.flipped());
    Ok(LookupResult { hit: own.map(|setup| hit(setup, None, None)), ..result })
}

fn most_chosen(store: &ArchiveDb, game: &Game, filters: &GameFilter) -> Result<LookupResult> {
    let found = explore_with(store, game, filters, 0, Mirrored::Separate)?;
    // A handicap applied to that game, not to this one.
    let without_handicap = |text: &str| Setup::parse(text, game.side(), Handicap::None).ok();
    let hit = found.continuations.iter().find_map(|continuation| {
        Some(hit(
            without_handicap(&continuation.turn)?,
            Some(PositionId(continuation.top_position)),
            Some(continuation.games),
        ))
    });
    Ok(LookupResult { hit, examined: found.continuations.len(), ..LookupResult::default() })
}

const fn hit(setup: Setup, position: Option<PositionId>, games: Option<u64>) -> Hit {
    let played = SetupOrTurn::Setup(setup);
    Hit { played, position, rank: None, games, mirrored: false, flipped: false, recentred: false }
}

/// The query plan.
pub(super) fn plan(store: &ArchiveDb, game: &Game) -> Result<Vec<String>> {
    crate::explore::plan(store, &PositionQuery::new(game))
}
