//! A fixed search whose node count changes only when the engine's behaviour does.

use surus_play::{Engine, EngineError, Job, Limits};
use surus_rules::{Game, Rules};

use crate::AlphaBeta;

/// How deep the search goes whose nodes stand in the file `BENCH`.
pub const BENCH_DEPTH: u32 = 9;

/// From the opening to the last few pieces, quiet and sharp.
const POSITIONS: [&str; 8] = [
    "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "s [                r    rcE          e  m   DC MR         R        ]",
    "g [               r         chemd   CHEMD          R               ]",
    "g [r   r   h  rr      c    Edr       e  r  H D M  rR C  CDH RRRRRRR]",
];

/// What a fixed search took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Entries into the search.
    pub nodes: u64,
    /// Boards that actions in the middle of turns led to.
    pub boards_made: u64,
    /// Those of them that were met for the first time in their turn.
    pub boards_distinct: u64,
}

/// Searches the fixed positions so many steps deep with so many threads, each with a fresh engine, so that their order does not matter.
/// `heard` hears of each position with its nodes; the sums come back.
pub fn bench(depth: u32, threads: u32, mut heard: impl FnMut(&str, u64)) -> Result<Bench, EngineError> {
    let mut sum = Bench::default();
    for text in POSITIONS {
        let failed = |error: &dyn std::fmt::Display| EngineError::Failed(format!("{text}: {error}"));
        let game = Game::from_text(text, Rules::Official).map_err(|error| failed(&error))?;
        let mut engine = AlphaBeta::default();
        for (name, value) in [("hash", "16"), ("threads", &threads.to_string())] {
            engine.set(name, value).map_err(|error| failed(&error))?;
        }
        let job = Job::limited(game, Limits { depth: Some(depth), ..Limits::default() });
        let mut here = 0;
        engine.think(&job, &mut |info| here = info.nodes.unwrap_or(here))?;
        heard(text, here);
        let (made, distinct) = engine.boards();
        sum.nodes += here;
        sum.boards_made += made;
        sum.boards_distinct += distinct;
    }
    Ok(sum)
}
