//! Engines against each other: matches, tournaments, ratings, sequential tests, test suites.

mod bout;
mod crosstable;
mod fit;
mod folder;
mod llr;
mod merge;
mod normal;
mod opening;
mod pace;
mod ratings;
mod report;
mod row;
mod runner;
mod scale;
mod schedule;
mod score;
mod spec;
mod sprt;
mod standing;
mod stats;

pub use bout::{Adjudication, Bout, Conditions, TurnNote, play};
pub use crosstable::Crosstable;
pub use folder::{Folder, FolderError, Manifest, ManifestEngine, read_run};
pub use merge::{MergeError, Merged, merge, schedule};
pub use opening::{OpeningError, Openings};
pub use pace::Pace;
pub use ratings::{Rated, RatingError, RatingOptions, Ratings, Scale, rate};
pub use report::{Report, SprtSummary, Summary};
pub use row::Entry;
pub use runner::{Entrant, Run, RunError};
pub use schedule::{Fixture, Format, Schedule, Shard};
pub use score::Scoreboard;
pub use spec::{EngineFile, EngineSpec, Source, SpecError, tell_apart};
pub use sprt::{Sprt, SprtError, SprtModel, SprtState};
pub use standing::Unbounded;
pub use stats::{Estimate, Outcome, Pairs, Tally, elo_of_score, score_of_elo};
