//! Pages of Markdown.

use egui::{Grid, Label, RichText, Ui};
use table::ModOnDisk;

/// Draws a mod's README, or a note that the mod has none.
pub fn about_mod(ui: &mut Ui, row: &ModOnDisk) {
    match &row.readme {
        Some(text) => page(ui, text),
        None => {
            ui.weak("This mod has no README.md that explains its rules.");
        }
    }
}

/// Draws a page of Markdown. Supports only the elements that READMEs of mods use: headings, lists,
/// code, tables and paragraphs.
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
            ui.label(plain(&std::mem::take(&mut paragraph)));
        }
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            ui.label(RichText::new(line).monospace().size(12.0));
        } else if let Some(heading) = line.strip_prefix('#') {
            ui.label(RichText::new(plain(heading.trim_start_matches('#').trim())).strong().size(15.0));
        } else if !is_row && !line.trim().is_empty() {
            paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
            paragraph.push_str(line.trim());
        }
    }
}

/// Draws a table. Skips its second row, which separates the head from the body.
fn table(ui: &mut Ui, number: usize, rows: &[&str]) {
    let cells =
        |row: &str| -> Vec<String> { row.trim().trim_matches('|').split('|').map(|it| plain(it.trim())).collect() };
    // Wide columns wrap, to leave room for the other columns.
    let width = ui.available_width();
    Grid::new(("table", number)).striped(true).max_col_width(width * 0.6).show(ui, |ui| {
        for (i, row) in rows.iter().enumerate().filter(|(i, _)| *i != 1) {
            for cell in cells(row) {
                ui.add(Label::new(if i == 0 { RichText::new(cell).strong() } else { RichText::new(cell) }).wrap());
            }
            ui.end_row();
        }
    });
}

fn plain(words: &str) -> String {
    words.replace(['`', '*'], "")
}
