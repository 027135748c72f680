//! Leaf parallelisation: one thread descends the tree, all threads run playouts from the leaf it reaches.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use surus_rules::{Board, PackedAction};

use super::{Budget, CHECK_INTERVAL, StopCheck};
use crate::common::turn_state::TurnState;
use crate::mcts::simulation::{Search, win_value};
use crate::mcts::worker::Worker;

/// How often a thread looks again before it sleeps: about the time of a playout. A thread without a core of its own sleeps
/// at once.
const SPINS: u32 = 2000;

/// A counter that threads wait for.
#[derive(Default)]
struct Signal {
    count: AtomicU64,
    sleepers: AtomicU64,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    fn set(&self, count: u64) {
        self.count.store(count, SeqCst);
        self.wake();
    }

    fn increment(&self) {
        self.count.fetch_add(1, SeqCst);
        self.wake();
    }

    fn wake(&self) {
        if self.sleepers.load(SeqCst) > 0 {
            // The lock keeps the signal from passing between a sleeper's last look and its sleep.
            drop(self.lock.lock());
            self.changed.notify_all();
        }
    }

    /// Returns the count as soon as it satisfies a condition.
    fn wait_for(&self, spins: u32, is_reached: impl Fn(u64) -> bool) -> u64 {
        for _ in 0..spins {
            let count = self.count.load(Acquire);
            if is_reached(count) {
                return count;
            }
            std::hint::spin_loop();
        }
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleepers.fetch_add(1, SeqCst);
        let mut count = self.count.load(SeqCst);
        while !is_reached(count) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
            count = self.count.load(SeqCst);
        }
        self.sleepers.fetch_sub(1, SeqCst);
        count
    }
}

/// Exchanges leaves and results between the leader and its helpers.
struct LeafExchange {
    /// The leaf, and the board of the node that was expanded on the way.
    leaf: Mutex<(TurnState, Option<Board>)>,
    /// The number of the leaf; [`STOPPED`] at the end.
    generation: Signal,
    /// The result of each helper with the actions of its playout.
    results: Vec<Mutex<(f32, Option<Vec<PackedAction>>)>>,
    /// The helpers that have finished their playouts.
    finished: Signal,
    spins: u32,
}

const STOPPED: u64 = u64::MAX;

/// Runs simulations until the budget is used up or the tree is full.
pub(crate) fn run_leaf_parallel(
    search: &Search<'_>,
    workers: &mut [Worker],
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    let has_cores = thread::available_parallelism().is_ok_and(|cores| workers.len() <= cores.get());
    let Some((first, others)) = workers.split_first_mut() else { return };
    let exchange = LeafExchange {
        leaf: Mutex::new((search.root.state, None)),
        generation: Signal::default(),
        results: others.iter().map(|_| Mutex::new((0.0, None))).collect(),
        finished: Signal::default(),
        spins: if has_cores { SPINS } else { 0 },
    };
    let helpers = others.len() as u64;
    thread::scope(|scope| {
        for (number, worker) in others.iter_mut().enumerate() {
            let exchange = &exchange;
            scope.spawn(move || run_helper(search, exchange, number, worker));
        }
        run_leader(search, &exchange, helpers, first, budget, stop_check);
        exchange.generation.set(STOPPED);
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
    let (mut done, mut generation) = (0, 0);
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
        exchange.finished.set(0);
        generation += 1;
        exchange.generation.set(generation);
        let result = search.playout(&state, worker);
        search.backpropagate(worker, result, false);
        exchange.finished.wait_for(exchange.spins, |finished| finished >= helpers);
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
    loop {
        seen = exchange.generation.wait_for(exchange.spins, |generation| generation != seen);
        if seen == STOPPED {
            return;
        }
        let Ok((state, expanded_board)) = exchange.leaf.lock().map(|leaf| *leaf) else { return };
        if let Some(board) = expanded_board {
            worker.playout.advisor.add_captures(&board);
        }
        let result = search.playout(&state, worker);
        if let Ok(mut found) = exchange.results[number].lock() {
            *found = (result, worker.playout.played.clone());
        }
        exchange.finished.increment();
    }
}
