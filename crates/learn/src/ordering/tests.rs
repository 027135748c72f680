//! Models on data where the right answer is known.
