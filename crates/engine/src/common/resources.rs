//! Limits of the machine: memory and cores.

use std::thread::available_parallelism;

/// The requested transposition table size in megabytes, limited to half of the available memory.
pub(crate) fn hash(requested: u64, warnings: &mut Vec<String>) -> u64 {
    limited_hash(requested, memory(), warnings)
}

/// A table of at most `count` entries: half as many, and again, as long as the system refuses the memory.
pub(crate) fn table<T>(count: usize, entry: impl FnMut() -> T) -> Vec<T> {
    let mut table = Vec::new();
    let len = granted(count.max(1), |len| table.try_reserve_exact(len).is_ok());
    table.resize_with(len, entry);
    table
}

fn granted(mut len: usize, mut reserve: impl FnMut(usize) -> bool) -> usize {
    while !reserve(len) && len > 1 {
        len /= 2;
    }
    len
}

/// The requested number of threads, limited to the number of cores.
pub(crate) fn threads(requested: u64, warnings: &mut Vec<String>) -> u64 {
    limited_threads(requested, available_parallelism().map_or(1, |cores| cores.get() as u64), warnings)
}

fn limited_hash(requested: u64, memory: Option<u64>, warnings: &mut Vec<String>) -> u64 {
    let max = memory.map_or(u64::MAX, |memory| (memory / 2).max(1));
    if requested > max {
        warnings.push(format!("hash reduced from {requested} to {max} MB, half of the available memory"));
    }
    requested.min(max)
}

fn limited_threads(requested: u64, cores: u64, warnings: &mut Vec<String>) -> u64 {
    if requested > cores {
        warnings.push(format!("threads reduced from {requested} to {cores}, the number of available cores"));
    }
    requested.min(cores)
}

/// The memory of the machine or of the container in megabytes, if the system reports it.
fn memory() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| parse_meminfo(&text));
    let container = read("/sys/fs/cgroup/memory.max").and_then(|text| parse_cgroup_limit(&text));
    [machine, container].into_iter().flatten().min()
}

fn parse_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// Without a limit the file contains the word `max`.
fn parse_cgroup_limit(text: &str) -> Option<u64> {
    text.trim().parse::<u64>().ok().map(|bytes| bytes >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_does_not_fit_is_smaller() {
        assert_eq!(granted(1000, |len| len < 300), 250);
        assert_eq!(granted(1000, |_| false), 1);
        assert_eq!((table(3, || 7_u64), table(0, || 7_u64)), (vec![7; 3], vec![7]));
    }

    #[test]
    fn parses_the_memory_files_of_the_system() {
        assert_eq!(parse_meminfo("MemFree: 1 kB\nMemTotal:        2048000 kB\n"), Some(2000));
        assert_eq!((parse_cgroup_limit("4294967296\n"), parse_cgroup_limit("max\n")), (Some(4096), None));
    }

    #[test]
    fn excessive_requests_are_reduced_with_a_warning() {
        let mut warnings = Vec::new();
        assert_eq!(limited_hash(1 << 20, Some(1000), &mut warnings), 500);
        assert_eq!(limited_hash(400, Some(1000), &mut warnings), 400);
        assert_eq!(limited_hash(9000, None, &mut warnings), 9000);
        assert_eq!(limited_threads(64, 2, &mut warnings), 2);
        assert_eq!(limited_threads(2, 2, &mut warnings), 2);
        assert_eq!(
            warnings,
            [
                "hash reduced from 1048576 to 500 MB, half of the available memory",
                "threads reduced from 64 to 2, the number of available cores"
            ]
        );
    }
}
