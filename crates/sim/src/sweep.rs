//! A setting at several values: the same games with each of them.

use rules::{Setting, SettingValue};
use serde::{Deserialize, Serialize};

use crate::compare::{Arm, Comparison, Difference, Verdict, compare_all};
use crate::measure::Measure;
use crate::plan::PlanError;
use crate::stats::Report;

/// The most values of a sweep.
pub const MOST_VALUES: usize = 32;

/// What has come of games with each value of a setting.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// The setting, with its mod: `base.small_city`.
    pub setting: String,
    /// Its values.
    pub values: Vec<String>,
    /// Which of them the others are compared with.
    pub base: usize,
    /// The others against it, in their order.
    others: Vec<Comparison>,
}

impl Sweep {
    /// Returns what came of the games with the value at `at`.
    pub fn report(&self, at: usize) -> Option<&Report> {
        match self.comparison(at) {
            Some(found) => Some(&found.b),
            None => self.others.first().map(|found| &found.a),
        }
    }

    /// Returns the value at `at` (B) against the base (A); nothing for the base itself.
    pub fn comparison(&self, at: usize) -> Option<&Comparison> {
        match at.cmp(&self.base) {
            std::cmp::Ordering::Less => self.others.get(at),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => self.others.get(at - 1),
        }
    }

    /// Returns what was measured.
    pub fn measures(&self) -> Vec<Measure> {
        let found = self.others.first();
        found.map_or_else(Vec::new, |found| found.differences.iter().map(|it| it.measure).collect())
    }

    /// Returns by how much something is more with the value at `at` than with the base, and the comparison that says so; nothing for the base.
    pub fn difference(&self, at: usize, measure: Measure) -> Option<(&Comparison, &Difference)> {
        let found = self.comparison(at)?;
        Some((found, found.differences.iter().find(|it| it.measure == measure)?))
    }

    /// Returns whether something is the same in every game with all values.
    pub fn is_same(&self, measure: Measure) -> bool {
        let found = (0..self.values.len()).filter_map(|at| self.difference(at, measure));
        found.into_iter().all(|(found, it)| found.verdict(it) == Verdict::Same)
    }

    /// Returns whether some value can be told from the base.
    pub fn differs(&self) -> bool {
        self.others.iter().any(Comparison::differs)
    }

    /// Returns the value that the others are compared with.
    pub fn base_value(&self) -> &str {
        self.values.get(self.base).map_or("", String::as_str)
    }

    /// Returns how many games were played with each value.
    pub fn n_games(&self) -> u64 {
        self.others.first().map_or(0, |found| found.a.n_games)
    }

    /// Adds what came of other games of the same sweep.
    pub fn merge(&mut self, other: Sweep) {
        self.others.iter_mut().zip(other.others).for_each(|(own, more)| own.merge(more));
    }
}

/// Plays the games of each arm, one for each of `values`, with the same numbers, seeds and chance, and compares them with the one at `base`.
/// `progress` gets how many games were played with each value.
///
/// # Errors
/// As [`compare`](crate::compare), and where there are not two values and as many arms.
pub fn sweep(
    arms: &[Arm<'_>],
    setting: &str,
    values: &[String],
    base: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<Sweep, PlanError> {
    if values.len() < 2 || values.len() != arms.len() || base >= arms.len() {
        return Err(PlanError(format!("a sweep of {setting} needs two values at least")));
    }
    let others = compare_all(arms, base, progress)?;
    Ok(Sweep { setting: setting.to_owned(), values: values.to_vec(), base, others })
}

/// Returns the values of a setting that `wanted` names: `2..5` (both included), `2,4`, or all of them where nothing is said.
///
/// # Errors
/// Where these are not two values at least, and [`MOST_VALUES`] at most. Whether the setting may have them is not looked at.
pub fn sweep_values(setting: &Setting, wanted: Option<&str>) -> Result<Vec<String>, String> {
    let name = &setting.name;
    let numbers =
        |from: i64, to: i64| -> Vec<String> { (from..=to).take(MOST_VALUES + 1).map(|n| n.to_string()).collect() };
    let values: Vec<String> = match (wanted, &setting.default, setting.range) {
        (Some(wanted), ..) => match wanted.split_once("..") {
            Some((from, to)) => match (from.trim().parse(), to.trim().parse()) {
                (Ok(from), Ok(to)) => numbers(from, to),
                _ => return Err(format!("`{wanted}` are no numbers: write 2..5, or values such as 2,4,8")),
            },
            None => wanted.split(',').map(|value| value.trim().to_owned()).collect(),
        },
        _ if !setting.choices.is_empty() => setting.choices.iter().map(SettingValue::to_string).collect(),
        (None, SettingValue::Bool(_), _) => vec!["false".to_owned(), "true".to_owned()],
        (None, SettingValue::Int(_), Some((from, to))) => numbers(from, to),
        _ => return Err(format!("say which values of {name} to play with: {name}=2..5, or {name}=a,b")),
    };
    match values.len() {
        0 | 1 => Err(format!("a sweep of {name} needs two values at least, such as {name}=2..5")),
        n if n > MOST_VALUES => {
            Err(format!("at most {MOST_VALUES} values of {name}: name some, such as {name}=0,10,20"))
        }
        _ => Ok(values),
    }
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
            [("5..2", "two values"), ("3", "two values"), ("1..99", "at most 32"), ("a..b", "no numbers")]
        {
            let error = sweep_values(&number, Some(wanted)).unwrap_err();
            assert!(error.contains(says), "{wanted}: {error}");
        }
        assert!(sweep_values(&setting(SettingValue::Int(2), None), None).unwrap_err().contains("which values"));
    }
}
