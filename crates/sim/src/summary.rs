//! Reports as tables. The command, the HTML page and the window show the numbers of these tables.

use crate::ablation::{AblationResults, OrderDependence, RuleEffect};
use crate::compare::{Comparison, Difference, Verdict};
use crate::example::Subject;
use crate::findings::findings_table;
use crate::goal::{Goal, GoalVerdict, goal_level};
use crate::goal_search::{Compromise, GoalResults};
use crate::interval::{DEFAULT_LEVEL, Interval, level_of_each, win_rate_interval};
use crate::ladder::{Ladder, LadderPair};
use crate::measure::Measure;
use crate::moments::Moments;
use crate::report_table::{ReportCell, ReportRow, ReportSection};
use crate::result::N_MOMENTS;
use crate::stats::{MeasureStats, Report, Standing};
use crate::sweep::Sweep;
use crate::tally::{Details, TileTally};

/// Returns the tables of a report. The intervals have the confidence `level`.
pub fn summary(report: &Report, level: f64) -> Vec<ReportSection> {
    let mut sections = vec![findings_table(report), standings("Seats", "seat", &report.seats(), level, Measure::Win)];
    if !report.players().is_empty() {
        sections.push(standings("Players", "player", &report.players(), level, Measure::PlayerWin));
    }
    sections.push(games(report, level));
    if let Some(details) = &report.details {
        sections.push(decisiveness(report, details, level));
        sections.push(points(details));
        sections.push(by_rule(details));
        sections.push(tiles(details, level));
        sections.push(pieces(details, level));
    }
    sections.retain(|section| !section.rows.is_empty());
    sections
}

fn standings(title: &str, of: &str, standings: &[Standing<'_>], level: f64, win: fn(u8) -> Measure) -> ReportSection {
    let row = |(number, it): (usize, &Standing<'_>)| {
        let mut cells = if of == "player" { Vec::new() } else { vec![ReportCell::text(it.player)] };
        cells.extend([
            ReportCell::count(it.n_games()),
            ReportCell::number(it.wins(), 1),
            ReportCell::fraction(it.win_rate(), Some(it.win_rate_interval(level))),
            ReportCell::mean(it.score, level),
            ReportCell::number(it.score.standard_deviation(), 2),
            ReportCell::number(it.score.min() as f64, 0),
            ReportCell::number(it.score.max() as f64, 0),
        ]);
        ReportRow::new(it.name, cells).with_example(it.first_won_game(), Subject::Measure(win(number as u8)))
    };
    let mut columns = vec![of, "player", "games", "wins", "share", "mean", "s.d.", "min", "max"];
    if of == "player" {
        columns.remove(1);
    }
    let about = "Wins and scores. A tie of two counts as half a win each.";
    ReportSection::new(title, about, &columns, standings.iter().enumerate().map(row).collect())
}

fn games(report: &Report, level: f64) -> ReportSection {
    let seats = |it: &&MeasureStats| {
        use Measure::{PlayerScore, PlayerWin, Score, Win};
        !matches!(it.measure, Win(_) | Score(_) | PlayerWin(_) | PlayerScore(_))
    };
    let row = |it: &MeasureStats| {
        let scale = it.measure.scale();
        let number = |value: f64, interval: Option<Interval>| cell_of(it.measure, value, interval);
        let cells = vec![
            number(it.mean(), it.interval(level)),
            number(it.moments.standard_deviation() / scale, None),
            number(it.moments.min() as f64 / scale, None),
            number(it.moments.max() as f64 / scale, None),
        ];
        ReportRow::new(report.name_of(it.measure), cells)
            .with_example(it.moments.game_with_max(), Subject::Measure(it.measure))
    };
    ReportSection::new(
        "Games",
        "Mean, standard deviation, minimum and maximum per game.",
        &["in a game", "mean", "s.d.", "min", "max"],
        report.measured.iter().filter(seats).map(row).collect(),
    )
}

/// Returns a cell with the number of points per game; 0 if there are no games.
fn per_game(points: i128, n_games: u64) -> ReportCell {
    ReportCell::number(points as f64 / n_games.max(1) as f64, 2)
}

/// The fraction of games in which the leader must win, so that the winner counts as known.
const KNOWN: f64 = 0.9;

fn decisiveness(report: &Report, details: &Details, level: f64) -> ReportSection {
    let n_turns = report.stats_of(Measure::Turns).map_or(0.0, MeasureStats::mean);
    let part = |moment: u32| f64::from(moment) / f64::from(N_MOMENTS);
    let level = level_of_each(level, N_MOMENTS as usize);
    let row = |moment: u32| {
        let (rate, interval) = details.leader_wins(moment, level);
        let cells = vec![ReportCell::number(part(moment) * n_turns, 0), ReportCell::fraction(rate, Some(interval))];
        ReportRow::new(format!("{:.0}%", 100.0 * part(moment)), cells)
    };
    let known = match details.known_from(KNOWN) {
        Some(moment) => format!("after {:.0}% of the game (turn {:.0})", 100.0 * part(moment), part(moment) * n_turns),
        None => "only in the final count".to_owned(),
    };
    ReportSection::new(
        "When the winner is known",
        format!(
            "How often the sole leader after this part of the game wins. With 90%, the winner is known {known}. The \
             intervals hold for all rows at the same time."
        ),
        &["after", "turn", "leader wins"],
        (1..=N_MOMENTS).filter(|moment| moment.is_multiple_of(2)).map(row).collect(),
    )
}

fn points(details: &Details) -> ReportSection {
    let n = details.n_games;
    let mut names: Vec<&str> = Vec::new();
    for reason in details.playing.list().into_iter().chain(details.at_end.list()) {
        if !names.contains(&reason.name.as_str()) {
            names.push(&reason.name);
        }
    }
    let sum = |name: &str| {
        let of = |points: Option<&Moments>| points.map_or(0, Moments::sum);
        (of(details.playing.points(name)), of(details.at_end.points(name)))
    };
    let all: i128 = names.iter().map(|name| sum(name)).map(|(playing, at_end)| playing + at_end).sum();
    let row = |name: &&str| {
        let (playing, at_end) = sum(name);
        let share = (playing + at_end) as f64 / (all.max(1)) as f64;
        let cells = vec![
            per_game(playing, n),
            per_game(at_end, n),
            per_game(playing + at_end, n),
            ReportCell::fraction(share, None),
        ];
        let both = [details.playing.points(name), details.at_end.points(name)].into_iter().flatten();
        let most = both.max_by_key(|points| points.max()).and_then(Moments::game_with_max);
        ReportRow::new(*name, cells).with_example(most, Subject::Reason((*name).to_owned()))
    };
    let mut rows: Vec<ReportRow> = names.iter().map(row).collect();
    let rest = (details.playing.rest(), details.at_end.rest());
    if rest != (0, 0) {
        let share = ReportCell::text("");
        let cells = vec![per_game(rest.0, n), per_game(rest.1, n), per_game(rest.0 + rest.1, n), share];
        rows.push(ReportRow::new("all others", cells));
    }
    ReportSection::new(
        "Points by reason",
        "Points of all players per game, by kind of feature or by the reason that a mod gives.",
        &["for", "playing", "at the end", "in all", "share"],
        rows,
    )
}

fn by_rule(details: &Details) -> ReportSection {
    let n = details.n_games;
    let row = |reason: &&crate::tally::ReasonPoints| {
        let games = reason.points.n() as f64 / n.max(1) as f64;
        let points = &reason.points;
        let costs = points.min().unsigned_abs() > points.max().unsigned_abs();
        let most = if costs { points.game_with_min() } else { points.game_with_max() };
        let cells = vec![per_game(points.sum(), n), ReportCell::fraction(games, None)];
        ReportRow::new(&reason.name, cells).with_example(most, Subject::Rule(reason.name.clone()))
    };
    ReportSection::new(
        "Points by rule",
        "Points of all players per game from each formula and from each function of a mod, and the share of \
         games with such points.",
        &["by", "points", "of the games"],
        details.by_rule.list().iter().map(row).collect(),
    )
}

fn tiles(details: &Details, level: f64) -> ReportSection {
    let n = details.n_games.max(1) as f64;
    let seen = |tile: &&TileTally| tile.n_laid() + tile.n_discarded > 0;
    let level = level_of_each(level, details.tiles.iter().filter(seen).count());
    let row = |tile: &TileTally| {
        let cells = vec![
            ReportCell::number(tile.n_laid() as f64 / n, 2),
            ReportCell::number(tile.n_discarded as f64 / n, 3),
            ReportCell::estimate(tile.fit_rate(level)),
            ReportCell::mean(&tile.places, level),
            ReportCell::mean(&tile.points, level),
            ReportCell::estimate(details.win_difference(tile, level)),
        ];
        ReportRow::new(&tile.name, cells).with_example(tile.points.game_with_max(), Subject::Tile(tile.name.clone()))
    };
    ReportSection::new(
        "Tiles",
        "How often a tile is laid or discarded per game, how often it fits when it is drawn, and its number of legal \
         placements. Also the points of its player in this turn and the next two, and the change in the player's win \
         rate. The intervals of a column hold for all tiles at the same time.",
        &["tile", "laid", "discarded", "fits", "places", "points", "wins"],
        details.tiles.iter().filter(seen).map(row).collect(),
    )
}

fn pieces(details: &Details, level: f64) -> ReportSection {
    let stuck = details.stuck.iter().filter(|(_, n)| n.max() > 0);
    let row = |(kind, n): &(String, Moments)| {
        ReportRow::new(kind, vec![ReportCell::mean(n, level)]).with_example(n.game_with_max(), Subject::End)
    };
    ReportSection::new(
        "Pieces in play at the end",
        "Pieces of all players that were not returned before the game ended.",
        &["piece", "a game"],
        stuck.map(row).collect(),
    )
}

/// Returns a cell with a value of `measure`.
fn cell_of(measure: Measure, value: f64, interval: Option<Interval>) -> ReportCell {
    ReportCell::value(value, interval, measure.is_share())
}

/// Returns a comparison as a table.
pub fn comparison_table(comparison: &Comparison) -> ReportSection {
    let row = |difference: &Difference| {
        let Difference { measure, .. } = difference;
        let mean_of = |report: &Report| report.stats_of(*measure).map_or(0.0, MeasureStats::mean);
        let cell = |value: f64, interval: Option<Interval>| cell_of(*measure, value, interval);
        let cells = vec![
            cell(mean_of(&comparison.a), None),
            cell(mean_of(&comparison.b), None),
            cell(difference.mean(), comparison.interval(difference)),
            ReportCell::text(verdict_text(comparison.verdict(difference))),
        ];
        let row =
            ReportRow::new(comparison.a.name_of(*measure), cells).with_verdict(Some(comparison.verdict(difference)));
        // If A and B are equal in every game, no game illustrates a difference.
        let example = difference.game_with_greatest().filter(|_| comparison.verdict(difference) != Verdict::Same);
        row.with_example(example, Subject::Measure(*measure))
    };
    ReportSection::new(
        "A against B",
        "B minus A, in pairs of games with the same seeds. With 95% confidence, all intervals contain the true difference.",
        &["in a game", "A", "B", "B less A", ""],
        comparison.differences.iter().map(row).collect(),
    )
}

/// Returns the results of an ablation as tables: the effects of functions and tags, and the mods
/// whose order matters. Omits the second table if there are no such mods.
pub fn ablation_tables(found: &AblationResults) -> Vec<ReportSection> {
    let level = level_of_each(DEFAULT_LEVEL, found.effects.len());
    let effect = |it: &RuleEffect| {
        let share = |n: u64| {
            let interval = win_rate_interval(n as f64, it.n_pairs, level);
            ReportCell::fraction(n as f64 / it.n_pairs.max(1) as f64, Some(interval))
        };
        let calls = it.calls.map_or(ReportCell::text(""), |calls| ReportCell::number(calls, 2));
        let cells = vec![
            calls,
            share(it.n_changed),
            share(it.n_other_winners),
            ReportCell::number(it.points, 2),
            ReportCell::text(it.explanation()),
        ];
        let row =
            ReportRow::new(it.part.to_string(), cells).with_example(it.first_change, Subject::Part(it.part.clone()));
        ReportRow { is_noise: !it.matters(), ..row }
    };
    let unlaid = found.unlaid.iter().map(|tile| {
        let nothing = || ReportCell::text("");
        let cells = vec![nothing(), nothing(), nothing(), nothing(), ReportCell::text("never laid")];
        ReportRow { is_noise: true, ..ReportRow::new(format!("tile {tile}"), cells) }
    });
    let clash = |it: &OrderDependence| {
        let [first, second] = &it.mods;
        let row =
            ReportRow::new(format!("{first}, {second}"), vec![ReportCell::count(it.game), ReportCell::text(&it.what)]);
        row.with_example(Some(it.game), Subject::At(it.at))
    };
    let mut sections = vec![
        ReportSection::new(
            "Effect of each rule",
            "Games with the rule against games without it, with the same seeds: calls per game (also those that only \
             measure the game), games with different scores or winners, and extra points of all players. The intervals hold for all rules at the same time. \
             Rules that never changed a result are grey.",
            &["rule", "calls a game", "other scores", "other winners", "points", ""],
            found.effects.iter().map(effect).chain(unlaid).collect(),
        ),
        ReportSection::new(
            "Mods whose order matters",
            "If the second mod runs first, the same decisions lead to a different result.",
            &["mods", "game", ""],
            found.clashes.iter().map(clash).collect(),
        ),
    ];
    sections.retain(|section| !section.rows.is_empty());
    sections
}

/// Returns the table of the combinations that a search found: a row for each, with the values of
/// the goals and their intervals. All intervals of a row together are correct at 95%.
pub fn goal_table(found: &GoalResults, goals: &[Goal]) -> ReportSection {
    let level = goal_level(goals.len());
    let row = |it: &Compromise| {
        let values: Vec<String> = it.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (mut cells, mut misses) = (Vec::new(), Vec::new());
        for goal in goals {
            let Some((value, interval)) = goal.value_in(&it.report, level) else {
                cells.push(ReportCell::text("no games"));
                continue;
            };
            cells.push(ReportCell::value(value, Some(interval), goal.is_share()));
            match goal.verdict(interval) {
                GoalVerdict::Met => {}
                GoalVerdict::Open => misses.push(format!("{} unclear", goal.name)),
                GoalVerdict::Missed => misses.push(format!("{} missed", goal.name)),
            }
        }
        let verdict = if misses.is_empty() { "meets all goals".to_owned() } else { misses.join(", ") };
        cells.push(ReportCell::text(verdict));
        ReportRow { is_noise: !misses.is_empty(), ..ReportRow::new(values.join(", "), cells) }
    };
    let columns = goals.iter().map(|goal| goal.name.as_str());
    let columns: Vec<&str> = ["values"].into_iter().chain(columns).chain([""]).collect();
    ReportSection::new(
        "Values that meet the goals best",
        "The best combinations, in games that the search had not played before. A goal is unclear if its interval \
         contains a bound of the goal: more games decide.",
        &columns,
        found.best.iter().map(row).collect(),
    )
}

/// Returns the ladder of skill, or the worth of options, as a table.
pub fn ladder_table(found: &Ladder, level: f64) -> ReportSection {
    let level = found.pair_level(level);
    if found.rungs.iter().any(|rung| rung.forbidden().is_some()) {
        return options_table(found, level);
    }
    if found.is_strength() {
        return strength_table(found, level);
    }
    let row = |rung: &LadderPair| {
        let share = ReportCell::fraction(rung.win_rate(), Some(rung.interval(level)));
        ReportRow::new(
            format!("{} against {}", rung.stronger, rung.weaker),
            vec![share, ReportCell::text(rung.verdict(level))],
        )
    };
    ReportSection::new(
        "Skill and luck",
        "Each bot against the next weaker one, rotating through the seats. If the stronger bot does not win much \
         more often, luck decides. The intervals hold for all pairs at the same time.",
        &["players", "wins of the stronger bot", ""],
        found.rungs.iter().map(row).collect(),
    )
}

/// Returns a curve of strength as a table. `level` is the confidence level of each interval.
fn strength_table(found: &Ladder, level: f64) -> ReportSection {
    let row = |rung: &LadderPair| {
        let share = ReportCell::fraction(rung.win_rate(), Some(rung.interval(level)));
        let cells = vec![share, ReportCell::number(rung.lead(), 1), ReportCell::text(rung.verdict(level))];
        let row = ReportRow::new(format!("{} against {}", rung.stronger, rung.weaker), cells);
        ReportRow { is_noise: rung.interval(level).contains(0.5), ..row }
    };
    ReportSection::new(
        "Strength by simulations",
        "Each search against a search with half as many simulations, rotating through the seats. In a deep game, \
         each doubling wins clearly more than half of the games. The intervals hold for all pairs at the same time.",
        &["players", "wins of the stronger bot", "points ahead", ""],
        found.rungs.iter().map(row).collect(),
    )
}

/// Returns the worth of options as a table. `level` is the confidence level of each interval.
fn options_table(found: &Ladder, level: f64) -> ReportSection {
    let row = |rung: &LadderPair| {
        let share = ReportCell::fraction(rung.win_rate(), Some(rung.interval(level)));
        let taken = ReportCell::estimate(rung.taken(level));
        let cells = vec![share, ReportCell::number(rung.lead(), 1), taken, ReportCell::text(rung.verdict(level))];
        Some(ReportRow::new(rung.forbidden_words()?, cells))
    };
    let bot = found.rungs.first().map_or("", |rung| &rung.stronger);
    ReportSection::new(
        "What options are worth",
        format!(
            "{bot} against {bot} without the option, rotating through the seats, and how often {bot} takes the option \
             when it has a choice. The intervals of a column hold for all options at the same time. The value of an \
             option depends on the bot: a stronger bot may make better use of it."
        ),
        &["option", "win rate with it", "points ahead", "taken", ""],
        found.rungs.iter().filter_map(row).collect(),
    )
}

/// Returns a sweep as a table for each measure that varies.
pub fn sweep_tables(sweep: &Sweep, level: f64) -> Vec<ReportSection> {
    let less = format!("difference from {}", sweep.base_value());
    let columns = [sweep.setting.as_str(), "mean", &less, ""];
    let table = |measure: Measure| {
        let rows = sweep.values.iter().enumerate();
        let row = |(at, value): (usize, &String)| {
            let most = sweep.report(at).and_then(|report| report.stats_of(measure)?.moments.game_with_max());
            let verdict = sweep.difference(at, measure).map(|(found, it)| found.verdict(it));
            let row = ReportRow::new(value, swept_cells(sweep, at, measure, level)).with_verdict(verdict);
            row.with_example(most, Subject::Measure(measure))
        };
        let rows = rows.map(row).collect();
        let name = sweep.report(sweep.base).map_or_else(String::new, |report| report.name_of(measure));
        ReportSection::new(name, measure.about(), &columns, rows)
    };
    sweep.measures().into_iter().filter(|measure| !sweep.is_same(*measure)).map(table).collect()
}

/// Returns a sweep as a single table for other programs. The table has a row for each measure and
/// value.
pub fn swept_rows(sweep: &Sweep, level: f64) -> ReportSection {
    let mut rows = Vec::new();
    for measure in sweep.measures() {
        for (at, value) in sweep.values.iter().enumerate() {
            let name = sweep.report(at).map_or_else(String::new, |report| report.name_of(measure));
            let setting = [ReportCell::text(&sweep.setting), ReportCell::text(value)];
            let cells = setting.into_iter().chain(swept_cells(sweep, at, measure, level)).collect();
            rows.push(ReportRow::new(name, cells));
        }
    }
    let about = format!("Each value of {} against {}.", sweep.setting, sweep.base_value());
    ReportSection::new("Sweep", about, &["measure", "setting", "value", "mean", "difference", "verdict"], rows)
}

/// Returns the cells for value number `at` of the setting: the mean of a measure, the difference
/// from the base value, and the conclusion.
fn swept_cells(sweep: &Sweep, at: usize, measure: Measure, level: f64) -> Vec<ReportCell> {
    let cell = |value: f64, interval: Option<Interval>| cell_of(measure, value, interval);
    let measured = sweep.report(at).and_then(|report| report.stats_of(measure));
    let mean = measured.map_or(ReportCell::text(""), |it| cell(it.mean(), it.interval(level)));
    let (difference, verdict) = match sweep.difference(at, measure) {
        Some((found, it)) => (cell(it.mean(), found.interval(it)), verdict_text(found.verdict(it))),
        None => (cell(0.0, None), String::new()),
    };
    vec![mean, difference, ReportCell::Text(verdict)]
}

/// Returns the conclusion from a difference in a few words.
pub fn verdict_text(verdict: Verdict) -> String {
    match verdict {
        Verdict::Same => "the same in every game".to_owned(),
        Verdict::Differs => "differs".to_owned(),
        Verdict::Noise { n_to_tell: u64::MAX } => "not significant".to_owned(),
        Verdict::Noise { n_to_tell } => format!("not significant; about {} games needed", rounded(n_to_tell)),
    }
}

/// Formats a number, rounded up to two significant digits, with thousands separators.
fn rounded(n: u64) -> String {
    let mut unit = 1;
    while n / unit >= 100 {
        unit *= 10;
    }
    let digits = (n.div_ceil(unit) * unit).to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_people_read_them() {
        assert_eq!(rounded(12), "12");
        assert_eq!(rounded(3401), "3,500");
        assert_eq!(rounded(1_234_567), "1,300,000");
        let share = ReportCell::fraction(0.4831, Some(Interval { low: 0.469, high: 0.497 }));
        assert_eq!(share.display_text(), "48.3% ±1.4");
        assert_eq!(ReportCell::number(-0.0, 1).display_text(), "0.0");
    }
}
