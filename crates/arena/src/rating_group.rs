//! Ratings of one group of comparable players.

use crate::bradley_terry::{RatingFit, fit};
use crate::connectivity::unbounded;
use crate::crosstable::HeadToHead;
use crate::normal::Z95;
use crate::stats::ELO_UNIT;
use crate::{PlayerRating, RatingError, RatingGroup, RatingOptions, Unbounded};

/// Rates the players of one group.
pub(crate) fn rate_group(
    group: &[usize],
    names: &[&str],
    all: &[HeadToHead],
    anchors: &[Option<f64>],
    options: &RatingOptions,
) -> Result<RatingGroup, RatingError> {
    // Within the group, players are indices into it.
    let index = |player: usize| group.binary_search(&player).ok();
    let mut results: Vec<HeadToHead> = all
        .iter()
        .filter_map(|result| {
            let [a, b] = result.players.map(index);
            Some(HeadToHead { players: [a?, b?], points: result.points })
        })
        .collect();
    let fixed: Vec<Option<f64>> = group.iter().map(|&player| anchors[player]).collect();
    let anchored: Vec<usize> = (0..group.len()).filter(|&player| fixed[player].is_some()).collect();
    let real_count = results.len();
    let unbounded = if options.prior > 0.0 {
        // The average opponent of the prior is an additional player.
        let points = [options.prior / 2.0; 2];
        results.extend((0..group.len()).map(|player| HeadToHead { players: [player, group.len()], points }));
        vec![None; group.len()]
    } else {
        unbounded(group.len(), &results, &anchored)
    };
    let fitted = fit_bounded(&results, &fixed, &unbounded, options).ok_or(RatingError::NoConvergence)?;
    Ok(build_group(group, names, &results[..real_count], &fixed, &unbounded, &fitted))
}

/// Fits the finite ratings and shifts them to the requested mean. Results against players without a finite rating are
/// certain for any finite ratings, so they carry no information.
fn fit_bounded(
    results: &[HeadToHead],
    anchors: &[Option<f64>],
    unbounded: &[Option<Unbounded>],
    options: &RatingOptions,
) -> Option<RatingFit> {
    let count = anchors.len();
    let bounded = |player: usize| player >= count || unbounded[player].is_none();
    let usable: Vec<HeadToHead> =
        results.iter().filter(|result| result.players.into_iter().all(bounded)).copied().collect();
    let anchored = anchors.iter().any(Option::is_some);
    let rated: Vec<usize> = (0..count).filter(|&player| bounded(player)).collect();
    let mut fixed = anchors.to_vec();
    if options.prior > 0.0 {
        fixed.push(None);
    }
    // Unbounded players need any fixed value.
    let placeholder = anchors.iter().flatten().next().copied().unwrap_or(0.0);
    (0..count).filter(|&player| !bounded(player)).for_each(|player| fixed[player] = Some(placeholder));
    if !anchored {
        fixed[rated[0]] = Some(0.0);
    }
    let mut fitted = fit(&usable, &fixed)?;
    if !anchored {
        // Ratings relative to the first player become ratings relative to the mean.
        let mean_of =
            |values: &[f64]| rated.iter().map(|&player| values[player]).sum::<f64>() / rated.len() as f64;
        let shift = options.mean / ELO_UNIT - mean_of(&fitted.ratings);
        fitted.ratings.iter_mut().for_each(|rating| *rating += shift);
        let rows: Vec<f64> = fitted.covariance.iter().map(|row| mean_of(row)).collect();
        let all = mean_of(&rows);
        for (row, row_mean) in fitted.covariance.iter_mut().zip(&rows) {
            row.iter_mut().zip(&rows).for_each(|(value, column_mean)| *value += all - row_mean - column_mean);
        }
    }
    Some(fitted)
}

/// Builds the rating list of a group from its fit.
fn build_group(
    group: &[usize],
    names: &[&str],
    results: &[HeadToHead],
    anchors: &[Option<f64>],
    unbounded: &[Option<Unbounded>],
    fitted: &RatingFit,
) -> RatingGroup {
    let anchored = anchors.iter().any(Option::is_some);
    // A single player is the mean, so its rating has no error.
    let single = !anchored && unbounded.iter().filter(|unbounded| unbounded.is_none()).count() == 1;
    let rating = |player: usize| unbounded[player].is_none().then(|| ELO_UNIT * fitted.ratings[player]);
    let covariance = |a: usize, b: usize| ELO_UNIT * ELO_UNIT * fitted.covariance[a][b];
    let mut rated: Vec<PlayerRating> = (0..group.len())
        .map(|player| PlayerRating {
            name: names[group[player]].into(),
            engines: Vec::new(),
            rating: rating(player),
            error95: (unbounded[player].is_none() && !single)
                .then(|| Z95 * covariance(player, player).max(0.0).sqrt()),
            unbounded: unbounded[player],
            anchor: anchors[player].is_some(),
            games: 0,
            points: 0.0,
            score: 0.0,
            mean_opponent: Some(0.0),
            los: None,
        })
        .collect();
    for result in results {
        for (one, other) in [(0, 1), (1, 0)] {
            let player = &mut rated[result.players[one]];
            player.games += result.games() as u64;
            player.points += result.points[one];
            let opponent = rating(result.players[other]);
            player.mean_opponent =
                player.mean_opponent.zip(opponent).map(|(sum, rating)| sum + result.games() * rating);
        }
    }
    for player in &mut rated {
        player.score = player.points / player.games as f64;
        player.mean_opponent = player.mean_opponent.map(|sum| sum / player.games as f64);
    }
    // Players within a millionth of a point stay in the order of their names, because the sort is stable.
    let strength = |player: usize| match unbounded[player] {
        Some(Unbounded::Above) => (3, 0.0),
        None => (2, (1e6 * ELO_UNIT * fitted.ratings[player]).round()),
        Some(Unbounded::Below) => (1, 0.0),
        Some(Unbounded::Incomparable) => (0, 0.0),
    };
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (strength(a), strength(b));
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    let variance = |a: usize, b: usize| covariance(a, a) + covariance(b, b) - 2.0 * covariance(a, b);
    let row = |a: usize| order.iter().map(|&b| variance(a, b).max(0.0).sqrt()).collect();
    let deviations = order.iter().map(|&a| row(a)).collect();
    let players = order.iter().map(|&player| rated[player].clone()).collect();
    let mut rating_group = RatingGroup { anchored, players, deviations };
    for i in 0..group.len() {
        rating_group.players[i].los = rating_group.los(i, i + 1);
    }
    rating_group
}
