//! Engines against each other: matches, tournaments, ratings, sequential tests, test suites.

pub mod suite;
