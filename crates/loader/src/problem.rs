//! Problems of a load: where they are, what is wrong, and how they are shown to people.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ariadne::{Config, IndexType, Label, Report, ReportKind};

/// How bad a problem is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The mods cannot be played.
    Error,
    /// They can, but something is probably not meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// Something that is wrong with mods on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file as shown to people, a path from the current folder where it lies below; empty where no file is to blame.
    pub file: String,
    /// The line, from 1; 0 where no file is to blame.
    pub line: u32,
    /// The column in characters, from 1; 0 where no file is to blame.
    pub column: u32,
    /// The bytes of the file that are to blame.
    pub span: Range<usize>,
    /// What is wrong, a sentence without a full stop.
    pub message: String,
    /// What to do, often "did you mean ...?".
    pub help: Option<String>,
    /// Further places that have to do with it.
    pub notes: Vec<Note>,
}

/// A further place that has to do with a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The file as shown to people.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The bytes of the file.
    pub span: Range<usize>,
    /// What is there.
    pub message: String,
}

impl Problem {
    pub(crate) fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds "did you mean `x`?" where one of `known` is near to `word`, else what there is if that is little.
    pub(crate) fn suggest<'a>(&mut self, word: &str, known: impl IntoIterator<Item = &'a str>) -> &mut Self {
        let known: Vec<&str> = known.into_iter().collect();
        if let Some(near) = nearest(word, known.iter().copied()) {
            self.help = Some(format!("did you mean `{near}`?"));
        } else if (1..=12).contains(&known.len()) {
            self.help = Some(format!("there is {}", listed(&known)));
        }
        self
    }
}

/// One line, as compilers write it: `file:line:column: error: message`, then the help in brackets.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The file as shown to people.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What it holds.
    pub text: Arc<str>,
}

/// A place in a file that was read; small, so that everything read can carry one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    file: u32,
    start: u32,
    end: u32,
}

impl Place {
    /// `range` counted from the start of this place.
    pub(crate) fn within(self, range: Range<usize>) -> Place {
        Place { start: self.start + range.start as u32, end: self.start + range.end as u32, ..self }
    }

    /// Where it starts in its file.
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }
}

/// A file that was read, as a position in [`Problems::sources`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdx(u32);

impl FileIdx {
    pub(crate) fn place(self, span: Range<usize>) -> Place {
        Place { file: self.0, start: span.start as u32, end: span.end as u32 }
    }
}

/// A value with the place where it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) place: Place,
}

/// Two values are equal wherever they are written: so mods can declare the same thing.
impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// All problems of a load, with the files needed to show them.
#[derive(Clone, Default, Debug)]
pub struct Problems {
    list: Vec<Problem>,
    sources: Vec<Source>,
}

impl Problems {
    /// The problems, sorted by file and position.
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// The files that were read.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether there are none, not even warnings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many errors there are.
    pub fn n_errors(&self) -> usize {
        self.list.iter().filter(|p| p.severity == Severity::Error).count()
    }

    /// How many warnings there are.
    pub fn n_warnings(&self) -> usize {
        self.list.len() - self.n_errors()
    }

    /// The rich form: each problem with its line of source and a caret, drawn with or without colour.
    pub fn render(&self, colour: bool) -> String {
        let texts = || self.sources.iter().map(|s| (s.name.clone(), s.text.clone()));
        let mut cache = ariadne::sources(texts());
        let config = Config::default().with_color(colour).with_index_type(IndexType::Byte);
        let mut drawn = Vec::new();
        for problem in &self.list {
            if problem.file.is_empty() {
                drawn.extend_from_slice(format!("{problem}\n").as_bytes());
                continue;
            }
            let kind = match problem.severity {
                Severity::Error => ReportKind::Error,
                Severity::Warning => ReportKind::Warning,
            };
            let span = (problem.file.clone(), problem.span.clone());
            let (red, yellow, blue) = (ariadne::Color::Red, ariadne::Color::Yellow, ariadne::Color::Blue);
            let main = if problem.severity == Severity::Error { red } else { yellow };
            let here = Label::new(span.clone()).with_color(main).with_message("here");
            let mut report = Report::build(kind, span).with_config(config).with_message(&problem.message);
            report = report.with_label(here);
            for note in &problem.notes {
                let span = (note.file.clone(), note.span.clone());
                report = report.with_label(Label::new(span).with_color(blue).with_message(&note.message));
            }
            if let Some(help) = &problem.help {
                report = report.with_help(help);
            }
            if report.finish().write(&mut cache, &mut drawn).is_err() {
                drawn.extend_from_slice(format!("{problem}\n").as_bytes());
            }
        }
        String::from_utf8_lossy(&drawn).into_owned()
    }

    /// Adds an error that was found when rules were made of what had been read.
    pub fn add_failure(&mut self, file: &str, line: u32, column: u32, message: &str) {
        let text = self.sources.iter().find(|s| s.name == file).map(|s| s.text.clone()).unwrap_or_default();
        let starts = text.lines().scan(0, |at, l| Some(std::mem::replace(at, *at + l.len() + 1)));
        let start = starts.into_iter().nth((line as usize).saturating_sub(1)).unwrap_or(0);
        let at = (start + (column as usize).saturating_sub(1)).min(text.len());
        self.list.push(Problem {
            severity: Severity::Error,
            file: if text.is_empty() { String::new() } else { file.to_owned() },
            line,
            column,
            span: at..(at + 1).min(text.len()),
            message: message.to_owned(),
            help: None,
            notes: Vec::new(),
        });
    }

    pub(crate) fn add_source(&mut self, path: &Path, text: String) -> FileIdx {
        let source = Source { name: shown(path), path: path.to_owned(), text: Arc::from(text) };
        self.sources.push(source);
        FileIdx(self.sources.len() as u32 - 1)
    }

    pub(crate) fn source(&self, file: FileIdx) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// What is written at `place`.
    pub(crate) fn written(&self, place: Place) -> &str {
        self.sources[place.file as usize].text.get(place.start as usize..place.end as usize).unwrap_or_default()
    }

    pub(crate) fn error(&mut self, place: Place, message: impl Into<String>) -> &mut Problem {
        self.push(Severity::Error, Some(place), message.into())
    }

    pub(crate) fn warning(&mut self, place: Place, message: impl Into<String>) -> &mut Problem {
        self.push(Severity::Warning, Some(place), message.into())
    }

    /// An error that no line of a file is to blame for, such as a mod that is not there.
    pub(crate) fn general_error(&mut self, message: impl Into<String>) -> &mut Problem {
        self.push(Severity::Error, None, message.into())
    }

    pub(crate) fn note(&self, place: Place, message: impl Into<String>) -> Note {
        let (file, line, column, span) = self.resolve(place);
        Note { file, line, column, span, message: message.into() }
    }

    /// The place of the word at `line` and `column`, both from 1.
    pub(crate) fn place_at(&self, file: FileIdx, line: u32, column: u32) -> Place {
        let text = &self.source(file).text;
        let line_start = match line.saturating_sub(1) {
            0 => 0,
            n => text.match_indices('\n').nth(n as usize - 1).map_or(text.len(), |(i, _)| i + 1),
        };
        let rest = text[line_start..].lines().next().unwrap_or_default();
        let offset = rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(i, _)| i);
        let word = rest[offset..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len() - offset);
        let first = rest[offset..].chars().next().map_or(0, char::len_utf8);
        file.place(line_start + offset..line_start + offset + word.max(first))
    }

    /// Sorts by file and position, and drops what is said twice.
    pub(crate) fn sort(&mut self) {
        let key = |p: &Problem| (p.file.clone(), p.line, p.column, p.severity, p.message.clone());
        self.list.sort_by_cached_key(key);
        self.list.dedup();
    }

    fn push(&mut self, severity: Severity, place: Option<Place>, message: String) -> &mut Problem {
        let (file, line, column, span) = place.map_or_else(Default::default, |p| self.resolve(p));
        let at = self.list.len();
        self.list.push(Problem { severity, file, line, column, span, message, help: None, notes: Vec::new() });
        &mut self.list[at]
    }

    fn resolve(&self, place: Place) -> (String, u32, u32, Range<usize>) {
        let source = &self.sources[place.file as usize];
        let (start, end) = (place.start as usize, place.end as usize);
        let before = source.text.get(..start).unwrap_or(&source.text);
        let line = before.matches('\n').count() as u32 + 1;
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let column = before[line_start..].chars().count() as u32 + 1;
        (source.name.clone(), line, column, start..end.max(start))
    }
}

/// One line for each problem.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.iter().try_for_each(|p| writeln!(f, "{p}"))
    }
}

/// A path as people like to see it: from the current folder where it lies below, with slashes.
pub(crate) fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let short = path.strip_prefix(&current).unwrap_or(path);
    let short = short.strip_prefix(".").unwrap_or(short);
    short.to_string_lossy().replace('\\', "/")
}

/// The one of `known` that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).clamp(1, 4);
    let lower = word.to_lowercase();
    let distance = |k: &str| strsim::damerau_levenshtein(&lower, &k.to_lowercase());
    let near = known.into_iter().filter(|k| *k != word).map(|k| (distance(k), k));
    near.filter(|(d, _)| *d <= allowed).min().map(|(_, k)| k)
}

/// Names in backticks, the last two joined by "and".
pub(crate) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems() -> Problems {
        let mut problems = Problems::default();
        let file = problems.add_source(Path::new("mods/x/mod.toml"), "[mod]\nid = \"ö\" # x\nz = 1\n".to_owned());
        problems.error(file.place(18..19), "second").help("do so");
        problems.warning(file.place(11..15), "first");
        problems.general_error("nowhere");
        problems.sort();
        problems
    }

    #[test]
    fn problems_come_in_order_with_columns_in_characters() {
        let expected =
            "error: nowhere\nmods/x/mod.toml:2:6: warning: first\nmods/x/mod.toml:2:12: error: second (do so)\n";
        assert_eq!(problems().to_string(), expected);
        assert_eq!((problems().n_errors(), problems().n_warnings()), (2, 1));
    }

    #[test]
    fn the_rich_form_shows_the_line() {
        let plain = problems().render(false);
        assert!(plain.contains("id = \"ö\" # x") && plain.contains("do so"), "{plain}");
        assert!(!plain.contains('\u{1b}'), "no colour was asked for");
        assert!(problems().render(true).contains('\u{1b}'));
    }

    #[test]
    fn near_words_are_found() {
        assert_eq!(nearest("ctiy", ["city", "road"]), Some("city"));
        assert_eq!(nearest("follwer", ["follower", "planter"]), Some("follower"));
        assert_eq!(nearest("x", ["city"]), None);
    }

    #[test]
    fn places_are_found_by_line_and_column() {
        let mut problems = Problems::default();
        let file = problems.add_source(Path::new("r.rhai"), "fn a() {\n  äh(b_c);\n}".to_owned());
        let place = problems.place_at(file, 2, 6);
        assert_eq!(problems.resolve(place).3, 15..18);
        assert_eq!(problems.resolve(problems.place_at(file, 9, 9)).1, 3);
    }
}
