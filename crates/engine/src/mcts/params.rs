//! Every key of the configuration: its values, its value in each preset and its description.
//!
//! One line here makes the option, the field of [`Config`], the line of `--print-config` and the row of the docs.

use surus_play::{OptionKind, option_enum};

use crate::eval::Evaluation;
use crate::ordering::ActionModel;

option_enum! {
    /// What a child of the root is.
    pub(crate) enum RootChildren { Steps = "steps", Turns = "turns" }
}
option_enum! {
    /// How exploration and exploitation are balanced.
    pub(crate) enum TreePolicy { Ucb1 = "ucb1", UcbTuned = "ucb_tuned", Puct = "puct", Flat = "flat" }
}
option_enum! {
    /// Where the exploration constant comes from.
    pub(crate) enum ExplorationMode { Fixed = "fixed", Decay = "decay", Variance = "variance" }
}
option_enum! {
    /// The value of virtual visits.
    pub(crate) enum VirtualVisitValue { Zero = "zero", Parent = "parent", Grandfather = "grandfather" }
}
option_enum! {
    /// How the weight of a result grows with the visits of a node.
    pub(crate) enum UpdateWeighting { Off = "off", Log = "log", Root = "sqrt" }
}
option_enum! {
    /// How a playout ends.
    pub(crate) enum PlayoutLength { Short = "short", Full = "full" }
}
option_enum! {
    /// The actions that a playout chooses from.
    pub(crate) enum PlayoutGeneration { Turns = "turns", Steps = "steps" }
}
option_enum! {
    /// How a playout chooses an action.
    pub(crate) enum PlayoutSelection { Best = "best", Roulette = "roulette" }
}
option_enum! {
    /// Where the values of actions come from.
    pub(crate) enum StepValues { Knowledge = "knowledge", Model = "model" }
}
option_enum! {
    /// The evaluation at the end of a playout.
    pub(crate) enum Evaluator { Akimot = "akimot", AlphaBeta = "alphabeta" }
}
option_enum! {
    /// How threads work together.
    pub(crate) enum ParallelMode { Tree = "tree", Island = "island", Root = "root", Leaf = "leaf" }
}

/// The number of options that no preset changes; they come first.
pub(crate) const GENERAL: usize = 7;

/// Declares the options with two columns of values, `best` and `akimot`.
macro_rules! keys {
    ($($name:ident: $type:ty = $kind:expr, $best:literal, $akimot:literal, $help:literal;)+) => {
        surus_play::options! {
            /// The values of all keys.
            pub(crate) struct Config renamed(RENAMED) {
                preset: String = OptionKind::Choice(&["best", "akimot"]), "best",
                    "Sets all keys below: to the best values we found, or to those of Akimot.";
                config: String = OptionKind::Str, "",
                    "A file of key = value lines to load, as printed by --print-config.";
                seed: u64 = OptionKind::Int(0, i64::MAX), "1",
                    "Random seed. With one thread and a playout limit, the same seed reproduces the same games.";
                threads: u64 = OptionKind::Int(1, 1024), "1", "Number of search threads.";
                memory: u64 = OptionKind::Int(1, 1 << 20), "256",
                    "Memory limit of the trees in megabytes; cold nodes are recycled beyond that.";
                weights: Evaluation = OptionKind::Str, "",
                    "Evaluation for evaluator=alphabeta: a network, or weights of the handcrafted evaluation; empty for the embedded weights.";
                action_model: ActionModel = OptionKind::Str, "",
                    "Model of `surus learn order train --features action` for tree_values=model and playout_values=model; empty for the embedded one, or none.";
                $($name: $type = $kind, $best, $help;)+
            }
        }

        /// The values of \[Akimot\], in the order of the table.
        pub(crate) const AKIMOT: &[(&str, &str)] = &[$((stringify!($name), $akimot),)+];
    };
}

impl Config {
    /// Whether the mean values of actions are needed, in the tree or in playouts.
    pub(crate) fn uses_history(&self) -> bool {
        self.history || self.playout_history > 0.0 || self.playout_replies > 0.0
    }

    /// Whether a key uses the action model.
    pub(crate) fn uses_action_model(&self) -> bool {
        [self.tree_values, self.playout_values].contains(&StepValues::Model)
    }
}

const FRACTION: OptionKind = OptionKind::Float(0.0, 1.0);
const NUMBER: OptionKind = OptionKind::Float(-1000.0, 1000.0);
const VALUE: OptionKind = OptionKind::Int(-1_000_000, 1_000_000);
const SWITCH: OptionKind = OptionKind::Bool;

keys! {
    root_children: RootChildren = OptionKind::Choice(RootChildren::WORDS), "steps", "steps", "What a child of the root is: a step, or a full turn to study the easy action effect.";
    tree_policy: TreePolicy = OptionKind::Choice(TreePolicy::WORDS), "puct", "ucb1", "How children are selected: UCB1, UCB-tuned, PUCT with priors by tree_values, or flat: the children of the root in turn, without a tree.";
    c: f32 = OptionKind::Float(0.0, 100.0), "1", "0.2", "Exploration constant.";
    c_mode: ExplorationMode = OptionKind::Choice(ExplorationMode::WORDS), "fixed", "fixed", "Where the exploration constant comes from: c, decay with visits, or the variance of results.";
    c_decay: f32 = NUMBER, "4", "4", "k of c = max(0.01, min(0.25, k / sqrt(n))).";
    c_variance: f32 = NUMBER, "1", "1", "k of c = max(0.01, min(0.25, k times the variance of results)).";
    ucb_tuned_scale: f32 = OptionKind::Float(0.0, 100.0), "1", "1", "Factor of the confidence width of UCB-tuned.";
    virtual_visits: u64 = OptionKind::Int(0, 1000), "3", "5", "Virtual visits that every node starts with.";
    virtual_visit_value: VirtualVisitValue = OptionKind::Choice(VirtualVisitValue::WORDS), "parent", "zero", "Value of virtual visits: zero, or at the time of expansion the mean of the parent, or of the grandfather.";
    fpu: f32 = NUMBER, "1.1", "1.1", "Value of an unvisited child if there are no virtual visits.";
    relative_update: UpdateWeighting = OptionKind::Choice(UpdateWeighting::WORDS), "off", "off", "Whether results weigh more the more visits a node has, and by which function.";
    maturity: u64 = OptionKind::Int(0, 1_000_000), "0", "5", "Visits required before a node is expanded.";
    maturity_adds_depth: bool = SWITCH, "false", "true", "Whether the depth of a node is added to the required visits.";
    progressive_bias: bool = SWITCH, "true", "true", "Progressive bias: step knowledge divided by visits is added to the value of a child.";
    progressive_bias_weight: f32 = NUMBER, "1", "5", "Weight of the progressive bias.";
    history: bool = SWITCH, "true", "true", "History heuristic: the mean value of an action anywhere in the tree, divided by the square root of its visits.";
    history_weight: f32 = NUMBER, "0.5", "1", "Weight of the history heuristic.";
    unpruning: u64 = OptionKind::Int(0, 10_000), "0", "0", "Progressive unpruning: the number of children that are considered at first, the best by their values; 0 for all.";
    unpruning_growth: f32 = OptionKind::Float(1.01, 100.0), "1.3", "1.3", "Progressive unpruning: factor of the visits for each further child.";
    rave: bool = SWITCH, "false", "false", "UCT-RAVE: actions of a simulation count as if they had been played first.";
    rave_equivalence: f32 = OptionKind::Float(1.0, 1e9), "1000", "1000", "Visits at which the RAVE value weighs one half.";
    transpositions: bool = SWITCH, "true", "true", "UCT2: nodes with the same position share their value and their children.";
    child_cache: bool = SWITCH, "true", "true", "Children caching: only the best few children are compared between refreshes.";
    child_cache_visits: u64 = OptionKind::Int(1, 1_000_000), "50", "50", "Visits from which a node uses the child cache.";
    child_cache_size: u64 = OptionKind::Int(1, 8), "5", "5", "Number of children in the cache.";
    tree_values: StepValues = OptionKind::Choice(StepValues::WORDS), "model", "knowledge", "Values of actions in the tree, for PUCT priors and the progressive bias: step knowledge, or the logarithm of the likelihood by the action model.";
    prior_temperature: f32 = OptionKind::Float(0.01, 100.0), "1", "0.5", "Softmax temperature of the PUCT priors.";
    playout_length: PlayoutLength = OptionKind::Choice(PlayoutLength::WORDS), "short", "short", "Short playouts of a few turns that are evaluated, or full playouts to the end of the game.";
    playout_min_turns: u64 = OptionKind::Int(0, 100), "0", "1", "Minimum turns of a short playout.";
    playout_max_turns: u64 = OptionKind::Int(0, 100), "0", "4", "Maximum turns of a short playout.";
    playout_generation: PlayoutGeneration = OptionKind::Choice(PlayoutGeneration::WORDS), "turns", "turns", "Turn-oriented: a few pieces are chosen for each turn. Step-oriented: all steps are candidates.";
    playout_min_pieces: u64 = OptionKind::Int(1, 16), "2", "2", "Minimum pieces that move in a playout turn.";
    playout_max_pieces: u64 = OptionKind::Int(1, 16), "3", "3", "Maximum pieces that move in a playout turn.";
    playout_selection: PlayoutSelection = OptionKind::Choice(PlayoutSelection::WORDS), "best", "best", "Take the best of a few candidates, or select randomly in proportion to their values.";
    playout_candidates: u64 = OptionKind::Int(1, 64), "3", "3", "Number of random candidates that are compared.";
    playout_knowledge: bool = SWITCH, "true", "true", "Whether candidates are compared by step knowledge; otherwise one is chosen at random.";
    playout_values: StepValues = OptionKind::Choice(StepValues::WORDS), "knowledge", "knowledge", "By which values candidates are compared: step knowledge or the action model.";
    playout_history: f32 = OptionKind::Float(0.0, 1000.0), "0", "0", "History heuristic in playouts, first order: weight of the mean value of an action in the tree.";
    playout_replies: f32 = OptionKind::Float(0.0, 1000.0), "0", "0", "History heuristic in playouts, second order: weight of the mean value of an action after the preceding one in the tree.";
    evaluator: Evaluator = OptionKind::Choice(Evaluator::WORDS), "alphabeta", "akimot", "Evaluation at the end of a playout.";
    goal_check: bool = SWITCH, "true", "true", "Whether a goal within the next turn decides the playout before the evaluation.";
    trap_check: f32 = FRACTION, "0", "0", "Fraction of the value of the most valuable capturable piece that is credited to the side to move.";
    lambda: f32 = OptionKind::Float(0.0, 1.0), "0.0019878", "0.0019878", "Slope of the sigmoid.";
    rabbit_value: i32 = VALUE, "50", "50", "Value of a rabbit.";
    cat_value: i32 = VALUE, "150", "150", "Value of a cat.";
    dog_value: i32 = VALUE, "250", "250", "Value of a dog.";
    horse_value: i32 = VALUE, "495", "495", "Value of a horse.";
    camel_value: i32 = VALUE, "663", "663", "Value of a camel.";
    elephant_value: i32 = VALUE, "1072", "1072", "Value of an elephant.";
    rabbit_penalty_7: i32 = VALUE, "8", "8", "Penalty with seven rabbits left.";
    rabbit_penalty_6: i32 = VALUE, "25", "25", "Penalty with six rabbits left.";
    rabbit_penalty_5: i32 = VALUE, "55", "55", "Penalty with five rabbits left.";
    rabbit_penalty_4: i32 = VALUE, "100", "100", "Penalty with four rabbits left.";
    rabbit_penalty_3: i32 = VALUE, "170", "170", "Penalty with three rabbits left.";
    rabbit_penalty_2: i32 = VALUE, "280", "280", "Penalty with two rabbits left.";
    rabbit_penalty_1: i32 = VALUE, "450", "450", "Penalty with one rabbit left.";
    rabbit_penalty_0: i32 = VALUE, "2000", "2000", "Penalty with no rabbit left.";
    frozen_rabbit: f32 = FRACTION, "0.05", "0.05", "Fraction of its value that a frozen rabbit loses.";
    frozen_cat: f32 = FRACTION, "0.1", "0.1", "Fraction of its value that a frozen cat loses.";
    frozen_dog: f32 = FRACTION, "0.12", "0.12", "Fraction of its value that a frozen dog loses.";
    frozen_horse: f32 = FRACTION, "0.15", "0.15", "Fraction of its value that a frozen horse loses.";
    frozen_camel: f32 = FRACTION, "0.2", "0.2", "Fraction of its value that a frozen camel loses.";
    trap_guards_0: i32 = VALUE, "0", "0", "Bonus for a trap without own guards.";
    trap_guards_1: i32 = VALUE, "15", "15", "Bonus for a trap with one own guard.";
    trap_guards_2: i32 = VALUE, "45", "45", "Bonus for a trap with two own guards.";
    trap_guards_3: i32 = VALUE, "55", "55", "Bonus for a trap with three own guards.";
    trap_guards_4: i32 = VALUE, "50", "50", "Bonus for a trap with four own guards.";
    trap_enemy_guard: i32 = VALUE, "-8", "-8", "Bonus per enemy guard of a trap.";
    trap_dominant: i32 = VALUE, "30", "30", "Bonus if the strongest guard of a trap is an own piece.";
    trap_home: f32 = OptionKind::Float(0.0, 10.0), "1", "1", "Weight of the home traps.";
    trap_away: f32 = OptionKind::Float(0.0, 10.0), "1", "1", "Weight of the opponent's traps.";
    trap_weaker_enemy: i32 = VALUE, "10", "10", "Bonus for an enemy piece next to a trap whose strongest guard is an own piece.";
    trap_occupied: i32 = VALUE, "-20", "-20", "Bonus for an own piece on a trap with a single guard.";
    frame: f32 = FRACTION, "0.4", "0.4", "Fraction of its value that a framed piece loses.";
    pin: f32 = FRACTION, "0.1", "0.1", "Fraction of its value that a pinned piece loses.";
    pin_outranked: f32 = FRACTION, "0.15", "0.15", "Additional fraction if the pinned piece is not the strongest nearby.";
    hostage: i32 = VALUE, "80", "80", "Penalty for a camel held hostage.";
    blockade: i32 = VALUE, "300", "300", "Penalty for an elephant that cannot move.";
    step_elephant: f32 = NUMBER, "0.2", "0.2", "Step knowledge: the elephant moves.";
    step_reversal: f32 = NUMBER, "-2", "-2", "Step knowledge: the step undoes the previous one.";
    step_displacement: f32 = NUMBER, "0.3", "0.3", "Step knowledge: a push or pull.";
    step_capture: f32 = NUMBER, "3", "3", "Step knowledge: an enemy piece is captured.";
    step_loss: f32 = NUMBER, "-4", "-4", "Step knowledge: an own piece is lost, unless a goal can follow.";
    step_rabbit_early: f32 = NUMBER, "-0.3", "-0.3", "Step knowledge: a rabbit moves with all pieces on the board.";
    step_rabbit_late: f32 = NUMBER, "0.6", "0.6", "Step knowledge: a rabbit moves with few pieces left.";
    step_locality: f32 = NUMBER, "0.4", "0.4", "Step knowledge: the step is near the previous one.";
    advisor: bool = SWITCH, "false", "true", "Move Advisor: captures found in the tree are tried in playouts.";
    advisor_probability: f32 = FRACTION, "0.2", "0.2", "Probability that the advisor is queried for a turn of a playout.";
    advisor_size: u64 = OptionKind::Int(1, 65_536), "256", "256", "Maximum number of sequences that the advisor stores per side.";
    advisor_c: f32 = OptionKind::Float(0.0, 100.0), "0.2", "0.2", "Exploration constant of the advisor.";
    parallel: ParallelMode = OptionKind::Choice(ParallelMode::WORDS), "tree", "island", "How threads work together.";
    virtual_loss: u64 = OptionKind::Int(0, 100), "1", "1", "Losses that a node counts while a thread is below it.";
    sync_probability: f32 = FRACTION, "0.1", "0.1", "Islands: probability that a node is synchronised with the master tree.";
    solver: bool = SWITCH, "true", "false", "MCTS-Solver: proven wins and losses are exact everywhere in the tree.";
    tree_reuse: bool = SWITCH, "true", "false", "Reuse the relevant part of the tree for the next turn.";
    early_stop: bool = SWITCH, "true", "false", "Stop the search once no other turn can overtake the best one in the remaining time.";
}

/// Names that keys had before version 0.2, for an error that names the new one.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("root", "root_children"),
    ("formula", "tree_policy"),
    ("exploration", "c_mode"),
    ("decay", "c_decay"),
    ("variance", "c_variance"),
    ("tunedscale", "ucb_tuned_scale"),
    ("virtualvisits", "virtual_visits"),
    ("virtualvalue", "virtual_visit_value"),
    ("relativeupdate", "relative_update"),
    ("maturitydepth", "maturity_adds_depth"),
    ("treeknowledge", "progressive_bias"),
    ("treeweight", "progressive_bias_weight"),
    ("historyweight", "history_weight"),
    ("ravevisits", "rave_equivalence"),
    ("cache", "child_cache"),
    ("cachevisits", "child_cache_visits"),
    ("cachesize", "child_cache_size"),
    ("prior", "prior_temperature"),
    ("length", "playout_length"),
    ("shortest", "playout_min_turns"),
    ("longest", "playout_max_turns"),
    ("generation", "playout_generation"),
    ("fewestpieces", "playout_min_pieces"),
    ("mostpieces", "playout_max_pieces"),
    ("selection", "playout_selection"),
    ("candidates", "playout_candidates"),
    ("playoutknowledge", "playout_knowledge"),
    ("judge", "evaluator"),
    ("goalcheck", "goal_check"),
    ("trapcheck", "trap_check"),
    ("rabbit", "rabbit_value"),
    ("cat", "cat_value"),
    ("dog", "dog_value"),
    ("horse", "horse_value"),
    ("camel", "camel_value"),
    ("elephant", "elephant_value"),
    ("rabbits7", "rabbit_penalty_7"),
    ("rabbits6", "rabbit_penalty_6"),
    ("rabbits5", "rabbit_penalty_5"),
    ("rabbits4", "rabbit_penalty_4"),
    ("rabbits3", "rabbit_penalty_3"),
    ("rabbits2", "rabbit_penalty_2"),
    ("rabbits1", "rabbit_penalty_1"),
    ("rabbits0", "rabbit_penalty_0"),
    ("frozenrabbit", "frozen_rabbit"),
    ("frozencat", "frozen_cat"),
    ("frozendog", "frozen_dog"),
    ("frozenhorse", "frozen_horse"),
    ("frozencamel", "frozen_camel"),
    ("trapguards0", "trap_guards_0"),
    ("trapguards1", "trap_guards_1"),
    ("trapguards2", "trap_guards_2"),
    ("trapguards3", "trap_guards_3"),
    ("trapguards4", "trap_guards_4"),
    ("trapenemy", "trap_enemy_guard"),
    ("trapdominant", "trap_dominant"),
    ("traphome", "trap_home"),
    ("trapaway", "trap_away"),
    ("trapprey", "trap_weaker_enemy"),
    ("trapstanding", "trap_occupied"),
    ("pinweak", "pin_outranked"),
    ("stepelephant", "step_elephant"),
    ("stepinverse", "step_reversal"),
    ("stepdisplace", "step_displacement"),
    ("stepkill", "step_capture"),
    ("stepsuicide", "step_loss"),
    ("steprabbit", "step_rabbit_early"),
    ("steprabbitlate", "step_rabbit_late"),
    ("steplocal", "step_locality"),
    ("advisorshare", "advisor_probability"),
    ("advisorsize", "advisor_size"),
    ("advisorc", "advisor_c"),
    ("virtualloss", "virtual_loss"),
    ("sync", "sync_probability"),
    ("reuse", "tree_reuse"),
    ("easyturns", "early_stop"),
];
