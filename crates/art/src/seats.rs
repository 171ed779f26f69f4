//! The colours and symbols of seats. The symbols let players tell seats apart without seeing
//! colours.

use kurbo::{BezPath, Circle, Point, Shape};
use theme::Colour;

use crate::picture::polygon;

/// The symbol of a seat, drawn on the chest of its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// No symbol, as for pieces without an owner.
    None,
    /// A circle.
    Circle,
    /// A triangle with a point at the top.
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

    /// Returns the name of the symbol in lower case.
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

    /// Returns the outline of the symbol around `centre`, within a circle with the given radius.
    /// All symbols look equally large. The outline of [`Symbol::None`] is empty.
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

/// The colours after which players are named, each in the colour-blind safe set and in the
/// traditional set. Each colour looks like its name. The colours of the safe set also differ in
/// lightness.
const COLOURS: [(&str, [u32; 2]); 11] = [
    ("red", [0xb5120c, 0xd81f1a]),
    ("blue", [0x1a4bac, 0x1f6fd0]),
    ("green", [0x54ab70, 0x1d932c]),
    ("yellow", [0xfbe610, 0xf2d61d]),
    ("black", [0x141414, 0x222222]),
    ("pink", [0xf08ac6, 0xf082b4]),
    ("orange", [0xf0640a, 0xf58a1f]),
    ("white", [0xffffff, 0xfffcf0]),
    ("brown", [0x94683a, 0x7a4520]),
    ("purple", [0xa277dd, 0x703ab5]),
    ("grey", [0x8a8a8a, 0x8a8a8a]),
];

/// The safe colours in seat order, as positions in [`COLOURS`]: blue, red, white, black, green,
/// pink, yellow, orange. In this order, each colour differs from the earlier colours as clearly as
/// possible.
const SAFE_COLOURS: [usize; 8] = [1, 0, 7, 4, 2, 5, 3, 6];

/// The traditional colours in seat order, as positions in [`COLOURS`]: red, blue, yellow, green,
/// black, pink, orange, purple.
const TRADITIONAL_COLOURS: [usize; 8] = [0, 1, 3, 2, 4, 5, 6, 9];

/// Returns the colour of seat `n`, counted from 0, in the colour-blind safe set. Colours repeat
/// after eight seats.
pub fn seat_colour(n: usize) -> [u8; 3] {
    let (_, [safe, _]) = COLOURS[SAFE_COLOURS[n % SAFE_COLOURS.len()]];
    Colour::hex(safe).rgb()
}

/// Returns the colour of seat `n`, counted from 0, in the traditional set. Colours repeat after
/// eight seats.
pub fn traditional_colour(n: usize) -> [u8; 3] {
    let (_, [_, traditional]) = COLOURS[TRADITIONAL_COLOURS[n % TRADITIONAL_COLOURS.len()]];
    Colour::hex(traditional).rgb()
}

/// Returns the colour called `name` in the safe set and in the traditional set; `None` if no colour
/// has this name.
pub fn named_colour(name: &str) -> Option<[[u8; 3]; 2]> {
    let (_, both) = COLOURS.iter().find(|(known, _)| *known == name)?;
    Some(both.map(|colour| Colour::hex(colour).rgb()))
}

/// Returns the symbol of seat `n`, counted from 0. Symbols repeat after eight seats.
pub fn seat_symbol(n: usize) -> Symbol {
    Symbol::ALL[n % Symbol::ALL.len()]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Matrices for colour vision: normal vision, and vision without each of the three kinds of
    /// cones (Machado, Oliveira and Fernandes, 2009).
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn times(matrix: &[[f64; 3]; 3], by: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(by).map(|(a, b)| a * b).sum())
    }

    /// Converts an sRGB colour to Oklab, as people with the colour vision `eyes` see it.
    fn seen(colour: [u8; 3], eyes: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = colour.map(|c| (f64::from(c) / 255.0).powf(2.2));
        let rgb = times(eyes, linear).map(|c| c.clamp(0.0, 1.0));
        let cones = times(
            &[
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ],
            rgb,
        );
        times(
            &[
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ],
            cones.map(f64::cbrt),
        )
    }

    /// Returns the smallest distance between any two of the first `n` colours, for normal and
    /// colour-blind eyes. The unit is a hundredth of the distance from black to white.
    fn least_distance(n: usize) -> i64 {
        let nearest = EYES.iter().flat_map(|eyes| {
            let all: Vec<_> = COLOURS[..n].iter().map(|(_, [safe, _])| seen(Colour::hex(*safe).rgb(), eyes)).collect();
            let distance = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs.map(|(i, j)| (distance(&all[i], &all[j]).sqrt() * 100.0) as i64).collect::<Vec<_>>()
        });
        nearest.min().unwrap_or_default()
    }

    #[test]
    fn safe_colours_are_apart_for_all_eyes() {
        assert!(least_distance(5) >= 17, "{}", least_distance(5));
        assert!(least_distance(8) >= 9, "{}", least_distance(8));
    }

    #[test]
    fn each_colour_looks_like_its_name() {
        let hues = [("red", -12..=12), ("orange", 15..=40), ("yellow", 45..=62), ("green", 95..=150)];
        let more = [("blue", 205..=235), ("purple", 255..=285), ("pink", 315..=348)];
        for (name, hues) in hues.into_iter().chain(more) {
            for colour in named_colour(name).unwrap() {
                let [r, g, b] = colour.map(f64::from);
                // The hue on the usual colour circle, in degrees.
                let hue = (3f64.sqrt() * (g - b)).atan2(2.0 * r - g - b).to_degrees().round() as i32;
                assert!([hue, hue + 360].iter().any(|hue| hues.contains(hue)), "{name} has the hue {hue}");
            }
        }
    }

    #[test]
    fn seats_have_colours_of_the_table() {
        assert_eq!(Some(seat_colour(1)), named_colour("red").map(|[safe, _]| safe));
        assert_eq!(Some(traditional_colour(3)), named_colour("green").map(|[_, traditional]| traditional));
    }
}
