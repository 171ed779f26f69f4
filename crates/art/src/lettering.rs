//! Draws letters as lines, so that pictures with text need no font.

use kurbo::{BezPath, Point};
use theme::Colour;

use crate::picture::Picture;

/// Returns the lines of a letter in a box of 4 by 6 units. Each point is a pair of digits, `x` and
/// `y`. The character `|` separates the lines.
fn letter_strokes(letter: char) -> &'static str {
    match without_accent(letter).to_ascii_uppercase() {
        'A' => "06 20 46|14 34",
        'B' => "06 00 30 41 42 33 03|33 44 45 36 06",
        'C' => "41 30 10 01 05 16 36 45",
        'D' => "00 06 26 44 42 20 00",
        'E' => "40 00 06 46|03 33",
        'F' => "40 00 06|03 33",
        'G' => "41 30 10 01 05 16 36 45 43 23",
        'H' => "00 06|40 46|03 43",
        'I' => "20 26",
        'J' => "40 45 36 16 05",
        'K' => "00 06|40 03 46",
        'L' => "00 06 46",
        'M' => "06 00 24 40 46",
        'N' => "06 00 46 40",
        'O' => "10 30 41 45 36 16 05 01 10",
        'P' => "06 00 30 41 42 33 03",
        'Q' => "10 30 41 45 36 16 05 01 10|24 46",
        'R' => "06 00 30 41 42 33 03|23 46",
        'S' => "41 30 10 01 02 13 33 44 45 36 16 05",
        'T' => "00 40|20 26",
        'U' => "00 05 16 36 45 40",
        'V' => "00 26 40",
        'W' => "00 16 22 36 40",
        'X' => "00 46|40 06",
        'Y' => "00 23 40|23 26",
        'Z' => "00 40 06 46",
        '0' => "10 30 41 45 36 16 05 01 10|14 32",
        '1' => "11 20 26|16 36",
        '2' => "01 10 30 41 42 06 46",
        '3' => "01 10 30 41 42 33 13|33 44 45 36 16 05",
        '4' => "36 30 04 44",
        '5' => "40 00 03 33 44 45 36 06",
        '6' => "40 20 02 05 16 36 45 44 33 03",
        '7' => "00 40 16",
        '8' => "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
        '9' => "43 13 02 01 10 30 41 44 26 06",
        '-' => "13 33",
        '_' => "06 46",
        '/' => "06 40",
        '.' => "26 25",
        ',' => "25 17",
        ':' => "22 21|25 24",
        '*' => "12 34|32 14|21 25",
        '+' => "13 33|22 24",
        '#' => "10 16|30 36|02 42|04 44",
        '?' => "01 10 30 41 42 24|26 26",
        '!' => "20 23|26 25",
        '\'' | '\u{2018}' | '\u{2019}' => "20 21",
        '"' | '\u{201c}' | '\u{201d}' => "10 11|30 31",
        '(' => "30 21 25 36",
        ')' => "10 21 25 16",
        ';' => "22 21|25 17",
        '=' => "12 32|14 34",
        '&' => "46 12 11 20 31 12 04 15 26 44",
        '%' => "06 40|10 11|35 36",
        '\u{2013}' | '\u{2014}' | '\u{2212}' => "03 43",
        '\u{d7}' => "12 34|32 14",
        '\u{2026}' => "06 05|26 25|46 45",
        _ => "",
    }
}

/// Returns a letter of Latin-1 without its accent. Returns any other character unchanged.
fn without_accent(letter: char) -> char {
    match letter {
        'À'..='Å' | 'à'..='å' => 'A',
        'Ç' | 'ç' => 'C',
        'È'..='Ë' | 'è'..='ë' => 'E',
        'Ì'..='Ï' | 'ì'..='ï' => 'I',
        'Ñ' | 'ñ' => 'N',
        'Ò'..='Ö' | 'Ø' | 'ò'..='ö' | 'ø' => 'O',
        'Ù'..='Ü' | 'ù'..='ü' => 'U',
        'Ý' | 'ý' | 'ÿ' => 'Y',
        other => other,
    }
}

impl Picture {
    /// Writes `text` from `left` to the right, with letters of the given height above the line
    /// `base`. All lengths are in units of the picture. Draws Latin letters (as capitals without
    /// accents), digits and usual signs; for any other character, leaves a space.
    pub fn write(&mut self, text: &str, left: f64, base: f64, height: f64, colour: Colour) {
        let unit = height / 6.0;
        for (i, letter) in text.chars().enumerate() {
            let origin = Point::new(left + i as f64 * height * 0.95, base - height);
            for line in letter_strokes(letter).split('|') {
                let mut path = BezPath::new();
                for (n, pair) in line.split(' ').enumerate() {
                    let mut digits = pair.chars().filter_map(|d| d.to_digit(10));
                    let (Some(x), Some(y)) = (digits.next(), digits.next()) else { continue };
                    let point = Point::new(origin.x + f64::from(x) * unit, origin.y + f64::from(y) * unit);
                    if n == 0 { path.move_to(point) } else { path.line_to(point) }
                }
                if !path.elements().is_empty() {
                    self.line(path, colour, height * 0.16);
                }
            }
        }
    }

    /// Returns the width of `text` in letters of the given height, in the unit of `height`.
    pub fn width_of(text: &str, height: f64) -> f64 {
        text.chars().count().saturating_sub(1) as f64 * height * 0.95 + height * 0.667
    }

    /// Writes `text` centred on `centre`. Uses letters smaller than `height` if the text would be
    /// wider than `room`.
    pub(crate) fn write_centred(&mut self, text: &str, centre: Point, height: f64, room: f64, colour: Colour) {
        let height = height * (room / Picture::width_of(text, height)).min(1.0);
        let left = centre.x - Picture::width_of(text, height) / 2.0;
        self.write(text, left, centre.y + height / 2.0, height, colour);
    }
}
