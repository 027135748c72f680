//! `fairylike`: alpha-beta over steps with a simple evaluation, as the bot Fairy of 2006 is described in \[Akimot\].

mod eval;
mod search;
mod tweaks;

use std::fmt;
use std::sync::LazyLock;
use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, Limits, OptionError, Options, Revision,
    TypedOptions,
};
use surus_rules::{Board, Phase, Position, Side, Turn};
use surus_tactics::steps_to_goal;

use self::search::{FairySearch, TURN_COST, WIN, to_report};
use self::tweaks::{FairylikeOptions, PhaseMode};
use crate::common::root_turns::root_turns;
use crate::common::setups;
use crate::common::turn_state::{SearchRoot, TurnState};

/// From this score a turn wins or loses immediately, or loses to a goal in the reply.
const DECIDED: i32 = WIN - TURN_COST;

/// Steps of a turn.
const TURN: i32 = Turn::MAX as i32;

/// Alpha-beta over steps.
#[derive(Default)]
pub struct Fairylike {
    options: TypedOptions<FairylikeOptions>,
    /// Allocated lazily.
    search: Option<FairySearch>,
}

impl fmt::Debug for Fairylike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fairylike").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine for Fairylike {
    fn id(&self) -> EngineId {
        static PLAIN: LazyLock<Revision> = LazyLock::new(|| revision("off"));
        static WITH_PHASES: LazyLock<Revision> = LazyLock::new(|| revision("gt"));
        let revision = match self.options.phases {
            PhaseMode::Off => PLAIN.clone(),
            _ => WITH_PHASES.clone().with(self.options.phase_file.to_toml()),
        };
        EngineId::built_in(
            "fairylike",
            revision.to_string(),
            &[LimitKind::Depth, LimitKind::Nodes, LimitKind::Time],
        )
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
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

/// The revision of the behaviour with a value of the option `phases`.
fn revision(phases: &str) -> Revision {
    let mut engine = Fairylike::default();
    // The smallest table is allocated fastest.
    for (name, value) in [("hash", "1"), ("phases", phases)] {
        let _ = engine.set_option(name, value);
    }
    Revision::of(engine, Limits { nodes: Some(4_000), ..Limits::default() })
}

/// A turn at the root.
struct Candidate {
    turn: Turn,
    /// The state after it.
    state: TurnState,
    /// Its score as far as it was searched.
    score: i32,
}

impl Fairylike {
    /// The static evaluation of a board with the present options, in centirabbits.
    #[must_use]
    pub fn evaluate(&self, board: &Board, side: Side) -> i32 {
        tweaks::score(&self.options, board, side)
    }

    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let started = Instant::now();
        let stop = job.stop.with_deadline(job.limits.time, std::time::Duration::from_secs(365 * 86_400));
        let turns = self.options.turns;
        let search =
            self.search.get_or_insert_with(|| FairySearch::new(FairylikeOptions::clone(&self.options)));
        search.prepare(job.limits.nodes.unwrap_or(u64::MAX), stop);
        let root = SearchRoot::new(&job.game);
        let max_depth = job.limits.depth.unwrap_or(u32::MAX).min(4 * turns) as i32;
        let mut candidates = candidates(job, &root, search, max_depth >= 2 * TURN);
        let mut report_best = |depth: i32, best: &Candidate, nodes: u64| {
            report(Info {
                depth: Some(depth as u32),
                depth_complete: true,
                score: Some(to_report(best.score)),
                nodes: Some(nodes),
                time: Some(started.elapsed()),
                pv: vec![best.turn],
                ..Info::default()
            });
        };
        let mut depth = TURN;
        if let Some(best) = candidates.first() {
            report_best(depth, best, search.nodes);
        }
        while depth < max_depth && !search.is_aborted() && candidates.len() > 1 {
            depth = (depth + TURN).min(max_depth);
            if let Some(best) = deepen(&mut candidates, &root, search, depth - TURN) {
                report_best(depth, best, search.nodes);
            }
        }
        candidates.first().map(|best| best.turn).ok_or(EngineError::NoLegalTurn)
    }
}

/// All turns by their static scores, best first. If the node limit is lower than their number, every second, third or
/// so is evaluated: full turns are compared whatever the limit.
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
        let mut score = search.evaluate_end(root, &board, side);
        // A turn that allows a goal is lost, which the search of replies would find late.
        if answers && score.abs() < WIN && steps_to_goal(&board, side.other(), Turn::MAX as u8).is_some() {
            score = -DECIDED;
        }
        all.push(Candidate { turn, state, score });
        if search.is_aborted() {
            break;
        }
    }
    // The sort is stable, so that the choice is reproducible.
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    all
}

/// Searches `depth` steps after each turn and moves the best turn to the front.
///
/// Turns are in the order of their previous scores, so that a search that is stopped early has examined the important
/// ones.
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
        // A turn that wins or loses immediately, or loses to the reply, needs no search.
        if score.abs() < DECIDED {
            // PVS: full window for the first turn, null window for the rest.
            let high = if best.is_none() { WIN + 1 } else { low + 1 };
            score = search.after_turn(root, &candidate.state, depth, low, high);
            if score >= high && !search.is_aborted() {
                score = search.after_turn(root, &candidate.state, depth, low, WIN + 1);
            }
            if search.is_aborted() {
                break;
            }
            candidate.score = score;
        }
        if score > low || best.is_none() {
            best = Some((score, number));
        }
    }
    let (_, number) = best?;
    candidates[..=number].rotate_right(1);
    candidates.first()
}
