//! Leaf parallelisation: one thread goes down the tree, all make playouts from the leaf it finds.

use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use surus_rules::Board;

use super::{BETWEEN, Budget, Look};
use crate::common::packed_action::Way;
use crate::common::turn_state::State;
use crate::mcts::simulation::{Search, worth};
use crate::mcts::worker::Worker;

/// Where the first thread leaves a position for the others.
struct Desk {
    /// The leaf, and the board of the node that became a parent on the way there.
    leaf: Mutex<(State, Option<Board>)>,
    ticket: AtomicU64,
    /// What each of the others found, with the ways of its playout.
    results: Vec<Mutex<(f32, Option<Vec<Way>>)>>,
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
        leaf: Mutex::new((search.root.state, None)),
        ticket: AtomicU64::new(0),
        results: others.iter().map(|_| Mutex::new((0.0, None))).collect(),
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
        if let Ok(mut leaf) = desk.leaf.lock() {
            *leaf = (state, worker.grown.take());
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
            if let Ok(mut found) = result.lock()
                && budget.take()
            {
                // Each result is credited to the ways that led to it.
                std::mem::swap(&mut worker.hand.played, &mut found.1);
                search.finish(worker, found.0, false);
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
        let Ok((state, grown)) = desk.leaf.lock().map(|leaf| *leaf) else { return };
        if let Some(board) = grown {
            worker.hand.advisor.learn(&board);
        }
        let result = search.playout(&state, worker);
        if let Ok(mut found) = desk.results[number].lock() {
            *found = (result, worker.hand.played.clone());
        }
        desk.finished.fetch_add(1, Release);
    }
}
