//! Leaf parallelisation: one thread goes down the tree, all make playouts from the leaf it finds.

use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use surus_rules::Board;

use super::{Budget, CHECK_INTERVAL, StopCheck};
use crate::common::packed_action::PackedAction;
use crate::common::turn_state::TurnState;
use crate::mcts::simulation::{Search, win_value};
use crate::mcts::worker::Worker;

/// Where the first thread leaves a position for the others.
struct LeafExchange {
    /// The leaf, and the board of the node that became a parent on the way there.
    leaf: Mutex<(TurnState, Option<Board>)>,
    generation: AtomicU64,
    /// What each of the others found, with the ways of its playout.
    results: Vec<Mutex<(f32, Option<Vec<PackedAction>>)>>,
    finished: AtomicU64,
    over: AtomicBool,
}

/// Waits a moment for another thread, which may need this one's core.
fn wait(turns: &mut u32) {
    *turns += 1;
    if turns.is_multiple_of(64) { thread::yield_now() } else { std::hint::spin_loop() }
}

/// Simulations until the budget is used up or the tree is full.
pub(crate) fn run_leaf_parallel(
    search: &Search<'_>,
    workers: &mut [Worker],
    budget: &Budget,
    look: StopCheck<'_>,
) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    let desk = LeafExchange {
        leaf: Mutex::new((search.root.state, None)),
        generation: AtomicU64::new(0),
        results: others.iter().map(|_| Mutex::new((0.0, None))).collect(),
        finished: AtomicU64::new(0),
        over: AtomicBool::new(false),
    };
    let helpers = others.len() as u64;
    thread::scope(|scope| {
        for (number, worker) in others.iter_mut().enumerate() {
            let desk = &desk;
            scope.spawn(move || run_helper(search, desk, number, worker));
        }
        run_leader(search, &desk, helpers, first, budget, look);
        desk.over.store(true, Release);
    });
}

fn run_leader(
    search: &Search<'_>,
    desk: &LeafExchange,
    helpers: u64,
    worker: &mut Worker,
    budget: &Budget,
    look: StopCheck<'_>,
) {
    let mut done = 0;
    while !search.tree.full.load(Relaxed) {
        if done % CHECK_INTERVAL == 0 && look(search)
            || search.config.solver && search.tree.node(0).proven_winner().is_some()
        {
            budget.end();
        }
        if !budget.take() {
            return;
        }
        done += 1;
        let (state, proved) = search.descend(worker);
        if let Some(winner) = proved {
            search.backpropagate(worker, win_value(winner), true);
            continue;
        }
        if let Ok(mut leaf) = desk.leaf.lock() {
            *leaf = (state, worker.expanded_board.take());
        }
        desk.finished.store(0, Relaxed);
        desk.generation.fetch_add(1, Release);
        let result = search.playout(&state, worker);
        search.backpropagate(worker, result, false);
        let mut turns = 0;
        while desk.finished.load(Acquire) < helpers {
            wait(&mut turns);
        }
        for result in &desk.results {
            if let Ok(mut found) = result.lock()
                && budget.take()
            {
                // Each result is credited to the ways that led to it.
                std::mem::swap(&mut worker.playout.played, &mut found.1);
                search.backpropagate(worker, found.0, false);
            }
        }
    }
}

fn run_helper(search: &Search<'_>, desk: &LeafExchange, number: usize, worker: &mut Worker) {
    let mut seen = 0;
    let mut turns = 0;
    while !desk.over.load(Acquire) {
        let generation = desk.generation.load(Acquire);
        if generation == seen {
            wait(&mut turns);
            continue;
        }
        seen = generation;
        let Ok((state, expanded_board)) = desk.leaf.lock().map(|leaf| *leaf) else { return };
        if let Some(board) = expanded_board {
            worker.playout.advisor.learn(&board);
        }
        let result = search.playout(&state, worker);
        if let Ok(mut found) = desk.results[number].lock() {
            *found = (result, worker.playout.played.clone());
        }
        desk.finished.fetch_add(1, Release);
    }
}
