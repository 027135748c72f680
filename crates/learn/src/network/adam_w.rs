//! AdamW (Loshchilov and Hutter, 2019).

use super::params::Params;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The state of the optimiser.
#[derive(Clone, Debug)]
pub(super) struct AdamW<const H: usize> {
    pub(super) mean: Params<H>,
    pub(super) variance: Params<H>,
    pub(super) steps: u32,
    weight_decay: f32,
}

impl<const H: usize> AdamW<H> {
    pub(super) fn new(weight_decay: f32) -> Self {
        Self { mean: Params::zero(), variance: Params::zero(), steps: 0, weight_decay }
    }

    pub(super) fn step(&mut self, params: &mut Params<H>, gradient: &Params<H>, rate: f32) {
        self.steps += 1;
        let steps = self.steps.min(1 << 20) as i32;
        let (correction_1, correction_2) = (1.0 - BETA_1.powi(steps), 1.0 - BETA_2.powi(steps));
        let moments = self.mean.0.iter_mut().zip(&mut self.variance.0);
        for ((param, slope), (mean, variance)) in params.0.iter_mut().zip(&gradient.0).zip(moments) {
            *mean = BETA_1 * *mean + (1.0 - BETA_1) * slope;
            *variance = BETA_2 * *variance + (1.0 - BETA_2) * slope * slope;
            let step = *mean / correction_1 / ((*variance / correction_2).sqrt() + EPSILON);
            *param -= rate * (step + self.weight_decay * *param);
        }
        params.clamp();
    }
}
