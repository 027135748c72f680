//! Game phases found in games \[Phase §3.2.2, §5.2\]: feature vectors of boards, and their clusters.

mod fit;
mod histogram;
mod k_means;
mod x_means;

pub use fit::{FitError, FitOptions, FittedPhases, Scaling, fit_clusters};
pub use histogram::PhaseHistogram;
pub use k_means::{Clustering, DIMENSIONS, WeightedPoint, k_means};
pub use x_means::{XMeans, XMeansError, XMeansOptions, bic, x_means};
