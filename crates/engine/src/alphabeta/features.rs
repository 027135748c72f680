//! The features of the search, each of which can be disabled to measure its effect.

use surus_play::{InvalidValue, OptionValue};

/// Declares every feature once: its name and its description.
macro_rules! features {
    ($($name:ident: $help:literal,)+) => {
        /// A set of features chosen at run time, for searches with some of them disabled.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Features {
            $(#[doc = $help] pub(crate) $name: bool,)+
        }

        /// The search features that the option `disable` accepts, each with its description.
        pub const FEATURES: &[(&str, &str)] = &[$((stringify!($name), $help)),+];

        /// The enabled features of a search. Each set is a type of its own, so that the search with all features is
        /// compiled without runtime checks.
        pub(crate) trait FeatureSet: Copy + Send + Sync {
            $(#[doc = $help] fn $name(self) -> bool;)+
        }

        impl FeatureSet for AllFeatures {
            $(#[inline] fn $name(self) -> bool { true })+
        }

        impl FeatureSet for Features {
            $(#[inline] fn $name(self) -> bool { self.$name })+
        }

        impl Features {
            fn flag_mut(&mut self, name: &str) -> Option<&mut bool> {
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

/// All features, known at compile time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AllFeatures;

// `surus lab ablation` draws features in this order, so a new one goes to the end.
features! {
    aspiration: "Aspiration window: search the root with a window around the previous score.",
    behind_reductions: "Reduce late actions further when the static evaluation is below alpha.",
    continuation_history: "Order actions by their history after the preceding action.",
    canonical_order: "Search two independent actions in one order only.",
    goal_extensions: "Extend the search when a goal must be stopped, by how hard it is to stop.",
    futility: "Futility pruning: skip quiet actions that cannot raise the score to alpha near the horizon.",
    goal_defence_filter: "When a goal must be stopped, the last action of a turn must touch a square that stops it.",
    history: "Order actions by how often they caused a cutoff.",
    killers: "Try early the turns that caused a cutoff at the same distance from the root.",
    lmp: "Late move pruning: skip the last quiet actions at low depth.",
    null_turn: "Null-turn pruning: cut off if the side to move still fails high after passing.",
    pass_first: "Try ending the turn early if the static evaluation already fails high.",
    q_futility: "In quiescence, do not search the defences of a side that is behind anyway.",
    q_threats: "Count a goal threat in the evaluation at the end of quiescence.",
    razoring: "Razoring: drop into quiescence at low depth when the score is far below alpha.",
    lmr: "Late move reductions: search late quiet actions with less depth.",
    repetition_penalty: "Penalise a turn that repeats a position.",
    reverse_futility: "Cut off at low depth if quiescence after a null turn fails high by a margin.",
    reversible_penalty: "Penalise a turn that the opponent can undo with steps to spare.",
    tactical_ordering: "Order actions around traps before quiet ones and reduce them less.",
    turn_dedup: "Do not search a board again that was reached in the same turn.",
    stored_turns: "Search the full turns of the transposition table and the killers first.",
    correction_history: "Correct the static evaluation by what searches of similar boards found.",
}

/// Names that features had before version 0.2, for an error that names the new one.
const RENAMED: &[(&str, &str)] = &[
    ("behind", "behind_reductions"),
    ("continuation", "continuation_history"),
    ("exchange", "canonical_order"),
    ("extensions", "goal_extensions"),
    ("goalarea", "goal_defence_filter"),
    ("latepruning", "lmp"),
    ("reductions", "lmr"),
    ("nullturn", "null_turn"),
    ("reversefutility", "reverse_futility"),
    ("passfirst", "pass_first"),
    ("qbehind", "q_futility"),
    ("qthreats", "q_threats"),
    ("repetition", "repetition_penalty"),
    ("reversible", "reversible_penalty"),
    ("tactics", "tactical_ordering"),
    ("turnset", "turn_dedup"),
    ("wholeturns", "stored_turns"),
];

/// The names of all features.
pub(crate) fn names() -> Vec<&'static str> {
    FEATURES.iter().map(|&(name, _)| name).collect()
}

impl Features {
    /// All features except those of a list separated by plus signs.
    pub(crate) fn with_disabled(list: &str) -> Result<Self, InvalidValue> {
        let mut features = Self::default();
        for name in list.split('+').filter(|name| !name.is_empty()) {
            let Some(flag) = features.flag_mut(name) else {
                let expected = match RENAMED.iter().find(|(old, _)| *old == name) {
                    Some((_, new)) => format!("'{new}' instead of '{name}', which was renamed"),
                    None => format!("features separated by +: {}", names().join(", ")),
                };
                return Err(InvalidValue { expected });
            };
            *flag = false;
        }
        Ok(features)
    }
}

impl OptionValue for Features {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        Self::with_disabled(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disables_listed_features_and_rejects_unknown_names() {
        assert_eq!(Features::with_disabled(""), Ok(Features::default()));
        let less = Features::with_disabled("null_turn+lmr").unwrap();
        assert_eq!(less, Features { null_turn: false, lmr: false, ..Features::default() });
        let expected = |list| Features::with_disabled(list).unwrap_err().expected;
        assert!(expected("null_turn+nothing").contains("null_turn, pass_first"));
        for name in names() {
            assert_ne!(Features::with_disabled(name), Ok(Features::default()), "{name}");
        }
    }

    #[test]
    fn renamed_features_are_rejected_with_their_new_name() {
        for (old, new) in RENAMED {
            let expected = Features::with_disabled(old).unwrap_err().expected;
            assert_eq!(expected, format!("'{new}' instead of '{old}', which was renamed"));
            assert!(names().contains(new), "{new}");
        }
    }
}
