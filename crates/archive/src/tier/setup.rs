//! How to set up: as most did.

use surus_rules::{Game, Handicap, Setup, Side};

use super::{AskOptions, Asked, Hit};
use crate::error::Result;
use crate::explore::{Asked as Question, explore_with};
use crate::filter::Filters;
use crate::pack::Next;
use crate::rank::PositionId;
use crate::store::Store;

/// The setup of gold that was chosen most often. Setups are boards, however they are written down.
pub(super) fn most_common(store: &Store, game: &Game) -> Result<Asked> {
    chosen_most(store, game, &Filters::default())
}

/// What silver answered most often to gold's setup; where nobody met it, silver sets up as gold did.
pub(super) fn answer(store: &Store, game: &Game, options: &AskOptions) -> Result<Asked> {
    let filters = Filters { no_symmetry: !options.symmetry, ..Filters::default() };
    let asked = chosen_most(store, game, &filters)?;
    if asked.hit.is_some() {
        return Ok(asked);
    }
    let own = Setup::of_board(game.turn_start(), Side::Gold).map(|setup| setup.flipped());
    Ok(Asked { hit: own.map(|setup| hit(setup, None, None)), ..asked })
}

fn chosen_most(store: &Store, game: &Game, filters: &Filters) -> Result<Asked> {
    let found = explore_with(store, game, filters, 0)?;
    // A handicap was agreed by others, not by whoever asks.
    let whole = |text: &str| Setup::parse(text, game.side(), Handicap::None).ok();
    let hit = found.choices.iter().find_map(|choice| {
        Some(hit(whole(&choice.turn)?, Some(PositionId(choice.best)), Some(choice.games)))
    });
    Ok(Asked { hit, looked_at: found.choices.len(), ..Asked::default() })
}

const fn hit(setup: Setup, position: Option<PositionId>, games: Option<u64>) -> Hit {
    let next = Next::Setup(setup);
    Hit { next, position, rank: None, games, mirrored: false, flipped: false, again: false }
}

/// How the database finds what was chosen.
pub(super) fn plan(store: &Store, game: &Game) -> Result<Vec<String>> {
    crate::explore::plan(store, &Question::new(game))
}
