//! Every game in a database.
//!
//! A [`Store`] is a file of SQLite or a database of PostgreSQL with the same tables. [`import`](import::import) fills it, the
//! tiers of the document are looked up in it, people explore it, and the engine `mimic` plays out of it.
//!
//! ```
//! use surus_archive::{Filters, Place, Store, explore, import};
//!
//! let folder = std::env::temp_dir().join(format!("surus-archive-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let file = folder.join("games.txt");
//! std::fs::write(&file, "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n")?;
//! let store = Store::create(&Place::File(folder.join("archive.db")))?;
//! let done = import::import(&store, &[file], &Default::default(), &Default::default(), &mut |_| {})?;
//! assert_eq!((done.games, done.positions), (1, 1));
//! let found = explore(&store, &Default::default(), &Filters::default())?;
//! assert_eq!(found.choices[0].games, 1);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bench;
mod common;
mod cut;
mod error;
mod explore;
mod export;
mod filter;
mod games;
mod hash;
pub mod import;
mod mimic;
mod pack;
mod positions;
mod rank;
mod sample;
mod search;
mod setups;
mod stats;
mod store;
mod synth;
mod tier;
mod view;

pub use bench::{Timing, bench, mean_times, questions};
pub use cut::{Cut, Kept, cut, day};
pub use error::{ArchiveError, ChoiceError, Result};
pub use explore::{Choice, Exploration, explore};
pub use export::{Column, Format, GAME_COLUMNS, POSITION_COLUMNS, export_games, export_positions};
pub use filter::{Filters, Outcome, Players};
pub use games::{FullGame, GameLine, Player, by_number, game, games, games_of, players};
pub use mimic::Mimic;
pub use pack::{Next, movers, pack_board, pack_played, unpack_board, unpack_next};
pub use positions::{StoredPosition, each_position, position};
pub use rank::{About, PositionId, Rank};
pub use sample::{Sample, sample};
pub use search::{Partial, search};
pub use setups::{SetupLine, SetupOrder, setup_name, setups};
pub use stats::{Stats, stats};
pub use store::{Place, Store, VERSION, data_folder};
pub use synth::{Made, Synth};
pub use tier::{AskOptions, Asked, Hit, Tier, WinsImported, ask, import_wins, last_moved, plan};
pub use view::Center;
