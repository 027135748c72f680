//! The grammar of translations \[LG §4.5\]: from the string of a zone to that of the zone after a transition.
//!
//! Each symbol is rewritten in turn: its trajectory by Π, its time by the time distribution function, which a symbol takes
//! from those that it is connected with. Symbols that are no longer connected, or too late, are dropped.

use std::fmt;

use surus_rules::{Board, Piece};

use super::zone_context::{TrajectoryTerminal, adjacent};
use super::{Derivation, Production, Strategy, Symbol, derive};
use crate::abg::{Cell, cell};
use crate::translation::Transition;
use crate::zone::{Role, Zone, ZoneKind, ZoneSymbol};

/// The non-terminals: I, A(i) and B(i).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TranslationNonTerminal {
    /// The start.
    Start,
    /// The symbols from number i on, counted from 0.
    From(usize),
    /// The symbol with this number.
    One(usize),
}

impl fmt::Display for TranslationNonTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("I"),
            Self::From(i) => write!(f, "A({i})"),
            Self::One(i) => write!(f, "B({i})"),
        }
    }
}

/// A symbol that was kept: its number, and its time, which is that of the zone, not the printed one.
type Kept = (usize, i16);

/// The zone before, Π of each of its trajectories, and the symbols kept so far.
#[derive(Clone, Debug)]
pub struct TranslationContext {
    zone: Zone,
    /// The cells of each trajectory before.
    paths: Vec<Vec<Cell>>,
    /// Π: the cells after; `None` for e.
    images: Vec<Option<Vec<Cell>>>,
    kept: Vec<Kept>,
}

impl TranslationContext {
    fn is_shortened(&self, i: usize) -> bool {
        self.images[i].as_ref().is_some_and(|image| image.len() < self.paths[i].len())
    }

    /// Whether the symbol is the second one of the main line of a CUT zone.
    fn is_base(&self, i: usize) -> bool {
        i > 0 && self.zone.symbols[i].negation == 0
    }

    /// C: whether the image of a trajectory ends on a cell of another one.
    fn connected(&self, i: usize, parent: usize) -> bool {
        let (Some(image), Some(track)) = (&self.images[i], &self.images[parent]) else { return false };
        let Some(&end) = image.last() else { return false };
        let is_main = self.zone.symbols[parent].negation == 0;
        let inner = track.iter().skip(1).take(track.len().saturating_sub(2)).any(|&x| x == end);
        match self.zone.subject {
            ZoneKind::Advance { .. } if is_main => track.iter().skip(1).any(|&x| x == end),
            ZoneKind::Cut { trap, .. } if is_main => inner || adjacent(end, cell(trap)),
            _ => inner,
        }
    }

    /// CA: the kept symbols of the negation before that a symbol is connected with.
    fn parents(&self, i: usize) -> Vec<Kept> {
        let before = |p: usize| {
            let parent = self.zone.symbols[p].negation;
            parent + 1 == self.zone.symbols[i].negation && !self.is_base(p)
        };
        self.kept.iter().copied().filter(|&(p, _)| before(p) && self.connected(i, p)).collect()
    }

    /// timer: the time of a symbol after the transition.
    fn timer(&self, i: usize) -> Option<i16> {
        let symbol = &self.zone.symbols[i];
        match (self.is_shortened(0), symbol.negation) {
            (_, 0) if i > 0 => Some(symbol.time),
            (true, _) => Some(symbol.time - 1),
            (false, 0 | 1) => Some(symbol.time),
            (false, _) => {
                let inherited = |&(p, time): &Kept| {
                    time - self.paths[p].len() as i16 + 2 + i16::from(self.is_shortened(p))
                };
                self.parents(i).iter().map(inherited).max()
            }
        }
    }

    /// Whether a symbol stays: it exists, is connected, and is in time.
    fn stays(&self, i: usize) -> bool {
        let Some(image) = &self.images[i] else { return false };
        if self.is_base(i) {
            return true;
        }
        let Some(time) = self.timer(i).filter(|_| !self.parents(i).is_empty()) else { return false };
        let length = image.len() as u8 - 1;
        self.after(self.zone.subject).admits(&self.zone.symbols[i], length, time, self.zone.symbols[0].piece)
    }

    /// A zone of the same attacker with the run as long as it is afterwards.
    fn after(&self, subject: ZoneKind) -> Condition {
        let shorter = u8::from(self.is_shortened(0));
        match subject {
            ZoneKind::Cut { .. } => Condition { attacker: self.zone.attacker, run: None },
            ZoneKind::Advance { length, .. } => {
                Condition { attacker: self.zone.attacker, run: Some(length - shorter) }
            }
        }
    }

    fn terminal(&self, i: usize, time: i16) -> Option<TrajectoryTerminal> {
        let printed = match (self.zone.subject, i) {
            (ZoneKind::Advance { length, .. }, 0) => i16::from(length - u8::from(self.is_shortened(0))) + 1,
            (ZoneKind::Advance { .. }, _) => time + 1,
            (ZoneKind::Cut { .. }, _) => time,
        };
        let path = self.images[i].clone()?;
        Some(TrajectoryTerminal { piece: self.zone.symbols[i].piece, path, time: printed })
    }
}

/// The condition of production 5 of CUT zones, or of production 4 of advance zones with this length.
struct Condition {
    attacker: surus_rules::Side,
    run: Option<u8>,
}

impl Condition {
    fn admits(&self, symbol: &ZoneSymbol, length: u8, time: i16, runner: Piece) -> bool {
        let own = symbol.piece.side() == self.attacker;
        let heavy = crate::abg::heavier(symbol.piece, runner);
        match (self.run, own, heavy) {
            (None, true, _) | (Some(_), true, false) => length == 1,
            (Some(run), true, true) => length < run,
            (None, false, _) | (Some(_), false, true) => i16::from(length) <= time,
            (Some(_), false, false) => i16::from(length) < time,
        }
    }
}

type TranslationProduction = Production<TranslationContext, TranslationNonTerminal, TrajectoryTerminal>;

const fn row(label: u8, condition: &'static str, kernel: &'static str) -> TranslationProduction {
    Production {
        label,
        family: false,
        condition,
        kernel,
        assigns: "",
        holds: |_, _| true,
        alternatives: |_, _| 1,
        apply: |_, _, _| Vec::new(),
        on_true: None,
        on_false: None,
    }
}

/// The number of the symbol that a non-terminal is about.
const fn number(a: &TranslationNonTerminal) -> usize {
    match a {
        TranslationNonTerminal::Start => 0,
        TranslationNonTerminal::From(i) | TranslationNonTerminal::One(i) => *i,
    }
}

/// The productions: the main trajectory decides whether there is a zone; then each symbol is translated or dropped.
pub static TRANSLATION: [TranslationProduction; 5] = [
    TranslationProduction {
        holds: |c, _| c.images[0].is_some(),
        apply: keep,
        on_true: Some(2),
        assigns: "TIMER(0)=timer(t0)",
        ..row(1, "Π(t0) != e", "I -> t(p0,Π(t0),TIMER(0)) A(1)")
    },
    TranslationProduction {
        holds: |c, a| number(a) < c.images.len(),
        apply: |_, a, _| vec![Symbol::NonTerminal(TranslationNonTerminal::One(number(a)))],
        on_true: Some(3),
        on_false: Some(5),
        ..row(2, "i <= r", "A(i) -> B(i)")
    },
    TranslationProduction {
        holds: |c, a| c.stays(number(a)),
        apply: keep,
        on_true: Some(2),
        on_false: Some(4),
        assigns: "TIMER(i)=timer(ti)",
        ..row(3, "Π(ti) != e, CA(ti) != {}, Π(ti) in time", "B(i) -> t(pi,Π(ti),TIMER(i)) A(i+1)")
    },
    TranslationProduction {
        apply: |_, a, _| vec![Symbol::NonTerminal(TranslationNonTerminal::From(number(a) + 1))],
        on_true: Some(2),
        ..row(4, "T", "B(i) -> A(i+1)")
    },
    row(5, "T", "A(i) -> e"),
];

fn keep(
    c: &mut TranslationContext,
    a: &TranslationNonTerminal,
    _: usize,
) -> Vec<Symbol<TranslationNonTerminal, TrajectoryTerminal>> {
    let i = number(a);
    let time = c.timer(i).unwrap_or(0);
    let terminal = c.terminal(i, time).map(Symbol::Terminal);
    c.kept.push((i, time));
    terminal.into_iter().chain([Symbol::NonTerminal(TranslationNonTerminal::From(i + 1))]).collect()
}

/// Derives the translation of a zone that has one trajectory per symbol, after a transition that led to `board`; an empty
/// string if the zone is unmade.
#[must_use]
pub fn derive_translation(
    zone: &Zone,
    transition: Transition,
    board: &Board,
    record: bool,
) -> Option<Derivation<TrajectoryTerminal>> {
    let paths: Vec<Vec<Cell>> =
        zone.symbols.iter().map(|symbol| symbol.path().0.into_iter().map(cell).collect()).collect();
    let image = |(i, symbol): (usize, &ZoneSymbol)| image(zone, i, symbol, &paths[i], transition, board);
    let images = zone.symbols.iter().enumerate().map(image).collect();
    let context = TranslationContext { zone: zone.clone(), paths: paths.clone(), images, kept: Vec::new() };
    derive(&TRANSLATION, TranslationNonTerminal::Start, context, &Strategy::First, record).pop()
}

/// Π: a trajectory along which its piece has moved loses its first cell; it becomes e if that was its last step, if the piece
/// has left it, or if the piece is gone.
fn image(
    zone: &Zone,
    i: usize,
    symbol: &ZoneSymbol,
    path: &[Cell],
    Transition { from, to, .. }: Transition,
    board: &Board,
) -> Option<Vec<Cell>> {
    let now = |square: surus_rules::Square| if square == from { to } else { square };
    let at = now(symbol.bundle.from);
    board.piece_at(at).filter(|piece| *piece == symbol.piece)?;
    if i == 1 && symbol.negation == 0 {
        // The second symbol of a main line exists as long as both pieces are adjacent.
        let ZoneKind::Cut { trap, victim, .. } = zone.subject else { return None };
        let target = if symbol.role == Role::Captor { now(victim) } else { trap };
        return adjacent(cell(at), cell(target)).then(|| vec![cell(at), cell(target)]);
    }
    if path.first() != Some(&cell(from)) {
        return Some(path.to_vec());
    }
    let shortened = path.get(1..).filter(|rest| rest.first() == Some(&cell(to)));
    shortened.filter(|rest| rest.len() > 1).map(<[Cell]>::to_vec)
}
