//! Colours, and functions that mix them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A colour in sRGB with straight alpha, 8 bits per channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity, from 0 (transparent) to 255 (opaque).
    pub a: u8,
}

impl Colour {
    /// Makes the opaque colour `0xrrggbb`.
    pub const fn hex(rgb: u32) -> Colour {
        Colour { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8, a: 255 }
    }

    /// Reads a colour of the form `#rgb`, `#rrggbb` or `#rrggbbaa`. Returns `None` for any other
    /// text.
    pub fn parse(text: &str) -> Option<Colour> {
        let digits = text.strip_prefix('#')?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        match digits.len() {
            3 => {
                // Each digit is doubled: `#abc` means `#aabbcc`.
                let channel = |shift: u32| (number >> shift & 15) as u8 * 0x11;
                Some(Colour::from([channel(8), channel(4), channel(0)]))
            }
            6 => Some(Colour::hex(number)),
            8 => Some(Colour { a: number as u8, ..Colour::hex(number >> 8) }),
            _ => None,
        }
    }

    /// Returns the same colour with opacity `alpha` (0 to 1).
    pub fn with_alpha(self, alpha: f64) -> Colour {
        Colour { a: (alpha.clamp(0.0, 1.0) * 255.0).round() as u8, ..self }
    }

    /// Returns this colour mixed with a fraction `t` (0 to 1) of `other`.
    pub fn mix(self, other: Colour, t: f64) -> Colour {
        let channel = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t).round() as u8;
        Colour {
            r: channel(self.r, other.r),
            g: channel(self.g, other.g),
            b: channel(self.b, other.b),
            a: channel(self.a, other.a),
        }
    }

    /// Returns a lighter tone. `t` is a number from 0 (the same colour) to 1 (white).
    pub fn lighten(self, t: f64) -> Colour {
        self.mix(Colour { a: self.a, ..Colour::hex(0xff_ffff) }, t)
    }

    /// Returns a darker tone. `t` is a number from 0 (the same colour) to 1 (black).
    pub fn darken(self, t: f64) -> Colour {
        self.mix(Colour { a: self.a, ..Colour::hex(0) }, t)
    }

    /// Returns the three channels without the opacity.
    pub fn rgb(self) -> [u8; 3] {
        [self.r, self.g, self.b]
    }

    /// Returns the contrast with another colour, from 1 (none) to 21 (black and white), by the
    /// formula of the Web Content Accessibility Guidelines. Ignores opacity.
    pub fn contrast(self, other: Colour) -> f64 {
        let luminance = |colour: Colour| {
            let [r, g, b] = colour.rgb().map(|channel| {
                let channel = f64::from(channel) / 255.0;
                if channel <= 0.03928 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (one, two) = (luminance(self), luminance(other));
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// Returns the perceived brightness, from 0 to 1.
    pub fn brightness(self) -> f64 {
        (0.299 * f64::from(self.r) + 0.587 * f64::from(self.g) + 0.114 * f64::from(self.b)) / 255.0
    }
}

impl From<[u8; 3]> for Colour {
    fn from([r, g, b]: [u8; 3]) -> Colour {
        Colour { r, g, b, a: 255 }
    }
}

/// Formats the colour as `#rrggbb`, without the opacity.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_written() {
        assert_eq!(Colour::parse("#fa3"), Some(Colour::hex(0xff_aa33)));
        assert_eq!(Colour::parse("#0072b280"), Some(Colour { a: 128, ..Colour::hex(0x0072b2) }));
        assert_eq!(Colour::hex(0x0072b2).to_string(), "#0072b2");
        for bad in ["", "red", "#12", "#12345", "#gggggg", "#+12345"] {
            assert_eq!(Colour::parse(bad), None, "{bad}");
        }
    }
}
