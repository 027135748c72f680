//! The analyses of all clients, their queue, and the searches that run.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use surus_play::{Engine, StopToken};
use surus_rules::Game;

use super::cache::{AnalysisCache, CacheKey, CachedAnalysis};
use super::game_analysis::GameAnalysis;
use super::queue::FairQueue;
use super::search::{SearchJob, SearchReport};
use super::{AnalysisService, SLICE};
use crate::api::{AnalysisUpdate, GameAnalysisUpdate, ServerMessage};
use crate::session::{Subscriber, encode};

/// An analysis is identified by its client and the number that the client has chosen.
pub(super) type Key = (u64, u32);

#[derive(Default)]
pub(super) struct State {
    pub(super) analyses: HashMap<Key, Analysis>,
    pub(super) queue: FairQueue<u32>,
    pub(super) used_threads: u8,
    pub(super) next_search: u64,
    /// Engines between two searches. There are never more engines than threads.
    pub(super) idle: Vec<Box<dyn Engine>>,
    /// Clients that have asked for an analysis, for whom the engines are kept.
    pub(super) clients: HashSet<u64>,
    pub(super) cache: AnalysisCache,
}

pub(super) struct Analysis {
    pub(super) subscriber: Subscriber,
    pub(super) threads: u8,
    pub(super) hash: u16,
    pub(super) work: Work,
    pub(super) running: Vec<Running>,
}

pub(super) enum Work {
    Position(Box<PositionWork>),
    Game { nodes: u64, game: Box<GameAnalysis> },
}

pub(super) struct PositionWork {
    pub(super) job: SearchJob,
    /// What the client has been sent.
    pub(super) shown: SearchReport,
}

/// A running search of an analysis.
pub(super) struct Running {
    pub(super) search: u64,
    pub(super) stop: StopToken,
    pub(super) started: Instant,
    /// Whether it was stopped only to serve others.
    pub(super) interrupted: bool,
}

/// One search, taken from the queue.
pub(super) struct Unit {
    pub(super) key: Key,
    pub(super) search: u64,
    /// The position of a game.
    pub(super) index: usize,
    pub(super) threads: u8,
    pub(super) hash: u16,
    pub(super) job: SearchJob,
}

impl State {
    /// Removes an analysis and stops its searches.
    pub(super) fn remove(&mut self, key: Key) {
        self.queue.retain(key.0, |&number| number != key.1);
        if let Some(analysis) = self.analyses.remove(&key) {
            analysis.running.iter().for_each(|running| running.stop.request());
        }
    }

    /// Starts searches while there are threads for the one whose turn it is.
    pub(super) fn dispatch(&mut self, service: &Arc<AnalysisService>) {
        loop {
            let Some(unit) = self.next_unit(service) else { return };
            let is_unlimited = unit.job.nodes.is_none();
            let (key, search) = (unit.key, unit.search);
            let runner = Arc::clone(service);
            tokio::task::spawn_blocking(move || runner.run(&unit));
            if is_unlimited {
                let service = Arc::clone(service);
                tokio::spawn(async move {
                    while service.check_slice(key, search) {
                        tokio::time::sleep(SLICE).await;
                    }
                });
            }
        }
    }

    fn next_unit(&mut self, service: &AnalysisService) -> Option<Unit> {
        loop {
            let threads = self.next_threads()?;
            if self.used_threads + threads > service.max_threads {
                return None;
            }
            let (client, number) = self.queue.pop()?;
            if let Some(unit) = self.unit((client, number), service.engine_id()) {
                self.used_threads += unit.threads;
                return Some(unit);
            }
        }
    }

    /// The threads that the next search needs.
    fn next_threads(&self) -> Option<u8> {
        let number = *self.queue.peek()?;
        let client = self.queue.next_client()?;
        Some(self.analyses.get(&(client, number)).map_or(1, |analysis| analysis.threads))
    }

    /// The next search of an analysis. A game with more positions is queued again at once.
    fn unit(&mut self, key: Key, engine_id: &str) -> Option<Unit> {
        let search = self.next_search;
        self.next_search += 1;
        let analysis = self.analyses.get_mut(&key)?;
        let (index, job) = match &mut analysis.work {
            Work::Position(work) => {
                work.job.stop = StopToken::default();
                (0, work.job.clone())
            }
            Work::Game { nodes, game } => {
                let (index, position) = take_uncached(game, *nodes, &self.cache, engine_id)?;
                let nodes = Some(*nodes);
                (index, SearchJob { game: position, line_count: 1, nodes, stop: StopToken::default() })
            }
        };
        let (stop, started) = (job.stop.clone(), Instant::now());
        analysis.running.push(Running { search, stop, started, interrupted: false });
        if matches!(&analysis.work, Work::Game { game, .. } if game.has_next()) {
            self.queue.push(key.0, key.1, false);
        }
        Some(Unit { key, search, index, threads: analysis.threads, hash: analysis.hash, job })
    }

    /// Sends what is known about a position. Returns whether no search is needed.
    pub(super) fn serve_from_cache(&mut self, key: Key, engine_id: &str) -> bool {
        let Some(analysis) = self.analyses.get_mut(&key) else { return true };
        match &mut analysis.work {
            Work::Position(work) => {
                let cache_key = CacheKey::new(engine_id, &work.job.game);
                let Some(found) = self.cache.get(&cache_key, work.job.line_count) else { return false };
                let is_done = found.satisfies(work.job.nodes);
                // A limited search gives the same answer whatever was known before.
                if !is_done && work.job.nodes.is_some() {
                    return false;
                }
                work.shown = SearchReport {
                    depth: found.depth,
                    nodes: found.nodes,
                    lines: found.lines,
                    ..SearchReport::default()
                };
                let state = if is_done { "done" } else { "searching" };
                let update = AnalysisUpdate { cached: true, ..update(state, &work.shown) };
                analysis.send(is_done, &position_message(key.1, update));
                if is_done {
                    self.analyses.remove(&key);
                }
                is_done
            }
            Work::Game { .. } => self.finish_game_if_done(key),
        }
    }

    /// Sends a client the number of clients that are served before.
    pub(super) fn send_waiting(&self, key: Key) {
        let Some(analysis) = self.analyses.get(&key).filter(|analysis| analysis.running.is_empty()) else {
            return;
        };
        if let Work::Position(work) = &analysis.work {
            let waiting_for = self.queue.waiting_clients().saturating_sub(1);
            let update = AnalysisUpdate { waiting_for, ..update("waiting", &work.shown) };
            analysis.send(false, &position_message(key.1, update));
        }
    }

    /// Keeps the result of a search, also of one that was stopped.
    pub(super) fn store(&mut self, unit: &Unit, report: &SearchReport, engine_id: &str) {
        if report.depth == 0 || report.lines.is_empty() {
            return;
        }
        let exhausted =
            !unit.job.stop.stop_requested() && unit.job.nodes.is_none_or(|limit| report.nodes < limit);
        let result = CachedAnalysis {
            depth: report.depth,
            nodes: report.nodes,
            lines: report.lines.clone(),
            line_count: unit.job.line_count,
            exhausted,
        };
        self.cache.insert(CacheKey::new(engine_id, &unit.job.game), result);
    }

    /// After a search: continues its analysis or ends it.
    pub(super) fn finish(&mut self, unit: &Unit, report: &SearchReport) {
        let Some(running) = self.end_search(unit) else { return };
        let Some(analysis) = self.analyses.get_mut(&unit.key) else { return };
        match &mut analysis.work {
            Work::Position(work) => {
                if report.depth >= work.shown.depth {
                    work.shown = report.clone();
                }
                if running.interrupted {
                    self.queue.push(unit.key.0, unit.key.1, false);
                    self.send_waiting(unit.key);
                    return;
                }
                let update = update("done", &work.shown);
                analysis.send(true, &position_message(unit.key.1, update));
                self.analyses.remove(&unit.key);
            }
            Work::Game { game, .. } => {
                game.add(unit.index, report);
                self.finish_game_if_done(unit.key);
            }
        }
    }

    /// Sends the progress of the analysis of a game, and ends it if it is complete.
    fn finish_game_if_done(&mut self, key: Key) -> bool {
        let Some(analysis) = self.analyses.get_mut(&key) else { return true };
        let Work::Game { game, .. } = &mut analysis.work else { return false };
        let is_done = game.is_done();
        let message = ServerMessage::GameAnalysis { analysis: key.1, update: Box::new(game.update()) };
        if is_done {
            analysis.send(true, &message);
            self.analyses.remove(&key);
        } else if analysis.subscriber.sender.try_send(encode(&message)).is_ok() {
            game.mark_sent();
        }
        is_done
    }

    pub(super) fn fail(&mut self, unit: &Unit, error: &str) {
        if self.end_search(unit).is_none() {
            return;
        }
        let Some(analysis) = self.analyses.get(&unit.key) else { return };
        let error = Some(error.into());
        let message = match &analysis.work {
            Work::Position(work) => {
                position_message(unit.key.1, AnalysisUpdate { error, ..update("failed", &work.shown) })
            }
            Work::Game { game, .. } => {
                let update = GameAnalysisUpdate { error, ..game.update() };
                ServerMessage::GameAnalysis { analysis: unit.key.1, update: Box::new(update) }
            }
        };
        analysis.send(true, &message);
        self.remove(unit.key);
    }

    /// Notes that a search has ended; `None` if its analysis was stopped meanwhile.
    fn end_search(&mut self, unit: &Unit) -> Option<Running> {
        let running = &mut self.analyses.get_mut(&unit.key)?.running;
        let index = running.iter().position(|running| running.search == unit.search)?;
        Some(running.swap_remove(index))
    }
}

impl Analysis {
    /// Sends a message. The last one of an analysis waits for a slow client; the others may be missed.
    fn send(&self, is_last: bool, message: &ServerMessage) {
        let text = encode(message);
        if let Err(error) = self.subscriber.sender.try_send(text)
            && let (true, tokio::sync::mpsc::error::TrySendError::Full(text)) = (is_last, error)
        {
            let sender = self.subscriber.sender.clone();
            // Fails only if the client has disconnected.
            tokio::spawn(async move { drop(sender.send(text).await) });
        }
    }
}

/// The next position of a game that no earlier analysis answers; results that are known are recorded.
fn take_uncached(
    game: &mut GameAnalysis,
    nodes: u64,
    cache: &AnalysisCache,
    engine_id: &str,
) -> Option<(usize, Game)> {
    while let Some((index, position)) = game.take_next() {
        let found = cache.get(&CacheKey::new(engine_id, &position), 1);
        // The last position is searched again, because the end of a search completes the analysis.
        match found.filter(|found| found.satisfies(Some(nodes)) && game.has_next()) {
            Some(found) => game.add(index, &SearchReport { lines: found.lines, ..SearchReport::default() }),
            None => return Some((index, position)),
        }
    }
    None
}

pub(super) fn position_message(analysis: u32, update: AnalysisUpdate) -> ServerMessage {
    ServerMessage::Analysis { analysis, update: Box::new(update) }
}

pub(super) fn update(state: &'static str, report: &SearchReport) -> AnalysisUpdate {
    AnalysisUpdate {
        state,
        waiting_for: 0,
        depth: report.depth,
        nodes: report.nodes,
        nps: report.nps,
        hashfull: report.hashfull,
        lines: report.lines.clone(),
        cached: false,
        error: None,
    }
}
