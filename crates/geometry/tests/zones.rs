//! Zones: the figures of \[LG\], and the grammars compared with the functions on bitboards.

mod common;

use std::collections::BTreeMap;

use common::{CASE_1, CASE_2, Random, at, board, boards};
use surus_geometry::Fidelity::{Extended, Paper, Printed};
use surus_geometry::abg::{MovementKind, cell, square};
use surus_geometry::grammar::{Derivation, Strategy, TrajectoryTerminal, derive_advance, derive_cut};
use surus_geometry::trajectory::Trajectory;
use surus_geometry::zone::{
    CutKind, Network, TimeModel, Zone, ZoneKind, advance_zone, advance_zone_by, advance_zone_printed,
    cut_zones, cut_zones_by, rabbit_run, shortest_printed,
};
use surus_rules::{Bitboard, Board, Side, Square};

fn names(squares: Bitboard) -> String {
    squares.into_iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
}

/// A symbol as `Path time`.
fn words(zone: &Zone, negation: u8) -> Vec<String> {
    let of = zone.symbols.iter().filter(|symbol| symbol.negation == negation);
    of.map(|s| format!("{}{} {}", s.piece.letter(), s.path(), zone.printed_time(s))).collect()
}

#[test]
fn first_case_has_the_participants_of_the_figure() {
    for words in [CASE_1.to_string(), format!("{CASE_1} rh8")] {
        let board = board(&words);
        for fidelity in [Paper, Extended] {
            let zones = cut_zones(&board, Side::Gold, 4, fidelity);
            let seen: Vec<_> = zones
                .iter()
                .map(|zone| match zone.subject {
                    ZoneKind::Cut { trap, kind, cost, guarded, .. } => {
                        (trap.to_string(), kind, cost, guarded, names(zone.participants()))
                    }
                    ZoneKind::Advance { .. } => panic!("{zone:?}"),
                })
                .collect();
            assert_eq!(
                seen,
                [
                    ("f3".into(), CutKind::Lead, 4, false, "f1 e2 e3 h3 h4 c5 e6".into()),
                    ("c6".into(), CutKind::Approach, 4, false, "c5 e6 f7".into()),
                ]
            );
            assert!(cut_zones(&board, Side::Silver, 4, fidelity).is_empty());
        }
    }
}

#[test]
fn first_case_has_the_expected_symbols() {
    let board = board(CASE_1);
    let zones = cut_zones(&board, Side::Gold, 4, Paper);
    let [f3, c6] = &zones[..] else { panic!("{zones:?}") };
    assert_eq!(words(c6, 0), ["He6-e5-d5-c5 4", "dc5-c6 1"]);
    assert_eq!(words(c6, 1), ["hf7-e7-e6-d6 4", "hf7-e7-d7-c7 4"]);
    assert!(words(c6, 2).is_empty());
    assert_eq!(words(f3, 0), ["hh3-g3-f3 4", "Eh4-h3 1"]);
    assert_eq!(
        words(f3, 1),
        [
            "ce2-f2 4",
            "ce2-e3 4",
            "dc5-c4-d4-d3-e3 4",
            "ce2-f2-g2-g3 4",
            "ce2-e3-e4-f4 4",
            "dc5-c4-d4-e4-f4 4"
        ]
    );
    let second = words(f3, 2);
    for expected in ["Rf1-f2 2", "Ce3-e4 2", "Ce3-d3 1", "He6-e5 1"] {
        assert!(second.iter().any(|word| word == expected), "{expected} in {second:?}");
    }
}

#[test]
fn printed_conditions_do_not_reproduce_the_figure() {
    let zones = cut_zones(&board(CASE_1), Side::Gold, 4, Printed);
    let seen: Vec<String> = zones.iter().map(|zone| names(zone.participants())).collect();
    // The horse on e6 is three cells from the dog, and no piece reaches g3 in the time of the main line.
    assert_eq!(seen, ["h3 h4"]);
}

#[test]
fn printed_conditions_give_no_zone_for_the_second_case() {
    let case = board(CASE_2);
    // No enemy piece stands on d8, and with one there, no distance leads back to the rabbit.
    for words in [CASE_2.to_string(), format!("{CASE_2} rd8")] {
        let board = board(&words);
        assert!(advance_zone_printed(&board, at("d3"), at("d8"), 5).is_none());
        let derived = derive_advance(&board, at("d3"), at("d8"), 5, Printed, &Strategy::First, false);
        assert!(derived.iter().all(|derivation| derivation.string.is_empty()), "{derived:?}");
    }
    assert!(shortest_printed(MovementKind::GoldRabbit, at("d3"), at("d8")).is_none());
    // Another piece has a zone, to an enemy piece as in chess.
    let zone = advance_zone_printed(&case, at("e4"), at("b7"), 6).unwrap();
    assert_eq!((zone.symbols[0].bundle.len, zone.printed_time(&zone.symbols[0])), (6, 7));
    let derived = derive_advance(&case, at("e4"), at("b7"), 6, Printed, &Strategy::First, false);
    assert_eq!(derived[0].string[0].path.len(), 7);
}

#[test]
fn second_case_has_the_expected_symbols() {
    let zone = advance_zone(&board(CASE_2), at("d3"), at("d8"), 5, TimeModel::Serial).unwrap();
    assert_eq!(words(&zone, 0), ["Rd3-d4-d5-d6-d7-d8 6"]);
    assert_eq!(
        words(&zone, 1),
        [
            "Ee4-d4 3",
            "Db6-b5-b4-c4-d4 3",
            "Ee4-d4-d5 4",
            "Db6-b5-c5-d5 4",
            "Ee4-d4-d5-d6 5",
            "Db6-b5-c5-d5-d6 5",
            "db7-c7-d7-d6 5",
            "Ee4-d4-d5-d6-d7 6",
            "ca6-b6-b7-c7-d7 6",
            "Db6-b7-c7-d7 6",
            "db7-c7-d7 6",
            "ca6-b6-b7-c7-d7-d8 7",
            "Db6-b7-c7-d7-d8 7",
            "db7-c7-d7-d8 7",
        ]
    );
    assert_eq!(names(zone.participants()), "d3 e4 a6 b6 b7");
    // The published defence at d5 requires a full turn of the defender.
    let turns = advance_zone(&board(CASE_2), at("d3"), at("d8"), 5, TimeModel::Turns(0)).unwrap();
    let stops = |zone: &Zone| {
        let mut dogs = zone.symbols.iter().filter(|s| s.negation == 1 && s.bundle.from == at("b7"));
        dogs.any(|s| {
            let all = s.bundle.paths(&s.mover(), usize::MAX);
            all.iter().any(|path| path.to_string() == "b7-c7-d7-d6-d5") && zone.printed_time(s) == 6
        })
    };
    assert_eq!((stops(&zone), stops(&turns)), (false, true));
}

#[test]
fn time_models_count_steps_or_turns() {
    assert_eq!([1, 2, 5].map(|k| TimeModel::Serial.at(k)), [2, 3, 6]);
    assert_eq!([1, 4, 5, 8, 9].map(|k| TimeModel::Turns(4).at(k)), [1, 1, 5, 5, 9]);
    assert_eq!([1, 4, 5].map(|k| TimeModel::Turns(0).at(k)), [5, 5, 9]);
}

/// A string of the grammar, as the symbols of a zone.
fn string_of(zone: &Zone) -> Vec<(char, Trajectory, i16)> {
    zone.symbols.iter().map(|s| (s.piece.letter(), s.path(), zone.printed_time(s))).collect()
}

fn derived(derivation: &Derivation<TrajectoryTerminal>) -> Vec<(char, Trajectory, i16)> {
    let path =
        |track: &TrajectoryTerminal| Trajectory(track.path.iter().filter_map(|&c| square(c)).collect());
    derivation.string.iter().map(|track| (track.piece.letter(), path(track), track.time)).collect()
}

/// Random choices shared by both sides of a comparison.
fn script(random: &mut Random) -> Vec<usize> {
    (0..60).map(|_| random.below(4)).collect()
}

fn reader(script: &[usize]) -> impl FnMut(usize) -> usize + use<'_> {
    let mut numbers = script.iter().copied();
    move |_| numbers.next().unwrap_or(0)
}

#[test]
fn single_cut_zones_agree_with_the_grammar() {
    let mut random = Random::new(1);
    let mut zones = 0;
    for (board, side) in boards(1000, 3) {
        for trap in Bitboard::TRAPS {
            for fidelity in [Printed, Paper] {
                let (steps, script) = (2 + random.below(3) as u8, script(&mut random));
                let direct = cut_zones_by(&board, side, trap, steps, fidelity, &mut reader(&script));
                let strategy = Strategy::Script(script);
                let derivations = derive_cut(&board, side, trap, steps, fidelity, &strategy, false);
                let direct = direct.as_ref().map_or_else(Vec::new, string_of);
                assert_eq!(derived(&derivations[0]), direct, "{board:?} {side} {trap} {fidelity:?}");
                zones += usize::from(!direct.is_empty());
            }
        }
    }
    assert!(zones > 500, "{zones}");
}

#[test]
fn single_advance_zones_agree_with_the_grammar() {
    let mut random = Random::new(2);
    let mut zones = 0;
    for (i, (board, side)) in boards(9000, 4).into_iter().enumerate() {
        // The grammar is slow on full boards; sample those.
        if board.occupied().len() > 10 && i % 100 != 0 {
            continue;
        }
        let near = |rabbit: &Square| rabbit_run(&board, *rabbit).is_some_and(|(_, length)| length <= 4);
        let Some(rabbit) = board.rabbits(side).into_iter().find(near) else { continue };
        let Some((goal, length)) = rabbit_run(&board, rabbit) else { continue };
        let script = script(&mut random);
        let direct = advance_zone_by(&board, rabbit, goal, length, &mut reader(&script)).unwrap();
        let derivations =
            derive_advance(&board, rabbit, goal, length, Paper, &Strategy::Script(script), false);
        assert_eq!(derived(&derivations[0]), string_of(&direct), "{board:?} {rabbit} {goal}");
        zones += 1;
    }
    assert!(zones > 1000, "{zones}");
}

/// The maximum time by source and target.
type Reaches = BTreeMap<(u8, u8, u8), i16>;

#[test]
fn cut_zone_is_the_union_of_the_strings_of_its_main_line() {
    let mut random = Random::new(5);
    let mut compared = 0;
    while compared < 100 {
        let pieces = 3 + random.below(6);
        let board = random.sparse(pieces);
        for zone in cut_zones(&board, Side::Gold, 4, Paper) {
            let ZoneKind::Cut { trap, captor, victim, .. } = zone.subject else { continue };
            let all = derive_cut(&board, Side::Gold, trap, 4, Paper, &Strategy::All(200), false);
            if all.len() == 200 {
                continue;
            }
            let mut derived = Reaches::new();
            let base = [cell(captor), cell(victim)];
            for string in all.iter().map(|derivation| &derivation.string) {
                if !string[..2].iter().all(|track| base.contains(&track.path[0])) {
                    continue;
                }
                for track in &string[2..] {
                    let key = (track.path[0], *track.path.last().unwrap(), 0);
                    let max_time = derived.entry(key).or_insert(track.time);
                    *max_time = track.time.max(*max_time);
                }
            }
            let mut direct = Reaches::new();
            for symbol in zone.symbols.iter().filter(|symbol| symbol.negation != 0) {
                let key = (cell(symbol.bundle.from), cell(symbol.bundle.to), 0);
                let max_time = direct.entry(key).or_insert(symbol.time);
                *max_time = symbol.time.max(*max_time);
            }
            assert_eq!(derived, direct, "{board:?} {:?}", zone.subject);
            compared += 1;
        }
    }
}

#[test]
fn every_zone_is_a_network() {
    let mut zones = 0;
    for (board, _) in boards(600, 6) {
        for zone in Network::new(&board, Extended, 8).zones() {
            assert!(Network::is_network(zone), "{board:?} {zone:?}");
            for symbol in &zone.symbols {
                assert_eq!(board.piece_at(symbol.bundle.from), Some(symbol.piece));
            }
            zones += 1;
        }
    }
    assert!(zones > 1000, "{zones}");
}

/// The symbols of a zone in a canonical order.
fn content(zone: &Zone, turn: impl Fn(Square) -> Square) -> Vec<String> {
    let mut all: Vec<String> = zone
        .symbols
        .iter()
        .map(|s| {
            let (from, to) = (turn(s.bundle.from), turn(s.bundle.to));
            let inner: Bitboard = s.bundle.inner().into_iter().map(&turn).collect();
            format!("{:?} {:?} {from} {to} {} {:?} {}", s.piece.kind(), s.role, s.negation, inner, s.time)
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn zones_are_symmetric() {
    let collect = |board: &Board, turn: fn(Square) -> Square| {
        let network = Network::new(board, Extended, 8);
        let mut all: Vec<Vec<String>> = network.cuts.iter().map(|zone| content(zone, turn)).collect();
        all.sort_unstable();
        all
    };
    let mut zones = 0;
    for (board, _) in boards(300, 7) {
        let plain = collect(&board, |square| square);
        assert_eq!(plain, collect(&board.mirrored(), Square::mirrored), "{board:?}");
        assert_eq!(plain, collect(&board.flipped(), Square::flipped), "{board:?}");
        zones += plain.len();
        // A rabbit can have several nearest goals, so the mirrored goal is given.
        for rabbit in board.rabbits(Side::Gold) {
            let Some((goal, length)) = rabbit_run(&board, rabbit) else { continue };
            let zone = advance_zone(&board, rabbit, goal, length, TimeModel::Serial).unwrap();
            let (rabbit, goal) = (rabbit.mirrored(), goal.mirrored());
            let other = advance_zone(&board.mirrored(), rabbit, goal, length, TimeModel::Serial).unwrap();
            assert_eq!(content(&zone, |square| square), content(&other, Square::mirrored));
        }
    }
    assert!(zones > 500, "{zones}");
}
