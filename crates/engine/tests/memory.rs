//! The peak memory of engines, measured with a counting allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use surus_engine::{AlphaBeta, Mcts};
use surus_play::{Engine, Job, Limits};
use surus_rules::{Game, Rules};

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system allocator with a counter.
struct Counting;

// SAFETY: every call is passed on unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Memory besides the trees: histories, workers, boards.
const OVERHEAD: usize = 3 << 19;

/// The peak memory of an engine during a search.
fn peak(engine: &mut dyn Engine, options: &str) -> usize {
    let text = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";
    let game = Game::from_text(text, Rules::Official).unwrap();
    for (key, value) in options.split(',').filter_map(|pair| pair.split_once('=')) {
        engine.set_option(key, value).unwrap();
    }
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    engine.think(&Job::limited(game, limits), &mut |_| {}).unwrap();
    PEAK.load(Relaxed) - before
}

/// A single test, because parallel tests would count each other's memory.
#[test]
fn memory_limits_are_respected() {
    for keys in
        ["", "transpositions=false", "tree_policy=ucb_tuned", "rave=true", "threads=2,parallel=island"]
    {
        let peak = peak(&mut Mcts::default(), &format!("memory=12,advisor=false,{keys}"));
        assert!((6 << 20..(12 << 20) + OVERHEAD).contains(&peak), "{keys}: {peak}");
    }
    // The documented limit of alphabeta is its table plus a hundred megabytes.
    for (hash, threads) in [(4, 1), (50, 2)] {
        let peak = peak(&mut AlphaBeta::default(), &format!("hash={hash},threads={threads}"));
        assert!((hash << 20..(hash + 10) << 20).contains(&peak), "{hash}: {peak}");
    }
}
