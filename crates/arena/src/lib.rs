//! Engines against each other: matches, tournaments, ratings, sequential tests, test suites.

mod bout;
mod folder;
mod opening;
mod pace;
mod row;
mod runner;
mod schedule;

pub use bout::{Adjudication, Bout, Conditions, TurnNote, play};
pub use folder::{Folder, FolderError, Manifest, ManifestEngine, read_run};
pub use opening::{OpeningError, Openings};
pub use pace::Pace;
pub use row::Entry;
pub use runner::{Entrant, Run, RunError};
pub use schedule::{Fixture, Format, Schedule, Shard};
