//! The terms of the evaluation and how they are accumulated.

use crate::common::score::Score;

/// One unit of a feature. Fractions of it blend two entries of a term.
pub(crate) const UNIT: Score = 8;

/// The location of a term's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Its index among the terms.
    pub id: usize,
    /// The index of its first parameter.
    pub first: usize,
    /// The number of its parameters.
    pub len: usize,
}

/// A term with its name and description.
#[derive(Clone, Copy, Debug)]
pub struct TermSpec {
    /// Its name in weights files.
    pub name: &'static str,
    /// What it measures, and what its entries are indexed by.
    pub description: &'static str,
    /// The location of its parameters.
    pub term: Term,
}

/// Accumulates the features of a board. One pass over the terms serves the score, its explanation and the tuning, so that
/// they cannot differ.
pub(crate) trait Accumulator {
    /// Adds an amount in eighths of a unit for the side being evaluated.
    fn add(&mut self, term: Term, index: usize, amount: Score);

    /// Adds one unit.
    #[inline]
    fn add_unit(&mut self, term: Term, index: usize) {
        self.add(term, index, UNIT);
    }
}

/// Declares the terms: constants for the code, [`TermSpec`]s for weights files, docs and explanations.
macro_rules! terms {
    ($($(#[doc = $about:literal])+ $name:ident[$len:literal];)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Id { $($name),* }

        const LENGTHS: [usize; COUNT] = [$($len),*];
        const COUNT: usize = [$(stringify!($name)),*].len();

        $($(#[doc = $about])+ pub(crate) const $name: Term = term(Id::$name as usize);)*

        /// All terms in order.
        pub static TERMS: [TermSpec; COUNT] =
            [$(TermSpec { name: stringify!($name), description: concat!($($about),+), term: $name }),*];
    };
}
pub(crate) use terms;
