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

/// In megabytes, where the system tells.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

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
