//! The options of `mimic`.

use surus_play::{InvalidValue, OptionKind, OptionValue, option_enum, options};

use crate::lookup::Tier;
use crate::view::AreaCenter;

options! {
    /// The options of `mimic`.
    pub(super) struct MimicOptions renamed(&[
        ("store", "db"),
        ("time", "lookup_time"),
        ("fullboard_until", "full_until_turn"),
        ("exact", "goal_search"),
        ("guarded", "avoid_goal_loss"),
    ]) {
        db: String = OptionKind::Str, "",
            "The archive: a file or postgres://…; empty for the default in the user data directory.";
        fallback: String = OptionKind::Str, "random",
            "The engine that plays if no tier has a hit; its options are separated by semicolons.";
        tiers: Tiers = OptionKind::Str, "win+full+middle+area+piece",
            "The tiers to look up after the setups, in this order.";
        lookup_time: f64 = OptionKind::Float(0.001, 3600.0), "30", "Seconds after which no further tier is looked up.";
        symmetry: bool = OptionKind::Bool, "true", "Match mirrored positions and positions with sides swapped.";
        center: AreaCenter = OptionKind::Choice(&["piece", "trap"]), "piece",
            "The centre of a specific piece's area: the piece or its nearest trap.";
        full_until_turn: u32 = OptionKind::Int(0, 100_000), "0",
            "Last turn in which the full board is looked up; 0 for always.";
        goal_search: GoalSearch = OptionKind::Choice(GoalSearch::WORDS), "off",
            "Search for a goal in one or two turns instead of using the list of known wins.";
        learn: bool = OptionKind::Bool, "false", "Add finished games to the archive.";
        avoid_goal_loss: bool = OptionKind::Bool, "false",
            "Play a goal if there is one, and avoid turns that allow one.";
    }
}

option_enum! {
    /// How far ahead to search for a goal.
    pub(super) enum GoalSearch { Off = "off", One = "one", Two = "two" }
}

/// A list of tiers such as `full+area`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tiers(pub(super) Vec<Tier>);

impl OptionValue for Tiers {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        let tier = |word: &str| {
            let tier: Option<Tier> = word.trim().parse().ok();
            tier.filter(|tier| !matches!(tier, Tier::Setup | Tier::SetupReply))
        };
        let names = text.split('+').filter(|_| !text.is_empty());
        names.map(tier).collect::<Option<_>>().map(Self).ok_or_else(|| InvalidValue {
            expected: "tiers among win, full, middle, area, piece, joined by +".into(),
        })
    }
}

impl OptionValue for AreaCenter {
    fn parse(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "piece" => Ok(Self::Piece),
            "trap" => Ok(Self::Trap),
            _ => Err(InvalidValue { expected: "piece or trap".into() }),
        }
    }
}
