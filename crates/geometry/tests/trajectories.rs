//! Trajectories: published examples, and the grammars compared with bundles.

mod common;

use common::{Random, at};
use surus_geometry::abg::{Cell, MovementKind, Reach, cell, square};
use surus_geometry::grammar::{
    G_T1, G_T2, Relation, Strategy, TrajectoryContext, TrajectoryNonTerminal, derive_trajectories, map,
    relation, reverse_map,
};
use surus_geometry::trajectory::{Trajectory, admissible, distance, docks, shortest};
use surus_rules::{Bitboard, Piece, Square};

fn paths(reach: &impl Reach, from: &str, to: &str, blocked: Bitboard) -> Vec<String> {
    let bundle = shortest(reach, at(from), at(to), blocked).unwrap();
    let all = bundle.paths(reach, usize::MAX);
    assert_eq!(all.len() as u64, bundle.count(reach));
    assert_eq!(all.first(), Some(&bundle.first(reach)));
    all.iter().map(ToString::to_string).collect()
}

fn none() -> Bitboard {
    Bitboard::EMPTY
}

#[test]
fn distances_agree_with_the_examples() {
    let steps = |mover, from, to| distance(&mover, at(from), at(to), none());
    let any = MovementKind::Any;
    for (from, to, expected) in [
        ("e6", "c5", 3),
        ("f7", "c6", 4),
        ("c5", "f3", 5),
        ("c5", "f4", 4),
        ("e2", "g3", 3),
        ("h4", "d4", 4),
        ("b7", "d5", 4),
    ] {
        assert_eq!(steps(any, from, to), Some(expected), "{from} {to}");
    }
    assert_eq!(steps(MovementKind::GoldRabbit, "d3", "d8"), Some(5));
    assert_eq!(steps(MovementKind::GoldRabbit, "d8", "d7"), None);
    assert_eq!(steps(MovementKind::SilverRabbit, "c5", "c6"), None);
    assert_eq!(steps(MovementKind::SilverRabbit, "c6", "c5"), Some(1));
}

#[test]
fn shortest_trajectories_are_in_ascending_order() {
    let any = MovementKind::Any;
    assert_eq!(paths(&any, "e6", "c5", none()), ["e6-e5-d5-c5", "e6-d6-d5-c5", "e6-d6-c6-c5"]);
    assert_eq!(paths(&any, "e6", "c5", at("c6").into()), ["e6-e5-d5-c5", "e6-d6-d5-c5"]);
    assert_eq!(
        paths(&MovementKind::GoldRabbit, "b5", "c8", none()),
        ["b5-c5-c6-c7-c8", "b5-b6-c6-c7-c8", "b5-b6-b7-c7-c8", "b5-b6-b7-b8-c8"]
    );
    assert_eq!(paths(&MovementKind::GoldRabbit, "d3", "d8", none()), ["d3-d4-d5-d6-d7-d8"]);
    assert_eq!(
        paths(&any, "c5", "f4", none()),
        ["c5-c4-d4-e4-f4", "c5-d5-d4-e4-f4", "c5-d5-e5-e4-f4", "c5-d5-e5-f5-f4"]
    );
}

#[test]
fn shortest_trajectories_are_counted_by_binomials() {
    let binomial = |n: u64, k: u64| (0..k).fold(1, |b, i| b * (n - i) / (i + 1));
    for (from, to) in Bitboard::ALL.into_iter().flat_map(|x| Bitboard::ALL.into_iter().map(move |y| (x, y))) {
        let (df, dr) =
            (u64::from(from.file().abs_diff(to.file())), u64::from(from.rank().abs_diff(to.rank())));
        for (mover, forward) in [
            (MovementKind::Any, true),
            (MovementKind::GoldRabbit, from.rank() <= to.rank()),
            (MovementKind::SilverRabbit, to.rank() <= from.rank()),
        ] {
            let expected = if forward && from != to { binomial(df + dr, df) } else { 0 };
            let found = shortest(&mover, from, to, none()).map_or(0, |bundle| bundle.count(&mover));
            assert_eq!(found, expected, "{mover:?} {from} {to}");
        }
    }
}

#[test]
fn admissible_trajectories_are_counted_as_in_the_examples() {
    for (mover, from, to, len, all, simple) in
        [(MovementKind::Any, "e6", "c5", 5, 30, 10), (MovementKind::GoldRabbit, "d3", "d8", 7, 42, 30)]
    {
        let count = |simple| admissible(&mover, at(from), at(to), len, none(), simple).len();
        assert_eq!((count(false), count(true)), (all, simple), "{from} {to}");
    }
    let all = admissible(&MovementKind::GoldRabbit, at("d3"), at("d8"), 7, none(), true);
    assert!(all.iter().any(|path| path.to_string() == "d3-d4-e4-e5-d5-d6-d7-d8"));
    // The board is bipartite: no trajectory is one step longer than the shortest.
    assert!(admissible(&MovementKind::Any, at("e6"), at("c5"), 4, none(), true).is_empty());
}

/// A chess king, for the textbook example of these grammars.
struct King;

impl Reach for King {
    fn successors(&self, from: Bitboard) -> Bitboard {
        from.neighbours() | diagonal(from)
    }

    fn predecessors(&self, to: Bitboard) -> Bitboard {
        self.successors(to)
    }
}

fn diagonal(from: Bitboard) -> Bitboard {
    use surus_rules::Direction::{East, North, South, West};
    let sides = from.shifted(East) | from.shifted(West);
    sides.shifted(North) | sides.shifted(South)
}

fn king(x: Cell, y: Cell) -> bool {
    let (Some(x), Some(y)) = (square(x), square(y)) else { return false };
    x != y && x.file().abs_diff(y.file()) <= 1 && x.rank().abs_diff(y.rank()) <= 1
}

#[test]
fn king_example_agrees_with_the_textbook() {
    let wall: Bitboard = "f7 g7 d6 e6 d5 e5 d4 e4 d3 e3".split(' ').map(at).collect();
    let (from, to) = (at("h8"), at("c6"));
    assert_eq!(paths(&King, "h8", "c6", wall), ["h8-g8-f8-e7-d7-c6", "h8-g8-f8-e8-d7-c6"]);
    let via: Vec<String> = docks(&King, from, to, 6, wall).into_iter().map(|s| s.to_string()).collect();
    assert_eq!(via, ["f6", "g6", "c7", "h7", "d8"]);
    let direct = admissible(&King, from, to, 6, wall, true);
    assert_eq!(direct.len(), 9);
    assert!(direct.iter().any(|path| path.to_string() == "h8-h7-g6-f6-e7-d7-c6"));
    assert_eq!(strings(&G_T2, king, from, to, 6, wall, true), sorted(direct));
}

fn sorted(mut all: Vec<Trajectory>) -> Vec<Trajectory> {
    all.sort_unstable();
    all
}

/// All distinct trajectories that a grammar derives.
fn strings(
    grammar: &'static [surus_geometry::grammar::Production<
        TrajectoryContext,
        TrajectoryNonTerminal,
        surus_geometry::grammar::CellTerminal,
    >],
    relation: Relation,
    from: Square,
    to: Square,
    len: u8,
    blocked: Bitboard,
    simple: bool,
) -> Vec<Trajectory> {
    let mut blocked_cells = [false; 65];
    blocked.into_iter().filter(|&s| s != to).for_each(|s| blocked_cells[usize::from(cell(s))] = true);
    let context = TrajectoryContext { relation, blocked: blocked_cells, end: cell(to), reverse: true };
    let start = TrajectoryNonTerminal::new(cell(from), cell(to), len);
    let derived = derive_trajectories(grammar, &context, start, &Strategy::All(usize::MAX), false);
    let path = |d: &surus_geometry::grammar::Derivation<surus_geometry::grammar::CellTerminal>| {
        Trajectory(d.string.iter().filter_map(|at| square(at.0)).collect())
    };
    let mut all = sorted(derived.iter().map(path).filter(|path| !simple || path.is_simple()).collect());
    all.dedup();
    all
}

#[test]
fn grammars_agree_with_bundles() {
    let mut random = Random::new(8);
    let mut compared = 0;
    for _ in 0..2400 {
        let piece = ['R', 'r', 'H'][random.below(3)];
        let piece = Piece::from_letter(piece).unwrap();
        let (from, to) =
            (Square::new(random.below(64) as u8).unwrap(), Square::new(random.below(64) as u8).unwrap());
        let blocked: Bitboard = Bitboard::TRAPS.into_iter().filter(|_| random.below(2) == 0).collect();
        let (mover, relation) = (MovementKind::of(piece), relation(Some(piece)));
        let Some(bundle) = shortest(&mover, from, to, blocked).filter(|bundle| bundle.len <= 6) else {
            continue;
        };
        let direct = sorted(bundle.paths(&mover, usize::MAX));
        assert_eq!(
            strings(&G_T1, relation, from, to, bundle.len, blocked, false),
            direct,
            "{piece} {from} {to}"
        );
        assert_eq!(
            strings(&G_T2, relation, from, to, bundle.len, blocked, false),
            direct,
            "{piece} {from} {to}"
        );
        if bundle.len <= 4 {
            for simple in [false, true] {
                let detours = sorted(admissible(&mover, from, to, bundle.len + 2, blocked, simple));
                let derived = strings(&G_T2, relation, from, to, bundle.len + 2, blocked, simple);
                assert_eq!(derived, detours, "{piece} {from} {to}, a detour");
            }
        }
        compared += 1;
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn rabbits_have_no_trajectory_as_printed() {
    let (from, to) = (cell(at("d3")), cell(at("d8")));
    let rabbit = relation(Piece::from_letter('R'));
    let derive = |reverse| {
        let context = TrajectoryContext { relation: rabbit, blocked: [false; 65], end: to, reverse };
        derive_trajectories(
            &G_T1,
            &context,
            TrajectoryNonTerminal::new(from, to, 5),
            &Strategy::All(usize::MAX),
            false,
        )
        .len()
    };
    assert_eq!((derive(false), derive(true)), (0, 1));
    let blocked_cells = [false; 65];
    assert_eq!(map(rabbit, to, &blocked_cells)[usize::from(from)], 128);
    assert_eq!(reverse_map(rabbit, to, &blocked_cells)[usize::from(from)], 5);
}

#[test]
fn derivation_is_printed_step_by_step() {
    let horse = relation(Piece::from_letter('H'));
    let context =
        TrajectoryContext { relation: horse, blocked: [false; 65], end: cell(at("c5")), reverse: true };
    let start = TrajectoryNonTerminal::new(cell(at("e6")), cell(at("c5")), 3);
    let derived = derive_trajectories(&G_T1, &context, start, &Strategy::First, true);
    let lines: Vec<String> = derived[0].steps.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "1  => A(e6,c5,3)",
            "2_1  => a(e6) A(e5,c5,2)",
            "2_1  => a(e6) a(e5) A(d5,c5,1)",
            "2_1  => a(e6) a(e5) a(d5) A(c5,c5,0)",
            "2  does not hold",
            "3  => a(e6) a(e5) a(d5) a(c5)",
        ]
    );
}
