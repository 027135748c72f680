//! How much memory engines take at their peak: all that is asked of the system is counted, while it grows and after.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use surus_engine::{AlphaBeta, Mcts};
use surus_play::{Engine, Job, Limits};
use surus_rules::{Game, Rules};

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a count.
struct Counting;

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What is no part of the tree: histories, workers, boards.
const BESIDE: usize = 3 << 19;

/// The most that an engine takes while it thinks about a fight.
fn peak(engine: &mut dyn Engine, options: &str) -> usize {
    let text = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";
    let game = Game::from_text(text, Rules::Official).unwrap();
    for (key, value) in options.split(',').filter_map(|pair| pair.split_once('=')) {
        engine.set(key, value).unwrap();
    }
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    engine.think(&Job::limited(game, limits), &mut |_| {}).unwrap();
    PEAK.load(Relaxed) - before
}

/// One test for all, because tests side by side would count each other's memory.
#[test]
fn no_engine_takes_more_than_its_memory() {
    for keys in
        ["", "transpositions=false", "tree_policy=ucb_tuned", "rave=true", "threads=2,parallel=island"]
    {
        let peak = peak(&mut Mcts::default(), &format!("memory=12,advisor=false,{keys}"));
        assert!((6 << 20..(12 << 20) + BESIDE).contains(&peak), "{keys}: {peak}");
    }
    // The promise for alphabeta is its table and a hundred megabytes.
    for (hash, threads) in [(4, 1), (50, 2)] {
        let peak = peak(&mut AlphaBeta::default(), &format!("hash={hash},threads={threads}"));
        assert!((hash << 20..(hash + 10) << 20).contains(&peak), "{hash}: {peak}");
    }
}
