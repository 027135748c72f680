//! Leaf parallelisation: one thread goes down the tree, all make playouts from the leaf it finds.

use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::thread;

use super::{BETWEEN, Budget, Look};
use crate::mcts::search::{Search, worth};
use crate::mcts::state::State;
use crate::mcts::worker::Worker;

/// Where the first thread leaves a position for the others.
struct Desk {
    state: Mutex<State>,
    ticket: AtomicU64,
    results: Vec<AtomicU32>,
    finished: AtomicU64,
    over: AtomicBool,
}

/// Waits a moment for another thread, which may need this one's core.
fn wait(turns: &mut u32) {
    *turns += 1;
    if turns.is_multiple_of(64) { thread::yield_now() } else { std::hint::spin_loop() }
}

/// Simulations until the budget is used up or the tree is full.
pub(crate) fn at_the_leaf(search: &Search<'_>, workers: &mut [Worker], budget: &Budget, look: Look<'_>) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    let desk = Desk {
        state: Mutex::new(search.root.state),
        ticket: AtomicU64::new(0),
        results: others.iter().map(|_| AtomicU32::new(0)).collect(),
        finished: AtomicU64::new(0),
        over: AtomicBool::new(false),
    };
    let helpers = others.len() as u64;
    thread::scope(|scope| {
        for (number, worker) in others.iter_mut().enumerate() {
            let desk = &desk;
            scope.spawn(move || help(search, desk, number, worker));
        }
        lead(search, &desk, helpers, first, budget, look);
        desk.over.store(true, Release);
    });
}

fn lead(
    search: &Search<'_>,
    desk: &Desk,
    helpers: u64,
    worker: &mut Worker,
    budget: &Budget,
    look: Look<'_>,
) {
    let mut done = 0;
    while !search.tree.full.load(Relaxed) {
        if done % BETWEEN == 0 && look(search)
            || search.config.solver && search.tree.node(0).proof().is_some()
        {
            budget.end();
        }
        if !budget.take() {
            return;
        }
        done += 1;
        let (state, proved) = search.descend(worker);
        if let Some(winner) = proved {
            search.finish(worker, worth(winner), true);
            continue;
        }
        if let Ok(mut shared) = desk.state.lock() {
            *shared = state;
        }
        desk.finished.store(0, Relaxed);
        desk.ticket.fetch_add(1, Release);
        let result = search.playout(&state, worker);
        search.finish(worker, result, false);
        let mut turns = 0;
        while desk.finished.load(Acquire) < helpers {
            wait(&mut turns);
        }
        for result in &desk.results {
            if budget.take() {
                search.finish(worker, f32::from_bits(result.load(Relaxed)), false);
            }
        }
    }
}

fn help(search: &Search<'_>, desk: &Desk, number: usize, worker: &mut Worker) {
    let mut seen = 0;
    let mut turns = 0;
    while !desk.over.load(Acquire) {
        let ticket = desk.ticket.load(Acquire);
        if ticket == seen {
            wait(&mut turns);
            continue;
        }
        seen = ticket;
        let Ok(state) = desk.state.lock().map(|state| *state) else { return };
        let result = search.playout(&state, worker);
        desk.results[number].store(result.to_bits(), Relaxed);
        desk.finished.fetch_add(1, Release);
    }
}
