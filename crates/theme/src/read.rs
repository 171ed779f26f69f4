//! Reads theme files. Reports every problem with its place.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use diagnostic::{Diagnostic, LineIndex, Span, did_you_mean, is_hidden};
use keys::{Section, Takes};
use toml::de::{DeTable, DeValue};

use crate::colour::Colour;
use crate::icons::{builtin_icon, builtin_icons};
use crate::palette::Palette;
use crate::theme::{ICON_SPOTS, LandPattern, LandStyle, Theme, ThemeEntry, ThemeKey, ThemeValue};

/// The theme of one mod, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThemeFile {
    /// The id of the mod.
    pub owner: String,
    /// The name of the file in messages.
    pub label: String,
    /// The text of the file (TOML).
    pub text: String,
    /// The texts of the mod's SVG files, by the path of each file from the mod's folder
    /// (`icons/crown.svg`).
    pub icons: BTreeMap<String, String>,
}

/// The maximum number of problems to report. Reading stops at this number.
const MAX_PROBLEMS: usize = 200;
/// The maximum number of entries in one section, such as `[tag]`, and of words in one tag.
const MAX_NAMES: usize = 1000;
/// The maximum length of a name, in characters.
const MAX_NAME_CHARS: usize = 100;

/// A function that checks the text of an icon, which is an SVG file. Returns an error if the
/// program cannot draw the icon.
pub type IconCheck = fn(&str) -> Result<(), Box<dyn Error>>;

impl Theme {
    /// Reads and merges the themes of mods, in load order. A later mod may add values but not
    /// change those of an earlier mod.
    ///
    /// Returns the theme and its problems. The theme is usable even if there are problems, because
    /// it omits wrong values. `check_icon` tests each icon, because this crate has no SVG parser.
    pub fn read(files: &[ThemeFile], check_icon: IconCheck) -> (Theme, Vec<Diagnostic>) {
        let Some(file) = files.first() else { return (Theme::default(), Vec::new()) };
        let mut reader = ThemeReader {
            check_icon,
            file,
            theme: Theme::default(),
            problems: Vec::new(),
            lines: LineIndex::new(""),
            checked: BTreeMap::new(),
            owners: BTreeMap::new(),
            suggestions: Vec::new(),
        };
        for file in files {
            reader.file = file;
            reader.lines = LineIndex::new(&file.text);
            reader.checked.clear();
            reader.read();
            if reader.has_too_many_problems() {
                let message = "there are too many problems to list; the rest is not read";
                reader.problems.push(Diagnostic::error(Span { file: file.label.clone(), ..Span::default() }, message));
                break;
            }
        }
        reader.check_suggestions();
        (reader.theme, reader.problems)
    }
}

struct ThemeReader<'f> {
    check_icon: IconCheck,
    /// The file that the reader is reading.
    file: &'f ThemeFile,
    theme: Theme,
    problems: Vec<Diagnostic>,
    /// The lines of `file`.
    lines: LineIndex,
    /// The checked icons of the current file by path: the SVG, or the error of `check_icon`.
    checked: BTreeMap<String, Result<Arc<str>, Rc<dyn Error>>>,
    /// For each key, the id of the mod that set the value of the key.
    owners: BTreeMap<ThemeKey, String>,
    /// The palettes that files suggest, each with the place of the suggestion.
    suggestions: Vec<(Span, String)>,
}

impl ThemeReader<'_> {
    fn report_problem(&mut self, bytes: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        self.report_error(self.span(bytes), message)
    }

    fn report_error(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.problems.push_mut(Diagnostic::error(span, message))
    }

    fn span(&self, bytes: Range<usize>) -> Span {
        self.lines.span(&self.file.label, &self.file.text, bytes)
    }

    fn has_too_many_problems(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    /// Reports a problem if a name is too long or contains invisible characters. Returns whether
    /// the name is valid.
    fn check_name(&mut self, name: &str, bytes: Range<usize>) -> bool {
        if name.len() > MAX_NAME_CHARS && name.chars().count() > MAX_NAME_CHARS {
            self.report_problem(bytes, format!("this name is longer than {MAX_NAME_CHARS} characters"));
            return false;
        }
        if name.contains(is_hidden) {
            self.report_problem(bytes, format!("the name `{name}` contains a character that cannot be seen"));
            return false;
        }
        true
    }

    fn read(&mut self) {
        let (root, errors) = DeTable::parse_recoverable(&self.file.text);
        // Reports only the first error in a line, because further errors in the same line usually
        // follow from it.
        let mut last_line = 0;
        for error in &errors {
            let bytes = error.span().unwrap_or(0..0);
            let line = self.span(bytes.clone()).line;
            if line != last_line && !self.has_too_many_problems() {
                self.report_problem(bytes, format!("not TOML: {}", error.message()));
            }
            last_line = line;
        }
        if !errors.is_empty() {
            return;
        }
        // The parser sorts keys by name, but problems and palettes must follow the order in the
        // file.
        for (key, value) in entries_in_file_order(root.get_ref()) {
            let section = key.get_ref().as_ref();
            if self.has_too_many_problems() {
                return;
            }
            let Some(known) = keys::THEME.section(section) else {
                let message = format!("unknown section `{section}`");
                self.report_problem(key.span(), message).suggest(section, keys::THEME_FILE.names());
                continue;
            };
            let named = known.name();
            let Some(table) = self.table(value, &format!("`{section}`")) else { continue };
            if section == "board" {
                self.read_table([section, ""], known, table);
                continue;
            }
            if table.len() > MAX_NAMES {
                let message = format!("`{section}` has {} entries; at most {MAX_NAMES} are allowed", table.len());
                self.report_problem(key.span(), message);
            }
            for (key, value) in entries_in_file_order(table).into_iter().take(MAX_NAMES) {
                if self.has_too_many_problems() {
                    return;
                }
                if !self.check_name(key.get_ref(), key.span()) {
                    continue;
                }
                // The cards and tiles of a theme belong to the mod of this file. All other names
                // may belong to any mod.
                let own = format!("{}/{}", self.file.owner, key.get_ref());
                let name = if matches!(named, "card" | "tile") { own.as_str() } else { key.get_ref().as_ref() };
                let table = self.table(value, &format!("{section} `{name}`"));
                if named != "palette" {
                    let (name, span) = (name.to_owned(), self.span(key.span()));
                    let keys = table.map_or_else(Vec::new, entries_in_file_order).into_iter().take(MAX_NAMES);
                    let keys = keys.map(|(key, _)| (key.get_ref().to_string(), self.span(key.span())));
                    let keys = keys.collect();
                    self.theme.names.push(ThemeEntry { section: named, name, span, keys });
                }
                let Some(table) = table else { continue };
                if section == "palette" && !self.theme.palettes.iter().any(|known| known == name) {
                    self.theme.palettes.push(name.to_owned());
                }
                self.read_table([section, name], known, table);
            }
        }
    }

    fn table<'a>(&mut self, value: &'a toml::Spanned<DeValue<'a>>, what: &str) -> Option<&'a DeTable<'a>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => {
                self.report_problem(value.span(), format!("{what} must be a table"));
                None
            }
        }
    }

    fn read_table(&mut self, of: [&str; 2], section: &Section, table: &DeTable<'_>) {
        for (key, value) in entries_in_file_order(table) {
            let name = key.get_ref().as_ref();
            if self.has_too_many_problems() {
                return;
            }
            let colours: &[&str] = if of[0] == "palette" { Palette::COLOURS } else { &[] };
            let takes = match colours.contains(&name) {
                true => Some(Takes::Colour),
                false => section.key(name).map(|key| key.takes),
            };
            let Some(takes) = takes else {
                let known = section.names().chain(colours.iter().copied());
                let what = format!("{} {}", of[0], of[1]);
                let message = format!("unknown key `{name}` in {}", what.trim_end());
                self.report_problem(key.span(), message).suggest(name, known);
                continue;
            };
            match (takes, value.get_ref()) {
                (Takes::IconOrFalse, DeValue::Table(words)) => {
                    for (word, value) in entries_in_file_order(words).into_iter().take(MAX_NAMES) {
                        if self.has_too_many_problems() {
                            return;
                        }
                        let read = self.read_value(takes, name, value);
                        self.add(of, &format!("{name}.{}", word.get_ref()), read, value.span());
                    }
                }
                _ => {
                    let read = self.read_value(takes, name, value);
                    self.add(of, name, read, value.span());
                }
            }
        }
    }

    fn read_value(&mut self, takes: Takes, key: &str, value: &toml::Spanned<DeValue<'_>>) -> Option<ThemeValue> {
        let span = value.span();
        let expected = match (takes, value.get_ref()) {
            (Takes::IconOrFalse, DeValue::Boolean(false)) => return Some(ThemeValue::NoIcon),
            (Takes::Icon | Takes::IconOrFalse, DeValue::String(path)) => return self.read_icon(path, span),
            (Takes::OneOf(_), DeValue::String(word)) if key == "style" => {
                return self.read_word(key, word, &LandStyle::ALL, span).map(ThemeValue::Style);
            }
            (Takes::OneOf(_), DeValue::String(word)) if key == "pattern" => {
                return self.read_word(key, word, &LandPattern::ALL, span).map(ThemeValue::Pattern);
            }
            (Takes::OneOf(_), DeValue::String(word)) => {
                return self.read_word(key, word, &ICON_SPOTS, span).map(ThemeValue::Spot);
            }
            (Takes::Colour, DeValue::String(text)) => {
                let colour = Colour::parse(text);
                if colour.is_none() {
                    let message = format!("`{text}` is not a colour");
                    self.report_problem(span, message).help("write it as `#rrggbb`");
                }
                return colour.map(ThemeValue::Colour);
            }
            (Takes::Flag, DeValue::Boolean(flag)) => return Some(ThemeValue::Flag(*flag)),
            (Takes::Text(_), DeValue::String(name)) if key == "palette" => {
                self.suggestions.push((self.span(span), name.to_string()));
                return None;
            }
            (Takes::Text(_), DeValue::String(text)) => {
                let is_legible = self.check_name(text, span);
                return is_legible.then(|| ThemeValue::Text(text.to_string()));
            }
            (Takes::Fraction, DeValue::Integer(n)) if n.as_str() == "1" => return Some(ThemeValue::Number(1.0)),
            (Takes::Fraction, DeValue::Float(n)) => match n.as_str().parse::<f64>() {
                Ok(n) if (0.05..=1.0).contains(&n) => return Some(ThemeValue::Number(n)),
                _ => "a fraction of a tile from 0.05 to 1.0",
            },
            (Takes::Fraction, _) => "a fraction of a tile from 0.05 to 1.0",
            (Takes::IconOrFalse, _) => "an icon, a table with an icon for each word, or `false`",
            (Takes::Icon, _) => "the name of an icon or the path of an SVG file",
            (Takes::Flag, _) => "true or false",
            (Takes::Colour, _) => "a colour as `#rrggbb`",
            _ => "a text",
        };
        self.report_problem(span, format!("`{key}` must be {expected}"));
        None
    }

    fn read_word<T: Copy>(&mut self, key: &str, word: &str, known: &[(&str, T)], span: Range<usize>) -> Option<T> {
        let found = known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        if found.is_none() {
            let message = format!("there is no {key} `{word}`");
            self.report_problem(span, message).suggest(word, known.iter().map(|(name, _)| *name));
        }
        found
    }

    fn read_icon(&mut self, path: &str, span: Range<usize>) -> Option<ThemeValue> {
        let icons = &self.file.icons;
        let Some(svg) = icons.get(path).map(String::as_str).or_else(|| builtin_icon(path)) else {
            let names = builtin_icons().map(|(name, _)| name);
            let known = icons.keys().map(String::as_str).chain(names);
            let message = match path.contains(['/', '.']) {
                true => format!("there is no file `{path}` in the mod"),
                false => format!("there is no built-in icon `{path}`"),
            };
            let known: Vec<&str> = known.collect();
            let in_folder = format!("icons/{path}");
            let is_other_file = path.contains(['/', '.']) && !path.ends_with(".svg");
            let help = if icons.contains_key(&in_folder) {
                Some(format!("write `{in_folder}`"))
            } else if is_other_file && did_you_mean(path, known.iter().copied()).is_none() {
                Some("icons are SVG files, such as `icons/crown.svg`".to_owned())
            } else {
                None
            };
            let problem = self.report_problem(span, message);
            match help {
                Some(help) => problem.help(help),
                None => problem.suggest(path, known),
            };
            return None;
        };
        let check_icon = self.check_icon;
        let check = || check_icon(svg).map(|()| Arc::from(svg)).map_err(Rc::from);
        match self.checked.entry(path.to_owned()).or_insert_with(check).clone() {
            Ok(svg) => Some(ThemeValue::Icon(svg)),
            Err(reason) => {
                self.report_problem(span, format!("`{path}` cannot be drawn: {reason}"));
                None
            }
        }
    }

    /// Stores the value of a key, unless `value` is `None`. If an earlier mod has set a different
    /// value, reports a problem instead.
    fn add(&mut self, [section, name]: [&str; 2], key: &str, value: Option<ThemeValue>, span: Range<usize>) {
        let Some(value) = value else { return };
        let full = [section, name, key].map(str::to_owned);
        match self.theme.values.get(&full) {
            Some(known) if *known != value => {
                let first = self.owners.get(&full).cloned().unwrap_or_default();
                let message = format!("`{}` and `{first}` differ in `{key}` of {section} `{name}`", self.file.owner);
                self.report_problem(span, message).help("a mod may add to the theme of another mod, but not change it");
            }
            Some(_) => {}
            None => {
                self.owners.insert(full.clone(), self.file.owner.clone());
                self.theme.values.insert(full, value);
            }
        }
    }

    /// Sets the suggested palette to the last suggestion whose palette exists. Reports each
    /// suggestion whose palette does not exist.
    fn check_suggestions(&mut self) {
        for (span, name) in std::mem::take(&mut self.suggestions) {
            if self.theme.palettes.contains(&name) {
                self.theme.suggested = Some(name);
                continue;
            }
            let known = self.theme.palettes.clone();
            self.report_error(span, format!("there is no palette `{name}`"))
                .suggest(&name, known.iter().map(String::as_str));
        }
    }
}

type SpannedKey<'a> = toml::Spanned<std::borrow::Cow<'a, str>>;

fn entries_in_file_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(&'t SpannedKey<'a>, &'t toml::Spanned<DeValue<'a>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
