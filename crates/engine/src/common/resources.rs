//! What the machine has room for.

use std::thread::available_parallelism;

/// As much memory for the table as is wanted, in megabytes, but at most half of what there is.
pub(crate) fn hash(wanted: u64, warnings: &mut Vec<String>) -> u64 {
    clamped_hash(wanted, memory(), warnings)
}

/// As many threads as are wanted, but at most one for each core.
pub(crate) fn threads(wanted: u64, warnings: &mut Vec<String>) -> u64 {
    clamped_threads(wanted, available_parallelism().map_or(1, |cores| cores.get() as u64), warnings)
}

fn clamped_hash(wanted: u64, memory: Option<u64>, warnings: &mut Vec<String>) -> u64 {
    let most = memory.map_or(u64::MAX, |memory| (memory / 2).max(1));
    if most < wanted {
        warnings.push(format!("hash is {most} MB: {wanted} are more than half of the machine's memory"));
    }
    wanted.min(most)
}

fn clamped_threads(wanted: u64, cores: u64, warnings: &mut Vec<String>) -> u64 {
    if cores < wanted {
        warnings.push(format!("threads are {cores}: {wanted} are more than the machine has cores"));
    }
    wanted.min(cores)
}

/// In megabytes, where the system tells: what the machine has, or what a container may use of it.
fn memory() -> Option<u64> {
    let read = |path| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| total(&text));
    let container = read("/sys/fs/cgroup/memory.max").and_then(|text| limit(&text));
    [machine, container].into_iter().flatten().min()
}

fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// It is a word where there is no limit.
fn limit(bytes: &str) -> Option<u64> {
    bytes.trim().parse::<u64>().ok().map(|bytes| bytes >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_what_there_is() {
        assert_eq!(total("MemFree: 1 kB\nMemTotal:        2048000 kB\n"), Some(2000));
        assert_eq!((limit("4294967296\n"), limit("max\n")), (Some(4096), None));
    }

    #[test]
    fn what_is_too_much_is_cut_down_with_a_warning() {
        let mut warnings = Vec::new();
        assert_eq!(clamped_hash(1 << 20, Some(1000), &mut warnings), 500);
        assert_eq!(clamped_hash(400, Some(1000), &mut warnings), 400);
        assert_eq!(clamped_hash(9000, None, &mut warnings), 9000);
        assert_eq!(clamped_threads(64, 2, &mut warnings), 2);
        assert_eq!(clamped_threads(2, 2, &mut warnings), 2);
        assert_eq!(
            warnings,
            [
                "hash is 500 MB: 1048576 are more than half of the machine's memory",
                "threads are 2: 64 are more than the machine has cores"
            ]
        );
    }
}
