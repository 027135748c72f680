//! Reports: principal variations and the statistics of Akimot's `info stat`.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use surus_play::Info;
use surus_rules::{Score, Side};

use super::pv::PvLine;
use super::session::MctsSession;
use super::tree::Tree;
use crate::eval::HANDCRAFTED_SCALE;

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct SearchStats {
    pub(crate) playouts: u64,
    pub(crate) nodes: u64,
    pub(crate) expanded: u64,
    /// Actions that were omitted because they lead to nothing new.
    pub(crate) pruned: u64,
    /// Nodes whose position was already in the tree.
    pub(crate) shared: u64,
    pub(crate) recycled: u64,
    /// The mean depth of a simulation in the tree.
    pub(crate) depth: f64,
    pub(crate) turns: u64,
    pub(crate) steps: u64,
    pub(crate) queries: u64,
    pub(crate) hits: u64,
    pub(crate) sequences: u64,
    pub(crate) syncs: u64,
}

impl MctsSession {
    /// The statistics of the last search.
    pub(crate) fn stats(&self) -> SearchStats {
        let trees = || std::iter::once(&self.tree).chain(self.thread_trees.iter().map(|own| &own.tree));
        let in_trees = |count: fn(&Tree) -> u64| trees().map(count).sum();
        let sum = |count: fn(&super::worker::Worker) -> u64| self.workers.iter().map(count).sum::<u64>();
        let playouts = sum(|worker| worker.playouts);
        SearchStats {
            playouts,
            nodes: in_trees(|tree| tree.len() as u64),
            expanded: in_trees(|tree| tree.counts.expanded.load(Relaxed)),
            pruned: in_trees(|tree| tree.counts.pruned.load(Relaxed)),
            shared: in_trees(|tree| tree.counts.shared.load(Relaxed)),
            recycled: in_trees(|tree| tree.recycled),
            depth: sum(|worker| worker.descents) as f64 / playouts.max(1) as f64,
            turns: sum(|worker| worker.playout.turns),
            steps: sum(|worker| worker.playout.steps),
            queries: sum(|worker| worker.playout.advisor.queries),
            hits: sum(|worker| worker.playout.advisor.hits),
            sequences: sum(|worker| worker.playout.advisor.len() as u64),
            syncs: sum(|worker| worker.syncs),
        }
    }

    /// The maximum memory of trees, histories and advisors.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        let trees = self.tree.bytes() + self.thread_trees.iter().map(|own| own.tree.bytes()).sum::<usize>();
        let histories = self.histories.iter().chain(self.thread_trees.iter().map(|own| &own.history));
        let advisors = self.workers.len() * super::advisor::Advisor::bytes(&self.config);
        trees + histories.map(super::history::History::bytes).sum::<usize>() + advisors
    }

    /// The report of one variation.
    pub(crate) fn info(&self, line: &PvLine, side: Side, number: usize, time: Duration) -> Info {
        let stats = self.stats();
        let seconds = time.as_secs_f64();
        let words = if number == 0 { stat(&stats, line, seconds) } else { Vec::new() };
        Info {
            pv_index: number,
            depth: Some(stats.depth as u32),
            depth_complete: true,
            score: Some(score(line, side)),
            win_probability: Some(line.win),
            nodes: Some(stats.playouts),
            time: Some(time),
            hashfull: None,
            pv: line.turns.clone(),
            messages: words,
        }
    }
}

/// A report during the search.
pub(crate) fn progress(line: &PvLine, side: Side, playouts: u64, time: Duration) -> Info {
    Info {
        score: Some(score(line, side)),
        win_probability: Some(line.win),
        nodes: Some(playouts),
        time: Some(time),
        pv: line.turns.clone(),
        ..Info::default()
    }
}

/// The lines of Akimot's `info stat`.
fn stat(stats: &SearchStats, line: &PvLine, seconds: f64) -> Vec<String> {
    let turn = line.turns.first().map(ToString::to_string).unwrap_or_default();
    vec![
        "UCT:".into(),
        format!("{} playouts", stats.playouts),
        format!("{seconds:.5} seconds"),
        format!("{:.0} playouts per second", stats.playouts as f64 / seconds.max(1e-9)),
        format!("{} nodes in the tree", stats.nodes),
        format!("{} nodes expanded", stats.expanded),
        format!("{} nodes pruned", stats.pruned),
        format!("{} nodes shared", stats.shared),
        format!("{} nodes recycled", stats.recycled),
        format!("{:.5} average descends in playout", stats.depth),
        format!("best move: {turn}"),
        format!("best move visits: {}", line.visits),
        format!("win confidence: {:.6}", line.win),
    ]
}

/// The score of a variation on the scale of the handcrafted evaluation. For display only.
fn score(line: &PvLine, side: Side) -> Score {
    let plies = line.turns.len() as u32;
    match line.proof {
        // A variation may end before the winning turn if tactics proved it.
        Some(winner) if winner == side => Score::Win { turns: plies / 2 + 1 },
        Some(_) => Score::Loss { turns: plies.div_ceil(2) },
        None => {
            let odds = (line.win / (1.0 - line.win)).clamp(1e-6, 1e6);
            Score::Centirabbits((odds.ln() * f64::from(HANDCRAFTED_SCALE)).round() as i32)
        }
    }
}
