//! Root parallelisation: every thread has its own tree, and the trees are merged at the end. With a master tree the
//! threads are islands.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::{Budget, StopCheck, ThreadTree, run_worker};
use crate::common::turn_state::TurnState;
use crate::mcts::simulation::Search;
use crate::mcts::tree::Tree;
use crate::mcts::worker::Worker;

/// Runs each thread in its own tree until the budget is used up or the master of islands must grow. `search` has what
/// they share; its tree is not changed unless it is that master.
pub(crate) fn run_root_parallel(
    search: &Search<'_>,
    thread_trees: &mut [ThreadTree],
    workers: &mut [Worker],
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    let mut pairs = thread_trees.iter_mut().zip(workers);
    let Some((thread_tree, first)) = pairs.next() else { return };
    thread::scope(|scope| {
        for (thread_tree, worker) in pairs {
            scope.spawn(move || run_thread_tree(search, thread_tree, worker, budget, &mut |_| false));
        }
        run_thread_tree(search, thread_tree, first, budget, stop_check);
    });
    if !search.master.is_some_and(Tree::must_grow) {
        // The first thread may have ended before the others were synchronised.
        let thread_tree = Search { tree: &thread_tree.tree, history: &thread_tree.history, ..*search };
        thread_tree.sync_all();
        thread_tree.complete(first);
    }
}

fn run_thread_tree(
    search: &Search<'_>,
    thread_tree: &mut ThreadTree,
    worker: &mut Worker,
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    loop {
        run_worker(
            &Search { tree: &thread_tree.tree, history: &thread_tree.history, ..*search },
            worker,
            budget,
            stop_check,
        );
        if budget.stopped.load(Relaxed) || !thread_tree.tree.full.load(Relaxed) {
            break;
        }
        thread_tree.tree.make_room();
    }
    if !search.master.is_some_and(Tree::must_grow) {
        Search { tree: &thread_tree.tree, history: &thread_tree.history, ..*search }.sync_all();
    }
}

/// Adds the results of another tree for the root's turn to the tree of a search.
pub(crate) fn merge_tree(search: &Search<'_>, other: &Search<'_>, worker: &mut Worker) {
    let mut seen = vec![false; other.tree.len()];
    merge_node(search, other, 0, 0, search.root.state, worker, &mut seen);
}

fn merge_node(
    search: &Search<'_>,
    other: &Search<'_>,
    index: u32,
    other_index: u32,
    state: TurnState,
    worker: &mut Worker,
    seen: &mut [bool],
) {
    // Nodes with the same position share their children, which must not be counted twice.
    if std::mem::replace(&mut seen[other_index as usize], true) {
        return;
    }
    let node = other.tree.node(other_index);
    let visits = node.visits();
    search.tree.add_results(index, other.tree.own_sum(other_index), visits);
    search.tree.add_sum_squares(index, other.tree.sum_squares_of(other_index));
    if let Some(winner) = node.proven_winner() {
        search.tree.prove(index, winner);
    }
    if state.turn_number != search.root.state.turn_number || node.children().is_empty() {
        return;
    }
    // Nodes with the same position share their children here too: separate ones would have no visits, and end the
    // turn.
    let childless = search.tree.node(index).children().is_empty();
    if childless && !search.adopt_shared_children(index) && !search.expand(index, &state, worker) {
        return;
    }
    let existing = search.tree.node(index).children();
    for (offset, child) in (0..).zip(node.children()) {
        let action = other.tree.node(child).action();
        let is_same = |&existing: &u32| search.tree.node(existing).action() == action;
        // Mostly both have the same children in the same order.
        let same = existing.clone().nth(offset).filter(is_same);
        if let Some(existing) = same.or_else(|| existing.clone().find(is_same)) {
            let mut below = state;
            search.apply_child(&mut below, index, existing);
            merge_node(search, other, existing, child, below, worker, seen);
        }
    }
}
