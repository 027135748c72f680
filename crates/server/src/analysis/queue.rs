//! A queue that serves its clients in turn, however much each of them has queued.

use std::collections::{HashMap, VecDeque};

/// Work by client. The clients with queued work take turns.
#[derive(Debug)]
pub(super) struct FairQueue<T> {
    /// The clients with queued work, the next one first.
    clients: VecDeque<u64>,
    work: HashMap<u64, VecDeque<T>>,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { clients: VecDeque::new(), work: HashMap::new() }
    }
}

impl<T> FairQueue<T> {
    /// Queues work of a client behind, or before, its other work.
    pub(super) fn push(&mut self, client: u64, item: T, urgent: bool) {
        let queued = self.work.entry(client).or_default();
        if queued.is_empty() {
            self.clients.push_back(client);
        }
        if urgent { queued.push_front(item) } else { queued.push_back(item) }
    }

    /// The work to be done next.
    pub(super) fn peek(&self) -> Option<&T> {
        self.work.get(self.clients.front()?)?.front()
    }

    /// The client that is served next.
    pub(super) fn next_client(&self) -> Option<u64> {
        self.clients.front().copied()
    }

    /// Removes the work to be done next. Its client is served again after all others.
    pub(super) fn pop(&mut self) -> Option<(u64, T)> {
        let client = self.clients.pop_front()?;
        let queued = self.work.get_mut(&client)?;
        let item = queued.pop_front()?;
        if queued.is_empty() {
            self.work.remove(&client);
        } else {
            self.clients.push_back(client);
        }
        Some((client, item))
    }

    /// Removes the work of a client that does not satisfy a condition.
    pub(super) fn retain(&mut self, client: u64, keep: impl FnMut(&T) -> bool) {
        let Some(queued) = self.work.get_mut(&client) else { return };
        queued.retain(keep);
        if queued.is_empty() {
            self.work.remove(&client);
            self.clients.retain(|&other| other != client);
        }
    }

    /// How many clients are served before a client that queues work now.
    pub(super) fn waiting_clients(&self) -> usize {
        self.clients.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_clients_with_twenty_items_each_are_served_in_turn() {
        let mut queue = FairQueue::default();
        // The first client queues everything before the others come.
        for client in 0..100 {
            for item in 0..20 {
                queue.push(client, item, false);
            }
        }
        for item in 0..20 {
            for client in 0..100 {
                assert_eq!(queue.pop(), Some((client, item)));
            }
        }
        assert!(queue.is_empty() && queue.pop().is_none());
    }

    #[test]
    fn a_new_client_waits_for_one_item_of_each_other() {
        let mut queue = FairQueue::default();
        (0..50).for_each(|item| queue.push(1, item, false));
        queue.push(2, 0, false);
        assert_eq!(queue.waiting_clients(), 2);
        assert_eq!((queue.pop(), queue.pop()), (Some((1, 0)), Some((2, 0))));
        assert_eq!((queue.waiting_clients(), queue.peek()), (1, Some(&1)));
    }

    #[test]
    fn urgent_items_precede_others_of_their_client_only() {
        let mut queue = FairQueue::default();
        queue.push(1, "game", false);
        queue.push(2, "other", false);
        queue.push(2, "position", true);
        queue.push(1, "position", true);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [(1, "position"), (2, "position"), (1, "game"), (2, "other")]);
    }

    #[test]
    fn removed_work_leaves_no_empty_client() {
        let mut queue = FairQueue::default();
        (0..4).for_each(|item| queue.push(1, item, false));
        queue.push(2, 9, false);
        queue.retain(1, |item| *item == 3);
        queue.retain(2, |_| false);
        queue.retain(7, |_| false);
        assert_eq!((queue.waiting_clients(), queue.pop(), queue.pop()), (1, Some((1, 3)), None));
    }
}
