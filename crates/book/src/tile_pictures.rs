//! Pictures of tiles and boards. The page contains one drawing of each tile, to which all boards
//! refer.

use std::collections::BTreeMap;
use std::fmt::Write;

use art::kurbo::Rect;
use art::{BoardCrop, Detail, Painter, Picture};
use board::{Facing, TileIdx};
use table::GameView;

/// The width of a tile, in pixels, for which the drawings have enough detail.
const WIDTH: u32 = 64;

/// The drawings of the tiles on the page, as SVG symbols by id.
#[derive(Default)]
pub(crate) struct TilePictures {
    symbols: BTreeMap<String, String>,
}

impl TilePictures {
    /// Returns the id of a tile's symbol. Draws the symbol if the page does not have it yet.
    fn symbol(&mut self, painter: &Painter, name: &str, tile: TileIdx) -> String {
        let id = id_of(name);
        self.symbols.entry(id.clone()).or_insert_with(|| {
            let picture = painter.tile(tile, Facing::default(), 0, Detail::for_width(WIDTH));
            format!("<symbol id=\"{id}\" viewBox=\"0 0 1000 1000\">{}</symbol>\n", inner(&picture))
        });
        id
    }

    /// Returns the picture of a tile, unturned.
    pub(crate) fn tile(&mut self, painter: &Painter, name: &str, tile: TileIdx) -> String {
        let id = self.symbol(painter, name, tile);
        format!("<svg class=\"tile\" viewBox=\"0 0 1000 1000\"><use href=\"#{id}\"/></svg>")
    }

    /// Returns the picture of the part `part` of a board, with `marks` on it.
    pub(crate) fn board(&mut self, painter: &Painter, view: GameView<'_>, part: BoardCrop, marks: &Picture) -> String {
        let [w, h] = part.size();
        let mut table = Picture::new(w, h);
        table.rect(Rect::new(0.0, 0.0, w, h), painter.palette().table);
        let mut svg = format!(
            "<svg class=\"board\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\">{}",
            w * 1000.0,
            h * 1000.0,
            (w * 72.0).round(),
            inner(&table),
        );
        for laid in pictures::laid_tiles(view) {
            let [x, y] = [f64::from(laid.spot.x) - part.from[0], f64::from(laid.spot.y) - part.from[1]];
            if x <= -1.0 || y <= -1.0 || x >= w || y >= h {
                continue;
            }
            let id = self.symbol(painter, &view.tile_set().tile(laid.tile).name, laid.tile);
            let degrees = laid.facing.degrees();
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<g transform=\"translate({} {}) rotate({degrees} 500 500)\"><use href=\"#{id}\" width=\"1000\" height=\"1000\"/></g>",
                x * 1000.0,
                y * 1000.0,
            );
        }
        svg += &inner(&pictures::objects(painter, view, part));
        svg += &inner(marks);
        svg + "</svg>"
    }

    /// Returns the definitions of all tiles, for the beginning of the page.
    pub(crate) fn definitions(&self) -> String {
        let symbols: String = self.symbols.values().map(String::as_str).collect();
        format!("<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">{symbols}</svg>\n")
    }
}

/// Returns an id for the name of a tile.
fn id_of(name: &str) -> String {
    let mut id = "t-".to_owned();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => id.push(c),
            // The number of the character is unique, so two different names never get the same id.
            c => id += &format!("_{:x}_", c as u32),
        }
    }
    id
}

/// Returns the SVG elements of a picture without the enclosing `<svg>` element. One unit of the
/// picture is 1000 in the SVG text.
pub(crate) fn inner(picture: &Picture) -> String {
    let svg = picture.to_svg(1);
    let content = svg.split_once('\n').map_or("", |(_, content)| content);
    content.trim_end().trim_end_matches("</svg>").replace('\n', "")
}
