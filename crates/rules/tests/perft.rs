//! Counts of one turn: the reference table, and an independent slow count on positions of random games.

mod common;

use std::collections::HashSet;

use common::{random_positions, shared};
use surus_rules::{Board, Direction, DistinctTurns, Perft, Position, Square, Step, walk_steps};

#[test]
fn the_reference_table_comes_out() {
    let Some(table) = shared("positions/perft.tsv") else { return };
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with(['#', 'n']) || line.starts_with("near")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let numbers: Vec<u64> = columns[2..].iter().map(|n| n.parse().unwrap()).collect();
        let position: Position = columns[1].parse().unwrap();
        let perft = Perft::count(&position, 4);
        let found = [&perft.steps[..], &[perft.complete, perft.legal, perft.unique]].concat();
        assert_eq!(found, numbers, "{}", columns[0]);
        assert_eq!(walk_steps(&position).0, perft.steps.iter().sum(), "{}", columns[0]);
        rows += 1;
    }
    assert_eq!(rows, 13);
}

/// Every step on the board, legal or not.
fn all_steps(board: &Board) -> Vec<Step> {
    let on = |square: Square| Direction::ALL.map(|d| Step::new(board.piece_at(square).unwrap(), square, d));
    board.occupied().into_iter().flat_map(on).flatten().collect()
}

fn slow(position: &Position, start: &Board, perft: &mut Perft, ends: &mut HashSet<Board>) {
    for step in all_steps(position.board()) {
        let Ok(next) = position.try_step(step) else { continue };
        perft.steps[next.steps_taken() as usize - 1] += 1;
        if !next.is_mid_push() {
            perft.complete += 1;
            if next.board() != start {
                perft.legal += 1;
                ends.insert(*next.board());
            }
        }
        slow(&next, start, perft, ends);
    }
}

#[test]
fn generation_agrees_with_judging_every_step() {
    for position in random_positions(12, 7) {
        let (mut perft, mut ends) = (Perft::default(), HashSet::new());
        slow(&position, position.board(), &mut perft, &mut ends);
        perft.unique = ends.len() as u64;
        assert_eq!(Perft::count(&position, 4), perft, "{position}");
    }
}

#[test]
fn every_turn_leads_where_it_says_and_every_board_is_reached_once() {
    for position in random_positions(30, 8) {
        let turns = DistinctTurns::new(&position, position.board(), 4);
        let mut boards = HashSet::new();
        for (turn, board) in turns.iter() {
            let end = turn.steps().try_fold(position, |p, step| p.try_step(step)).unwrap();
            assert_eq!(end.board(), board);
            assert!(end.can_end_turn(position.board()));
            assert!(boards.insert(*board), "{turn}");
        }
        assert_eq!(boards.len(), turns.len());
    }
}

/// The ways to finish a turn from its middle are the whole turns that begin with the steps taken.
#[test]
fn turns_are_finished_from_every_point_of_a_turn() {
    fn ends(position: &Position, start: &Board, found: &mut HashSet<Board>) {
        if position.steps_taken() != 0 && position.can_end_turn(start) {
            found.insert(*position.board());
        }
        position.for_each_next(|_, next| ends(next, start, found));
    }
    for start in random_positions(6, 9) {
        let mut middles = Vec::new();
        start.for_each_next(|_, one| {
            middles.push(*one);
            one.for_each_next(|_, two| middles.push(*two));
        });
        for middle in middles.iter().step_by(5) {
            let mut slowly = HashSet::new();
            ends(middle, start.board(), &mut slowly);
            let turns = DistinctTurns::new(middle, start.board(), 4);
            let quickly: HashSet<Board> = turns.boards().copied().collect();
            assert_eq!(quickly, slowly, "{middle:?}");
            for (turn, board) in turns.iter() {
                let end = turn.steps().try_fold(*middle, |p, step| p.try_step(step)).unwrap();
                assert_eq!(end.board(), board);
            }
        }
    }
}
