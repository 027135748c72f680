//! `sample`: plain full-width look-ahead over one turn or two, judged by material alone.

use std::sync::LazyLock;

use surus_play::{
    Answer, Engine, EngineError, Id, Info, Job, Limits, OptionError, OptionKind, Options, Revision,
    TypedOptions,
};
use surus_rules::{Board, Ending, Kind, Phase, Rules, Score, Side, Turn, Turns};
use surus_tactics::{captures, goal};

use crate::common::rng::Rng;
use crate::common::setups;

surus_play::options! {
    /// The options of `sample`.
    pub(crate) struct SampleOptions {
        seed: u64 = OptionKind::Whole(0, i64::MAX), "1", "Chooses among turns of equal worth, and the setup.";
        steps: u8 = OptionKind::Whole(1, 8), "4",
            "How many steps it looks ahead: 4 are its own turn, 8 the answer too.";
    }
}

const WIN: i32 = 100_000;
const LOSS: i32 = -WIN;

/// In hundredths of a rabbit.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Rabbit => 100,
        Kind::Cat => 200,
        Kind::Dog => 300,
        Kind::Horse => 500,
        Kind::Camel => 700,
        Kind::Elephant => 1200,
    }
}

fn material(board: &Board, side: Side) -> i32 {
    let of =
        |side| Kind::ALL.into_iter().map(|kind| worth(kind) * board.count(side, kind) as i32).sum::<i32>();
    of(side) - of(side.other())
}

/// Looks at every turn, and with more than four steps at every answer.
#[derive(Debug, Default)]
pub struct Sample {
    options: TypedOptions<SampleOptions>,
    /// Memory for the answers to a turn.
    answers: Option<Turns>,
}

impl Engine for Sample {
    fn id(&self) -> Id {
        static REVISION: LazyLock<String> =
            LazyLock::new(|| Revision::of(Sample::default(), Limits::default()).to_string());
        Id::own("sample", REVISION.as_str(), &[])
    }

    fn options(&self) -> &Options {
        self.options.table()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
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

impl Sample {
    fn turn(
        &mut self,
        job: &Job,
        side: Side,
        seed: u64,
        report: &mut dyn FnMut(Info),
    ) -> Result<Turn, EngineError> {
        let game = &job.game;
        let steps = self.options.steps;
        let turns = Turns::new(game.position(), game.turn_start(), steps.min(Turn::MAX as u8));
        let mut all: Vec<(Turn, Board)> = turns
            .iter()
            .filter(|(turn, board)| {
                (job.only.is_empty() || job.only.contains(turn)) && game.third_repetition(board).is_none()
            })
            .map(|(turn, board)| (turn, *board))
            .collect();
        shuffle(&mut all, seed ^ game.position().key() ^ game.entries().len() as u64);
        let stop = job.stop.with_deadline(job.limits.time, std::time::Duration::from_secs(365 * 86_400));
        let mut best: Option<(i32, Turn)> = None;
        for (nodes, (turn, board)) in (1..).zip(&all) {
            let alpha = best.map_or(i32::MIN, |(score, _)| score);
            let score = self.score(board, side, game.rules(), steps.saturating_sub(4), alpha);
            if alpha < score {
                best = Some((score, *turn));
                report(Info {
                    depth: Some(u32::from(steps)),
                    score: Some(reported(score)),
                    nodes: Some(nodes),
                    pv: vec![*turn],
                    ..Info::default()
                });
            }
            if nodes % 64 == 0 && stop.winding_down() {
                break;
            }
        }
        best.map(|(_, turn)| turn).ok_or(EngineError::NoTurn)
    }

    /// What a board is worth to the side that ends its turn on it, if that is more than alpha.
    fn score(&mut self, board: &Board, side: Side, rules: Rules, more: u8, alpha: i32) -> i32 {
        let other = side.other();
        if let Some(score) = ended(board, side, side, rules) {
            return score;
        }
        let here = material(board, side);
        // An answer never helps: the other side could always do something harmless instead.
        if more == 0 || here <= alpha {
            return here;
        }
        // A goal decides, and where nothing can be captured the material stays: no need to try every answer for that.
        if goal(board, other, more).is_some() {
            return -WIN;
        }
        let captures = captures(board, other, more);
        if captures.is_empty() {
            return here;
        }
        // One capture is often enough to see that the turn is no better than the best.
        let after = |turn: &Turn| turn.steps().fold(*board, |board, step| board.after(step));
        let single = captures.iter().map(|capture| material(&after(&capture.turn), side)).min();
        if let Some(score) = single.filter(|score| *score <= alpha) {
            return score;
        }
        let Ok(position) = surus_rules::Position::new(*board, other) else { return here };
        let answers = self.answers.get_or_insert_with(|| Turns::new(&position, board, 0));
        answers.search(&position, board, more);
        let mut worst = here;
        for answer in answers.boards() {
            let score = ended(answer, other, side, rules).unwrap_or_else(|| material(answer, side));
            worst = worst.min(score);
            if worst <= alpha {
                break;
            }
        }
        worst
    }
}

/// The worth of a game that is over when the mover ends its turn on a board, seen by a side.
fn ended(board: &Board, mover: Side, side: Side, rules: Rules) -> Option<i32> {
    let ending = Ending::of_board(board, mover, rules)?;
    Some(ending.winner.map_or(0, |winner| if winner == side { WIN } else { -WIN }))
}

/// A score for the users of the engine. A win is this turn's, a loss the answer's.
const fn reported(score: i32) -> Score {
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
