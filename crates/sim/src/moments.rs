//! Sums of whole numbers from which means, deviations and intervals follow, and bars of how often each value was seen. Adding them up gives the
//! same in any order.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::interval::{Interval, two_sided_t};

/// A number, and the first game in which it was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Seen {
    value: i64,
    game: u64,
}

impl Seen {
    fn least(self, other: Seen) -> Seen {
        if (self.value, self.game) <= (other.value, other.game) { self } else { other }
    }

    fn most(self, other: Seen) -> Seen {
        if (self.value, Reverse(self.game)) >= (other.value, Reverse(other.game)) { self } else { other }
    }
}

/// Numbers that were seen in games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moments {
    n: u64,
    sum: i128,
    sum_of_squares: i128,
    least: Option<Seen>,
    most: Option<Seen>,
}

impl Moments {
    /// Adds a number that was seen in the game numbered `game`.
    pub fn add(&mut self, value: i64, game: u64) {
        let seen = Seen { value, game };
        self.n += 1;
        self.sum += i128::from(value);
        self.sum_of_squares += i128::from(value) * i128::from(value);
        self.least = Some(self.least.map_or(seen, |least| least.least(seen)));
        self.most = Some(self.most.map_or(seen, |most| most.most(seen)));
    }

    /// Adds the numbers of `other`.
    pub fn merge(&mut self, other: &Moments) {
        self.n += other.n;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.least = [self.least, other.least].into_iter().flatten().reduce(Seen::least);
        self.most = [self.most, other.most].into_iter().flatten().reduce(Seen::most);
    }

    /// Returns how many there are.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns their sum.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// Returns their mean; 0 where there are none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.n.max(1) as f64
    }

    /// Returns their standard deviation within these games.
    pub fn deviation(&self) -> f64 {
        self.scatter().sqrt() / self.n.max(1) as f64
    }

    /// The square of the number times the sum of squared deviations from the mean.
    fn scatter(&self) -> f64 {
        // Whole numbers to the end: large sums would lose the difference.
        ((i128::from(self.n) * self.sum_of_squares - self.sum * self.sum) as f64).max(0.0)
    }

    /// Returns Student's interval of the mean; nothing where there are less than two numbers.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        if self.n < 2 {
            return None;
        }
        let n = self.n as f64;
        let error = (self.scatter() / (n * n * (n - 1.0))).sqrt();
        Some(Interval::around(self.mean(), two_sided_t(level, self.n - 1) * error))
    }

    /// Returns the least; 0 where there are none.
    pub fn least(&self) -> i64 {
        self.least.map_or(0, |seen| seen.value)
    }

    /// Returns the greatest; 0 where there are none.
    pub fn most(&self) -> i64 {
        self.most.map_or(0, |seen| seen.value)
    }

    /// Returns the number of the first game with the least number.
    pub fn least_in(&self) -> Option<u64> {
        self.least.map(|seen| seen.game)
    }

    /// Returns the number of the first game with the greatest number.
    pub fn most_in(&self) -> Option<u64> {
        self.most.map(|seen| seen.game)
    }
}

/// The most bars of a histogram.
const MOST_BARS: usize = 64;

/// How often values were seen, in bars of equal width. The width is the least power of two with which the bars are few, so it follows from the
/// least and the greatest value alone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// A bar is as wide as this power of two.
    power: u32,
    /// Which bar comes first: that of values from `first << power` on.
    first: i64,
    bars: Vec<Count>,
}

/// How many values a bar holds, and the number of the first game of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Count {
    n: u64,
    game: u64,
}

impl Count {
    const NONE: Count = Count { n: 0, game: u64::MAX };

    fn add(&mut self, other: Count) {
        *self = Count { n: self.n + other.n, game: self.game.min(other.game) };
    }
}

/// A bar of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// The least value that it holds.
    pub from: i64,
    /// How many values it holds.
    pub n: u64,
    /// The number of the first game of them; nothing where it holds none.
    pub game: Option<u64>,
}

impl Histogram {
    /// Adds a value that was seen in the game numbered `game`.
    pub fn add(&mut self, value: i64, game: u64) {
        self.add_bar(value >> self.power, Count { n: 1, game });
    }

    /// Adds the values of `other`.
    pub fn merge(&mut self, other: &Histogram) {
        while self.power < other.power {
            self.coarsen();
        }
        for (i, count) in other.bars.iter().enumerate() {
            // Meanwhile bars may have become wider.
            let bar = (other.first + i as i64) >> (self.power - other.power);
            self.add_bar(bar, *count);
        }
    }

    fn add_bar(&mut self, mut bar: i64, more: Count) {
        if more.n == 0 {
            return;
        }
        if self.bars.is_empty() {
            self.first = bar;
        }
        loop {
            let end = self.first + self.bars.len() as i64;
            let (from, to) = (self.first.min(bar), end.max(bar + 1));
            if to.abs_diff(from) <= MOST_BARS as u64 {
                let before = self.first.abs_diff(from) as usize;
                self.bars.splice(0..0, std::iter::repeat_n(Count::NONE, before));
                self.first = from;
                self.bars.resize(to.abs_diff(from) as usize, Count::NONE);
                if let Some(count) = self.bars.get_mut(bar.abs_diff(from) as usize) {
                    count.add(more);
                }
                return;
            }
            self.coarsen();
            bar >>= 1;
        }
    }

    /// Makes bars twice as wide.
    fn coarsen(&mut self) {
        let first = self.first >> 1;
        let mut wider = vec![Count::NONE; self.bars.len() / 2 + 1];
        for (i, more) in self.bars.iter().enumerate() {
            let at = ((self.first + i as i64) >> 1).abs_diff(first) as usize;
            if let Some(count) = wider.get_mut(at) {
                count.add(*more);
            }
        }
        if wider.last() == Some(&Count::NONE) {
            wider.pop();
        }
        (self.power, self.first, self.bars) = (self.power + 1, first, wider);
    }

    /// Returns the bars, those between that hold nothing included.
    pub fn bars(&self) -> impl Iterator<Item = Bar> + '_ {
        self.bars.iter().enumerate().map(|(i, count)| Bar {
            from: (self.first + i as i64) << self.power,
            n: count.n,
            game: (count.n > 0).then_some(count.game),
        })
    }

    /// Returns how many whole numbers a bar holds.
    pub fn width(&self) -> i64 {
        1 << self.power
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of very different sizes, always the same.
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
        assert!(all.1.bars().count() <= MOST_BARS);
        let numbers: Vec<i64> = numbers().collect();
        let first_with = |value: i64| numbers.iter().position(|it| *it == value).map(|at| at as u64);
        assert_eq!((all.0.least_in(), all.0.most_in()), (first_with(all.0.least()), first_with(all.0.most())));
        let in_last_bar = |bar: &Bar| numbers.iter().position(|it| *it >= bar.from).map(|at| at as u64);
        assert_eq!(all.1.bars().last().unwrap().game, in_last_bar(&all.1.bars().last().unwrap()));
    }

    #[test]
    fn intervals_of_means() {
        let mut moments = Moments::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|value| moments.add(value, 0));
        assert_eq!((moments.mean(), moments.deviation()), (5.0, 2.0));
        let interval = moments.interval(0.95).unwrap();
        assert!((interval.low - 3.212_5).abs() < 0.002 && (interval.high - 6.787_5).abs() < 0.002, "{interval:?}");
        assert_eq!(Moments::default().interval(0.95), None);
    }
}
