//! `bastide print`: makes sheets of tiles and pieces to print and cut.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use diagnostic::Diagnostic;
use loader::Library;
use paper::{Backs, Options, Paper, Sheets};
use platform::fs;

use crate::context::{CliError, CommandOutcome, CommandResult, Context};

/// Make a PDF with the tiles, cards and pieces of mods, to print and cut
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide print ferries                          write ferries.pdf: 8 tiles with backs
  bastide print base ferries --paper letter      print two mods on US paper
  bastide print base --backs fold --players 4    backs to fold, and pieces for four players
  bastide print my-mod --since ../old/my-mod     print only tiles that are new or look different

Print the PDF at its actual size (100%). For `--backs duplex`, let the printer turn the paper along
its long edge. The small letters on a back name the tile and its deck, to help you sort the tiles.")]
pub struct Args {
    /// Mods, by id or folder
    #[arg(value_name = "MOD", required = true)]
    named: Vec<String>,
    /// File to write [default: ID.pdf, with the id of the first mod]
    #[arg(long, value_name = "FILE")]
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
    /// Also print pieces, tokens and the score track for N players
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=8))]
    players: u8,
    /// Use light colours, which need less ink
    #[arg(long)]
    save_ink: bool,
    /// Palette to draw with, such as `winter`
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
    /// Print only tiles that are new or changed since the version of a mod in DIR
    #[arg(long, value_name = "DIR")]
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

/// Parses a length from `LEAST` to `MOST` millimetres.
pub fn millimetres<const LEAST: u8, const MOST: u8>(text: &str) -> Result<f64, String> {
    let range = f64::from(LEAST)..=f64::from(MOST);
    let length = text.parse().ok().filter(|length| range.contains(length));
    length.ok_or_else(|| format!("expected a number of millimetres from {LEAST} to {MOST}"))
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let ids = context.resolve_mods(&args.named);
    let loaded = context.load(&ids)?;
    let options = Options {
        paper: args.paper.into(),
        tile: args.tile,
        bleed: args.bleed,
        backs: match args.backs {
            BackSide::Duplex => Backs::Duplex,
            BackSide::Fold => Backs::Fold,
            BackSide::None => Backs::None,
        },
        n_players: args.players.into(),
        saves_ink: args.save_ink,
        palette: args.palette.clone(),
    };
    let sheets = match &args.since {
        Some(folder) => since(context, folder, &ids, &loaded, &options)?,
        None => paper::print(&loaded, &ids, &options).map_err(refused)?,
    };
    let default = || PathBuf::from(ids.first().map_or("tiles", String::as_str)).with_extension("pdf");
    let out = args.out.clone().unwrap_or_else(default);
    fs::write_output(&out, &sheets.pdf).map_err(|error| {
        let message = format!("cannot write {}: {error}", out.display());
        CliError::Problem(Diagnostic::without_place(message).with_help("name another file with --out"))
    })?;
    let Sheets { n_pages, n_tiles, n_others, ref pdf } = sheets;
    let others = if n_others > 0 { format!(", {n_others} cards and discs") } else { String::new() };
    let size = pdf.len().div_ceil(1000);
    let text = format!("wrote {} ({n_tiles} tiles{others}; pages: {n_pages}; {size} kB)\n", out.display());
    context.terminal.print_message(&text);
    Ok(CommandOutcome::Fine)
}

/// Makes sheets of the tiles that differ from the earlier version of a mod in `folder`.
fn since(
    context: &Context,
    folder: &Path,
    ids: &[String],
    loaded: &loader::Loaded,
    options: &Options,
) -> Result<Sheets, CliError> {
    let library = context.library_with(folder)?;
    if !Library::open(&[folder.to_owned()]).ids().iter().any(|id| ids.contains(id)) {
        let message = format!("{} is not the folder of one of these mods", folder.display());
        let help = "name the folder of the earlier version, which has the same name as the mod";
        return Err(CliError::Problem(Diagnostic::without_place(message).with_help(help)));
    }
    let (before, problems) = library.checking_icons(art::check_icon).load(ids);
    match before {
        Some(before) => paper::print_since(loaded, ids, &before, options).map_err(refused),
        None => {
            context.terminal.print_message(&problems.render(context.terminal.colour_of_messages));
            Err(CliError::AlreadyPrinted)
        }
    }
}

fn refused(error: paper::PrintError) -> CliError {
    CliError::Problem(Diagnostic::without_place(error.to_string()))
}
