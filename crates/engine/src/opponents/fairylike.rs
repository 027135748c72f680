//! `fairylike`: alpha-beta by steps with a plain evaluation, as the bot Fairy of 2006 is described.

use std::fmt;
use std::time::Instant;

use surus_play::{
    Answer, Engine, EngineError, Id, Info, Job, Limit, OptionError, OptionKind, OptionSpec, Options,
};
use surus_rules::{Phase, Turn};

use super::fairy_search::FairySearch;
use crate::mcts::state::Root;
use crate::mcts::way::Way;
use crate::setups;

static OPTIONS: [OptionSpec; 3] = [
    OptionSpec {
        name: "hash",
        kind: OptionKind::Whole(1, 1 << 16),
        default: "16",
        help: "Megabytes for the table of positions met before.",
    },
    OptionSpec {
        name: "seed",
        kind: OptionKind::Whole(0, i64::MAX),
        default: "1",
        help: "Chooses the setup.",
    },
    OptionSpec {
        name: "turns",
        kind: OptionKind::Whole(1, 4),
        default: "2",
        help: "How many turns it searches full width, if no limit ends it before.",
    },
];

/// Alpha-beta by steps.
pub struct Fairylike {
    options: Options,
    /// Made when it is first needed.
    search: Option<FairySearch>,
}

impl Default for Fairylike {
    fn default() -> Self {
        Self { options: Options::new(&OPTIONS), search: None }
    }
}

impl fmt::Debug for Fairylike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fairylike").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine for Fairylike {
    fn id(&self) -> Id {
        Id::own("fairylike", &[Limit::Depth, Limit::Nodes, Limit::Time])
    }

    fn options(&self) -> &Options {
        &self.options
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
            Phase::Setup(side) => setups::answer(&job.game, side, self.options.whole("seed").unsigned_abs()),
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }
}

impl Fairylike {
    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        let began = Instant::now();
        let stop = job.stop.with_deadline(job.limits.time, std::time::Duration::from_secs(365 * 86_400));
        let [hash, turns] = ["hash", "turns"].map(|name| self.options.whole(name).unsigned_abs());
        let search = self.search.get_or_insert_with(|| FairySearch::new(hash as usize));
        search.begin(job.limits.nodes.unwrap_or(u64::MAX), stop);
        let root = Root::new(&job.game);
        let deepest = job.limits.depth.unwrap_or(u32::MAX).min(4 * turns as u32);
        let mut best = None;
        for depth in 1..=deepest {
            let Some((score, line)) = search.root(&root, depth as i32) else { break };
            let turn = steps(&root, &line);
            if !allowed(job, &turn) {
                continue;
            }
            best = Some(turn);
            report(Info {
                depth: Some(depth),
                finished: true,
                score: Some(score),
                nodes: Some(search.nodes),
                time: Some(began.elapsed()),
                pv: vec![turn],
                ..Info::default()
            });
        }
        let any = || job.game.legal_turns().into_iter().find(|turn| allowed(job, turn));
        best.or_else(any)
            .or_else(|| job.only.iter().copied().find(|turn| allowed(job, turn)))
            .ok_or(EngineError::NoTurn)
    }
}

/// Whether a turn may be played and chosen.
fn allowed(job: &Job, turn: &Turn) -> bool {
    (job.only.is_empty() || job.only.contains(turn)) && job.game.clone().play(turn).is_ok()
}

/// The steps of the root's turn.
fn steps(root: &Root, line: &[Way]) -> Turn {
    let mut state = root.state;
    let mut turn = Turn::EMPTY;
    for way in line {
        if let Some(action) = way.action(state.position.board()) {
            for step in action.steps() {
                turn.push(step);
            }
        }
        state.play(*way);
    }
    turn
}
