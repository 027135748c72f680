//! Asks the processor for a line of memory before it is needed. The one place of the engine with `unsafe` in it.
#![allow(unsafe_code)]

/// Has no effect but on speed, and none at all on processors for which there is no safe name for it here.
#[inline]
pub(crate) fn prefetch<T>(line: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the address is that of a living value, and a prefetch neither reads nor changes anything a program can see.
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

    /// The safe twin of a prefetch is to do nothing.
    #[test]
    fn a_prefetch_changes_nothing() {
        let lines: Vec<[u64; 8]> = (0..1000).map(|n| [n; 8]).collect();
        let before = lines.clone();
        lines.iter().for_each(prefetch);
        assert_eq!(lines, before);
    }
}
