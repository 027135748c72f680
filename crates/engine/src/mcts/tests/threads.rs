//! Several threads.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use surus_rules::Side;

use super::*;
use crate::mcts::node::NONE;
use crate::mcts::tree::Tree;

fn root(session: &MctsSession) -> (u32, i64) {
    let node = session.tree.node(0);
    (node.visits(), node.sum.load(Relaxed))
}

#[test]
fn in_one_tree_every_simulation_counts_once_and_no_virtual_loss_is_left() {
    let session = searched("parallel=tree,threads=2,virtual_loss=3", 4000);
    assert_eq!(root(&session).0, 4000);
    assert_eq!(session.stats().playouts, 4000);
    let below: u32 = root_visits(&session).iter().sum();
    assert!((3990..=4000).contains(&below), "{below}");
    assert_eq!(session.tree.node(0).sum_count.load(Relaxed), 4000);
    assert!(root(&session).1.abs() <= 4000 << 20, "the mean lies between -1 and 1");
    assert!(session.tree.nodes.iter().all(|node| node.virtual_losses.load(Relaxed) == 0));
    assert!(session.workers.iter().all(|worker| worker.playouts > 0));
}

#[test]
fn a_virtual_loss_sends_the_next_thread_elsewhere() {
    let ends = |loss: u32| {
        let values =
            "parallel=tree,threads=2,progressive_bias=false,history=false,virtual_visits=1,child_cache=false";
        let mut session = searched(&format!("{values},virtual_loss={loss}"), 300);
        let mut workers = std::mem::take(&mut session.workers);
        // Virtual losses are used with two workers only.
        session.workers = workers.clone();
        // Two descents before either comes back.
        let search = session.main_search();
        assert_eq!(search.virtual_loss, loss);
        let end = |worker: &mut crate::mcts::worker::Worker| {
            search.descend(worker);
            *worker.path.last().unwrap()
        };
        [end(&mut workers[0]), end(&mut workers[1])]
    };
    let plain = ends(0);
    assert_eq!(plain[0], plain[1]);
    let lossy = ends(20);
    assert_ne!(lossy[0], lossy[1]);
}

#[test]
fn trees_that_grew_apart_are_one_in_the_end() {
    let session = searched("parallel=root,threads=2", 4000);
    assert_eq!(session.thread_trees.len(), 2);
    assert!(session.thread_trees.iter().all(|own| own.tree.node(0).visits() > 100));
    let sum: u32 = session.thread_trees.iter().map(|own| own.tree.node(0).visits()).sum();
    assert_eq!((root(&session).0, sum), (4000, 4000));
    let below: u32 = root_visits(&session).iter().sum();
    assert!((3900..=4000).contains(&below), "{below}");
}

#[test]
fn islands_meet_in_the_master_tree_as_often_as_they_may() {
    let session = searched("parallel=island,threads=2,sync_probability=0.2", 4000);
    assert!(session.stats().syncs > 0);
    let visits = root(&session).0;
    assert!((3990..=4000).contains(&visits), "{visits}");
    assert!(
        session.thread_trees.iter().any(|own| own.tree.node(0).visits() > 3000),
        "an island knows of the other"
    );
    let run_root_parallel = searched("parallel=island,threads=2,sync_probability=0", 4000);
    assert_eq!(run_root_parallel.stats().syncs, 0);
    assert_eq!(root(&run_root_parallel).0, 4000, "at the end they are synchronised");
    let often = searched("parallel=island,threads=2,sync_probability=0.9", 4000).stats().syncs;
    assert!(2 * session.stats().syncs < often);
}

#[test]
fn a_master_begins_small_and_grows_with_its_islands() {
    let unlinked = |session: &MctsSession| {
        let islands = session.thread_trees.iter().map(|own| &own.tree);
        let loose = |tree: &Tree| {
            tree.links[..tree.len()].iter().filter(|link| link.master.load(Relaxed) == NONE).count()
        };
        islands.map(loose).sum::<usize>()
    };
    let small = searched("parallel=island,threads=2", 500);
    let large =
        searched("parallel=island,threads=2,maturity=0,maturity_adds_depth=false,transpositions=false", 4000);
    assert!(small.tree.nodes.len() <= 1 << 15, "{}", small.tree.nodes.len());
    assert!(2 * small.tree.nodes.len() <= large.tree.nodes.len());
    assert_eq!(root(&large).0, 4000);
    // Two islands that ask for the last room at the same moment may leave a row of children alone.
    assert!(unlinked(&large) < 1000, "{}", unlinked(&large));
    // More turns than the first nodes have room for.
    let turns = searched("parallel=island,threads=2,root_children=turns", 500);
    assert!(root_visits(&turns).len() > 1 << 14);
    assert_eq!(unlinked(&turns), 0);
}

#[test]
fn at_the_leaf_all_threads_make_playouts_from_the_same_place() {
    let session = searched("parallel=leaf,threads=2", 4000);
    assert_eq!(root(&session).0, 4000);
    // Only the first goes down; the other only plays.
    assert_eq!(session.workers[1].playouts, 0);
    assert!(session.workers[1].playout.turns > 100);
    let even = |session: &MctsSession| root_visits(session).iter().all(|visits| visits % 2 == 0);
    assert!(even(&session), "every action down brings two results");
    assert!(!even(&searched("parallel=leaf,threads=1", 4000)));
}

/// The children of a node may change while they are sorted.
#[test]
fn children_are_ranked_while_other_threads_count() {
    let session = searched("", 500);
    let (over, search) = (AtomicBool::new(false), session.main_search());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut rng = crate::common::rng::Rng::new(1);
            let children: Vec<u32> = session.tree.node(0).children().collect();
            while !over.load(Relaxed) {
                let child = children[rng.below(children.len() as u32) as usize];
                session.tree.node(child).visits.store(rng.below(100), Relaxed);
            }
        });
        for _ in 0..2000 {
            assert_eq!(search.sorted_children(0, Side::Gold).len(), session.tree.node(0).children().len());
        }
        over.store(true, Relaxed);
    });
}

/// The steps of the turn that has most visits; every node on the way must know what comes next.
fn best_turn(session: &MctsSession, values: &str) {
    let search = session.final_search();
    let (mut index, mut state) = (0, search.root.state);
    while state.turn_number == search.root.state.turn_number {
        let side = state.position.side();
        let best = search
            .sorted_children(index, side)
            .first()
            .copied()
            .filter(|&best| search.tree.node(best).visits() > 0);
        let Some(best) = best else {
            panic!("{values}: a node with {} visits ends the turn", search.tree.node(index).visits())
        };
        search.apply_child(&mut state, index, best);
        index = best;
    }
}

#[test]
fn a_turn_is_known_to_its_end_in_every_model() {
    for model in ["root", "island", "tree", "leaf"] {
        for seed in 1..4 {
            let values = format!("threads=2,parallel={model},seed={seed}");
            let session = searched(&values, 5000);
            best_turn(&session, &values);
            assert!(session.stats().shared > 0, "{values}");
        }
        let none = searched(&format!("threads=2,parallel={model},transpositions=false"), 300);
        assert_eq!(none.stats().shared, 0, "{model}");
    }
}

/// The variance of results is known of all trees, not of one.
#[test]
fn squares_are_put_together_with_their_results() {
    for values in ["parallel=root", "parallel=island"] {
        let session =
            searched(&format!("threads=2,tree_policy=ucb_tuned,transpositions=false,{values}"), 2000);
        let squares: u64 = match values {
            "parallel=root" => session.thread_trees.iter().map(|own| own.tree.sum_squares_of(0)).sum(),
            _ => session.thread_trees.iter().map(|own| own.tree.sum_squares_of(0)).max().unwrap(),
        };
        assert_eq!(session.tree.sum_squares_of(0), squares, "{values}");
        assert!(squares > 0);
    }
}

#[test]
fn islands_keep_what_virtual_visits_are_worth() {
    let session = searched("parallel=island,threads=2,virtual_visit_value=parent,transpositions=false", 1000);
    let tree = &session.thread_trees[0].tree;
    let untried = |index: &u32| {
        tree.node(*index).visits() == 0 && tree.links[*index as usize].master.load(Relaxed) != NONE
    };
    let all: Vec<u32> = (1..tree.len() as u32).filter(untried).collect();
    let value = all.iter().filter(|index| tree.own_sum(**index) != 0).count();
    assert!(all.len() < 2 * value, "{value} of {}", all.len());
}

#[test]
fn advisors_learn_from_every_thread_at_the_leaf() {
    let session = searched("parallel=leaf,threads=2", 3000);
    assert!(session.workers.iter().all(|worker| worker.playout.advisor.len() > 0));
}
