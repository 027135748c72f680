//! Controlled grammars: tables of productions, and the machine that runs them.
//!
//! A production is tried on the leftmost non-terminal of the string. If its condition holds, the non-terminal is
//! replaced and the run goes on with a label of F_T, else the string stays and a label of F_F comes next. A family
//! such as 2_1, 2_2, … is one production with an index: the choice of the index is all that is left to choose.
//!
//! Nothing here calls the functions on bitboards that the rest of the crate uses: these tables are the definition
//! that those are compared with, and they can print a derivation.

mod advance;
mod cut;
mod maps;
mod trajectories;
mod zone_context;

pub use advance::{ADVANCE, derive_advance};
pub use cut::{CUT, derive_cut};
pub use maps::{MAX_DISTANCE, Relation, map, relation, reverse_map};
pub use trajectories::{
    CellTerminal, G_T1, G_T2, TrajectoryContext, TrajectoryNonTerminal, derive_trajectories,
};
pub use zone_context::{CellVector, TrajectoryTerminal, ZoneContext, ZoneNonTerminal};

use std::fmt;

/// A symbol of the string.
#[derive(Clone, Debug)]
pub enum Symbol<N, T> {
    /// To be rewritten.
    NonTerminal(N),
    /// Stays.
    Terminal(T),
}

/// A row of the table.
pub struct Production<C, N, T> {
    /// Its label, or that of its family.
    pub label: u8,
    /// Whether it stands for a family, one production for each index.
    pub family: bool,
    /// The condition Q, as the table prints it.
    pub condition: &'static str,
    /// The kernel with its parameters, as the table prints it.
    pub kernel: &'static str,
    /// What is assigned besides.
    pub assigns: &'static str,
    /// The condition Q.
    pub holds: fn(&C, &N) -> bool,
    /// How many different productions the family has here.
    pub alternatives: fn(&C, &N) -> usize,
    /// The right side of the kernel for an index from 0, and the assignments.
    pub apply: fn(&mut C, &N, usize) -> Vec<Symbol<N, T>>,
    /// F_T: the label that follows if the condition held; no label ends the derivation.
    pub on_true: Option<u8>,
    /// F_F: the label that follows if it did not.
    pub on_false: Option<u8>,
}

impl<C, N, T> fmt::Debug for Production<C, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.label, self.condition, self.kernel)
    }
}

impl<C, N, T> fmt::Display for Production<C, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = format!("{}{}", self.label, if self.family { "_i" } else { "" });
        let next = |label: Option<u8>| label.map_or("{}".into(), |label| format!("{{{label}}}"));
        write!(f, "{label:<4}{:<82}{:<70}", self.condition, self.kernel)?;
        write!(f, "{:<4}{:<4}{}", next(self.on_true), next(self.on_false), self.assigns)
    }
}

/// How the indices of families are chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Always the first.
    First,
    /// For each application of a family in turn, counted from 0; the last one where the family has fewer, the first
    /// where the list is too short.
    Script(Vec<usize>),
    /// Every one: at most so many strings.
    All(usize),
}

/// One try of a production.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivationStep {
    /// The label.
    pub label: u8,
    /// The index within the family, from 1; 0 for a production by itself.
    pub index: usize,
    /// Whether its condition held.
    pub applied: bool,
    /// The string afterwards, if it changed in more than the parameters of its last symbol.
    pub string: Option<String>,
}

impl fmt::Display for DerivationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            0 => write!(f, "{}", self.label)?,
            index => write!(f, "{}_{index}", self.label)?,
        }
        match (&self.string, self.applied) {
            (Some(string), _) => write!(f, "  => {string}"),
            (None, true) => f.write_str("  => parameters"),
            (None, false) => f.write_str("  does not hold"),
        }
    }
}

/// A string of the language, and how it came about.
#[derive(Clone, Debug)]
pub struct Derivation<T> {
    /// The terminals.
    pub string: Vec<T>,
    /// Every production tried, if that was asked for.
    pub steps: Vec<DerivationStep>,
}

/// A grammar that went on for so long has a mistake in its table.
const MAX_APPLICATIONS: usize = 1 << 20;

struct DerivationState<C, N, T> {
    context: C,
    string: Vec<Symbol<N, T>>,
    label: Option<u8>,
    choices: usize,
    fuel: usize,
    steps: Vec<DerivationStep>,
}

/// All strings that the strategy allows, from the first production of the table on.
pub fn derive<C, N, T>(
    grammar: &[Production<C, N, T>],
    start: N,
    context: C,
    strategy: &Strategy,
    record: bool,
) -> Vec<Derivation<T>>
where
    C: Clone,
    N: Clone + fmt::Display,
    T: Clone + fmt::Display,
{
    let most = if let Strategy::All(most) = strategy { *most } else { 1 };
    let first = grammar.first().map(|production| production.label);
    let string = vec![Symbol::NonTerminal(start)];
    let mut runs = vec![DerivationState {
        context,
        string,
        label: first,
        choices: 0,
        fuel: MAX_APPLICATIONS,
        steps: Vec::new(),
    }];
    let mut found = Vec::new();
    while let Some(mut run) = runs.pop() {
        if found.len() == most {
            break;
        }
        let production = run.label.and_then(|label| grammar.iter().find(|p| p.label == label));
        let Some(production) = production.filter(|_| 0 < run.fuel) else {
            let finished = run.string.into_iter().filter_map(|symbol| match symbol {
                Symbol::Terminal(terminal) => Some(terminal),
                Symbol::NonTerminal(_) => None,
            });
            found.push(Derivation { string: finished.collect(), steps: run.steps });
            continue;
        };
        run.fuel -= 1;
        let place = run.string.iter().position(|symbol| matches!(symbol, Symbol::NonTerminal(_)));
        let open = place.and_then(|place| match &run.string[place] {
            Symbol::NonTerminal(open) => Some((place, open.clone())),
            Symbol::Terminal(_) => None,
        });
        let Some((place, open)) = open.filter(|(_, open)| (production.holds)(&run.context, open)) else {
            if record {
                run.steps.push(DerivationStep {
                    label: production.label,
                    index: 0,
                    applied: false,
                    string: None,
                });
            }
            run.label = production.on_false;
            runs.push(run);
            continue;
        };
        let ways = if production.family { (production.alternatives)(&run.context, &open).max(1) } else { 1 };
        let chosen = match strategy {
            Strategy::First => 0..1,
            Strategy::All(_) => 0..ways,
            Strategy::Script(script) if production.family => {
                let index = script.get(run.choices).copied().unwrap_or(0).min(ways - 1);
                index..index + 1
            }
            Strategy::Script(_) => 0..1,
        };
        run.choices += usize::from(production.family);
        // The last choice goes on with the run itself, the others with copies of it.
        let (first, last) = (chosen.start, chosen.end - 1);
        let others: Vec<_> =
            (first..last).map(|index| run.copy().applied(production, place, &open, index, record)).collect();
        let last = run.applied(production, place, &open, last, record);
        runs.push(last);
        runs.extend(others.into_iter().rev());
    }
    found
}

impl<C: Clone, N: Clone + fmt::Display, T: Clone + fmt::Display> DerivationState<C, N, T> {
    fn copy(&self) -> Self {
        Self {
            context: self.context.clone(),
            string: self.string.clone(),
            steps: self.steps.clone(),
            ..*self
        }
    }

    fn applied(
        mut self,
        production: &Production<C, N, T>,
        place: usize,
        open: &N,
        index: usize,
        record: bool,
    ) -> Self {
        let new = (production.apply)(&mut self.context, open, index);
        let plain = new.len() == 1 && matches!(new[0], Symbol::NonTerminal(_));
        self.string.splice(place..=place, new);
        if record {
            let string = (!plain || production.label == 1).then(|| show(&self.string));
            let index = if production.family { index + 1 } else { 0 };
            self.steps.push(DerivationStep { label: production.label, index, applied: true, string });
        }
        self.label = production.on_true;
        self
    }
}

fn show<N: fmt::Display, T: fmt::Display>(string: &[Symbol<N, T>]) -> String {
    let words: Vec<String> = string
        .iter()
        .map(|symbol| match symbol {
            Symbol::NonTerminal(open) => open.to_string(),
            Symbol::Terminal(done) => done.to_string(),
        })
        .collect();
    if words.is_empty() { "e".into() } else { words.join(" ") }
}
