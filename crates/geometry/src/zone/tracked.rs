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

/// What the update of a negation reads of a symbol; symbols themselves are large.
#[derive(Clone, Copy)]
struct Track {
    from: Square,
    to: Square,
    len: u8,
    inner: Bitboard,
}

/// A negation: its targets, its symbols in no order, and the squares from which a piece could join.
#[derive(Clone)]
struct Level {
    frontier: Frontier,
    symbols: Vec<ZoneSymbol>,
    /// One per symbol.
    tracks: Vec<Track>,
    reach: Reach,
}

impl Level {
    const fn new() -> Self {
        Self {
            frontier: Frontier::new(),
            symbols: Vec::new(),
            tracks: Vec::new(),
            reach: [Bitboard::EMPTY; 4],
        }
    }

    /// The frontier of the next negation; the former one holds outside of `touched`.
    fn next_frontier(&self, negations: &Negations<'_>, touched: Bitboard, former: &Frontier) -> Frontier {
        let mut next = former.clone();
        next.remove(touched);
        for track in &self.tracks {
            let squares = track.inner & touched;
            if !squares.is_empty() {
                let time = self.frontier.time(track.to).unwrap_or(0);
                let left = negations.time_left(time, track.len);
                squares.into_iter().for_each(|square| next.add(square, left, Some(track.from)));
            }
        }
        next
    }
}

/// A zone with what its translation needs.
#[derive(Clone)]
struct Tracked<L> {
    line: L,
    levels: [Level; NEGATIONS as usize],
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

    /// No change: from one main line to another on the same board.
    const fn none(board: &'a Board) -> Self {
        Self { before: board, after: board, squares: Bitboard::EMPTY, traps: [Bitboard::EMPTY; 2] }
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
        if self.traps.iter().all(|traps| traps.is_empty()) {
            return self.squares;
        }
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

impl<L: Line + Clone> Tracked<L> {
    /// A zone that is generated: everything in it is new.
    fn new(line: L, board: &Board) -> Self {
        let mut tracked = Self { levels: [Level::new(), Level::new(), Level::new()], line };
        let first = Some(tracked.line.frontier());
        tracked.follow(first, Bitboard::EMPTY, &Change::none(board));
        tracked
    }

    /// Translates the zone, whose main line stays the same.
    fn translate(&mut self, change: &Change<'_>) {
        let negations = self.line.negations(change.after);
        if self.levels.iter().any(|level| change.affects(&negations, &level.reach)) {
            self.follow(None, Bitboard::EMPTY, change);
        }
    }

    /// The zone of another main line after a change.
    fn translated(mut self, line: L, change: &Change<'_>) -> Self {
        let excluded = |line: &L, board| line.negations(board).excluded;
        let other_pieces = excluded(&self.line, change.before) ^ excluded(&line, change.after);
        let first = Some(line.frontier());
        self.line = line;
        self.follow(first, other_pieces, change);
        self
    }

    /// Follows a change level by level: trajectories of unchanged pieces to known targets are kept, with new times; those of
    /// changed pieces, of `other_pieces` and to new targets are generated.
    fn follow(&mut self, first: Option<Frontier>, other_pieces: Bitboard, change: &Change<'_>) {
        let negations = self.line.negations(change.after);
        let mut next = first;
        for i in 0..self.levels.len() {
            let level = &mut self.levels[i];
            let dirty = next.as_ref().map_or(Bitboard::EMPTY, |next| level.frontier.difference(next));
            let is_affected = !other_pieces.is_empty() || change.affects(&negations, &level.reach);
            if !is_affected && dirty.is_empty() {
                next = None;
                continue;
            }
            let update = LevelUpdate { negations: &negations, negation: i as u8 + 1, change, other_pieces };
            let touched = update.apply(level, next.as_ref(), dirty, is_affected);
            if let (false, Some(frontier)) = (dirty.is_empty(), next) {
                level.reach = update.reach(&frontier);
                level.frontier = frontier;
            }
            next = match &self.levels[i..] {
                [level, after, ..] if !touched.is_empty() => {
                    Some(level.next_frontier(&negations, touched, &after.frontier))
                }
                _ => None,
            };
        }
    }

    /// The zone with its symbols in the order of the grammar.
    fn zone(&self, board: &Board) -> Zone {
        let mut zone = self.line.zone(board);
        for level in &self.levels {
            let start = zone.symbols.len();
            zone.symbols.extend_from_slice(&level.symbols);
            zone.symbols[start..]
                .sort_unstable_by_key(|symbol| (symbol.bundle.to.index(), symbol.bundle.from.index()));
        }
        zone
    }
}

/// The update of one negation.
struct LevelUpdate<'a> {
    negations: &'a Negations<'a>,
    negation: u8,
    change: &'a Change<'a>,
    other_pieces: Bitboard,
}

impl LevelUpdate<'_> {
    /// Updates the symbols of some targets; returns the squares whose next time or owners may have changed.
    fn apply(
        &self,
        level: &mut Level,
        next: Option<&Frontier>,
        dirty: Bitboard,
        is_affected: bool,
    ) -> Bitboard {
        let frontier = next.unwrap_or(&level.frontier);
        let targets = if is_affected { dirty | self.near(level, frontier) } else { dirty };
        let mut touched = Bitboard::EMPTY;
        // The pieces whose trajectories to each target are generated, and those whose trajectories are kept.
        let (mut generated, mut kept) = ([Bitboard::EMPTY; 64], [Bitboard::EMPTY; 64]);
        // The targets whose time changes, or that are gone.
        let mut later = Bitboard::EMPTY;
        for target in targets {
            generated[target.index()] = self.generated(&level.frontier, frontier, target);
            if level.frontier.time(target) != frontier.time(target) {
                later |= target.into();
            }
        }
        let mut i = 0;
        while let Some(&Track { from, to, len, inner }) = level.tracks.get(i) {
            let is_stale = generated[to.index()].contains(from);
            if !targets.contains(to) || (!is_stale && !later.contains(to)) {
                kept[to.index()] |= from.into();
                i += 1;
                continue;
            }
            touched |= inner;
            let symbol = &mut level.symbols[i];
            let time =
                frontier.time(to).filter(|&time| !is_stale && self.negations.admits(symbol, len, time));
            if let Some(time) = time {
                symbol.time = time;
                kept[to.index()] |= from.into();
                i += 1;
            } else {
                level.symbols.swap_remove(i);
                level.tracks.swap_remove(i);
            }
        }
        let first = level.symbols.len();
        for target in targets {
            let Some(time) = frontier.time(target) else { continue };
            // With more time, more pieces are admitted.
            let is_later = level.frontier.time(target).is_none_or(|before| before < time);
            let candidates = if is_later { Bitboard::ALL } else { generated[target.index()] };
            let candidates = candidates & !kept[target.index()];
            let reach = self.negations.max_reach(target, frontier);
            if (candidates & within(target, reach)).is_empty() {
                continue;
            }
            self.negations.add_participants(
                target,
                self.negation,
                frontier,
                candidates,
                &mut AllShortest,
                &mut level.symbols,
            );
        }
        for ZoneSymbol { bundle, .. } in &level.symbols[first..] {
            let inner = bundle.inner();
            level.tracks.push(Track { from: bundle.from, to: bundle.to, len: bundle.len, inner });
            touched |= inner;
        }
        touched
    }

    /// The targets that the changed pieces may reach, before or after.
    fn near(&self, level: &Level, frontier: &Frontier) -> Bitboard {
        let targets = level.frontier.squares | frontier.squares;
        let is_passable = self.change.traps.iter().all(|traps| traps.is_empty());
        if !is_passable || !self.other_pieces.is_empty() {
            return targets;
        }
        let time = frontier.max_time();
        let near = |board: &Board, square: Square| {
            let piece = board.piece_at(square);
            piece.map_or(Bitboard::EMPTY, |piece| within(square, self.negations.reach_of(piece, time)))
        };
        let Change { before, after, squares, .. } = self.change;
        targets & squares.into_iter().fold(Bitboard::EMPTY, |all, s| all | near(before, s) | near(after, s))
    }

    /// The pieces whose trajectories to a target are not kept.
    fn generated(&self, before: &Frontier, after: &Frontier, target: Square) -> Bitboard {
        let reach = self.negations.max_reach(target, after);
        let sole_owners = before.sole_owner(target) ^ after.sole_owner(target);
        self.change.pieces(target, reach) | self.other_pieces | sole_owners
    }

    fn reach(&self, frontier: &Frontier) -> Reach {
        let mut reach = [Bitboard::EMPTY; 4];
        for target in frontier.squares {
            if frontier.time(target).is_some() {
                self.negations.extend_reach(target, self.negation, frontier, &mut reach);
            }
        }
        reach
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
                let lines = lines(after, *side, *trap, STEPS, self.fidelity).into_iter();
                let lines = lines.map(|line| CutLine(line, self.fidelity)).collect();
                *zones = translate_lines(std::mem::take(zones), lines, &change);
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
            let side = change.after.piece_at(rabbit).map_or(Side::Gold, surus_rules::Piece::side);
            let known = old.iter().position(|(square, _)| *square == rabbit);
            let known = known.filter(|_| !change.squares.contains(rabbit));
            let is_stale = !change.traps(side).is_empty();
            let run = match known.map(|known| old.swap_remove(known).1) {
                Some(Some(mut run))
                    if !is_stale || self.line_of(change.after, rabbit).as_ref() == Some(&run.line) =>
                {
                    run.translate(change);
                    Some(run)
                }
                Some(None) if !is_stale => None,
                _ => self.new_run(change.after, rabbit),
            };
            self.runs.push((rabbit, run));
        }
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
    pub fn zones(&self) -> impl Iterator<Item = Zone> {
        let cuts = self.cuts.iter().flat_map(|(_, _, zones)| zones.iter().map(|zone| zone.zone(&self.board)));
        cuts.chain(self.runs.iter().filter_map(|(_, run)| run.as_ref().map(|run| run.zone(&self.board))))
    }

    /// A copy of its zones as a network.
    #[must_use]
    pub fn network(&self) -> Network {
        let (advances, cuts) =
            self.zones().partition(|zone: &Zone| matches!(zone.subject, super::ZoneKind::Advance { .. }));
        Network { cuts, advances }
    }
}

/// The zones of one trap after a change of its main lines. A new line takes over the zone of one that is gone, or copies
/// another: zones of one trap share most of their trajectories.
fn translate_lines(
    mut old: Vec<Tracked<CutLine>>,
    lines: Vec<CutLine>,
    change: &Change<'_>,
) -> Vec<Tracked<CutLine>> {
    let same =
        |line: &CutLine, zone: &Tracked<CutLine>| zone.line == *line && line.0.is_unchanged(&change.squares);
    let mut gone: Vec<Tracked<CutLine>> = Vec::new();
    let mut zones: Vec<Option<Tracked<CutLine>>> = lines
        .iter()
        .map(|line| Some(old.swap_remove(old.iter().position(|zone| same(line, zone))?)))
        .collect();
    gone.append(&mut old);
    for (i, line) in lines.into_iter().enumerate() {
        match &mut zones[i] {
            Some(zone) => zone.translate(change),
            None => {
                let sibling = zones[..i].iter().flatten().next();
                zones[i] = Some(match (gone.pop(), sibling) {
                    (Some(known), _) => known.translated(line, change),
                    (None, Some(sibling)) => sibling.clone().translated(line, &Change::none(change.after)),
                    (None, None) => Tracked::new(line, change.after),
                });
            }
        }
    }
    zones.into_iter().flatten().collect()
}

/// The rabbits of gold, then those of silver.
fn rabbits(board: &Board) -> impl Iterator<Item = Square> + use<> {
    let [gold, silver] = Side::BOTH.map(|side| board.rabbits(side));
    gold.into_iter().chain(silver)
}
