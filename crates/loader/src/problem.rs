//! The problems found while loading mods, with the files needed to show the problems.
#![expect(clippy::indexing_slicing, reason = "this list assigns the indices of files and severities")]

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ariadne::{Config, IndexType, Label, Report, ReportKind};
use diagnostic::{Diagnostic, LineIndex, Note, Severity, Span, did_you_mean, visible, visible_lines};
use rules::Failure;

/// A file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name of the file in messages.
    pub name: String,
    /// The path of the file.
    pub path: PathBuf,
    /// The content of the file.
    pub text: Arc<str>,
    pub(crate) lines: LineIndex,
}

/// A range of bytes in a file. The type is small, because every parsed value stores a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileRange {
    file: u32,
    start: u32,
    end: u32,
}

impl FileRange {
    /// Returns `range`, which is relative to the start of this range, as a range of the file.
    pub(crate) fn subrange(self, range: Range<usize>) -> FileRange {
        FileRange { start: self.start + range.start as u32, end: self.start + range.end as u32, ..self }
    }

    /// Returns the file of the range.
    pub(crate) fn file(self) -> FileIdx {
        FileIdx(self.file)
    }

    /// Returns the start of the range in the file, in bytes.
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    /// Returns the length of the range in bytes.
    pub(crate) fn len(self) -> usize {
        self.bytes().len()
    }

    fn bytes(self) -> Range<usize> {
        self.start as usize..self.end.max(self.start) as usize
    }
}

/// The index of a file in [`Problems::sources`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdx(u32);

impl FileIdx {
    pub(crate) fn range(self, bytes: Range<usize>) -> FileRange {
        FileRange { file: self.0, start: bytes.start as u32, end: bytes.end as u32 }
    }
}

/// A value and its place in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) range: FileRange,
}

/// Comparing two values ignores their places, so that two mods can declare equal values.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// The maximum number of problems in the list; further problems are only counted.
const MAX_PROBLEMS: usize = 200;

/// The problems found while loading mods, with the files needed to show the problems. The list
/// contains at most 200 problems; further problems are only counted.
#[derive(Clone, Default, Debug)]
pub struct Problems {
    list: Vec<Diagnostic>,
    sources: Vec<Source>,
    /// The numbers of problems that are not listed, indexed by [`Severity`].
    n_unlisted: [usize; 2],
    /// True if the last problem in the list states the number of problems that are not listed.
    says_how_many: bool,
}

/// A reported problem, to which the caller can add help and notes; `None` if the list is full and
/// the problem was only counted.
pub(crate) struct ReportedProblem<'p>(Option<&'p mut Diagnostic>);

impl ReportedProblem<'_> {
    /// Sets the help, which states what to do.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        ReportedProblem(self.0.map(|problem| problem.help(help)))
    }

    /// Adds suggestions for `word` (see [`Diagnostic::suggest`]).
    pub(crate) fn suggest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        ReportedProblem(self.0.map(|problem| problem.suggest(word, known)))
    }

    /// Suggests the word in `known` that is nearest to `word`, if any is similar enough.
    pub(crate) fn suggest_nearest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match self.0.is_some().then(|| did_you_mean(word, known)).flatten() {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Adds a note, which points to a further place.
    pub(crate) fn note(mut self, note: Note) -> Self {
        if let Some(problem) = &mut self.0 {
            problem.notes.push(note);
        }
        self
    }
}

impl Problems {
    /// Returns the problems. Loading sorts them by file and position. If the list is full, loading
    /// adds a last entry with the number of problems that are not listed.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns the files that were read.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns an empty list of problems with the same files.
    pub(crate) fn empty_with_sources(&self) -> Problems {
        Problems { sources: self.sources.clone(), ..Problems::default() }
    }

    /// Moves the problems out of this list and returns them, with copies of the files to which they
    /// refer. This list keeps all files.
    pub(crate) fn take(&mut self) -> Problems {
        let sources = std::mem::take(&mut self.sources);
        let mut taken = std::mem::take(self);
        taken.sources = sources.iter().filter(|source| taken.is_mentioned(source)).cloned().collect();
        self.sources = sources;
        taken
    }

    /// Adds the problems of `other`, which must refer to files that `self` contains.
    pub(crate) fn add_all(&mut self, other: &Problems) {
        self.extend(other.list.iter().cloned());
        self.n_unlisted.iter_mut().zip(other.n_unlisted).for_each(|(n, more)| *n += more);
    }

    /// Returns the text in `range`.
    pub(crate) fn text_in(&self, range: FileRange) -> &str {
        self.sources.get(range.file as usize).and_then(|source| source.text.get(range.bytes())).unwrap_or_default()
    }

    /// Returns whether there are neither errors nor warnings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of errors, including those that are not listed.
    pub fn n_errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Returns the number of warnings, including those that are not listed.
    pub fn n_warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        let told = &self.list[..self.list.len() - usize::from(self.says_how_many)];
        told.iter().filter(|p| p.severity == severity).count() + self.n_unlisted[severity as usize]
    }

    /// Returns the number of problems that are not listed.
    pub fn n_unlisted(&self) -> usize {
        self.n_unlisted.iter().sum()
    }

    /// Returns the number of errors that are not listed.
    pub fn n_unlisted_errors(&self) -> usize {
        self.n_unlisted[Severity::Error as usize]
    }

    /// Returns whether the list is full, so that searching for further problems is pointless.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_PROBLEMS
    }

    /// Renders each problem with its source line and a caret, with or without colour.
    pub fn render(&self, colour: bool) -> String {
        let shown_as = |source: &Source| (source.name.clone(), visible_lines(&source.text).into_owned());
        let mut cache = ariadne::sources(self.sources.iter().filter(|s| self.is_mentioned(s)).map(shown_as));
        let config = Config::default().with_color(colour).with_index_type(IndexType::Char);
        let mut drawn = Vec::new();
        for problem in &self.list {
            // Counts positions in characters, because making hidden characters visible changes the
            // number of bytes.
            let place = |span: &Span| {
                let source = self.source_named(&span.file)?;
                Some((span.file.clone(), source.characters(span)?))
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

    /// Removes the problems that `known` lists too. `known` must list all of its problems.
    pub fn remove_known(&mut self, known: &Problems) {
        self.list.retain(|problem| !known.list.contains(problem));
    }

    /// Adds the problems in `found`.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for problem in found {
            self.push(problem.severity, || problem);
        }
    }

    /// Adds an error for the failure of a script, which can occur when rules are made or during a
    /// game.
    pub fn add_failure(&mut self, failure: &Failure) {
        let source = self.source_named(&failure.file);
        let span = source.map(|it| it.lines.word_span(&it.name, &it.text, failure.line, failure.column));
        self.push(Severity::Error, || Diagnostic::error(span.unwrap_or_default(), failure.message.clone()));
    }

    pub(crate) fn add_source(&mut self, path: &Path, text: String) -> FileIdx {
        let lines = LineIndex::new(&text);
        let source = Source { name: display_path(path), path: path.to_owned(), text: Arc::from(text), lines };
        self.sources.push(source);
        FileIdx(self.sources.len() as u32 - 1)
    }

    pub(crate) fn source(&self, file: FileIdx) -> &Source {
        &self.sources[file.0 as usize]
    }

    fn source_named(&self, name: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.name == name)
    }

    pub(crate) fn error(&mut self, range: FileRange, message: impl Into<String>) -> ReportedProblem<'_> {
        self.push_at(Severity::Error, range, message)
    }

    pub(crate) fn warning(&mut self, range: FileRange, message: impl Into<String>) -> ReportedProblem<'_> {
        self.push_at(Severity::Warning, range, message)
    }

    fn push_at(&mut self, severity: Severity, range: FileRange, message: impl Into<String>) -> ReportedProblem<'_> {
        let span = self.span(range);
        self.push(severity, || Diagnostic { severity, ..Diagnostic::error(span, message) })
    }

    /// Adds an error that refers to no place in a file, such as a missing mod.
    pub(crate) fn general_error(&mut self, message: impl Into<String>) -> ReportedProblem<'_> {
        self.push(Severity::Error, || Diagnostic::error(Span::default(), message))
    }

    /// Adds a warning that refers to no place in a file.
    pub(crate) fn general_warning(&mut self, message: impl Into<String>) -> ReportedProblem<'_> {
        self.push(Severity::Warning, || Diagnostic::warning(Span::default(), message))
    }

    pub(crate) fn note(&self, range: FileRange, message: impl Into<String>) -> Note {
        Note::new(self.span(range), message)
    }

    /// Sorts the problems by file and position, removes duplicates, and adds an entry with the
    /// number of problems that are not listed. Callers call this method once, after all problems
    /// are found.
    pub(crate) fn sort(&mut self) {
        self.list.sort();
        self.list.dedup();
        if self.n_unlisted() > 0 {
            let severity =
                if self.n_unlisted[Severity::Error as usize] > 0 { Severity::Error } else { Severity::Warning };
            let message = format!("and {} more", group_digits(self.n_unlisted()));
            self.list.push(Diagnostic { severity, ..Diagnostic::error(Span::default(), message) });
            self.says_how_many = true;
        }
    }

    fn push(&mut self, severity: Severity, problem: impl FnOnce() -> Diagnostic) -> ReportedProblem<'_> {
        if self.is_full() {
            self.n_unlisted[severity as usize] += 1;
            return ReportedProblem(None);
        }
        self.list.push(problem());
        ReportedProblem(self.list.last_mut())
    }

    /// Returns the place of `range`; no place if the list is full and takes no further message.
    fn span(&self, range: FileRange) -> Span {
        let source = self.sources.get(range.file as usize).filter(|_| !self.is_full());
        source.map_or_else(Span::default, |it| it.lines.span(&it.name, &it.text, range.bytes()))
    }

    /// Returns the number of the line in which `range` begins, counted from 0.
    pub(crate) fn line_of(&self, range: FileRange) -> usize {
        self.sources.get(range.file as usize).map_or(0, |source| source.lines.line_of(range.start()))
    }

    /// Returns whether a problem or one of its notes refers to the file.
    fn is_mentioned(&self, source: &Source) -> bool {
        let spans = |p: &Diagnostic| {
            std::iter::once(&p.span).chain(p.notes.iter().map(|n| &n.span)).any(|s| s.file == source.name)
        };
        self.list.iter().any(spans)
    }
}

/// The maximum length of a line to show, in bytes.
const MAX_LINE_LENGTH: usize = 1000;

impl Source {
    /// Returns line `line`, counted from 1, for display; `None` if it is too long or does not
    /// exist.
    pub fn line(&self, line: u32) -> Option<Cow<'_, str>> {
        let (bytes, _) = self.lines.line_range(line.checked_sub(1)? as usize);
        let text = self.text.get(bytes)?;
        (text.len() <= MAX_LINE_LENGTH).then(|| visible(text.trim_end_matches(['\r', '\n'])))
    }

    /// Returns the range of `span` in the text, counted in characters; `None` if its line is too
    /// long to be shown.
    fn characters(&self, span: &Span) -> Option<Range<usize>> {
        let (bytes, n_before) = self.lines.line_range(span.line.saturating_sub(1) as usize);
        let is_short = bytes.end.min(self.text.len()) - bytes.start <= MAX_LINE_LENGTH;
        let first = n_before + (span.column as usize).saturating_sub(1);
        is_short.then_some(first..first + span.length as usize)
    }
}

/// Returns a number with separators, such as `39,900`.
fn group_digits(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes one line for each problem.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.iter().try_for_each(|p| writeln!(f, "{p}"))
    }
}

/// Returns a path for display: with slashes, with hidden characters made visible, and relative to
/// the current folder if it lies below that folder.
pub fn display_path(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let short = path.strip_prefix(&current).unwrap_or(path);
    let short = short.strip_prefix(".").unwrap_or(short);
    visible(&short.to_string_lossy()).replace('\\', "/")
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
    fn very_many_problems_are_counted_and_not_told() {
        let mut problems = Problems::default();
        let file = problems.add_source(Path::new("x.toml"), "x\n".repeat(40_000));
        for i in 0..40_000 {
            let noted = problems.error(file.range(2 * i..2 * i + 1), "wrong");
            noted.help("right").note(Note::new(Span::default(), "here"));
        }
        problems.warning(file.range(0..1), "doubtful");
        problems.sort();
        assert_eq!(problems.list().len(), MAX_PROBLEMS + 1);
        assert_eq!(problems.list()[MAX_PROBLEMS].to_string(), "error: and 39,801 more");
        assert_eq!((problems.n_errors(), problems.n_warnings(), problems.n_unlisted()), (40_000, 1, 39_801));
        assert!(problems.render(false).ends_with("error: and 39,801 more\n"));
    }

    #[test]
    fn nothing_hidden_is_drawn() {
        let mut problems = Problems::default();
        let file = problems
            .add_source(Path::new("x\u{1b}.toml"), "é = \"\u{1b}[2J\u{202e}\" oops\u{b}\nzwei = 2\n".to_owned());
        problems.error(file.range(5..12), "`\u{1b}]0;x\u{7}` is no name").help("a\nb");
        let (line, drawn) = (problems.to_string(), problems.render(false));
        assert_eq!(line, "x\u{fffd}.toml:1:5: error: `\u{fffd}]0;x\u{fffd}` is no name (a\u{fffd}b)\n");
        assert!(drawn.contains("é = \"\u{fffd}[2J\u{fffd}\" oops"), "{drawn}");
        assert!(!drawn.contains(|c| diagnostic::is_hidden(c) && c != '\n'), "{drawn:?}");
    }

    #[test]
    fn a_line_as_long_as_a_file_is_not_drawn() {
        let mut problems = Problems::default();
        let file = problems.add_source(Path::new("x.toml"), "x".repeat(1_000_000));
        for i in 0..300 {
            problems.error(file.range(i..i + 1), "wrong");
        }
        problems.sort();
        assert!(problems.render(false).len() < 20_000);
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
            let at = |line, column| Failure {
                message: "no".to_owned(),
                file: "r.rhai".to_owned(),
                line,
                column,
                is_panic: false,
            };
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
