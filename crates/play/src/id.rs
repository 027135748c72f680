//! The identity of engines.

use std::fmt;
use std::str::FromStr;

use crate::LimitKind;

/// The identity of an engine, which every result carries, and its supported limits.
///
/// Its text is one line, `name version+revision [part, part]`; two engines with the same text and options play alike.
///
/// ```
/// use surus_play::EngineId;
///
/// let id: EngineId = "mimic 0.2.0+5f1c02d9a0b3 [alphabeta 0.2.0+90ab3e5d1c77]".parse()?;
/// assert_eq!(id.parts[0].revision, "90ab3e5d1c77");
/// assert_eq!(id.to_string(), "mimic 0.2.0+5f1c02d9a0b3 [alphabeta 0.2.0+90ab3e5d1c77]");
/// # Ok::<(), surus_play::IdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineId {
    /// The name in the registry, or the name that an external engine reports.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its authors.
    pub author: String,
    /// A short hash of everything that determines its play except options; empty for an external engine whose executable
    /// is unknown.
    pub revision: String,
    /// The engines and models it uses: a fallback, an evaluation, an archive.
    pub parts: Vec<Self>,
    /// The limits it supports. An engine without any answers immediately.
    pub supported_limits: Vec<LimitKind>,
}

/// A text that is not an id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid engine id '{0}': expected 'name version+revision [parts]'")]
pub struct IdError(String);

impl EngineId {
    /// The id of an engine of this project, with a revision derived by [`crate::Revision`].
    #[must_use]
    pub fn built_in(name: &str, revision: impl Into<String>, supported_limits: &[LimitKind]) -> Self {
        Self {
            name: name.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            author: "the Surus developers".into(),
            revision: revision.into(),
            parts: Vec::new(),
            supported_limits: supported_limits.into(),
        }
    }

    /// Sets the parts.
    #[must_use]
    pub fn with_parts(self, parts: impl IntoIterator<Item = Self>) -> Self {
        Self { parts: parts.into_iter().collect(), ..self }
    }

    /// Version and revision, as protocols report them.
    #[must_use]
    pub fn full_version(&self) -> String {
        let plus = if self.revision.is_empty() { "" } else { "+" };
        format!("{}{plus}{}", self.version, self.revision)
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.full_version();
        write!(f, "{}{}{version}", self.name, if version.is_empty() { "" } else { " " })?;
        for (index, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if index == 0 { " [" } else { ", " })?;
        }
        f.write_str(if self.parts.is_empty() { "" } else { "]" })
    }
}

impl FromStr for EngineId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError(text.into());
        let (head, parts) = match text.strip_suffix(']') {
            Some(rest) => rest.split_once(" [").ok_or_else(error)?,
            None => (text, ""),
        };
        let (name, version) = head.rsplit_once(' ').unwrap_or((head, ""));
        let (version, revision) = version.rsplit_once('+').unwrap_or((version, ""));
        if name.is_empty() {
            return Err(error());
        }
        let parts = split_parts(parts).into_iter().map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self {
            name: name.into(),
            version: version.into(),
            author: String::new(),
            revision: revision.into(),
            parts,
            supported_limits: Vec::new(),
        })
    }
}

/// Splits at commas outside brackets.
fn split_parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (index, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_with_nested_parts() {
        let alphabeta = EngineId::built_in("alphabeta", "aaa", &[]);
        let geometry = EngineId::built_in("geometry", "ccc", &[]).with_parts([alphabeta.clone()]);
        let mimic = EngineId::built_in("mimic", "bbb", &[]).with_parts([geometry, alphabeta]);
        let external = EngineId {
            version: "1.0 beta".into(),
            revision: String::new(),
            ..EngineId::built_in("My Bot", "", &[])
        };
        for id in [mimic, external] {
            let text = id.to_string();
            assert_eq!(text.parse::<EngineId>().unwrap().to_string(), text);
        }
        for text in ["", "]", "x y]"] {
            assert!(text.parse::<EngineId>().is_err(), "{text}");
        }
    }
}
