//! Compares the searches with exhaustive generation.

mod common;

use common::boards;
use surus_geometry::Fidelity::{Extended, Paper, Printed};
use surus_geometry::search::{
    Guidance, SearchStats, all_captures, capture_in_one_turn, goal_in_one_turn, replay,
};
use surus_rules::{Board, DistinctTurns, Position};

#[test]
fn searches_agree_with_exhaustive_generation() {
    let (mut captures, mut goals, mut pieces) = ([0, 0], [0, 0], [0, 0]);
    let mut stats = SearchStats::default();
    let all = boards(1200, 11);
    for (board, side) in &all {
        let Ok(position) = Position::new(*board, *side) else { continue };
        let turns = DistinctTurns::new(&position, board, 4);
        let fewer = |after: &Board| after.by_side(side.other()).len() < board.by_side(side.other()).len();
        let capture = capture_in_one_turn(board, *side, 4, Guidance::Distances, &mut stats);
        let exists = turns.boards().any(fewer);
        assert!(exists || capture.is_none(), "{board:?} {side}: {capture:?}");
        captures[0] += u32::from(capture.is_some());
        captures[1] += u32::from(exists);
        if exists && capture.is_none() {
            println!("missed capture: {} [{}]", side.letter(), board.compact());
        }
        let exact = surus_tactics::captures(board, *side, 4);
        let found = all_captures(board, *side, 4, Guidance::Distances, &mut SearchStats::default());
        for capture in &found {
            assert!(exact.iter().any(|e| e.square == capture.square), "{board:?} {side}: {capture:?}");
            let outcome = replay(board, *side, &capture.turn).unwrap();
            let taken = outcome.captured.iter().any(|l| (l.from, l.trap) == (capture.square, capture.trap));
            assert!(taken, "{board:?} {capture:?}");
        }
        pieces[0] += found.len();
        pieces[1] += exact.iter().count();
        for e in exact.iter().filter(|e| found.iter().all(|c| c.square != e.square)) {
            println!("missed piece: {} [{}] {e:?}", side.letter(), board.compact());
        }
        let arrived = |after: &Board| !(after.rabbits(*side) & side.goal()).is_empty();
        if !arrived(board) {
            let goal = goal_in_one_turn(board, *side, 4, Guidance::Distances, &mut stats);
            let exists = turns.boards().any(arrived);
            assert!(exists || goal.is_none(), "{board:?} {side}: {goal:?}");
            goals[0] += u32::from(goal.is_some());
            goals[1] += u32::from(exists);
            if exists && goal.is_none() {
                println!("missed goal: {} [{}]", side.letter(), board.compact());
            }
        }
        for fidelity in [Printed, Paper, Extended] {
            let capture =
                capture_in_one_turn(board, *side, 4, Guidance::zones(fidelity), &mut SearchStats::default());
            assert!(capture.is_none() || turns.boards().any(fewer), "{fidelity:?} {board:?} {capture:?}");
        }
    }
    println!(
        "captures {captures:?} goals {goals:?} pieces {pieces:?} nodes {}",
        stats.nodes / all.len() as u64
    );
    assert!(captures[1] > 300 && goals[1] > 100, "{captures:?} {goals:?}");
    assert_eq!(captures[0], captures[1]);
    assert_eq!(goals[0], goals[1]);
}

#[test]
fn zones_find_goals_that_an_earlier_version_missed() {
    for text in [
        // The elephant leaves the way of the rabbit on c6 and its trap, after the horse has come to guard it.
        "g [rd r  r   E  eRr  R   Md Hc    r      Hh   r      hRm D RRC CR R]",
        // The horse pushes a rabbit off its way to the frozen rabbit.
        "g [  e    r  dcR h d  r   M  rRr   r D HcR RR CRREC     h       D  ]",
        "g [    dchch r HE  rRH e   r r R r R R rRRr       R  CD   M      C ]",
        "s [    Dr   hE     cR             Rrr d R  HMrR    D dH            ]",
        "s [r       C H  r rh   dr dRR r  CcRcR Dr h   R  DH Mr   RE      RR]",
        "s [ h   r   E  D   cR     R        rr      HMrR    D dH            ]",
    ] {
        let position: Position = text.parse().unwrap();
        let mut stats = SearchStats::default();
        let found = goal_in_one_turn(position.board(), position.side(), 4, Guidance::EXTENDED, &mut stats);
        assert!(found.is_some(), "{text}");
    }
}
