//! Confidence intervals.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// The default confidence level: on average, 95 of 100 confidence intervals contain the true value.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// A range that contains the true value with a certain confidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Returns the interval from `middle - half` to `middle + half`.
    pub fn around(middle: f64, half: f64) -> Interval {
        Interval { low: middle - half, high: middle + half }
    }

    /// Returns half the width of the interval.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns whether the interval contains `value`.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Multiplies both bounds by `times`.
    pub fn scale(self, times: f64) -> Interval {
        Interval { low: self.low * times, high: self.high * times }
    }
}

/// Returns the confidence level for each of `n` intervals with which all of them together are
/// correct with confidence `level` (Bonferroni correction).
pub fn level_of_each(level: f64, n: usize) -> f64 {
    1.0 - (1.0 - level) / n.max(1) as f64
}

/// Returns the Wilson interval of the win rate `wins` / `n` at confidence `level`. A tie between
/// two players counts as half a win for each. The interval is accurate for few games and for rates
/// near 0 and 1. Ties make the interval a little too wide.
pub fn win_rate_interval(wins: f64, n: u64, level: f64) -> Interval {
    if n == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (n, z) = (n as f64, normal_critical_value(level));
    let share = wins / n;
    let scale = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / scale;
    let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).max(0.0).sqrt();
    Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// Returns the critical value of the normal distribution: the fraction `level` lies within this
/// number of standard deviations around the mean.
pub(crate) fn normal_critical_value(level: f64) -> f64 {
    normal_quantile((1.0 + level) / 2.0)
}

/// Returns the critical value of Student's distribution with `freedom` degrees of freedom, as
/// [`normal_critical_value`] does for the normal distribution. Infinity for 0 degrees.
pub(crate) fn student_critical_value(level: f64, freedom: u64) -> f64 {
    let p = (1.0 + level) / 2.0;
    match freedom {
        0 => f64::INFINITY,
        1 => (PI * (p - 0.5)).tan(),
        2 => (2.0 * p - 1.0) * (2.0 / (4.0 * p * (1.0 - p))).sqrt(),
        _ => {
            // The Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5).
            let (x, n) = (normal_quantile(p), freedom as f64);
            let [x2, x3, x5] = [x * x, x.powi(3), x.powi(5)];
            let first = (x3 + x) / 4.0;
            let second = (5.0 * x5 + 16.0 * x3 + 3.0 * x) / 96.0;
            let third = (3.0 * x5 * x2 + 19.0 * x5 + 17.0 * x3 - 15.0 * x) / 384.0;
            let fourth = 79.0 * x5 * x2 * x2 + 776.0 * x5 * x2 + 1482.0 * x5 - 1920.0 * x3 - 945.0 * x;
            x + first / n + second / n.powi(2) + third / n.powi(3) + fourth / 92_160.0 / n.powi(4)
        }
    }
}

/// Returns the quantile `p` of the standard normal distribution (Acklam's approximation, with an
/// error of 1e-9).
fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 6] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 5] =
        [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416, 1.0];
    let polynomial = |factors: &[f64], x: f64| factors.iter().fold(0.0, |sum, factor| sum * x + factor);
    match p {
        _ if p <= 0.0 => f64::NEG_INFINITY,
        _ if p >= 1.0 => f64::INFINITY,
        _ if p > 0.5 => -normal_quantile(1.0 - p),
        _ if p < 0.02425 => {
            let q = (-2.0 * p.ln()).sqrt();
            polynomial(&C, q) / polynomial(&D, q)
        }
        _ => {
            let q = p - 0.5;
            q * polynomial(&A, q * q) / polynomial(&B, q * q)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: f64, wanted: f64, by: f64) {
        assert!((found - wanted).abs() < by, "{found} instead of {wanted}");
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        is_near(normal_critical_value(0.95), 1.959_963_985, 1e-7);
        is_near(normal_critical_value(0.99), 2.575_829_304, 1e-7);
        is_near(normal_critical_value(0.999_9), 3.890_591_886, 1e-7);
        let of_t = [(1, 12.706_2), (2, 4.302_65), (5, 2.570_58), (10, 2.228_14), (30, 2.042_27), (1000, 1.962_34)];
        for (freedom, wanted) in of_t {
            is_near(student_critical_value(0.95, freedom), wanted, 0.002);
        }
    }

    #[test]
    fn shares_near_the_ends_stay_within_them() {
        let all = win_rate_interval(20.0, 20, DEFAULT_LEVEL);
        is_near(all.low, 0.838_9, 1e-3);
        is_near(all.high, 1.0, 1e-9);
        let half = win_rate_interval(5.0, 10, DEFAULT_LEVEL);
        is_near(half.low, 0.236_6, 1e-3);
        is_near(half.high, 0.763_4, 1e-3);
        assert_eq!(win_rate_interval(0.0, 0, DEFAULT_LEVEL), Interval { low: 0.0, high: 1.0 });
    }
}
