//! The text of answers: lines `key=value`, with percent signs and newlines escaped.

use std::fmt;

/// Escapes a value: `%` becomes `%25`, then a newline `%13`, which is not its hexadecimal code.
///
/// ```
/// use surus_gameroom::protocol::{escape, unescape};
///
/// assert_eq!(escape("50%\nof it"), "50%25%13of it");
/// assert_eq!(unescape("50%25%13of it"), "50%\nof it");
/// ```
#[must_use]
pub fn escape(value: &str) -> String {
    value.replace('%', "%25").replace('\n', "%13")
}

/// Undoes [`escape`]. Nothing else is decoded: `%41` and `+` stay as they are. The text is read from left to right, so
/// that an escaped percent sign never combines with the digits that follow it.
#[must_use]
pub fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(index) = rest.find('%') {
        text.push_str(&rest[..index]);
        rest = &rest[index..];
        let (decoded, length) = match rest.get(..3) {
            Some("%13") => ('\n', 3),
            Some("%25") => ('%', 3),
            _ => ('%', 1),
        };
        text.push(decoded);
        rest = &rest[length..];
    }
    text + rest
}

/// The fields of an answer, in order. Answers are small, so lookups are linear.
///
/// ```
/// use surus_gameroom::protocol::Fields;
///
/// let fields = Fields::parse("&junkvar=xxxx\nsid=12\nmoves=1w Ra1%131b\n--END--\n");
/// assert_eq!(fields.get("moves"), Some("1w Ra1\n1b"));
/// assert_eq!(fields.iter().count(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses an answer. Lines without `=`, such as the end mark, and the padding at the beginning are skipped.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let field = |line: &str| {
            let (key, value) = line.strip_suffix('\r').unwrap_or(line).split_once('=')?;
            let keep = !key.is_empty() && key.trim_start_matches('&') != "junkvar";
            keep.then(|| (key.to_owned(), unescape(value)))
        };
        Self(text.split('\n').filter_map(field).collect())
    }

    /// The first value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// A value that is not empty.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).filter(|value| !value.is_empty())
    }

    /// A number, if the field has one.
    #[must_use]
    pub fn number<N: std::str::FromStr>(&self, key: &str) -> Option<N> {
        self.text(key)?.trim().parse().ok()
    }

    /// A flag: any number except zero.
    #[must_use]
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.number::<i64>(key).map(|number| number != 0)
    }

    /// Appends a field.
    pub fn push(&mut self, key: impl Into<String>, value: impl fmt::Display) {
        self.0.push((key.into(), value.to_string()));
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there are no fields, as in an answer that was cut off or is of another kind.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Moves the lines of a list entry into one value, which is escaped again when the list is written.
    pub fn push_block(&mut self, key: impl Into<String>, block: &Self) {
        let lines: String = block.iter().map(|(key, value)| format!("{key}={}\n", escape(value))).collect();
        self.push(key, lines);
    }
}

impl<K: Into<String>, V: fmt::Display> FromIterator<(K, V)> for Fields {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(fields: I) -> Self {
        Self(fields.into_iter().map(|(key, value)| (key.into(), value.to_string())).collect())
    }
}

impl fmt::Display for Fields {
    /// The text of an answer, without padding and end mark.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(key, value)| writeln!(f, "{key}={}", escape(value)))
    }
}

impl fmt::Debug for Fields {
    /// Only the keys: values may contain session ids.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(key, _)| key)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_percent_signs_and_newlines_are_decoded() {
        assert_eq!(unescape("%2513 %41 + %0A %1 %"), "%13 %41 + %0A %1 %");
        assert_eq!(unescape("ä%13ö%25%"), "ä\nö%%");
    }

    #[test]
    fn answers_are_read_with_padding_end_mark_and_carriage_returns() {
        let fields = Fields::parse("&junkvar=xxxxxxxx\r\nsid=a=b\r\nempty=\n=no key\nno value\n--END--");
        assert_eq!(fields.iter().collect::<Vec<_>>(), [("sid", "a=b"), ("empty", "")]);
        assert_eq!((fields.text("empty"), fields.get("empty")), (None, Some("")));
        assert_eq!(format!("{fields:?}"), r#"["sid", "empty"]"#);
    }

    #[test]
    fn blocks_are_escaped_twice() {
        let block: Fields = [("player", "100%\nsure")].into_iter().collect();
        let mut list = Fields::default();
        list.push_block("7:w", &block);
        assert_eq!(list.to_string(), "7:w=player=100%2525%2513sure%13\n");
        let read = Fields::parse(&list.to_string());
        assert_eq!(Fields::parse(read.get("7:w").unwrap()), block);
    }
}
