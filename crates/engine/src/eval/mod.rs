//! How good a board is, without looking ahead.
//!
//! Every term is a row of `terms.rs` with a few parameters, whose values come from a file ([`Weights`]). The evaluation
//! visits the terms once for each side; what it finds is summed up, explained or recorded for tuning.

mod officers;
mod perspective;
mod pieces;
mod rabbits;
mod term;
mod terms;
mod traps;
mod weights;

use surus_play::Id;
use surus_rules::{Board, Side};

pub use term::{Spec, Term};
pub use terms::{PARAMETERS, TERMS};
pub use weights::{Weights, WeightsError};

use crate::common::score::Score;
use perspective::View;
use term::{Tally, WHOLE};

/// Evaluates boards. Each thread of a search has an evaluator of its own, which may keep state between calls, as the
/// accumulators of a network.
pub(crate) trait Evaluate: Clone + Send {
    /// In millirabbits, for the side that begins its turn.
    fn score(&mut self, board: &Board, side: Side) -> Score;
}

/// The hand-written evaluation with the weights of a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct HandWritten {
    weights: Weights,
}

impl HandWritten {
    pub(crate) const fn new(weights: Weights) -> Self {
        Self { weights }
    }

    /// As [`Evaluate::score`]; it keeps no state.
    pub(crate) fn evaluate(&self, board: &Board, side: Side) -> Score {
        let gold = View::of_gold(board);
        let silver = gold.turned();
        let weights = self.weights.values();
        let mut sums = [Sum { weights, sum: 0 }, Sum { weights, sum: 0 }];
        half(&gold, &mut sums[0]);
        half(&silver, &mut sums[1]);
        let difference = (sums[0].sum - sums[1].sum) / WHOLE;
        weights[terms::TEMPO.first] + if side == Side::Gold { difference } else { -difference }
    }
}

impl Evaluate for HandWritten {
    fn score(&mut self, board: &Board, side: Side) -> Score {
        self.evaluate(board, side)
    }
}

/// Everything that speaks for the side of a view.
fn half(view: &View, tally: &mut impl Tally) {
    pieces::material(view, tally);
    pieces::places(view, tally);
    pieces::pressed(view, tally);
    traps::guards(view, tally);
    traps::control(view, tally);
    traps::held(view, tally);
    traps::stalked(view, tally);
    traps::frames(view, tally);
    officers::mobility(view, tally);
    officers::distances(view, tally);
    officers::wings(view, tally);
    officers::strongest_free(view, tally);
    traps::attack(view, tally);
    rabbits::runs(view, tally);
}

/// The score alone.
struct Sum<'a> {
    weights: &'a [Score; PARAMETERS],
    sum: Score,
}

impl Tally for Sum<'_> {
    #[inline]
    fn add(&mut self, term: Term, index: usize, amount: Score) {
        debug_assert!(index < term.len, "{}[{index}]", TERMS[term.id].name);
        self.sum += amount * self.weights[term.first + index];
    }
}

/// One term as it stands on a board, in thousandths of a rabbit.
#[derive(Clone, Copy, Debug)]
pub struct Explained {
    /// The term.
    pub spec: &'static Spec,
    /// What it adds for gold and for silver.
    pub sides: [i32; 2],
}

/// Every term of the evaluation for both sides, for the side that begins its turn.
#[must_use]
pub fn explain(weights: &Weights, board: &Board, side: Side) -> Vec<Explained> {
    let weights = weights.values();
    let gold = View::of_gold(board);
    let mut terms = Side::BOTH.map(|_| ByTerm { weights, sums: [0; TERMS.len()] });
    half(&gold, &mut terms[0]);
    half(&gold.turned(), &mut terms[1]);
    terms[side as usize].one(terms::TEMPO, 0);
    TERMS
        .iter()
        .map(|spec| Explained {
            spec,
            sides: [terms[0].sums[spec.term.id] / WHOLE, terms[1].sums[spec.term.id] / WHOLE],
        })
        .collect()
}

struct ByTerm<'a> {
    weights: &'a [Score; PARAMETERS],
    sums: [Score; TERMS.len()],
}

impl Tally for ByTerm<'_> {
    fn add(&mut self, term: Term, index: usize, amount: Score) {
        self.sums[term.id] += amount * self.weights[term.first + index];
    }
}

/// How often each parameter counts on a board for the side that begins its turn, in eighths; those that cancel out
/// are left out. The sum of these times the parameters, divided by eight, is the score.
#[must_use]
pub fn trace(board: &Board, side: Side) -> Vec<(u16, i16)> {
    let gold = View::of_gold(board);
    let mut counts =
        Counted { sign: if side == Side::Gold { 1 } else { -1 }, counts: Box::new([0; PARAMETERS]) };
    half(&gold, &mut counts);
    counts.sign = -counts.sign;
    half(&gold.turned(), &mut counts);
    counts.sign = 1;
    counts.one(terms::TEMPO, 0);
    let found = counts.counts.iter().enumerate().filter(|&(_, &count)| count != 0);
    found.map(|(index, &count)| (index as u16, count)).collect()
}

struct Counted {
    sign: Score,
    counts: Box<[i16; PARAMETERS]>,
}

impl Tally for Counted {
    fn add(&mut self, term: Term, index: usize, amount: Score) {
        self.counts[term.first + index] += (self.sign * amount) as i16;
    }
}

/// The id of the evaluation with some weights, as a part of an engine's.
pub(crate) fn id(weights: &Weights) -> Id {
    Id::own("hand-written", weights.revision(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use surus_rules::Position;

    fn score(text: &str) -> Score {
        let position: Position = text.parse().unwrap();
        let (board, side) = (*position.board(), position.side());
        let score = HandWritten::default().evaluate(&board, side);
        assert_eq!(
            score,
            HandWritten::default().evaluate(&board.mirrored(), side),
            "left and right are the same"
        );
        assert_eq!(
            score,
            HandWritten::default().evaluate(&board.flipped(), side.other()),
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
        // The elephant on e6 freezes the horse on e5, or stands next to nobody: the horse is on e4 then.
        let frozen = score("g [rrrrrrrr            e       H                      E    RRRRRRRR]");
        let free = score("g [rrrrrrrr            e               H              E    RRRRRRRR]");
        assert!(frozen + 200 < free, "{frozen} {free}");
    }

    /// Boards of a game that two careless sides play.
    fn boards() -> Vec<(Board, Side)> {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut position: Position = start.parse().unwrap();
        let mut found = Vec::new();
        let mut chance = 1_u64;
        while found.len() < 400 {
            let mut steps = Vec::new();
            position.for_each_step(|step, _| steps.push(step));
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let choice = (chance >> 33) as usize % (steps.len() + 1);
            position = match steps.get(choice).and_then(|&step| position.try_step(step).ok()) {
                Some(next) => next,
                None if position.in_push() => continue,
                None => position.turn_over(),
            };
            if position.steps_left() == 0 && !position.in_push() {
                position = position.turn_over();
            }
            found.push((*position.board(), position.side()));
        }
        found
    }

    #[test]
    fn score_explanation_and_trace_agree_on_every_board() {
        let mut met = [false; PARAMETERS];
        for (board, side) in boards() {
            let score = HandWritten::default().evaluate(&board, side);
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
            assert!((traced / WHOLE - score).abs() <= 1, "{traced} {score}");
            assert_eq!(score, HandWritten::default().evaluate(&board.mirrored(), side));
            assert_eq!(score, HandWritten::default().evaluate(&board.flipped(), side.other()));
            for (parameter, _) in trace(&board, side) {
                met[usize::from(parameter)] = true;
            }
        }
        for spec in &TERMS {
            let own = &met[spec.term.first..][..spec.term.len];
            assert!(own.contains(&true), "{} is never met", spec.name);
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
