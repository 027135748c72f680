//! How to set up: as most did.

use surus_rules::{Game, Handicap, Setup, Side};

use super::{Hit, LookupOptions, LookupResult};
use crate::error::Result;
use crate::explore::{PositionQuery as Question, explore_with};
use crate::filter::GameFilter;
use crate::pack::SetupOrTurn;
use crate::rank::PositionId;
use crate::store::ArchiveDb;

/// The setup of gold that was chosen most often. Setups are boards, however they are written down.
pub(super) fn most_common(store: &ArchiveDb, game: &Game) -> Result<LookupResult> {
    chosen_most(store, game, &GameFilter::default())
}

/// What silver answered most often to gold's setup; where nobody met it, silver sets up as gold did.
pub(super) fn answer(store: &ArchiveDb, game: &Game, options: &LookupOptions) -> Result<LookupResult> {
    let filters = GameFilter { no_symmetry: !options.symmetry, ..GameFilter::default() };
    let asked = chosen_most(store, game, &filters)?;
    if asked.hit.is_some() {
        return Ok(asked);
    }
    let own = Setup::from_board(game.turn_start(), Side::Gold).map(|setup| setup.flipped());
    Ok(LookupResult { hit: own.map(|setup| hit(setup, None, None)), ..asked })
}

fn chosen_most(store: &ArchiveDb, game: &Game, filters: &GameFilter) -> Result<LookupResult> {
    let found = explore_with(store, game, filters, 0)?;
    // A handicap was agreed by others, not by whoever asks.
    let whole = |text: &str| Setup::parse(text, game.side(), Handicap::None).ok();
    let hit = found.continuations.iter().find_map(|choice| {
        Some(hit(whole(&choice.turn)?, Some(PositionId(choice.top_position)), Some(choice.games)))
    });
    Ok(LookupResult { hit, examined: found.continuations.len(), ..LookupResult::default() })
}

const fn hit(setup: Setup, position: Option<PositionId>, games: Option<u64>) -> Hit {
    let next = SetupOrTurn::Setup(setup);
    Hit { next, position, rank: None, games, mirrored: false, flipped: false, recentred: false }
}

/// How the database finds what was chosen.
pub(super) fn plan(store: &ArchiveDb, game: &Game) -> Result<Vec<String>> {
    crate::explore::plan(store, &Question::new(game))
}
