//! Files with sections of `key = value`, as the programs of pyrimaa read them.

/// A line that is no section, key or comment. The line itself is not quoted, because it may be a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: expected {expected}")]
pub struct IniError {
    /// Counted from 1.
    pub line: usize,
    /// What was expected.
    pub expected: &'static str,
}

/// A parsed file.
///
/// ```
/// use surus_record::ini::Ini;
///
/// let ini = Ini::parse("[global]\nBots = a b\n# comment\n[a]\ncmdline: x\n")?;
/// assert_eq!(ini.get("global", "bots"), Some("a b"));
/// assert!(ini.has("A") && ini.get("a", "rounds").is_none());
/// # Ok::<(), surus_record::ini::IniError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ini {
    sections: Vec<(String, Vec<(String, String)>)>,
}

impl Ini {
    /// Parses a file. Keys are lower case afterwards.
    pub fn parse(text: &str) -> Result<Self, IniError> {
        let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let error = |expected| IniError { line: index + 1, expected };
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = line.strip_prefix('[') {
                let name = name.strip_suffix(']').ok_or_else(|| error("']' after the name of a section"))?;
                sections.push((name.trim().into(), Vec::new()));
            } else {
                let (key, value) = line.split_once(['=', ':']).ok_or_else(|| error("key = value"))?;
                let section = sections.last_mut().ok_or_else(|| error("a [section] before the first key"))?;
                section.1.push((key.trim().to_ascii_lowercase(), value.trim().into()));
            }
        }
        Ok(Self { sections })
    }

    /// Whether there is a section; case does not matter.
    #[must_use]
    pub fn has(&self, section: &str) -> bool {
        self.sections.iter().any(|(name, _)| name.eq_ignore_ascii_case(section))
    }

    /// Keys and values of a section; none if it does not exist.
    pub fn keys(&self, section: &str) -> impl Iterator<Item = (&str, &str)> {
        let found = self.sections.iter().find(|(name, _)| name.eq_ignore_ascii_case(section));
        found.into_iter().flat_map(|(_, keys)| keys).map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The last value of a key.
    #[must_use]
    pub fn get(&self, section: &str, key: &str) -> Option<&str> {
        self.keys(section).filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }
}
