//! Comparing every answer with exhaustive generation.

mod exhaustive;
mod positions;
mod random;

use std::fmt;

use surus_rules::{Board, Ending, Position, Reason, Rules, Side, Square, Turn, Turns};

use crate::{
    Capture, Defence, captures, captures_in, elimination_in, goal, goal_defences, goal_in, goal_line,
    immobilisation_in,
};
use exhaustive::{Exhaustive, Generator};
use positions::Positions;

/// The first answer that exhaustive generation does not confirm.
#[derive(Clone, Debug)]
pub struct Difference {
    position: Position,
    start: Board,
    question: String,
    answer: String,
    truth: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        writeln!(f, "{} [{}]", position.side().letter(), position.board().compact())?;
        if position.steps_taken() != 0 {
            let (taken, pending) = (position.steps_taken(), position.pending());
            writeln!(f, "{taken} steps taken since [{}], pending: {pending:?}", self.start.compact())?;
        }
        write!(f, "{}: {} instead of {}", self.question, self.answer, self.truth)
    }
}

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions, half of them or so from games as they are, some in mid-turn.
    pub positions: u64,
    /// Positions where the side to move, or the other one, has a goal.
    pub goals: u64,
    /// Pieces that can be captured.
    pub captures: u64,
    /// Positions where all rabbits can be captured.
    pub eliminations: u64,
    /// Positions where the other side can be immobilised.
    pub immobilisations: u64,
    /// Positions whose defences were compared.
    pub defences: u64,
    /// Those of them where none exists.
    pub lost: u64,
}

/// Compares all answers on so many positions, drawn from these boards (or from rough games, if there are none)
/// and from perturbations of them; the same seed draws the same ones. Stops at the first difference. `progress`
/// is called after every position.
pub fn verify(
    count: u64,
    seed: u64,
    boards: &[(Board, Side)],
    mut progress: impl FnMut(&Report),
) -> Result<Report, Box<Difference>> {
    let mut positions = Positions::new(seed, boards);
    let mut report = Report::default();
    let mut generator = Generator::default();
    while report.positions < count {
        let (position, start) = positions.next();
        let comparison = Comparison { position, start };
        comparison.run(&mut generator, &mut report).map_err(Box::new)?;
        report.positions += 1;
        progress(&report);
    }
    Ok(report)
}

/// The boards of so many games of random steps, each with the side to move: where no real games are at hand.
#[must_use]
pub fn rough_boards(games: usize, seed: u64) -> Vec<(Board, Side)> {
    let mut random = random::Random::new(seed);
    (0..games).flat_map(|_| positions::rough_game(&mut random, 80)).collect()
}

struct Comparison {
    position: Position,
    start: Board,
}

impl Comparison {
    fn differ(&self, question: &str, answer: impl fmt::Debug, truth: impl fmt::Debug) -> Difference {
        Difference {
            position: self.position,
            start: self.start,
            question: question.into(),
            answer: format!("{answer:?}"),
            truth: format!("{truth:?}"),
        }
    }

    fn same<T: PartialEq + fmt::Debug>(&self, question: &str, answer: T, truth: T) -> Result<(), Difference> {
        if answer == truth { Ok(()) } else { Err(self.differ(question, answer, truth)) }
    }

    fn run(&self, generator: &mut Generator, report: &mut Report) -> Result<(), Difference> {
        let truth = self.side_to_move(generator, report)?;
        if !self.position.in_push()
            && let Ok(turned) = Position::new(*self.position.board(), self.position.side().other())
        {
            let threat = Self { position: turned, start: *turned.board() };
            let truth = threat.side_to_move(generator, report)?;
            if truth.goal.is_some_and(|steps| 0 < steps) && report.positions % 4 == 0 {
                self.defences(report)?;
            }
        } else if truth.goal.is_none() && report.positions % 16 == 0 {
            self.defences(report)?;
        }
        Ok(())
    }

    /// All questions about what the side to move can do.
    fn side_to_move(&self, generator: &mut Generator, report: &mut Report) -> Result<Exhaustive, Difference> {
        let position = &self.position;
        let (board, side, left) = (position.board(), position.side(), position.steps_left());
        // Few pieces can be immobilised; many are tried now and then.
        let immobilise = board.side(side.other()).len() <= 6 || report.positions % 64 == 0;
        let truth = generator.answers(position, &self.start, immobilise);

        let line = goal_in(position);
        self.same("goal", line.map(|line| line.len() as u8), truth.goal)?;
        let on_goal = |board: &Board| !(board.rabbits(side) & side.goal()).is_empty();
        self.line("goal", line, on_goal)?;
        report.goals += u64::from(line.is_some());

        let found = captures_in(position);
        let answer = by_square(&found);
        self.same("captures", answer, truth.captures)?;
        for capture in &found {
            self.capture(capture)?;
        }
        report.captures += found.len() as u64;

        let line = elimination_in(position);
        self.same("elimination", line.map(|line| line.len() as u8), truth.elimination)?;
        self.line("elimination", line, |board| board.rabbits(side.other()).is_empty())?;
        report.eliminations += u64::from(line.is_some_and(|line| !line.is_empty()));

        if immobilise {
            let line = immobilisation_in(position, &self.start);
            self.same("immobilisation", line.map(|line| line.len() as u8), truth.immobilisation)?;
            let win = Some(Ending::win(side, Reason::Immobilisation));
            self.line("immobilisation", line, |board| Ending::of_board(board, side, Rules::Official) == win)?;
            report.immobilisations += u64::from(line.is_some());
        }

        if matches!(position.pending(), surus_rules::Pending::Nothing) {
            self.same("goal on the board", goal(board, side, left), truth.goal)?;
            let steps = goal_line(board, side, left).map(|line| line.len() as u8);
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
    ) -> Result<(), Difference> {
        let Some(line) = line else { return Ok(()) };
        let mut position = self.position;
        for step in line.steps() {
            position = position
                .try_step(step)
                .map_err(|reason| self.differ(question, line, format!("an illegal step {step}: {reason}")))?;
        }
        if position.in_push() || !holds(position.board()) {
            return Err(self.differ(question, line, "a line that does it"));
        }
        Ok(())
    }

    /// Plays the line of a capture and looks whether it takes the right piece on the right square.
    fn capture(&self, capture: &Capture) -> Result<(), Difference> {
        let side = self.position.side();
        self.line("capture", Some(capture.turn), |_| true)?;
        let mut board = *self.position.board();
        let mut at = capture.square;
        let mut taken = None;
        for step in capture.turn.steps() {
            let captured = board.capture_of(step);
            if step.piece().side() != side && step.from() == at {
                at = step.to();
            }
            if captured == Some((capture.piece, at)) && step.piece().side() != side {
                taken = Some(at);
            }
            board = board.after(step);
        }
        self.same("trap of a capture", Some(capture.trap), taken)?;
        self.same("steps of a capture", capture.turn.len() as u8, capture.steps)
    }

    /// All shortest defences, by the goal answer on the board after every turn.
    fn defences(&self, report: &mut Report) -> Result<(), Difference> {
        let position = &self.position;
        let side = position.side();
        let holds = |board: &Board| {
            !(board.rabbits(side) & side.goal()).is_empty() || goal(board, side.other(), 4).is_none()
        };
        let mut fewest = usize::MAX;
        let mut truth: Vec<String> = Vec::new();
        for (turn, board) in Turns::new(position, &self.start, 4).iter() {
            if turn.len() <= fewest && holds(board) {
                if turn.len() < fewest {
                    fewest = turn.len();
                    truth.clear();
                }
                truth.push(board.compact());
            }
        }
        let after =
            |turn: &Turn| turn.steps().fold(*position.board(), |board, step| board.after(step)).compact();
        let mut answer: Vec<String> = match goal_defences(position, &self.start) {
            Defence::NoThreat if !position.in_push() && holds(position.board()) => return Ok(()),
            Defence::NoThreat => return Err(self.differ("defences", "no threat", "a threat")),
            Defence::Turns(turns) => {
                for turn in &turns {
                    self.line("defence", Some(*turn), holds)?;
                }
                turns.iter().map(after).collect()
            }
            Defence::None => Vec::new(),
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
