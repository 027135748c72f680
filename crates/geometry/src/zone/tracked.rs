//! A network that follows a game: after each transition its zones are translated, and only what has changed is generated.

use surus_rules::{Bitboard, Board, Side, Square};

use super::advance::Run;
use super::cut::{MainLine, lines};
use super::negation::{AllShortest, Frontier, Negations, within};
use super::{NEGATIONS, Network, TimeModel, Zone, ZoneSymbol, is_rabbit, rabbit_run};
use crate::Fidelity;
use crate::abg::MovementKind;
use crate::trajectory::shortest;

/// The steps of a turn.
const STEPS: u8 = 4;
/// The main lines at a trap depend on no square farther away than this.
const LINE_RADIUS: u8 = 4;

/// The squares from which a piece could join a zone: own heavy, own light, enemy heavy and enemy light ones.
type Reach = [Bitboard; 4];

/// A zone with what its translation needs.
#[derive(Clone)]
struct Tracked<L> {
    line: L,
    zone: Zone,
    frontiers: [Frontier; NEGATIONS as usize],
    reach: Reach,
}

/// The main line of either kind of zone.
trait Line {
    fn negations<'a>(&self, board: &'a Board) -> Negations<'a>;
    fn frontier(&self) -> Frontier;
    fn zone(&self, board: &Board) -> Zone;
}

/// The main line of a CUT zone and its fidelity.
#[derive(Clone, PartialEq, Eq)]
struct CutLine(MainLine, Fidelity);

impl Line for CutLine {
    fn negations<'a>(&self, board: &'a Board) -> Negations<'a> {
        self.0.negations(board, self.1)
    }

    fn frontier(&self) -> Frontier {
        self.0.frontier(STEPS, self.1, &self.0.main)
    }

    fn zone(&self, board: &Board) -> Zone {
        self.0.zone_of(self.0.symbols(board, STEPS, self.0.main))
    }
}

impl Line for Run {
    fn negations<'a>(&self, board: &'a Board) -> Negations<'a> {
        Self::negations(self, board)
    }

    fn frontier(&self) -> Frontier {
        Self::frontier(self)
    }

    fn zone(&self, _: &Board) -> Zone {
        self.with_symbols(self.symbols())
    }
}

/// What differs between two boards.
struct Change<'a> {
    before: &'a Board,
    after: &'a Board,
    /// The squares whose contents differ.
    squares: Bitboard,
    /// By side, the traps that have become lethal or passable for pieces of that side.
    traps: [Bitboard; 2],
}

impl<'a> Change<'a> {
    fn new(before: &'a Board, after: &'a Board) -> Self {
        let differs = |square: &Square| before.piece_at(*square) != after.piece_at(*square);
        let candidates = Bitboard::ALL & (before.occupied() | after.occupied());
        let squares: Bitboard = candidates.into_iter().filter(differs).collect();
        let traps = Side::BOTH.map(|side| {
            let stale = |trap: &Square| {
                let beside = Bitboard::from(*trap).neighbours();
                let guards = [before, after].map(|board| board.by_side(side) & beside);
                guards[0] != guards[1] && guards.iter().any(|guards| guards.len() < 2)
            };
            Bitboard::TRAPS.into_iter().filter(stale).collect()
        });
        Self { before, after, squares, traps }
    }

    fn traps(&self, side: Side) -> Bitboard {
        self.traps[usize::from(side == Side::Silver)]
    }

    /// The squares of pieces that may have joined or left a zone with this reach, before or after.
    fn affects(&self, negations: &Negations<'_>, reach: &Reach) -> bool {
        let joins = |board: &Board, square: Square| {
            board.piece_at(square).is_some_and(|piece| {
                let own = piece.side() == negations.attacker;
                reach[class(own, negations.rule.is_heavy(piece))].contains(square)
            })
        };
        let moved =
            self.squares.into_iter().any(|square| joins(self.before, square) || joins(self.after, square));
        moved
            || Side::BOTH.into_iter().any(|side| {
                let own = side == negations.attacker;
                let any = reach[class(own, true)] | reach[class(own, false)];
                !(self.traps(side) & any).is_empty()
            })
    }

    /// The pieces whose trajectories to a target must be generated again.
    fn pieces(&self, target: Square, reach: u8) -> Bitboard {
        let near = within(target, reach);
        Side::BOTH.into_iter().fold(self.squares, |all, side| {
            let is_stale = !(self.traps(side) & near).is_empty();
            if is_stale { all | self.after.by_side(side) } else { all }
        })
    }
}

const fn class(own: bool, heavy: bool) -> usize {
    (!own as usize) << 1 | !heavy as usize
}

impl<L: Line> Tracked<L> {
    /// A zone that is generated.
    fn new(line: L, board: &Board) -> Self {
        Self::build(line, board, |negations, negation, target, frontier, symbols| {
            negations.add_participants(target, negation, frontier, Bitboard::ALL, &mut AllShortest, symbols);
        })
    }

    fn build(
        line: L,
        board: &Board,
        mut add: impl FnMut(&Negations<'_>, u8, Square, &Frontier, &mut Vec<ZoneSymbol>),
    ) -> Self {
        let mut zone = line.zone(board);
        let negations = line.negations(board);
        let mut reach = [Bitboard::EMPTY; 4];
        let frontiers = negations.extend(line.frontier(), &mut zone.symbols, |negation, target, frontier, to| {
            negations.extend_reach(target, negation, frontier, &mut reach);
            add(&negations, negation, target, frontier, to);
        });
        Self { line, zone, frontiers, reach }
    }

    /// The zone on the board after a change that keeps its main line. The trajectories to a target whose time and owners are
    /// unchanged are kept; those of the changed pieces are generated.
    fn translate(&mut self, change: &Change<'_>)
    where
        L: Clone,
    {
        if !change.affects(&self.line.negations(change.after), &self.reach) {
            return;
        }
        let (old, frontiers) = (&self.zone.symbols, &self.frontiers);
        let mut kept = old.iter().position(|symbol| symbol.negation > 0).unwrap_or(old.len());
        let next = Self::build(self.line.clone(), change.after, |negations, negation, target, frontier, to| {
            let is_before = |symbol: &ZoneSymbol| {
                (symbol.negation, symbol.bundle.to.index()) < (negation, target.index())
            };
            while old.get(kept).is_some_and(is_before) {
                kept += 1;
            }
            if !frontier.agrees(&frontiers[usize::from(negation) - 1], target) {
                negations.add_participants(target, negation, frontier, Bitboard::ALL, &mut AllShortest, to);
                return;
            }
            let changed = change.pieces(target, negations.max_reach(target, frontier));
            let first = to.len();
            let is_here = |symbol: &ZoneSymbol| symbol.negation == negation && symbol.bundle.to == target;
            while let Some(symbol) = old.get(kept).filter(|symbol| is_here(symbol)) {
                if !changed.contains(symbol.bundle.from) {
                    to.push(*symbol);
                }
                kept += 1;
            }
            let copied = to.len();
            negations.add_participants(target, negation, frontier, changed, &mut AllShortest, to);
            if to.len() > copied {
                to[first..].sort_by_key(|symbol| symbol.bundle.from.index());
            }
        });
        *self = next;
    }
}

/// The network of a position that follows the game.
#[derive(Clone)]
pub struct TrackedNetwork {
    board: Board,
    fidelity: Fidelity,
    max_run: u8,
    /// By attacker and trap.
    cuts: Vec<(Side, Square, Vec<Tracked<CutLine>>)>,
    /// By rabbit.
    runs: Vec<(Square, Option<Box<Tracked<Run>>>)>,
}

impl std::fmt::Debug for TrackedNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrackedNetwork").field("board", &self.board).finish_non_exhaustive()
    }
}

impl TrackedNetwork {
    /// The network of a board, generated; the same zones as [`Network::new`].
    #[must_use]
    pub fn new(board: &Board, fidelity: Fidelity, max_run: u8) -> Self {
        let cuts = Side::BOTH.into_iter().flat_map(|side| {
            Bitboard::TRAPS.into_iter().map(move |trap| {
                let lines = lines(board, side, trap, STEPS, fidelity).into_iter();
                let zones = lines.map(|line| Tracked::new(CutLine(line, fidelity), board)).collect();
                (side, trap, zones)
            })
        });
        let mut network = Self { board: *board, fidelity, max_run, cuts: cuts.collect(), runs: Vec::new() };
        network.runs = rabbits(board).map(|rabbit| (rabbit, network.new_run(board, rabbit))).collect();
        network
    }

    /// The board that the zones belong to.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Translates the network to the board after a transition, or after several.
    pub fn translate(&mut self, after: &Board) {
        let before = self.board;
        let change = Change::new(&before, after);
        for (side, trap, zones) in &mut self.cuts {
            if !(within(*trap, LINE_RADIUS) & change.squares).is_empty() {
                let mut old = std::mem::take(zones);
                for line in lines(after, *side, *trap, STEPS, self.fidelity) {
                    let line = CutLine(line, self.fidelity);
                    let known = old.iter().position(|zone| zone.line == line);
                    let is_unmoved = line.0.is_unchanged(&change.squares);
                    match known.filter(|_| is_unmoved).map(|known| old.swap_remove(known)) {
                        Some(mut zone) => {
                            zone.translate(&change);
                            zones.push(zone);
                        }
                        None => zones.push(Tracked::new(line, after)),
                    }
                }
            } else {
                zones.iter_mut().for_each(|zone| zone.translate(&change));
            }
        }
        self.translate_runs(&change);
        self.board = *after;
    }

    fn translate_runs(&mut self, change: &Change<'_>) {
        let mut old = std::mem::take(&mut self.runs);
        for rabbit in rabbits(change.after) {
            let side = change.after.piece_at(rabbit).map_or(Side::Gold, |piece| piece.side());
            let known = old.iter().position(|(square, _)| *square == rabbit);
            let known = known.filter(|_| !change.squares.contains(rabbit));
            let is_stale = !change.traps(side).is_empty();
            let run = match known.map(|known| old.swap_remove(known).1) {
                Some(run) if !is_stale => self.translated(run, change),
                Some(Some(run)) if self.line_of(change.after, rabbit).as_ref() == Some(&run.line) => {
                    self.translated(Some(run), change)
                }
                _ => self.new_run(change.after, rabbit),
            };
            self.runs.push((rabbit, run));
        }
    }

    fn translated(&self, mut run: Option<Box<Tracked<Run>>>, change: &Change<'_>) -> Option<Box<Tracked<Run>>> {
        if let Some(run) = &mut run {
            run.translate(change);
        }
        run
    }

    fn new_run(&self, board: &Board, rabbit: Square) -> Option<Box<Tracked<Run>>> {
        self.line_of(board, rabbit).map(|line| Box::new(Tracked::new(line, board)))
    }

    /// The shortest run of a rabbit, if it is short enough for the network.
    fn line_of(&self, board: &Board, rabbit: Square) -> Option<Run> {
        let near = |(_, length): &(Square, u8)| (1..=self.max_run).contains(length);
        let (goal, length) = rabbit_run(board, rabbit).filter(near)?;
        let runner = board.piece_at(rabbit).filter(|_| is_rabbit(board, rabbit))?;
        let blocked = crate::abg::lethal_traps(board, rabbit);
        let main = shortest(&MovementKind::of(runner), rabbit, goal, blocked)?;
        Some(Run { rabbit, runner, length, clock: TimeModel::Serial, main, printed: false })
    }

    /// Every zone, in the order of [`Network::zones`].
    pub fn zones(&self) -> impl Iterator<Item = &Zone> {
        let cuts = self.cuts.iter().flat_map(|(_, _, zones)| zones.iter().map(|zone| &zone.zone));
        cuts.chain(self.runs.iter().filter_map(|(_, run)| run.as_ref().map(|run| &run.zone)))
    }

    /// A copy of its zones as a network.
    #[must_use]
    pub fn network(&self) -> Network {
        let (advances, cuts) = self.zones().cloned().partition(|zone: &Zone| {
            matches!(zone.subject, super::ZoneKind::Advance { .. })
        });
        Network { cuts, advances }
    }
}

/// The rabbits of gold, then those of silver.
fn rabbits(board: &Board) -> impl Iterator<Item = Square> + use<> {
    let [gold, silver] = Side::BOTH.map(|side| board.rabbits(side));
    gold.into_iter().chain(silver)
}
