//! Controlled grammars \[LG\]: tables of productions and their interpreter.
//!
//! A production applies to the leftmost non-terminal of the string. If its condition holds, the non-terminal is
//! replaced and the derivation continues with a label of F_T, otherwise with a label of F_F. A family such as 2_1,
//! 2_2, … is one production with an index; the choice of the index is the only non-determinism.
//!
//! Nothing here uses the bitboard functions of the rest of the crate: these tables are the reference that tests compare
//! those with.

mod advance;
mod cut;
mod maps;
mod trajectories;
mod translation;
mod zone_context;

pub use advance::{ADVANCE, derive_advance};
pub use cut::{CUT, derive_cut};
pub use maps::{MAX_DISTANCE, Relation, map, relation, reverse_map};
pub use trajectories::{
    CellTerminal, G_T1, G_T2, TrajectoryContext, TrajectoryNonTerminal, derive_trajectories,
};
pub use translation::{TRANSLATION, TranslationContext, TranslationNonTerminal, derive_translation};
pub use zone_context::{CellVector, TrajectoryTerminal, ZoneContext, ZoneNonTerminal};

use std::fmt;

/// A symbol of the string.
#[derive(Clone, Debug)]
pub enum Symbol<N, T> {
    /// Will be rewritten.
    NonTerminal(N),
    /// Final.
    Terminal(T),
}

/// A row of the table.
pub struct Production<C, N, T> {
    /// The label of the production or family.
    pub label: u8,
    /// Whether this is a family, one production per index.
    pub family: bool,
    /// The condition Q as printed.
    pub condition: &'static str,
    /// The kernel with its parameters as printed.
    pub kernel: &'static str,
    /// The assignments as printed.
    pub assigns: &'static str,
    /// Evaluates the condition Q.
    pub holds: fn(&C, &N) -> bool,
    /// The number of productions of the family in this state.
    pub alternatives: fn(&C, &N) -> usize,
    /// Makes the assignments and returns the right-hand side of the kernel; the index counts from 0.
    pub apply: fn(&mut C, &N, usize) -> Vec<Symbol<N, T>>,
    /// F_T: the next label if the condition holds; `None` ends the derivation.
    pub on_true: Option<u8>,
    /// F_F: the next label if the condition does not hold.
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
    /// One index, from 0, for each application of a family, clamped to the family's size; 0 after the end of the list.
    Script(Vec<usize>),
    /// All, up to this number of strings.
    All(usize),
}

/// A production that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivationStep {
    /// The label.
    pub label: u8,
    /// The index within the family, from 1; 0 if there is no family.
    pub index: usize,
    /// Whether its condition held.
    pub applied: bool,
    /// The string afterwards, unless only the parameters of its last symbol changed.
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

/// A string of the language with its derivation.
#[derive(Clone, Debug)]
pub struct Derivation<T> {
    /// The terminals.
    pub string: Vec<T>,
    /// Every production tried, if recorded.
    pub steps: Vec<DerivationStep>,
}

/// A bound against infinite loops in a table.
const MAX_APPLICATIONS: usize = 1 << 20;

struct DerivationState<C, N, T> {
    context: C,
    string: Vec<Symbol<N, T>>,
    label: Option<u8>,
    choices: usize,
    fuel: usize,
    steps: Vec<DerivationStep>,
}

/// Derives all strings that the strategy selects, starting with the first production of the table.
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
    let limit = if let Strategy::All(limit) = strategy { *limit } else { 1 };
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
        if found.len() == limit {
            break;
        }
        let production = run.label.and_then(|label| grammar.iter().find(|p| p.label == label));
        let Some(production) = production.filter(|_| run.fuel > 0) else {
            let finished = run.string.into_iter().filter_map(|symbol| match symbol {
                Symbol::Terminal(terminal) => Some(terminal),
                Symbol::NonTerminal(_) => None,
            });
            found.push(Derivation { string: finished.collect(), steps: run.steps });
            continue;
        };
        run.fuel -= 1;
        let offset = run.string.iter().position(|symbol| matches!(symbol, Symbol::NonTerminal(_)));
        let non_terminal = offset.and_then(|offset| match &run.string[offset] {
            Symbol::NonTerminal(non_terminal) => Some((offset, non_terminal.clone())),
            Symbol::Terminal(_) => None,
        });
        let Some((offset, non_terminal)) =
            non_terminal.filter(|(_, non_terminal)| (production.holds)(&run.context, non_terminal))
        else {
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
        let alternatives =
            if production.family { (production.alternatives)(&run.context, &non_terminal).max(1) } else { 1 };
        let chosen = match strategy {
            Strategy::First => 0..1,
            Strategy::All(_) => 0..alternatives,
            Strategy::Script(script) if production.family => {
                let index = script.get(run.choices).copied().unwrap_or(0).min(alternatives - 1);
                index..index + 1
            }
            Strategy::Script(_) => 0..1,
        };
        run.choices += usize::from(production.family);
        // The last alternative reuses the state, the others copy it.
        let (first, last) = (chosen.start, chosen.end - 1);
        let others: Vec<_> = (first..last)
            .map(|index| run.copy().apply_production(production, offset, &non_terminal, index, record))
            .collect();
        let last = run.apply_production(production, offset, &non_terminal, last, record);
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

    fn apply_production(
        mut self,
        production: &Production<C, N, T>,
        offset: usize,
        non_terminal: &N,
        index: usize,
        record: bool,
    ) -> Self {
        let new = (production.apply)(&mut self.context, non_terminal, index);
        let plain = new.len() == 1 && matches!(new[0], Symbol::NonTerminal(_));
        self.string.splice(offset..=offset, new);
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
    let symbols: Vec<String> = string
        .iter()
        .map(|symbol| match symbol {
            Symbol::NonTerminal(non_terminal) => non_terminal.to_string(),
            Symbol::Terminal(terminal) => terminal.to_string(),
        })
        .collect();
    if symbols.is_empty() { "e".into() } else { symbols.join(" ") }
}
