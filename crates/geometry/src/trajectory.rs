//! Shortest and admissible trajectories, represented by one bitboard per step.

use std::fmt;

use surus_rules::{Bitboard, Square};

use crate::abg::Reach;

/// The maximum length of the trajectories of a bundle. No shortest trajectory around blocked traps is longer.
pub const MAX_LEN: u8 = 17;

/// A trajectory: its squares in order, starting with that of the piece.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Trajectory(pub Vec<Square>);

impl Trajectory {
    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Whether it has no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no square is visited twice.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.0.iter().copied().collect::<Bitboard>().len() as usize == self.0.len()
    }
}

impl fmt::Display for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.0.iter().enumerate() {
            write!(f, "{}{square}", if i == 0 { "" } else { "-" })?;
        }
        Ok(())
    }
}

/// All trajectories of one length between two squares: a square of layer k is on one of them after k steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The common first square.
    pub from: Square,
    /// The common last square.
    pub to: Square,
    /// Their length in steps.
    pub len: u8,
    layers: [Bitboard; MAX_LEN as usize + 1],
}

/// All shortest trajectories; `None` if `to` is unreachable or equal to `from`. The last square may be blocked.
#[must_use]
pub fn shortest(reach: &impl Reach, from: Square, to: Square, blocked: Bitboard) -> Option<Bundle> {
    let (start, end) = (Bitboard::from(from), Bitboard::from(to));
    if from != to && reach.is_unrestricted(from, to) {
        let within = rectangle(from, to);
        if (within & blocked & !start & !end).is_empty() {
            return Some(unobstructed(from, to, within));
        }
    }
    let free = !blocked | end;
    let mut layers = [Bitboard::EMPTY; MAX_LEN as usize + 1];
    layers[0] = start;
    let (mut visited, mut len) = (start, 0);
    while !layers[len].contains(to) {
        let next = reach.successors(layers[len]) & free & !visited;
        if next.is_empty() || len + 1 == layers.len() {
            return None;
        }
        len += 1;
        visited |= next;
        layers[len] = next;
    }
    if len == 0 {
        return None;
    }
    // Remove the squares from which the target is not reached in time.
    layers[len] = end;
    for k in (1..len).rev() {
        layers[k] &= reach.predecessors(layers[k + 1]);
    }
    Some(Bundle { from, to, len: len as u8, layers })
}

/// The rectangle with the given corners.
fn rectangle(a: Square, b: Square) -> Bitboard {
    let (left, right) = (a.file().min(b.file()), a.file().max(b.file()));
    let (low, high) = (a.rank().min(b.rank()), a.rank().max(b.rank()));
    let row = ((1u64 << (right - left + 1)) - 1) << left;
    let column = 0x0101_0101_0101_0101 & (u64::MAX << (8 * low)) & (u64::MAX >> (8 * (7 - high)));
    Bitboard(row.wrapping_mul(column))
}

/// The diagonals, indexed by the sum of file and rank, and by their difference plus seven.
const DIAGONALS: [[u64; 15]; 2] = {
    let mut all = [[0; 15]; 2];
    let mut i = 0;
    while i < 64 {
        let (file, rank) = (i % 8, i / 8);
        all[0][file + rank] |= 1 << i;
        all[1][file + 7 - rank] |= 1 << i;
        i += 1;
    }
    all
};

/// The shortest trajectories without obstacles of a piece that may step in all directions: each step changes the file or
/// the rank by one, so the squares after k steps are a diagonal of the rectangle.
fn unobstructed(from: Square, to: Square, within: Bitboard) -> Bundle {
    let right = from.file() <= to.file();
    let up = from.rank() <= to.rank();
    let falls = from.file() != to.file() && from.rank() != to.rank() && right != up;
    let (kind, first) = match falls {
        false => (0, from.file() + from.rank()),
        true => (1, from.file() + 7 - from.rank()),
    };
    let grows = if falls || from.rank() == to.rank() { right } else { up };
    let len = from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank());
    let mut layers = [Bitboard::EMPTY; MAX_LEN as usize + 1];
    for k in 0..=len {
        let at = if grows { first + k } else { first - k };
        layers[usize::from(k)] = Bitboard(DIAGONALS[kind][usize::from(at)]) & within;
    }
    Bundle { from, to, len, layers }
}

/// MAP: the number of steps between two squares; `None` if unreachable.
#[must_use]
pub fn distance(reach: &impl Reach, from: Square, to: Square, blocked: Bitboard) -> Option<u8> {
    if from == to { Some(0) } else { shortest(reach, from, to, blocked).map(|bundle| bundle.len) }
}

impl Bundle {
    /// The bundle of a single trajectory; `None` if it is empty or too long.
    #[must_use]
    pub fn from_trajectory(path: &Trajectory) -> Option<Self> {
        let (from, to) = (*path.0.first()?, *path.0.last()?);
        let mut layers = [Bitboard::EMPTY; MAX_LEN as usize + 1];
        if path.0.len() > layers.len() {
            return None;
        }
        for (layer, square) in layers.iter_mut().zip(&path.0) {
            *layer = (*square).into();
        }
        Some(Self { from, to, len: path.len() as u8, layers })
    }

    /// The squares after `k` steps.
    #[must_use]
    pub fn layer(&self, k: u8) -> Bitboard {
        self.layers.get(usize::from(k)).copied().unwrap_or(Bitboard::EMPTY)
    }

    /// The squares strictly between both ends.
    #[must_use]
    pub fn inner(&self) -> Bitboard {
        (1..self.len).fold(Bitboard::EMPTY, |all, k| all | self.layer(k))
    }

    /// All squares except the first.
    #[must_use]
    pub fn after_start(&self) -> Bitboard {
        self.inner() | self.to.into()
    }

    /// The trajectories whose squares after the first are in a set, if there are any.
    #[must_use]
    pub fn within(mut self, squares: Bitboard) -> Option<Self> {
        let layers = &mut self.layers[1..=usize::from(self.len)];
        layers.iter_mut().for_each(|layer| *layer &= squares);
        layers.iter().all(|layer| !layer.is_empty()).then_some(self)
    }

    /// The trajectories that start with a step to this square, without that step.
    #[must_use]
    pub fn after_step(&self, reach: &impl Reach, to: Square) -> Option<Self> {
        if !self.layer(1).contains(to) || self.len < 2 {
            return None;
        }
        let mut next = Self { from: to, len: self.len - 1, ..*self };
        next.layers = [Bitboard::EMPTY; MAX_LEN as usize + 1];
        next.layers[0] = to.into();
        for k in 1..self.len {
            next.layers[usize::from(k)] = self.layer(k + 1) & reach.successors(next.layer(k - 1));
        }
        Some(next)
    }

    /// The number of trajectories.
    #[must_use]
    pub fn count(&self, reach: &impl Reach) -> u64 {
        let mut counts = [0u64; 64];
        counts[self.from.index()] = 1;
        for k in 0..self.len {
            let mut next = [0u64; 64];
            for square in self.layer(k) {
                for successor in reach.successors(square.into()) & self.layer(k + 1) {
                    next[successor.index()] = next[successor.index()].saturating_add(counts[square.index()]);
                }
            }
            counts = next;
        }
        counts[self.to.index()]
    }

    /// Up to `limit` trajectories, in ascending order of their cells.
    #[must_use]
    pub fn paths(&self, reach: &impl Reach, limit: usize) -> Vec<Trajectory> {
        let mut found = Vec::new();
        self.collect_paths(reach, &mut vec![self.from], limit, &mut found);
        found
    }

    /// The first trajectory in ascending order of cells.
    #[must_use]
    pub fn first(&self, reach: &impl Reach) -> Trajectory {
        self.paths(reach, 1).pop().unwrap_or_else(|| Trajectory(vec![self.from]))
    }

    fn collect_paths(
        &self,
        reach: &impl Reach,
        path: &mut Vec<Square>,
        limit: usize,
        found: &mut Vec<Trajectory>,
    ) {
        let steps = path.len() as u8 - 1;
        let Some(&last) = path.last() else { return };
        if steps == self.len {
            found.push(Trajectory(path.clone()));
            return;
        }
        for next in reach.successors(last.into()) & self.layer(steps + 1) {
            if found.len() < limit {
                path.push(next);
                self.collect_paths(reach, path, limit, found);
                path.pop();
            }
        }
    }
}

/// DOCK: the cells at which two shortest trajectories join to one of this length.
#[must_use]
pub fn docks(reach: &impl Reach, from: Square, to: Square, len: u8, blocked: Bitboard) -> Bitboard {
    let fits = |via: &Square| {
        let first = distance(reach, from, *via, blocked);
        let second = distance(reach, *via, to, blocked);
        first.zip(second).is_some_and(|(first, second)| first + second == len)
    };
    let ends = Bitboard::from(from) | to.into();
    (Bitboard::ALL & !ends & !blocked).into_iter().filter(fits).collect()
}

/// All distinct trajectories of exactly this length that consist of at limit two shortest ones; with `simple_only`
/// without those that visit a square twice.
#[must_use]
pub fn admissible(
    reach: &impl Reach,
    from: Square,
    to: Square,
    len: u8,
    blocked: Bitboard,
    simple_only: bool,
) -> Vec<Trajectory> {
    // The last square may be blocked; unblock it for both parts.
    let blocked = blocked & !Bitboard::from(to);
    let Some(direct) = shortest(reach, from, to, blocked) else { return Vec::new() };
    if direct.len == len {
        return direct.paths(reach, usize::MAX);
    }
    let mut found: Vec<Trajectory> = Vec::new();
    for via in docks(reach, from, to, len, blocked) {
        let parts = shortest(reach, from, via, blocked).zip(shortest(reach, via, to, blocked));
        let Some((first, second)) = parts else { continue };
        let seconds = second.paths(reach, usize::MAX);
        for head in first.paths(reach, usize::MAX) {
            for tail in &seconds {
                let path = Trajectory(head.0.iter().chain(&tail.0[1..]).copied().collect());
                if (!simple_only || path.is_simple()) && !found.contains(&path) {
                    found.push(path);
                }
            }
        }
    }
    found
}

/// TRACKS: the simple admissible trajectories of up to `limit` steps that a zone may use, shortest first. Those at least
/// twice as long as the shortest are excluded.
#[must_use]
pub fn tracks(reach: &impl Reach, from: Square, to: Square, limit: u8, blocked: Bitboard) -> Vec<Trajectory> {
    match distance(reach, from, to, blocked) {
        None | Some(0) => Vec::new(),
        Some(distance) => (distance..=limit.min(2 * distance - 1))
            .flat_map(|len| admissible(reach, from, to, len, blocked, true))
            .collect(),
    }
}
