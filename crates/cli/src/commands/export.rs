//! `bastide export`: makes images of tiles and pieces for other programs and print services.

use std::path::PathBuf;

use clap::ValueEnum;
use paper::{ExportForm, ExportOptions};
use platform::fs;

use super::print::millimetres;
use crate::context::{CommandOutcome, CommandResult, Context, counted, parse_setting, problem, usage};

/// Make images of the tiles, cards and pieces of mods, for other programs and print services
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide export ferries                                  a PNG for each tile, and a list of counts
  bastide export base --bleed 3.2 --dpi 300               with bleed, for a print service
  bastide export base --to sheet                          all faces in one PNG, all backs in another
  bastide export base ferries --to tabletop --players 4   a saved game of Tabletop Simulator

Tabletop Simulator: copy the .json file to its folder `Saves`, and open it with Games, Save & Load.
The images stay where they are. Other players see them only if you upload them, either with the
program's Cloud Manager or to a web server that you name with --images-at.")]
pub struct Args {
    /// Mods, by id or folder
    #[arg(value_name = "MOD", required = true)]
    named: Vec<String>,
    /// Form of the export
    #[arg(long, value_enum, default_value_t = ExportTarget::Images)]
    to: ExportTarget,
    /// Folder to write to [default: ID-export, with the id of the first mod]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Width of a tile in millimetres
    #[arg(long, value_name = "MM", default_value_t = 45.0, value_parser = millimetres::<10, 200>)]
    tile: f64,
    /// Bleed around each image in millimetres; only for images
    #[arg(long, value_name = "MM", default_value_t = 0.0, value_parser = millimetres::<0, 10>)]
    bleed: f64,
    /// Pixels in an inch
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u16).range(20..=1200))]
    dpi: u16,
    /// Also make pieces and tokens for N players, and for Tabletop Simulator the score track
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    players: u8,
    /// Change a setting of a mod, or a count; may be repeated
    ///
    /// A count sets the copies of a tile or card (base/K=5), the copies of every tile and card of a
    /// mod (river/*=2), or the pieces of each player (follower=8).
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Palette to draw with, such as `winter`
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
    /// Address of the folder with the uploaded images [default: the folder on this computer]
    #[arg(long, value_name = "URL")]
    images_at: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ExportTarget {
    /// A PNG for each face and each back
    Images,
    /// One PNG with all faces in rows of ten, and one with all backs
    Sheet,
    /// A saved game of Tabletop Simulator with its images
    #[value(alias = "tabletop-simulator")]
    Tabletop,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let ids = context.resolve_mods(&args.named);
    let loaded = context.load(&ids)?;
    loaded.settings_from(&args.settings).map_err(usage)?;
    let default = || PathBuf::from(format!("{}-export", ids.first().map_or("mods", String::as_str)));
    let out = args.out.clone().unwrap_or_else(default);
    let cannot_write = |error: std::io::Error| {
        let message = format!("cannot write to {}: {error}", out.display());
        problem(message).with_help("name another folder with --out")
    };
    fs::create_dir_all(&out).map_err(cannot_write)?;
    let form = match args.to {
        ExportTarget::Images => ExportForm::Images,
        ExportTarget::Sheet => ExportForm::Sheet,
        ExportTarget::Tabletop => {
            let here = || Ok(format!("file:///{}", slash_path(&fs::canonicalize(&out)?)));
            let images_at = args.images_at.clone().map_or_else(here, Ok).map_err(cannot_write)?;
            ExportForm::TabletopSimulator { images_at: images_at.trim_end_matches('/').to_owned(), name: ids.join("-") }
        }
    };
    let options = ExportOptions {
        settings: args.settings.clone(),
        tile: args.tile,
        bleed: args.bleed,
        dpi: args.dpi.into(),
        n_players: args.players.into(),
        palette: args.palette.clone(),
    };
    let files = paper::export(&loaded, &ids, &form, &options).map_err(problem)?;
    for file in &files {
        fs::write_output(&out.join(&file.name), &file.bytes).map_err(cannot_write)?;
    }
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    let n_files = counted(files.len(), "file");
    let text = format!("wrote {n_files} to {} ({} kB)\n", out.display(), size.div_ceil(1000));
    context.terminal.print_message(&text);
    Ok(CommandOutcome::Fine)
}

/// Returns a path with slashes and without a slash at the beginning.
fn slash_path(path: &std::path::Path) -> String {
    path.display().to_string().replace('\\', "/").trim_start_matches("//?/").trim_start_matches('/').to_owned()
}
