//! Options as typed values: declared once, parsed and validated when they are set.

use std::ops::Deref;

use crate::{OptionError, OptionSpec, Options};

/// A text that is not a value of the option's type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}")]
pub struct InvalidValue {
    /// The valid values.
    pub expected: String,
}

/// A type that an option can have.
pub trait OptionValue: Sized {
    /// Parses a value that the option's kind has accepted.
    fn parse(text: &str) -> Result<Self, InvalidValue>;
}

macro_rules! by_from_str {
    ($($type:ty: $expected:literal),+) => {
        $(impl OptionValue for $type {
            fn parse(text: &str) -> Result<Self, InvalidValue> {
                text.parse().map_err(|_| InvalidValue { expected: $expected.into() })
            }
        })+
    };
}

by_from_str! {
    u8: "an integer from 0 to 255", u32: "an integer from 0 to 4294967295", u64: "an integer from 0",
    i32: "an integer", f32: "a number", f64: "a number", bool: "true or false", String: "a text"
}

/// The options of one engine, as [`options!`](crate::options) declares them.
pub trait OptionSet: Clone {
    /// Names, kinds, defaults and help.
    const SPECS: &'static [OptionSpec];

    /// Former names with the present ones, for error messages only.
    const RENAMED: &'static [(&'static str, &'static str)] = &[];

    /// All options at their defaults.
    fn defaults() -> Self;

    /// Assigns a value by its name in [`Self::SPECS`].
    fn assign(&mut self, name: &str, text: &str) -> Result<(), InvalidValue>;
}

/// A table of options together with their typed values, which it dereferences to.
#[derive(Clone, Debug)]
pub struct TypedOptions<C> {
    table: Options,
    values: C,
}

impl<C: OptionSet> Default for TypedOptions<C> {
    fn default() -> Self {
        Self { table: Options::new(C::SPECS), values: C::defaults() }
    }
}

impl<C: OptionSet> TypedOptions<C> {
    /// The table, for protocols and help.
    #[must_use]
    pub const fn table(&self) -> &Options {
        &self.table
    }

    /// Sets an option if the value is valid; otherwise nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let mut table = self.table.clone();
        table.set(name, value).map_err(|error| renamed::<C>(error))?;
        let Some(spec) = C::SPECS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            return Ok(());
        };
        self.values.assign(spec.name, value).map_err(|InvalidValue { expected }| {
            OptionError::InvalidValue { name: spec.name.into(), value: value.into(), expected }
        })?;
        self.table = table;
        Ok(())
    }
}

/// Names the new option where an unknown one is a former name.
fn renamed<C: OptionSet>(error: OptionError) -> OptionError {
    let OptionError::Unknown { name, known } = error else { return error };
    match C::RENAMED.iter().find(|(old, _)| name.eq_ignore_ascii_case(old)) {
        Some(&(_, new_name)) => OptionError::Renamed { name, new_name },
        None => OptionError::Unknown { name, known },
    }
}

impl<C> Deref for TypedOptions<C> {
    type Target = C;

    fn deref(&self) -> &C {
        &self.values
    }
}

/// The default of an option.
///
/// # Panics
/// If the default in the declaration is not valid for its type; creating the engine in a test shows that.
#[doc(hidden)]
#[must_use]
pub fn default_value<T: OptionValue>(name: &str, text: &str) -> T {
    T::parse(text).unwrap_or_else(|error| panic!("default '{text}' of option '{name}': {error}"))
}

/// Declares the options of an engine: a struct of typed values and the table that protocols, help and files read.
///
/// ```
/// use surus_play::{OptionKind, TypedOptions};
///
/// surus_play::options! {
///     /// The options of an example.
///     pub struct ExampleOptions {
///         seed: u64 = OptionKind::Int(0, 9), "1", "The seed of its random numbers.";
///         trace: bool = OptionKind::Bool, "false", "Whether it reports every step.";
///     }
/// }
///
/// let mut options = TypedOptions::<ExampleOptions>::default();
/// options.set("Seed", "7")?;
/// assert_eq!((options.seed, options.trace), (7, false));
/// assert!(options.set("seed", "10").is_err() && options.set("sed", "1").is_err());
/// # Ok::<(), surus_play::OptionError>(())
/// ```
///
/// After the struct's name, `renamed(&[("old", "new"), …])` lists former names: setting one is an error that names the
/// new one.
#[macro_export]
macro_rules! options {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident $(renamed($renamed:expr))? {
            $($field:ident: $type:ty = $kind:expr, $default:expr, $help:literal;)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        $vis struct $name {
            $(#[doc = $help] $vis $field: $type,)+
        }

        impl $crate::OptionSet for $name {
            const SPECS: &'static [$crate::OptionSpec] = &[$(
                $crate::OptionSpec { name: stringify!($field), kind: $kind, default: $default, help: $help },
            )+];

            $(const RENAMED: &'static [(&'static str, &'static str)] = $renamed;)?

            fn defaults() -> Self {
                Self { $($field: $crate::default_value(stringify!($field), $default),)+ }
            }

            fn assign(&mut self, name: &str, text: &str) -> Result<(), $crate::InvalidValue> {
                match name {
                    $(stringify!($field) => self.$field = $crate::OptionValue::parse(text)?,)+
                    _ => {}
                }
                Ok(())
            }
        }
    };
}

/// Declares an enum that an option chooses from by words.
#[macro_export]
macro_rules! option_enum {
    ($(#[$doc:meta])* $vis:vis enum $name:ident { $($variant:ident = $word:literal),+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis enum $name { $(#[doc = $word] $variant),+ }

        impl $name {
            /// The words of its values.
            $vis const WORDS: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::OptionValue for $name {
            fn parse(text: &str) -> Result<Self, $crate::InvalidValue> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::InvalidValue { expected: format!("one of {}", Self::WORDS.join(", ")) }),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OptionKind;

    crate::option_enum! {
        /// Two modes.
        enum Mode { Fast = "fast", Slow = "slow" }
    }

    crate::options! {
        struct TestOptions renamed(&[("style", "mode")]) {
            seed: u8 = OptionKind::Int(0, 1000), "1", "Seed.";
            mode: Mode = OptionKind::Choice(Mode::WORDS), "fast", "Mode.";
        }
    }

    #[test]
    fn invalid_values_change_nothing() {
        let mut options = TypedOptions::<TestOptions>::default();
        options.set("mode", "slow").unwrap();
        for (name, value, message) in [
            ("seed", "300", "invalid value '300' for option 'seed': expected an integer from 0 to 255"),
            ("mode", "medium", "invalid value 'medium' for option 'mode': expected one of fast, slow"),
            ("speed", "1", "unknown option 'speed': expected seed, mode"),
            ("Style", "slow", "unknown option 'Style': renamed to 'mode'"),
        ] {
            assert_eq!(options.set(name, value).unwrap_err().to_string(), message);
        }
        assert_eq!((options.seed, options.mode), (1, Mode::Slow));
        let texts: Vec<&str> = options.table().iter().map(|(_, value)| value).collect();
        assert_eq!(texts, ["1", "slow"]);
    }
}
