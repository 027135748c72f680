//! Limits, memory, reuse, time, and positions that need no search.

use std::time::Duration;

use surus_play::{EngineError, TimeBudget};

use super::*;

/// Nothing can be captured for a while.
const QUIET: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

#[test]
fn the_same_seed_plays_the_same_and_another_does_not() {
    let visits = |values: &str| root_visits(&searched(values, 2000));
    assert_eq!(visits("seed=4"), visits("seed=4"));
    assert_ne!(visits("seed=4"), visits("seed=5"));
    let mut best = Mcts::default();
    let first = think(&mut best, &game(MIDDLE), 2000).0;
    assert_eq!(think(&mut Mcts::default(), &game(MIDDLE), 2000).0, first);
}

#[test]
fn memory_is_never_beyond_its_limit_and_cold_nodes_are_recycled() {
    for values in [
        "memory=3,maturity=0,maturity_adds_depth=false",
        "memory=3,maturity=0,maturity_adds_depth=false,transpositions=false",
    ] {
        let session = searched(values, 60_000);
        assert!(session.bytes() <= 3 << 20, "{}", session.bytes());
        assert!(session.stats().recycled > 0, "{values}");
        assert_eq!(session.stats().playouts, 60_000);
        // What is left is still a tree: every child is a node of it.
        for index in 0..session.tree.len() as u32 {
            let children = session.tree.node(index).children();
            assert!(children.end as usize <= session.tree.len());
        }
    }
    assert_eq!(searched("memory=64", 20_000).stats().recycled, 0);
}

#[test]
fn many_threads_share_the_memory_of_one() {
    for values in ["parallel=tree", "parallel=island", "parallel=root", "parallel=leaf"] {
        for (threads, megabytes) in [(1, 1), (2, 16), (8, 4)] {
            let session = searched(&format!("{values},threads={threads},memory={megabytes}"), 200);
            assert!(session.bytes() <= megabytes << 20, "{values} {threads} {}", session.bytes());
            assert_eq!(session.stats().playouts, 200);
        }
    }
    let hits = searched("advisor_size=4096,memory=3", 200);
    assert!(hits.bytes() <= 3 << 20, "{}", hits.bytes());
}

#[test]
fn what_is_known_of_the_answer_is_kept_for_the_next_turn() {
    // With little knowledge in the tree the line of play is soon a few turns long.
    let reused = |values: &str| {
        let mut engine = engine(&format!("progressive_bias_weight=1,{values}"));
        let mut game = game(MIDDLE);
        let (turn, infos) = think(&mut engine, &game, 50_000);
        game.play(&turn).unwrap();
        game.play(&infos.last().unwrap().pv[1]).unwrap();
        think(&mut engine, &game, 100);
        let session = engine.session.unwrap();
        assert!(session.stats().expanded <= 101, "only this search is counted");
        (session.reused_visits, session.tree.node(0).visits())
    };
    let mut pondering = engine("tree_reuse=true");
    let mut game = game(MIDDLE);
    let (turn, _) = think(&mut pondering, &game, 2000);
    let learned = |engine: &Mcts| engine.session.as_ref().unwrap().stats().sequences;
    let before = learned(&pondering);
    think(&mut pondering, &game, 1);
    assert_eq!(pondering.session.as_ref().unwrap().reused_visits, 2000, "the same position again");
    assert!(before <= learned(&pondering), "and what the advisor has learned of it");
    game.play(&turn).unwrap();
    think(&mut pondering, &game, 1);
    assert!(pondering.session.as_ref().unwrap().reused_visits > 0, "one turn later");
    let (session, visits) = reused("tree_reuse=true");
    assert!(session > 0, "{session}");
    assert_eq!(visits, session + 100);
    assert_eq!(reused("tree_reuse=false"), (0, 100));
}

#[test]
fn another_game_begins_with_an_empty_tree() {
    let mut engine = engine("tree_reuse=true,progressive_bias_weight=1");
    let mut first = game(MIDDLE);
    let (turn, infos) = think(&mut engine, &first, 50_000);
    engine.new_game();
    first.play(&turn).unwrap();
    first.play(&infos.last().unwrap().pv[1]).unwrap();
    think(&mut engine, &first, 100);
    assert_eq!(engine.session.unwrap().reused_visits, 0);
}

#[test]
fn a_turn_is_obvious_when_no_other_can_catch_up_in_the_time_that_is_left() {
    let obvious_with = |values: &str, text: &str, gone: f64| {
        let mut engine = engine(&format!("maturity=1,maturity_adds_depth=false,c=0.05,{values}"));
        think(&mut engine, &game(text), 20_000);
        engine.session.unwrap().main_search().can_stop_early(gone)
    };
    let obvious = |text: &str, gone: f64| obvious_with("early_stop=true", text, gone);
    // The camel can be taken by two pushes of the elephant, and everything else is far away.
    let gift = "g [rr                         Em                           RR      ]";
    assert!(!obvious(gift, 0.3), "the remaining visits could still change the best turn");
    assert!(obvious(gift, 0.995));
    assert!(!obvious_with("early_stop=false", gift, 0.995));
    assert!(!obvious(QUIET, 0.55), "there is much to choose from");
    // Where nothing can be chosen no time is needed.
    let only = |count: usize| {
        let mut engine = engine("early_stop=true");
        let mut job = Job::limited(game(QUIET), Limits { nodes: Some(50), ..Limits::default() });
        job.search_turns = job.game.legal_turns().into_iter().take(count).collect();
        engine.think(&job, &mut |_| {}).unwrap();
        engine.session.unwrap().main_search().can_stop_early(0.0)
    };
    assert!(only(1) && !only(2));
}

#[test]
fn statistics_are_told_as_akimot_told_them() {
    let (turn, infos) = think(&mut engine(""), &game(MIDDLE), 1000);
    let words = &infos.last().unwrap().messages;
    assert_eq!(words[0], "UCT:");
    assert_eq!(words[1], "1000 playouts");
    for (index, end) in [
        (2, " seconds"),
        (3, " playouts per second"),
        (4, " nodes in the tree"),
        (5, " nodes expanded"),
        (6, " nodes pruned"),
        (9, " average descends in playout"),
    ] {
        assert!(words[index].ends_with(end), "{words:?}");
    }
    assert_eq!(words[10], format!("best move: {turn}"));
    assert!(words[11].starts_with("best move visits: "));
    let win = infos.last().unwrap().win_probability.unwrap();
    assert_eq!(words[12], format!("win confidence: {win:.6}"));
}

#[test]
fn several_lines_are_told_the_best_last_and_only_allowed_turns_are_chosen() {
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    let mut job = Job::limited(game(MIDDLE), limits);
    job.multi_pv = 3;
    let mut infos = Vec::new();
    engine("").think(&job, &mut |info| infos.push(info)).unwrap();
    assert_eq!(infos.iter().map(|info| info.pv_index).collect::<Vec<_>>(), [2, 1, 0]);
    job.search_turns = job.game.legal_turns().into_iter().skip(5).take(2).collect();
    let answer = engine("").think(&job, &mut |_| {}).unwrap();
    assert!(matches!(answer, Answer::Turn(turn) if job.search_turns.contains(&turn)));
}

#[test]
fn what_is_decided_is_answered_without_a_search() {
    // A goal in one.
    let (turn, infos) = think(
        &mut engine(""),
        &game("g [r      r R         hE                                   RRRRRRR ]"),
        9,
    );
    assert_eq!((turn.to_string().as_str(), infos[0].nodes), ("Rb7n", Some(0)));
    // A game that is over has no turn: no rabbits, or no step.
    for text in [
        "g [e                                        E                      ]",
        "g [r                                               e       Rr      ]",
    ] {
        let answer = engine("").think(&Job::new(game(text)), &mut |info| panic!("{info:?}"));
        assert!(matches!(answer, Err(EngineError::GameOver(_) | EngineError::NoLegalTurn)), "{answer:?}");
    }
}

#[test]
fn in_the_middle_of_a_push_the_turn_is_finished() {
    let mut started = game(MIDDLE);
    let mut pushed = None;
    started.position().for_each_step(|step, pending| {
        if matches!(pending, surus_rules::Pending::Push { .. }) {
            pushed = Some(step);
        }
    });
    started.step(pushed.unwrap()).unwrap();
    let (turn, _) = think(&mut engine(""), &started, 500);
    started.play(&turn).unwrap();
}

#[test]
fn a_long_search_tells_how_it_stands() {
    let time = Some(TimeBudget::fixed(Duration::from_millis(1300)));
    let mut infos = Vec::new();
    let job = Job::limited(game(MIDDLE), Limits { time, ..Limits::default() });
    engine("").think(&job, &mut |info| infos.push(info)).unwrap();
    let before = &infos[..infos.len() - 1];
    assert!(!before.is_empty());
    assert!(before.iter().all(|info| !info.depth_complete
        && !info.pv.is_empty()
        && info.nodes <= infos.last().unwrap().nodes));
}
