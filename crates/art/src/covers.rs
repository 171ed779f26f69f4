//! Chooses the style of each kind of land, and the colour and pattern of coloured land.

use board::{EdgeStyle, Kind, TileSet};
use theme::{Colour, LandPattern, LandStyle, Theme};

use crate::rng::PaintRng;

/// The colours and the pattern of land of the style [`LandStyle::Coloured`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cover {
    /// The colour of the land.
    pub colour: Colour,
    /// The colour of the land's border.
    pub edge: Colour,
    /// The pattern on the land.
    pub pattern: LandPattern,
}

/// The colours for kinds to which the theme gives none. They differ in hue and brightness from one
/// another and from the default colours of grass, towns, paths and water.
const COLOURS: [Colour; 12] = [
    Colour::hex(0x8a5a9e),
    Colour::hex(0xd9a21b),
    Colour::hex(0x2d8c80),
    Colour::hex(0xd67a95),
    Colour::hex(0x6d737c),
    Colour::hex(0x33343d),
    Colour::hex(0xb3a4dc),
    Colour::hex(0x744f35),
    Colour::hex(0x4a5398),
    Colour::hex(0xc23a8e),
    Colour::hex(0x8a2c4a),
    Colour::hex(0xebe6da),
];

/// The patterns for kinds to which the theme gives none.
const PATTERNS: [LandPattern; 8] = [
    LandPattern::Rows,
    LandPattern::Dots,
    LandPattern::Chevrons,
    LandPattern::Crosses,
    LandPattern::Waves,
    LandPattern::Checks,
    LandPattern::Slopes,
    LandPattern::Rings,
];

/// A colour and a pattern of a kind, as indices of [`COLOURS`] and [`PATTERNS`].
struct UsedCover {
    colour: Option<usize>,
    pattern: Option<usize>,
}

/// Returns the style of each kind of the tile set, and the cover of each kind whose style is
/// [`LandStyle::Coloured`].
///
/// A kind has the style that the theme gives it. Otherwise, the first kind with each edge style has
/// a default style, if the theme gives it neither a colour nor a pattern. All other kinds are
/// coloured. The name of a kind determines its colour and pattern, unless another kind uses them
/// already.
pub(crate) fn styles_and_covers(tile_set: &TileSet, theme: &Theme) -> Vec<(LandStyle, Option<Cover>)> {
    let styles: Vec<LandStyle> = tile_set.kinds.iter().map(|kind| style(tile_set, theme, kind)).collect();
    // Reserves the colours and patterns that the theme gives to any kind, so that no earlier kind
    // gets them.
    let coloured = tile_set.kinds.iter().zip(&styles).filter(|(_, style)| **style == LandStyle::Coloured);
    let of_theme = |(kind, _): (&Kind, &LandStyle)| UsedCover {
        colour: theme.kind_colour(&kind.name).map(nearest_colour),
        pattern: theme.kind_pattern(&kind.name).and_then(|own| PATTERNS.iter().position(|it| *it == own)),
    };
    let mut used: Vec<UsedCover> = coloured.map(of_theme).collect();
    let mut looks = Vec::with_capacity(styles.len());
    for (kind, style) in tile_set.kinds.iter().zip(styles) {
        let cover = (style == LandStyle::Coloured).then(|| {
            let (own_colour, own_pattern) = (theme.kind_colour(&kind.name), theme.kind_pattern(&kind.name));
            let (colour, pattern) = choose(&kind.name, own_colour.map(nearest_colour), &used);
            used.push(UsedCover { colour: Some(colour), pattern: own_pattern.is_none().then_some(pattern) });
            let colour = own_colour.unwrap_or(COLOURS[colour]);
            let edge = theme.kind_edge(&kind.name).unwrap_or(colour.darken(0.45));
            Cover { colour, edge, pattern: own_pattern.unwrap_or(PATTERNS[pattern]) }
        });
        looks.push((style, cover));
    }
    looks
}

fn style(tile_set: &TileSet, theme: &Theme, kind: &Kind) -> LandStyle {
    let is_first = || tile_set.kinds.iter().find(|it| it.edge == kind.edge).is_some_and(|it| it.name == kind.name);
    let is_coloured = theme.kind_colour(&kind.name).is_some() || theme.kind_pattern(&kind.name).is_some();
    theme.style(&kind.name).unwrap_or_else(|| match kind.edge {
        _ if is_coloured || !is_first() => LandStyle::Coloured,
        EdgeStyle::Full => LandStyle::Walled,
        EdgeStyle::Line => LandStyle::Path,
        EdgeStyle::Ground => LandStyle::Ground,
        EdgeStyle::Inside => LandStyle::Building,
    })
}

/// Returns the index of the colour of [`COLOURS`] that is nearest to `colour`.
fn nearest_colour(colour: Colour) -> usize {
    let distance = |other: &Colour| -> u32 {
        colour.rgb().into_iter().zip(other.rgb()).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    (1..COLOURS.len()).fold(0, |best, i| if distance(&COLOURS[i]) < distance(&COLOURS[best]) { i } else { best })
}

/// Chooses a colour and a pattern for the kind called `name`, as indices of [`COLOURS`] and
/// [`PATTERNS`]. Tries, in this order: a colour and a pattern that no kind in `used` has; a new
/// colour; a new pair of colour and pattern. If `colour` is given, chooses only the pattern.
fn choose(name: &str, colour: Option<usize>, used: &[UsedCover]) -> (usize, usize) {
    let seed = PaintRng::seed(name, 0);
    let pick = |seed: u64, n: usize| (seed % n as u64) as usize;
    let first = (pick(seed, COLOURS.len()), pick(seed >> 32, PATTERNS.len()));
    // Yields every pair once: the colour and the pattern advance at every step, and the pattern
    // advances one more step after each round of the colours.
    let pairs = || {
        (0..COLOURS.len() * PATTERNS.len()).map(move |i| {
            let pattern = (first.1 + i + i / COLOURS.len()) % PATTERNS.len();
            (colour.unwrap_or((first.0 + i) % COLOURS.len()), pattern)
        })
    };
    let is_new_colour = |(it, _): &(usize, usize)| colour.is_some() || used.iter().all(|used| used.colour != Some(*it));
    let is_new_pattern = |(_, it): &(usize, usize)| used.iter().all(|used| used.pattern != Some(*it));
    let is_new_pair = |(colour, pattern): &(usize, usize)| {
        used.iter().all(|used| used.colour != Some(*colour) || used.pattern != Some(*pattern))
    };
    pairs()
        .find(|pair| is_new_colour(pair) && is_new_pattern(pair))
        .or_else(|| pairs().find(|pair| is_new_colour(pair) && is_new_pair(pair)))
        .or_else(|| pairs().find(is_new_pair))
        .unwrap_or(first)
}
