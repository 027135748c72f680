//! The options of `mimic`.

use surus_play::{OptionKind, OptionSpec};

use crate::tier::Tier;

pub(super) static OPTIONS: [OptionSpec; 10] = [
    OptionSpec {
        name: "store",
        kind: OptionKind::Text,
        default: "",
        help: "The archive: a file, or postgres://…; the one in the user's data folder if it is empty.",
    },
    OptionSpec {
        name: "fallback",
        kind: OptionKind::Text,
        default: "random",
        help: "The engine that plays where the archive has no answer; its options are parted by semicolons.",
    },
    OptionSpec {
        name: "tiers",
        kind: OptionKind::Text,
        default: "win+full+middle+area+piece",
        help: "What is asked after the setups, in this order.",
    },
    OptionSpec {
        name: "time",
        kind: OptionKind::Real(0.001, 3600.0),
        default: "30",
        help: "Seconds after which no further tier is asked.",
    },
    OptionSpec {
        name: "symmetry",
        kind: OptionKind::Switch,
        default: "true",
        help: "Whether mirror images and exchanged sides count.",
    },
    OptionSpec {
        name: "center",
        kind: OptionKind::Choice(&["piece", "trap"]),
        default: "piece",
        help: "What the area of a specific piece is around: the piece, or the trap nearest to it.",
    },
    OptionSpec {
        name: "fullboard_until",
        kind: OptionKind::Whole(0, 100_000),
        default: "0",
        help: "The last turn in which the full board is asked for; 0 for always.",
    },
    OptionSpec {
        name: "exact",
        kind: OptionKind::Choice(&["off", "one", "two"]),
        default: "off",
        help: "Search for a goal in one turn, or in two, instead of asking the list of wins.",
    },
    OptionSpec {
        name: "learn",
        kind: OptionKind::Switch,
        default: "false",
        help: "Add its own games to the archive when they are over.",
    },
    OptionSpec {
        name: "guarded",
        kind: OptionKind::Switch,
        default: "false",
        help: "Take a goal where there is one, and play nothing that loses to a goal at once.",
    },
];

/// The tiers of a text like `full+area`.
pub(super) fn tiers(text: &str) -> Vec<Tier> {
    text.split('+').filter_map(|word| word.trim().parse().ok()).collect()
}

/// What is expected, if the text names something else than tiers of play.
pub(super) fn check_tiers(text: &str) -> Result<(), String> {
    let known = |word: &str| {
        word.trim().parse::<Tier>().is_ok_and(|tier| !matches!(tier, Tier::Setup | Tier::Answer))
    };
    let fits = text.is_empty() || text.split('+').all(known);
    if fits { Ok(()) } else { Err("some of win, full, middle, area, piece with + between them".into()) }
}
