//! The analysis of a position: collected from an engine's reports, printed as text or JSON.

use std::io::{self, Write};

use serde::Serialize;
use surus_engine::eval;
use surus_play::{Answer, Info};
use surus_rules::{Game, Score, Side, Turn};

use super::terminal_board;

/// The latest report of every line, and the answer.
#[derive(Serialize)]
pub(crate) struct Analysis {
    engine: String,
    side: char,
    steps_left: u8,
    nodes: Option<u64>,
    seconds: Option<f64>,
    nps: Option<u64>,
    hashfull: Option<u32>,
    /// The turn that the engine would play.
    best: String,
    lines: Vec<PvLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) terms: Option<Vec<Term>>,
}

/// A principal variation.
#[derive(Clone, Serialize)]
struct PvLine {
    /// From the point of view of the side to move.
    score: Option<Score>,
    win: Option<f64>,
    depth: Option<u32>,
    /// Whether the iteration at this depth was completed.
    finished: bool,
    turns: Vec<PvTurn>,
}

#[derive(Clone, Serialize)]
struct PvTurn {
    tag: String,
    steps: String,
}

/// An evaluation term, in centirabbits.
#[derive(Serialize)]
pub(crate) struct Term {
    name: &'static str,
    description: &'static str,
    gold: i32,
    silver: i32,
}

impl Term {
    /// The terms that are not zero for both sides.
    pub(crate) fn all(weights: &eval::Weights, game: &Game) -> Vec<Self> {
        let terms = eval::explain(weights, game.position().board(), game.side());
        let term = |term: eval::TermScore| {
            let [gold, silver] = term.sides.map(|millirabbits| millirabbits / 10);
            Self { name: term.spec.name, description: term.spec.description.trim(), gold, silver }
        };
        terms.into_iter().filter(|term| term.sides != [0, 0]).map(term).collect()
    }
}

impl Analysis {
    pub(crate) fn new(engine: &str, game: &Game) -> Self {
        Self {
            engine: engine.into(),
            side: game.side().letter(),
            steps_left: game.position().steps_left(),
            nodes: None,
            seconds: None,
            nps: None,
            hashfull: None,
            best: String::new(),
            lines: Vec::new(),
            comments: Vec::new(),
            terms: None,
        }
    }

    /// Adds a report; it replaces earlier reports of the same line.
    pub(crate) fn update(&mut self, info: &Info, game: &Game) {
        self.comments.extend(info.messages.iter().cloned());
        self.nodes = info.nodes.or(self.nodes);
        self.hashfull = info.hashfull.or(self.hashfull);
        self.seconds = info.time.map(|time| time.as_secs_f64()).or(self.seconds);
        if let (Some(nodes), Some(seconds)) = (self.nodes, self.seconds.filter(|&seconds| seconds > 0.0)) {
            self.nps = Some((nodes as f64 / seconds) as u64);
        }
        if info.pv.is_empty() {
            return;
        }
        let line = PvLine {
            score: info.score,
            win: info.win_probability,
            depth: info.depth,
            finished: info.depth_complete,
            turns: pv_turns(&info.pv, game),
        };
        match self.lines.get_mut(info.pv_index) {
            Some(existing) => *existing = line,
            None => self.lines.push(line),
        }
    }

    /// Records the answer, which is the only line of an engine that sends no reports.
    pub(crate) fn finish(&mut self, answer: &Answer, game: &Game) {
        self.best = match answer {
            Answer::Turn(turn) => game.position().board().notation(turn),
            Answer::Setup(setup) => setup.to_string(),
            Answer::Resign => "resigns".into(),
        };
        if let (Answer::Turn(turn), true) = (answer, self.lines.is_empty()) {
            let turns = pv_turns(&[*turn], game);
            self.lines.push(PvLine { score: None, win: None, depth: None, finished: true, turns });
        }
    }

    /// The unit of the node count.
    pub(crate) fn unit(&self) -> &'static str {
        if self.engine == "mcts" { "playouts" } else { "positions" }
    }

    /// Prints the analysis as text.
    pub(crate) fn print(&self, game: &Game, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", terminal_board::draw(game, Side::Gold))?;
        let steps = if self.steps_left == 1 { "step" } else { "steps" };
        write!(out, "{} to move, {} {steps} left; {}", game.side(), self.steps_left, self.engine)?;
        if let (Some(nodes), Some(seconds)) = (self.nodes, self.seconds) {
            write!(out, ": {nodes} {} in {seconds:.2} s", self.unit())?;
        }
        writeln!(out, "\n")?;
        for comment in &self.comments {
            writeln!(out, "{comment}")?;
        }
        if self.lines.is_empty() {
            return writeln!(out, "{}", self.best);
        }
        writeln!(out, "    score   win  depth  line")?;
        for (number, line) in self.lines.iter().enumerate() {
            let depth = line
                .depth
                .map_or("-".into(), |depth| format!("{depth}{}", if line.finished { "" } else { "+" }));
            let win = line.win.map_or("-".into(), |win| format!("{:.0} %", 100.0 * win));
            write!(out, "{:>2} {:>6} {win:>5}  {depth:>5}  ", number + 1, score_text(line.score))?;
            for (index, turn) in line.turns.iter().enumerate() {
                let indent = if index == 0 { 0 } else { 24 };
                writeln!(out, "{:indent$}{:>3} {}", "", turn.tag, turn.steps)?;
            }
        }
        self.terms.as_ref().map_or(Ok(()), |terms| print_terms(terms, out))
    }
}

fn print_terms(terms: &[Term], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{:<24} {:>7} {:>7} {:>7}", "term", "gold", "silver", "sum")?;
    for Term { name, gold, silver, .. } in terms {
        writeln!(out, "{:<24} {gold:>7} {silver:>7} {:>+7}", name.to_lowercase(), gold - silver)?;
    }
    let [gold, silver] = terms.iter().fold([0, 0], |sums, term| [sums[0] + term.gold, sums[1] + term.silver]);
    writeln!(out, "{:<24} {gold:>7} {silver:>7} {:>+7}", "total", gold - silver)
}

/// A score in rabbits, or the number of turns to a proven win or loss.
fn score_text(score: Option<Score>) -> String {
    match score {
        None => "-".into(),
        Some(Score::Centirabbits(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        Some(proven) => proven.to_string(),
    }
}

/// The turns of a variation in notation.
fn pv_turns(turns: &[Turn], game: &Game) -> Vec<PvTurn> {
    let (mut board, mut tag) = (*game.position().board(), game.tag());
    let convert = |turn: &Turn| {
        let converted = PvTurn { tag: tag.to_string(), steps: board.notation(turn) };
        board = turn.steps().fold(board, |board, step| board.after_step(step));
        tag = tag.next();
        converted
    };
    turns.iter().map(convert).collect()
}
