//! Translations: the published example, and the comparison with regenerated zones.

mod common;

use common::{CASE_2, Random, at, board, boards};
use surus_geometry::Fidelity::Paper;
use surus_geometry::abg::square;
use surus_geometry::grammar::derive_translation;
use surus_geometry::trajectory::Trajectory;
use surus_geometry::translation::{Transition, translate};
use surus_geometry::zone::{
    Network, TimeModel, TrackedNetwork, Zone, ZoneKind, ZoneSymbol, advance_zone, advance_zone_by, cut_zones,
    cut_zones_by, rabbit_run,
};
use surus_rules::{Board, Position, Step};

fn step(board: &Board, text: &str) -> (Transition, Board) {
    let step: Step = text.parse().unwrap();
    (Transition { piece: step.piece(), from: step.from(), to: step.to() }, board.after_step(step))
}

fn find<'a>(zone: &'a Zone, from: &str, to: &str, negation: u8) -> Option<&'a ZoneSymbol> {
    let fits = |s: &&ZoneSymbol| s.bundle.from == at(from) && s.bundle.to == at(to) && s.negation == negation;
    zone.symbols.iter().find(fits)
}

/// The printed time of a symbol, if it exists.
fn time(zone: &Zone, from: &str, to: &str, negation: u8) -> Option<i16> {
    find(zone, from, to, negation).map(|symbol| zone.printed_time(symbol))
}

#[test]
fn a_step_of_the_rabbit_reduces_all_times_by_one() {
    let start = board(CASE_2);
    let zone = advance_zone(&start, at("d3"), at("d8"), 5, TimeModel::Serial).unwrap();
    let before = [time(&zone, "b7", "d7", 1), time(&zone, "b7", "d6", 1), time(&zone, "b7", "d8", 1)];
    assert_eq!(before, [Some(6), Some(5), Some(7)]);
    assert_eq!((time(&zone, "b6", "c7", 2), time(&zone, "b6", "c8", 2)), (Some(5), Some(5)));
    let (transition, after) = step(&start, "Rd3n");
    let image = translate(&zone, transition, &after).unwrap();
    let times = [time(&image, "b7", "d7", 1), time(&image, "b7", "d6", 1), time(&image, "b7", "d8", 1)];
    assert_eq!(times, [Some(5), Some(4), Some(6)]);
    assert_eq!((time(&image, "b6", "c7", 2), time(&image, "b6", "c8", 2)), (Some(4), Some(4)));
    assert_eq!(image.printed_time(&image.symbols[0]), 5);
    // The elephant's trajectory ended on d4, where the rabbit is now.
    assert_eq!(time(&image, "e4", "d4", 1), None);
}

#[test]
fn a_step_of_the_dog_updates_inherited_times() {
    let start = board(CASE_2);
    let mut zone = advance_zone(&start, at("d3"), at("d8"), 5, TimeModel::Serial).unwrap();
    // The part of the zone in the example: the dog's trajectories and those against them.
    zone.symbols.retain(|symbol| match symbol.bundle.from.to_string().as_str() {
        "d3" | "b7" => true,
        "e4" => symbol.bundle.to == at("d4"),
        _ => symbol.negation == 2 && symbol.piece.letter() == 'D',
    });
    let (transition, after) = step(&start, "db7e");
    let image = translate(&zone, transition, &after).unwrap();
    let times = [time(&image, "c7", "d7", 1), time(&image, "c7", "d6", 1), time(&image, "c7", "d8", 1)];
    assert_eq!(times, [Some(6), Some(5), Some(7)]);
    let dog = find(&image, "c7", "d8", 1).unwrap();
    assert!(dog.bundle.inner().contains(at("c8")) && !dog.bundle.inner().contains(at("b8")));
    // The trajectory to c7 is no longer connected, the one to c8 is: 6 - 2 + 1.
    assert_eq!(time(&image, "b6", "c7", 2), None);
    assert_eq!(find(&image, "b6", "c8", 2).map(|symbol| symbol.time), Some(5));
    assert_eq!(time(&image, "e4", "d4", 1), Some(3));
}

/// The zone of the same goal, regenerated on a new board.
fn regenerate(image: &Zone, board: &Board, steps: u8) -> Option<Zone> {
    match image.subject {
        ZoneKind::Advance { rabbit, goal, length, clock } => advance_zone(board, rabbit, goal, length, clock),
        ZoneKind::Cut { .. } => cut_zones(board, image.attacker, steps, Paper)
            .into_iter()
            .find(|zone| zone_key(&zone.subject) == zone_key(&image.subject)),
    }
}

fn zone_key(subject: &ZoneKind) -> String {
    match subject {
        ZoneKind::Cut { trap, captor, victim, kind, .. } => format!("{trap} {captor} {victim} {kind:?}"),
        ZoneKind::Advance { rabbit, goal, .. } => format!("{rabbit} {goal}"),
    }
}

/// The properties of the parents that the time of a symbol depends on.
fn parents(zone: &Zone, index: usize) -> Vec<(String, u8, i16)> {
    let of = zone.parents(index).into_iter().map(|p| &zone.symbols[p]);
    of.map(|s| (format!("{} {}", s.bundle.from, s.bundle.to), s.bundle.len, s.time)).collect()
}

/// The expected parents after a step of the main piece: the same with one less time.
fn expected_parents(zone: &Zone, symbol: &ZoneSymbol) -> Vec<(String, u8, i16)> {
    let fits = |s: &ZoneSymbol| s.bundle == symbol.bundle && s.negation == symbol.negation;
    let index = zone.symbols.iter().position(fits).unwrap();
    parents(zone, index).into_iter().map(|(name, len, time)| (name, len, time - 1)).collect()
}

#[test]
fn translated_times_agree_with_the_regenerated_zone() {
    let mut random = Random::new(9);
    let (mut transitions, mut same, mut other) = (0, 0, 0);
    for (board, _) in boards(5200, 10) {
        let cuts = surus_rules::Side::BOTH.into_iter().flat_map(|side| cut_zones(&board, side, 4, Paper));
        let runs = board.iter().filter_map(|(square, _)| {
            let (goal, length) = rabbit_run(&board, square).filter(|(_, length)| (1..=5).contains(length))?;
            advance_zone(&board, square, goal, length, TimeModel::Serial)
        });
        for zone in cuts.chain(runs).take(6) {
            // A legal step of a piece of the zone.
            let pieces: Vec<_> = zone.participants().into_iter().collect();
            let from = pieces[random.below(pieces.len())];
            let Some(piece) = board.piece_at(from) else { continue };
            let Ok(position) = Position::new(board, piece.side()) else { continue };
            let mut steps = Vec::new();
            position.for_each_step(|step, _| steps.extend((step.from() == from).then_some(step)));
            if steps.is_empty() {
                continue;
            }
            let step = steps[random.below(steps.len())];
            let after = board.after_step(step);
            if after.occupied().len() < board.occupied().len() {
                continue;
            }
            let transition = Transition { piece, from, to: step.to() };
            let Some(image) = translate(&zone, transition, &after) else { continue };
            let on_main = zone.symbols[0].bundle.from == from;
            let Some(fresh) = regenerate(&image, &after, 4 - u8::from(on_main)) else { continue };
            transitions += 1;
            for (i, symbol) in image.symbols.iter().enumerate().skip(1) {
                let fits = |s: &ZoneSymbol| {
                    (s.bundle.from, s.bundle.to, s.negation)
                        == (symbol.bundle.from, symbol.bundle.to, symbol.negation)
                };
                let Some(j) = fresh.symbols.iter().position(fits) else { continue };
                if fresh.symbols[j].time == symbol.time {
                    same += 1;
                    continue;
                }
                // A time may differ only where the step has brought or taken trajectories that it hangs on.
                let known = if on_main { expected_parents(&zone, symbol) } else { parents(&image, i) };
                assert_ne!(known, parents(&fresh, j), "{board:?} {step} {symbol:?}");
                assert!(symbol.negation > 1, "{board:?} {step} {symbol:?}");
                other += 1;
            }
        }
    }
    println!("{transitions} transitions, {same} times equal, {other} with other parents");
    assert!(transitions > 10_000, "{transitions}");
    assert!(other * 20 < same, "{same} {other}");
}

/// Random legal games, step by step.
fn random_steps(seed: u64, games: usize, mut visit: impl FnMut(&Board, bool)) {
    let mut random = Random::new(seed);
    for game in 0..games {
        let (start, mut side) = boards(games.max(2), seed + 7)[game];
        let mut board = start;
        visit(&board, true);
        for _ in 0..30 {
            let mut actions = Vec::new();
            board.for_each_action(side, 4, |action| actions.push(action));
            if actions.is_empty() {
                break;
            }
            for step in actions[random.below(actions.len())].steps() {
                board = board.after_step(step);
                visit(&board, false);
            }
            if random.below(3) == 0 {
                side = side.other();
            }
        }
    }
}

#[test]
fn a_translated_network_equals_the_generated_one() {
    for fidelity in [Paper, surus_geometry::Fidelity::Extended, surus_geometry::Fidelity::Printed] {
        let mut network = TrackedNetwork::new(&Board::EMPTY, fidelity, 5);
        let (mut transitions, mut zones) = (0, 0);
        random_steps(21, 16, |board, is_new| {
            if is_new {
                network = TrackedNetwork::new(board, fidelity, 5);
            } else {
                network.translate(board);
                transitions += 1;
            }
            let generated = Network::new(board, fidelity, 5);
            zones += generated.zones().count();
            assert!(network.zones().eq(generated.zones().cloned()), "{board:?} {fidelity:?}");
        });
        assert!(transitions > 300 && zones > 300, "{transitions} {zones}");
    }
}

#[test]
fn translation_over_real_games_equals_generation() {
    let file =
        std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/allgames202602.txt");
    let Ok(bytes) = std::fs::read(file) else {
        println!("SKIPPED: no ../shared");
        return;
    };
    let games = surus_record::parse_games(&String::from_utf8_lossy(&bytes)).unwrap();
    let mut steps = 0;
    for source in games.iter().step_by(if std::env::var_os("SURUS_TEST_FULL").is_some() { 1 } else { 30 }) {
        let Ok(replay) = surus_rules::Record::parse(&source.record)
            .and_then(|r| r.replay(source.rules, surus_rules::Handicap::None))
        else {
            continue;
        };
        let entries = replay.game.entries();
        let Some(start) = entries.get(1) else { continue };
        let mut network = TrackedNetwork::new(&start.board, surus_geometry::Fidelity::Extended, 5);
        for entry in entries.iter().skip(2) {
            let surus_rules::PlayedTurn::Turn(turn) = entry.played else { continue };
            for step in turn.steps() {
                let board = network.board().after_step(step);
                network.translate(&board);
                let generated = Network::new(&board, surus_geometry::Fidelity::Extended, 5);
                assert!(network.zones().eq(generated.zones().cloned()), "{board:?}");
                steps += 1;
            }
        }
    }
    assert!(steps > 500, "{steps}");
}

/// The symbols of a zone as a string of the grammar.
fn string_of(zone: &Zone) -> Vec<String> {
    let symbol = |s: &ZoneSymbol| format!("{} {} {}", s.piece.letter(), s.path(), zone.printed_time(s));
    zone.symbols.iter().map(symbol).collect()
}

#[test]
fn the_grammar_of_translations_agrees_with_the_function() {
    let mut random = Random::new(31);
    let (mut compared, mut unmade) = (0, 0);
    for (board, side) in boards(1500, 17) {
        let pick = &mut |count: usize| count / 2;
        let cut = surus_rules::Bitboard::TRAPS
            .into_iter()
            .find_map(|trap| cut_zones_by(&board, side, trap, 4, Paper, pick));
        let run = board.rabbits(side).into_iter().find_map(|rabbit| {
            let (goal, length) = rabbit_run(&board, rabbit).filter(|(_, length)| (1..=5).contains(length))?;
            advance_zone_by(&board, rabbit, goal, length, pick)
        });
        for zone in cut.into_iter().chain(run) {
            let pieces: Vec<_> = zone.participants().into_iter().collect();
            let from = pieces[random.below(pieces.len())];
            let Some(piece) = board.piece_at(from) else { continue };
            let Ok(position) = Position::new(board, piece.side()) else { continue };
            let mut steps = Vec::new();
            position.for_each_step(|step, _| steps.extend((step.from() == from).then_some(step)));
            // A step along a trajectory of the zone, if there is one.
            let along = |step: &&Step| {
                zone.symbols.iter().any(|s| s.bundle.from == from && s.bundle.layer(1).contains(step.to()))
            };
            let Some(&step) = steps.iter().find(along).or(steps.first()) else { continue };
            let after = board.after_step(step);
            let transition = Transition { piece, from, to: step.to() };
            let derived = derive_translation(&zone, transition, &after, false).unwrap();
            let derived: Vec<String> = derived
                .string
                .iter()
                .map(|t| {
                    let path = Trajectory(t.path.iter().filter_map(|&c| square(c)).collect());
                    format!("{} {path} {}", t.piece.letter(), t.time)
                })
                .collect();
            let direct = translate(&zone, transition, &after);
            unmade += usize::from(direct.is_none());
            let direct = direct.as_ref().map_or_else(Vec::new, string_of);
            assert_eq!(derived, direct, "{board:?} {step} {:?}", zone.subject);
            compared += 1;
        }
    }
    println!("{compared} compared, {unmade} unmade");
    assert!(compared > 300 && unmade > 5, "{compared} {unmade}");
}
