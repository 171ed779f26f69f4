//! `bastide tiles --svg` and `--png`: draws the tiles of mods as pictures.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use art::{Detail, Painter, SheetEntry, TileVariant};
use board::Facing;
use indicatif::{ProgressBar, ProgressStyle};
use loader::Loaded;
use table::json::deck_counts;

use crate::context::{
    CliError, CommandOutcome, CommandResult, Context, counted, problem, usage, write_error, write_file,
};
use crate::value_error::output_file;

/// The options for pictures of tiles.
#[derive(clap::Args)]
pub struct PictureArgs {
    /// Draw each tile to an SVG file in DIR
    #[arg(long, value_name = "DIR", help_heading = "Pictures")]
    svg: Option<PathBuf>,
    /// Draw all tiles on one PNG sheet
    #[arg(long, value_name = "FILE", value_parser = output_file("png"), help_heading = "Pictures")]
    png: Option<PathBuf>,
    /// Palette to draw with [default: the one the mods suggest]
    #[arg(long, value_name = "NAME", help_heading = "Pictures")]
    pub palette: Option<String>,
    /// Width of a tile in pixels
    #[arg(long, value_name = "PX", default_value_t = 192, value_parser = clap::value_parser!(u32).range(16..=2048), help_heading = "Pictures")]
    size: u32,
}

impl PictureArgs {
    /// Returns whether the user wants pictures in place of a list.
    pub fn draws(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }
}

/// Draws the tiles of the mods `ids`.
pub fn draw(context: &mut Context, ids: &[String], args: &PictureArgs) -> CommandResult {
    let mut loaded: Vec<(&String, Arc<Loaded>)> = Vec::new();
    let mut is_fine = true;
    for id in ids {
        // Skips a mod that cannot be loaded. `load` has printed its problems.
        match context.load(std::slice::from_ref(id)) {
            Ok(mods) => loaded.push((id, mods)),
            Err(_) => is_fine = false,
        }
    }
    let mut painters = Vec::new();
    for (id, mods) in &loaded {
        painters.push((*id, mods, painter(mods, args.palette.as_deref())?));
    }
    let n_tiles: usize = painters.iter().map(|(id, mods, _)| mods.catalogue().own_tiles(id).len()).sum();
    if n_tiles == 0 {
        return if is_fine {
            Err(problem("these mods have no tiles of their own"))
        } else {
            Err(CliError::AlreadyPrinted)
        };
    }
    let n_files = u64::from(args.svg.is_some()) + u64::from(args.png.is_some());
    let progress = ProgressBar::new(n_tiles as u64 * n_files);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tiles");
    progress.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    if let Some(folder) = &args.svg {
        fs::create_dir_all(folder).map_err(|e| write_error(folder, &e))?;
        for (id, mods, painter) in &painters {
            for tile in mods.catalogue().own_tiles(id) {
                let name = &mods.catalogue().tile_set.tile(tile).name;
                let file = folder.join(format!("{}.svg", tile_file_name(name)));
                let svg = painter
                    .tile(tile, Facing::default(), TileVariant::default(), Detail::for_width(args.size))
                    .to_svg(args.size);
                write_file(&file, svg)?;
                progress.inc(1);
            }
        }
    }
    if let Some(file) = &args.png {
        let cannot = |error: art::PictureError| problem(format!("the sheet cannot be drawn: {error}"));
        let mut sheets = Vec::new();
        for (id, mods, painter) in &painters {
            let entries: Vec<SheetEntry> = mods
                .catalogue()
                .own_tiles(id)
                .into_iter()
                .map(|tile| SheetEntry {
                    tile,
                    name: mods.catalogue().tile_set.tile(tile).name.clone(),
                    note: deck_counts(mods.catalogue(), tile).iter().map(|(_, n)| format!("*{n}")).collect(),
                })
                .collect();
            // A mod without tiles of its own gets no sheet.
            if !entries.is_empty() {
                let sheet = painter.contact_sheet(&entries, args.size, 6, |_| progress.inc(1));
                sheets.push(sheet.map_err(cannot)?);
            }
        }
        let png = art::Pixels::stack_vertically(&sheets).and_then(art::Pixels::to_png).map_err(cannot)?;
        write_file(file, png)?;
    }
    progress.finish_and_clear();
    let wanted = args.svg.iter().map(|d| format!("{} in {}", counted(n_tiles, "file"), d.display()));
    let wanted: Vec<String> =
        wanted.chain(args.png.iter().map(|f| format!("{} in {}", counted(n_tiles, "tile"), f.display()))).collect();
    context.terminal.print_message(&format!("wrote {}\n", wanted.join(", ")));
    Ok(CommandOutcome::fine_if(is_fine))
}

/// Returns a painter for the palette that the user named, or else for the palette that the mods
/// suggest.
fn painter(mods: &Loaded, palette: Option<&str>) -> Result<Painter, CliError> {
    let theme = mods.theme();
    let palette = palette.unwrap_or_else(|| theme.suggested_palette());
    let known: Vec<String> = theme.palettes().into_iter().map(|(name, _)| name).collect();
    if !known.iter().any(|name| name == palette) {
        let help = format!("the palettes are {}", known.join(", "));
        return Err(usage(format!("there is no palette `{palette}`")).with_help(help));
    }
    Ok(Painter::new(&mods.catalogue().tile_set, theme, palette))
}

/// Returns the name of a tile as a file name: `base/K` becomes `base-K`.
fn tile_file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect()
}
