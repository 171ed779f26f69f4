//! What tells seats apart: a colour and a symbol each, so that nobody has to see colours.

use kurbo::{BezPath, Circle, Point, Shape};
use theme::Colour;

use crate::picture::polygon;

/// The symbol of a seat, drawn on the chest of its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// No symbol, as for pieces that belong to nobody.
    None,
    /// A circle.
    Circle,
    /// A triangle, point up.
    Triangle,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
    /// An upright cross.
    Cross,
    /// A star of five points.
    Star,
    /// A hexagon.
    Hexagon,
    /// A drop of water.
    Drop,
}

impl Symbol {
    /// The symbols in seat order.
    pub const ALL: [Symbol; 8] = [
        Symbol::Circle,
        Symbol::Triangle,
        Symbol::Square,
        Symbol::Diamond,
        Symbol::Cross,
        Symbol::Star,
        Symbol::Hexagon,
        Symbol::Drop,
    ];

    /// Returns what it is called.
    pub fn name(self) -> &'static str {
        match self {
            Symbol::None => "none",
            Symbol::Circle => "circle",
            Symbol::Triangle => "triangle",
            Symbol::Square => "square",
            Symbol::Diamond => "diamond",
            Symbol::Cross => "cross",
            Symbol::Star => "star",
            Symbol::Hexagon => "hexagon",
            Symbol::Drop => "drop",
        }
    }

    /// Its outline around `centre`; it fits a circle of `radius` and all symbols look equally large. Empty for [`Symbol::None`].
    pub fn outline(self, centre: Point, radius: f64) -> BezPath {
        let around = |n: usize, start: f64, r: f64| -> Vec<Point> {
            let angle = |i: usize| (start + 360.0 * i as f64 / n as f64).to_radians();
            (0..n).map(|i| Point::new(centre.x + r * angle(i).cos(), centre.y + r * angle(i).sin())).collect()
        };
        match self {
            Symbol::None => BezPath::new(),
            Symbol::Circle => Circle::new(centre, radius * 0.8).to_path(0.001),
            Symbol::Triangle => {
                let lower = Point::new(centre.x, centre.y + radius * 0.18);
                let points = around(3, -90.0, radius).into_iter().map(|p| p + (lower - centre));
                polygon(&points.collect::<Vec<_>>())
            }
            Symbol::Square => polygon(&around(4, 45.0, radius * 0.98)),
            Symbol::Diamond => polygon(&around(4, 0.0, radius)),
            Symbol::Hexagon => polygon(&around(6, 0.0, radius * 0.9)),
            Symbol::Star => {
                let (outer, inner) = (around(5, -90.0, radius), around(5, -54.0, radius * 0.42));
                polygon(&outer.into_iter().zip(inner).flat_map(|(a, b)| [a, b]).collect::<Vec<_>>())
            }
            Symbol::Cross => {
                let (a, b) = (radius * 0.9, radius * 0.3);
                let at = |x: f64, y: f64| Point::new(centre.x + x, centre.y + y);
                let arm = [(-b, -a), (b, -a), (b, -b), (a, -b), (a, b), (b, b), (b, a), (-b, a), (-b, b), (-a, b)];
                let points = arm.iter().copied().chain([(-a, -b), (-b, -b)]).map(|(x, y)| at(x, y));
                polygon(&points.collect::<Vec<_>>())
            }
            Symbol::Drop => {
                let at = |x: f64, y: f64| Point::new(centre.x + x * radius, centre.y + y * radius);
                let mut path = BezPath::new();
                path.move_to(at(0.0, -1.0));
                path.curve_to(at(0.25, -0.45), at(0.66, -0.1), at(0.66, 0.3));
                path.curve_to(at(0.66, 0.68), at(0.37, 0.95), at(0.0, 0.95));
                path.curve_to(at(-0.37, 0.95), at(-0.66, 0.68), at(-0.66, 0.3));
                path.curve_to(at(-0.66, -0.1), at(-0.25, -0.45), at(0.0, -1.0));
                path.close_path();
                path
            }
        }
    }
}

/// Colours that stay apart for every sort of colour blindness, in seat order; every prefix is as far apart as can be.
const SAFE: [u32; 8] = [0x0072b2, 0xd55e00, 0xffffff, 0x1a1a1a, 0x56b4e9, 0x713b17, 0x332288, 0xf0e442];

/// The colours people know from the table, in seat order, then what is left.
const TRADITIONAL: [u32; 8] = [0xd3221f, 0x1e6fd0, 0xf2d21b, 0x2f9a35, 0x242322, 0xe98fb0, 0xf08c1a, 0x7a4bb0];

/// Returns the colour of seat `n` (from 0), in a set that is safe for colour-blind eyes; after eight seats they begin again.
pub fn seat_colour(n: usize) -> [u8; 3] {
    Colour::hex(SAFE[n % SAFE.len()]).rgb()
}

/// Returns the colour of seat `n` (from 0) in the traditional set: red, blue, yellow, green, black and three more.
pub fn traditional_colour(n: usize) -> [u8; 3] {
    Colour::hex(TRADITIONAL[n % TRADITIONAL.len()]).rgb()
}

/// What the colours that players are called after look like, in a set that everybody can tell apart and in the traditional one.
const NAMED: [(&str, [u32; 2]); 11] = [
    ("red", [0xd55e00, 0xd81f1a]),
    ("blue", [0x0072b2, 0x1f6fd0]),
    ("green", [0x009e73, 0x1d932c]),
    ("yellow", [0xf0e442, 0xf2d61d]),
    ("black", [0x1a1a1a, 0x222222]),
    ("pink", [0xcc79a7, 0xf082b4]),
    ("orange", [0xe69f00, 0xf58a1f]),
    ("white", [0xffffff, 0xfffcf0]),
    ("brown", [0x713b17, 0x7a4520]),
    ("purple", [0x332288, 0x703ab5]),
    ("grey", [0x8a8a8a, 0x8a8a8a]),
];

/// Returns what a colour that a player is called after looks like: in a set that everybody can tell apart, and in the traditional one.
pub fn named_colour(name: &str) -> Option<[[u8; 3]; 2]> {
    let (_, both) = NAMED.iter().find(|(known, _)| *known == name)?;
    Some(both.map(|colour| Colour::hex(colour).rgb()))
}

/// Returns the symbol of seat `n` (from 0); after eight seats they begin again.
pub fn seat_symbol(n: usize) -> Symbol {
    Symbol::ALL[n % Symbol::ALL.len()]
}
