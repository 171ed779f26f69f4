//! Prints the game for a person who plays in the terminal.
#![expect(clippy::indexing_slicing, reason = "every index was computed from the list that it indexes")]

use std::collections::BTreeMap;
use std::io::{self, Write};

use table::{
    Actor, Answer, Facing, FeatureRef, GameView, PromptKind, Seat, SeatSet, SeenGame, Session, Spot, capitalize,
    describe_feature, describe_rows, mod_lines_about_answer,
};
use workshop::fault_text;

use crate::board_text::{Letters, board_notes, draw, draw_tile};
use crate::sheet;
use crate::terminal::Terminal;

pub fn print_greeting(terminal: &Terminal, out: &mut impl Write, session: &Session) -> io::Result<()> {
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
    if let Some(kept) = session.save_location() {
        writeln!(out, "{}", terminal.faint(format!("saved in {}", kept.path.display())))?;
    }
    if view.seats().any(|s| !session.is_bot(s)) {
        writeln!(out, "Type ? for help.")?;
    }
    Ok(())
}

pub fn print_help(out: &mut impl Write, session: &Session) -> io::Result<()> {
    let docs: Vec<String> = session.view().mods().iter().map(|it| format!("bastide docs {}", it.id)).collect();
    writeln!(
        out,
        "
  NUMBER         choose the option with that number
  TEXT           choose the option with that text, or the only one that contains these words
  X,Y FACING     place the tile: 0,-1 90 is one row up, turned 90 degrees clockwise (x grows to the right, y downwards)
  p              pass
  b              show the board
  Enter          show the question again
  s              show the scores and the reason for each
  l              show what only you may see
  u, r           undo, redo your last choice
  q              quit
To read the rules, run in another terminal: {}",
        docs.join(", ")
    )
}

/// Prints the fault of a mod, and the commands with which the game continues.
pub fn print_fault(out: &mut impl Write, session: &Session) -> io::Result<()> {
    if let Some(fault) = session.view().fault() {
        writeln!(out, "\n{}", capitalize(&fault_text(fault)))?;
    }
    writeln!(out, "The game is paused: fix the mod and press Enter. u undoes, b shows the board, q quits.")
}

/// Asks the players to hand over the screen to one player. Only this player may see the next text.
pub fn print_hand_over(terminal: &Terminal, out: &mut impl Write, session: &Session, seat: Seat) -> io::Result<()> {
    let name = sheet::name(terminal, session.view(), seat);
    writeln!(out, "\nHand over to {name}: only {name} may see the next screen. {name} presses Enter.")
}

/// Clears the screen, or prints an empty line if the terminal has no colours.
pub fn clear(terminal: &Terminal, out: &mut impl Write) -> io::Result<()> {
    if terminal.colour { write!(out, "\x1b[2J\x1b[3J\x1b[H") } else { writeln!(out) }
}

/// The answers of the current branch that were already shown to a person.
#[derive(Default)]
pub struct ShownAnswers {
    /// The number of answers that were shown.
    pub n: usize,
    /// The numbers of the shown answers that some players may not see yet, each with the players
    /// who have seen it when they had the screen for themselves.
    pub hidden: Vec<(usize, SeatSet)>,
}

impl ShownAnswers {
    /// Returns the answers of the current branch up to the current position of `game`, all marked
    /// as shown.
    pub fn all(game: &SeenGame) -> ShownAnswers {
        let steps = game.steps()[..game.position_index()].iter().enumerate();
        ShownAnswers {
            n: game.position_index(),
            hidden: steps.filter(|(_, step)| step.seen_by != SeatSet::ALL).map(|(n, _)| (n, SeatSet::NONE)).collect(),
        }
    }

    /// Marks all answers from number `n` on as not shown.
    pub fn unmark_from(&mut self, n: usize) {
        self.n = self.n.min(n);
        self.hidden.retain(|(hidden, _)| *hidden < n);
    }
}

/// Prints the answers and awards since the last call, and earlier hidden answers that are now
/// public. Omits the answers of seats for which `silent` returns true, but prints their secret
/// answers once these are public. If `viewer` has the screen alone, also prints the earlier hidden
/// draws that this player may see.
pub fn print_last_steps(
    terminal: &Terminal,
    out: &mut impl Write,
    game: &SeenGame,
    shown: &mut ShownAnswers,
    viewer: Option<Seat>,
    silent: impl Fn(Seat) -> bool,
) -> io::Result<()> {
    let (view, line) = (game.view(), &game.steps()[..game.position_index()]);
    let (revealed, hidden) =
        std::mem::take(&mut shown.hidden).into_iter().partition(|(n, _)| line[*n].seen_by == SeatSet::ALL);
    shown.hidden = hidden;
    for step in revealed.into_iter().map(|(n, _): (usize, SeatSet)| &line[n]) {
        if let Actor::Player(seat) = step.who {
            writeln!(out, "  {}: {}", sheet::name(terminal, view, seat), step.text)?;
        }
    }
    let viewer = viewer.map_or(SeatSet::NONE, SeatSet::from);
    for (n, told) in &mut shown.hidden {
        let step = &line[*n];
        if step.who == Actor::Chance && step.seen_by.includes(viewer) && !told.includes(viewer) {
            step.label.iter().try_for_each(|label| writeln!(out, "  {label}"))?;
            *told = told.union(viewer);
        }
    }
    for (n, step) in line.iter().enumerate().skip(shown.n) {
        if step.seen_by != SeatSet::ALL {
            shown.hidden.push((n, viewer));
        }
        match step.who {
            Actor::Player(seat) if !silent(seat) || (step.is_secret && step.seen_by == SeatSet::ALL) => {
                let text = step.label.as_ref().unwrap_or(&step.text);
                writeln!(out, "  {}: {text}", sheet::name(terminal, view, seat))?;
            }
            Actor::Chance => step.label.iter().try_for_each(|label| writeln!(out, "  {label}"))?,
            Actor::Player(_) => {}
        }
        step.notes.iter().try_for_each(|note| writeln!(out, "  {note}"))?;
        for award in &step.awards {
            writeln!(out, "  {}", sheet::award_line(terminal, view, award))?;
        }
    }
    shown.n = game.position_index();
    Ok(())
}

/// Returns the options of the open question, in the order in which they are numbered.
pub fn options(game: &SeenGame) -> Vec<(Answer, String)> {
    let view = game.view();
    let text = |answer: Answer| view.answer_text(answer).unwrap_or_default();
    let mut options: Vec<(Answer, String)> = view.answers().into_iter().map(|a| (a, text(a))).collect();
    let groups = OptionGroups::of(view, &options);
    options.sort_by_key(|(choice, _)| match choice {
        Answer::Place(p) => (0, i64::from(p.spot.y), p.spot.x, p.facing.quarters()),
        Answer::Pass => (2, 0, 0, 0),
        // An option without a group stands with the first group.
        choice => (1, groups.group(*choice).unwrap_or(0) as i64, 0, 0),
    });
    options
}

/// Shows the open question with its [`options`].
pub fn print_question(
    terminal: &Terminal,
    out: &mut impl Write,
    game: &SeenGame,
    options: &[(Answer, String)],
) -> io::Result<()> {
    let view = game.view();
    let Some(prompt) = view.prompt() else { return Ok(()) };
    let (tile_set, letters) = (view.tile_set(), Letters::of_game(view));
    match view.tile_of_part().filter(|_| prompt.kind == PromptKind::Deploy) {
        Some(placed) => {
            write!(out, "\n{}", draw_tile(&letters, tile_set, placed.tile, placed.facing, terminal.colour))?;
            let directions = view.tiles_declared().directions(placed.tile, placed.facing);
            directions.iter().try_for_each(|direction| writeln!(out, "{direction}"))?;
        }
        None => print_board(terminal, out, game, options)?,
    }
    let Some(seat) = prompt.seat() else { return Ok(()) };
    writeln!(out, "\n{}: {}", sheet::name(terminal, view, seat), terminal.bold(prompt.text))?;
    let tile = match prompt.kind {
        PromptKind::Place(tile) => Some(tile),
        PromptKind::Mod => view.unplaced_tile(),
        _ => None,
    };
    if let Some(tile) = tile {
        let n_left = view.n_left_to_draw();
        let reason = view.extra_part_reason().map_or(String::new(), |reason| format!("; extra tile: {reason}"));
        writeln!(out, "{} (unturned; {n_left} left to draw{reason})", view.tiles_declared().name(tile))?;
        view.tiles_declared().tag_lines(tile).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        write!(out, "{}", draw_tile(&letters, tile_set, tile, Facing::default(), terminal.colour))?;
    }
    print_options(terminal, out, view, options, &OptionGroups::of(view, options))
}

/// Prints the lines with which mods describe their options. A failing description does not stop the
/// game.
pub fn print_option_descriptions(
    out: &mut impl Write,
    session: &Session,
    options: &[(Answer, String)],
) -> io::Result<()> {
    for (choice, text) in options.iter().filter(|(choice, _)| matches!(choice, Answer::ModOption(_))) {
        for line in mod_lines_about_answer(&session.game_to_try(), *choice) {
            writeln!(out, "     {text}: {line}")?;
        }
    }
    Ok(())
}

/// Groups the options of mods by feature. Empty unless every such option belongs to a feature and
/// at least two options share a feature.
#[derive(Default)]
struct OptionGroups {
    features: Vec<FeatureRef>,
    of_options: BTreeMap<u16, usize>,
}

impl OptionGroups {
    fn of(view: GameView<'_>, options: &[(Answer, String)]) -> OptionGroups {
        let mut groups = OptionGroups::default();
        let mut numbers: BTreeMap<(u8, u32), usize> = BTreeMap::new();
        let mut n_zones = 0;
        for (choice, _) in options {
            let Answer::ModOption(i) = choice else { continue };
            let Some(feature) = view.answer_feature(*choice) else { return OptionGroups::default() };
            n_zones += 1;
            let number = *numbers.entry((feature.layer.0, feature.anchor.0)).or_insert_with(|| {
                groups.features.push(feature);
                groups.features.len() - 1
            });
            groups.of_options.insert(*i, number);
        }
        if groups.features.len() < n_zones { groups } else { OptionGroups::default() }
    }

    fn group(&self, choice: Answer) -> Option<usize> {
        if let Answer::ModOption(i) = choice { self.of_options.get(&i).copied() } else { None }
    }
}

/// Prints the board with the numbers of placements on their spots, and the players.
pub fn print_board(
    terminal: &Terminal,
    out: &mut impl Write,
    game: &SeenGame,
    options: &[(Answer, String)],
) -> io::Result<()> {
    let view = game.view();
    write!(out, "\n{}", draw(view, &marks(options), terminal.colour))?;
    writeln!(out, "{}", Letters::of_game(view).legend(view.tile_set(), Some(view), terminal.colour))?;
    board_notes(view).iter().try_for_each(|things| writeln!(out, "{things}"))?;
    view.order().try_for_each(|seat| writeln!(out, "{}", sheet::seat_line(terminal, view, seat)))?;
    describe_rows(view).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Returns a mark for each spot at which the tile can be placed: the numbers of the options for
/// this spot, such as `3-5`.
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

/// The maximum width of a line of options about one feature, in characters.
const WIDTH: usize = 100;

/// Prints the options with their numbers: one line per spot, and the options of a feature after its
/// description.
fn print_options(
    terminal: &Terminal,
    out: &mut impl Write,
    view: GameView<'_>,
    options: &[(Answer, String)],
    groups: &OptionGroups,
) -> io::Result<()> {
    let mut spot: Option<Spot> = None;
    let (mut group, mut width) = (None, 0);
    for (i, (choice, text)) in options.iter().enumerate() {
        let number = terminal.bold(i + 1);
        let place = if let Answer::Place(place) = choice { Some(*place) } else { None };
        // Ends the line when the next option belongs to another spot or feature.
        if spot.is_some() && place.map(|place| place.spot) != spot || width > 0 && groups.group(*choice) != group {
            writeln!(out)?;
            (spot, width) = (None, 0);
        }
        if let Some(place) = place {
            let facing = facing_label(view, place.facing);
            match spot {
                Some(_) => write!(out, "   {number}: {facing}")?,
                None => write!(out, "  {:<8} {number}: {facing}", place.spot.to_string())?,
            }
            spot = Some(place.spot);
        } else if let Some(own) = groups.group(*choice) {
            if group.replace(own) != Some(own) {
                let feature = format!("  {}:", capitalize(&describe_feature(view, groups.features[own])));
                width = feature.chars().count();
                write!(out, "{feature}")?;
            }
            let option = format!("   {}: {text}", i + 1);
            if width + option.chars().count() > WIDTH {
                writeln!(out)?;
                width = 0;
            }
            width += option.chars().count();
            write!(out, "   {number}: {text}")?;
        } else {
            let about = view.answer_explanation(*choice);
            let gap = if about.is_empty() { "" } else { ": " };
            writeln!(out, "  {number}: {text}{gap}{about}")?;
        }
    }
    if spot.is_some() || width > 0 {
        writeln!(out)?;
    }
    Ok(())
}

/// Returns the label of a facing of the tile to place, with the directions of its tags.
fn facing_label(view: GameView<'_>, facing: Facing) -> String {
    let directions = view.tile_to_place().map_or_else(Vec::new, |tile| view.tiles_declared().directions(tile, facing));
    if directions.is_empty() { facing.to_string() } else { format!("{facing} ({})", directions.join(", ")) }
}

/// Prints the final board and the result of the game.
pub fn print_end(terminal: &Terminal, out: &mut impl Write, game: &SeenGame) -> io::Result<()> {
    let view = game.view();
    writeln!(out, "\n{}", draw(view, &[], terminal.colour))?;
    let letters = Letters::of_game(view);
    writeln!(out, "{}\n", letters.legend(view.tile_set(), Some(view), terminal.colour))?;
    writeln!(out, "{}", terminal.bold("The game is over."))?;
    write!(out, "{}", sheet::final_table(terminal, view))?;
    out.flush()
}
