//! All questions about one position, asked both ways.

use std::fmt;

use surus_rules::{Board, DistinctTurns, GameResult, Pending, Position, Rules, Square, Termination, Turn};

use super::exhaustive::{Exhaustive, Generator};
use super::{Mismatch, Report};
use crate::{
    Capture, GoalDefence, captures, captures_from, elimination_from, find_goal, find_goal_from,
    goal_defences, immobilisation_from, steps_to_goal,
};

/// One position and the board its turn began with.
pub(super) struct Comparison {
    pub(super) position: Position,
    pub(super) start: Board,
}

impl Comparison {
    fn differ(&self, question: &str, answer: impl fmt::Debug, truth: impl fmt::Debug) -> Box<Mismatch> {
        Box::new(Mismatch {
            position: self.position,
            start: self.start,
            query: question.into(),
            actual: format!("{answer:?}"),
            expected: format!("{truth:?}"),
        })
    }

    fn same<T: PartialEq + fmt::Debug>(
        &self,
        question: &str,
        answer: T,
        truth: T,
    ) -> Result<(), Box<Mismatch>> {
        if answer == truth { Ok(()) } else { Err(self.differ(question, answer, truth)) }
    }

    /// Asks everything about both sides.
    pub(super) fn run(&self, generator: &mut Generator, report: &mut Report) -> Result<(), Box<Mismatch>> {
        let truth = self.side_to_move(generator, report)?;
        if !self.position.is_mid_push()
            && let Ok(turned) = Position::new(*self.position.board(), self.position.side().other())
        {
            let threat = Self { position: turned, start: *turned.board() };
            let truth = threat.side_to_move(generator, report)?;
            if truth.goal.is_some_and(|steps| 0 < steps) {
                self.defences(report)?;
            }
        } else if truth.goal.is_none() {
            self.defences(report)?;
        }
        Ok(())
    }

    /// All questions about what the side to move can do.
    fn side_to_move(
        &self,
        generator: &mut Generator,
        report: &mut Report,
    ) -> Result<Exhaustive, Box<Mismatch>> {
        let position = &self.position;
        let (board, side, left) = (position.board(), position.side(), position.steps_left());
        // Few pieces can be immobilised; many are tried now and then, because it takes longest.
        let immobilise = board.by_side(side.other()).len() <= 6 || report.positions.is_multiple_of(8);
        let truth = generator.answers(position, &self.start, immobilise);

        let line = find_goal_from(position);
        self.same("goal", line.map(|line| line.len() as u8), truth.goal)?;
        let on_goal = |board: &Board| !(board.rabbits(side) & side.goal()).is_empty();
        self.line("goal", line, on_goal)?;
        report.goals += u64::from(line.is_some());

        let found = captures_from(position);
        let answer = by_square(&found);
        self.same("captures", answer, truth.captures)?;
        for capture in &found {
            self.capture(capture)?;
        }
        report.captures += found.len() as u64;

        let line = elimination_from(position);
        self.same("elimination", line.map(|line| line.len() as u8), truth.elimination)?;
        self.line("elimination", line, |board| board.rabbits(side.other()).is_empty())?;
        report.eliminations += u64::from(line.is_some_and(|line| !line.is_empty()));

        if immobilise {
            let line = immobilisation_from(position, &self.start);
            self.same("immobilisation", line.map(|line| line.len() as u8), truth.immobilisation)?;
            let win = Some(GameResult::win(side, Termination::Immobilisation));
            self.line("immobilisation", line, |board| {
                GameResult::of_board(board, side, Rules::Official) == win
            })?;
            report.immobilisations += u64::from(line.is_some());
        }

        if matches!(position.pending(), Pending::None) {
            self.same("goal on the board", steps_to_goal(board, side, left), truth.goal)?;
            let steps = find_goal(board, side, left).map(|line| line.len() as u8);
            self.same("goal line on the board", steps, truth.goal)?;
            let all: Vec<Capture> = captures(board, side, left).iter().collect();
            self.same("captures on the board", by_square(&all), truth.captures)?;
        }
        Ok(truth)
    }

    /// Plays a line by the rules and looks at its end.
    fn line(
        &self,
        question: &str,
        line: Option<Turn>,
        holds: impl Fn(&Board) -> bool,
    ) -> Result<(), Box<Mismatch>> {
        let Some(line) = line else { return Ok(()) };
        let mut position = self.position;
        for step in line.steps() {
            position = position
                .try_step(step)
                .map_err(|reason| self.differ(question, line, format!("an illegal step {step}: {reason}")))?;
        }
        if position.is_mid_push() || !holds(position.board()) {
            return Err(self.differ(question, line, "a line that does it"));
        }
        Ok(())
    }

    /// Plays the line of a capture and looks whether it takes the right piece on the right square.
    fn capture(&self, capture: &Capture) -> Result<(), Box<Mismatch>> {
        let side = self.position.side();
        self.line("capture", Some(capture.turn), |_| true)?;
        let mut board = *self.position.board();
        let mut at = capture.square;
        let mut taken = None;
        for step in capture.turn.steps() {
            let captured = board.captured_by(step);
            if step.piece().side() != side && step.from() == at {
                at = step.to();
            }
            if captured == Some((capture.piece, at)) && step.piece().side() != side {
                taken = Some(at);
            }
            board = board.after_step(step);
        }
        self.same("trap of a capture", Some(capture.trap), taken)?;
        self.same("steps of a capture", capture.turn.len() as u8, capture.steps)
    }

    /// All shortest defences, by the goal answer on the board after every turn.
    fn defences(&self, report: &mut Report) -> Result<(), Box<Mismatch>> {
        let position = &self.position;
        let side = position.side();
        let holds = |board: &Board| {
            !(board.rabbits(side) & side.goal()).is_empty() || steps_to_goal(board, side.other(), 4).is_none()
        };
        let mut fewest = usize::MAX;
        let mut truth: Vec<String> = Vec::new();
        for (turn, board) in DistinctTurns::new(position, &self.start, 4).iter() {
            if turn.len() <= fewest && holds(board) {
                if turn.len() < fewest {
                    fewest = turn.len();
                    truth.clear();
                }
                truth.push(board.compact());
            }
        }
        let after = |turn: &Turn| {
            turn.steps().fold(*position.board(), |board, step| board.after_step(step)).compact()
        };
        let mut answer: Vec<String> = match goal_defences(position, &self.start) {
            GoalDefence::NoThreat if !position.is_mid_push() && holds(position.board()) => return Ok(()),
            GoalDefence::NoThreat => return Err(self.differ("defences", "no threat", "a threat")),
            GoalDefence::Turns(turns) => {
                for turn in &turns {
                    self.line("defence", Some(*turn), holds)?;
                }
                turns.iter().map(after).collect()
            }
            GoalDefence::Unstoppable => Vec::new(),
        };
        report.defences += 1;
        report.lost += u64::from(answer.is_empty());
        answer.sort_unstable();
        truth.sort_unstable();
        self.same("defences", answer, truth)
    }
}

fn by_square(captures: &[Capture]) -> [Option<u8>; 64] {
    std::array::from_fn(|index| {
        let square = Square::new(index as u8);
        captures.iter().find(|capture| Some(capture.square) == square).map(|capture| capture.steps)
    })
}
