//! Starting the `fake_engine` example and counting its processes.

use std::path::PathBuf;
use std::process::{Command, id};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The path of the example `fake_engine`, which is built if the test run has not built examples.
fn executable() -> &'static PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let path = test.parent().unwrap().with_file_name("examples").join("fake_engine");
        if !path.exists() {
            let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/Cargo.toml");
            let build = ["build", "--quiet", "--example", "fake_engine", "--manifest-path", manifest];
            assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
        }
        path
    })
}

/// The command line of a fake engine with these faults, and an argument that identifies its processes.
pub(crate) fn fake(faults: &str) -> (String, String) {
    let tag = format!("tag-{}-{}", id(), faults.replace([' ', '='], "-"));
    (format!("'{}' {faults} {tag}", executable().display()), tag)
}

/// The number of processes with this argument.
fn count(tag: &str) -> usize {
    let has_tag = |entry: &std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|word| word == tag.as_bytes())
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter(has_tag).count()
}

/// Waits until the number of processes with this tag is as expected.
#[track_caller]
pub(crate) fn assert_processes(tag: &str, expected: usize) {
    let start = Instant::now();
    while count(tag) != expected {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{tag}: {} processes, expected {expected}",
            count(tag)
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}
