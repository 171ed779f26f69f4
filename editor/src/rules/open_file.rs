//! A file that is open in the rule editor: its text, colours and problems, and the place to scroll
//! to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::text::{CCursor, CCursorRange, LayoutJob, LayoutSection, TextFormat};
use egui::text_edit::TextEditState;
use egui::{Color32, Context, FontId, Id, Visuals};
use table::{Diagnostic, Revision, Snapshot};
use workshop::Vocabulary;
use workshop::document::{Document, EditContext};
use workshop::rule_text::{Language, SpanKind, TextSpan, hook_filters, spans};

use super::completion::CompletionList;
use super::find::SearchBar;
use super::marks::{ProblemMark, move_marks};

/// The time from the last change of the text until the editor stores it as a draft.
const DRAFT_DELAY: Duration = Duration::from_millis(500);
/// The longest interval between stored drafts while the user keeps typing.
const MAX_DRAFT_INTERVAL: Duration = Duration::from_secs(2);

/// An open file.
pub struct OpenFile {
    /// The file and its text.
    pub document: Document,
    /// True if the file belongs to a bundled mod that is read-only.
    pub is_locked: bool,
    /// The id of the widget that shows the text.
    pub id: Id,
    /// The problems of the text.
    pub marks: Vec<ProblemMark>,
    /// True if the current text was sent to the checker.
    pub is_checked: bool,
    /// The revision of the mods when the text was last sent to the checker.
    pub checked_with: Option<Revision>,
    /// The filters that the manifest sets for functions, for display: the name of each filtered
    /// function, and the description of its filter.
    pub filters: Vec<(String, String)>,
    /// The names that the script may use; empty before the first check.
    pub vocabulary: Vocabulary,
    /// The time of the last change of the text, since the start of the program.
    pub changed_at: Duration,
    /// True if the text gets the focus in the next frame.
    pub takes_focus: bool,
    /// The byte to which the cursor moves in the next frame; `None` if the cursor stays.
    pub goes_to: Option<usize>,
    /// The byte to which the text scrolls in the next frame; `None` if it does not scroll.
    pub shows: Option<usize>,
    /// True if a command changed the text. The text then scrolls in this frame, if the cursor has
    /// left the visible part.
    pub follows_cursor: bool,
    /// The completion list, if it is open.
    pub offered: Option<CompletionList>,
    /// True if the user has requested the completion list since the last frame.
    pub asks_words: bool,
    /// The search, if it is open.
    pub find: Option<SearchBar>,
    /// The text of the stored draft, if any.
    kept: Option<String>,
    kept_at: Duration,
    painted: Option<HighlightedText>,
}

/// The coloured layout of a text, cached.
struct HighlightedText {
    is_dark: bool,
    spans: Vec<TextSpan>,
    job: LayoutJob,
}

impl OpenFile {
    /// Opens a text that was read from its file.
    pub fn new(document: Document) -> OpenFile {
        OpenFile {
            id: Id::unique(("rules", document.path())),
            is_locked: false,
            marks: Vec::new(),
            is_checked: false,
            checked_with: None,
            filters: Vec::new(),
            vocabulary: Vocabulary::default(),
            changed_at: Duration::ZERO,
            takes_focus: true,
            goes_to: None,
            shows: None,
            follows_cursor: false,
            offered: None,
            asks_words: false,
            find: None,
            kept: None,
            kept_at: Duration::ZERO,
            painted: None,
            document,
        }
    }

    /// Returns the language of the file.
    pub fn language(&self) -> Language {
        Language::from_path(self.document.path())
    }

    /// Returns the id of the file's mod, which is also the name of the mod's folder.
    pub fn mod_id(&self) -> String {
        self.document.folder().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Returns the path and the text of the file if the text has unsaved changes.
    pub fn unsaved(&self) -> Option<(PathBuf, Arc<str>)> {
        let document = &self.document;
        document.is_changed().then(|| (document.path().to_owned(), Arc::from(document.text())))
    }

    /// Opens a text that was stored as a draft.
    pub fn from_draft(document: Document) -> OpenFile {
        OpenFile { kept: Some(document.text().to_owned()), ..OpenFile::new(document) }
    }

    /// Returns the time at which the editor must store or delete the draft: soon after a change,
    /// regularly while the user types, and immediately after saving. Returns `None` if the stored
    /// draft is up to date.
    pub fn draft_due_at(&self) -> Option<Duration> {
        let is_changed = self.document.is_changed();
        match &self.kept {
            Some(_) if !is_changed => Some(Duration::ZERO),
            None if !is_changed => None,
            Some(kept) if kept == self.document.text() => None,
            _ => Some((self.changed_at + DRAFT_DELAY).min(self.kept_at + MAX_DRAFT_INTERVAL)),
        }
    }

    /// Notes that the draft of the current text was stored or, if the text has no unsaved changes,
    /// deleted.
    pub fn note_draft_stored(&mut self, now: Duration) {
        self.kept = self.document.is_changed().then(|| self.document.text().to_owned());
        self.kept_at = now;
    }

    /// Notes that no draft is stored.
    pub fn note_no_draft(&mut self) {
        self.kept = None;
    }

    /// Sets the new path of the file after the user has renamed it.
    pub fn set_path(&mut self, path: &Path) {
        self.document.set_path(path);
        self.id = Id::unique(("rules", path));
        self.kept = None;
        self.is_checked = false;
    }

    /// Moves the cursor to the first character after the indentation of a line, counted from 1.
    pub fn go_to_line(&mut self, line: u32) {
        let text = self.document.text();
        let before = text.split_inclusive('\n').take((line as usize).saturating_sub(1)).map(str::len).sum::<usize>();
        let indent = text[before..].find(|c: char| c != ' ' && c != '\t').unwrap_or(0);
        self.goes_to = Some(before + indent);
        self.takes_focus = true;
    }

    /// Replaces the text, unless the file is read-only.
    pub fn edit(&mut self, text: String, edit: EditContext) {
        if text != self.document.text() && !self.is_locked {
            let before = self.document.text().to_owned();
            self.document.edit(text, edit);
            self.note_edit(&before, edit.at);
        }
    }

    /// Moves the problem marks after an edit, and requests a check and a draft of the new text.
    /// `before` is the text before the edit.
    pub fn note_edit(&mut self, before: &str, now: Duration) {
        move_marks(&mut self.marks, before, self.document.text());
        self.changed_at = now;
        self.is_checked = false;
    }

    /// Replaces the marks by the problems that a check found in this file. If the file has no
    /// unsaved changes, also adds the errors of its functions during play. Updates the filters.
    /// `unsaved` contains the texts of files with unsaved changes, as they were checked.
    pub fn set_problems(&mut self, problems: &[Diagnostic], unsaved: &BTreeMap<PathBuf, Arc<str>>, session: &Snapshot) {
        let text = self.document.text();
        let checked = unsaved.get(self.document.path()).map_or(self.document.base(), |text| text);
        let name = table::shown_path(self.document.path());
        let at_run_time = session.run_time_problems();
        let at_run_time =
            at_run_time.iter().map(|problem| &problem.diagnostic).filter(|_| text == self.document.base());
        let here = problems.iter().chain(at_run_time).filter(|problem| problem.span.file == name);
        let mut marks: Vec<ProblemMark> = here.map(|problem| ProblemMark::from_diagnostic(problem, checked)).collect();
        // The user may have typed since the check began, so moves the marks.
        move_marks(&mut marks, checked, text);
        self.marks = marks;
        let manifest = self.document.folder().join("mod.toml");
        let saved = || session.sources().iter().find(|source| source.path == manifest).map(|source| &source.text);
        let manifest = unsaved.get(&manifest).or_else(saved).filter(|_| self.language() == Language::Rhai);
        self.filters = manifest.map(|text| hook_filters(text)).unwrap_or_default();
    }

    /// Returns the byte offsets of the beginning and the end of the selection. The cursor is at the
    /// end. If nothing is selected, both offsets are equal. If the user selected backwards, the end
    /// is the smaller offset.
    pub fn cursor(&self, ctx: &Context) -> (usize, usize) {
        let range = TextEditState::load(ctx, self.id).and_then(|state| state.cursor.char_range());
        let byte = |cursor: CCursor| byte_of(self.document.text(), cursor.index.0);
        range.map_or((0, 0), |range| (byte(range.secondary), byte(range.primary)))
    }

    /// Selects the text from byte `from` to byte `to`, with the cursor at `to`.
    pub fn select(&self, ctx: &Context, from: usize, to: usize) {
        let mut state = TextEditState::load(ctx, self.id).unwrap_or_default();
        let cursor = |byte: usize| CCursor::new(char_of(self.document.text(), byte));
        state.cursor.set_char_range(Some(CCursorRange::two(cursor(from), cursor(to))));
        state.store(ctx, self.id);
    }

    /// Inserts the offered word with the index `chosen`, and closes the completion list. If
    /// `chosen` is `None`, inserts the selected word.
    pub fn insert_word(&mut self, ctx: &Context, chosen: Option<usize>, now: Duration) {
        let Some(offered) = self.offered.take() else { return };
        let Some(item) = offered.completion.items.get(chosen.unwrap_or(offered.selected)) else { return };
        let bytes = offered.completion.bytes;
        let mut text = self.document.text().to_owned();
        if text.get(bytes.clone()).is_some() {
            text.replace_range(bytes.clone(), &item.insert);
            let after = bytes.start + item.insert.len() - item.back;
            self.edit(text, EditContext { before: bytes.end, after, at: now, is_typing: false });
            self.select(ctx, after, after);
            self.shows = Some(after);
        }
    }

    /// Returns the coloured layout of `text`, and the spans of its colours. Both are cached.
    pub fn highlighted(&mut self, text: &str, visuals: &Visuals, font: &FontId) -> (&LayoutJob, &[TextSpan]) {
        let language = self.language();
        let is_dark = visuals.dark_mode;
        let is_known = |it: &HighlightedText| it.is_dark == is_dark && it.job.text == text;
        if !self.painted.as_ref().is_some_and(is_known) {
            self.painted = None;
        }
        let painted = self.painted.get_or_insert_with(|| {
            let spans = spans(language, text);
            let section = |span: &TextSpan| LayoutSection {
                leading_space: 0.0,
                byte_range: span.bytes.start.into()..span.bytes.end.into(),
                format: TextFormat::simple(font.clone(), colour(visuals, span.kind)),
            };
            let mut job = LayoutJob {
                text: text.to_owned(),
                sections: spans.iter().map(section).collect(),
                ..LayoutJob::default()
            };
            job.wrap.max_width = f32::INFINITY;
            job.keep_trailing_whitespace = true;
            HighlightedText { is_dark, spans, job }
        });
        (&painted.job, &painted.spans)
    }
}

/// Returns the byte at which character number `n` begins, counted from 0. Returns the length of the
/// text if it has no such character.
pub fn byte_of(text: &str, n: usize) -> usize {
    text.char_indices().nth(n).map_or(text.len(), |(byte, _)| byte)
}

/// Returns the index of the first character that begins at or after `byte`.
pub fn char_of(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(i, _)| *i < byte).count()
}

/// Returns the colour of a span of text.
fn colour(visuals: &Visuals, kind: SpanKind) -> Color32 {
    let [dark, light] = match kind {
        SpanKind::Plain => return visuals.override_text_color.unwrap_or(visuals.text_color()),
        SpanKind::Comment => [[138, 153, 128], [92, 110, 84]],
        SpanKind::Text => [[206, 160, 120], [156, 70, 20]],
        SpanKind::Value => [[176, 206, 160], [18, 105, 75]],
        SpanKind::Keyword => [[198, 146, 214], [134, 32, 140]],
        SpanKind::Definition | SpanKind::Heading => [[240, 214, 130], [120, 84, 0]],
        SpanKind::Known | SpanKind::Key => [[120, 184, 236], [0, 88, 156]],
        SpanKind::Call => [[222, 208, 158], [96, 78, 20]],
        SpanKind::Variable => [[130, 210, 205], [0, 104, 112]],
        SpanKind::Wrong => [[240, 110, 100], [190, 30, 20]],
    };
    let [r, g, b] = if visuals.dark_mode { dark } else { light };
    Color32::from_rgb(r, g, b)
}

/// Returns the number of the line that contains a byte, counted from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    text.as_bytes().iter().take(byte).filter(|b| **b == b'\n').count() + 1
}
