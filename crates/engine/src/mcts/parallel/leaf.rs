//! Leaf parallelisation: one thread descends the tree, all threads run playouts from the leaf it reaches.

use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use surus_rules::{Board, PackedAction};

use super::{Budget, CHECK_INTERVAL, StopCheck};
use crate::common::turn_state::TurnState;
use crate::mcts::simulation::{Search, win_value};
use crate::mcts::worker::Worker;

/// Exchanges leaves and results between the leader and its helpers.
struct LeafExchange {
    /// The leaf, and the board of the node that was expanded on the way.
    leaf: Mutex<(TurnState, Option<Board>)>,
    generation: AtomicU64,
    /// The result of each helper with the actions of its playout.
    results: Vec<Mutex<(f32, Option<Vec<PackedAction>>)>>,
    finished: AtomicU64,
    stopped: AtomicBool,
}

/// Waits for another thread, which may need this core.
fn wait(turns: &mut u32) {
    *turns += 1;
    if turns.is_multiple_of(64) { thread::yield_now() } else { std::hint::spin_loop() }
}

/// Runs simulations until the budget is used up or the tree is full.
pub(crate) fn run_leaf_parallel(
    search: &Search<'_>,
    workers: &mut [Worker],
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    let exchange = LeafExchange {
        leaf: Mutex::new((search.root.state, None)),
        generation: AtomicU64::new(0),
        results: others.iter().map(|_| Mutex::new((0.0, None))).collect(),
        finished: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
    };
    let helpers = others.len() as u64;
    thread::scope(|scope| {
        for (number, worker) in others.iter_mut().enumerate() {
            let exchange = &exchange;
            scope.spawn(move || run_helper(search, exchange, number, worker));
        }
        run_leader(search, &exchange, helpers, first, budget, stop_check);
        exchange.stopped.store(true, Release);
    });
}

fn run_leader(
    search: &Search<'_>,
    exchange: &LeafExchange,
    helpers: u64,
    worker: &mut Worker,
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    let mut done = 0;
    while !search.tree.full.load(Relaxed) {
        if done % CHECK_INTERVAL == 0 && stop_check(search)
            || search.config.solver && search.tree.node(0).proven_winner().is_some()
        {
            budget.stop();
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
        if let Ok(mut leaf) = exchange.leaf.lock() {
            *leaf = (state, worker.expanded_board.take());
        }
        exchange.finished.store(0, Relaxed);
        exchange.generation.fetch_add(1, Release);
        let result = search.playout(&state, worker);
        search.backpropagate(worker, result, false);
        let mut turns = 0;
        while exchange.finished.load(Acquire) < helpers {
            wait(&mut turns);
        }
        for result in &exchange.results {
            if let Ok(mut found) = result.lock()
                && budget.take()
            {
                // Each result is credited to the actions that led to it.
                std::mem::swap(&mut worker.playout.played, &mut found.1);
                search.backpropagate(worker, found.0, false);
            }
        }
    }
}

fn run_helper(search: &Search<'_>, exchange: &LeafExchange, number: usize, worker: &mut Worker) {
    let mut seen = 0;
    let mut turns = 0;
    while !exchange.stopped.load(Acquire) {
        let generation = exchange.generation.load(Acquire);
        if generation == seen {
            wait(&mut turns);
            continue;
        }
        seen = generation;
        let Ok((state, expanded_board)) = exchange.leaf.lock().map(|leaf| *leaf) else { return };
        if let Some(board) = expanded_board {
            worker.playout.advisor.add_captures(&board);
        }
        let result = search.playout(&state, worker);
        if let Ok(mut found) = exchange.results[number].lock() {
            *found = (result, worker.playout.played.clone());
        }
        exchange.finished.fetch_add(1, Release);
    }
}
