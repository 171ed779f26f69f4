//! The rows of the event log, computed from the answers of a branch: moves, draws, points, notes.

use std::sync::Arc;

use table::{
    Actor, Award, Border, Corner, Edge, FeatureRef, GameView, Seat, Spot, Step, TermKind, describe_place_beside,
    term_text,
};

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A player's answer.
    Answer,
    /// A result of chance.
    Chance,
    /// Points that a player received.
    Points,
    /// A note that a mod added, or another effect of an answer, such as tokens that changed hands.
    Note,
    /// The end of the game.
    End,
}

/// The place on the board that a row concerns.
#[derive(Clone, PartialEq, Debug)]
pub enum RowSubject {
    /// No place.
    Nothing,
    /// A spot.
    Spot(Spot),
    /// A point where four spots meet.
    Corner(Corner),
    /// The edge between two spots.
    Border(Border),
    /// The zone with this name on this spot.
    Zone(Spot, String),
    /// A feature.
    Feature(FeatureRef),
}

/// A line of the event log.
#[derive(Clone, PartialEq, Debug)]
pub struct LogRow {
    /// The index of the answer that caused the row, counted from 0.
    pub step: usize,
    /// The turn, counted from 1; 0 before the first turn.
    pub turn: u32,
    /// The player whom the row concerns. For chance and notes, the player of the turn. `None` for
    /// the end of the game.
    pub seat: Option<Seat>,
    /// The kind of the row.
    pub kind: RowKind,
    /// The text of the row, without the player and the points.
    pub text: String,
    /// The points that the player received. `None` unless the kind is `Points`.
    pub points: Option<i64>,
    /// The place on the board that the row concerns.
    pub about: RowSubject,
    /// The award that the row shows. `None` unless the kind is `Points`.
    pub award: Option<Arc<Award>>,
}

/// Returns all rows of a branch, in order. `view` is as in [`answer_label`].
pub fn rows(view: Option<GameView<'_>>, steps: &[Arc<Step>]) -> Vec<LogRow> {
    let mut rows = Vec::with_capacity(steps.len() * 2);
    let mut tile: Option<&str> = None;
    let mut last = Spot::default();
    for (i, step) in steps.iter().enumerate() {
        // The text of a draw, or of playing a tile from the hand, names the next tile to be placed.
        if step.laid.is_none() {
            tile = step.text.split(' ').rev().find(|w| w.contains('/')).or(tile);
        }
        rows.push(answer_row(view, i, step, tile, last));
        if let Some(spot) = step.laid {
            (tile, last) = (None, spot);
        }
        rows.extend(
            step.notes.iter().map(|note| LogRow { text: note.to_string(), ..plain_row(i, step, RowKind::Note) }),
        );
        rows.extend(step.awards.iter().map(|award| award_row(i, step, award)));
        let ended_before = i > 0 && steps[i - 1].ends;
        if step.ends && !ended_before {
            rows.push(LogRow { seat: None, text: "the game is over".to_owned(), ..plain_row(i, step, RowKind::End) });
        }
    }
    rows
}

fn plain_row(i: usize, step: &Step, kind: RowKind) -> LogRow {
    let (text, seat) = (String::new(), Some(step.player));
    LogRow { step: i, turn: step.turn, seat, kind, text, points: None, about: RowSubject::Nothing, award: None }
}

/// Returns the spot of the tile that was placed last in these steps. Returns the spot 0,0, on which
/// most games have their start tile, if they place no tile.
pub fn last_laid(steps: &[Arc<Step>]) -> Spot {
    steps.iter().rev().find_map(|step| step.laid).unwrap_or_default()
}

fn answer_row(view: Option<GameView<'_>>, i: usize, step: &Step, tile: Option<&str>, last: Spot) -> LogRow {
    let (kind, seat) = match step.who {
        Actor::Player(seat) => (RowKind::Answer, Some(seat)),
        Actor::Chance => (RowKind::Chance, Some(step.player)),
    };
    let text = answer_label(view, &step.text, tile, last);
    LogRow { seat, text, about: subject_of(&step.text), ..plain_row(i, step, kind) }
}

fn award_row(i: usize, step: &Step, award: &Arc<Award>) -> LogRow {
    let when = if award.is_final { "at the end: " } else { "" };
    LogRow {
        seat: Some(award.player),
        text: format!("{when}{}{}", award.reason, award_summary(award)),
        points: Some(award.points),
        about: award.feature.map_or(RowSubject::Nothing, RowSubject::Feature),
        award: Some(award.clone()),
        ..plain_row(i, step, RowKind::Points)
    }
}

/// Returns the effects and reasons of the lines of an award, in brackets. Omits lines without a
/// reason and lines that repeat the reason of the award. Returns an empty text if no line remains.
fn award_summary(award: &Award) -> String {
    let mut parts: Vec<String> = Vec::new();
    for line in &award.lines {
        // Omits the reason of the manifest's formula, because most awards come from it.
        let reason = if line.kind == TermKind::Formula { "" } else { &line.reason };
        let part = term_text(line.kind, line.amount, reason);
        if !reason.is_empty() && reason != &*award.reason && !parts.contains(&part) {
            parts.push(part);
        }
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Converts the text of an answer in a record to words for players, without coordinates. `tile` is
/// the name of the tile that the player places, if it is known. `last` is the spot of the tile that
/// was placed before the answer. `view` has the names of pieces that players see; if it is `None`,
/// the names in the record are used.
pub fn answer_label(view: Option<GameView<'_>>, text: &str, tile: Option<&str>, last: Spot) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["pass"] => "passes".to_owned(),
        ["sealed"] => "seals an answer".to_owned(),
        ["draw", what] => format!("{what} is drawn"),
        ["roll", n] => format!("the die shows {n}"),
        ["marker", n] => format!("moves marker {n}"),
        ["place", spot, facing] => {
            let turned = if facing == "0" { String::new() } else { format!(", turned {facing}°") };
            format!("lays {}{}{turned}", tile.unwrap_or("the tile"), way_words(spot, last))
        }
        ["deploy", piece, spot, zone] => {
            let kind = zone.split(['@', '#']).next().unwrap_or(zone);
            let title = view.map_or(piece, |view| view.title_of_piece(piece));
            format!("puts {} on the {kind}{}", with_article(title), way_words(spot, last))
        }
        _ => format!("chooses {}", option_words(&words, last)),
    }
}

/// Returns the place of a spot, such as ` north of the last tile`, with a leading space. Empty for
/// the spot `last`, or if `spot` is not a spot.
fn way_words(spot: &str, last: Spot) -> String {
    let Some(spot) = parse_spot(spot).filter(|spot| *spot != last) else { return String::new() };
    // Most games have their start tile on the spot 0,0.
    let way = describe_place_beside(spot, last, Spot::default());
    if way.starts_with("the ") { format!(" on {way}") } else { format!(" {way}") }
}

/// Returns the words of an option of a mod. Replaces spots and names of zones by words. Zones at
/// the end are a list, such as `ferry: road in the north and south, east of the last tile`.
fn option_words(words: &[&str], last: Spot) -> String {
    let n_zones = words.iter().rev().take_while(|word| word.contains(['@', '#'])).count();
    let (words, zones) = words.split_at(words.len() - n_zones);
    if let ([words @ .., spot], false) = (words, zones.is_empty())
        && parse_spot(spot).is_some()
    {
        let (words, zones, way) = (option_words(words, last), zone_words(zones), way_words(spot, last));
        let comma = if way.is_empty() { "" } else { "," };
        return format!("{words}: {zones}{comma}{way}");
    }
    let mut told: Vec<String> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        if parse_spot(word).is_some() {
            let is_of_zone = words.get(i + 1).is_some_and(|next| next.contains(['@', '#']));
            let way = way_words(word, last);
            let way = if way.is_empty() { "last tile".to_owned() } else { way.trim_start().to_owned() };
            told.extend((!is_of_zone || way != "last tile").then_some(way));
        } else {
            told.push(zone_words(&[*word]));
        }
    }
    told.extend((!zones.is_empty()).then(|| zone_words(zones)));
    told.join(" ")
}

/// Returns names of zones as words, such as `road in the north and south`. Names zones of the same
/// kind together. Returns any other word unchanged.
fn zone_words(zones: &[&str]) -> String {
    let parts: Vec<(&str, &str)> =
        zones.iter().map(|zone| zone.split_once('@').unwrap_or((zone.split('#').next().unwrap_or(zone), ""))).collect();
    let words = |zones: &[(&str, &str)]| {
        let kind = zones.first().map_or("", |zone| zone.0);
        let edges: Vec<&str> = zones.iter().map(|(_, edges)| *edges).filter(|edges| !edges.is_empty()).collect();
        if edges.is_empty() { kind.to_owned() } else { format!("{kind} in the {}", edge_words(&edges.join("-"))) }
    };
    let words: Vec<String> = parts.chunk_by(|a, b| a.0 == b.0).map(words).collect();
    joined(&words)
}

/// Joins texts by commas, and the last two by "and".
fn joined(texts: &[String]) -> String {
    match texts {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => texts.concat(),
    }
}

/// Returns the edges in the name of a zone as words, such as `north and east`.
fn edge_words(edges: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    for edge in edges.split('-') {
        let name = match edge.chars().next() {
            Some('n') => "north",
            Some('e') => "east",
            Some('s') => "south",
            Some('w') => "west",
            _ => edge,
        };
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    joined(&names)
}

fn parse_spot(word: &str) -> Option<Spot> {
    let (x, y) = word.split_once(',')?;
    Some(Spot::new(x.parse().ok()?, y.parse().ok()?))
}

/// Returns the place on the board that the text of an answer in a record names: the first spot,
/// corner or border, or the zone whose name follows the spot.
pub fn subject_of(text: &str) -> RowSubject {
    let words: Vec<&str> = text.split(' ').collect();
    let Some((at, spot)) = words.iter().enumerate().find_map(|(i, w)| Some((i, parse_spot(w)?))) else {
        return RowSubject::Nothing;
    };
    if at > 0 && words[at - 1] == "corner" {
        return RowSubject::Corner(Corner { x: spot.x, y: spot.y });
    }
    if at > 0 && words[at - 1] == "border" {
        let edge = Edge::ALL.into_iter().find(|edge| words.get(at + 1) == Some(&edge.letter()));
        let border = edge.and_then(|edge| Border::from_edge(spot, edge));
        return border.map_or(RowSubject::Spot(spot), RowSubject::Border);
    }
    let is_placement = words[0] == "place";
    match words.get(at + 1) {
        Some(zone) if !is_placement && zone.parse::<i64>().is_err() && *zone != "of" => {
            RowSubject::Zone(spot, (*zone).to_owned())
        }
        _ => RowSubject::Spot(spot),
    }
}

/// A filter for the rows of the log. Rows that fail a condition are hidden.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowFilter {
    /// Shows only rows about this player, and the end of the game. If `None`, shows the rows of all
    /// players.
    pub seat: Option<Seat>,
    /// If true, shows only rows with points.
    pub only_points: bool,
    /// Shows only rows whose text contains this text, ignoring case. If empty, shows all rows.
    pub text: String,
}

impl RowFilter {
    /// Returns whether a row passes the filter.
    pub fn passes(&self, row: &LogRow) -> bool {
        let needle = self.text.trim().to_lowercase();
        (self.seat.is_none() || row.seat == self.seat || row.kind == RowKind::End)
            && (!self.only_points || row.points.is_some())
            && (needle.is_empty() || row.text.to_lowercase().contains(&needle))
    }
}

#[cfg(test)]
pub mod tests {
    use table::{Answer, AwardLine, LayerIdx, ModIdx, SeatSet, ZoneRef};

    use super::*;

    /// Makes a branch from these steps.
    pub fn line_of(steps: Vec<Step>) -> Vec<Arc<Step>> {
        steps.into_iter().map(Arc::new).collect()
    }

    /// Makes a step without awards.
    pub fn step(turn: u32, text: &str) -> Step {
        let who = if text.starts_with("draw") { Actor::Chance } else { Actor::Player(Seat(0)) };
        let laid = if let RowSubject::Spot(spot) = subject_of(text) { Some(spot) } else { None };
        Step {
            who,
            answer: Answer::Pass,
            text: text.to_owned(),
            seen_by: SeatSet::ALL,
            is_secret: false,
            label: None,
            turn,
            player: Seat(0),
            laid,
            scores: vec![0, 0],
            awards: Vec::new(),
            notes: Vec::new(),
            printed: Vec::new(),
            ends: false,
        }
    }

    /// Makes an award whose only line is its formula.
    pub fn award(seat: u8, points: i64, reason: &str) -> Arc<Award> {
        let line = AwardLine {
            kind: TermKind::Formula,
            amount: points,
            owner: None,
            function: None,
            reason: Arc::from(reason),
        };
        Arc::new(Award {
            player: Seat(seat),
            points,
            feature: Some(FeatureRef { layer: LayerIdx(0), anchor: ZoneRef(3) }),
            reason: Arc::from(reason),
            lines: vec![line],
            is_final: false,
            is_loot: false,
            marker: 0,
            decision: 0,
        })
    }

    #[test]
    fn answers_are_told_in_words() {
        let last = Spot::new(0, 0);
        let label = |text: &str, tile: Option<&str>| answer_label(None, text, tile, last);
        assert_eq!(label("place 0,-1 90", Some("base/K")), "lays base/K north of the last tile, turned 90°");
        assert_eq!(label("place 2,-3 0", None), "lays the tile in the north-east");
        assert_eq!(label("deploy follower 0,0 road@s", None), "puts a follower on the road");
        assert_eq!(label("deploy elephant 2,0 lake#2", None), "puts an elephant on the lake in the east");
        let far = |text: &str| answer_label(None, text, None, Spot::new(5, -6));
        assert_eq!(far("place 1,1 0"), "lays the tile south-east of the start tile");
        assert_eq!(far("deploy follower 0,0 road@s"), "puts a follower on the road on the start tile");
        assert_eq!(far("deploy follower 1,-6 road@s"), "puts a follower on the road in the north");
        assert_eq!(far("deploy follower 5,-7 road@s"), "puts a follower on the road north of the last tile");
        assert_eq!(label("pass", None), "passes");
        let option = |text: &str| label(text, None);
        assert_eq!(option("ferry 0,0 road@n road@s"), "chooses ferry: road in the north and south");
        assert_eq!(
            option("bridge 0,0 road@n city@e lake#2"),
            "chooses bridge: road in the north, city in the east and lake"
        );
        assert_eq!(option("swap 0,0 road@n red"), "chooses swap road in the north red");
        assert_eq!(
            option("fly pig -1,1 field@n1-n2"),
            "chooses fly pig: field in the north, south-west of the last tile"
        );
        assert_eq!(label("ingot 0,0", None), "chooses ingot last tile");
        assert_eq!(label("", None), "chooses ");
    }

    #[test]
    fn texts_say_what_they_are_about() {
        assert_eq!(subject_of("place 3,-2 90"), RowSubject::Spot(Spot::new(3, -2)));
        assert_eq!(subject_of("deploy follower 0,1 city@n"), RowSubject::Zone(Spot::new(0, 1), "city@n".to_owned()));
        assert_eq!(subject_of("fly pig 0,1 field@n1"), RowSubject::Zone(Spot::new(0, 1), "field@n1".to_owned()));
        assert_eq!(subject_of("ingot 4,4"), RowSubject::Spot(Spot::new(4, 4)));
        assert_eq!(subject_of("signpost corner 4,3 of red"), RowSubject::Corner(Corner { x: 4, y: 3 }));
        assert_eq!(subject_of("draw base/K"), RowSubject::Nothing);
        assert_eq!(subject_of(""), RowSubject::Nothing);
    }

    #[test]
    fn a_line_becomes_rows_in_order() {
        let mut steps = vec![step(1, "draw base/K"), step(1, "place 0,1 0"), step(1, "deploy follower 0,1 road@s")];
        steps[2].notes.push(Arc::from("a note"));
        steps[2].awards.push(award(1, 8, "city"));
        steps[2].ends = true;
        let rows = rows(None, &line_of(steps));
        let texts: Vec<&str> = rows.iter().map(|r| r.text.as_str()).collect();
        let (laid, road) = ("lays base/K south of the last tile", "puts a follower on the road");
        let wanted = ["base/K is drawn", laid, road, "a note", "city", "the game is over"];
        assert_eq!(texts, wanted);
        assert_eq!(rows[4].points, Some(8));
        assert_eq!(rows[4].seat, Some(Seat(1)));
        assert!(matches!(rows[4].about, RowSubject::Feature(_)));
        assert_eq!(rows.iter().map(|r| r.step).collect::<Vec<_>>(), [0, 1, 2, 2, 2, 2]);
    }

    #[test]
    fn awards_say_which_mods_had_a_say() {
        let mut changed = Award::clone(&award(0, 5, "road"));
        changed.lines.push(AwardLine {
            kind: TermKind::Add,
            amount: 2,
            owner: Some(ModIdx(1)),
            function: None,
            reason: Arc::from("a bridge"),
        });
        assert_eq!(award_summary(&changed), " (+2 a bridge)");
        changed.lines.clear();
        assert_eq!(award_summary(&changed), "");
    }

    #[test]
    fn filters_choose_rows() {
        let mut steps = vec![step(1, "draw base/K"), step(1, "place 0,1 0")];
        steps[1].awards.push(award(1, 8, "city"));
        let rows = rows(None, &line_of(steps));
        let n = |filter: RowFilter| rows.iter().filter(|r| filter.passes(r)).count();
        assert_eq!(n(RowFilter::default()), 3);
        assert_eq!(n(RowFilter { only_points: true, ..RowFilter::default() }), 1);
        assert_eq!(n(RowFilter { seat: Some(Seat(0)), ..RowFilter::default() }), 2);
        assert_eq!(n(RowFilter { text: " BASE/k ".to_owned(), ..RowFilter::default() }), 2);
    }

    #[test]
    fn terms_of_an_award_say_what_they_do() {
        let texts = [
            (TermKind::Replace, 2, "small city: 2 points"),
            (TermKind::Replace, 1, "small city: 1 point"),
            (TermKind::Zero, 0, "small city: no points"),
            (TermKind::Add, 2, "+2 small city"),
        ];
        for (kind, amount, text) in texts {
            assert_eq!(term_text(kind, amount, "small city"), text);
        }
        assert_eq!(term_text(TermKind::Formula, 4, ""), "4");
    }
}
