//! Valid texts of every format.

use std::path::Path;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8";
const COMPACT: &str = "g [r      r R         hE                                   RRRRRRR ]";

/// Texts that some parser accepts.
pub(crate) fn texts() -> Vec<String> {
    let record = format!("1g {GOLD}\n1s {SILVER}\n2g Ee2n Ee3n Ee4n Ee5n\n2s ed7s ha7 takeback\n2s ed7s\n3g");
    let archive = format!(
        "{}\n1\t2\t3\tann\tbob\t\t\t\t\t1500\t1600\t\t\t\t\tevent\tsite\t2/2/100/10/8\t0\t1000000000\t1000000500\tw\tg\t2\t\
         h\t1\t0\t{}\tafter 1g, move used:0.013 gresv:1\n",
        surus_record::header(),
        record.replace('\n', "\\n")
    );
    let mut texts = vec![
        record,
        archive,
        format!("# Surus tree 1\n# gold: Ann\nposition 2{COMPACT}\n2g Ee6n !? (12.5s) {{g:e2e4 r:c3}} \"hm\"\n[ 2g Rb7n ]\n2s hd6s"),
        COMPACT.into(),
        format!("setposition {COMPACT}"),
        "12s\n +-----------------+\n8| r r r r . c r . |\n7| h . c m r E h r |\n6| . d x . . x d . |\n5| . . . . . r . . |\n\
         4| . . . . . . . . |\n3| . H C e . x D . |\n2| . D . M . C . H |\n1| R R R R R R R R |\n +-----------------+\n   a b c d e f g h\n"
            .into(),
        "g rrrr1cr1/h1cmrEhr/1d4d1/5r2/8/1HCe2D1/1D1M1C1H/RRRRRRRR".into(),
        format!("[settings]\ncomment = x\nposition = {COMPACT}\ntags = a, b\n[criteria]\ncondition = piece_position\npiece_position = Rb8 !hd6 : 0.8 | Hc6x"),
        format!("[[test]]\nname = 'near'\ntags = ['goal']\nposition = '{COMPACT}'\ncondition = 'score_goal'\nbest = ['Rb7n']\n"),
        "4321:23g Ra6n Ra7n\n4322:9s rc2s rc1s\n".into(),
        "[global]\nbots = a b\ntimecontrol = 5s/30s/100/60s/20m\n[a]\ncmdline = x y\n[b]\ncmdline = z\n".into(),
        "[global]\nengine = greedy\ntests = 1-3, near\ntime_per_test = 5\ncycles = 2\nlog = x\n".into(),
        "games = 2\nnodes = 100\n[[engine]]\nname = 'a'\nengine = 'random:seed=2'\n[[engine]]\ncmd = 'x'\n[engine.options]\nhash = 3\n".into(),
        "turn=w\ntcmove=30\ntcreserve=300\ntcwreserve2=250\n".into(),
        "15s/2m30s/100/0/1h/2m30s".into(),
        "alphabeta:hash=64,threads=2,seed=5".into(),
        "aei\nisready\nnewgame\nsetoption name tcmove value 3\ngo\nstop\ngoalcheck\ntrapcheck\nboarddump\neval\nmakemoverec".into(),
        format!("makemove {GOLD}\nmakemove {SILVER}\nsetposition {COMPACT}\nmakemove Rb7n\ngo ponder\nstop"),
        "after 1g, move used:0.013 gresv:1 sresv:0 game:0.013 score:win-2 depth:4 nodes:7".into(),
        "Ed4 hd6 .c6 |c3 Rc3".into(),
        "mcts.c = 0.2\npreset = akimot\nthreads = 2\n".into(),
    ];
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/weights");
    for name in ["handcrafted.toml", "phase_heuristic.toml"] {
        texts.push(std::fs::read_to_string(weights.join(name)).unwrap());
    }
    texts
}

/// Requests: method, path and body.
pub(crate) fn requests() -> Vec<(&'static str, &'static str, String)> {
    let line = format!(r#"{{"turns": ["{GOLD}", "{SILVER}", "Ee2n Ee3n"], "steps": "ed7s"}}"#);
    let start = r#"{"start": {"board": "r                                  rE                          R", "tag": "2g"}}"#;
    vec![
        ("POST", "/games", r#"{"gold": {"kind": "human", "name": "x"}, "silver": {"kind": "engine", "name": "alphabeta:level=2", "seconds": 1}, "time_control": "2m/2m/100/10m", "handicap": {"gold": "D"}}"#.into()),
        ("GET", "/games?limit=50&offset=0", String::new()),
        ("GET", "/games/abcdefghjkmn", String::new()),
        ("GET", "/games/abcdefghjkmn/record", String::new()),
        ("DELETE", "/games/abcdefghjkmn", String::new()),
        ("POST", "/games/abcdefghjkmn/hint", String::new()),
        ("GET", "/info", String::new()),
        ("GET", "/results", String::new()),
        ("GET", "/archive", String::new()),
        ("GET", "/archive/players?name=a&limit=3", String::new()),
        ("GET", "/archive/games/1", String::new()),
        ("POST", "/position", line.clone()),
        ("POST", "/phases", line.clone()),
        ("POST", "/tactics", start.into()),
        ("POST", "/evaluation", start.into()),
        ("POST", "/explain", start.into()),
        ("POST", "/position/check", r#"{"board": "r                                  rE                          R", "side": "g"}"#.into()),
        ("POST", "/parse", format!(r#"{{"text": "1g {GOLD}\n1s {SILVER}\n2g Ee2n [ 2g Md2n ]"}}"#)),
        ("POST", "/archive/explore", format!(r#"{{"line": {line}, "filters": {{"min_rating": 2000, "player": "a"}}, "limit": 5}}"#)),
        ("POST", "/archive/search", r#"{"squares": "Ee6 hd6 .c6", "side": "s"}"#.into()),
    ]
}

/// Commands of the WebSocket.
pub(crate) fn commands() -> Vec<String> {
    let line = format!(r#"{{"turns": ["{GOLD}", "{SILVER}"], "steps": ""}}"#);
    vec![
        r#"{"id": 1, "command": {"type": "subscribe", "game": "abcdefghjkmn"}}"#.into(),
        r#"{"id": 2, "command": {"type": "steps", "game": "abcdefghjkmn", "text": "Ed2n"}}"#.into(),
        r#"{"id": 3, "command": {"type": "takeback", "game": "abcdefghjkmn"}}"#.into(),
        format!(r#"{{"id": 4, "command": {{"type": "position", "line": {line}}}}}"#),
        format!(
            r#"{{"id": 5, "command": {{"type": "analyze", "request": {{"analysis": 1, "line": {line}, "lines": 1, "threads": 1, "hash": 16, "nodes": 20}}}}}}"#
        ),
        format!(
            r#"{{"id": 6, "command": {{"type": "analyze_game", "request": {{"analysis": 2, "line": {line}, "nodes": 20}}}}}}"#
        ),
        r#"{"id": 7, "command": {"type": "stop_analysis", "analysis": 1}}"#.into(),
    ]
}
