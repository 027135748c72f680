//! The engine `mcts` and `surus lab mcts` on the command line.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{split_output, surus};

/// A directory that is removed after the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-mcts-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().into()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn config_reads_the_output_of_print_config() {
    let scratch = TempDir::new("config");
    let (code, printed, _) = split_output(&surus(&["engine", "mcts:preset=akimot", "--print-config"], ""));
    assert_eq!(code, 0);
    assert!(
        printed.contains("\nchild_cache_visits = 50\n") && printed.contains("\nadvisor_probability = 0.2\n"),
        "{printed}"
    );
    let file = scratch.file("akimot.cfg", &printed);
    let name = format!("mcts:config={file}");
    let (code, resumed, error) = split_output(&surus(&["engine", &name, "--print-config"], ""));
    let values = |text: &str| -> Vec<String> {
        let plain = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("config"));
        plain.map(Into::into).collect()
    };
    assert_eq!((code, values(&resumed)), (0, values(&printed)), "{error}");
}

#[test]
fn an_invalid_line_of_a_configuration_is_reported() {
    let scratch = TempDir::new("wrong");
    let file = scratch.file("wrong.cfg", "c = 0.3\nvirtual_visit = 4\n");
    for args in [
        vec!["aei", "--engine", "mcts", "--config", &file],
        vec!["match", "mcts", "greedy", "--games", "2", "--nodes", "10", "--config", &file],
    ] {
        let (code, _, error) = split_output(&surus(&args, ""));
        assert_eq!(code, 2, "{error}");
        assert!(error.contains("line 2: unknown option 'virtual_visit'"), "{error}");
        assert!(error.contains("perhaps 'virtual_visits'"), "{error}");
    }
}

#[test]
fn hash_sets_the_tree_memory_and_an_unused_file_is_rejected() {
    let input = "aei\nsetoption name hash value none\nquit\n";
    let (code, out, error) = split_output(&surus(&["aei", "--engine", "mcts"], input));
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("invalid value 'none' for option 'memory'"), "{out}");
    let (code, _, error) = split_output(&surus(&["aei", "--config", "nosuch.cfg"], "aei\nquit\n"));
    assert_eq!(code, 2);
    assert!(error.contains("no engine here reads the configuration file 'nosuch.cfg'"), "{error}");
}

#[test]
fn an_extended_session_prints_statistics_and_the_tree() {
    let scratch = TempDir::new("session");
    let position = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";
    let file = scratch.file("position.txt", position);
    let input = format!(
        "aei\nnewgame\nsetoption name tcmove value 1\nsetpositionfile {file}\ngonothread\ntreedump\nquit\n"
    );
    let (code, out, error) =
        split_output(&surus(&["aei", "--engine", "mcts:preset=akimot", "--extended"], &input));
    assert_eq!(code, 0, "{error}");
    for expected in [
        "info stat UCT:",
        " playouts per second",
        " nodes expanded",
        " nodes pruned",
        " average descends in playout",
        "info stat best move visits: ",
        "info winratio 0.",
        "bestmove ",
        "info treedump g ",
    ] {
        assert!(out.contains(expected), "no '{expected}' in {out}");
    }
}

#[test]
fn lab_mcts_runs_quickly_and_resumes() {
    let scratch = TempDir::new("lab");
    let (games, page) = (scratch.0.join("games"), scratch.0.join("page"));
    let settings = format!("{ROOT}/docs/lab/mcts.toml");
    let [out, page_text] = [&games, &page].map(|path| path.to_str().unwrap());
    let args = ["lab", "mcts", "--quick", "--config", &settings, "--out", out, "--report-dir", page_text];
    let (code, first_output, error) = split_output(&surus(&args, ""));
    assert_eq!(code, 0, "{error}");
    assert!(first_output.contains("transpositions") && first_output.contains("(2 games)"), "{first_output}");
    let text = fs::read_to_string(page.join("mcts.md")).unwrap();
    assert!(text.contains("games are played.") && text.contains("| about 60 % |"), "{text}");
    for figure in ["scaling", "single", "cumulative", "virtual", "threads"] {
        assert!(fs::read_to_string(page.join(format!("mcts-{figure}.svg"))).unwrap().contains("<circle"));
    }
    let (code, _, error) = split_output(&surus(&args, ""));
    assert_eq!(code, 2);
    assert!(error.contains("--resume"), "{error}");
    let (code, resumed, _) = split_output(&surus(&[args.as_slice(), &["--resume"]].concat(), ""));
    assert_eq!((code, resumed.as_str()), (0, ""), "all games were played");
}

#[test]
fn spsa_tunes_options_and_writes_a_configuration() {
    let scratch = TempDir::new("spsa");
    let file = scratch.0.join("tuned.cfg");
    let out = file.to_str().unwrap();
    let args = [
        "learn",
        "spsa",
        "mcts",
        "--params",
        "c:0.05,maturity",
        "--nodes",
        "20",
        "--out",
        out,
        "--json",
        "--iterations",
    ];
    let (code, output, error) = split_output(&surus(&[args.as_slice(), &["2"]].concat(), ""));
    assert_eq!(code, 0, "{error}");
    assert!(output.starts_with("{\"iterations\":2,"), "{output}");
    assert!(fs::read_to_string(&file).unwrap().contains("\nc = "));
    let (code, output, _) = split_output(&surus(&[args.as_slice(), &["3", "--resume"]].concat(), ""));
    assert!(code == 0 && output.starts_with("{\"iterations\":3,"), "{output}");
    let other: Vec<&str> =
        args.iter().map(|arg| if *arg == "c:0.05,maturity" { "c_decay" } else { *arg }).collect();
    let (code, _, error) = split_output(&surus(&[other.as_slice(), &["4", "--resume"]].concat(), ""));
    assert!(code == 2 && error.contains("the saved state has c:0.05,maturity:1"), "{error}");
    let (code, ..) = split_output(&surus(&["engine", &format!("mcts:config={out}")], ""));
    assert_eq!(code, 0);
    let (code, _, error) =
        split_output(&surus(&["learn", "spsa", "mcts", "--params", "root_children", "--out", out], ""));
    assert_eq!(code, 2);
    assert!(error.contains("'root_children' is not numeric"), "{error}");
}
