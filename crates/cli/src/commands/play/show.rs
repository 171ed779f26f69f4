//! What a person at the table sees.
#![expect(clippy::indexing_slicing, reason = "cut at a place found in the same list")]

use std::io::{self, Write};

use table::{Answer, Facing, PromptKind, Seat, SeatSet, Spot, Who, capital, mod_lines_about_answer};
use workshop::fault_text;

use super::session::Session;
use crate::board_text::{Letters, draw, draw_tile, things};
use crate::sheet;
use crate::tags::all_tags;
use crate::terminal::Terminal;

pub fn greeting(terminal: &Terminal, out: &mut impl Write, session: &Session) -> io::Result<()> {
    let view = session.view();
    let mods: Vec<&str> = view.mods().iter().map(|m| m.title.as_str()).collect();
    let players: Vec<String> = view
        .seats()
        .map(|s| format!("{}{}", sheet::name(terminal, view, s), if session.is_bot(s) { " (bot)" } else { "" }))
        .collect();
    writeln!(out, "{}: {}", mods.join(", "), players.join(", "))?;
    if let Some(seed) = session.setup().seed {
        writeln!(out, "{}", terminal.faint(format!("seed {seed}")))?;
    }
    if let Some(kept) = session.kept_in() {
        writeln!(out, "{}", terminal.faint(format!("kept in {}", kept.path.display())))?;
    }
    if view.seats().any(|s| !session.is_bot(s)) {
        writeln!(out, "Type ? for help.")?;
    }
    Ok(())
}

pub fn help(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "
  a number       the option with that number
  its text       an option by its text, or by words that only one option has
  x,y facing     where the tile goes: 0,-1 90 is one row up, turned a quarter clockwise (x grows to the right, y downwards)
  p              pass
  b              the board
  Enter          the question once more
  s              the scores and how they came about
  l              look alone at what only you may see
  u, r           take your last choice back, give it again
  q              quit"
    )
}

/// What a mod has done wrong, and what there is to do.
pub fn fault(out: &mut impl Write, session: &Session) -> io::Result<()> {
    if let Some(fault) = session.view().fault() {
        writeln!(out, "\n{}", capital(&fault_text(fault)))?;
    }
    writeln!(out, "The game waits: mend the mod and press Enter. u takes back, b shows the board, q quits.")
}

/// Asks for the table to be handed over to a player, who alone may see what comes.
pub fn hand_over(terminal: &Terminal, out: &mut impl Write, session: &Session, seat: Seat) -> io::Result<()> {
    let name = sheet::name(terminal, session.view(), seat);
    writeln!(out, "\nHand over to {name}: only {name} may see what comes now. {name} presses Enter.")
}

/// Takes what only one player may see off the screen, if it is one.
pub fn clear(terminal: &Terminal, out: &mut impl Write) -> io::Result<()> {
    if terminal.colour { write!(out, "\x1b[2J\x1b[3J\x1b[H") } else { writeln!(out) }
}

/// The answers and awards since the last call, and what is not hidden any more of those before; the answers of the person who sees them left out.
pub fn last_steps(terminal: &Terminal, out: &mut impl Write, session: &mut Session) -> io::Result<()> {
    let seen = session.snapshot();
    let (view, line) = (seen.view(), &seen.line()[..seen.at()]);
    let (revealed, hidden) =
        std::mem::take(&mut session.hidden).into_iter().partition(|n| line[*n].seen_by == SeatSet::ALL);
    session.hidden = hidden;
    for step in revealed.into_iter().map(|n: usize| &line[n]) {
        if let Who::Player(seat) = step.who {
            writeln!(out, "  {}: {}", sheet::name(terminal, view, seat), step.text)?;
        }
    }
    for (n, step) in line.iter().enumerate().skip(session.n_shown) {
        if step.seen_by != SeatSet::ALL {
            session.hidden.push(n);
        }
        match step.who {
            Who::Player(seat) if session.is_bot(seat) || (step.is_secret && step.seen_by == SeatSet::ALL) => {
                writeln!(out, "  {}: {}", sheet::name(terminal, view, seat), step.text)?;
            }
            Who::Chance if !step.text.starts_with("draw ") => writeln!(out, "  {}", step.text)?,
            _ => {}
        }
        step.notes.iter().try_for_each(|note| writeln!(out, "  {note}"))?;
    }
    for line in session.take_printed_lines() {
        writeln!(out, "  {}", terminal.faint(format!("print: {line}")))?;
    }
    for award in view.awards().iter().skip(session.n_awards_shown) {
        writeln!(out, "  {}", sheet::award_line(terminal, view, award))?;
    }
    let (n_steps, n_awards) = (session.at(), view.awards().len());
    (session.n_shown, session.n_awards_shown) = (n_steps, n_awards);
    Ok(())
}

/// Shows the question with its options, and returns them in the order in which they are numbered.
pub fn question(terminal: &Terminal, out: &mut impl Write, session: &Session) -> io::Result<Vec<(Answer, String)>> {
    let view = session.view();
    let Some(prompt) = view.prompt() else { return Ok(Vec::new()) };
    let text = |answer: Answer| view.answer_text(answer).unwrap_or_default();
    let mut options: Vec<(Answer, String)> = view.answers().into_iter().map(|a| (a, text(a))).collect();
    options.sort_by_key(|(choice, _)| match choice {
        Answer::Place(p) => (0, p.spot.y, p.spot.x, p.facing.quarters()),
        Answer::Pass => (2, 0, 0, 0),
        _ => (1, 0, 0, 0),
    });
    if !session.is_question_new {
        return Ok(options);
    }
    let (tile_set, letters) = (view.tile_set(), Letters::of_game(view));
    match view.tile_of_part().filter(|_| prompt.kind == PromptKind::Deploy) {
        Some(placed) => {
            write!(out, "\n{}", draw_tile(&letters, tile_set, placed.tile, placed.facing, terminal.colour))?;
        }
        None => board(terminal, out, session, &options)?,
    }
    let Some(seat) = prompt.seat() else { return Ok(options) };
    writeln!(out, "\n{}: {}", sheet::name(terminal, view, seat), terminal.bold(prompt.text))?;
    if let PromptKind::Place(tile) = prompt.kind {
        let n_left = view.n_left_to_draw();
        let tags: String = all_tags(tile_set, tile).iter().map(|tag| format!("{tag}; ")).collect();
        let reason = view.extra_part_reason().map_or(String::new(), |reason| format!("; this part is for {reason}"));
        writeln!(out, "{} (unturned; {tags}{n_left} left to draw{reason})", view.tiles_declared().name(tile))?;
        write!(out, "{}", draw_tile(&letters, tile_set, tile, Facing::default(), terminal.colour))?;
    }
    list(terminal, out, &options)?;
    for (choice, text) in options.iter().filter(|(choice, _)| matches!(choice, Answer::ModOption(_))) {
        // A description that fails is no reason to stop playing.
        let lines = view.meaning(*choice).map(str::to_owned).into_iter();
        for line in lines.chain(mod_lines_about_answer(&session.game_to_try(), *choice)) {
            writeln!(out, "     {text}: {line}")?;
        }
    }
    Ok(options)
}

/// The board, with the numbers of options where they place a tile, and the players.
pub fn board(
    terminal: &Terminal,
    out: &mut impl Write,
    session: &Session,
    options: &[(Answer, String)],
) -> io::Result<()> {
    let view = session.view();
    write!(out, "\n{}", draw(view, &marks(options), terminal.colour))?;
    writeln!(out, "{}", Letters::of_game(view).legend(view.tile_set(), Some(view), terminal.colour))?;
    things(view).iter().try_for_each(|things| writeln!(out, "{things}"))?;
    view.order().try_for_each(|seat| writeln!(out, "{}", sheet::seat_line(terminal, view, seat)))
}

/// The numbers of the placements at each spot.
fn marks(options: &[(Answer, String)]) -> Vec<(Spot, String)> {
    let mut marks: Vec<(Spot, usize, usize)> = Vec::new();
    for (i, (choice, _)) in options.iter().enumerate() {
        let Answer::Place(place) = choice else { continue };
        match marks.last_mut() {
            Some((spot, _, last)) if *spot == place.spot => *last = i + 1,
            _ => marks.push((place.spot, i + 1, i + 1)),
        }
    }
    let text = |first: usize, last: usize| if first == last { first.to_string() } else { format!("{first}-{last}") };
    marks.into_iter().map(|(spot, first, last)| (spot, text(first, last))).collect()
}

/// The options with their numbers; those of one spot on one line.
fn list(terminal: &Terminal, out: &mut impl Write, options: &[(Answer, String)]) -> io::Result<()> {
    let mut spot: Option<Spot> = None;
    for (i, (choice, text)) in options.iter().enumerate() {
        let number = terminal.bold(i + 1);
        match choice {
            Answer::Place(place) if spot == Some(place.spot) => write!(out, "   {number}: {}", place.facing)?,
            Answer::Place(place) => {
                if spot.is_some() {
                    writeln!(out)?;
                }
                write!(out, "  {:<8} {number}: {}", place.spot.to_string(), place.facing)?;
                spot = Some(place.spot);
            }
            _ => {
                if spot.take().is_some() {
                    writeln!(out)?;
                }
                writeln!(out, "  {number}: {text}")?;
            }
        }
    }
    if spot.is_some() {
        writeln!(out)?;
    }
    Ok(())
}

/// The end of the game.
pub fn end(terminal: &Terminal, out: &mut impl Write, session: &mut Session) -> io::Result<()> {
    last_steps(terminal, out, session)?;
    let view = session.view();
    writeln!(out, "\n{}", draw(view, &[], terminal.colour))?;
    let letters = Letters::of_game(view);
    writeln!(out, "{}\n", letters.legend(view.tile_set(), Some(view), terminal.colour))?;
    writeln!(out, "{}", terminal.bold("The game is over."))?;
    write!(out, "{}", sheet::final_table(terminal, view))?;
    out.flush()
}
