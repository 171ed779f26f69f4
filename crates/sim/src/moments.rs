//! Histograms and sums of integers, from which means, deviations and intervals are computed. The
//! order in which threads merge them does not affect the results.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::interval::{Interval, student_critical_value};

/// A value, with the number of the first game in which the value occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FirstSeen {
    value: i64,
    game: u64,
}

impl FirstSeen {
    fn min(self, other: FirstSeen) -> FirstSeen {
        if (self.value, self.game) <= (other.value, other.game) { self } else { other }
    }

    fn max(self, other: FirstSeen) -> FirstSeen {
        if (self.value, Reverse(self.game)) >= (other.value, Reverse(other.game)) { self } else { other }
    }
}

/// The count, sums, minimum and maximum of the numbers observed in games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moments {
    n: u64,
    sum: i128,
    sum_of_squares: i128,
    least: Option<FirstSeen>,
    most: Option<FirstSeen>,
}

impl Moments {
    /// Adds a number from the game numbered `game`.
    pub fn add(&mut self, value: i64, game: u64) {
        let seen = FirstSeen { value, game };
        self.n += 1;
        self.sum += i128::from(value);
        self.sum_of_squares += i128::from(value) * i128::from(value);
        self.least = Some(self.least.map_or(seen, |least| least.min(seen)));
        self.most = Some(self.most.map_or(seen, |most| most.max(seen)));
    }

    /// Adds the numbers of `other`.
    pub fn merge(&mut self, other: &Moments) {
        self.n += other.n;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.least = [self.least, other.least].into_iter().flatten().reduce(FirstSeen::min);
        self.most = [self.most, other.most].into_iter().flatten().reduce(FirstSeen::max);
    }

    /// Returns how many numbers were added.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns the sum of the numbers.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// Returns the mean; 0 if there are no numbers.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.n.max(1) as f64
    }

    /// Returns the standard deviation of the numbers.
    pub(crate) fn standard_deviation(&self) -> f64 {
        self.scatter().sqrt() / self.n.max(1) as f64
    }

    /// Returns the sum of squared deviations from the mean, multiplied by the count of numbers.
    fn scatter(&self) -> f64 {
        // Computes with integers until the last step, because the small difference of two large
        // floating-point sums would be inaccurate.
        ((i128::from(self.n) * self.sum_of_squares - self.sum * self.sum) as f64).max(0.0)
    }

    /// Returns Student's interval of the mean at confidence `level`; `None` for fewer than two
    /// numbers.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        if self.n < 2 {
            return None;
        }
        let n = self.n as f64;
        let error = (self.scatter() / (n * n * (n - 1.0))).sqrt();
        Some(Interval::around(self.mean(), student_critical_value(level, self.n - 1) * error))
    }

    /// Returns the minimum; 0 if there are no numbers.
    pub fn min(&self) -> i64 {
        self.least.map_or(0, |seen| seen.value)
    }

    /// Returns the maximum; 0 if there are no numbers.
    pub fn max(&self) -> i64 {
        self.most.map_or(0, |seen| seen.value)
    }

    /// Returns the number of the first game with the minimum; `None` if there are no numbers.
    pub(crate) fn game_with_min(&self) -> Option<u64> {
        self.least.map(|seen| seen.game)
    }

    /// Returns the number of the first game with the maximum; `None` if there are no numbers.
    pub fn game_with_max(&self) -> Option<u64> {
        self.most.map(|seen| seen.game)
    }
}

/// The maximum number of bars of a histogram.
const MAX_BARS: usize = 64;

/// A histogram with bars of equal width. The width is the smallest power of two that gives at most
/// 64 bars. So it depends only on the minimum and the maximum.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// The base-2 logarithm of the width of a bar.
    power: u32,
    /// The index of the first bar, which begins at `first << power`.
    first: i64,
    bars: Vec<BarCount>,
}

/// The number of values in a bar, and the number of the first game with a value in the bar.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct BarCount {
    n: u64,
    game: u64,
}

impl BarCount {
    const NONE: BarCount = BarCount { n: 0, game: u64::MAX };

    fn add(&mut self, other: BarCount) {
        *self = BarCount { n: self.n + other.n, game: self.game.min(other.game) };
    }
}

/// A bar of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// The smallest value of the bar.
    pub from: i64,
    /// The number of values in the bar.
    pub n: u64,
    /// The number of the first game with a value in the bar; `None` for an empty bar.
    pub game: Option<u64>,
}

impl Histogram {
    /// Adds a value from the game numbered `game`.
    pub fn add(&mut self, value: i64, game: u64) {
        self.add_bar(value >> self.power, BarCount { n: 1, game });
    }

    /// Adds the values of `other`.
    pub fn merge(&mut self, other: &Histogram) {
        while self.power < other.power {
            self.coarsen();
        }
        for (i, count) in other.bars.iter().enumerate() {
            // The bars of `self` may now be wider than the bars of `other`.
            let bar = (other.first + i as i64) >> (self.power - other.power);
            self.add_bar(bar, *count);
        }
    }

    fn add_bar(&mut self, mut bar: i64, more: BarCount) {
        if more.n == 0 {
            return;
        }
        if self.bars.is_empty() {
            self.first = bar;
        }
        loop {
            let end = self.first + self.bars.len() as i64;
            let (from, to) = (self.first.min(bar), end.max(bar + 1));
            if to.abs_diff(from) <= MAX_BARS as u64 {
                let before = self.first.abs_diff(from) as usize;
                self.bars.splice(0..0, std::iter::repeat_n(BarCount::NONE, before));
                self.first = from;
                self.bars.resize(to.abs_diff(from) as usize, BarCount::NONE);
                if let Some(count) = self.bars.get_mut(bar.abs_diff(from) as usize) {
                    count.add(more);
                }
                return;
            }
            self.coarsen();
            bar >>= 1;
        }
    }

    /// Doubles the width of the bars.
    fn coarsen(&mut self) {
        let first = self.first >> 1;
        let mut wider = vec![BarCount::NONE; self.bars.len() / 2 + 1];
        for (i, more) in self.bars.iter().enumerate() {
            let at = ((self.first + i as i64) >> 1).abs_diff(first) as usize;
            if let Some(count) = wider.get_mut(at) {
                count.add(*more);
            }
        }
        if wider.last() == Some(&BarCount::NONE) {
            wider.pop();
        }
        (self.power, self.first, self.bars) = (self.power + 1, first, wider);
    }

    /// Returns the bars from the minimum to the maximum, including empty bars.
    pub fn bars(&self) -> impl Iterator<Item = Bar> + '_ {
        self.bars.iter().enumerate().map(|(i, count)| Bar {
            from: (self.first + i as i64) << self.power,
            n: count.n,
            game: (count.n > 0).then_some(count.game),
        })
    }

    /// Returns the number of integers that each bar covers.
    pub fn width(&self) -> i64 {
        1 << self.power
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterates over fixed numbers of very different sizes.
    fn numbers() -> impl Iterator<Item = i64> {
        (0..400_i64).map(|i| (i * 7919 % 1009 - 300) * if i % 50 == 0 { 1 << 30 } else { 1 })
    }

    #[test]
    fn sums_do_not_depend_on_order() {
        let mut all = (Moments::default(), Histogram::default());
        let mut parts = vec![(Moments::default(), Histogram::default()); 3];
        for (i, value) in numbers().enumerate() {
            for (moments, histogram) in [&mut all, &mut parts[i % 3]] {
                moments.add(value, i as u64);
                histogram.add(value, i as u64);
            }
        }
        let mut merged = (Moments::default(), Histogram::default());
        for (moments, histogram) in parts.iter().rev() {
            merged.0.merge(moments);
            merged.1.merge(histogram);
        }
        assert_eq!(merged, all);
        assert_eq!(all.1.bars().map(|bar| bar.n).sum::<u64>(), 400);
        assert!(all.1.bars().count() <= MAX_BARS);
        let numbers: Vec<i64> = numbers().collect();
        let first_with = |value: i64| numbers.iter().position(|it| *it == value).map(|at| at as u64);
        assert_eq!((all.0.game_with_min(), all.0.game_with_max()), (first_with(all.0.min()), first_with(all.0.max())));
        let in_last_bar = |bar: &Bar| numbers.iter().position(|it| *it >= bar.from).map(|at| at as u64);
        assert_eq!(all.1.bars().last().unwrap().game, in_last_bar(&all.1.bars().last().unwrap()));
    }

    #[test]
    fn intervals_of_means() {
        let mut moments = Moments::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|value| moments.add(value, 0));
        assert_eq!((moments.mean(), moments.standard_deviation()), (5.0, 2.0));
        let interval = moments.interval(0.95).unwrap();
        assert!((interval.low - 3.212_5).abs() < 0.002 && (interval.high - 6.787_5).abs() < 0.002, "{interval:?}");
        assert_eq!(Moments::default().interval(0.95), None);
    }
}
