//! `bastide print`: makes sheets of tiles and pieces to print and cut.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use loader::Loaded;
use paper::{BackPlacement, Paper, PieceForm, PrintOptions, Progress, Sheets};

use crate::context::{
    CliError, CommandOutcome, CommandResult, Context, parse_setting, plural, problem, usage, write_out,
};
use crate::earlier::EarlierMods;
use crate::value_error::{ValueError, output_file};

/// Make a PDF with the tiles, cards and pieces of mods, to print and cut
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide print ferries                          write ferries.pdf: 8 tiles with backs
  bastide print base ferries --paper letter      print two mods on US paper
  bastide print base --backs fold --players 4    backs to fold, and pieces for four players
  bastide print river --set 'river/*=2'          print two copies of each tile
  bastide print my-mod --since ../old/my-mod     print only tiles that are new or look different
  bastide print my-mod --since v1.2              compare with the tag v1.2 of the mod's repository

Print the PDF at its actual size (100%). For `--backs duplex`, let the printer turn the paper along
its long edge. The small letters on a back name the mod, the tile and its deck, to help you sort the
tiles. Fold stand-ups along the dashed lines, glue the two pictures back to back, and bend the feet
outwards.")]
pub struct Args {
    /// Mods, by id or folder
    #[arg(value_name = "MOD", required = true)]
    named: Vec<String>,
    /// File to write [default: ID.pdf, with the id of the first mod]
    #[arg(long, value_name = "FILE", value_parser = output_file("pdf"))]
    out: Option<PathBuf>,
    /// Size of the paper
    #[arg(long, value_enum, default_value_t = PaperSize::A4)]
    paper: PaperSize,
    /// Width of a tile in millimetres
    #[arg(long, value_name = "MM", default_value_t = 45.0, value_parser = millimetres::<10, 200>)]
    tile: f64,
    /// Bleed around each tile in millimetres
    #[arg(long, value_name = "MM", default_value_t = 1.5, value_parser = millimetres::<0, 10>)]
    bleed: f64,
    /// Backs: on the next page, on the same page to fold, or none
    #[arg(long, value_enum, default_value_t = BackSide::Duplex)]
    backs: BackSide,
    /// Also print pieces, tokens, the score track and a reference card for N players
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    players: u8,
    /// Form of the pieces
    #[arg(long, value_enum, default_value_t = PieceShape::Discs)]
    pieces: PieceShape,
    /// Change a setting of a mod, or a count; may be repeated
    ///
    /// A count sets the copies of a tile or card (base/K=5), the copies of every tile and card of a
    /// mod (river/*=2), or the pieces of each player (follower=8).
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Use light colours, which need less ink
    #[arg(long)]
    save_ink: bool,
    /// Palette to draw with, such as `winter`
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
    /// Print only tiles that are new or changed since an earlier version
    ///
    /// OLD is the folder or the archive of an earlier version of a mod, or a commit or tag of the
    /// git repository that contains the mod. Bastide stores no earlier versions itself, so a
    /// version number is no OLD unless a tag has that name.
    #[arg(long, value_name = "OLD")]
    since: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaperSize {
    /// 210 × 297 mm
    A4,
    /// 8.5 × 11 inches
    Letter,
}

impl From<PaperSize> for Paper {
    fn from(size: PaperSize) -> Paper {
        match size {
            PaperSize::A4 => Paper::A4,
            PaperSize::Letter => Paper::Letter,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum BackSide {
    /// On the next page, mirrored, for printing on both sides
    Duplex,
    /// In the lower half of the page, to fold and glue
    Fold,
    /// No backs
    None,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum PieceShape {
    /// Discs, to lay on the tiles
    Discs,
    /// Standing figures, to fold and glue
    StandUps,
}

/// Parses a length from `LEAST` to `MOST` millimetres.
pub fn millimetres<const LEAST: u8, const MOST: u8>(text: &str) -> Result<f64, ValueError> {
    let range = f64::from(LEAST)..=f64::from(MOST);
    let length = text.parse().ok().filter(|length| range.contains(length));
    length.ok_or(ValueError::OutOfRange { of: " of millimetres", least: LEAST.into(), most: MOST.into() })
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let ids = context.resolve_mods(&args.named);
    let loaded = context.load(&ids)?;
    loaded.settings_from(&args.settings).map_err(usage)?;
    let options = PrintOptions {
        settings: args.settings.clone(),
        paper: args.paper.into(),
        tile: args.tile,
        bleed: args.bleed,
        backs: match args.backs {
            BackSide::Duplex => BackPlacement::Duplex,
            BackSide::Fold => BackPlacement::Fold,
            BackSide::None => BackPlacement::None,
        },
        n_players: args.players.into(),
        pieces: match args.pieces {
            PieceShape::Discs => PieceForm::Discs,
            PieceShape::StandUps => PieceForm::StandUps,
        },
        saves_ink: args.save_ink,
        palette: args.palette.clone(),
    };
    let sheets = match &args.since {
        Some(old) => sheets_of_changes(context, old, &ids, &loaded, &options)?,
        None => paper::print(&loaded, &ids, &options).map_err(problem)?,
    };
    let pdf = sheets.pdf(&mut Progress::default()).map_err(problem)?;
    let default = || PathBuf::from(ids.first().map_or("tiles", String::as_str)).with_extension("pdf");
    let out = args.out.clone().unwrap_or_else(default);
    write_out(&out, &pdf)?;
    let (n_tiles, n_pages, size) = (sheets.n_tiles(), sheets.n_pages(), pdf.len().div_ceil(1000));
    let others = match sheets.n_others() {
        0 => String::new(),
        1 => ", 1 card or piece".to_owned(),
        n => format!(", {n} cards and pieces"),
    };
    let tiles = format!("{n_tiles} tile{}", plural(n_tiles));
    let text = format!("wrote {} ({tiles}{others}; pages: {n_pages}; {size} kB)\n", out.display());
    context.terminal.print_message(&text);
    Ok(CommandOutcome::Fine)
}

/// Makes sheets of the tiles that differ from the earlier version of the mods at `old`.
fn sheets_of_changes(
    context: &Context,
    old: &Path,
    ids: &[String],
    loaded: &Loaded,
    options: &PrintOptions,
) -> Result<Sheets, CliError> {
    let earlier = EarlierMods::find(context, old, ids)?;
    let (before, problems) = earlier.library.clone().with_icon_check(art::check_icon).load(ids);
    match before {
        Some(before) => paper::print_since(loaded, ids, &before, options).map_err(problem),
        None => {
            context.terminal.print_message(&problems.render(context.terminal.colour_of_messages));
            Err(CliError::AlreadyPrinted)
        }
    }
}
