//! `surus suite` on the command line.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory that is removed after the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("surus-suite-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            std::fs::write(path.join(file), text).unwrap();
        }
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn suite(path: &Path, args: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_surus")).arg("suite").arg(path).args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const TOML: &str = "\
[[test]]
name = 'near'
tags = ['goal', 'easy']
position = 'g [r      r R                E                                     ]'
condition = 'score_goal'

[[test]]
name = 'far'
tags = ['goal']
position = 'g [r      r                  E             R                       ]'
condition = 'score_goal'
";

const ATS: &str = "\
[settings]
position =
2w
8| r r r r r r r r |
7| h d c e m c d h |
6| . . x . . x . . |
5| . . . . . . . . |
4| . . . . . . . . |
3| . . x . . x . . |
2| H D C M E C D H |
1| R R R R R R R R |
tags = opening
[criteria]
condition = piece_position
after_piece_position = Ee4 : 0.5 | Ee6
";

#[test]
fn results_are_printed_by_test_and_tag() {
    let dir = TempDir::new("run", &[("a.toml", TOML), ("b.ats", ATS), ("read.me", "not a test")]);
    let (code, out, error) = suite(&dir.0, &["--engine", "greedy", "--cycles", "2", "--json"]);
    assert_eq!((code, error.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((value["cycles"].as_u64(), value["total"]["attempts"].as_u64()), (Some(2), Some(6)));
    let tags = value["tags"].as_array().unwrap();
    let split_output: Vec<_> =
        tags.iter().map(|tag| (tag["name"].as_str().unwrap(), tag["solved"].as_u64().unwrap())).collect();
    assert_eq!(split_output, [("goal", 2), ("easy", 2), ("opening", 0)]);
    assert_eq!(value["tests"][0]["turns"].as_array().map(Vec::len), Some(2));
    let (_, table, _) = suite(&dir.0, &["--engine", "greedy", "--tags", "opening"]);
    assert!(table.contains("\nb ") && !table.contains("near"), "{table}");
    // The same seed gives the same turns.
    let repeated = suite(&dir.0, &["--engine", "random:seed=3"]);
    assert_eq!(repeated, suite(&dir.0, &["--engine", "random:seed=3"]));
}

#[test]
fn check_validates_a_suite_and_exits_with_1() {
    let dir = TempDir::new("check", &[("a.toml", TOML)]);
    let (code, out, _) = suite(&dir.0, &["--check"]);
    assert_eq!(code, 1);
    assert!(
        out.contains("a.toml:8: no turn gets full points") && out.contains("tests with problems: 1"),
        "{out}"
    );
    let (code, out, _) = suite(&dir.0, &["--check", "--tags", "easy", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, value["problems"].as_u64()), (0, Some(0)));
}

#[test]
fn ats_cfg_next_to_the_tests_is_used() {
    let config = "[global]\nengine = greedy\ntests = near\ncycles = 3\nlog = out.txt\n";
    let dir = TempDir::new("config", &[("a.toml", TOML), ("ats.cfg", config), ("other.cfg", "what")]);
    let (code, out, error) = suite(&dir.0, &["--json"]);
    assert_eq!((code, error.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((value["engine"].as_str(), value["total"]["solved"].as_u64()), (Some("greedy"), Some(3)));
    let log = std::fs::read_to_string(dir.file("out.txt")).unwrap();
    assert_eq!(log.lines().count(), 3);
    assert!(log.starts_with("1\tnear\t1/1\t") && log.contains("Rb7n\n"), "{log}");
}

#[test]
fn an_unreadable_file_is_reported_and_the_others_run() {
    let broken = "[settings]\nposition =\n2\u{1b}[31mx\n";
    let dir = TempDir::new("broken", &[("a.toml", TOML), ("b.ats", broken), ("c.toml", "x = \u{1b}[31m")]);
    let (code, out, error) = suite(&dir.0, &["--engine", "greedy", "--tags", "easy"]);
    assert_eq!(code, 1, "{error}");
    assert!(out.contains("\nnear "), "{out}");
    assert!(error.contains("b.ats:2: position: ") && error.contains("c.toml"), "{error}");
    assert!(!error.contains('\u{1b}'), "a quoted file must not control the terminal: {error:?}");
}

#[test]
fn tests_are_selected_by_their_numbers() {
    let ats = ATS.replace("[settings]", "[setup]");
    for (words, expected) in [("1-2", &["near", "far"][..]), ("3 1", &["near", "b"]), ("2", &["near", "far"])]
    {
        let config = format!("[global]\nengine = greedy\ntests = {words}\n");
        let dir = TempDir::new(
            &format!("numbers{}", words.len()),
            &[("a.toml", TOML), ("b.ats", &ats), ("ats.cfg", &config)],
        );
        let (code, out, error) = suite(&dir.0, &["--json"]);
        assert_eq!((code, error.as_str()), (0, ""));
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        let names: Vec<_> = value["tests"].as_array().unwrap().iter().map(|test| &test["name"]).collect();
        assert_eq!(names, expected, "{words}");
    }
    let dir = TempDir::new("beyond", &[("a.toml", TOML), ("ats.cfg", "[global]\ntests = 2-9\n")]);
    let (code, _, error) = suite(&dir.0, &[]);
    assert_eq!(code, 2);
    assert!(error.contains("unknown test '2-9': expected names of tests or files, their numbers"), "{error}");
}

/// As in the example of [Akimot §A.7], where the engine is a command line.
#[test]
fn an_external_engine_is_tested_over_aei() {
    let program = env!("CARGO_BIN_EXE_surus");
    let config = format!("[global]\nengine = '{program}' aei --engine greedy\ntime_per_test = 5\n");
    let dir = TempDir::new("outside", &[("a.toml", TOML), ("ats.cfg", &config)]);
    let (code, out, error) = suite(&dir.0, &["--json", "--tags", "easy"]);
    assert_eq!((code, error.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((value["time"].as_f64(), value["total"]["solved"].as_u64()), (Some(5.0), Some(1)));
    assert!(value["engine"].as_str().unwrap().starts_with("cmd='"), "{out}");
}

#[test]
fn errors_are_reported_with_file_and_line_before_the_first_test() {
    for (name, file, text, args, expected) in [
        (
            "engine",
            "ats.cfg",
            "[global]\nengine = akimot/akimot -c x\n",
            vec![],
            "ats.cfg:2: engine did not start: akimot/akimot -c x",
        ),
        (
            "option",
            "ats.cfg",
            "[global]\n\nengine = random:sed=1\n",
            vec![],
            "ats.cfg:3: engine 'random': unknown option",
        ),
        (
            "tests",
            "ats.cfg",
            "[global]\ntests = near, nowhere\n",
            vec![],
            "ats.cfg: tests: unknown test 'nowhere'",
        ),
        ("tag", "c.txt", "", vec!["--tags", "gaol"], "unknown tag 'gaol': expected some of goal, easy"),
        (
            "twice",
            "b.toml",
            "[[test]]\nname = 'near'\nposition = 'g [r      r R                E                                     ]'\navoid = ['Rb7n']",
            vec![],
            "b.toml:2: duplicate name 'near', also in ",
        ),
    ] {
        let dir = TempDir::new(name, &[("a.toml", TOML), (file, text)]);
        let (code, out, error) = suite(&dir.0, &args);
        assert_eq!((code, out.as_str()), (2, ""), "{name}: {error}");
        assert!(error.contains(expected), "{name}: {error}");
    }
    let empty = TempDir::new("empty", &[("read.me", "")]);
    let (code, _, error) = suite(&empty.0, &[]);
    assert_eq!(code, 2);
    assert!(error.contains("no test found"), "{error}");
}
