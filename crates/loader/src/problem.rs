//! Problems of a load: all of them, with the files that they are shown with.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ariadne::{Config, IndexType, Label, Report, ReportKind};
use diagnostic::{Diagnostic, Note, Severity, Span};
use rules::Failure;

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

/// Bytes of a file that was read; small, so that everything read can carry its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileRange {
    file: u32,
    start: u32,
    end: u32,
}

impl FileRange {
    /// Returns `range` counted from the start of this one.
    pub(crate) fn within(self, range: Range<usize>) -> FileRange {
        FileRange { start: self.start + range.start as u32, end: self.start + range.end as u32, ..self }
    }

    /// Returns where it starts in its file.
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    fn bytes(self) -> Range<usize> {
        self.start as usize..self.end.max(self.start) as usize
    }
}

/// A file that was read, as a position in [`Problems::sources`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdx(u32);

impl FileIdx {
    pub(crate) fn range(self, bytes: Range<usize>) -> FileRange {
        FileRange { file: self.0, start: bytes.start as u32, end: bytes.end as u32 }
    }
}

/// A value with the place where it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) range: FileRange,
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
    list: Vec<Diagnostic>,
    sources: Vec<Source>,
}

impl Problems {
    /// Returns the problems, sorted by file and position.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns the files that were read.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the same files with no problem.
    pub(crate) fn clone_sources(&self) -> Problems {
        Problems { list: Vec::new(), sources: self.sources.clone() }
    }

    /// Returns whether there are none, not even warnings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Counts the errors.
    pub fn n_errors(&self) -> usize {
        self.list.iter().filter(|p| p.severity == Severity::Error).count()
    }

    /// Counts the warnings.
    pub fn n_warnings(&self) -> usize {
        self.list.len() - self.n_errors()
    }

    /// Draws the rich form: each problem with its line of source and a caret, drawn with or without colour.
    pub fn render(&self, colour: bool) -> String {
        let texts = || self.sources.iter().map(|s| (s.name.clone(), s.text.clone()));
        let mut cache = ariadne::sources(texts());
        let config = Config::default().with_color(colour).with_index_type(IndexType::Byte);
        let mut drawn = Vec::new();
        for problem in &self.list {
            let place = |span: &Span| {
                let source = self.source_named(&span.file)?;
                Some((span.file.clone(), span.bytes(&source.text)))
            };
            let Some(here) = place(&problem.span) else {
                drawn.extend_from_slice(format!("{problem}\n").as_bytes());
                continue;
            };
            let (kind, colour) = match problem.severity {
                Severity::Error => (ReportKind::Error, ariadne::Color::Red),
                Severity::Warning => (ReportKind::Warning, ariadne::Color::Yellow),
            };
            let mut report = Report::build(kind, here.clone()).with_config(config).with_message(&problem.message);
            report = report.with_label(Label::new(here).with_color(colour).with_message("here"));
            for note in &problem.notes {
                let label = |place| Label::new(place).with_color(ariadne::Color::Blue).with_message(&note.message);
                report = report.with_labels(place(&note.span).map(label));
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

    /// Adds what was found elsewhere.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(found);
    }

    /// Adds an error that a script ended in: when rules were made of what had been read, or in a game.
    pub fn add_failure(&mut self, failure: &Failure) {
        let text = self.source_named(&failure.file).map(|source| source.text.clone());
        let span = text.map(|text| Span::of_word(&failure.file, &text, failure.line, failure.column));
        self.list.push(Diagnostic::error(span.unwrap_or_default(), failure.message.clone()));
    }

    pub(crate) fn add_source(&mut self, path: &Path, text: String) -> FileIdx {
        let source = Source { name: shown(path), path: path.to_owned(), text: Arc::from(text) };
        self.sources.push(source);
        FileIdx(self.sources.len() as u32 - 1)
    }

    pub(crate) fn source(&self, file: FileIdx) -> &Source {
        &self.sources[file.0 as usize]
    }

    fn source_named(&self, name: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.name == name)
    }

    /// Returns what is written in `range`.
    pub(crate) fn written(&self, range: FileRange) -> &str {
        self.sources[range.file as usize].text.get(range.bytes()).unwrap_or_default()
    }

    pub(crate) fn error(&mut self, range: FileRange, message: impl Into<String>) -> &mut Diagnostic {
        let span = self.span(range);
        self.push(Diagnostic::error(span, message))
    }

    pub(crate) fn warning(&mut self, range: FileRange, message: impl Into<String>) -> &mut Diagnostic {
        let span = self.span(range);
        self.push(Diagnostic::warning(span, message))
    }

    /// Adds an error that no line of a file is to blame for, such as a mod that is not there.
    pub(crate) fn general_error(&mut self, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Diagnostic::error(Span::default(), message))
    }

    pub(crate) fn note(&self, range: FileRange, message: impl Into<String>) -> Note {
        Note { span: self.span(range), message: message.into() }
    }

    /// Sorts by file and position, and drops what is said twice.
    pub(crate) fn sort(&mut self) {
        self.list.sort();
        self.list.dedup();
    }

    fn push(&mut self, problem: Diagnostic) -> &mut Diagnostic {
        let at = self.list.len();
        self.list.push(problem);
        &mut self.list[at]
    }

    fn span(&self, range: FileRange) -> Span {
        let source = &self.sources[range.file as usize];
        Span::of_bytes(&source.name, &source.text, range.bytes())
    }
}

/// One line for each problem.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.iter().try_for_each(|p| writeln!(f, "{p}"))
    }
}

/// Returns a path as people like to see it: from the current folder where it lies below, with slashes.
pub(crate) fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let short = path.strip_prefix(&current).unwrap_or(path);
    let short = short.strip_prefix(".").unwrap_or(short);
    short.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems() -> Problems {
        let mut problems = Problems::default();
        let file = problems.add_source(Path::new("mods/x/mod.toml"), "[mod]\nid = \"ö\" # x\nz = 1\n".to_owned());
        problems.error(file.range(18..19), "second").help("do so");
        problems.warning(file.range(11..15), "first");
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
    fn failures_are_shown_at_their_word() {
        for end in ["\n", "\r\n"] {
            let mut problems = Problems::default();
            let text = ["// Größe", "fn a() {", "  let ä = \"ö\"; b_c(ä);", "}", ""].join(end);
            problems.add_source(Path::new("r.rhai"), text);
            let at = |line, column| Failure { message: "no".to_owned(), file: "r.rhai".to_owned(), line, column };
            problems.add_failure(&at(3, 16));
            problems.add_failure(&at(9, 9));
            problems.add_failure(&Failure { file: "other".to_owned(), ..at(1, 1) });
            assert_eq!(problems.to_string(), "r.rhai:3:16: error: no\nr.rhai:5:1: error: no\nerror: no\n");
            assert_eq!(problems.list()[0].span.length, 3);
            let drawn = problems.render(false);
            let lines: Vec<&str> = drawn.lines().collect();
            let code = lines.iter().position(|l| l.contains("let ä")).unwrap_or_default();
            let column = |line: &str, what: char| line.chars().position(|c| c == what);
            assert_eq!(
                column(lines[code], 'b'),
                column(lines[code + 1], '─').or(column(lines[code + 1], '┬')),
                "{drawn}"
            );
        }
    }
}
