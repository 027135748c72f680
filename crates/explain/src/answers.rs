//! The best turns: defences against threats, and among the shortest captures of a piece the one that costs least.
//!
//! A turn is judged by what it loses itself and what it leaves to the other side: a win, or else the most valuable piece
//! that can be captured. Of two turns that leave the same, the shorter one is better, then the one that captures more.

use std::cmp::Reverse;

use surus_geometry::search::CapturedPiece;
use surus_rules::{Board, DistinctTurns, PieceKind, Side, Square, Turn};
use surus_tactics::{Captures, Defences, capture_defences, captures, elimination, goal_defences, has_goal};

use crate::claim::{Aftermath, Answer, Response, Win};
use crate::outcome::Outcome;
use crate::phrases::describe_answer;
use crate::scene::Scene;
use crate::value::{GAME, piece_value};

/// The maximum number of answers to a threat.
pub const MAX_ANSWERS: usize = 6;

/// The maximum number of shortest defences to compare.
const MAX_COMPARED: usize = 300;

/// A threat of the other side, on the board of a scene.
#[derive(Clone, Copy)]
pub(crate) enum Threat {
    Win(Win),
    Capture(CapturedPiece),
}

/// How bad a turn is: its losses with what it leaves, its steps, and what it captures.
type Rank = (u32, usize, Reverse<u32>);

/// Whether immobilisation is looked for behind every turn, which takes long, or not at all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Immobilisation {
    Ignored,
    Found,
}

/// What a turn leaves to the other side.
struct Evaluation {
    wins: bool,
    goal: bool,
    elimination: bool,
    captures: Captures,
    lost: u32,
    /// Without immobilisation.
    least_rank: Rank,
}

impl Evaluation {
    /// `None` if the turn may not end on the board, or loses the game.
    fn new(scene: &Scene<'_>, turn: &Turn, board: &Board) -> Option<Self> {
        if !scene.may_end_on(board) {
            return None;
        }
        let (side, other) = (scene.side(), scene.side().other());
        let result = scene.result(board);
        if result.is_some_and(|result| result.winner == Some(other)) {
            return None;
        }
        let wins = scene.wins(board);
        let goal = !wins && has_goal(board, other, 4);
        let elimination = !wins && scene.elimination_wins() && elimination(board, other, 4).is_some();
        let captures = captures(board, other, if wins { 0 } else { 4 });
        let before = scene.board();
        let lost = material(before, side) - material(board, side);
        let gained = material(before, other) - material(board, other);
        let mut risk = 0;
        if goal || elimination {
            risk = GAME;
        } else {
            for square in captures.squares() {
                risk = risk.max(board.piece_at(square).map_or(0, piece_value));
            }
        }
        let least_rank = (if wins { 0 } else { lost + risk }, turn.len(), Reverse(gained));
        Some(Self { wins, goal, elimination, captures, lost, least_rank })
    }

    /// The rank of a turn that ends on this board, if it is better than another one.
    fn rank_below(
        &self,
        other: Option<Rank>,
        scene: &Scene<'_>,
        board: &Board,
        immobilisation: Immobilisation,
    ) -> Option<Rank> {
        let is_better = |rank: &Rank| other.is_none_or(|other| *rank < other);
        let least = Some(self.least_rank).filter(is_better)?;
        let loses = immobilisation == Immobilisation::Found
            && !self.wins
            && least.0 < GAME
            && scene.is_immobilised_after(board);
        Some(if loses { (self.lost + GAME, least.1, least.2) } else { least }).filter(is_better)
    }

    /// Whether a threat has ended; `square` is where the threatened piece stands.
    fn ends(&self, scene: &Scene<'_>, board: &Board, threat: Threat, square: Option<Square>) -> bool {
        self.wins
            || match threat {
                Threat::Win(Win::Goal { .. }) => !self.goal,
                Threat::Win(Win::Elimination) => !self.elimination,
                Threat::Win(Win::Immobilisation) => !scene.is_immobilised_after(board),
                Threat::Capture(_) => square.is_some_and(|square| self.captures.steps(square).is_none()),
            }
    }
}

/// The value of all pieces of a side.
fn material(board: &Board, side: Side) -> u32 {
    let value = |kind| board.count(side, kind) * piece_value(surus_rules::Piece::new(side, kind));
    PieceKind::ALL.into_iter().map(value).sum()
}

/// Where the threatened piece stands after a turn.
fn threatened_square(scene: &Scene<'_>, turn: &Turn, threat: Threat) -> Option<Square> {
    let Threat::Capture(dead) = threat else { return None };
    Outcome::new(&scene.position, turn)?.square_of(dead.from)
}

/// The responses of the side to move to threats of the other side.
pub(crate) fn responses(scene: &Scene<'_>, threats: &[Threat]) -> Vec<Response> {
    if threats.is_empty() {
        return Vec::new();
    }
    let mut best = best_turns(scene, threats, Immobilisation::Ignored);
    if best.iter().flatten().any(|(rank, turn)| rank.0 < GAME && leaves_no_step(scene, turn)) {
        best = best_turns(scene, threats, Immobilisation::Found);
    }
    threats.iter().zip(best).map(|(&threat, best)| response(scene, threat, best)).collect()
}

/// Whether the other side can immobilise after a turn that does not win.
fn leaves_no_step(scene: &Scene<'_>, turn: &Turn) -> bool {
    Outcome::new(&scene.position, turn)
        .is_some_and(|outcome| !scene.wins(&outcome.board) && scene.is_immobilised_after(&outcome.board))
}

/// The best turn against each threat.
fn best_turns(
    scene: &Scene<'_>,
    threats: &[Threat],
    immobilisation: Immobilisation,
) -> Vec<Option<(Rank, Turn)>> {
    let mut best: Vec<Option<(Rank, Turn)>> = vec![None; threats.len()];
    let mut turns = DistinctTurns::new(&scene.position, &scene.start, 0);
    for steps in 1..=scene.position.steps_left() {
        turns.regenerate(&scene.position, &scene.start, steps);
        for (turn, board) in turns.iter().filter(|(turn, _)| turn.len() == usize::from(steps)) {
            let Some(evaluation) = Evaluation::new(scene, &turn, board) else { continue };
            for (&threat, best) in threats.iter().zip(&mut best) {
                let bound = best.map(|(rank, _)| rank);
                if let Some(rank) = evaluation.rank_below(bound, scene, board, immobilisation)
                    && evaluation.ends(scene, board, threat, threatened_square(scene, &turn, threat))
                {
                    *best = Some((rank, turn));
                }
            }
        }
        // Longer turns cannot be better.
        if best.iter().all(|best| best.is_some_and(|((risk, ..), _)| risk == 0)) {
            break;
        }
    }
    best
}

fn response(scene: &Scene<'_>, threat: Threat, best: Option<(Rank, Turn)>) -> Response {
    let defences = match threat {
        Threat::Win(Win::Goal { .. }) => goal_defences(&scene.position, &scene.start),
        Threat::Capture(dead) => capture_defences(&scene.position, &scene.start, dead.from),
        Threat::Win(_) => Defences::Unstoppable,
    };
    let mut shortest: Vec<Turn> = defences.turns().to_vec();
    shortest.retain(|turn| {
        let outcome = Outcome::new(&scene.position, turn);
        outcome.is_some_and(|outcome| scene.may_end_on(&outcome.board))
    });
    if shortest.is_empty() {
        shortest.extend(best.map(|(_, turn)| turn));
    }
    let Some(steps) = shortest.first().map(Turn::len) else { return Response::Unstoppable };
    let count = shortest.len();
    let mut ranked: Vec<(Rank, Turn)> = shortest
        .into_iter()
        .take(MAX_COMPARED)
        .filter_map(|turn| {
            let board = Outcome::new(&scene.position, &turn)?.board;
            Some((Evaluation::new(scene, &turn, &board)?.least_rank, turn))
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut ranked = sound_first(scene, ranked);
    if let Some((rank, turn)) = best
        && ranked.first().is_none_or(|first| rank < first.0)
        && let Some(aftermath) = scene.aftermath(&turn)
    {
        ranked.insert(0, (rank, turn, aftermath));
    }
    let answer = |(_, turn, aftermath): (Rank, Turn, Aftermath)| {
        let text = describe_answer(scene, threat, &turn, &aftermath);
        Answer { turn, text, aftermath }
    };
    let answers = ranked.into_iter().take(MAX_ANSWERS).map(answer).collect();
    Response::Defences { answers, steps, count }
}

/// The first turns after which the other side cannot win, then others.
fn sound_first(scene: &Scene<'_>, ranked: Vec<(Rank, Turn)>) -> Vec<(Rank, Turn, Aftermath)> {
    let (mut sound, mut losing) = (Vec::new(), Vec::new());
    for (rank, turn) in ranked {
        if sound.len() == MAX_ANSWERS || rank.0 >= GAME && losing.len() >= MAX_ANSWERS {
            break;
        }
        let Some(aftermath) = scene.aftermath(&turn) else { continue };
        if aftermath.win.is_none() {
            sound.push((rank, turn, aftermath));
        } else {
            losing.push(((rank.0.max(GAME), rank.1, rank.2), turn, aftermath));
        }
    }
    sound.append(&mut losing);
    sound
}

/// Of the shortest captures of each piece, the one that costs least; `captures` has one of them.
pub(crate) fn cheapest_captures(scene: &Scene<'_>, captures: &mut [(CapturedPiece, Turn)]) {
    let shortest = captures.to_vec();
    choose_captures(scene, captures, Immobilisation::Ignored);
    if captures.iter().any(|(_, turn)| leaves_no_step(scene, turn)) {
        captures.copy_from_slice(&shortest);
        choose_captures(scene, captures, Immobilisation::Found);
    }
}

fn choose_captures(
    scene: &Scene<'_>,
    captures: &mut [(CapturedPiece, Turn)],
    immobilisation: Immobilisation,
) {
    let mut ranks: Vec<Option<Rank>> = vec![None; captures.len()];
    let enemies = scene.board().by_side(scene.side().other()).len();
    let mut turns = DistinctTurns::new(&scene.position, &scene.start, 0);
    for steps in 1..=scene.position.steps_left() {
        if !captures.iter().any(|(_, turn)| turn.len() == usize::from(steps)) {
            continue;
        }
        turns.regenerate(&scene.position, &scene.start, steps);
        for (turn, board) in turns.iter().filter(|(turn, _)| turn.len() == usize::from(steps)) {
            if board.by_side(scene.side().other()).len() == enemies {
                continue;
            }
            let Some(evaluation) = Evaluation::new(scene, &turn, board) else { continue };
            let Some(outcome) = Outcome::new(&scene.position, &turn) else { continue };
            for ((dead, shortest), rank) in captures.iter_mut().zip(&mut ranks) {
                let capture = outcome.captured.iter().find(|captured| captured.from == dead.from);
                if let Some(capture) = capture
                    && shortest.len() == turn.len()
                    && let Some(better) = evaluation.rank_below(*rank, scene, board, immobilisation)
                {
                    (*dead, *shortest, *rank) = (*capture, turn, Some(better));
                }
            }
        }
    }
}
