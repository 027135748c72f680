//! Prefetching of cache lines: the only `unsafe` code of the engine.
#![allow(unsafe_code)]

/// Affects only speed; does nothing on other architectures than x86-64.
#[inline]
pub(crate) fn prefetch<T>(line: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the address is that of a live value, and a prefetch has no observable effect.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefetch_changes_nothing() {
        let lines: Vec<[u64; 8]> = (0..1000).map(|n| [n; 8]).collect();
        let before = lines.clone();
        lines.iter().for_each(prefetch);
        assert_eq!(lines, before);
    }
}
