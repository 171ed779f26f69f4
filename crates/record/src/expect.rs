//! The `expect` lines of records, checked against a game.
#![expect(clippy::indexing_slicing, reason = "handles are positions in the catalogue and the state that made them")]

use diagnostic::hint;
use rules::{
    Answer, Award, AwardLine, FnIdx, Game, Location, Piece, PieceRef, Rules, Seat, SeatSet, State, Status, TextError,
    actor_text, find_tile, find_zone, option_text, option_texts, parse_border, parse_corner, parse_facing,
    parse_pile_place, parse_spot,
};
use thiserror::Error;

use crate::line_error::LineError;
use crate::names::Names;

/// A reason why an expectation fails.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum Unmet {
    /// The line is not a valid expectation.
    #[error(transparent)]
    Invalid(#[from] LineError),
    /// The expectation does not hold. The text is the actual value.
    #[error("{0}")]
    Actual(String),
}

impl From<TextError> for Unmet {
    fn from(error: TextError) -> Self {
        Unmet::Invalid(error.into())
    }
}

/// Checks the expectation `text`, written without the word `expect`. `n_awards_before` is the
/// number of awards in the game before the last answer.
///
/// # Errors
/// Returns an error if the expectation is invalid or does not hold.
pub(crate) fn check(game: &Game, text: &str, n_awards_before: usize) -> Result<(), Unmet> {
    let state = game.state();
    let words: Vec<&str> = text.split_whitespace().collect();
    let case = ExpectationChecker::new(game, n_awards_before);
    if let Some((n, subject)) = words.split_last()
        && let Some(actual) = case.number(subject)?
    {
        let expected = parse_number(n)?;
        return ensure(actual == expected, &format!("it is {actual}"));
    }
    match words.as_slice() {
        ["space", name, rest @ ..] => case.check_space(name, rest),
        ["option", ..] => case.check_option(text.strip_prefix("option").unwrap_or_default().trim(), true),
        ["no", "option", ..] => case.check_option(text.split_once("option").map_or("", |(_, t)| t).trim(), false),
        ["decision", who] => case.check_decision(who, None),
        ["decision", who, what] => case.check_decision(who, Some(what)),
        ["no", "decision"] => match game.status() {
            Status::Decision(d) => unmet(format!("{} is asked: {}", actor_text(state, d.who), d.prompt)),
            _ => Ok(()),
        },
        ["awards" | "award", name, n, reason @ ..] => {
            case.check_award(name, Some(parse_number(n)?), &reason.join(" "), true)
        }
        ["no", "award" | "awards"] => match case.awards().find(|a| a.points != 0) {
            Some(award) => unmet(case.award_text(award)),
            None => Ok(()),
        },
        ["no", "award" | "awards", name, rest @ ..] => {
            let n = rest.first().and_then(|n| n.parse().ok());
            let reason = rest.get(usize::from(n.is_some())..).unwrap_or_default();
            case.check_award(name, n, &reason.join(" "), false)
        }
        ["piece", rest @ ..] => ensure(case.has_piece(rest)?, "there is no such piece"),
        ["no", "piece", rest @ ..] => ensure(!case.has_piece(rest)?, "there is such a piece"),
        ["tile", name, spot, rest @ ..] if name.contains('/') => case.check_tile(name, spot, rest.first().copied()),
        ["no", "tile", spot] => match case.view.board.tile_at(parse_spot(spot)?) {
            Some(_) => unmet("a tile lies there"),
            None => Ok(()),
        },
        ["tag", spot, name, value @ ..] if !value.is_empty() && case.names().0.tile_set.tag_named(name).is_some() => {
            case.check_tile_tag(spot, name, &value.join(" "))
        }
        ["row", name, items @ ..] => {
            let row = case.row(name)?;
            if row == items {
                Ok(())
            } else {
                unmet(if row.is_empty() { "it is empty".to_owned() } else { row.join(" ") })
            }
        }
        ["hand", name, tile] => {
            let seat = case.player(name)?;
            let item = case.names().item(tile)?;
            ensure(case.view.held_items(seat).any(|held| held.item == item), "the player does not hold it")
        }
        ["note", ..] if case.has_note(text) => Ok(()),
        ["note", ..] => unmet(case.missing_note_text()),
        ["no", "note", ..] => ensure(!case.has_note(text), "a log line contains it"),
        ["seen", what @ ..] => case.check_seen(what, true),
        ["no", "seen", what @ ..] => case.check_seen(what, false),
        ["turn", name] => {
            let now = state.name(case.view.player());
            if now == *name { Ok(()) } else { unmet(format!("it is {now}'s turn")) }
        }
        ["next", name] => {
            let next = state.name(case.view.next_player());
            if next == *name { Ok(()) } else { unmet(format!("the next player is {next}")) }
        }
        ["order", names @ ..] => {
            let order: Vec<&str> = case.view.order().map(|seat| state.name(seat)).collect();
            if order == names { Ok(()) } else { unmet(format!("the order of play is {}", order.join(" "))) }
        }
        ["over"] => ensure(state.is_over(), "the game is not over"),
        ["not", "over"] => ensure(!state.is_over(), "the game is over"),
        ["winner" | "winners", names @ ..] => case.check_winners(names),
        ["no", "winner" | "winners"] => case.check_winners(&[]),
        ["fault", says @ ..] => match game.fault().map(ToString::to_string) {
            Some(fault) if fault.contains(&says.join(" ")) => Ok(()),
            Some(fault) => unmet(fault),
            None => unmet("no mod has failed"),
        },
        ["no", "fault"] => game.fault().map_or(Ok(()), |fault| unmet(fault.to_string())),
        _ => Err(unknown_expectation(&words).into()),
    }
}

/// The maximum number of log lines that a failed `expect note` lists.
const MAX_LISTED_NOTES: usize = 5;

/// The maximum length of a listed log line, in characters.
const MAX_NOTE_LENGTH: usize = 80;

/// The word in `expect decision` for a decision of the engine itself, not of a mod's function.
const CORE: &str = "core";

/// The forms of expectations: the first words and the arguments of each.
const EXPECTATIONS: [(&str, &str); 35] = [
    ("score", "<player> <n>"),
    ("space", "<player> <n> ..."),
    ("award", "<player> <n> [<why>]"),
    ("awards", "<player> <n> [<why>]"),
    ("no award", "[<player> [<n>] [<why>]]"),
    ("decision", "<player or chance> [<what>]"),
    ("no decision", ""),
    ("option", "<answer>"),
    ("no option", "<answer>"),
    ("options", "<n>"),
    ("turn", "<player>"),
    ("next", "<player>"),
    ("order", "<player> ..."),
    ("note", "<text>"),
    ("no note", "<text>"),
    ("seen", "<player> hand <player> <item>"),
    ("no seen", "<player> hand <player> <item>"),
    ("supply", "<player> <piece> <n>"),
    ("piece", "<player> <piece> <x>,<y> <zone>"),
    ("no piece", "<player> <piece> <x>,<y> <zone>"),
    ("tile", "<mod>/<tile> <x>,<y> [<facing>]"),
    ("no tile", "<x>,<y>"),
    ("deck", "<deck> [<item>] <n>"),
    ("row", "<deck> [<item> ...]"),
    ("hand", "<player> <mod>/<tile>"),
    ("token", "<player> <token> <n>"),
    ("pile", "<pile> <x>,<y> <n>"),
    ("tag", "<x>,<y> [<zone>] <tag> <value>"),
    ("over", ""),
    ("not over", ""),
    ("winner", "<player> ..."),
    ("winners", "<player> ..."),
    ("no winner", ""),
    ("fault", "[<text>]"),
    ("no fault", ""),
];

/// Returns the error for an invalid expectation: the correct form or, if the first words are
/// unknown, the list of all expectations.
fn unknown_expectation(words: &[&str]) -> LineError {
    let begins = |expected: &str| expected.split(' ').eq(words.iter().copied().take(expected.split(' ').count()));
    match EXPECTATIONS.iter().find(|(expected, _)| begins(expected)) {
        Some((expected, form)) => LineError::ExpectForm { expected, form },
        None => {
            let known: Vec<&str> = EXPECTATIONS.iter().map(|(expected, _)| *expected).collect();
            let n_words = if matches!(words, ["no" | "not", ..]) { 2 } else { 1 };
            let begin = words.iter().take(n_words).copied().collect::<Vec<_>>().join(" ");
            LineError::UnknownExpectation { help: hint(&begin, known.iter().copied()), known }
        }
    }
}

/// A game to check expectations against.
pub(crate) struct ExpectationChecker<'g> {
    pub(crate) game: &'g Game,
    pub(crate) rules: &'g Rules,
    pub(crate) state: &'g State,
    /// The state that players see (see [`State::view`]).
    pub(crate) view: &'g State,
    /// The number of awards in the game before the last answer.
    n_awards_before: usize,
}

fn unmet(actual: impl Into<String>) -> Result<(), Unmet> {
    Err(Unmet::Actual(actual.into()))
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), Unmet> {
    if holds { Ok(()) } else { unmet(otherwise) }
}

fn parse_number(text: &str) -> Result<i64, LineError> {
    text.parse().map_err(|_| LineError::NotANumber(text.to_owned()))
}

impl<'g> ExpectationChecker<'g> {
    pub(crate) fn new(game: &'g Game, n_awards_before: usize) -> ExpectationChecker<'g> {
        let state = game.state();
        ExpectationChecker { game, rules: game.rules(), state, view: state.view(), n_awards_before }
    }

    pub(crate) fn seat(&self, name: &str) -> Result<Option<Seat>, LineError> {
        match name {
            "neutral" | "stock" => Ok(None),
            _ => self.player(name).map(Some),
        }
    }

    pub(crate) fn player(&self, name: &str) -> Result<Seat, LineError> {
        self.state.seat_named(name).ok_or_else(|| LineError::unknown_player(self.state, name))
    }

    pub(crate) fn names(&self) -> Names<'g> {
        Names(self.rules.catalogue())
    }

    /// Returns the names of the items in the open row beside the deck `name`.
    pub(crate) fn row(&self, name: &str) -> Result<Vec<&'g str>, LineError> {
        let catalogue = self.rules.catalogue();
        let deck = self.names().deck(name)?;
        Ok(self.view.deck(deck).row.iter().map(|item| catalogue.item_name(deck, *item)).collect())
    }

    /// Returns the actual number for an expectation of a number; `None` for another expectation.
    /// `subject` is the expectation without the expected number.
    pub(crate) fn number(&self, subject: &[&str]) -> Result<Option<i64>, LineError> {
        let names = self.names();
        Ok(Some(match subject {
            ["score", name] => self.view.score(self.player(name)?),
            ["options"] => option_texts(&self.rules.ruleset, self.state).len() as i64,
            ["supply", owner, kind] => {
                let kind = names.piece(kind)?;
                i64::from(self.view.supply(self.seat(owner)?, kind))
            }
            ["deck", name] => self.view.deck(names.deck(name)?).len() as i64,
            ["deck", name, item] => {
                let deck = names.deck(name)?;
                self.view.deck(deck).count(names.item_of(deck, item)?) as i64
            }
            ["token", owner, token] => {
                let token = names.token(token)?;
                i64::from(self.view.tokens(self.seat(owner)?, token))
            }
            ["pile", pile, "stock"] => i64::from(self.view.pile_stock(names.pile(pile)?)),
            ["pile", pile, place @ ..] if matches!(place, [_] | ["border", _, _]) => {
                let pile = names.pile(pile)?;
                i64::from(self.view.pile(parse_pile_place(place)?, pile))
            }
            ["tag", spot, zone, name] if names.0.tile_set.tag_named(zone).is_none() => {
                let column = names.zone_column("expect tag", name)?;
                let zone = find_zone(&self.rules.ruleset, self.view, spot, zone)?;
                i64::from(self.view.board.zone_value(&self.rules.catalogue().tile_set, zone, column))
            }
            _ => return Ok(None),
        }))
    }

    /// Checks the value of a tag of the tile on `spot`: a number, or a word. A tile without the tag
    /// has the value 0.
    fn check_tile_tag(&self, spot: &str, name: &str, value: &str) -> Result<(), Unmet> {
        let tag = self.names().tile_tag("expect tag", name)?;
        let tile = find_tile(self.view, spot)?;
        let words = &self.rules.catalogue().tile_set.tag(tag).values;
        let actual = match self.view.tile_tag(&self.rules.ruleset, tile, tag) {
            Some(value) => {
                words.get(usize::try_from(value).unwrap_or(usize::MAX)).cloned().unwrap_or(value.to_string())
            }
            None => "0".to_owned(),
        };
        if words.iter().all(|word| word != value) {
            parse_number(value)?;
        }
        if actual == value { Ok(()) } else { unmet(format!("it is {actual}")) }
    }

    /// Returns the spaces of the track on which the markers of the player `name` stand.
    pub(crate) fn spaces(&self, name: &str) -> Result<Vec<i64>, LineError> {
        let length = i64::from(self.rules.catalogue().track.length.max(1));
        Ok(self.view.markers_of(self.player(name)?).iter().map(|total| total.rem_euclid(length)).collect())
    }

    fn check_space(&self, name: &str, expected: &[&str]) -> Result<(), Unmet> {
        let spaces = self.spaces(name)?;
        let expected: Vec<i64> = expected.iter().map(|n| parse_number(n)).collect::<Result<_, _>>()?;
        ensure(spaces == expected, &format!("it is {spaces:?}"))
    }

    /// Returns whether a line that a mod or the core has written to the game's log contains the
    /// text after the word `note` in `expectation`.
    fn has_note(&self, expectation: &str) -> bool {
        let said = expectation.split_once("note").map_or("", |(_, said)| said).trim();
        self.view.notes().iter().any(|(_, note)| note.contains(said))
    }

    /// Returns the message for a log line that is missing. Lists the last lines of the log, the
    /// newest first.
    fn missing_note_text(&self) -> String {
        let notes = self.view.notes();
        if notes.is_empty() {
            return "no log line contains it; the log is empty".to_owned();
        }
        let shown = notes.iter().rev().take(MAX_LISTED_NOTES).map(|(_, note)| {
            let start: String = note.chars().take(MAX_NOTE_LENGTH).collect();
            if start.len() < note.len() { format!("\"{start}…\"") } else { format!("\"{start}\"") }
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = match notes.len().saturating_sub(MAX_LISTED_NOTES) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("no log line contains it; the last lines, newest first, are {shown}{more}")
    }

    fn check_option(&self, option: &str, wanted: bool) -> Result<(), Unmet> {
        let words: Vec<&str> = option.split_whitespace().collect();
        // An answer with an unknown name is never offered, so a spelling mistake would pass.
        match words[..] {
            ["deploy", piece, ..] => drop(self.names().piece(piece)?),
            ["draw", item] => drop(self.names().item(item)?),
            _ => {}
        }
        let option = words.join(" ");
        let options = option_texts(&self.rules.ruleset, self.state);
        if options.contains(&option) == wanted {
            return Ok(());
        }
        match self.game.status() {
            Status::Decision(d) => {
                let who = actor_text(self.state, d.who);
                unmet(format!("{who} is asked \"{}\". Offered: {}", d.prompt, options.join(", ")))
            }
            Status::Over => unmet("the game is over"),
            Status::Fault(fault) => unmet(fault.to_string()),
        }
    }

    fn check_decision(&self, who: &str, what: Option<&str>) -> Result<(), Unmet> {
        let decision = match self.game.status() {
            Status::Decision(decision) => decision,
            Status::Over => return unmet("the game is over"),
            Status::Fault(fault) => return unmet(fault.to_string()),
        };
        let actual = actor_text(self.state, decision.who);
        let catalogue = self.rules.catalogue();
        let asking = rules::running_function(self.rules, self.state);
        let names_it = |what: &str| {
            let asked_by = |function: FnIdx| {
                let function = &catalogue.functions[function.idx()];
                let name = function.name.trim_start_matches("phase_").trim_start_matches("do_").replace('_', "-");
                catalogue.mods[function.owner.idx()].id == what || name == what.replace('_', "-")
            };
            decision.question.name() == what
                || asking.is_some_and(asked_by)
                || what == CORE && asking.is_none()
                || (0..decision.mod_options.len() as u16).map(Answer::ModOption).any(|option| {
                    let text = option_text(&self.rules.ruleset, self.state, decision, option);
                    text.split(' ').next() == Some(what)
                })
        };
        if actual == who && what.is_none_or(names_it) {
            Ok(())
        } else {
            unmet(format!("{actual} is asked ({}): {}", decision.question.name(), decision.prompt))
        }
    }

    /// Checks whether a player can see something, or cannot see it if `wanted` is false. `words` is
    /// `red hand blue <item>`, `red answer <n>` (1 is the last answer) or `red options`.
    fn check_seen(&self, words: &[&str], wanted: bool) -> Result<(), Unmet> {
        let [name, what @ ..] = words else {
            return Err(LineError::Form("a player, then `hand`, `answer` or `options`").into());
        };
        let viewer = SeatSet::from(self.player(name)?);
        let is_over = self.state.is_over();
        let seen = match what {
            ["hand", holder, item] => {
                let (mut held, item) = (self.view.held_items(self.player(holder)?), self.names().item(item)?);
                held.any(|held| held.item == item && (is_over || held.seen_by.includes(viewer)))
            }
            ["answer", n] => {
                let n = parse_number(n)?;
                let n = u32::try_from(n).map_err(|_| LineError::NotANumber(n.to_string()))?;
                let at = self.state.n_answers().checked_sub(n);
                let at = at.ok_or_else(|| Unmet::Actual("the game has fewer answers".to_owned()))?;
                self.state.shows_answer(at, viewer)
            }
            ["options"] => self.state.shows_decision(viewer),
            _ => return Err(LineError::Form("`hand <player> <item>`, `answer <n>` or `options`").into()),
        };
        ensure(seen == wanted, if seen { "the player can see it" } else { "the player cannot see it" })
    }

    /// Returns the awards that followed from the last answer.
    pub(crate) fn awards(&self) -> impl Iterator<Item = &Award> {
        self.view.awards().iter().skip(self.n_awards_before).map(AsRef::as_ref)
    }

    fn award_text(&self, award: &Award) -> String {
        let line = |line: &AwardLine| format!("{} {}", line.amount, line.reason);
        let lines = match &award.lines[..] {
            [] | [_] => String::new(),
            lines => format!(" ({})", lines.iter().map(line).collect::<Vec<_>>().join(", ")),
        };
        format!("{} got {} for {}{lines}", self.state.name(award.player), award.points, award.reason)
    }

    fn check_award(&self, name: &str, points: Option<i64>, reason: &str, wanted: bool) -> Result<(), Unmet> {
        let seat = self.player(name)?;
        let is_it = |a: &&Award| {
            a.player == seat
                && points.map_or(a.points != 0, |n| a.points == n)
                && (reason.is_empty() || *a.reason == *reason || a.lines.iter().any(|l| *l.reason == *reason))
        };
        if self.awards().any(|a| is_it(&a)) == wanted {
            return Ok(());
        }
        let all: Vec<String> = self.awards().map(|a| self.award_text(a)).collect();
        unmet(if all.is_empty() { self.no_points_text() } else { all.join("; ") })
    }

    /// Returns the message for a last answer that scored no points. Adds the last awards of earlier
    /// answers, because an author often writes the expectation one answer too late.
    fn no_points_text(&self) -> String {
        let mut text = "the last answer scored no points".to_owned();
        let before = self.view.awards().iter().take(self.n_awards_before);
        let earlier: Vec<_> = before.filter(|a| a.points != 0).collect();
        if let Some(last) = earlier.last() {
            let together = earlier.iter().filter(|a| a.decision == last.decision);
            let awards: Vec<String> = together.map(|a| self.award_text(a)).collect();
            let when = match self.state.n_answers().saturating_sub(last.decision) {
                0 => "before that".to_owned(),
                1 => "1 answer earlier".to_owned(),
                n => format!("{n} answers earlier"),
            };
            text += &format!("; {when}, {}", awards.join(" and "));
        }
        text
    }

    fn has_piece(&self, words: &[&str]) -> Result<bool, LineError> {
        let form = LineError::Form("`piece <player> <piece> <x>,<y> <zone>`, or a place such as `on <x>,<y>`");
        let [owner, kind, at, rest @ ..] = words else { return Err(form) };
        let owner = self.seat(owner)?;
        let kind = self.names().piece(kind)?;
        let place = match (*at, rest) {
            ("on", [spot]) => Location::Spot(parse_spot(spot)?),
            ("corner", [corner]) => Location::Corner(parse_corner(corner)?),
            ("border", [spot, edge]) => Location::Border(parse_border(spot, edge)?),
            ("space", [n]) => Location::Space(parse_number(n)? as u32),
            ("kept", [keeper]) => Location::Kept(self.player(keeper)?),
            (spot, [zone]) => Location::Zone(find_zone(&self.rules.ruleset, self.view, spot, zone)?),
            _ => return Err(form),
        };
        let stands = |(piece, it): (PieceRef, &Piece)| {
            let there = match place {
                Location::Zone(zone) => self.view.zones_of_piece(piece).any(|it| it == zone),
                other => it.place == other,
            };
            it.kind == kind && it.owner == owner && there
        };
        Ok(self.view.pieces().any(stands))
    }

    fn check_tile(&self, name: &str, spot: &str, facing: Option<&str>) -> Result<(), Unmet> {
        let tile = find_tile(self.view, spot)?;
        let placed = self.view.board.tile(tile);
        let actual = &self.rules.catalogue().tile_set.tile(placed.tile).name;
        let facing = facing.map_or(Ok(placed.facing), parse_facing)?;
        let is_it = actual == name && facing == placed.facing;
        ensure(is_it, &format!("{actual} lies there, turned by {} degrees", placed.facing))
    }

    /// Returns the names of the winners.
    pub(crate) fn winner_names(&self) -> Vec<&'g str> {
        self.state.winners().seats().map(|s| self.state.name(s)).collect()
    }

    fn check_winners(&self, expected: &[&str]) -> Result<(), Unmet> {
        if !self.state.is_over() {
            return unmet("the game is not over");
        }
        let winners = self.winner_names();
        let mut sorted = expected.to_vec();
        sorted.sort_by_key(|name| self.state.seat_named(name));
        ensure(winners == sorted, &format!("won: {}", winners.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RECORD_REFERENCE;

    #[test]
    fn the_reference_knows_every_expectation() {
        for (expected, form) in EXPECTATIONS {
            let is_said = RECORD_REFERENCE.contains(&format!("`expect {expected}"))
                || RECORD_REFERENCE.contains(&format!("`{expected}` is the same word"));
            assert!(is_said, "{expected}");
            let wrong: Vec<&str> = expected.split(' ').collect();
            let said = unknown_expectation(&wrong);
            assert_eq!(said.to_string(), format!("write `expect {}`", format!("{expected} {form}").trim_end()));
        }
        assert!(unknown_expectation(&["points"]).to_string().starts_with("unknown expectation"));
        for (wrong, right) in [(["scroe", "red"], "score"), (["no", "otpion"], "no option")] {
            let said = unknown_expectation(&wrong).to_string();
            assert!(said.starts_with(&format!("unknown expectation; did you mean `{right}`?")), "{said}");
        }
    }
}
