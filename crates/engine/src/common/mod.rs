//! Code that several engines share.

pub(crate) mod action_list;
pub(crate) mod by_kind;
pub(crate) mod by_side;
pub(crate) mod material;
pub(crate) mod math;
pub(crate) mod resources;
pub(crate) mod rng;
pub(crate) mod root_turns;
pub(crate) mod score;
pub(crate) mod setups;
pub(crate) mod turn_state;
