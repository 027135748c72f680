//! Counts of refused requests, by reason.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;

use crate::api::RefusedRequests;

/// Counters since the start.
#[derive(Debug, Default)]
pub(crate) struct RefusedCounters {
    access: AtomicU64,
    limits: AtomicU64,
    invalid: AtomicU64,
    failed: AtomicU64,
}

impl RefusedCounters {
    /// Counts a response or a reply with an error.
    pub(crate) fn count(&self, status: StatusCode) {
        let counter = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => &self.access,
            StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::SERVICE_UNAVAILABLE => {
                &self.limits
            }
            status if status.is_client_error() => &self.invalid,
            status if status.is_server_error() => &self.failed,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn counts(&self) -> RefusedRequests {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        RefusedRequests {
            access: count(&self.access),
            limits: count(&self.limits),
            invalid: count(&self.invalid),
            failed: count(&self.failed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_counted_by_reason() {
        let counters = RefusedCounters::default();
        for status in [200, 201, 101, 401, 403, 403, 404, 400, 405, 408, 413, 503, 500] {
            counters.count(StatusCode::from_u16(status).unwrap());
        }
        let expected = RefusedRequests { access: 3, limits: 3, invalid: 3, failed: 1 };
        assert_eq!(counters.counts(), expected);
    }
}
