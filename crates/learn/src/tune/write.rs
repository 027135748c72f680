//! Writes fitted parameters back into the text of the table.

use std::fmt::Write;

use surus_engine::eval::{Spec, TERMS};

/// Why a text is not the table.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A term is not in it.
    #[error("the table has no term `{0}[{1}] = [ … ];`")]
    NoTerm(&'static str, usize),
}

/// The text of the table with other numbers; everything else stays.
pub fn rewritten(text: &str, weights: &[f64]) -> Result<String, WriteError> {
    let mut text = text.to_owned();
    for spec in &TERMS {
        let missing = || WriteError::NoTerm(spec.name, spec.term.len);
        let head = format!("{}[{}] = ", spec.name, spec.term.len);
        let from = text.find(&head).ok_or_else(missing)? + head.len();
        let to = from + text[from..].find("];").ok_or_else(missing)? + 1;
        text.replace_range(from..to, &values(spec, weights));
    }
    Ok(text)
}

/// The numbers of a term in rows that show its shape.
fn values(spec: &Spec, weights: &[f64]) -> String {
    let own = &weights[spec.term.first..spec.term.first + spec.term.len];
    let row = [8, 6, 9, 5, 3]
        .into_iter()
        .find(|&row| row < own.len() && own.len().is_multiple_of(row))
        .unwrap_or(own.len());
    let mut text = String::from("[\n");
    for row in own.chunks(row) {
        let numbers: Vec<String> = row.iter().map(|weight| format!("{}", weight.round() as i64)).collect();
        let _ = writeln!(text, "        {},", numbers.join(", "));
    }
    text + "    ]"
}
