//! The engine `mcts`: its options and its [`Engine`] implementation.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, LimitKind, Limits, OptionError, Revision,
};
use surus_rules::{Game, PackedAction, Phase, Position, Score, Side, Turn};

use super::akimot_eval::AkimotEval;
use super::config::{self, Options};
use super::history::History;
use super::params::Config;
use super::playout::{PlayoutContext, PlayoutPolicy, PlayoutState};
use super::session::MctsSession;
use crate::common::root_turns::immediate_win;
use crate::common::setups;

/// Longer than any search.
const FOR_EVER: Duration = Duration::from_secs(365 * 86_400);

/// Monte Carlo tree search over steps.
#[derive(Debug, Default)]
pub struct Mcts {
    pub(super) options: Options,
    /// Reused by the next search; dropped when an option changes.
    pub(super) session: Option<MctsSession>,
}

impl Engine for Mcts {
    fn id(&self) -> EngineId {
        static REVISION: LazyLock<String> = LazyLock::new(|| {
            let mut engine = Mcts::default();
            // The smallest tree is allocated fastest.
            let _ = engine.set_option("memory", "1");
            let limits = Limits { nodes: Some(1_000), ..Limits::default() };
            Revision::of(engine, limits).to_string()
        });
        let revision = if self.options.uses_action_model() {
            Revision::default().with(REVISION.as_str()).with(self.options.action_model.revision()).to_string()
        } else {
            REVISION.clone()
        };
        EngineId::built_in("mcts", revision, &[LimitKind::Nodes, LimitKind::Time])
            .with_parts([self.options.weights.id()])
    }

    fn options(&self) -> &surus_play::Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        config::set(&mut self.options, name, value)?;
        self.session = None;
        Ok(())
    }

    fn new_game(&mut self) {
        self.session = None;
    }

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => setups::setup_answer(&job.game, side, self.options.seed),
            Phase::Play(_) => self.turn(job, report).map(Answer::Turn),
        }
    }

    fn explain(&self, game: &Game) -> Vec<String> {
        AkimotEval::new(&self.options).explain(game.position().board(), game.side())
    }

    fn dump_tree(&self) -> Vec<String> {
        self.session.as_ref().map(MctsSession::dump).unwrap_or_default()
    }
}

impl Mcts {
    /// Gold's win rate over `count` playouts from a board, half of them started by either side.
    #[must_use]
    pub fn playout_win_rate(&self, position: &Position, count: u64) -> f64 {
        let playouts = PlayoutPolicy::new(&self.options, true);
        let mut context = PlayoutContext::new(&self.options, self.options.seed);
        let history = History::new(false, false);
        let mut sum = 0.0;
        for number in 0..count {
            let side = Side::BOTH[(number % 2) as usize];
            let run = PlayoutState {
                board: *position.board(),
                side,
                steps_left: Turn::MAX as u8,
                last_action: PackedAction::NONE,
            };
            sum += f64::from(playouts.play(run, &mut context, &history));
        }
        (1.0 + sum / count.max(1) as f64) / 2.0
    }

    fn turn(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Turn, EngineError> {
        // The clock also runs while the tree is prepared.
        let (started, stop) = (Instant::now(), job.stop.with_deadline(job.limits.time, FOR_EVER));
        if let Some(turn) = immediate_win(job, Turn::MAX as u8) {
            report(Info {
                depth: Some(turn.len() as u32),
                depth_complete: true,
                score: Some(Score::Win { turns: 1 }),
                win_probability: Some(1.0),
                nodes: Some(0),
                time: Some(started.elapsed()),
                pv: vec![turn],
                ..Info::default()
            });
            return Ok(turn);
        }
        let options = &self.options;
        let session = self.session.get_or_insert_with(|| {
            let Config { seed, threads, memory, .. } = **options;
            MctsSession::new((**options).clone(), job, seed, threads, memory)
        });
        session.prepare(job);
        session.search(job, &stop, started, report)
    }
}
