//! `bastide tiles`: lists the tiles of mods, as the engine understands them.

mod pictures;

use std::io::Write;

use board::{Edge, EdgeStyle, Facing, TileIdx};
use rules::Catalogue;
use serde_json::{Map, Value as Json};
use table::json::{Ground, deck_counts, tile_tags, touched, zone_tags};

use self::pictures::PictureArgs;
use crate::board_text::{Letters, draw_tile};
use crate::context::{CommandResult, Context, finish, plural, problem, usage};
use crate::terminal::Terminal;

/// List the tiles of mods with edges, zones, tags and counts, or draw them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide tiles                        list the tiles of every mod that is found
  bastide tiles base                   list the tiles of one mod
  bastide tiles base --json            print a JSON line per tile
  bastide tiles base --png base.png    draw all tiles on one sheet
  bastide tiles base --svg pictures    draw each tile to an SVG file in the folder `pictures`

Ports are named clockwise from the north-west corner: n1 n n2 e1 e e2 s1 s s2 w1 w w2. If a mod does
not declare the ground of a tile, the ground is derived from the other zones. The list marks
declared ground that differs from the derived ground.")]
pub struct Args {
    /// Mods, by id or folder [default: all mods]
    #[arg(value_name = "MOD")]
    named: Vec<String>,
    /// Print a JSON line per tile
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pictures: PictureArgs,
}

pub fn run(context: &mut Context, args: &Args) -> CommandResult {
    let ids = if args.named.is_empty() { context.library().ids() } else { context.resolve_mods(&args.named) };
    if ids.is_empty() {
        let help = "make one with `bastide new my-mod`, or name a folder with --mods-path";
        return Err(problem("no mods were found").with_help(help));
    }
    if args.pictures.draws() {
        return pictures::draw(context, &ids, &args.pictures);
    }
    if let Some(name) = &args.pictures.palette {
        let message = format!("--palette {name} only applies to pictures; add --svg or --png");
        return Err(usage(message));
    }
    let mut out = context.terminal.out_as(args.json);
    let mut is_fine = true;
    for id in &ids {
        // Skips a mod that cannot be loaded. `load` has printed its problems.
        let Ok(loaded) = context.load(std::slice::from_ref(id)) else {
            is_fine = false;
            continue;
        };
        let catalogue = loaded.catalogue();
        let letters = Letters::of_tiles(&catalogue.tile_set);
        let tiles = catalogue.own_tiles(id);
        if !args.json {
            let n: usize = tiles.iter().flat_map(|t| deck_counts(catalogue, *t)).map(|(_, n)| usize::from(n)).sum();
            let start = tiles.iter().filter(|t| catalogue.start.is_some_and(|s| s.tile == **t)).count();
            let also = if start > 0 { ", and the start tile" } else { "" };
            let n_types = tiles.len();
            let types = format!("{n_types} tile type{}", plural(n_types));
            let head = format!("{id}: {types}, {n} tile{} in decks{also}", plural(n));
            writeln!(out, "{}", context.terminal.bold(head))?;
            if !tiles.is_empty() {
                writeln!(out, "{}\n", letters.legend(&catalogue.tile_set, None, context.terminal.colour))?;
            }
        }
        for tile in tiles {
            if args.json {
                writeln!(out, "{}", table::json::tile(catalogue, tile))?;
            } else {
                write_tile(&context.terminal, &mut out, catalogue, &letters, tile)?;
            }
        }
    }
    finish(out, is_fine)
}

/// Returns the name and the value of a tag as text, such as `shield 1`.
fn tag_text(name: &str, value: &Json) -> String {
    match value.as_str() {
        Some(word) => format!("{name} {word}"),
        None => format!("{name} {value}"),
    }
}

fn write_tile(
    terminal: &Terminal,
    out: &mut impl Write,
    catalogue: &Catalogue,
    letters: &Letters,
    idx: TileIdx,
) -> std::io::Result<()> {
    let tile_set = &catalogue.tile_set;
    let tile = tile_set.tile(idx);
    let mut head: Vec<String> = deck_counts(catalogue, idx).iter().map(|(deck, n)| format!("{n} in {deck}")).collect();
    if catalogue.start.is_some_and(|s| s.tile == idx) {
        head.push("start tile".to_owned());
    }
    let tags = |tags: Map<String, Json>| -> String {
        tags.iter().map(|(name, value)| format!("  {}", tag_text(name, value))).collect()
    };
    let edges = Edge::ALL.iter().zip(tile.turned(Facing::default()).edges);
    let edges: Vec<String> =
        edges.map(|(edge, code)| format!("{} {}", edge.letter(), tile_set.edge_name(code))).collect();
    let mut lines = vec![
        format!("{}  {}{}", terminal.bold(&tile.name), head.join(", "), tags(tile_tags(tile_set, tile))),
        format!("edges  {}", edges.join(", ")),
    ];
    for (z, zone) in tile.zones.iter().enumerate() {
        let ports: Vec<&str> = zone.ports.iter().map(|p| p.name()).collect();
        let beside: Vec<String> = touched(tile, z).map(|t| tile_set.zone_name(idx, Facing::default(), t)).collect();
        let mut line = format!("{:<14} {}", tile_set.zone_name(idx, Facing::default(), z), ports.join(" "));
        if !beside.is_empty() && tile_set.kind(zone.kind).edge == EdgeStyle::Ground {
            line += &format!("  beside {}", beside.join(", "));
        }
        line += &tags(zone_tags(tile_set, zone));
        lines.push(line);
    }
    if Ground::of(tile_set, tile) == Ground::Written {
        lines.push(terminal.faint("the tile declares its ground, which differs from the derived ground"));
    }
    let picture = draw_tile(letters, tile_set, idx, Facing::default(), terminal.colour);
    let mut picture = picture.lines();
    let blank = " ".repeat(9);
    for line in &lines {
        writeln!(out, "{}  {line}", picture.next().unwrap_or(&blank))?;
    }
    picture.try_for_each(|rest| writeln!(out, "{rest}"))?;
    writeln!(out)
}
