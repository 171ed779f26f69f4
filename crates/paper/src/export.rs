//! Exports for other programs and for print services: images with a list of their numbers, one
//! sheet, or a save of Tabletop Simulator.

use std::collections::BTreeMap;

use art::kurbo::{Affine, Vec2};
use art::{Picture, PictureError};
use loader::Loaded;

use crate::content::{self, BackText};
use crate::copies::{Copies, ItemKind, pixels_of};
use crate::source::{ChoiceError, PrintSource};
use crate::{PieceForm, tabletop};

/// The number of columns of a sheet, which programs that cut sheets into cards also use.
const COLUMNS: usize = 10;

/// The form of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportForm {
    /// An image for each face and each back.
    Images,
    /// One image with all faces in a grid, and one with all backs.
    Sheet,
    /// A saved game of Tabletop Simulator, with an image for each face and each back.
    TabletopSimulator {
        /// The address of the folder with the images, without a slash at the end.
        images_at: String,
        /// The name of the saved game.
        name: String,
    },
}

/// The choices for an export.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportOptions {
    /// Settings and counts other than the defaults, such as `base/K` and `5`.
    pub settings: Vec<(String, String)>,
    /// The width of a tile in millimetres.
    pub tile: f64,
    /// The bleed around each image, in millimetres; Tabletop Simulator and sheets have none.
    pub bleed: f64,
    /// The number of pixels in an inch.
    pub dpi: f64,
    /// The number of players for whom to export pieces, tokens and piles; with 0, none of these are
    /// exported.
    pub n_players: usize,
    /// The palette; `None` for the palette that the mods suggest.
    pub palette: Option<String>,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions { settings: Vec::new(), tile: 45.0, bleed: 0.0, dpi: 300.0, n_players: 0, palette: None }
    }
}

/// A file of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedFile {
    /// The name of the file, in ASCII letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The reason why an export cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExportError {
    /// A setting or the palette is not valid.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// There is nothing to export.
    #[error("these mods have no tiles, cards or pieces to export")]
    Nothing,
    /// An image cannot be drawn.
    #[error("the image of {0} cannot be drawn: {1}")]
    Image(String, PictureError),
}

/// Makes an export of the mods `ids`. The file `items.csv` of images and sheets lists each item
/// with its number of copies.
///
/// # Errors
/// Returns an error if a setting or the palette is not valid, if there is nothing to export, or if
/// an image cannot be drawn.
pub fn export(
    loaded: &Loaded,
    ids: &[String],
    form: &ExportForm,
    options: &ExportOptions,
) -> Result<Vec<ExportedFile>, ExportError> {
    let source = PrintSource::new(loaded, ids, &options.settings, options.palette.as_deref(), options.n_players);
    let source = source?;
    let all = all_copies(&source, options.n_players);
    if all.is_empty() {
        return Err(ExportError::Nothing);
    }
    match form {
        ExportForm::Images => {
            let mut files = images(&all, options)?;
            let rows = all.iter().map(|it| [it.face_file.clone(), it.back_file.clone()]);
            files.push(items_csv(&all, ["face", "back"], rows));
            Ok(files)
        }
        ExportForm::Sheet => sheets(&all, options),
        ExportForm::TabletopSimulator { images_at, name } => {
            let flat = ExportOptions { bleed: 0.0, ..options.clone() };
            let mut files = images(&all, &flat)?;
            let track = (options.n_players > 0).then(|| tabletop::ScoreTrack::new(&source, options.tile));
            if let Some(track) = &track {
                files.push(png("track.png", &track.picture, track.width_in_pixels(options.dpi))?);
            }
            let save = tabletop::save_json(&all, track.as_ref(), name, images_at, options.tile);
            files.push(ExportedFile { name: format!("{}.json", file_name_part(name)), bytes: save.into_bytes() });
            Ok(files)
        }
    }
}

/// Returns the items of the mods with their numbers of copies: tiles, then cards, then discs.
fn all_copies(source: &PrintSource<'_>, n_players: usize) -> Vec<Copies> {
    let mut all: Vec<Copies> = Vec::new();
    let groups = [
        (ItemKind::Tile, content::tiles(source, BackText::Deck)),
        (ItemKind::Card, content::cards(source)),
        (ItemKind::Disc, content::discs(source, n_players, PieceForm::Discs)),
    ];
    for (kind, items) in groups {
        for item in items {
            match all.last_mut() {
                Some(last) if last.kind == kind && last.item == item => last.n += 1,
                _ => {
                    // The number keeps the names apart if two names become the same file name.
                    let stem = format!("{:03}-{}-{}", all.len() + 1, kind.name(), file_name_part(&item.name));
                    let names = [format!("{stem}.png"), format!("{stem}-back.png")];
                    let [face_file, back_file] = names;
                    all.push(Copies { kind, item, n: 1, face_file, back_file });
                }
            }
        }
    }
    share_backs(&mut all);
    all
}

/// Gives items with the same back the same image file for the back.
fn share_backs(all: &mut [Copies]) {
    let mut known: Vec<(Picture, String)> = Vec::new();
    for copies in all {
        match known.iter().find(|(picture, _)| *picture == copies.item.back) {
            Some((_, file)) => copies.back_file.clone_from(file),
            None => known.push((copies.item.back.clone(), copies.back_file.clone())),
        }
    }
}

/// Returns a name as a part of a file name: every character except ASCII letters, digits, `-` and
/// `_` becomes `-`, and the length is at most 60.
pub(crate) fn file_name_part(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    name.chars().take(60).map(safe).collect()
}

fn images(all: &[Copies], options: &ExportOptions) -> Result<Vec<ExportedFile>, ExportError> {
    let mut files: BTreeMap<&str, ExportedFile> = BTreeMap::new();
    for copies in all {
        let width = copies.kind.width(options.tile);
        let bleed = options.bleed / width;
        let pixels = pixels_of(width + 2.0 * options.bleed, options.dpi);
        for (name, picture) in [(&copies.face_file, &copies.item.face), (&copies.back_file, &copies.item.back)] {
            if !files.contains_key(name.as_str()) {
                files.insert(name, png(name, &with_bleed(picture, bleed), pixels)?);
            }
        }
    }
    Ok(files.into_values().collect())
}

/// Returns the picture with a border of `bleed` units on each side. The border is the visible rim
/// of an enlarged copy of the picture, which lies below the picture.
fn with_bleed(picture: &Picture, bleed: f64) -> Picture {
    let [width, height] = picture.size();
    let mut whole = Picture::new(width + 2.0 * bleed, height + 2.0 * bleed);
    if bleed > 0.0 {
        let [w, h] = whole.size();
        whole.put(picture, Affine::scale_non_uniform(w / width, h / height));
    }
    whole.put_clipped(picture, Vec2::new(bleed, bleed));
    whole
}

fn png(name: &str, picture: &Picture, width: u32) -> Result<ExportedFile, ExportError> {
    let bytes = picture.to_pixels(width).and_then(art::Pixels::to_png);
    let bytes = bytes.map_err(|error| ExportError::Image(name.to_owned(), error))?;
    Ok(ExportedFile { name: name.to_owned(), bytes })
}

/// Makes a sheet of faces and a sheet of backs for each kind of item.
fn sheets(all: &[Copies], options: &ExportOptions) -> Result<Vec<ExportedFile>, ExportError> {
    let mut files = Vec::new();
    let mut places = Vec::new();
    for kind in [ItemKind::Tile, ItemKind::Card, ItemKind::Disc] {
        let of_kind: Vec<&Copies> = all.iter().filter(|copies| copies.kind == kind).collect();
        let Some(first) = of_kind.first() else { continue };
        let [width, height] = first.item.face.size();
        let columns = of_kind.len().min(COLUMNS);
        let rows = of_kind.len().div_ceil(COLUMNS);
        for (side, is_back) in [("faces", false), ("backs", true)] {
            let mut sheet = Picture::new(width * columns as f64, height * rows as f64);
            for (i, copies) in of_kind.iter().enumerate() {
                let picture = if is_back { &copies.item.back } else { &copies.item.face };
                let at = Vec2::new((i % COLUMNS) as f64 * width, (i / COLUMNS) as f64 * height);
                sheet.put_clipped(picture, at);
            }
            let pixels = pixels_of(kind.width(options.tile), options.dpi) * columns as u32;
            files.push(png(&format!("{}-{side}.png", kind.name()), &sheet, pixels)?);
        }
        places.extend((0..of_kind.len()).map(|i| [(i / COLUMNS + 1).to_string(), (i % COLUMNS + 1).to_string()]));
    }
    files.push(items_csv(all, ["row", "column"], places.into_iter()));
    Ok(files)
}

/// Makes the list of items as CSV: kind, group, name and number of copies, followed by two columns.
/// `more` contains the headings of these columns, and `rows` their values for each item.
fn items_csv(all: &[Copies], more: [&str; 2], rows: impl Iterator<Item = [String; 2]>) -> ExportedFile {
    let [first, second] = more;
    let mut text = format!("kind,group,name,copies,{first},{second}\n");
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for (copies, [first, second]) in all.iter().zip(rows) {
        let Copies { kind, item, n, .. } = copies;
        let (group, name) = (quoted(&item.group), quoted(&item.name));
        text.push_str(&format!("{},{group},{name},{n},{first},{second}\n", kind.name()));
    }
    ExportedFile { name: "items.csv".to_owned(), bytes: text.into_bytes() }
}
