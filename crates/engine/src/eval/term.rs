//! Terms of the evaluation: rows of the one table of parameters.

use crate::common::score::Score;

/// What a whole unit of a feature counts; parts of it blend two entries of a term.
pub(crate) const WHOLE: Score = 8;

/// A row of the table: where its parameters lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Its place among the terms.
    pub id: usize,
    /// Where its parameters begin among all parameters.
    pub first: usize,
    /// How many there are.
    pub len: usize,
}

/// A term as people read it.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name in the table.
    pub name: &'static str,
    /// What it judges, and what its entries are told by.
    pub about: &'static str,
    /// Where its parameters lie.
    pub term: Term,
}

/// Collects what the evaluation finds on a board. One walk over the terms serves the score, its explanation and the
/// tuning, so that they can't differ.
pub(crate) trait Tally {
    /// A part of a unit speaks for the side that is looked at.
    fn add(&mut self, term: Term, index: usize, amount: Score);

    /// A whole unit does.
    #[inline]
    fn one(&mut self, term: Term, index: usize) {
        self.add(term, index, WHOLE);
    }
}

/// Declares the terms: constants for the code, [`Spec`]s for people.
macro_rules! table {
    ($($(#[doc = $about:literal])+ $name:ident[$len:literal];)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Row { $($name),* }

        const LENGTHS: [usize; COUNT] = [$($len),*];
        const COUNT: usize = [$(stringify!($name)),*].len();

        $($(#[doc = $about])+ pub(crate) const $name: Term = row(Row::$name as usize);)*

        /// All terms in order.
        pub static TERMS: [Spec; COUNT] =
            [$(Spec { name: stringify!($name), about: concat!($($about),+), term: $name }),*];
    };
}
pub(crate) use table;
