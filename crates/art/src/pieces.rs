//! Pieces and icons: what stands and lies on tiles and is shown in panels.

use kurbo::{Affine, Point, Rect};

use crate::colour::Colour;
use crate::painter::Painter;
use crate::picture::Picture;
use crate::seats::Symbol;

/// How a piece is placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pose {
    /// On its feet.
    Standing,
    /// On its back: it stays where it is.
    Lying,
}

impl Painter {
    /// A piece in a unit square, with a double outline and the symbol of its seat on its chest.
    pub fn piece(&self, name: &str, pose: Pose, colour: [u8; 3], symbol: Symbol) -> Picture {
        let (_, _) = (name, pose);
        let mut picture = Picture::default();
        let centre = Point::new(0.5, 0.5);
        picture.disc(centre, 0.45, self.palette.ink);
        picture.disc(centre, 0.42, Colour::hex(0xffffff));
        picture.disc(centre, 0.38, colour.into());
        picture.fill(symbol.outline(centre, 0.2), Colour::hex(0xffffff));
        picture
    }

    /// The back of a tile.
    pub fn back(&self) -> Picture {
        let mut picture = Picture::default();
        picture.rect(Rect::new(0.0, 0.0, 1.0, 1.0), self.palette.back);
        picture
    }

    /// The icon of a tag, or of one of its words.
    pub fn icon_of_tag(&self, tag: &str, word: Option<&str>) -> Picture {
        let key = word.map_or("icon".to_owned(), |w| format!("icon.{w}"));
        let icon = self.theme.icon("tag", tag, &key).or_else(|| self.theme.icon("tag", tag, "icon"));
        let mut picture = Picture::default();
        if let Some(Some(icon)) = icon {
            picture.put(&icon.tinted(self.palette.ink), Affine::IDENTITY);
        }
        picture
    }

    /// The icon of a token.
    pub fn icon_of_token(&self, token: &str) -> Picture {
        let _ = token;
        Picture::default()
    }

    /// The icon of a pile.
    pub fn icon_of_pile(&self, pile: &str) -> Picture {
        let _ = pile;
        Picture::default()
    }
}
