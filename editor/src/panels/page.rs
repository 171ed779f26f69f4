//! Draws pages of Markdown, such as READMEs of mods.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Grid, Label, RichText, TextStyle, Ui};

/// Draws a page of Markdown. Supports only the elements that the READMEs of mods use: headings,
/// lists, code, tables and paragraphs.
pub fn page(ui: &mut Ui, text: &str) {
    let mut is_code = false;
    let (mut paragraph, mut rows, mut n_tables) = (String::new(), Vec::new(), 0);
    for line in text.lines().chain([""]) {
        let is_row = !is_code && line.starts_with('|');
        if is_row {
            rows.push(line);
        } else if !rows.is_empty() {
            table(ui, n_tables, &std::mem::take(&mut rows));
            n_tables += 1;
        }
        let line_goes_on = !is_code && !is_row && !line.starts_with(['#', '`']) && !line.trim().is_empty();
        if !paragraph.is_empty() && (!line_goes_on || line.trim_start().starts_with("- ")) {
            let job = rich_text(ui, &std::mem::take(&mut paragraph));
            ui.label(job);
        }
        if let Some(form) = line.strip_prefix("```") {
            is_code = !is_code;
            if let Some(file) = file_of(form) {
                ui.label(RichText::new(file).weak().small());
            }
        } else if is_code {
            ui.label(RichText::new(line).monospace().size(12.0));
        } else if let Some(heading) = line.strip_prefix('#') {
            ui.label(RichText::new(plain_text(heading.trim_start_matches('#').trim())).strong().size(15.0));
        } else if !is_row && !line.trim().is_empty() {
            paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
            paragraph.push_str(line.trim());
        }
    }
}

/// Draws a table. Skips the second row, which separates the head from the body in Markdown. Columns
/// share the available width in proportion to their longest texts.
fn table(ui: &mut Ui, number: usize, rows: &[&str]) {
    let cells =
        |row: &str| -> Vec<String> { row.trim().trim_matches('|').split('|').map(|it| it.trim().to_owned()).collect() };
    let rows: Vec<Vec<String>> = rows.iter().enumerate().filter(|(i, _)| *i != 1).map(|(_, row)| cells(row)).collect();
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let longest =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|it| plain_text(it).chars().count()).max();
    let weights: Vec<f32> = (0..n_columns).map(|i| longest(i).unwrap_or_default().clamp(18, 40) as f32).collect();
    let spacing = ui.spacing().item_spacing.x;
    let room = ui.available_width() - spacing * n_columns as f32;
    let share = room / weights.iter().sum::<f32>().max(1.0);
    Grid::new(("table", number)).striped(true).spacing([spacing, 6.0]).show(ui, |ui| {
        for (i, row) in rows.iter().enumerate() {
            for (cell, weight) in row.iter().zip(&weights) {
                let label = if i == 0 {
                    Label::new(RichText::new(plain_text(cell)).strong())
                } else {
                    Label::new(rich_text(ui, cell))
                };
                ui.vertical(|ui| {
                    ui.set_max_width(share * weight);
                    ui.add(label.wrap());
                });
            }
            ui.end_row();
        }
    });
}

/// Returns a text in which the words between `**` are emphasized.
fn rich_text(ui: &Ui, words: &str) -> LayoutJob {
    let font = TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (i, part) in words.split("**").enumerate() {
        let colour = if i % 2 == 1 { ui.visuals().strong_text_color() } else { ui.visuals().text_color() };
        job.append(&plain_text(part), 0.0, TextFormat::simple(font.clone(), colour));
    }
    job
}

/// Returns a text in which the words between backticks are in the font of code.
pub fn text_with_code(text: &str, size: f32, colour: Color32) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (i, part) in text.split('`').enumerate() {
        let font = if i % 2 == 1 { FontId::monospace(size) } else { FontId::proportional(size) };
        job.append(part, 0.0, TextFormat::simple(font, colour));
    }
    job
}

/// Draws a text with words of code, in a weak colour if `is_weak` is true.
pub fn label_with_code(ui: &mut Ui, text: &str, is_weak: bool) {
    let size = TextStyle::Body.resolve(ui.style()).size;
    let colour = if is_weak { ui.visuals().weak_text_color() } else { ui.visuals().text_color() };
    ui.label(text_with_code(text, size, colour));
}

/// Returns the file of a mod to which a block of code belongs; `form` is the text after the three
/// backticks. Returns `None` for other forms.
fn file_of(form: &str) -> Option<&'static str> {
    Some(match form {
        "toml" | "toml mod" | "toml game" => "mod.toml",
        "toml tiles" => "tiles.toml",
        "toml theme" => "theme.toml",
        "rhai" => "rules.rhai",
        "game" => "a file in tests",
        "svg" => "a file in icons",
        _ => return None,
    })
}

/// Returns a text without the marks of Markdown. Of a link, only its text remains.
fn plain_text(words: &str) -> String {
    let words = words.replace(['`', '*'], "");
    let mut parts = words.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match (text.rfind('['), part.split_once(')')) {
            (Some(at), Some((_, after))) => {
                text.remove(at);
                text.push_str(after);
            }
            _ => {
                text.push_str("](");
                text.push_str(part);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_backticks_are_code() {
        let job = text_with_code("`piece_left` gets the reason.", 13.0, Color32::BLACK);
        assert_eq!(job.text, "piece_left gets the reason.");
        let fonts: Vec<FontId> = job.sections.iter().map(|section| section.format.font_id.clone()).collect();
        assert_eq!(fonts.last(), Some(&FontId::proportional(13.0)));
        assert!(fonts.contains(&FontId::monospace(13.0)));
    }

    #[test]
    fn of_links_only_the_text_remains() {
        assert_eq!(plain_text("Reference: [*Spots*](a.md#spots), [`x`](b.md)."), "Reference: Spots, x.");
        assert_eq!(plain_text("no link ](x)"), "no link ](x)");
    }
}
