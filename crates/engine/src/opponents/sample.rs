//! `sample`: full-width search of one or two turns with a material evaluation.

use std::sync::LazyLock;

use surus_play::{
    Answer, Engine, EngineError, EngineId, Info, Job, Limits, OptionError, OptionKind, Options, Revision,
    TypedOptions,
};
use surus_rules::{Board, DistinctTurns, GameResult, Phase, PieceKind, Rules, Score, Side, Turn};
use surus_tactics::{captures, steps_to_goal};

use crate::common::rng::Rng;
use crate::common::setups;

surus_play::options! {
    /// The options of `sample`.
    pub(crate) struct SampleOptions {
        seed: u64 = OptionKind::Int(0, i64::MAX), "1", "Random seed for the setup and for the choice among turns of equal score.";
        steps: u8 = OptionKind::Int(1, 8), "4",
            "Search depth in steps: 4 for its own turn, 8 for the reply too.";
    }
}

const WIN: i32 = 100_000;
const LOSS: i32 = -WIN;

/// In centirabbits.
const fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Rabbit => 100,
        PieceKind::Cat => 200,
        PieceKind::Dog => 300,
        PieceKind::Horse => 500,
        PieceKind::Camel => 700,
        PieceKind::Elephant => 1200,
    }
}

fn material(board: &Board, side: Side) -> i32 {
    let of = |side| {
        PieceKind::ALL.into_iter().map(|kind| piece_value(kind) * board.count(side, kind) as i32).sum::<i32>()
    };
    of(side) - of(side.other())
}

/// Examines every turn, and with more than four steps every reply.
#[derive(Debug, Default)]
pub struct SampleBot {
    options: TypedOptions<SampleOptions>,
    /// Reused for the replies to a turn.
    replies: Option<DistinctTurns>,
}

impl Engine for SampleBot {
    fn id(&self) -> EngineId {
        static REVISION: LazyLock<String> =
            LazyLock::new(|| Revision::of(SampleBot::default(), Limits::default()).to_string());
        EngineId::built_in("sample", REVISION.as_str(), &[])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        self.options.set(name, value)
    }

    fn new_game(&mut self) {}

    fn think(&mut self, job: &Job, report: &mut dyn FnMut(Info)) -> Result<Answer, EngineError> {
        let seed = self.options.seed;
        match job.game.phase() {
            Phase::Over(ending) => Err(EngineError::GameOver(ending)),
            Phase::Setup(side) => setups::setup_answer(&job.game, side, seed),
            Phase::Play(side) => self.turn(job, side, seed, report).map(Answer::Turn),
        }
    }
}

impl SampleBot {
    fn turn(
        &mut self,
        job: &Job,
        side: Side,
        seed: u64,
        report: &mut dyn FnMut(Info),
    ) -> Result<Turn, EngineError> {
        let game = &job.game;
        let steps = self.options.steps;
        let turns = DistinctTurns::new(game.position(), game.turn_start(), steps.min(Turn::MAX as u8));
        let mut all: Vec<(Turn, Board)> = turns
            .iter()
            .filter(|(turn, board)| {
                (job.search_turns.is_empty() || job.search_turns.contains(turn))
                    && game.third_repetition(board).is_none()
            })
            .map(|(turn, board)| (turn, *board))
            .collect();
        shuffle(&mut all, seed ^ game.position().key() ^ game.entries().len() as u64);
        let stop = job.stop.with_deadline(job.limits.time, std::time::Duration::from_secs(365 * 86_400));
        let mut best: Option<(i32, Turn)> = None;
        for (nodes, (turn, board)) in (1..).zip(&all) {
            let alpha = best.map_or(i32::MIN, |(score, _)| score);
            let score = self.score(board, side, game.rules(), steps.saturating_sub(4), alpha);
            if score > alpha {
                best = Some((score, *turn));
                report(Info {
                    depth: Some(u32::from(steps)),
                    score: Some(to_report(score)),
                    nodes: Some(nodes),
                    pv: vec![*turn],
                    ..Info::default()
                });
            }
            if nodes % 64 == 0 && stop.soft_limit_reached() {
                break;
            }
        }
        best.map(|(_, turn)| turn).ok_or(EngineError::NoLegalTurn)
    }

    /// The score of a board for the side that ends its turn on it; an upper bound if it is at most alpha.
    fn score(&mut self, board: &Board, side: Side, rules: Rules, reply_steps: u8, alpha: i32) -> i32 {
        let other = side.other();
        if let Some(score) = ended(board, side, side, rules) {
            return score;
        }
        let score_here = material(board, side);
        // A reply never helps this side: the opponent could always play something harmless instead.
        if reply_steps == 0 || score_here <= alpha {
            return score_here;
        }
        // A goal decides, and if nothing can be captured the material stays the same: the replies need not be
        // generated.
        if steps_to_goal(board, other, reply_steps).is_some() {
            return -WIN;
        }
        let captures = captures(board, other, reply_steps);
        if captures.is_empty() {
            return score_here;
        }
        // A single capture is often enough to refute the turn.
        let after = |turn: &Turn| turn.steps().fold(*board, |board, step| board.after_step(step));
        let single = captures.iter().map(|capture| material(&after(&capture.turn), side)).min();
        if let Some(score) = single.filter(|score| *score <= alpha) {
            return score;
        }
        let Ok(position) = surus_rules::Position::new(*board, other) else { return score_here };
        let replies = self.replies.get_or_insert_with(|| DistinctTurns::new(&position, board, 0));
        replies.regenerate(&position, board, reply_steps);
        let mut worst = score_here;
        for reply in replies.boards() {
            let score = ended(reply, other, side, rules).unwrap_or_else(|| material(reply, side));
            worst = worst.min(score);
            if worst <= alpha {
                break;
            }
        }
        worst
    }
}

/// The score for `side` of a game that is over when the mover ends its turn on a board.
fn ended(board: &Board, mover: Side, side: Side, rules: Rules) -> Option<i32> {
    let ending = GameResult::from_board(board, mover, rules)?;
    Some(ending.winner.map_or(0, |winner| if winner == side { WIN } else { -WIN }))
}

/// Converts a score for reports. A win is this turn's, a loss the reply's.
const fn to_report(score: i32) -> Score {
    match score {
        WIN => Score::Win { turns: 1 },
        LOSS => Score::Loss { turns: 1 },
        score => Score::Centirabbits(score),
    }
}

fn shuffle<T>(all: &mut [T], seed: u64) {
    let mut rng = Rng::new(seed);
    for index in (1..all.len()).rev() {
        all.swap(index, rng.below(index as u32 + 1) as usize);
    }
}
