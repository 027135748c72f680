//! PlayoutPolicy: a few turns by chance and knowledge, then a judgement; or chance to the end of the game.

use surus_rules::{Board, Side, Squares, Turn};

use super::advisor::Advisor;
use super::akimot_eval::AkimotEval;
use super::params::{Config, PlayoutGeneration, PlayoutLength, PlayoutSelection};
use super::step_knowledge::StepKnowledge;
use crate::common::packed_action::{ActionList, PackedAction};
use crate::common::{math::exp, rng::Rng};

/// A playout to the end of the game is judged after so many turns, if nobody has won.
const ENDLESS: u64 = 300;

/// How playouts are made.
#[derive(Clone, Debug)]
pub(crate) struct PlayoutPolicy {
    pub(crate) eval: AkimotEval,
    pub(crate) knowledge: StepKnowledge,
    length: PlayoutLength,
    shortest: u32,
    longest: u32,
    generation: PlayoutGeneration,
    pieces: (u32, u32),
    selection: PlayoutSelection,
    candidates: usize,
    knows: bool,
    advisor_share: f32,
    elimination: bool,
}

/// What one thread needs for playouts.
#[derive(Clone, Debug)]
pub(crate) struct PlayoutContext {
    pub(crate) rng: Rng,
    pub(crate) advisor: Advisor,
    ways: ActionList,
    /// The sequences of the advisor that the running playout has used.
    used: Vec<(Side, u32)>,
    /// The ways of the last playout, if anybody wants them.
    pub(crate) played: Option<Vec<PackedAction>>,
    /// Turns and steps of all playouts.
    pub(crate) turns: u64,
    pub(crate) steps: u64,
}

impl PlayoutContext {
    pub(crate) fn new(config: &Config, seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            advisor: Advisor::new(config),
            ways: ActionList::new(),
            used: Vec::new(),
            played: config.rave.then(Vec::new),
            turns: 0,
            steps: 0,
        }
    }

    /// No playout has run yet in this simulation.
    pub(crate) fn forget(&mut self) {
        if let Some(played) = &mut self.played {
            played.clear();
        }
    }
}

/// A turn that runs in a playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayoutState {
    pub(crate) board: Board,
    pub(crate) side: Side,
    /// Steps left in the turn.
    pub(crate) left: u8,
    /// The way before.
    pub(crate) last: PackedAction,
}

impl PlayoutPolicy {
    pub(crate) fn new(config: &Config, elimination: bool) -> Self {
        Self {
            eval: AkimotEval::new(config),
            knowledge: StepKnowledge::new(config),
            length: config.playout_length,
            shortest: config.playout_min_turns.min(config.playout_max_turns) as u32,
            longest: config.playout_max_turns as u32,
            generation: config.playout_generation,
            pieces: (
                config.playout_min_pieces.min(config.playout_max_pieces) as u32,
                config.playout_max_pieces as u32,
            ),
            selection: config.playout_selection,
            candidates: config.playout_candidates as usize,
            knows: config.playout_knowledge,
            advisor_share: if config.advisor { config.advisor_probability } else { 0.0 },
            elimination,
        }
    }

    /// Plays from a position on; the result is gold's, from -1 to 1.
    pub(crate) fn play(&self, mut run: PlayoutState, context: &mut PlayoutContext) -> f32 {
        context.used.clear();
        context.forget();
        let turns = match self.length {
            PlayoutLength::Short => {
                u64::from(self.shortest + context.rng.below(self.longest - self.shortest + 1))
            }
            PlayoutLength::Full => ENDLESS,
        };
        let mut result = None;
        for _ in 0..turns {
            self.turn(&mut run, context);
            context.turns += 1;
            result = self.winner(&run.board, run.side);
            if result.is_some() {
                break;
            }
            run.side = run.side.other();
            run.left = Turn::MAX as u8;
            if !run.board.has_step(run.side) {
                result = Some(run.side.other());
                break;
            }
        }
        let result = match result {
            Some(Side::Gold) => 1.0,
            Some(Side::Silver) => -1.0,
            None if run.left == Turn::MAX as u8 => self.eval.evaluate(&run.board, run.side),
            // In the middle of a turn, where no turn is played, the board is judged as if the turn ended here.
            None => self.eval.evaluate_mid_turn(&run.board, run.side, run.left),
        };
        for (side, index) in context.used.drain(..) {
            context.advisor.reward(side, index, result);
        }
        result
    }

    /// Who has won when a side ends its turn on a board, mobility aside.
    #[inline]
    fn winner(&self, board: &Board, mover: Side) -> Option<Side> {
        let other = mover.other();
        let [mine, theirs] = [mover, other].map(|side| board.rabbits(side));
        if !(mine & mover.goal()).is_empty() {
            return Some(mover);
        }
        if !(theirs & other.goal()).is_empty() {
            return Some(other);
        }
        if self.elimination && theirs.is_empty() {
            return Some(mover);
        }
        (self.elimination && mine.is_empty()).then_some(other)
    }

    pub(crate) fn turn(&self, run: &mut PlayoutState, context: &mut PlayoutContext) {
        if self.advisor_share > 0.0
            && run.left == Turn::MAX as u8
            && context.rng.gen_bool(self.advisor_share)
            && let Some((index, turn)) = context.advisor.advise(&run.board, run.side)
        {
            for step in turn.steps() {
                run.board = run.board.after(step);
                context.steps += 1;
            }
            let (last, played) = (&mut run.last, &mut context.played);
            PackedAction::of_turn(run.side, &turn, |way| {
                *last = way;
                if let Some(played) = played {
                    played.push(way);
                }
            });
            context.used.push((run.side, index));
            return;
        }
        let mut chosen = self.choose_pieces(run, &mut context.rng);
        while run.left != 0 {
            context.ways.clear();
            match self.generation {
                PlayoutGeneration::Turns => {
                    for square in chosen & run.board.side(run.side) {
                        context.ways.add_from(&run.board, run.side, square, run.left);
                    }
                }
                PlayoutGeneration::Steps => {
                    context.ways.add_all(&run.board, run.side, run.left);
                    if run.left < Turn::MAX as u8 {
                        context.ways.push(PackedAction::pass(run.side));
                    }
                }
            }
            let Some((way, next)) = self.select(run, &mut context.ways, &mut context.rng) else { return };
            context.steps += u64::from(way.len());
            if let Some(played) = &mut context.played {
                played.push(way);
            }
            if way.is_pass() {
                return;
            }
            chosen = moved(chosen, way);
            run.board = next;
            run.left -= way.len();
            run.last = way;
        }
    }

    /// The pieces that take part in a turn.
    #[inline]
    fn choose_pieces(&self, run: &PlayoutState, rng: &mut Rng) -> Squares {
        if self.generation == PlayoutGeneration::Steps {
            return Squares::ALL;
        }
        let mut own = run.board.side(run.side).0;
        let count = self.pieces.0 + rng.below(self.pieces.1 - self.pieces.0 + 1);
        let mut chosen = 0;
        for _ in 0..count.min(own.count_ones()) {
            let mut rest = own;
            for _ in 0..rng.below(own.count_ones()) {
                rest &= rest - 1;
            }
            let piece = rest & rest.wrapping_neg();
            chosen |= piece;
            own ^= piece;
        }
        Squares(chosen)
    }

    #[inline]
    fn select(
        &self,
        run: &PlayoutState,
        ways: &mut ActionList,
        rng: &mut Rng,
    ) -> Option<(PackedAction, Board)> {
        let ways = ways.as_mut();
        let applied = |way: PackedAction| (way, way.applied(&run.board));
        match ways.len() {
            0 => return None,
            1 => return Some(applied(ways[0])),
            len if !self.knows => return Some(applied(ways[rng.below(len as u32) as usize])),
            _ => {}
        }
        let count = self.candidates.min(ways.len() / 2).max(1);
        if count == 1 {
            return Some(applied(ways[rng.below(ways.len() as u32) as usize]));
        }
        let mut best: Option<(f32, PackedAction, Board)> = None;
        let mut sum = 0.0;
        for taken in 0..count {
            let index = taken + rng.below((ways.len() - taken) as u32) as usize;
            ways.swap(taken, index);
            let (way, next) = applied(ways[taken]);
            let left = run.left.saturating_sub(way.len());
            let value = self.knowledge.value(&run.board, way, &next, run.last, run.side, left);
            let better = match self.selection {
                PlayoutSelection::Best => best.is_none_or(|(high, ..)| high < value),
                PlayoutSelection::Roulette => {
                    // Each takes the place of those before it by its share of the weight so far.
                    let weight = exp(value);
                    sum += weight;
                    rng.gen_f32() * sum <= weight
                }
            };
            if better {
                best = Some((value, way, next));
            }
        }
        best.map(|(_, way, next)| (way, next))
    }
}

/// The chosen pieces after one of them, or an enemy with one of them behind it, has moved.
#[inline]
fn moved(chosen: Squares, way: PackedAction) -> Squares {
    let (Some(from), Some(to)) = (way.from(), way.to()) else { return chosen };
    let mut next = chosen;
    if chosen.contains(from) {
        next = next & !Squares::from(from) | to.into();
    } else if way.displaces() {
        // A push: the pusher enters the square that its victim left.
        let pusher = way.touched() & chosen & !Squares::from(to);
        next = next & !pusher | from.into();
    }
    next
}
