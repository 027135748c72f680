//! The parts of the search, each with a switch, so that what it is worth can be measured again.

use surus_play::{InvalidValue, OptionValue};

/// Declares every part once: its name, and what it does.
macro_rules! features {
    ($($name:ident: $help:literal,)+) => {
        /// Which parts of the search are on.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Features {
            $(#[doc = $help] pub(crate) $name: bool,)+
        }

        /// The parts of the search that can be switched off, each with what it does.
        pub const SWITCHES: &[(&str, &str)] = &[$((stringify!($name), $help)),+];

        impl Features {
            fn switch(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }

        impl Default for Features {
            fn default() -> Self {
                Self { $($name: true,)+ }
            }
        }
    };
}

features! {
    aspiration: "The root is searched with a window around the score before.",
    behind: "Late ways are searched still less deeply where the board is below alpha.",
    continuation: "Ways are ranked by what was done before them, too.",
    exchange: "Two independent actions are tried in one order only.",
    extensions: "A threatened goal is searched deeper, by how hard it is to stop.",
    futility: "Quiet ways are left out where the last steps can't lift the score to alpha.",
    goalarea: "Against a threatened goal the last action of a turn must touch what stops it.",
    history: "Ways are ranked by how often they were good.",
    killers: "What ended a node as far from the root is tried early.",
    latepruning: "The last quiet ways are left out at low depth.",
    nullturn: "A node ends if the side is content even without its turn.",
    passfirst: "Ending the turn is tried early if the board is good enough as it is.",
    qbehind: "A side that is behind and has to stop a goal is not looked at further.",
    qthreats: "The last turn of quiescence minds a threatened goal.",
    razoring: "Where the score is far below alpha, quiescence decides at low depth.",
    reductions: "Late quiet ways are searched less deeply.",
    repetition: "A turn that repeats a position costs something.",
    reversefutility: "A node ends at low depth if quiescence after a null turn is content.",
    reversible: "A turn that the other side can undo with steps to spare costs something.",
    tactics: "What happens around traps comes before the rest and is reduced less.",
    turnset: "A board reached again in the same turn is not searched again.",
    wholeturns: "Turns of the table and killers are played as a whole.",
}

/// The names of all parts.
pub(crate) fn names() -> Vec<&'static str> {
    SWITCHES.iter().map(|&(name, _)| name).collect()
}

impl Features {
    /// All but those of a list with plus signs, or what is wrong with it.
    pub(crate) fn without(list: &str) -> Result<Self, InvalidValue> {
        let mut features = Self::default();
        for name in list.split('+').filter(|name| !name.is_empty()) {
            match features.switch(name) {
                Some(switch) => *switch = false,
                None => {
                    let expected = format!("some of {} with + between them", names().join(", "));
                    return Err(InvalidValue { expected });
                }
            }
        }
        Ok(features)
    }
}

impl OptionValue for Features {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        Self::without(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_switches_parts_off_and_a_wrong_name_is_told_the_right_ones() {
        assert_eq!(Features::without(""), Ok(Features::default()));
        let less = Features::without("nullturn+reductions").unwrap();
        assert_eq!(less, Features { nullturn: false, reductions: false, ..Features::default() });
        assert!(Features::without("nullturn+nothing").unwrap_err().expected.contains("nullturn, passfirst"));
        for name in names() {
            assert_ne!(Features::without(name), Ok(Features::default()), "{name}");
        }
    }
}
