//! The game archive: a database of games, their positions and what was played in them.
//!
//! An [`ArchiveDb`] is an SQLite file or a PostgreSQL database with the same tables. [`import`](import::import) fills it, the
//! lookup tiers of [McKee §3] query it, [`explore`] summarises it for people, and the engine [`Mimic`] plays from it.
//!
//! ```
//! use surus_archive::{ArchiveDb, DbLocation, GameFilter, explore, import};
//!
//! let directory = std::env::temp_dir().join(format!("surus-archive-{}", std::process::id()));
//! std::fs::create_dir_all(&directory)?;
//! let file = directory.join("games.txt");
//! std::fs::write(&file, "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n")?;
//! let db = ArchiveDb::open_or_create(&DbLocation::Sqlite(directory.join("archive.db")))?;
//! let summary = import::import(&db, &[file], &Default::default(), &Default::default(), &mut |_| {})?;
//! assert_eq!((summary.games_added, summary.positions), (1, 1));
//! let found = explore(&db, &Default::default(), &GameFilter::default())?;
//! assert_eq!(found.continuations[0].games, 1);
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bench;
mod error;
mod explore;
mod export;
mod extract;
mod filter;
mod games;
mod hash;
pub mod import;
mod lookup;
mod mimic;
mod pack;
mod position_stats;
mod positions;
mod rank;
mod sample;
mod search;
mod setups;
mod stats;
mod store;
mod synth;
mod view;

pub use bench::{Timing, bench, bench_positions, mean_times};
pub use error::{ArchiveError, ChoiceError, Result};
pub use explore::{Continuation, ExplorerResult, explore};
pub use export::{
    ExportColumn, ExportFormat, GAME_COLUMNS, POSITION_COLUMNS, export_games, export_positions,
};
pub use extract::{ExtractSummary, RowFilter, extract_rows, parse_date};
pub use filter::{GameFilter, PlayerTypes, ResultFilter};
pub use games::{
    FullGame, GameHeader, PlayerStats, find_by_external_id, game, games_by_player, games_through,
    search_players,
};
pub use lookup::{
    Hit, KnownWinsSummary, LookupOptions, LookupResult, Tier, import_wins, last_moved, lookup, plan,
};
pub use mimic::Mimic;
pub use pack::{SetupOrTurn, moved_pieces, pack_board, pack_played, unpack_board, unpack_played};
pub use positions::{StoredPosition, for_each_position, position};
pub use rank::{PositionAttributes, PositionId, Rank};
pub use sample::{SampleOptions, sample};
pub use search::{PositionPattern, search};
pub use setups::{SetupOrder, SetupStats, setup_name, setups};
pub use stats::{ArchiveStats, stats};
pub use store::{ArchiveDb, DbLocation, VERSION, data_dir};
pub use synth::{SyntheticGames, SyntheticSummary};
pub use view::AreaCenter;
