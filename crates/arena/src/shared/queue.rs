//! The games of one task of a shared run: its claimed blocks, then the next free ones.

use std::collections::VecDeque;

use super::shared_test::{SharedTest, TestProgress};
use super::{Claims, SharedTask, blocks_dir};
use crate::contest::ContestError;
use crate::schedule::{Schedule, ScheduledGame};

/// A block is late if the next free one is this many blocks per task after it.
const LATE_BLOCKS_PER_TASK: u64 = 3;

/// An iterator over the games to play; it claims a block when the last one has been handed out.
pub(crate) struct BlockQueue {
    schedule: Schedule,
    block_pairs: u64,
    tasks: u64,
    claims: Claims,
    /// Blocks that this task claimed before it was started again.
    resumed: VecDeque<u64>,
    games: VecDeque<ScheduledGame>,
    test: Option<SharedTest>,
    /// The last late block that this task played in place of another.
    replaced: Option<u64>,
    error: Option<ContestError>,
}

impl BlockQueue {
    pub(crate) fn open(schedule: Schedule, shared: &SharedTask) -> Result<Self, ContestError> {
        let blocks = schedule.pairs().div_ceil(shared.block_pairs);
        let claims = Claims::open(&blocks_dir(&shared.run), shared.task, blocks)?;
        let resumed = claims.own()?.into();
        let test = shared.sprt.map(|sprt| SharedTest::new(sprt, &shared.run, shared.tasks));
        let SharedTask { block_pairs, tasks, .. } = *shared;
        Ok(Self {
            schedule,
            block_pairs,
            tasks,
            claims,
            resumed,
            games: VecDeque::new(),
            test,
            replaced: None,
            error: None,
        })
    }

    /// What ended the iteration early.
    pub(crate) fn take_error(&mut self) -> Option<ContestError> {
        self.error.take()
    }

    fn next_block(&mut self) -> Result<Option<u64>, ContestError> {
        let progress = match &mut self.test {
            Some(test) => test.update()?,
            None => TestProgress::Unknown,
        };
        if progress == TestProgress::Decided {
            return Ok(None);
        }
        if let Some(block) = self.resumed.pop_front() {
            return Ok(Some(block));
        }
        let claimed = self.claims.claim()?;
        if let (Some(newest), TestProgress::NextPair(pair)) = (claimed, progress) {
            let oldest = pair / self.block_pairs;
            let late = newest >= oldest + LATE_BLOCKS_PER_TASK * self.tasks;
            if late && self.claims.owner(oldest)? != Some(self.claims.task()) && self.replaced < Some(oldest)
            {
                // The decision waits for this block, whose task is slow or gone: play it, then the claimed one.
                self.replaced = Some(oldest);
                self.resumed.push_back(newest);
                return Ok(Some(oldest));
            }
        }
        Ok(claimed)
    }
}

impl Iterator for BlockQueue {
    type Item = ScheduledGame;

    fn next(&mut self) -> Option<ScheduledGame> {
        while self.games.is_empty() && self.error.is_none() {
            match self.next_block() {
                Ok(Some(block)) => {
                    let first = block * self.block_pairs;
                    self.games.extend(self.schedule.games_of(first..first + self.block_pairs));
                }
                Ok(None) => return None,
                Err(error) => self.error = Some(error),
            }
        }
        self.games.pop_front()
    }
}
