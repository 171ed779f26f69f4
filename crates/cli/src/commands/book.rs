//! `bastide book`: makes the rulebook of mods.

use std::path::PathBuf;

use book::{Book, BookForm, Progress};
use workshop::link::SCHEME;

use crate::commands::print::PaperSize;
use crate::context::{CommandOutcome, CommandResult, Context, printed, usage, write_out};

/// Make the rulebook of mods as an HTML page or PDF, with checked examples
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide book ferries                      write ferries.html
  bastide book base ferries --out all.html  write one book with a chapter for each mod
  bastide book ferries --out ferries.pdf    write a PDF instead

The book has the tiles and pieces with pictures and counts, the rules from README.md and from the
comments of the script, points, settings, examples, a summary and a score sheet. An example is a
test of the mod with a caption in the comment at its start:

  # book: Red completes the road and gets 3 points.

Each number of a caption must be in an `expect` line of the test. If an example fails, no book is
written. Each chapter ends with a list of the names and functions that are not explained yet. On
the HTML page, readers can step through the examples; the PDF shows the board before and after.")]
pub struct Args {
    /// Mods, by id or folder
    #[arg(value_name = "MOD", required = true)]
    named: Vec<String>,
    /// File to write, .html or .pdf [default: ID.html, with the id of the first mod]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Size of the paper of a PDF
    #[arg(long, value_enum, default_value_t = PaperSize::A4)]
    paper: PaperSize,
    /// Page that *Open in Bastide* opens, or bastide: for the installed program
    #[arg(long, value_name = "URL", default_value = SCHEME)]
    address: String,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let ids = context.resolve_mods(&args.named);
    let default = || PathBuf::from(ids.first().map_or("book", String::as_str)).with_extension("html");
    let out = args.out.clone().unwrap_or_else(default);
    let form = BookForm::of_file(&out).ok_or_else(|| {
        let message = format!("{}: a book is an HTML page or a PDF", out.display());
        usage(message).with_help("name a file that ends in .html or .pdf")
    })?;
    // Loading prints the problems of the mods with their lines.
    context.load(&ids)?;
    let progress = &mut Progress::default();
    let made = Book::make(context.library(), &ids, &args.address, progress)
        .and_then(|book| Ok((book.to_bytes(form, args.paper.into(), progress)?, book)));
    let (written, book) = made.map_err(|error| printed(&context.terminal, &error.into_problems()))?;
    write_out(&out, &written)?;
    let examples = if book.n_examples == 1 { "example" } else { "examples" };
    let size = written.len().div_ceil(1000);
    context.terminal.print_message(&format!("wrote {} ({} {examples}, {size} kB)\n", out.display(), book.n_examples));
    let n = book.unexplained.len();
    if n > 0 {
        let things = if n == 1 { "1 thing is" } else { &format!("{n} things are") };
        let text = format!("note: {things} not explained yet, see the end of each chapter\n");
        context.terminal.print_message(&text);
    }
    Ok(CommandOutcome::Fine)
}
