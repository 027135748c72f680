//! Comparison of all answers about one position.

use std::fmt;

use surus_rules::{Board, GameResult, Pending, Position, PositionError, Rules, Square, Termination, Turn};

use super::exhaustive::{Exhaustive, Generator};
use super::{Mismatch, Report};
use crate::{
    Capture, captures, captures_from, elimination_from, find_goal, find_goal_from, immobilisation_from,
    steps_to_goal,
};

/// A position and the board on which its turn started.
pub(super) struct Comparison {
    pub(super) position: Position,
    pub(super) start: Board,
}

impl Comparison {
    pub(super) fn differ(
        &self,
        query: &str,
        actual: impl fmt::Debug,
        expected: impl fmt::Debug,
    ) -> Box<Mismatch> {
        Box::new(Mismatch {
            position: self.position,
            start: self.start,
            query: query.into(),
            actual: format!("{actual:?}"),
            expected: format!("{expected:?}"),
        })
    }

    pub(super) fn same<T: PartialEq + fmt::Debug>(
        &self,
        query: &str,
        actual: T,
        expected: T,
    ) -> Result<(), Box<Mismatch>> {
        if actual == expected { Ok(()) } else { Err(self.differ(query, actual, expected)) }
    }

    /// Compares all answers about both sides.
    pub(super) fn run(&self, generator: &mut Generator, report: &mut Report) -> Result<(), Box<Mismatch>> {
        let expected = self.side_to_move(generator, report)?;
        if let (false, Ok(flipped)) = (self.position.is_mid_push(), self.flipped()) {
            let threat = Self { position: flipped, start: *flipped.board() };
            let threats = threat.side_to_move(generator, report)?;
            if threats.goal.is_some_and(|steps| steps > 0) {
                self.goal_defences(report)?;
            }
            self.capture_defences(Some(&threats.captures), report)?;
        } else if expected.goal.is_none() {
            self.goal_defences(report)?;
            self.capture_defences(None, report)?;
        }
        Ok(())
    }

    /// The position with the other side to move.
    fn flipped(&self) -> Result<Position, PositionError> {
        Position::new(*self.position.board(), self.position.side().other())
    }

    /// Compares the answers about the side to move.
    fn side_to_move(
        &self,
        generator: &mut Generator,
        report: &mut Report,
    ) -> Result<Exhaustive, Box<Mismatch>> {
        let position = &self.position;
        let (board, side, left) = (position.board(), position.side(), position.steps_left());
        // Immobilisation of many pieces is compared only now and then, because it takes longest.
        let immobilise = board.by_side(side.other()).len() <= 6 || report.positions.is_multiple_of(8);
        let expected = generator.answers(position, &self.start, immobilise);

        let line = find_goal_from(position);
        self.same("goal", line.map(|line| line.len() as u8), expected.goal)?;
        let on_goal = |board: &Board| !(board.rabbits(side) & side.goal()).is_empty();
        self.line("goal", line, on_goal)?;
        report.goals += u64::from(line.is_some());

        let found = captures_from(position);
        let actual = by_square(&found);
        self.same("captures", actual, expected.captures)?;
        for capture in &found {
            self.capture(capture)?;
        }
        report.captures += found.len() as u64;

        let line = elimination_from(position);
        self.same("elimination", line.map(|line| line.len() as u8), expected.elimination)?;
        self.line("elimination", line, |board| board.rabbits(side.other()).is_empty())?;
        report.eliminations += u64::from(line.is_some_and(|line| !line.is_empty()));

        if immobilise {
            let line = immobilisation_from(position, &self.start);
            self.same("immobilisation", line.map(|line| line.len() as u8), expected.immobilisation)?;
            let win = Some(GameResult::win(side, Termination::Immobilisation));
            self.line("immobilisation", line, |board| {
                GameResult::from_board(board, side, Rules::Official) == win
            })?;
            report.immobilisations += u64::from(line.is_some());
        }

        if matches!(position.pending(), Pending::None) {
            self.same("goal on the board", steps_to_goal(board, side, left), expected.goal)?;
            let steps = find_goal(board, side, left).map(|line| line.len() as u8);
            self.same("goal line on the board", steps, expected.goal)?;
            let all: Vec<Capture> = captures(board, side, left).iter().collect();
            self.same("captures on the board", by_square(&all), expected.captures)?;
        }
        Ok(expected)
    }

    /// Checks that a line is legal and that `holds` is true at its end.
    pub(super) fn line(
        &self,
        query: &str,
        line: Option<Turn>,
        holds: impl Fn(&Board) -> bool,
    ) -> Result<(), Box<Mismatch>> {
        let Some(line) = line else { return Ok(()) };
        let mut position = self.position;
        for step in line.steps() {
            position = position
                .try_step(step)
                .map_err(|reason| self.differ(query, line, format!("an illegal step {step}: {reason}")))?;
        }
        if position.is_mid_push() || !holds(position.board()) {
            return Err(self.differ(query, line, "a line that achieves it"));
        }
        Ok(())
    }

    /// Checks that the line of a capture captures its piece on its trap.
    fn capture(&self, capture: &Capture) -> Result<(), Box<Mismatch>> {
        let side = self.position.side();
        self.line("capture", Some(capture.turn), |_| true)?;
        let mut board = *self.position.board();
        let mut square = capture.square;
        let mut trap = None;
        for step in capture.turn.steps() {
            let captured = board.captured_by(step);
            if step.piece().side() != side && step.from() == square {
                square = step.to();
            }
            if captured == Some((capture.piece, square)) && step.piece().side() != side {
                trap = Some(square);
            }
            board = board.after_step(step);
        }
        self.same("trap of a capture", Some(capture.trap), trap)?;
        self.same("steps of a capture", capture.turn.len() as u8, capture.steps)
    }
}

fn by_square(captures: &[Capture]) -> [Option<u8>; 64] {
    std::array::from_fn(|index| {
        let square = Square::new(index as u8);
        captures.iter().find(|capture| Some(capture.square) == square).map(|capture| capture.steps)
    })
}
