//! Search parameters: margins, reductions, counts, ordering scores, history weights.
//!
//! They are constants in a normal build. With the cargo feature `tune` each is an option of `alphabeta` with the same
//! name, so that `surus learn spsa` can tune it. Scores are in millirabbits, depths in steps.

use std::time::Duration;

use crate::common::score::Score;

/// Calls a macro with all tunable parameters: name, default, minimum, maximum, description. Defaults have no digit
/// separators, because they are also the texts of options.
macro_rules! search_params {
    ($apply:ident) => {
        $apply! {
            aspiration_min_depth, 5, 1, 100, "Depth from which the aspiration window is used.";
            aspiration_window, 300, 1, 100_000, "Initial half-width of the aspiration window.";
            aspiration_growth, 4, 2, 100, "Factor by which the aspiration window grows after a fail.";
            null_turn_reduction, 5, 4, 20, "Depth reduction of the null-turn search; below this depth quiescence decides.";
            reverse_futility_margin, 200, 0, 10_000, "Margin above beta for a null-turn cutoff that quiescence decides.";
            razor_margin_1, 1500, 0, 100_000, "Razoring margin below alpha at depth 1.";
            razor_margin_2, 2000, 0, 100_000, "Razoring margin below alpha at depth 2.";
            razor_margin_3, 2500, 0, 100_000, "Razoring margin below alpha at depth 3.";
            futility_margin_1, 300, 0, 100_000, "Futility margin at depth 1.";
            futility_margin_2, 450, 0, 100_000, "Futility margin at depth 2.";
            futility_margin_3, 600, 0, 100_000, "Futility margin at depth 3.";
            futility_margin_4, 800, 0, 100_000, "Futility margin at depth 4.";
            futility_margin_5, 1100, 0, 100_000, "Futility margin at depth 5.";
            lmp_count_1, 6, 1, 1000, "Actions searched before quiet ones are pruned at depth 1.";
            lmp_count_2, 9, 1, 1000, "Actions searched before quiet ones are pruned at depth 2.";
            lmp_count_3, 14, 1, 1000, "Actions searched before quiet ones are pruned at depth 3.";
            lmp_count_4, 18, 1, 1000, "Actions searched before quiet ones are pruned at depth 4.";
            lmp_count_5, 26, 1, 1000, "Actions searched before quiet ones are pruned at depth 5.";
            lmp_count_6, 36, 1, 1000, "Actions searched before quiet ones are pruned at depth 6.";
            lmr_min_depth, 2, 1, 100, "Depth from which late actions are reduced.";
            lmr_divisor, 160, 10, 10_000, "Divisor of the product of logarithms in the reduction formula.";
            policy_min_depth, 7, 1, 100, "Depth from which the action model ranks the actions of a node.";
            policy_order, 3000, 0, 100_000, "Ordering score of an action that the model finds e times as likely.";
            policy_reduction, 35, 0, 1000, "Hundredths of a step by which an action that is e times less likely is reduced.";
            policy_reduction_max, 250, 0, 10_000, "Maximum of that reduction.";
            lmr_tactical, 60, 0, 1000, "Hundredths of a step by which tactical actions are reduced less.";
            lmr_history_divisor, 100, 1, 100_000, "History score per hundredth of a step of reduction.";
            behind_margin, 300, 0, 100_000, "Distance of the static evaluation below alpha for an extra reduction.";
            behind_reduction, 60, 0, 1000, "Hundredths of a step of that extra reduction.";
            extension_min_depth, 3, 0, 100, "Depth from which a goal threat extends the search.";
            extension_max, 8, 0, 100, "Maximum total extension of a line.";
            extension_1, 1, 0, 8, "Extension if one step stops a near goal.";
            extension_1_goal_steps, 2, 0, 4, "Maximum steps to a goal that counts as near.";
            extension_2, 1, 0, 8, "Extension if two steps are needed to stop a goal.";
            extension_3, 2, 0, 8, "Extension if three steps are needed to stop a goal.";
            extension_4, 3, 0, 8, "Extension if four steps are needed to stop a goal.";
            correction_min_depth, 2, 1, 100, "Depth from which a search corrects the static evaluation of similar boards.";
            correction_rate, 2, 0, 64, "Weight of a search in the correction, in 256ths per step of depth.";
            correction_percent, 100, 0, 1000, "Percentage of the mean correction that is added to the static evaluation.";
            correction_max, 500, 0, 100_000, "Maximum correction of the static evaluation.";
            q_delta_margin, 600, 0, 100_000, "What a capture can gain besides the captured piece.";
            q_defence_cost, 500, 0, 100_000, "What stopping a goal costs at least in quiescence.";
            q_max_defences, 8, 1, 1000, "Maximum number of defences tried against a goal in quiescence.";
            q_threat_penalty_0, 2000, 0, 100_000, "Penalty for a standing goal threat of zero steps.";
            q_threat_penalty_1, 1500, 0, 100_000, "Penalty for a goal threat of one step.";
            q_threat_penalty_2, 1200, 0, 100_000, "Penalty for a goal threat of two steps.";
            q_threat_penalty_3, 900, 0, 100_000, "Penalty for a goal threat of three steps.";
            q_threat_penalty_4, 600, 0, 100_000, "Penalty for a goal threat of four steps.";
            repetition_cost, 1000, 0, 100_000, "Cost of being the first to repeat a position.";
            reversible_cost, 2000, 0, 100_000, "Cost of a turn that half a turn undoes completely.";
            partly_reversible_cost, 200, 0, 100_000, "Cost of a turn that one step undoes except for one own step.";
            order_capture, 1000000, 0, 2_000_000, "Ordering score per captured piece.";
            order_loss, 200000, 0, 2_000_000, "Reduction of the ordering score of an action that loses a piece.";
            order_end_turn, 700000, 0, 2_000_000, "Ordering score of ending the turn where the static evaluation fails high.";
            order_killer_1, 600000, 0, 2_000_000, "Ordering score of the newer killer.";
            order_killer_2, 500000, 0, 2_000_000, "Ordering score of the older killer.";
            order_tactical, 3000, 0, 100_000, "Ordering score of tactical actions.";
            order_displacement, 400, -10_000, 10_000, "Ordering score of pushes and pulls.";
            order_forward, 100, -10_000, 10_000, "Ordering score of steps forward.";
            order_backward, 200, -10_000, 10_000, "Reduction of the ordering score of steps backward.";
            order_rabbit_rank, 4, 1, 8, "Ranks from home at which a rabbit step is tactical.";
            history_bonus_quadratic, 12, 0, 1000, "Factor of the squared depth in the history bonus.";
            history_bonus_linear, 20, 0, 1000, "Factor of the depth in the history bonus.";
            history_bonus_max_depth, 12, 1, 100, "Depth above which the history bonus no longer grows.";
            history_malus_divisor, 8, 1, 1000, "Divisor of the bonus for the malus of actions tried before.";
            history_turn_divisor, 2, 1, 1000, "Divisor of the bonus for the actions of a stored turn.";
            history_age_divisor, 8, 1, 1000, "Divisor of the history at the start of a search.";
            continuation_age_divisor, 2, 1, 1000, "Divisor of the continuation history at the start of a search.";
            time_score_drop, 400, 0, 100_000, "Score drop at the root that suspends the soft time limit.";
            time_drop_divisor, 20, 1, 10_000, "Score drop per percent of additional time.";
            time_drop_max, 60, 0, 1000, "Maximum percent of additional time for a score drop.";
            time_instability_gain, 10, 0, 1000, "Instability added by a change of the best turn, in tenths.";
            time_instability_weight, 2, 0, 100, "Percent of additional time per tenth of instability.";
            time_instability_max, 40, 0, 1000, "Maximum percent of additional time for changes of the best turn.";
            time_stable_depths, 3, 1, 100, "Depths with the same best turn that make it stable.";
            time_stable_saving, 20, 0, 100, "Percent of time saved by a stable best turn.";
            time_very_stable_depths, 6, 1, 100, "Depths with the same best turn that make it very stable.";
            time_very_stable_saving, 40, 0, 100, "Percent of time saved by a very stable best turn.";
            time_winning_score, 6000, 0, 1_000_000, "Score from which any sound turn wins.";
            time_winning_saving, 65, 0, 100, "Percent of time saved by a very stable best turn that is winning.";
        }
    };
}
#[cfg(feature = "tune")]
pub(crate) use search_params;

/// The values of the search parameters, all of them constant.
#[cfg(not(feature = "tune"))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Params {}

macro_rules! declare {
    ($($name:ident, $default:literal, $min:literal, $max:literal, $help:literal;)+) => {
        #[cfg(not(feature = "tune"))]
        #[allow(clippy::unused_self)]
        impl Params {
            $(#[doc = $help]
            #[inline]
            pub(crate) const fn $name(&self) -> i32 {
                $default
            })+
        }

        /// The values of the search parameters, taken from the options of the engine.
        #[cfg(feature = "tune")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Params {
            $(#[doc = $help] pub(crate) $name: i32,)+
        }

        #[cfg(feature = "tune")]
        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        #[cfg(feature = "tune")]
        impl Params {
            $(#[doc = $help]
            #[inline]
            pub(crate) const fn $name(&self) -> i32 {
                self.$name
            })+
        }
    };
}
search_params!(declare);

impl Params {
    /// How far below alpha the static evaluation must be for razoring at a depth.
    #[inline]
    pub(crate) const fn razor_margin(&self, depth: i32) -> Option<Score> {
        match depth {
            1 => Some(self.razor_margin_1()),
            2 => Some(self.razor_margin_2()),
            3 => Some(self.razor_margin_3()),
            _ => None,
        }
    }

    /// What quiet actions cannot add to the static evaluation at a depth.
    #[inline]
    pub(crate) const fn futility_margin(&self, depth: i32) -> Option<Score> {
        match depth {
            1 => Some(self.futility_margin_1()),
            2 => Some(self.futility_margin_2()),
            3 => Some(self.futility_margin_3()),
            4 => Some(self.futility_margin_4()),
            5 => Some(self.futility_margin_5()),
            _ => None,
        }
    }

    /// The number of actions searched at a depth before quiet ones are pruned.
    #[inline]
    pub(crate) const fn lmp_count(&self, depth: i32) -> Option<usize> {
        let count = match depth {
            1 => self.lmp_count_1(),
            2 => self.lmp_count_2(),
            3 => self.lmp_count_3(),
            4 => self.lmp_count_4(),
            5 => self.lmp_count_5(),
            6 => self.lmp_count_6(),
            _ => return None,
        };
        Some(count as usize)
    }

    /// The late action reduction before adjustments, in hundredths of a step.
    #[inline]
    pub(crate) fn lmr(&self, depth: i32, searched_count: usize) -> i32 {
        let log = |n: usize| LOG[n.min(LOG.len() - 1)];
        log(depth as usize) * log(searched_count) / self.lmr_divisor()
    }

    /// The extension where a goal of `goal_steps` steps can be stopped with `defence_steps` steps.
    #[inline]
    pub(crate) const fn extension(&self, defence_steps: usize, goal_steps: u8) -> i32 {
        match defence_steps {
            0 | 1 if goal_steps as i32 > self.extension_1_goal_steps() => 0,
            0 | 1 => self.extension_1(),
            2 => self.extension_2(),
            3 => self.extension_3(),
            _ => self.extension_4(),
        }
    }

    /// The penalty for a goal threat at the end of quiescence.
    #[inline]
    pub(crate) const fn q_threat_penalty(&self, goal_steps: u8) -> Score {
        match goal_steps {
            0 => self.q_threat_penalty_0(),
            1 => self.q_threat_penalty_1(),
            2 => self.q_threat_penalty_2(),
            3 => self.q_threat_penalty_3(),
            _ => self.q_threat_penalty_4(),
        }
    }

    /// The history bonus of an action that caused a cutoff.
    #[inline]
    pub(crate) fn history_bonus(&self, depth: i32) -> i32 {
        let depth = depth.min(self.history_bonus_max_depth());
        self.history_bonus_quadratic() * depth * depth + self.history_bonus_linear() * depth
    }
}

/// Natural logarithms of 0 to 63 in hundredths.
const LOG: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304,
    309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374,
    376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// Maximum depth of iterative deepening, in steps.
pub(crate) const MAX_DEPTH: u32 = 100;
/// The fraction of the instability that remains after each depth: numerator and denominator.
pub(crate) const INSTABILITY_DECAY: [i32; 2] = [2, 3];
/// Nodes between two checks of the clock.
pub(crate) const CHECK_INTERVAL: u64 = 512;
/// Ranking the turns of the root takes as long as tens of thousands of nodes: shorter searches do without it.
pub(crate) const RANKING_MIN_NODES: u64 = 50_000;
/// The same as a time.
pub(crate) const RANKING_MIN_TIME: Duration = Duration::from_millis(200);
/// Maximum reduction of a turn of the root, in hundredths of a step.
pub(crate) const ROOT_REDUCTION_MAX: i32 = 400;
/// Bound of every history entry.
pub(crate) const HISTORY_MAX: i32 = 1 << 14;
/// Depth that an entry of the transposition table loses per search when a replacement is chosen.
pub(crate) const TT_AGE_WEIGHT: i32 = 8;
/// Number of entries for the boards of each turn in [`super::turn_dedup`].
pub(crate) const TURN_DEDUP_SLOTS: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_depth_and_end() {
        let params = Params::default();
        for (margin, max_depth) in [
            (Params::razor_margin as fn(&Params, i32) -> Option<Score>, 3),
            (Params::futility_margin as fn(&Params, i32) -> Option<Score>, 5),
        ] {
            let margins: Vec<Score> = (1..=max_depth).map(|depth| margin(&params, depth).unwrap()).collect();
            assert!(margins.is_sorted_by(|a, b| a < b), "{margins:?}");
            assert_eq!((margin(&params, 0), margin(&params, max_depth + 1)), (None, None));
        }
        assert_eq!((params.lmp_count(0), params.lmp_count(6), params.lmp_count(7)), (None, Some(36), None));
    }
}
