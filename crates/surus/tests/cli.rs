//! The command line: output and exit codes.

mod common;

use std::path::PathBuf;

use common::{split_output, surus};

const START: &str = "g [rrrrrrrrhdcmecdh                                HDCEMCDHRRRRRRRR]";

/// A file that is removed after the test.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surus-cli-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let (code, help, _) = split_output(&surus(&["--help"], ""));
    assert_eq!(code, 0);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let (code, text, _) = split_output(&surus(&[command, "--help"], ""));
        assert_eq!(code, 0);
        assert!(text.contains(&format!("Examples:\n  surus {command}")), "{command}: {text}");
    }
}

#[test]
fn perft_prints_json_tables_divisions_and_lists() {
    let (code, json, _) = split_output(&surus(&["perft", "--aei", START, "--json"], ""));
    let expected = r#"{"steps":[8,100,1408,22370],"complete":23886,"legal":23754,"unique":3353}"#;
    assert_eq!((code, json.trim()), (0, expected));
    let (_, table, _) = split_output(&surus(&["perft", "-", "--steps", "2"], START));
    assert!(table.contains("2 steps          100") && table.contains("unique"), "{table}");
    let (_, divided, _) = split_output(&surus(&["perft", "-", "--divide", "--json"], START));
    let value: serde_json::Value = serde_json::from_str(&divided).unwrap();
    let parts = value["divide"].as_array().unwrap();
    assert_eq!(parts.len(), 8);
    let legal: u64 = parts.iter().map(|part| part["legal"].as_u64().unwrap()).sum();
    assert_eq!(legal, 23_754);
    let (_, list, _) = split_output(&surus(&["perft", "-", "--list"], START));
    assert_eq!(list.lines().count(), 3353);
    assert!(list.lines().all(|line| line.split_once('\t').unwrap().1.starts_with("s [")));
}

#[test]
fn positions_are_read_in_every_format() {
    let legal = |text: &str| {
        let (code, json, error) = split_output(&surus(&["perft", "-", "--json"], text));
        assert_eq!(code, 0, "{text}: {error}");
        json
    };
    let position = legal(START);
    for text in [format!("setposition {START}"), format!("[settings]\nposition = {START}\n")] {
        assert_eq!(legal(&text), position);
    }
    let record = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n2g Ee2n Ee3n";
    let played = legal(record);
    let row = surus_record::GameRow { record: record.into(), ..surus_record::GameRow::default() };
    for text in [
        format!("Gold: Ann\n\n{}", record.replace("Ee2n Ee3n", "Ee2nn")),
        record.replace('\n', "\\n"),
        format!("# Surus tree 1\n{record} !? \"up\"\n[ 2g Md2n ]"),
        row.to_string(),
        format!("{}\n{row}\n", surus_record::header()),
    ] {
        assert_eq!(legal(&text), played, "{text}");
        let (code, out, error) = split_output(&surus(&["replay", "-"], &text));
        assert!(code == 0 && out.contains("3 turns"), "{out}{error}");
    }
    let (code, _, error) = split_output(&surus(&["perft", "-"], "4321:23g Ra6n Ra7n"));
    assert!(code == 2 && error.contains("found a list of wins in two turns: expected a position"), "{error}");
    let (code, _, error) = split_output(&surus(&["replay", "-"], START));
    assert!(code == 2 && error.contains("found a compact position: expected game records"), "{error}");
}

#[test]
fn invalid_input_exits_with_2_and_names_the_location() {
    let bad = TempDir::new("bad", "1g Ra1 Rb1\n");
    let missing = std::env::temp_dir().join("surus-cli-is-not-there");
    for (args, message) in [
        (vec!["perft", "--aei", "g [x]"], "--aei: expected 64 characters between '[' and ']', found 1"),
        (vec!["perft", bad.path()], "line 1: 1g: the setup of gold has 2 pieces: expected 16"),
        (vec!["perft", missing.to_str().unwrap()], "can't read"),
        (vec!["perft", "-"], "standard input: the position is empty"),
        (vec!["aei", "--engine", "missing"], "unknown engine 'missing': expected one of random, greedy"),
        (vec!["aei", "--engine", "random:seed=x"], "invalid value 'x' for option 'seed'"),
        (vec!["getmove", bad.path()], "1g: the setup of gold has 2 pieces"),
        (vec!["play", "--side", "blue"], "expected gold or silver"),
        (vec!["perft", "--aei", START, "--steps", "5"], "5 is not in 1..=4"),
        (vec!["nonsense"], "unrecognized subcommand"),
    ] {
        let (code, out, error) = split_output(&surus(&args, ""));
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn getmove_prints_one_turn_and_prefers_the_record() {
    let position = TempDir::new("position", START);
    let record = TempDir::new(
        "record",
        "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
         1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n2w Ee2n\n2b\n",
    );
    let state = TempDir::new("state", "tcmove=15\ntcreserve=60\nturn=b\n");
    for (files, is_silver) in [
        (vec![position.path()], false),
        (vec![record.path()], true),
        (vec![position.path(), record.path()], true),
        (vec![position.path(), record.path(), state.path()], true),
    ] {
        let (code, out, error) =
            split_output(&surus(&[vec!["getmove", "--engine", "greedy"], files.clone()].concat(), ""));
        assert_eq!((code, error.as_str()), (0, ""), "{files:?}");
        assert_eq!(out.lines().count(), 1);
        assert_eq!(out.starts_with(|c: char| c.is_ascii_lowercase()), is_silver, "{files:?}: {out}");
    }
}

#[test]
fn a_game_in_the_terminal_goes_from_setup_to_goal() {
    // A rabbit two steps from its goal. An illegal step is explained, an undone step does not count.
    let near = "g [r      r                        R                       RRR E  e]";
    let file = TempDir::new("near", near);
    let input = "Ra4s\nEf1n\nundo\nsteps\n\nhelp\nRa4nnn\n\n";
    let (code, out, _) =
        split_output(&surus(&["play", "--terminal", "--engine", "greedy", "--position", file.path()], input));
    assert_eq!(code, 0);
    for part in [
        "Illegal step Ra4s: the rabbit on a4 can't step backward.",
        "Cannot end the turn: a turn needs at least one step.",
        "Enter       end your turn",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (_, out, _) = split_output(&surus(
        &["play", "--terminal", "--engine", "random"],
        "standard\nEe2nn\n\nrecord\nresign\n",
    ));
    assert!(out.contains("2g Ee2n Ee3n\n2s "), "{out}");
    assert!(out.contains("You lose: silver wins by resignation"), "{out}");
}

#[test]
fn a_goal_wins_in_the_terminal() {
    let file = TempDir::new("goal", "g [       r                R                               RRR E  e]");
    let (code, out, _) = split_output(&surus(
        &["play", "--terminal", "--engine", "greedy", "--position", file.path()],
        "Rh5nn\nRg5nnn\nRg8n\n\n",
    ));
    assert_eq!(code, 0);
    assert!(out.contains("Illegal step Rg5n: there is no piece on g5."), "{out}");
    let file = TempDir::new("goal2", "g [                        R      r                        RRR E  e]");
    let (_, out, _) = split_output(&surus(
        &["play", "--terminal", "--engine", "greedy", "--position", file.path()],
        "Ra5nnn\n\n",
    ));
    assert!(out.contains("You win: gold wins by goal, after 1 turn."), "{out}");
}

#[test]
fn aei_processes_a_file_first_and_ends_with_the_input() {
    let init = TempDir::new("init", "aei\nnewgame\n# gold sets up\ngonothread\nboarddump\n");
    let (code, out, error) = split_output(&surus(&["aei", "--extended", "--init", init.path()], "isready\n"));
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("aeiok") && out.contains("bestmove R") && out.ends_with("readyok\n"), "{out}");
    let (code, out, error) = split_output(&surus(&["aei"], "aei\nfly\n"));
    assert_eq!(code, 2);
    assert!(out.ends_with("log Error: unknown message 'fly'\n"), "{out}");
    assert!(error.contains("sent an unknown message"), "{error}");
}

#[test]
fn replay_prints_results_and_errors() {
    let good = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n2g resigns\n";
    let file = TempDir::new("games", &format!("{good}\n# the second\n{good}3s Ee2n\n"));
    let (code, out, _) = split_output(&surus(&["replay", file.path(), "--json"], ""));
    assert_eq!(code, 1);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["turns"], &lines[0]["winner"], &lines[0]["termination"]),
        (&2.into(), &"s".into(), &"r".into())
    );
    assert_eq!(lines[1]["error"], "line 4: 3s: the game is over: silver wins by resignation");
    let (code, out, _) = split_output(&surus(&["replay", "-"], good));
    assert_eq!(code, 0);
    assert!(out.contains("2 turns, silver wins by resignation"), "{out}");
}

#[test]
fn engines_and_their_options_are_listed() {
    let (_, out, _) = split_output(&surus(&["engine"], ""));
    assert!(out.contains("random") && out.contains("greedy"), "{out}");
    let (_, out, _) = split_output(&surus(&["engine", "greedy:seed=3", "--print-config"], ""));
    assert!(out.contains("seed = 3"), "{out}");
    let (_, out, _) = split_output(&surus(&["engine", "greedy", "--json"], ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["options"][0]["name"], "seed");
}

#[test]
fn an_analysis_is_printed_as_text_and_json() {
    let fight = "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]";
    let args = ["analyze", "--aei", fight, "--depth", "4", "--multipv", "2"];
    let (code, out, error) = split_output(&surus(&[&args[..], &["--eval"]].concat(), ""));
    assert_eq!((code, error.as_str()), (0, ""));
    for part in ["gold to move, 4 steps left; alphabeta: ", "score   win  depth  line", "\n 2 ", "total"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (_, out, _) = split_output(&surus(&[&args[..], &["--json"]].concat(), ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    let lines = value["lines"].as_array().unwrap();
    assert_eq!((lines.len(), value["side"].as_str(), lines[0]["depth"].as_u64()), (2, Some("g"), Some(4)));
    assert_eq!(lines[0]["turns"][0]["steps"], value["best"]);
    assert!(lines[1]["score"].as_i64() <= lines[0]["score"].as_i64());
    assert!((0.0..=1.0).contains(&lines[0]["win"].as_f64().unwrap()));
    let over = "s [R  e   r                                                R  E   R]";
    let (code, _, error) = split_output(&surus(&["analyze", "--aei", over], ""));
    assert_eq!(code, 2);
    assert!(error.contains("the game is over: gold wins by goal"), "{error}");
    let (code, _, error) = split_output(&surus(&["analyze", "--aei", "g [E]"], ""));
    assert_eq!((code, error.contains("expected 64 characters")), (2, true), "{error}");
}

#[test]
fn extended_aei_prints_the_evaluation() {
    let (code, out, _) = split_output(&surus(&["aei", "--extended"], "aei\nnewgame\neval\nquit\n"));
    assert_eq!(code, 0);
    assert!(out.contains("info eval tempo gold "), "{out}");
    let (_, out, _) = split_output(&surus(&["aei", "--extended", "--engine", "random"], "aei\neval\nquit\n"));
    assert!(out.ends_with("log eval: not supported by engine random\n"), "{out}");
}

#[test]
fn usage_errors_name_the_expected_input() {
    let tuned = TempDir::new("tuned", "");
    for (args, message) in [
        (vec!["tournament", "greedy"], "a tournament needs two or more engines, or a file of engines"),
        (vec!["analyze", "--aei", START, "--nodes", "0"], "0 is not in 1.."),
        (
            vec!["learn", "spsa", "greedy", "--params", "seed", "--out", tuned.path()],
            "a random seed cannot be tuned",
        ),
        (vec!["play", "--terminal", "--time", "0"], "expected seconds above 0"),
    ] {
        let (code, _, error) = split_output(&surus(&args, ""));
        assert_eq!(code, 2, "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn an_engine_that_searches_has_a_limit_by_default() {
    let args = ["match", "alphabeta:level=1", "random", "--games", "1", "--max-turns", "3", "--json"];
    let (code, out, error) = split_output(&surus(&args, ""));
    assert_eq!(code, 0, "{error}");
    assert!(error.starts_with("alphabeta:level=1: 1 s/turn (set another limit with --time"), "{error}");
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn terminal_play_accepts_fractions_and_replay_numbers_records() {
    let (code, out, _) = split_output(&surus(&["play", "--terminal", "--time", "0.2"], "quit\n"));
    assert!(code == 0 && out.contains("You play gold"), "{out}");
    let setups = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                  1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";
    let file = TempDir::new("numbered", &format!("# two games\n{setups}\n\n{setups}\n2g Ee2n\n"));
    let (code, out, _) = split_output(&surus(&["replay", file.path()], ""));
    assert_eq!(code, 0);
    let games: Vec<&str> = out.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(games, ["game 1", "game 2"], "{out}");
}

#[test]
fn tactics_lists_the_defences_of_pieces_and_goals() {
    let cat = "s [rrrrrrrrdh emchd   c       E                    DHC MCHRRRRRDRRR]";
    let (code, out, _) = split_output(&surus(&["tactics", "--aei", cat], ""));
    assert_eq!(code, 0);
    assert!(out.ends_with("silver saves cd6 in 1 step\n  cd6e\n  hb7e\n  hb7s\n  rc8s\n  ed7w\n"), "{out}");
    let goal = format!("s [{:8}R  c{:11}r{:40}]", "", "", "");
    let json = |defences: &str| -> serde_json::Value {
        let args = ["tactics", "--aei", &goal, "--json", "--defences", defences];
        let (code, out, _) = split_output(&surus(&args, ""));
        assert_eq!((code, out.lines().count()), (0, 1));
        serde_json::from_str(&out).unwrap()
    };
    let (shortest, all) = (json("shortest"), json("all"));
    assert_eq!(shortest["defences"]["turns"], serde_json::json!(["cd7w cc7w"]));
    assert_eq!((&all["defences"]["steps"], &all["defences"]["turns"][0]), (&2.into(), &"cd7w cc7w".into()));
    assert!(all["defences"]["turns"].as_array().unwrap().len() > 10);
    assert_eq!(shortest["piece_defences"], serde_json::json!([]));
}

#[test]
fn every_engine_has_a_bench_that_repeats() {
    for engine in
        ["greedy", "random", "sample", "fairylike", "geometry", "mcts:preset=akimot", "alphabeta:level=3"]
    {
        let args = ["bench", "--engine", engine, "--nodes", "200", "--json"];
        let runs = [(); 2].map(|()| {
            let (code, out, error) = split_output(&surus(&args, ""));
            assert_eq!((code, error.as_str()), (0, ""), "{engine}");
            serde_json::from_str::<serde_json::Value>(&out).unwrap()
        });
        assert_eq!(runs[0]["signature"], runs[1]["signature"], "{engine}");
        assert_eq!(runs[0]["nodes"], runs[1]["nodes"], "{engine}");
        assert!(runs[0]["signature"].as_str().unwrap().len() > 5);
    }
}

#[test]
fn an_extended_aei_program_is_asked_for_goals_and_captures() {
    let program = format!("cmd='{}' aei --extended --engine random", env!("CARGO_BIN_EXE_surus"));
    let args = ["tactics", "--verify", "60", "--against", &program, "--json"];
    let (code, out, error) = split_output(&surus(&args, ""));
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["positions"], &value["different"]), (&60.into(), &0.into()), "{value}");
    assert!(value["captures"].as_u64().unwrap() > 0, "{value}");
    // A program without the extended messages.
    let plain = program.replace(" --extended", "");
    let (code, _, error) = split_output(&surus(&["tactics", "--verify", "3", "--against", &plain], ""));
    assert_eq!(code, 2);
    assert!(error.contains("goalcheck"), "{error}");
}

#[test]
fn replay_prints_the_final_position_as_a_diagram() {
    let game = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n2g Ee2n\n";
    let (code, out, _) = split_output(&surus(&["replay", "-", "--diagram"], game));
    assert_eq!(code, 0);
    assert!(out.starts_with("2s\n +-----------------+\n8| r r r r r r r r |\n"), "{out}");
    let (_, again, _) = split_output(&surus(&["perft", "-", "--steps", "1"], &out));
    assert!(!again.is_empty(), "the diagram is a position");
}
