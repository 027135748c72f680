//! The static evaluation of a board.
//!
//! `terms.rs` lists the terms with their parameters, whose values come from a file ([`Weights`]). One pass per side feeds an
//! accumulator, which sums up the score, explains it or records it for tuning.

mod by_phase;
mod distance;
mod evaluation;
mod influence;
pub mod network;
mod officers;
mod perspective;
mod pieces;
mod rabbits;
mod term;
mod terms;
mod traps;
mod weights;

use surus_rules::{Board, Side};

pub use evaluation::{Evaluation, EvaluationError};
pub use influence::{PieceValue, piece_values, square_values};
pub use term::{Term, TermSpec};
pub use terms::{PARAMETER_COUNT, TERMS};
pub use weights::{Weights, WeightsError};

/// The parameter of having the move, the only one that does not depend on the board.
pub const TEMPO: usize = terms::TEMPO.first;

use crate::common::by_side::BySide;
use crate::common::score::Score;
use perspective::Perspective;
use term::{Accumulator, UNIT};

pub(crate) use network::NetworkEval;

/// Evaluates boards. Each search thread owns an evaluator, which may keep state between calls, such as the accumulators
/// of a network.
pub(crate) trait Evaluate: Clone + Send {
    /// The score in millirabbits for the side that starts its turn.
    fn evaluate(&mut self, board: &Board, side: Side) -> Score;

    /// The score in centirabbits at which a side wins e times as often as it loses.
    fn scale(&self) -> i32;
}

/// The scale of the handcrafted evaluation, as fitted by `surus learn tune`.
pub const HANDCRAFTED_SCALE: i32 = 391;

/// The handcrafted evaluation.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct HandcraftedEval {
    weights: Weights,
}

impl HandcraftedEval {
    pub(crate) const fn new(weights: Weights) -> Self {
        Self { weights }
    }
}

impl Evaluate for HandcraftedEval {
    fn evaluate(&mut self, board: &Board, side: Side) -> Score {
        handcrafted(&self.weights, board, side)
    }

    fn scale(&self) -> i32 {
        HANDCRAFTED_SCALE
    }
}

/// The handcrafted evaluation of a board on which `side` starts its turn, in millirabbits.
#[must_use]
pub fn handcrafted(weights: &Weights, board: &Board, side: Side) -> i32 {
    let gold = Perspective::from_gold(board);
    let silver = gold.flipped();
    let weights = weights.values();
    let mut sums = [ScoreSum { weights, sum: 0 }, ScoreSum { weights, sum: 0 }];
    evaluate_side(&gold, &mut sums[0]);
    evaluate_side(&silver, &mut sums[1]);
    let difference = (sums[0].sum - sums[1].sum) / UNIT;
    weights[terms::TEMPO.first] + if side == Side::Gold { difference } else { -difference }
}

/// Accumulates all terms of one side.
fn evaluate_side(view: &Perspective, acc: &mut impl Accumulator) {
    pieces::material(view, acc);
    pieces::piece_squares(view, acc);
    pieces::dominated(view, acc);
    traps::guards(view, acc);
    traps::control(view, acc);
    traps::hostages(view, acc);
    traps::trap_threats(view, acc);
    traps::frames(view, acc);
    officers::elephant_mobility(view, acc);
    officers::distances(view, acc);
    officers::wings(view, acc);
    officers::strongest_free(view, acc);
    traps::attack(view, acc);
    rabbits::rabbit_advance(view, acc);
}

/// Sums up the score.
struct ScoreSum<'a> {
    weights: &'a [Score; PARAMETER_COUNT],
    sum: Score,
}

impl Accumulator for ScoreSum<'_> {
    #[inline]
    fn add(&mut self, term: Term, index: usize, amount: Score) {
        debug_assert!(index < term.len, "{}[{index}]", TERMS[term.id].name);
        self.sum += amount * self.weights[term.first + index];
    }
}

/// The value of one term on a board, in millirabbits.
#[derive(Clone, Copy, Debug)]
pub struct TermScore {
    /// The term.
    pub spec: &'static TermSpec,
    /// Its value for gold and for silver.
    pub sides: [i32; 2],
}

/// The terms of the evaluation for both sides; the tempo term counts for `side`.
#[must_use]
pub fn explain(weights: &Weights, board: &Board, side: Side) -> Vec<TermScore> {
    let weights = weights.values();
    let gold = Perspective::from_gold(board);
    let mut terms = BySide::from_fn(|_| TermSums { weights, sums: [0; TERMS.len()] });
    evaluate_side(&gold, &mut terms[Side::Gold]);
    evaluate_side(&gold.flipped(), &mut terms[Side::Silver]);
    terms[side].add_unit(terms::TEMPO, 0);
    TERMS
        .iter()
        .map(|spec| TermScore { spec, sides: Side::BOTH.map(|side| terms[side].sums[spec.term.id] / UNIT) })
        .collect()
}

/// Sums up each term by itself.
struct TermSums<'a> {
    weights: &'a [Score; PARAMETER_COUNT],
    sums: [Score; TERMS.len()],
}

impl Accumulator for TermSums<'_> {
    fn add(&mut self, term: Term, index: usize, amount: Score) {
        self.sums[term.id] += amount * self.weights[term.first + index];
    }
}

/// The coefficients of the parameters on a board for the side that starts its turn, in eighths; zeros are omitted. The
/// score is their dot product with the parameters, divided by eight.
#[must_use]
pub fn trace(board: &Board, side: Side) -> Vec<(u16, i16)> {
    let gold = Perspective::from_gold(board);
    let mut counts =
        Trace { sign: if side == Side::Gold { 1 } else { -1 }, counts: Box::new([0; PARAMETER_COUNT]) };
    evaluate_side(&gold, &mut counts);
    counts.sign = -counts.sign;
    evaluate_side(&gold.flipped(), &mut counts);
    counts.sign = 1;
    counts.add_unit(terms::TEMPO, 0);
    let found = counts.counts.iter().enumerate().filter(|&(_, &count)| count != 0);
    found.map(|(index, &count)| (index as u16, count)).collect()
}

/// Counts how often each parameter occurs.
struct Trace {
    sign: Score,
    counts: Box<[i16; PARAMETER_COUNT]>,
}

impl Accumulator for Trace {
    fn add(&mut self, term: Term, index: usize, amount: Score) {
        self.counts[term.first + index] += (self.sign * amount) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Position;

    fn score(text: &str) -> Score {
        let position: Position = text.parse().unwrap();
        let (board, side) = (*position.board(), position.side());
        let score = handcrafted(&Weights::default(), &board, side);
        assert_eq!(
            score,
            handcrafted(&Weights::default(), &board.mirrored(), side),
            "left and right are the same"
        );
        assert_eq!(
            score,
            handcrafted(&Weights::default(), &board.flipped(), side.other()),
            "the sides are the same"
        );
        score
    }

    #[test]
    fn both_sides_and_both_wings_are_judged_alike() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        assert!(score(start).abs() < 1000);
        assert!(score("g [rrrrrrrrhdcemcd                                 HDCMECDHRRRRRRRR]") > 3000);
        assert!(score("s [rrrrrrrrhdcemcd                                 HDCMECDHRRRRRRRR]") < -3000);
    }

    #[test]
    fn a_frozen_piece_costs_something() {
        // The elephant on e6 freezes the horse on e5, or is next to no piece: the horse is on e4 then.
        let frozen = score("g [rrrrrrrr            e       H                      E    RRRRRRRR]");
        let free = score("g [rrrrrrrr            e               H              E    RRRRRRRR]");
        assert!(frozen + 200 < free, "{frozen} {free}");
    }

    /// Boards of a random game.
    fn boards() -> Vec<(Board, Side)> {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut position: Position = start.parse().unwrap();
        let mut found = Vec::new();
        let mut random = 1_u64;
        while found.len() < 400 {
            let mut steps = Vec::new();
            position.for_each_step(|step, _| steps.push(step));
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let choice = (random >> 33) as usize % (steps.len() + 1);
            position = match steps.get(choice).and_then(|&step| position.try_step(step).ok()) {
                Some(next) => next,
                None if position.is_mid_push() => continue,
                None => position.next_turn(),
            };
            if position.steps_left() == 0 && !position.is_mid_push() {
                position = position.next_turn();
            }
            found.push((*position.board(), position.side()));
        }
        found
    }

    #[test]
    fn score_explanation_and_trace_agree_on_every_board() {
        let mut seen = [false; PARAMETER_COUNT];
        for (board, side) in boards() {
            let score = handcrafted(&Weights::default(), &board, side);
            let sides = explain(&Weights::embedded(), &board, side)
                .iter()
                .fold([0, 0], |[gold, silver], term| [gold + term.sides[0], silver + term.sides[1]]);
            let explained = if side == Side::Gold { sides[0] - sides[1] } else { sides[1] - sides[0] };
            // Every term is rounded by itself.
            assert!((explained - score).abs() <= 2 * TERMS.len() as Score, "{explained} {score}");
            let weights = Weights::embedded();
            let traced: Score = trace(&board, side)
                .iter()
                .map(|&(i, n)| weights.values()[usize::from(i)] * Score::from(n))
                .sum();
            assert!((traced / UNIT - score).abs() <= 1, "{traced} {score}");
            assert_eq!(score, handcrafted(&Weights::default(), &board.mirrored(), side));
            assert_eq!(score, handcrafted(&Weights::default(), &board.flipped(), side.other()));
            for (parameter, _) in trace(&board, side) {
                seen[usize::from(parameter)] = true;
            }
        }
        for spec in &TERMS {
            let own = &seen[spec.term.first..][..spec.term.len];
            assert!(own.contains(&true), "{} never occurs", spec.name);
        }
    }

    #[test]
    fn boards_without_rabbits_and_with_one_piece_are_judged() {
        for text in [
            "g [                           E        e                           ]",
            "s [r                                                              R]",
        ] {
            assert!(score(text).abs() < 100_000);
        }
    }
}
