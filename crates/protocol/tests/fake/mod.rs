//! Where the scripted engine of the tests is, and whether any of it is left.

use std::path::PathBuf;
use std::process::{Command, id};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The example `fake_engine`. Plain runs of the tests build it; a run that was told which targets to build may not
/// have, and does it now.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let program = test.parent().unwrap().with_file_name("examples").join("fake_engine");
        if !program.exists() {
            let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/Cargo.toml");
            let build = ["build", "--quiet", "--example", "fake_engine", "--manifest-path", manifest];
            assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
        }
        program
    })
}

/// The command line of a fake with these faults, and a word in it by which its processes are known.
pub(crate) fn fake(faults: &str) -> (String, String) {
    let tag = format!("tag-{}-{}", id(), faults.replace([' ', '='], "-"));
    (format!("'{}' {faults} {tag}", program().display()), tag)
}

/// How many processes have this word in their command line.
fn count(tag: &str) -> usize {
    let has_tag = |entry: &std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|word| word == tag.as_bytes())
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter(has_tag).count()
}

/// That there are so many processes of this tag, or soon will be: starting and dying take a moment.
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
