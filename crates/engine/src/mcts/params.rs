//! Every key of the configuration: what it takes, what it is in each preset, what it does.
//!
//! One line here makes the option, the field of [`Config`], the line of `--print-config` and the row of the documents.

use surus_play::{OptionKind, option_enum};

use crate::eval::Weights;

option_enum! {
    /// What a child of the root is.
    pub(crate) enum Root { Steps = "steps", Turns = "turns" }
}
option_enum! {
    /// How exploration and exploitation are weighed.
    pub(crate) enum Formula { Ucb1 = "ucb1", Tuned = "tuned", Puct = "puct" }
}
option_enum! {
    /// Where the exploration constant comes from.
    pub(crate) enum Exploration { Fixed = "fixed", Decay = "decay", Variance = "variance" }
}
option_enum! {
    /// What virtual visits are worth.
    pub(crate) enum Urgency { Zero = "zero", Parent = "parent" }
}
option_enum! {
    /// How much more a late result weighs.
    pub(crate) enum Growth { Off = "off", Log = "log", Root = "sqrt" }
}
option_enum! {
    /// How a playout ends.
    pub(crate) enum Length { Short = "short", Whole = "whole" }
}
option_enum! {
    /// What steps a playout chooses from.
    pub(crate) enum Generation { Turns = "turns", Steps = "steps" }
}
option_enum! {
    /// How a playout chooses.
    pub(crate) enum Selection { Best = "best", Roulette = "roulette" }
}
option_enum! {
    /// Who judges the end of a playout.
    pub(crate) enum Judge { Akimot = "akimot", AlphaBeta = "alphabeta" }
}
option_enum! {
    /// How threads work together.
    pub(crate) enum Parallel { Tree = "tree", Island = "island", Root = "root", Leaf = "leaf" }
}

/// The number of options that no preset changes; they come first.
pub(crate) const GENERAL: usize = 6;

/// Declares the options with two columns of values, `best` and `akimot`.
macro_rules! keys {
    ($($name:ident: $type:ty = $kind:expr, $best:literal, $akimot:literal, $help:literal;)+) => {
        surus_play::options! {
            /// All values, ready for use.
            pub(crate) struct Config {
                preset: String = OptionKind::Choice(&["best", "akimot"]), "best",
                    "Sets every key below it: to the best values we found, or to the document's.";
                config: String = OptionKind::Text, "",
                    "A file of key = value lines to read, as --print-config prints them.";
                seed: u64 = OptionKind::Whole(0, i64::MAX), "1",
                    "Where chance begins; the same seed with one thread and a limit of playouts plays the same games.";
                threads: u64 = OptionKind::Whole(1, 1024), "1", "Threads to search with.";
                memory: u64 = OptionKind::Whole(1, 1 << 20), "256",
                    "Megabytes for the tree and all that belongs to it; cold nodes are recycled beyond that.";
                weights: Weights = OptionKind::Text, "",
                    "A weights file for judge=alphabeta; empty for the embedded weights.";
                $($name: $type = $kind, $best, $help;)+
            }
        }

        /// The document's values, in the order of the table.
        pub(crate) const AKIMOT: &[(&str, &str)] = &[$((stringify!($name), $akimot),)+];
    };
}

const SHARE: OptionKind = OptionKind::Real(0.0, 1.0);
const NUMBER: OptionKind = OptionKind::Real(-1000.0, 1000.0);
const WORTH: OptionKind = OptionKind::Whole(-1_000_000, 1_000_000);
const SWITCH: OptionKind = OptionKind::Switch;

keys! {
    root: Root = OptionKind::Choice(Root::WORDS), "steps", "steps", "What a child of the root is: a step, or a whole turn to study the easy way effect.";
    formula: Formula = OptionKind::Choice(Formula::WORDS), "ucb1", "ucb1", "How children are chosen: UCB1, UCB-tuned, or PUCT with priors from step knowledge.";
    c: f32 = OptionKind::Real(0.0, 100.0), "0.2", "0.2", "The exploration constant.";
    exploration: Exploration = OptionKind::Choice(Exploration::WORDS), "fixed", "fixed", "Where the exploration constant comes from: c, decay with visits, or the variance of results.";
    decay: f32 = NUMBER, "4", "4", "k of c = max(0.01, min(0.25, k / sqrt(n))).";
    variance: f32 = NUMBER, "1", "1", "k of c = max(0.01, min(0.25, k times the variance of results)).";
    tunedscale: f32 = OptionKind::Real(0.0, 100.0), "1", "1", "What the width of UCB-tuned is multiplied by.";
    virtualvisits: u64 = OptionKind::Whole(0, 1000), "3", "5", "Games that every node begins with.";
    virtualvalue: Urgency = OptionKind::Choice(Urgency::WORDS), "parent", "zero", "What virtual visits are worth: nothing, or as much as the parent at that time.";
    fpu: f32 = NUMBER, "1.1", "1.1", "The value of a child without a visit, where there are no virtual visits.";
    relativeupdate: Growth = OptionKind::Choice(Growth::WORDS), "off", "off", "Whether a result weighs more the more visits a node has, by which function.";
    maturity: u64 = OptionKind::Whole(0, 1_000_000), "0", "5", "Visits before a node gets children.";
    maturitydepth: bool = SWITCH, "false", "true", "Whether as many visits more are needed as the node is deep.";
    treeknowledge: bool = SWITCH, "true", "true", "Progressive bias: the value of a step by knowledge, over its visits.";
    treeweight: f32 = NUMBER, "1", "5", "How much the knowledge of a step counts in the tree.";
    history: bool = SWITCH, "true", "true", "The mean value of a step everywhere in the tree, over the root of its visits.";
    historyweight: f32 = NUMBER, "0.5", "1", "How much that history counts.";
    rave: bool = SWITCH, "false", "false", "UCT-RAVE: steps of the simulation count as if they had been played first.";
    ravevisits: f32 = OptionKind::Real(1.0, 1e9), "1000", "1000", "The visits at which a RAVE value counts half.";
    transpositions: bool = SWITCH, "true", "true", "UCT2: nodes with the same position share their value and their children.";
    cache: bool = SWITCH, "true", "true", "Children caching: between flushes only the best few children are looked at.";
    cachevisits: u64 = OptionKind::Whole(1, 1_000_000), "50", "50", "Visits from which on a node caches.";
    cachesize: u64 = OptionKind::Whole(1, 8), "5", "5", "Children in the cache.";
    prior: f32 = OptionKind::Real(0.01, 100.0), "0.5", "0.5", "The temperature that makes priors for PUCT of step knowledge.";
    length: Length = OptionKind::Choice(Length::WORDS), "short", "short", "Playouts of a few turns that are judged, or to the end of the game.";
    shortest: u64 = OptionKind::Whole(0, 100), "0", "1", "The fewest turns of a short playout.";
    longest: u64 = OptionKind::Whole(0, 100), "0", "4", "The most turns of a short playout.";
    generation: Generation = OptionKind::Choice(Generation::WORDS), "turns", "turns", "Turn oriented: a few pieces are chosen for each turn. Step oriented: all steps are candidates.";
    fewestpieces: u64 = OptionKind::Whole(1, 16), "2", "2", "The fewest pieces of a turn in a playout.";
    mostpieces: u64 = OptionKind::Whole(1, 16), "3", "3", "The most pieces of a turn in a playout.";
    selection: Selection = OptionKind::Choice(Selection::WORDS), "best", "best", "The best of a few candidates, or by lot in proportion to their values.";
    candidates: u64 = OptionKind::Whole(1, 64), "3", "3", "How many random candidates are compared.";
    playoutknowledge: bool = SWITCH, "true", "true", "Whether candidates are compared by knowledge; else any is taken.";
    judge: Judge = OptionKind::Choice(Judge::WORDS), "alphabeta", "akimot", "Who judges the end of a playout.";
    goalcheck: bool = SWITCH, "true", "true", "Whether a goal within the next turn decides before the judge.";
    trapcheck: f32 = SHARE, "0", "0", "Trap check: the share of its worth that counts of the dearest piece that the side to move can capture.";
    lambda: f32 = OptionKind::Real(0.0, 1.0), "0.0019878", "0.0019878", "The slope of the sigmoid.";
    rabbit: i32 = WORTH, "50", "50", "The worth of a rabbit.";
    cat: i32 = WORTH, "150", "150", "The worth of a cat.";
    dog: i32 = WORTH, "250", "250", "The worth of a dog.";
    horse: i32 = WORTH, "495", "495", "The worth of a horse.";
    camel: i32 = WORTH, "663", "663", "The worth of a camel.";
    elephant: i32 = WORTH, "1072", "1072", "The worth of an elephant.";
    rabbits7: i32 = WORTH, "8", "8", "The penalty for having seven rabbits.";
    rabbits6: i32 = WORTH, "25", "25", "The penalty for having six rabbits.";
    rabbits5: i32 = WORTH, "55", "55", "The penalty for having five rabbits.";
    rabbits4: i32 = WORTH, "100", "100", "The penalty for having four rabbits.";
    rabbits3: i32 = WORTH, "170", "170", "The penalty for having three rabbits.";
    rabbits2: i32 = WORTH, "280", "280", "The penalty for having two rabbits.";
    rabbits1: i32 = WORTH, "450", "450", "The penalty for having one rabbit.";
    rabbits0: i32 = WORTH, "2000", "2000", "The penalty for having no rabbit.";
    frozenrabbit: f32 = SHARE, "0.05", "0.05", "The share of its worth that a frozen rabbit loses.";
    frozencat: f32 = SHARE, "0.1", "0.1", "The share of its worth that a frozen cat loses.";
    frozendog: f32 = SHARE, "0.12", "0.12", "The share of its worth that a frozen dog loses.";
    frozenhorse: f32 = SHARE, "0.15", "0.15", "The share of its worth that a frozen horse loses.";
    frozencamel: f32 = SHARE, "0.2", "0.2", "The share of its worth that a frozen camel loses.";
    trapguards0: i32 = WORTH, "0", "0", "A trap without own guards.";
    trapguards1: i32 = WORTH, "15", "15", "A trap with one own guard.";
    trapguards2: i32 = WORTH, "45", "45", "A trap with two own guards.";
    trapguards3: i32 = WORTH, "55", "55", "A trap with three own guards.";
    trapguards4: i32 = WORTH, "50", "50", "A trap with four own guards.";
    trapenemy: i32 = WORTH, "-8", "-8", "Each enemy guard of a trap.";
    trapdominant: i32 = WORTH, "30", "30", "The strongest guard of a trap is one's own.";
    traphome: f32 = OptionKind::Real(0.0, 10.0), "1", "1", "How much the traps of the own side count.";
    trapaway: f32 = OptionKind::Real(0.0, 10.0), "1", "1", "How much the traps of the other side count.";
    trapprey: i32 = WORTH, "10", "10", "A weaker enemy piece next to a trap whose strongest guard is one's own.";
    trapstanding: i32 = WORTH, "-20", "-20", "An own piece on a trap that only one friend guards.";
    frame: f32 = SHARE, "0.4", "0.4", "The share of its worth that a framed piece loses.";
    pin: f32 = SHARE, "0.1", "0.1", "The share of its worth that a pinned piece loses.";
    pinweak: f32 = SHARE, "0.15", "0.15", "What it loses more if it is not the strongest piece around.";
    hostage: i32 = WORTH, "80", "80", "The penalty for a camel that is held hostage.";
    blockade: i32 = WORTH, "300", "300", "The penalty for an elephant that can't move at all.";
    stepelephant: f32 = NUMBER, "0.2", "0.2", "Step knowledge: the elephant moves.";
    stepinverse: f32 = NUMBER, "-2", "-2", "Step knowledge: the step takes the last one back.";
    stepdisplace: f32 = NUMBER, "0.3", "0.3", "Step knowledge: a push or pull.";
    stepkill: f32 = NUMBER, "3", "3", "Step knowledge: an enemy piece is captured.";
    stepsuicide: f32 = NUMBER, "-4", "-4", "Step knowledge: an own piece is lost, unless a goal can follow.";
    steprabbit: f32 = NUMBER, "-0.3", "-0.3", "Step knowledge: a rabbit moves with all pieces on the board.";
    steprabbitlate: f32 = NUMBER, "0.6", "0.6", "Step knowledge: a rabbit moves with few pieces left.";
    steplocal: f32 = NUMBER, "0.4", "0.4", "Step knowledge: near the step before.";
    advisor: bool = SWITCH, "false", "true", "Move Advisor: captures found in the tree are tried in playouts.";
    advisorshare: f32 = SHARE, "0.2", "0.2", "How often the advisor is asked for a turn of a playout.";
    advisorsize: u64 = OptionKind::Whole(1, 65_536), "256", "256", "Sequences that the advisor keeps for each side.";
    advisorc: f32 = OptionKind::Real(0.0, 100.0), "0.2", "0.2", "The exploration constant of the advisor.";
    parallel: Parallel = OptionKind::Choice(Parallel::WORDS), "tree", "island", "How threads work together.";
    virtualloss: u64 = OptionKind::Whole(0, 100), "1", "1", "Lost games that a node counts while a thread is below it.";
    sync: f32 = SHARE, "0.1", "0.1", "Islands: how often a node is synchronised with the master tree.";
    solver: bool = SWITCH, "true", "false", "Wins and losses that are proved are exact everywhere in the tree.";
    reuse: bool = SWITCH, "true", "false", "The part of the tree that is still of use is kept between turns.";
    easyturns: bool = SWITCH, "true", "false", "An obvious turn is played before its time is used up.";
}
