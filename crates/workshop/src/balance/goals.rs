//! Searches for values of settings and counts for which the games meet goals.

use serde::{Deserialize, Serialize};

use sim::{
    Goal, GoalProgress, GoalResults, GoalSearch, PlanError, Report, ReportSection, Varied, goal_table, search_goals,
};

use super::{BalancePlan, BalanceSnapshot, values_of};

/// The goals of a search, and the settings and counts that it varies, as the user wrote them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GoalTexts {
    /// The name of each quantity, and its range, such as `red` and `49%..51%`.
    pub goals: Vec<(String, String)>,
    /// The name of each setting or count, and its values, such as `base/K` and `0..4`. If there are
    /// no values, the search tries all values of the setting.
    pub varied: Vec<(String, String)>,
}

/// The results of a search so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoalsFound {
    /// The best combinations of values; empty until the search has ended.
    pub results: GoalResults,
    /// The progress of the search.
    pub progress: GoalProgress,
    goals: Vec<Goal>,
}

impl GoalsFound {
    /// Returns the table of the best combinations.
    pub fn table(&self) -> ReportSection {
        goal_table(&self.results, &self.goals)
    }
}

impl BalancePlan {
    /// Searches for values of settings and counts while `goes_on` returns true. Calls `each` after
    /// the games of each combination of values. The report of the results is that of the best
    /// combination.
    pub(super) fn play_for_goals(
        &self,
        texts: &GoalTexts,
        goes_on: &dyn Fn() -> bool,
        each: &mut dyn FnMut(BalanceSnapshot),
    ) -> Result<(), PlanError> {
        let (plan, loaded) = (self.plan(&self.mods), &self.mods.loaded);
        let goal = |(name, range): &(String, String)| {
            Goal::parse(&format!("{name}={range}"), &plan).map_err(|error| PlanError(error.to_string()))
        };
        let goals = texts.goals.iter().map(goal).collect::<Result<Vec<Goal>, PlanError>>()?;
        let varied = |(name, wanted): &(String, String)| {
            let wanted = Some(wanted.trim()).filter(|wanted| !wanted.is_empty());
            let values = values_of(loaded, name, wanted).map_err(|error| PlanError(error.to_string()))?;
            // Checks all values now, not when the search reaches them.
            values.iter().try_for_each(|value| self.mods.with_values(&[(name.clone(), value.clone())]).map(drop))?;
            Ok(Varied { name: name.clone(), values })
        };
        let varied = texts.varied.iter().map(varied).collect::<Result<Vec<Varied>, PlanError>>()?;
        let mut search = GoalSearch::new(loaded.catalogue(), &plan, goals, varied)?;
        let plan_of = |values: &[(String, String)]| Ok(self.plan(&self.mods.with_values(values)?));
        let mut told = |search: &GoalSearch| {
            let (results, progress) = (search.results(), search.progress());
            let report = results.best.first().map_or_else(|| Report::new(&plan), |best| best.report.clone());
            let steps = (progress.n_played as u64, progress.n as u64);
            let found = GoalsFound { results, progress, goals: search.goals().to_vec() };
            each(BalanceSnapshot { report, goals: Some(found), progress: steps, ..BalanceSnapshot::default() });
            goes_on()
        };
        search_goals(&**loaded, &mut search, &plan_of, &mut told, goes_on)
    }
}
