//! Reads the declarations of a manifest, with one function for each type of declaration.

use std::collections::BTreeSet;

use board::{CompletionRule, EdgeStyle, MergeRule, TagCarrier};
use keys::Section;
use playtest::SurveyAnswers;
use rules::{Hook, SettingValue, Slot, record_keywords};

use crate::declared::{
    Additions, CardBody, DeckBody, Decl, HookBody, KindAddition, KindBody, LayerBody, PhaseBody, PieceAddition,
    PieceBody, PileBody, PointsBody, SettingBody, TagBody, TokenBody, TrackBody,
};
use crate::filters;
use crate::formula::{self, ParsedFormula};
use crate::problem::{Problems, Spanned};
use crate::reader::{Fields, KeyValue, Node, NodeData};
use diagnostic::join_names;

/// The largest numbers of declarations by type, for one mod and for all mods together.
pub(crate) mod most {
    pub(crate) const KINDS: usize = 64;
    pub(crate) const TAGS: usize = 255;
    /// Layers, in addition to layer 0.
    pub(crate) const LAYERS: usize = 8;
    pub(crate) const PIECES: usize = 32;
    pub(crate) const TOKENS: usize = 255;
    pub(crate) const PILES: usize = 255;
    pub(crate) const DECKS: usize = 255;
    /// The largest number in one mod of settings, of phases, of options and of hooks.
    pub(crate) const OTHER_DECLARATIONS: usize = 200;
    /// Questions of the survey in one mod.
    pub(crate) const SURVEY_QUESTIONS: usize = 20;
    /// Kinds of cards in one deck, and choices of one setting.
    pub(crate) const CARDS: usize = 1000;
}

/// Reads at most `most` tables of one type, such as `[kind.city]` for the key `kind`. `section`
/// lists the keys that such a table may have. Calls `body` to read the content of each table.
pub(crate) fn read_tables<B>(
    p: &mut Problems,
    all: &Fields<'_>,
    key: &str,
    section: &'static Section,
    most: usize,
    mut body: impl FnMut(&mut Problems, &Fields<'_>, &KeyValue) -> B,
) -> Vec<Decl<B>> {
    let mut decls = Vec::new();
    for entry in all.tables(p, key, most) {
        let what = format!("{key} `{}`", entry.key.value);
        let fields = Fields::new(p, &entry.node, section, what, entry.key.range);
        let about = fields.single_line_text(p, "about");
        fields.report_missing_keys(p);
        let body = body(p, &fields, entry);
        fields.report_unknown(p);
        decls.push(Decl { name: entry.key.clone(), about, body });
    }
    decls
}

/// Reports a name that is not valid in records, formulas and scripts, or is one of `reserved`.
fn check_name(p: &mut Problems, name: &Spanned<String>, reserved: &[&str]) {
    let starts_well = name.value.starts_with(|c: char| c.is_ascii_lowercase());
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !starts_well || !name.value.chars().all(is_plain) {
        let help = "names are made of lower-case letters, digits and `_`, and begin with a letter";
        p.error(name.range, format!("`{}` cannot be a name", name.value)).help(help);
    }
    if reserved.contains(&name.value.as_str()) {
        let message = format!("`{}` cannot be a name: it already has another meaning", name.value);
        p.error(name.range, message).help("choose another word");
    }
}

/// Checks that the name of a card is one word that a record can contain.
fn check_word(p: &mut Problems, name: &Spanned<String>) {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.value.is_empty() || !name.value.chars().all(is_plain) {
        let help = "write one word of letters, digits, `-` and `_`";
        p.error(name.range, format!("`{}` cannot be the name of a card", name.value)).help(help);
    }
}

/// Reports each text that is equal to an earlier one.
fn report_repeated(p: &mut Problems, texts: &[Spanned<String>]) {
    let mut seen = BTreeSet::new();
    for text in texts.iter().filter(|text| !seen.insert(&text.value)) {
        p.error(text.range, format!("`{}` is listed twice", text.value));
    }
}

pub(crate) fn kinds(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<KindBody>> {
    use EdgeStyle::{Full, Ground, Inside, Line};
    read_tables(p, all, "kind", &keys::KIND, most::KINDS, |p, fields, entry| {
        check_name(p, &entry.key, &keys::TILE.names().chain(["complete"]).collect::<Vec<_>>());
        let edge = fields.choice(p, "edge", &[Full, Line, Ground, Inside]).unwrap_or(Full);
        let closes = fields
            .choice(p, "closes", &[CompletionRule::Ports, CompletionRule::Surrounded])
            .unwrap_or(CompletionRule::Ports);
        if let Some(node) = fields.get("closes").filter(|_| closes == CompletionRule::Surrounded && edge != Inside) {
            let help = "write `edge = \"inside\"`, or leave out `closes` and decide with `is_complete`";
            p.warning(node.range, "a feature of several tiles is complete as soon as one of its tiles is surrounded")
                .help(help);
        }
        let joins = fields.number(p, "joins").map(|n| n.value as u8);
        let u_turns = fields.flag(p, "u_turns").unwrap_or(true);
        if let Some(node) = fields.get("joins").or(fields.get("u_turns")).filter(|_| !matches!(edge, Full | Line)) {
            p.error(node.range, "only `full` kinds and `line` kinds can have `joins` and `u_turns`");
        }
        let holds = fields.texts(p, "holds").unwrap_or_default();
        KindBody { edge, closes, joins, u_turns, holds, points: points(p, fields) }
    })
}

pub(crate) fn points(p: &mut Problems, fields: &Fields<'_>) -> PointsBody {
    let Some(node) = fields.get("points") else { return PointsBody::default() };
    if let NodeData::Text(formula) = &node.data {
        let help = format!("write `points = {{ complete = \"{formula}\" }}`, `final` for the final count, or both");
        p.error(node.range, "these points do not say when they are paid").help(help);
        return PointsBody::default();
    }
    let fields = Fields::new(p, node, &keys::POINTS, "`points`", node.range);
    let formula = |p: &mut Problems, key| -> Option<ParsedFormula> {
        let text = fields.text(p, key)?;
        Some(formula::parse(p, &text))
    };
    let points = PointsBody { complete: formula(p, "complete"), at_end: formula(p, "final") };
    fields.report_unknown(p);
    points
}

pub(crate) fn layers(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<LayerBody>> {
    read_tables(p, all, "layer", &keys::LAYER, most::LAYERS, |p, fields, entry| {
        check_name(p, &entry.key, &["land"]);
        LayerBody {
            kinds: fields.texts(p, "kinds").unwrap_or_default(),
            joins_touching: fields.flag(p, "joins_touching").unwrap_or(false),
            points: points(p, fields),
        }
    })
}

pub(crate) fn tags(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<TagBody>> {
    read_tables(p, all, "tag", &keys::TAG, most::TAGS, |p, fields, entry| {
        check_name(
            p,
            &entry.key,
            &keys::TILE.names().chain(keys::ZONE.names()).chain(formula::RESERVED_WORDS).collect::<Vec<_>>(),
        );
        let on = fields.choice(p, "on", &[TagCarrier::Zone, TagCarrier::Tile]).unwrap_or(TagCarrier::Zone);
        let ways =
            [MergeRule::Any, MergeRule::All, MergeRule::Sum, MergeRule::Max, MergeRule::Set, MergeRule::Multiset];
        let merge = fields.choice(p, "merge", &ways).unwrap_or(MergeRule::Any);
        let merge_on_tile = fields.get("merge").filter(|_| on == TagCarrier::Tile);
        if let Some(node) = merge_on_tile {
            let message = format!("`merge` has no effect, because tag `{}` is on tiles", entry.key.value);
            p.warning(node.range, message).help("remove it; only the tags of zones are merged, into features");
        }
        let with_words = matches!(merge, MergeRule::Set | MergeRule::Multiset);
        let values = fields.texts(p, "values").unwrap_or_default();
        if with_words {
            fields.report_if_missing(p, "values");
        } else if let (TagCarrier::Zone, Some(first)) = (on, values.first()) {
            let help = "words are merged by `merge = \"set\"` or `merge = \"multiset\"`";
            p.error(first.range, format!("tag `{}` counts, so it has no words", entry.key.value)).help(help);
        }
        report_repeated(p, &values);
        TagBody { on, merge, values }
    })
}

pub(crate) fn pieces(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<PieceBody>> {
    read_tables(p, all, "piece", &keys::PIECE, most::PIECES, |p, fields, entry| {
        check_name(p, &entry.key, &record_keywords().chain(["of", "gone"]).collect::<Vec<_>>());
        PieceBody {
            title: fields.text(p, "title"),
            per_player: fields.number(p, "per_player").map(|n| n.value),
            neutral: fields.number(p, "neutral").map(|n| n.value),
            stands_on: fields.texts(p, "stands_on"),
            lies_on: fields.texts(p, "lies_on"),
            layer: fields.text(p, "layer"),
            strength: fields.number(p, "strength").map(|n| n.value),
            blocked_by: fields.texts(p, "blocked_by"),
            needs: fields.texts(p, "needs"),
            is: fields.text(p, "is"),
            goes_home: fields.flag(p, "goes_home"),
        }
    })
}

pub(crate) fn tokens(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<TokenBody>> {
    read_tables(p, all, "token", &keys::TOKEN, most::TOKENS, |p, fields, entry| {
        check_name(p, &entry.key, &[]);
        let per_player = fields.number(p, "per_player").map_or(0, |n| n.value as u32);
        TokenBody { stock: stock(p, fields), per_player }
    })
}

pub(crate) fn piles(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<PileBody>> {
    read_tables(p, all, "pile", &keys::PILE, most::PILES, |p, fields, entry| {
        check_name(p, &entry.key, &[]);
        PileBody { stock: stock(p, fields) }
    })
}

fn stock(p: &mut Problems, fields: &Fields<'_>) -> Option<u32> {
    fields.number(p, "stock").map(|n| n.value as u32)
}

pub(crate) fn decks(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<DeckBody>> {
    read_tables(p, all, "deck", &keys::DECK, most::DECKS, |p, fields, entry| {
        check_name(p, &entry.key, &record_keywords().collect::<Vec<_>>());
        let holds = fields.choice(p, "holds", &[false, true]);
        let cards_node = fields.get("cards");
        let written = cards_node.map_or(&[][..], |n| n.table(p));
        if let Some(over) = written.get(most::CARDS) {
            let message = format!("there are {} cards; at most {} are allowed", written.len(), most::CARDS);
            p.error(over.key.range, message);
        }
        let cards = written.iter().take(most::CARDS).filter_map(|entry| card(p, entry)).collect();
        if let (Some(false), Some(node)) = (holds, cards_node) {
            p.error(node.range, format!("deck `{}` holds tiles, so it has no cards", entry.key.value));
        }
        let without = fields.texts(p, "without").unwrap_or_default();
        let holds_cards = match holds {
            _ if cards_node.is_some() => Some(true),
            // A mod that only removes items need not state whether the deck holds tiles or cards.
            None if !without.is_empty() => None,
            said => Some(said.unwrap_or(false)),
        };
        DeckBody { holds_cards, cards, without }
    })
}

/// Reads a card: either a count, or a table with a count and a description. Reports an invalid
/// card, and returns `None` for it.
fn card(p: &mut Problems, entry: &KeyValue) -> Option<CardBody> {
    const COUNT_RANGE: std::ops::RangeInclusive<i64> = 0..=1000;
    check_word(p, &entry.key);
    let (count, about) = match &entry.node.data {
        NodeData::Table(_) => {
            let what = format!("card `{}`", entry.key.value);
            let fields = Fields::new(p, &entry.node, &keys::CARD, what, entry.key.range);
            let count = match fields.get("count") {
                Some(_) => fields.number(p, "count").map(|count| count.value),
                None => Some(1),
            };
            let about = fields.single_line_text(p, "about");
            fields.report_unknown(p);
            (count?, about)
        }
        NodeData::Text(about) => {
            let name = &entry.key.value;
            p.error(entry.node.range, format!("the card `{name}` needs a number, or a table with `count` and `about`"))
                .help(format!("write `{name} = {{ count = 1, about = \"{about}\" }}`"));
            return None;
        }
        _ => (entry.node.number(p, COUNT_RANGE)?.value, String::new()),
    };
    Some(CardBody { name: entry.key.clone(), count: count as u16, about })
}

pub(crate) fn settings(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<SettingBody>> {
    read_tables(p, all, "setting", &keys::SETTING, most::OTHER_DECLARATIONS, |p, fields, entry| {
        check_name(p, &entry.key, &[]);
        if script::is_reserved_word(&entry.key.value) {
            let message =
                format!("no script can read `settings.{0}`, because `{0}` is a reserved word", entry.key.value);
            p.warning(entry.key.range, message).help("choose another name");
        }
        let default_node = fields.get("default");
        let default = default_node.and_then(|n| setting_value(p, n, None)).unwrap_or(SettingValue::Bool(false));
        let choice_nodes = fields.get("choices").map_or(&[][..], |node| node.list(p, most::CARDS));
        let choices: Vec<_> = choice_nodes.iter().filter_map(|n| setting_value(p, n, Some(&default))).collect();
        let bounds = ["min", "max"].map(|key| fields.get(key));
        let numbers = bounds.map(|node| node.and_then(|n| n.number(p, i64::MIN..=i64::MAX)));
        let range = match (bounds, &default) {
            ([None, None], _) => None,
            ([least, _], SettingValue::Int(_)) => {
                let [min, max] = numbers.map(|n| n.map(|n| n.value));
                let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                if let Some(node) = least.filter(|_| min > max) {
                    p.error(node.range, format!("`min` is greater than `max`: {min} is more than {max}"));
                }
                (min <= max).then_some((min, max))
            }
            ([min, max], _) => {
                if let Some(node) = min.or(max) {
                    p.error(node.range, "only a setting that is a number can have `min` and `max`");
                }
                None
            }
        };
        let body = SettingBody { default, choices, range };
        if let Some((problem, node)) = rejection(&body.choices, body.range, &body.default).zip(default_node) {
            p.error(node.range, format!("the default {problem}"));
        }
        body
    })
}

/// Returns the reason why `value` is not allowed for a setting with these choices and this range,
/// if any. `value` must have the type of the setting.
pub(crate) fn rejection(choices: &[SettingValue], range: Option<(i64, i64)>, value: &SettingValue) -> Option<String> {
    if !choices.is_empty() && !choices.contains(value) {
        let texts: Vec<String> = choices.iter().map(ToString::to_string).collect();
        return Some(format!("`{value}` is not one of {}", join_names(&texts)));
    }
    match (range, value) {
        (Some((least, _)), SettingValue::Int(n)) if *n < least => Some(format!("{n} is less than {least}")),
        (Some((_, most)), SettingValue::Int(n)) if *n > most => Some(format!("{n} is more than {most}")),
        _ => None,
    }
}

/// Reads a value of a setting. If `like` is given, the value must have the same type as `like`.
/// Reports a value of an invalid type, and returns `None` for it.
fn setting_value(p: &mut Problems, node: &Node, like: Option<&SettingValue>) -> Option<SettingValue> {
    let value = match &node.data {
        NodeData::Bool(b) => SettingValue::Bool(*b),
        NodeData::Int(n) => SettingValue::Int(*n),
        NodeData::Text(_) => SettingValue::Text(node.text(p)?.value),
        _ => {
            node.report_mismatch(p, "true or false, a number or a text");
            return None;
        }
    };
    let Some(like) = like else { return Some(value) };
    let expected = match like {
        like if std::mem::discriminant(like) == std::mem::discriminant(&value) => return Some(value),
        SettingValue::Bool(_) => "true or false",
        SettingValue::Int(_) => "a number",
        SettingValue::Text(_) | SettingValue::Count(..) => "a text",
    };
    node.report_mismatch(p, expected);
    None
}

pub(crate) fn phases(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<PhaseBody>> {
    let Some(node) = all.get("phase") else { return Vec::new() };
    let NodeData::List(list) = &node.data else {
        p.error(node.range, "phases are a list: write `[[phase]]` with two brackets");
        return Vec::new();
    };
    if let Some(over) = list.get(most::OTHER_DECLARATIONS) {
        p.error(
            over.range,
            format!("there are {} phases; at most {} are allowed", list.len(), most::OTHER_DECLARATIONS),
        );
    }
    list.iter().take(most::OTHER_DECLARATIONS).filter_map(|node| phase(p, node)).collect()
}

fn phase(p: &mut Problems, node: &Node) -> Option<Decl<PhaseBody>> {
    let fields = Fields::new(p, node, &keys::PHASE, "[[phase]]", node.range);
    fields.report_missing_keys(p);
    let name = fields.text(p, "id");
    if let Some(name) = &name {
        check_name(p, name, &["draw", "place", "piece", "score"]);
    }
    let slot = fields.choice(p, "slot", &Slot::ALL.map(|(slot, _)| slot)).unwrap_or(Slot::End);
    let about = fields.single_line_text(p, "about");
    let body = PhaseBody {
        slot,
        after: fields.texts(p, "after").unwrap_or_default(),
        before: fields.texts(p, "before").unwrap_or_default(),
        filter: filters::read(p, &fields, None),
    };
    fields.report_unknown(p);
    Some(Decl { name: name?, about, body })
}

pub(crate) fn options(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<()>> {
    read_tables(p, all, "option", &keys::OPTION, most::OTHER_DECLARATIONS, |p, _, entry| {
        let plain = Spanned { value: entry.key.value.replace('-', "_"), range: entry.key.range };
        check_name(p, &plain, &record_keywords().collect::<Vec<_>>());
    })
}

pub(crate) fn hooks(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<HookBody>> {
    let decls = read_tables(p, all, "hook", &keys::HOOK, most::OTHER_DECLARATIONS, |p, fields, entry| {
        let hook = Hook::named(&entry.key.value);
        if hook.is_none() {
            let names = Hook::ALL.iter().map(|h| h.info().name);
            p.error(entry.key.range, format!("unknown hook `{}`", entry.key.value)).suggest(&entry.key.value, names);
        }
        let filter = filters::read(p, fields, hook);
        Some(HookBody { hook: hook?, filter })
    });
    let known = |d: Decl<Option<HookBody>>| Some(Decl { name: d.name, about: d.about, body: d.body? });
    decls.into_iter().filter_map(known).collect()
}

/// Reads the questions of the survey. The text of a question is its `about`.
pub(crate) fn survey(p: &mut Problems, all: &Fields<'_>) -> Vec<Decl<SurveyAnswers>> {
    let types = ["scale", "choice", "text"];
    read_tables(p, all, "playtest", &keys::PLAYTEST, most::SURVEY_QUESTIONS, |p, fields, entry| {
        check_name(p, &entry.key, &[]);
        fields.report_if_missing(p, "about");
        if let Some(Node { data: NodeData::Text(text), range }) = fields.get("about")
            && text.chars().count() > playtest::MAX_TEXT
        {
            p.error(*range, format!("a question has at most {} characters", playtest::MAX_TEXT));
        }
        let of_type = fields.choice(p, "type", &types).unwrap_or("text");
        for (key, owner) in [("min", "scale"), ("max", "scale"), ("choices", "choice")] {
            if let Some(node) = fields.get(key).filter(|_| owner != of_type) {
                p.error(node.range, format!("only a question with `type = \"{owner}\"` can have `{key}`"));
            }
        }
        match of_type {
            "scale" => {
                let bound = |p: &mut Problems, key, default| fields.number(p, key).map_or(default, |n| n.value);
                let (min, max) = (bound(p, "min", 1), bound(p, "max", 5));
                if min >= max {
                    let range = fields.get("min").or(fields.get("max")).map_or(entry.key.range, |node| node.range);
                    p.error(range, format!("the scale from {min} to {max} has no numbers between which to choose"))
                        .help("write a `max` that is larger than `min`");
                }
                SurveyAnswers::Scale { min, max }
            }
            "choice" => SurveyAnswers::Choice(survey_choices(p, fields)),
            _ => SurveyAnswers::Text,
        }
    })
}

fn survey_choices(p: &mut Problems, fields: &Fields<'_>) -> Vec<String> {
    fields.report_if_missing(p, "choices");
    let Some(node) = fields.get("choices") else { return Vec::new() };
    let choices = fields.texts(p, "choices").unwrap_or_default();
    if !(2..=playtest::MAX_CHOICES).contains(&choices.len()) {
        p.error(node.range, format!("a question has 2 to {} choices", playtest::MAX_CHOICES));
    }
    for choice in choices.iter().filter(|choice| choice.value.chars().count() > playtest::MAX_TEXT) {
        p.error(choice.range, format!("a choice has at most {} characters", playtest::MAX_TEXT));
    }
    report_repeated(p, &choices);
    choices.iter().map(|choice| choice.value.clone()).collect()
}

/// Reads `[add.*]` of a manifest.
pub(crate) fn additions(p: &mut Problems, all: &Fields<'_>) -> Additions {
    let Some(node) = all.get("add") else { return Additions::default() };
    let fields = Fields::new(p, node, &keys::ADD, "[add]", node.range);
    let kinds = read_tables(p, &fields, "kind", &keys::ADD_KIND, most::KINDS, |p, fields, _| KindAddition {
        points: points(p, fields),
        holds: fields.texts(p, "holds").unwrap_or_default(),
        tags: fields.get("tags").map_or(&[][..], |node| node.table(p)).to_vec(),
    });
    let pieces = read_tables(p, &fields, "piece", &keys::ADD_PIECE, most::PIECES, |p, fields, _| PieceAddition {
        per_player: fields.number(p, "per_player").map_or(0, |n| n.value as u16),
        neutral: fields.number(p, "neutral").map_or(0, |n| n.value as u16),
        stands_on: fields.texts(p, "stands_on").unwrap_or_default(),
        blocked_by: fields.texts(p, "blocked_by").unwrap_or_default(),
    });
    fields.report_unknown(p);
    Additions { kinds, pieces }
}

pub(crate) fn track(p: &mut Problems, all: &Fields<'_>) -> TrackBody {
    let Some(node) = all.get("track") else { return TrackBody::default() };
    let fields = Fields::new(p, node, &keys::TRACK, "[track]", node.range);
    let [length, n_markers, dark] = ["length", "markers", "dark"].map(|key| fields.number(p, key));
    fields.report_unknown(p);
    TrackBody { length, n_markers, dark }
}
