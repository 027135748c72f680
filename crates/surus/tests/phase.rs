//! `surus learn phase` and `surus lab phase` as users meet them.

mod common;

use std::path::PathBuf;

use common::{split_output, surus};
use serde_json::Value;

/// A directory removed at the end of the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-phase-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A short game that silver resigns.
const RECORD: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh2 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh1\n\
    1s ra8 rb8 rc8 rd8 re8 rf8 rg7 hg8 ha7 db7 cc7 ed7 me7 cf7 dh7 rh8\n\
    2g Rh2n Rh3n Rh4n Ee2n\n2s ed7s\n3g Ee3n\n3s resigns\n";

#[test]
fn a_model_is_fitted_and_classifies_the_turns_of_a_game() {
    let dir = TempDir::new("fit");
    let (game, model) = (dir.file("game.txt"), dir.file("model.toml"));
    std::fs::write(&game, RECORD).unwrap();
    let fit = ["learn", "phase", "fit", &game, "--min-k", "2", "--max-k", "2", "--out", &model];
    let (code, out, error) = split_output(&surus(&fit, ""));
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("1 games, 3 boards") && out.contains("k = 2"), "{out}");
    let first = dir.read("model.toml");
    let (_, json, _) = split_output(&surus(&[&fit[..], &["--json"]].concat(), ""));
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((report["boards"].as_u64(), report["clusters"].as_array().unwrap().len()), (Some(3), 2));
    assert_eq!(dir.read("model.toml"), first, "the same seed gives the same file");

    let (code, out, _) = split_output(&surus(&["learn", "phase", "classify", &game], ""));
    assert_eq!(code, 0);
    let tags: Vec<&str> = out.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(tags, ["2g", "2s", "3g"]);
    assert!(out.contains("opening"), "{out}");
    let classify = ["learn", "phase", "classify", &game, "--model", &model, "--json"];
    let (_, json, _) = split_output(&surus(&classify, ""));
    let course: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(course[0]["name"], "cluster 1");
    // The rabbit on rank 5 is advanced.
    assert_eq!((course[0]["max_advanced"].as_u64(), course[1]["max_advanced"].as_u64()), (Some(0), Some(1)));

    let plots = dir.file("plots");
    let (code, out, error) = split_output(&surus(&["learn", "phase", "plot", &game, "--out", &plots], ""));
    assert_eq!((code, error.as_str()), (0, ""));
    assert_eq!(out.lines().count(), 3);
    for name in ["features.svg", "features-threat.svg", "courses.svg"] {
        assert!(dir.read(&format!("plots/{name}")).ends_with("</svg>\n"), "{name}");
    }
}

#[test]
fn unusable_files_and_filters_are_named() {
    let dir = TempDir::new("errors");
    let (game, model) = (dir.file("game.txt"), dir.file("model.toml"));
    std::fs::write(&game, RECORD).unwrap();
    let error = |args: &[&str]| {
        let (code, _, error) = split_output(&surus(&[&["learn", "phase"], args].concat(), ""));
        assert_eq!(code, 2, "{args:?}");
        error
    };
    let filtered = error(&["fit", &game, "--min-rating", "2000", "--out", &model]);
    assert!(
        filtered.contains("no boards to fit: choose other files, or a filter that some game passes"),
        "{filtered}"
    );
    let many = error(&["fit", &game, "--min-k", "9", "--max-k", "9", "--out", &model]);
    assert!(many.contains("different feature vectors: expected at least 9"), "{many}");
    let empty_range = error(&["fit", &game, "--min-k", "3", "--max-k", "2", "--out", &model]);
    assert!(empty_range.contains("the number of clusters must be from 3 to 2"), "{empty_range}");
    for (text, message) in [
        ("format = 9\nkind = 'clusters'\n", "unsupported phase format 9: expected 1"),
        ("format = 1\nkind = 'clusters'\nsource = ''\n", "missing field"),
        ("# Surus tree 1\n1g Ra1", "invalid phase file"),
    ] {
        std::fs::write(&model, text).unwrap();
        let found = error(&["classify", &game, "--model", &model]);
        assert!(found.contains(message) && found.contains("model.toml"), "{found}");
    }
    std::fs::write(&model, b"SURUSORD\x01\xff").unwrap();
    let binary = error(&["classify", &game, "--model", &model]);
    assert_eq!(binary, format!("surus: {model}: not a file of game phases: expected TOML text\n"));
    std::fs::remove_file(&model).unwrap();
    let missing = error(&["classify", &game, "--model", &model]);
    assert_eq!(missing.matches("model.toml").count(), 1, "{missing}");
}

#[test]
fn an_experiment_without_its_configuration_says_where_it_is() {
    for lab in ["phase", "mcts"] {
        let (code, _, error) = split_output(&surus(&["lab", lab, "--config", "/no/such.toml"], ""));
        assert_eq!(code, 2);
        assert!(
            error.contains("/no/such.toml: file not found: run the command in the source tree"),
            "{error}"
        );
    }
}

#[test]
fn the_experiment_writes_its_page_and_resumes() {
    let dir = TempDir::new("lab");
    let (game, out, page) = (dir.file("game.txt"), dir.file("lab"), dir.file("page"));
    std::fs::write(&game, RECORD.repeat(2).replace("3s resigns\n1g", "3s resigns\n\n1g")).unwrap();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab/phase.toml");
    let filter = ["lab", "phase", &game, "--min-rating", "1000", "--keep-unrated"];
    let quick = ["--quick", "--config", config, "--out", &out, "--report-dir", &page];
    let quick = [&filter[..], &quick].concat();
    let (code, lines, error) = split_output(&surus(&quick, ""));
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(lines.contains("one turn, GT") && lines.contains("(2 games)"), "{lines}");
    let text = dir.read("page/phase.md");
    for part in [
        "88.35 % of 1914 games",
        "games are played.",
        "Written by `surus lab phase --resume game.txt --min-rating 1000 --keep-unrated`.",
        "| all games of the files | 1 to 8 |",
        "## Cost of an evaluation",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(dir.read("page/phase-features.svg").contains("No goal threat: 6 boards"));
    let (code, _, error) = split_output(&surus(&quick, ""));
    assert!(code == 2 && error.contains("already contains games: use --resume"), "{error}");
    let (code, lines, _) = split_output(&surus(&[&quick[..], &["--resume"]].concat(), ""));
    assert_eq!((code, lines.as_str()), (0, ""), "nothing is played twice");
    assert_eq!(dir.read("page/phase.md"), text);
}
