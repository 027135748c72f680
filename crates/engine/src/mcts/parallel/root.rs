//! SearchRoot parallelisation: every thread in a tree of its own, and one tree of all in the end. With a master tree the same
//! threads are islands.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::{Budget, StopCheck, ThreadTree, run_worker};
use crate::common::turn_state::TurnState;
use crate::mcts::simulation::Search;
use crate::mcts::tree::Tree;
use crate::mcts::worker::Worker;

/// Lets each thread work in its own tree, until the budget is used up or the master of islands has to grow. `search` has what
/// they share; its tree is not touched, unless it is that master.
pub(crate) fn run_root_parallel(
    search: &Search<'_>,
    thread_trees: &mut [ThreadTree],
    workers: &mut [Worker],
    budget: &Budget,
    look: StopCheck<'_>,
) {
    let mut pairs = thread_trees.iter_mut().zip(workers);
    let Some((own, first)) = pairs.next() else { return };
    thread::scope(|scope| {
        for (own, worker) in pairs {
            scope.spawn(move || run_thread_tree(search, own, worker, budget, &mut |_| false));
        }
        run_thread_tree(search, own, first, budget, look);
    });
    if !search.master.is_some_and(Tree::must_grow) {
        // The first may have ended before the others told the master what they know.
        let own = Search { tree: &own.tree, history: &own.history, ..*search };
        own.sync_all();
        own.complete(first);
    }
}

fn run_thread_tree(
    search: &Search<'_>,
    own: &mut ThreadTree,
    worker: &mut Worker,
    budget: &Budget,
    look: StopCheck<'_>,
) {
    loop {
        run_worker(&Search { tree: &own.tree, history: &own.history, ..*search }, worker, budget, look);
        if budget.over.load(Relaxed) || !own.tree.full.load(Relaxed) {
            break;
        }
        own.tree.make_room();
    }
    if !search.master.is_some_and(Tree::must_grow) {
        Search { tree: &own.tree, history: &own.history, ..*search }.sync_all();
    }
}

/// Adds what another tree knows of the root's turn to the tree of a search.
pub(crate) fn merge_tree(search: &Search<'_>, other: &Search<'_>, worker: &mut Worker) {
    let mut seen = vec![false; other.tree.len()];
    merge_node(search, other, (0, 0), search.root.state, worker, &mut seen);
}

fn merge_node(
    search: &Search<'_>,
    other: &Search<'_>,
    (mine, theirs): (u32, u32),
    state: TurnState,
    worker: &mut Worker,
    seen: &mut [bool],
) {
    // Nodes with the same position share their children, which must not count twice.
    if std::mem::replace(&mut seen[theirs as usize], true) {
        return;
    }
    let node = other.tree.node(theirs);
    let visits = node.visits();
    search.tree.add_results(mine, other.tree.own_sum(theirs), visits);
    search.tree.add_sum_squares(mine, other.tree.sum_squares_of(theirs));
    if let Some(winner) = node.proven_winner() {
        search.tree.prove(mine, winner);
    }
    if state.turn_number != search.root.state.turn_number || node.children().is_empty() {
        return;
    }
    // Nodes with the same position share their children here too: others would have no visits, and end the turn.
    let childless = search.tree.node(mine).children().is_empty();
    if childless && !search.adopt_shared_children(mine) && !search.expand(mine, &state, worker) {
        return;
    }
    let known = search.tree.node(mine).children();
    for (place, child) in (0..).zip(node.children()) {
        let way = other.tree.node(child).action();
        let is_same = |&known: &u32| search.tree.node(known).action() == way;
        // Mostly both have the same children in the same order.
        let same = known.clone().nth(place).filter(is_same);
        if let Some(known) = same.or_else(|| known.clone().find(is_same)) {
            let mut below = state;
            search.apply_child(&mut below, mine, known);
            merge_node(search, other, (known, child), below, worker, seen);
        }
    }
}
