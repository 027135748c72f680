//! `surus geometry` on the command line.

mod common;

use common::split_output;

const CASE: &str = "g [       r     h      H     d            E    C  h    c        R  ]";

fn surus(args: &[&str]) -> (i32, String, String) {
    split_output(&common::surus(args, ""))
}

fn geometry(args: &[&str]) -> (i32, String, String) {
    surus(&[&["geometry", "--aei", CASE], args].concat())
}

#[test]
fn a_position_is_explained_in_sentences_with_turns() {
    let (code, out, _) = geometry(&[]);
    assert_eq!(code, 0);
    assert!(out.starts_with("You can capture the horse on h3: your elephant on h4 pushes the horse from h3 through g3 into the trap on f3."), "{out}");
    assert!(out.contains("\n    hh3w Eh4s hg3w hf3x Eh3w\n"), "{out}");
    assert!(out.contains("\n  If you stop there, silver can neither win nor capture anything.\n"), "{out}");
    let (_, out, _) = surus(&["geometry", "--aei", &CASE.replacen('g', "s", 1)]);
    assert!(out.starts_with("Gold threatens to capture your horse on h3: "), "{out}");
    assert!(
        out.contains("\n  Your best answer: your cat on e2 steps to f2 and your dog on c5 steps to d5. "),
        "{out}"
    );
    assert!(out.contains("\n    ce2e dc5e\n    ce2e\n"), "{out}");
}

#[test]
fn zones_trajectories_and_searches_are_printed_as_json() {
    let (code, out, _) = geometry(&["--trap", "f3", "--json"]);
    let zones: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, out.lines().count()), (0, 1));
    assert_eq!(zones["zones"][0]["participants"].as_array().unwrap().len(), 7);
    assert_eq!(zones["zones"][0]["symbols"][0]["path"], serde_json::json!(["h3", "g3", "f3"]));
    let (_, out, _) = geometry(&["--from", "e6", "--to", "c5", "--json"]);
    let ways: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(ways["trajectories"]["count"], 2);
    let (_, out, _) = geometry(&["--network", "--json"]);
    let network: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(network["zones"].as_array().unwrap().len(), 2, "two traps, and no rabbit near its goal");
    let (_, out, _) = geometry(&["--search", "--side", "g", "--json"]);
    let searches: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(searches["searches"][1]["found"], "hh3w Eh4s hg3w hf3x Eh3w");
    assert_eq!(searches["searches"][1]["nodes"], 4);
    assert_eq!(searches["searches"][1]["tree"][0]["steps"], "hh3w Eh4s");
}

#[test]
fn svg_is_written_to_a_file_or_standard_output() {
    let (code, out, _) = geometry(&["--trap", "c6", "--svg", "-"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("<svg ") && out.trim_end().ends_with("</svg>"), "{out}");
    let (code, _, error) = geometry(&["--trap", "c6", "--svg", "/nowhere/at/all.svg"]);
    assert_eq!(code, 2);
    assert!(error.starts_with("surus: can't write /nowhere/at/all.svg"), "{error}");
}

#[test]
fn a_derivation_is_printed_with_its_productions() {
    let (code, out, _) = geometry(&["--trap", "c6", "--fidelity", "paper", "--derivation"]);
    assert_eq!(code, 0);
    let string = "string: t(H,a(e6)a(e5)a(d5)a(c5),4) t(d,a(c5)a(c6),1) t(h,a(f7)a(e7)a(e6)a(d6),4) t(h,a(f7)a(e7)a(d7)a(c7),4)";
    assert_eq!(out.lines().last(), Some(string));
    assert!(out.contains("2_1  => t(H,"), "{out}");
}

#[test]
fn invalid_queries_exit_with_2() {
    for (args, sentence) in [
        (&["--from", "a1", "--to", "a2"][..], "no piece on a1"),
        (
            &["--from", "f1", "--to", "f1"],
            "the gold rabbit is already on f1: a trajectory has at least one step",
        ),
        (
            &["--from", "h8", "--to", "h8"],
            "the silver rabbit is already on h8: a trajectory has at least one step",
        ),
        (
            &["--from", "f1", "--to", "e1", "--length", "2"],
            "no trajectory of the gold rabbit from f1 to e1 has 2 steps",
        ),
        (&["--from", "h4", "--to", "a1", "--length", "3"], "the shortest has 10"),
        (&["--rabbit", "e3"], "the piece on e3 is a gold cat: expected a rabbit"),
        (&["--rabbit", "a1"], "no piece on a1"),
        (&["--trap", "a1"], "invalid trap 'a1': expected c3, f3, c6 or f6"),
        (&["--trap", "c3"], "neither side has a zone at c3"),
        (&["--trap", "f3", "--side", "s"], "silver has no zone at f3"),
        (
            &["--trap", "c6", "--fidelity", "printed"],
            "as printed, a captor must be at most two squares from its victim",
        ),
        (
            &["--rabbit", "f1", "--fidelity", "printed"],
            "as printed, Q1 requires an enemy piece on the goal square f8",
        ),
        (
            &["--from", "f1", "--to", "f3", "--fidelity", "printed"],
            "as printed, SUM measures distances from the end",
        ),
        (&["--victim", "a1"], "no piece on a1"),
        (&["--victim", "h8"], "in which the piece on h8 is captured within a turn"),
        (&["--trap", "f3", "--derivation"], "add --fidelity paper"),
        (&["--derivation"], "--derivation requires"),
        (&["--turn", "Ra1n"], "there is no piece on a1"),
        (&["--turn", ""], "--turn"),
        (&["--from", "z9", "--to", "a1"], "z9"),
        (&["--side", "x"], "expected g or s"),
    ] {
        let (code, out, error) = geometry(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(error.contains(sentence), "{args:?}: {error}");
    }
    let over = "g [             h      H     d            E    C  h    c        R  ]";
    let (code, _, error) = surus(&["geometry", "--aei", over]);
    assert_eq!(
        (code, error.as_str()),
        (
            2,
            "surus: the game is over: gold wins by elimination of all rabbits; --study shows the position anyway\n"
        )
    );
}

#[test]
fn a_rabbit_has_no_trajectory_backwards() {
    let (code, _, error) = geometry(&["--from", "h8", "--to", "g7"]);
    assert_eq!((code, error.as_str()), (0, ""));
    let gold = "g [       r  R  h      H     d            E    C  h    c        R  ]";
    let (code, _, error) = surus(&["geometry", "--aei", gold, "--from", "c7", "--to", "c6"]);
    assert_eq!((code, error.as_str()), (2, "surus: the gold rabbit on c7 has no trajectory to c6\n"));
}

#[test]
fn the_engine_explains_its_turn() {
    let (code, out, _) = surus(&["analyze", "--aei", CASE, "--engine", "geometry", "--nodes", "500"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("Gold's elephant on h4 can push the horse from h3 through g3 into the trap on f3"),
        "{out}"
    );
}

#[test]
fn the_second_case_is_found_in_a_finished_position() {
    let study = "g [         d      cD                  E      R                    ]";
    let (code, out, error) = surus(&["geometry", "--study", "--plan", "goal", "--aei", study]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("g: Rd3n Rd4n Rd5n Rd6n, proven against all 42 replies"), "{out}");
    let (_, out, _) =
        surus(&["geometry", "--study", "--plan", "goal", "--replies", "zones", "--json", "--aei", study]);
    let plan: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(plan["plan"]["proven"], false);
    assert_eq!(plan["plan"]["attack"], "Rd3n Rd4n Rd5n Rd6n");
}

#[test]
fn zones_of_one_victim_are_listed() {
    let (code, out, _) = geometry(&["--victim", "c5", "--json"]);
    let zones: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, zones["zones"].as_array().unwrap().len()), (0, 1));
}
