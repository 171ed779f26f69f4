//! Sweeps: plays games with each of several values of a setting. For each value, the games have the
//! same seeds.

use rules::{Setting, SettingValue};
use serde::{Deserialize, Serialize};

use crate::compare::{Arm, Comparison, Difference, Verdict, compare_all};
use crate::measure::Measure;
use crate::plan::PlanError;
use crate::stats::Report;

/// The maximum number of values of a sweep.
pub const MAX_VALUES: usize = 32;

/// The results of games with each value of a setting.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// The qualified name of the setting, such as `base.small_city`.
    pub setting: String,
    /// The values of the setting.
    pub values: Vec<String>,
    /// The index of the base value. The other values are compared with the base value.
    pub base: usize,
    /// The comparisons of the other values with the base value, in the order of the values.
    others: Vec<Comparison>,
}

impl Sweep {
    /// Returns the report on the games with value number `at`, counted from 0; `None` if there is
    /// no such value.
    pub fn report(&self, at: usize) -> Option<&Report> {
        match self.comparison(at) {
            Some(found) => Some(&found.b),
            None => self.others.first().map(|found| &found.a),
        }
    }

    /// Returns the comparison of value number `at` (B) with the base value (A); `None` if `at` is
    /// the base value.
    pub fn comparison(&self, at: usize) -> Option<&Comparison> {
        match at.cmp(&self.base) {
            std::cmp::Ordering::Less => self.others.get(at),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => self.others.get(at - 1),
        }
    }

    /// Returns the compared measures.
    pub fn measures(&self) -> Vec<Measure> {
        let found = self.others.first();
        found.map_or_else(Vec::new, |found| found.differences.iter().map(|it| it.measure).collect())
    }

    /// Returns the difference of a measure between value number `at` and the base value. Also
    /// returns the comparison that contains this difference. `None` if `at` is the base value.
    pub fn difference(&self, at: usize, measure: Measure) -> Option<(&Comparison, &Difference)> {
        let found = self.comparison(at)?;
        Some((found, found.differences.iter().find(|it| it.measure == measure)?))
    }

    /// Returns whether a measure is the same in every game with every value of the setting.
    pub fn is_same(&self, measure: Measure) -> bool {
        let found = (0..self.values.len()).filter_map(|at| self.difference(at, measure));
        found.into_iter().all(|(found, it)| found.verdict(it) == Verdict::Same)
    }

    /// Returns whether the results with any value differ significantly from the results with the
    /// base value.
    pub fn differs(&self) -> bool {
        self.others.iter().any(Comparison::differs)
    }

    /// Returns the base value. The other values are compared with this value.
    pub fn base_value(&self) -> &str {
        self.values.get(self.base).map_or("", String::as_str)
    }

    /// Returns the number of games played with each value.
    pub fn n_games(&self) -> u64 {
        self.others.first().map_or(0, |found| found.a.n_games)
    }

    /// Adds the results of other games of the same sweep.
    pub fn merge(&mut self, other: Sweep) {
        self.others.iter_mut().zip(other.others).for_each(|(own, more)| own.merge(more));
    }
}

/// Plays the games of `arms`, and compares arm number `base` with the other arms. There is one arm
/// for each of `values`. Compared games have the same number. If the plans have the same base seed,
/// the games also have the same seed. `progress` receives the number of games played with each
/// value.
///
/// # Errors
/// Returns the same errors as [`compare`](crate::compare). Also returns an error if there are fewer
/// than two values, if there is no arm number `base`, or if the numbers of values and arms differ.
pub fn sweep(
    arms: &[Arm<'_>],
    setting: &str,
    values: &[String],
    base: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<Sweep, PlanError> {
    if values.len() < 2 || values.len() != arms.len() || base >= arms.len() {
        return Err(PlanError(format!("a sweep of {setting} needs at least two values")));
    }
    let others = compare_all(arms, base, progress)?;
    Ok(Sweep { setting: setting.to_owned(), values: values.to_vec(), base, others })
}

/// Returns the values of a setting for a sweep: those that `wanted` lists, as in [`listed_values`],
/// or all values if it is `None`. Does not check whether the setting permits the values.
///
/// # Errors
/// Returns an error if `wanted` is invalid, or if there are fewer than two values or more than
/// [`MAX_VALUES`]. Also returns an error if `wanted` is `None` and the setting accepts unlimited
/// values.
pub fn sweep_values(setting: &Setting, wanted: Option<&str>) -> Result<Vec<String>, ValuesError> {
    let name = &setting.name;
    let values = match (wanted, &setting.default, setting.range) {
        (Some(wanted), ..) => return listed_values(name, wanted),
        _ if !setting.choices.is_empty() => setting.choices.iter().map(SettingValue::to_string).collect(),
        (None, SettingValue::Bool(_), _) => vec!["false".to_owned(), "true".to_owned()],
        (None, SettingValue::Int(_), Some((from, to))) => numbers(from, to),
        _ => return Err(ValuesError::Unlimited(name.clone())),
    };
    check_number_of_values(name, values)
}

/// Returns the values of the setting or count `name` that a text lists, as `2..5` (both included)
/// or as `2,4`. Does not check whether the values are permitted.
///
/// # Errors
/// Returns an error if `wanted` is invalid, or if there are fewer than two values or more than
/// [`MAX_VALUES`].
pub fn listed_values(name: &str, wanted: &str) -> Result<Vec<String>, ValuesError> {
    let values = match wanted.split_once("..") {
        Some((from, to)) => match (from.trim().parse(), to.trim().parse()) {
            (Ok(from), Ok(to)) => numbers(from, to),
            _ => return Err(ValuesError::NotNumbers(wanted.to_owned())),
        },
        None => wanted.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    check_number_of_values(name, values)
}

fn numbers(from: i64, to: i64) -> Vec<String> {
    (from..=to).take(MAX_VALUES + 1).map(|n| n.to_string()).collect()
}

fn check_number_of_values(name: &str, values: Vec<String>) -> Result<Vec<String>, ValuesError> {
    match values.len() {
        0 | 1 => Err(ValuesError::TooFew(name.to_owned())),
        n if n > MAX_VALUES => Err(ValuesError::TooMany(name.to_owned())),
        _ => Ok(values),
    }
}

/// The reason why values cannot be swept. Most variants contain the name of the setting or count.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValuesError {
    /// The setting accepts unlimited values, and none are chosen.
    #[error("choose values of {0}: {0}=2..5, or {0}=a,b")]
    Unlimited(String),
    /// This text is not a range of numbers.
    #[error("`{0}` is not a list of numbers: write 2..5, or values such as 2,4,8")]
    NotNumbers(String),
    /// Fewer than two values.
    #[error("{0} needs at least two values, such as {0}=2..5")]
    TooFew(String),
    /// More than [`MAX_VALUES`] values.
    #[error("at most {MAX_VALUES} values of {0}: choose some, such as {0}=0,10,20")]
    TooMany(String),
}

#[cfg(test)]
mod tests {
    use rules::ModIdx;

    use super::*;

    #[test]
    fn values_are_read_and_found() {
        let setting = |default: SettingValue, range: Option<(i64, i64)>| Setting {
            owner: ModIdx(0),
            name: "inn".to_owned(),
            default,
            choices: Vec::new(),
            range,
            about: String::new(),
        };
        let number = setting(SettingValue::Int(2), Some((0, 3)));
        assert_eq!(sweep_values(&number, Some("2..5")).unwrap(), ["2", "3", "4", "5"]);
        assert_eq!(sweep_values(&number, Some("2, 8")).unwrap(), ["2", "8"]);
        assert_eq!(sweep_values(&number, None).unwrap(), ["0", "1", "2", "3"]);
        assert_eq!(sweep_values(&setting(SettingValue::Bool(true), None), None).unwrap(), ["false", "true"]);
        for (wanted, says) in
            [("5..2", "two values"), ("3", "two values"), ("1..99", "at most 32"), ("a..b", "not a list of numbers")]
        {
            let error = sweep_values(&number, Some(wanted)).unwrap_err();
            assert!(error.to_string().contains(says), "{wanted}: {error}");
        }
        assert!(
            sweep_values(&setting(SettingValue::Int(2), None), None).unwrap_err().to_string().contains("choose values")
        );
    }
}
