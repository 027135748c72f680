//! `fairylike`: alpha-beta by steps with a plain evaluation, as the bot Fairy of 2006 is described.

mod eval;
mod search;

use std::fmt;
use std::sync::LazyLock;
use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, Id, Info, Job, Limit, Limits, OptionError, OptionKind, Options, Revision,
    TypedOptions,
};
use surus_rules::{Phase, Position, Turn};
use surus_tactics::goal;

use self::search::{FairySearch, TURN_COST, WIN, reported};
use crate::common::root_turns::root_turns;
use crate::common::setups;
use crate::common::turn_state::{SearchRoot, TurnState};

/// From here on a turn has won or lost at once, or loses to a goal in the answer.
const DECIDED: i32 = WIN - TURN_COST;

/// Steps of a turn.
const TURN: i32 = Turn::MAX as i32;

surus_play::options! {
    /// The options of `fairylike`.
    pub(crate) struct FairylikeOptions {
        hash: u64 = OptionKind::Whole(1, 1 << 16), "16", "Megabytes for the table of positions met before.";
        seed: u64 = OptionKind::Whole(0, i64::MAX), "1", "Chooses the setup.";
        turns: u32 = OptionKind::Whole(1, 4), "2",
            "How many turns it searches full width, if no limit ends it before.";
    }
}

/// Alpha-beta by steps.
#[derive(Default)]
pub struct Fairylike {
    options: TypedOptions<FairylikeOptions>,
    /// Made when it is first needed.
    search: Option<FairySearch>,
}

impl fmt::Debug for Fairylike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fairylike").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine for Fairylike {
    fn id(&self) -> Id {
        static REVISION: LazyLock<String> = LazyLock::new(|| {
            let mut engine = Fairylike::default();
            // The smallest table, which is made fastest.
            let _ = engine.set("hash", "1");
            let limits = Limits { nodes: Some(4_000), ..Limits::default() };
            Revision::of(engine, limits).to_string()
        });
        Id::own("fairylike", REVISION.as_str(), &[Limit::Depth, Limit::Nodes, Limit::Time])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.search = None;
        self.options.set(name, value)
    }

    fn new_game(&mut self) {
        self.search = None;
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => setups::setup_answer(&job.game, side, self.options.seed),
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }
}

/// A turn that could be played.
struct Candidate {
    turn: Turn,
    /// Where it leads.
    state: TurnState,
    /// What it is worth as far as it was searched.
    score: i32,
}

impl Fairylike {
    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let began = Instant::now();
        let stop = job.stop.with_deadline(job.limits.time, std::time::Duration::from_secs(365 * 86_400));
        let FairylikeOptions { hash, turns, .. } = *self.options;
        let search = self.search.get_or_insert_with(|| FairySearch::new(hash as usize));
        search.begin(job.limits.nodes.unwrap_or(u64::MAX), stop);
        let root = SearchRoot::new(&job.game);
        let deepest = job.limits.depth.unwrap_or(u32::MAX).min(4 * turns) as i32;
        let mut candidates = candidates(job, &root, search, 2 * TURN <= deepest);
        let mut tell = |depth: i32, best: &Candidate, nodes: u64| {
            report(Info {
                depth: Some(depth as u32),
                finished: true,
                score: Some(reported(best.score)),
                nodes: Some(nodes),
                time: Some(began.elapsed()),
                pv: vec![best.turn],
                ..Info::default()
            });
        };
        let mut depth = TURN;
        if let Some(best) = candidates.first() {
            tell(depth, best, search.nodes);
        }
        while depth < deepest && !search.is_over() && candidates.len() > 1 {
            depth = (depth + TURN).min(deepest);
            if let Some(best) = deepen(&mut candidates, &root, search, depth - TURN) {
                tell(depth, best, search.nodes);
            }
        }
        candidates.first().map(|best| best.turn).ok_or(EngineError::NoTurn)
    }
}

/// All turns, the best by a look at the board first. Where fewer may be looked at than there are, every second, third or so
/// is: a turn is looked at as a whole, whatever the limit.
fn candidates(job: &Job, root: &SearchRoot, search: &mut FairySearch, answers: bool) -> Vec<Candidate> {
    let side = job.game.side();
    let turns = root_turns(job);
    let room = job.limits.nodes.unwrap_or(u64::MAX).clamp(1, turns.len().max(1) as u64) as usize;
    let step = turns.len().div_ceil(room).max(1);
    let mut all = Vec::new();
    for (turn, board) in turns.into_iter().step_by(step) {
        let mut state = root.state;
        let Ok(position) = Position::new(board, side) else { continue };
        state.position = position;
        state.end_turn();
        let mut score = search.judge(root, &board, side);
        // What the answers would show last is known first: who lets the other reach goal has lost.
        if answers && score.abs() < WIN && goal(&board, side.other(), Turn::MAX as u8).is_some() {
            score = -DECIDED;
        }
        all.push(Candidate { turn, state, score });
        if search.is_over() {
            break;
        }
    }
    // Equals stay in the order of the rules.
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    all
}

/// Searches so many steps behind each turn; the best of those that were searched comes to the front.
///
/// The turns stand in the order of what they were worth before, so that a search that is ended early has seen those that
/// matter.
fn deepen<'a>(
    candidates: &'a mut [Candidate],
    root: &SearchRoot,
    search: &mut FairySearch,
    depth: i32,
) -> Option<&'a Candidate> {
    let mut best: Option<(i32, usize)> = None;
    for (number, candidate) in candidates.iter_mut().enumerate() {
        let low = best.map_or(-WIN - 1, |(score, _)| score);
        let mut score = candidate.score;
        // Whoever has won with the turn or lost by it, or by the answer, needs no search.
        if score.abs() < DECIDED {
            // Only the first is expected to be good; of the others it is asked whether they are better.
            let high = if best.is_none() { WIN + 1 } else { low + 1 };
            score = search.after_turn(root, &candidate.state, depth, (low, high));
            if high <= score && !search.is_over() {
                score = search.after_turn(root, &candidate.state, depth, (low, WIN + 1));
            }
            if search.is_over() {
                break;
            }
            candidate.score = score;
        }
        if low < score || best.is_none() {
            best = Some((score, number));
        }
    }
    let (_, number) = best?;
    candidates[..=number].rotate_right(1);
    candidates.first()
}
