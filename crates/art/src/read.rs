//! Reading theme files: all that is wrong with them is noted, with its place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::colour::Colour;
use crate::icon::Icon;
use crate::palette::Palette;
use crate::theme::{Key, SPOTS, Style, Theme, ThemeName, Value};

/// The theme of one mod, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThemeFile {
    /// The id of the mod.
    pub owner: String,
    /// The file as it is shown to people.
    pub label: String,
    /// What it holds (TOML).
    pub text: String,
    /// The texts of the SVG files of the mod, by their path from its folder (`icons/crown.svg`).
    pub icons: BTreeMap<String, String>,
}

/// Something that is wrong with a theme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThemeProblem {
    /// The file, as [`ThemeFile::label`] calls it.
    pub label: String,
    /// The bytes of it that are to blame.
    pub span: Option<Range<usize>>,
    /// What is wrong, a sentence without a full stop.
    pub message: String,
    /// What to do, often "did you mean ...?".
    pub help: Option<String>,
}

/// What may stand behind a key.
#[derive(Clone, Copy)]
enum Sort {
    Style,
    Spot,
    Icon,
    /// An icon, one for each word, or `false`.
    Icons,
    Colour,
    Number,
    Flag,
    Text,
    /// The name of a palette.
    Suggestion,
}

/// The keys of each section.
const SECTIONS: [(&str, &[(&str, Sort)]); 7] = [
    ("kind", &[("style", Sort::Style), ("icon", Sort::Icon)]),
    ("tag", &[("icon", Sort::Icons), ("place", Sort::Spot), ("size", Sort::Number), ("turns", Sort::Flag)]),
    ("piece", &[("icon", Sort::Icon), ("lying", Sort::Icon)]),
    ("token", &[("icon", Sort::Icon)]),
    ("pile", &[("icon", Sort::Icon)]),
    ("palette", &[("title", Sort::Text), ("bare_trees", Sort::Flag), ("smoke", Sort::Flag), ("plain", Sort::Flag)]),
    ("board", &[("palette", Sort::Suggestion)]),
];

impl Theme {
    /// Reads and merges the themes of mods, in load order: a later mod may add to what an earlier one says, not change it.
    ///
    /// The theme is usable in any case; what is wrong is left out of it and told.
    pub fn read(files: &[ThemeFile]) -> (Theme, Vec<ThemeProblem>) {
        let mut reader = Reader::default();
        for file in files {
            reader.read(file);
        }
        reader.check_suggestions();
        (reader.theme, reader.problems)
    }
}

#[derive(Default)]
struct Reader {
    theme: Theme,
    problems: Vec<ThemeProblem>,
    /// Who said what first.
    owners: BTreeMap<Key, String>,
    /// Palettes that files suggest: file, place, name.
    suggestions: Vec<(String, Range<usize>, String)>,
    label: String,
    owner: String,
}

impl Reader {
    fn problem(&mut self, span: Range<usize>, message: impl Into<String>) -> &mut ThemeProblem {
        let message = message.into();
        self.problems.push(ThemeProblem { label: self.label.clone(), span: Some(span), message, help: None });
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    fn read(&mut self, file: &ThemeFile) {
        self.label.clone_from(&file.label);
        self.owner.clone_from(&file.owner);
        let (root, errors) = DeTable::parse_recoverable(&file.text);
        if let Some(error) = errors.first() {
            self.problem(error.span().unwrap_or(0..0), format!("not TOML: {}", error.message()));
            return;
        }
        // The parser sorts keys by name; problems and palettes come in the order of the file.
        for (key, value) in in_order(root.get_ref()) {
            let section = key.get_ref().as_ref();
            let Some((named, keys)) = SECTIONS.iter().find(|(name, _)| *name == section) else {
                let known = SECTIONS.iter().map(|(name, _)| *name);
                self.problem(key.span(), format!("unknown section `{section}`")).suggest(section, known);
                continue;
            };
            let Some(table) = self.table(value, &format!("`{section}`")) else { continue };
            if section == "board" {
                self.read_table(file, [section, ""], keys, table);
                continue;
            }
            for (key, value) in in_order(table) {
                let name = key.get_ref().as_ref();
                if *named != "palette" {
                    let (name, label, span) = (name.to_owned(), self.label.clone(), key.span());
                    self.theme.names.push(ThemeName { section: named, name, label, span });
                }
                let Some(table) = self.table(value, &format!("{section} `{name}`")) else { continue };
                if section == "palette" && !self.theme.palettes.iter().any(|known| known == name) {
                    self.theme.palettes.push(name.to_owned());
                }
                self.read_table(file, [section, name], keys, table);
            }
        }
    }

    fn table<'a>(&mut self, value: &'a toml::Spanned<DeValue<'a>>, what: &str) -> Option<&'a DeTable<'a>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => {
                self.problem(value.span(), format!("{what} is a table"));
                None
            }
        }
    }

    fn read_table(&mut self, file: &ThemeFile, of: [&str; 2], keys: &[(&str, Sort)], table: &DeTable<'_>) {
        for (key, value) in in_order(table) {
            let name = key.get_ref().as_ref();
            let mut sort = keys.iter().find(|(known, _)| *known == name).map(|(_, sort)| *sort);
            if of[0] == "palette" && Palette::COLOURS.contains(&name) {
                sort = Some(Sort::Colour);
            }
            let Some(sort) = sort else {
                let colours: &[&str] = if of[0] == "palette" { Palette::COLOURS } else { &[] };
                let known = keys.iter().map(|(known, _)| *known).chain(colours.iter().copied());
                let what = format!("{} {}", of[0], of[1]);
                let message = format!("unknown key `{name}` in {}", what.trim_end());
                self.problem(key.span(), message).suggest(name, known);
                continue;
            };
            match (sort, value.get_ref()) {
                (Sort::Icons, DeValue::Table(words)) => {
                    for (word, value) in in_order(words) {
                        let read = self.value(file, Sort::Icons, name, value);
                        self.add(of, &format!("{name}.{}", word.get_ref()), read, value.span());
                    }
                }
                _ => {
                    let read = self.value(file, sort, name, value);
                    self.add(of, name, read, value.span());
                }
            }
        }
    }

    fn value(&mut self, file: &ThemeFile, sort: Sort, key: &str, value: &toml::Spanned<DeValue<'_>>) -> Option<Value> {
        let span = value.span();
        let expected = match (sort, value.get_ref()) {
            (Sort::Icons, DeValue::Boolean(false)) => return Some(Value::NoIcon),
            (Sort::Icon | Sort::Icons, DeValue::String(path)) => return self.icon(file, path, span),
            (Sort::Style, DeValue::String(word)) => {
                return self.word(key, word, &Style::ALL, span).map(Value::Style);
            }
            (Sort::Spot, DeValue::String(word)) => return self.word(key, word, &SPOTS, span).map(Value::Spot),
            (Sort::Colour, DeValue::String(text)) => {
                let colour = Colour::parse(text);
                if colour.is_none() {
                    let message = format!("`{text}` is no colour");
                    self.problem(span, message).help = Some("write it as `#rrggbb`".to_owned());
                }
                return colour.map(Value::Colour);
            }
            (Sort::Flag, DeValue::Boolean(flag)) => return Some(Value::Flag(*flag)),
            (Sort::Text, DeValue::String(text)) => return Some(Value::Text(text.to_string())),
            (Sort::Suggestion, DeValue::String(name)) => {
                self.suggestions.push((self.label.clone(), span, name.to_string()));
                return None;
            }
            (Sort::Number, DeValue::Integer(n)) if n.as_str() == "1" => return Some(Value::Number(1.0)),
            (Sort::Number, DeValue::Float(n)) => match n.as_str().parse::<f64>() {
                Ok(n) if (0.05..=1.0).contains(&n) => return Some(Value::Number(n)),
                _ => "a part of a tile from 0.05 to 1.0",
            },
            (Sort::Number, _) => "a part of a tile from 0.05 to 1.0",
            (Sort::Icons, _) => "the path of an SVG file, one for each word, or `false`",
            (Sort::Icon, _) => "the path of an SVG file",
            (Sort::Flag, _) => "true or false",
            (Sort::Colour, _) => "a colour as `#rrggbb`",
            (Sort::Style | Sort::Spot | Sort::Text | Sort::Suggestion, _) => "a text",
        };
        self.problem(span, format!("`{key}` is {expected}"));
        None
    }

    fn word<T: Copy>(&mut self, key: &str, word: &str, known: &[(&str, T)], span: Range<usize>) -> Option<T> {
        let found = known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        if found.is_none() {
            let message = format!("there is no {key} `{word}`");
            self.problem(span, message).suggest(word, known.iter().map(|(name, _)| *name));
        }
        found
    }

    fn icon(&mut self, file: &ThemeFile, path: &str, span: Range<usize>) -> Option<Value> {
        let Some(svg) = file.icons.get(path) else {
            let message = format!("there is no file `{path}` in the mod");
            self.problem(span, message).suggest(path, file.icons.keys().map(String::as_str));
            return None;
        };
        match Icon::read(svg) {
            Ok(icon) => Some(Value::Icon(Arc::new(icon))),
            Err(reason) => {
                self.problem(span, format!("`{path}` is no picture that can be read: {reason}"));
                None
            }
        }
    }

    /// Notes what is said, unless an earlier mod says otherwise.
    fn add(&mut self, [section, name]: [&str; 2], key: &str, value: Option<Value>, span: Range<usize>) {
        let Some(value) = value else { return };
        let place = [section, name, key].map(str::to_owned);
        match self.theme.values.get(&place) {
            Some(known) if *known != value => {
                let first = self.owners.get(&place).cloned().unwrap_or_default();
                let message = format!("`{}` and `{first}` differ in `{key}` of {section} `{name}`", self.owner);
                self.problem(span, message).help = Some("a mod may add to a theme, not change it".to_owned());
            }
            Some(_) => {}
            None => {
                self.owners.insert(place.clone(), self.owner.clone());
                self.theme.values.insert(place, value);
            }
        }
    }

    /// The last suggestion wins, but each has to be a palette that is there.
    fn check_suggestions(&mut self) {
        for (label, span, name) in std::mem::take(&mut self.suggestions) {
            self.label = label;
            if self.theme.palettes.contains(&name) {
                self.theme.suggested = Some(name);
                continue;
            }
            let known = self.theme.palettes.clone();
            let message = format!("there is no palette `{name}`");
            self.problem(span, message).suggest(&name, known.iter().map(String::as_str));
        }
    }
}

impl ThemeProblem {
    /// Adds "did you mean `x`?" where one of `known` is near to `word`, else what there is if that is little.
    fn suggest<'a>(&mut self, word: &str, known: impl IntoIterator<Item = &'a str>) {
        let known: Vec<&str> = known.into_iter().collect();
        let allowed = (word.chars().count() / 3).clamp(1, 4);
        let near = known.iter().map(|k| (strsim::damerau_levenshtein(&word.to_lowercase(), k), *k));
        if let Some((_, near)) = near.filter(|(distance, _)| *distance <= allowed).min() {
            self.help = Some(format!("did you mean `{near}`?"));
        } else if (1..=12).contains(&known.len()) {
            let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
            self.help = Some(format!("there is {}", quoted.join(", ")));
        }
    }
}

type SpannedKey<'a> = toml::Spanned<std::borrow::Cow<'a, str>>;

fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t SpannedKey<'a>, &'t toml::Spanned<DeValue<'a>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
