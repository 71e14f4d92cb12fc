//! Figures of a few measurements.

use serde_json::{Value, json};

#[cfg(test)]
mod tests;

/// Where the measurements lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    /// The smallest.
    pub(crate) min: f64,
    /// A quarter lies below.
    pub(crate) lower: f64,
    /// Half lies below.
    pub(crate) median: f64,
    /// A quarter lies above.
    pub(crate) upper: f64,
    /// The largest.
    pub(crate) max: f64,
    /// Between these two lies, with a confidence of 95 %, the median that ever more measurements would come to.
    pub(crate) interval: (f64, f64),
}

impl Summary {
    /// `None` where there are no measurements.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share);
        // How many of n values lie below the true median is binomial: n/2, give or take 1.96·√n/2.
        let count = sorted.len() as f64;
        let outside = ((count - 1.96 * count.sqrt()) / 2.0).floor().max(1.0) as usize - 1;
        let interval = (*sorted.get(outside)?, *sorted.iter().rev().nth(outside)?);
        Some(Self { min: at(0.0)?, lower: at(0.25)?, median: at(0.5)?, upper: at(0.75)?, max: at(1.0)?, interval })
    }

    /// All of it.
    pub(crate) fn to_json(self) -> Value {
        let Self { min, lower, median, upper, max, interval: (low, high) } = self;
        json!({
            "min": min,
            "lower_quartile": lower,
            "median": median,
            "upper_quartile": upper,
            "max": max,
            "median_95_percent": [low, high],
        })
    }
}

/// A multiple of one thing by another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Times {
    /// By their medians.
    pub(crate) median: f64,
    /// By the ends of their intervals, at worst and at best.
    pub(crate) ends: (f64, f64),
}

/// How many times `one` holds `other`; `None` where `other` is not surely above zero, so that nothing can be said.
pub(crate) fn times(one: &Summary, other: &Summary) -> Option<Times> {
    let (low, high) = other.interval;
    let ends = (one.interval.0 / high, one.interval.1 / low);
    (low > 0.0).then_some(Times { median: one.median / other.median, ends })
}

/// The value below which `share` of the sorted values lie, between neighbours in proportion.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted.get(place.floor() as usize)?, sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}
