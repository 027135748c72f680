//! A fixed search whose node count changes only when the engine's behaviour does.

use surus_play::{Engine, EngineError, Job, Limits};
use surus_rules::{Game, Rules};

use crate::AlphaBeta;

/// The depth of the search whose node count is in the file `BENCH`.
pub const BENCH_DEPTH: u32 = 9;

/// Positions from the opening to the endgame, quiet and tactical.
pub const BENCH_POSITIONS: [&str; 8] = [
    "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "s [                r    rcE          e  m   DC MR         R        ]",
    "g [               r         chemd   CHEMD          R               ]",
    "g [r   r   h  rr      c    Edr       e  r  H D M  rR C  CDH RRRRRRR]",
];

/// The totals of the bench search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Nodes searched.
    pub nodes: u64,
    /// Boards generated in mid-turn.
    pub boards_generated: u64,
    /// How many of them were new in their turn.
    pub boards_distinct: u64,
}

/// Searches each bench position to `depth` steps with `threads` threads, using a fresh engine per position so that order
/// does not matter. Calls `on_position` with each node count and returns the totals.
pub fn bench(depth: u32, threads: u32, mut on_position: impl FnMut(&str, u64)) -> Result<Bench, EngineError> {
    let mut sum = Bench::default();
    for text in BENCH_POSITIONS {
        let failed = |error: &dyn std::fmt::Display| EngineError::Failed(format!("{text}: {error}"));
        let game = Game::from_text(text, Rules::Official).map_err(|error| failed(&error))?;
        let mut engine = AlphaBeta::default();
        for (name, value) in [("hash", "16"), ("threads", &threads.to_string())] {
            engine.set_option(name, value).map_err(|error| failed(&error))?;
        }
        let job = Job::limited(game, Limits { depth: Some(depth), ..Limits::default() });
        let mut nodes = 0;
        engine.think(&job, &mut |info| nodes = info.nodes.unwrap_or(nodes))?;
        on_position(text, nodes);
        let (generated, distinct) = engine.boards();
        sum.nodes += nodes;
        sum.boards_generated += generated;
        sum.boards_distinct += distinct;
    }
    Ok(sum)
}
