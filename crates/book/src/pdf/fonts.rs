//! The fonts of the PDF. They are the fonts of the window, so the build downloads none.

use std::collections::BTreeMap;
use std::rc::Rc;

use art::Colour;
use diagnostic::ExpectOrDefault as _;
use epaint_default_fonts::{HACK_REGULAR, NOTO_EMOJI_REGULAR, UBUNTU_LIGHT};
use harfrust::{FontRef, ShapeOptions, ShaperData, UnicodeBuffer};
use krilla::text::{Font, GlyphId, KrillaGlyph};

/// The maximum number of characters that are shaped together. Longer words are cut.
pub(crate) const MAX_TOGETHER: usize = 100;

/// The index of the font for text. If a font lacks a character, the others are tried in order.
const TEXT: usize = 0;
/// The index of the font for code.
const CODE: usize = 1;

/// The style of letters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lettering {
    /// The size in points.
    pub size: f64,
    pub colour: Colour,
    pub is_bold: bool,
    pub is_slanted: bool,
    pub is_code: bool,
}

impl Lettering {
    /// Returns the width of the outline of the letters, in points. The font has a single, light
    /// weight, so an outline makes the letters heavier.
    pub(crate) fn outline(self) -> f64 {
        self.size * if self.is_bold { 0.045 } else { 0.014 }
    }
}

/// Glyphs of one font for a text in one style.
#[derive(Clone, Debug)]
pub(crate) struct GlyphRun {
    pub font: usize,
    pub text: Rc<str>,
    pub glyphs: Rc<[KrillaGlyph]>,
    /// The width in points.
    pub width: f64,
    pub lettering: Lettering,
}

/// The fonts, with the texts shaped so far.
pub(crate) struct Fonts {
    loaded: Vec<LoadedFont>,
    /// The glyphs of texts, with their width in units of the letter size. The key is the index of
    /// the font, and the text.
    shaped: BTreeMap<(usize, Rc<str>), ShapedText>,
    /// The index of the first font that has a character. The second part of the key is true for
    /// code.
    font_of: BTreeMap<(char, bool), usize>,
}

/// The glyphs of a text and their width.
type ShapedText = (Rc<[KrillaGlyph]>, f64);

struct LoadedFont {
    font: Font,
    file: FontRef<'static>,
    shaper: ShaperData,
}

impl Fonts {
    pub(crate) fn new() -> Fonts {
        let load = |bytes: &'static [u8]| {
            let file = FontRef::new(bytes).ok()?;
            Some(LoadedFont { font: Font::new(bytes.into(), 0)?, shaper: ShaperData::new(&file), file })
        };
        let files = [UBUNTU_LIGHT, HACK_REGULAR, NOTO_EMOJI_REGULAR];
        let loaded: Option<Vec<LoadedFont>> = files.into_iter().map(load).collect();
        let loaded = loaded.expect_or_default("the fonts of the program are readable");
        Fonts { loaded, shaped: BTreeMap::new(), font_of: BTreeMap::new() }
    }

    /// Returns a font for writing; `None` if no font could be read.
    pub(crate) fn font(&self, i: usize) -> Option<Font> {
        self.loaded.get(i).map(|loaded| loaded.font.clone())
    }

    /// Returns the glyphs of a text without line breaks: one run for each font that it needs.
    pub(crate) fn runs(&mut self, text: &str, lettering: Lettering) -> Vec<GlyphRun> {
        let mut parts: Vec<(usize, String)> = Vec::new();
        for c in text.chars() {
            let font = self.font_of(c, lettering.is_code);
            match parts.last_mut() {
                Some((last, part)) if *last == font && part.len() < MAX_TOGETHER => part.push(c),
                _ => parts.push((font, c.to_string())),
            }
        }
        parts.into_iter().map(|(font, part)| self.run(font, part.into(), lettering)).collect()
    }

    /// Returns the width of a text in points.
    pub(crate) fn width(&mut self, text: &str, lettering: Lettering) -> f64 {
        self.runs(text, lettering).iter().map(|run| run.width).sum()
    }

    fn run(&mut self, font: usize, text: Rc<str>, lettering: Lettering) -> GlyphRun {
        let (glyphs, width) = match self.shaped.get(&(font, text.clone())) {
            Some(known) => known.clone(),
            None => {
                let new = self.shape(font, &text);
                self.shaped.insert((font, text.clone()), new.clone());
                new
            }
        };
        GlyphRun { font, text, glyphs, width: width * lettering.size, lettering }
    }

    /// Returns the first font that has a character; the font for text if none has it.
    fn font_of(&mut self, c: char, is_code: bool) -> usize {
        if let Some(known) = self.font_of.get(&(c, is_code)) {
            return *known;
        }
        let first = if is_code { CODE } else { TEXT };
        let fonts = std::iter::once(first).chain(0..self.loaded.len());
        let mut having = fonts.filter(|font| {
            let (glyphs, _) = self.shape(*font, c.encode_utf8(&mut [0; 4]));
            glyphs.iter().all(|glyph| glyph.glyph_id != GlyphId::new(0))
        });
        let font = having.next().unwrap_or(first);
        self.font_of.insert((c, is_code), font);
        font
    }

    fn shape(&self, font: usize, text: &str) -> ShapedText {
        let Some(loaded) = self.loaded.get(font) else { return (Rc::new([]), 0.0) };
        let shaper = loaded.shaper.shaper(&loaded.file).build();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let em = shaper.units_per_em().max(1) as f32;
        let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        starts.sort_unstable();
        let glyphs: Rc<[KrillaGlyph]> = shaped
            .glyph_infos()
            .iter()
            .zip(shaped.glyph_positions())
            .map(|(info, position)| {
                let start = info.cluster as usize;
                let end = starts.iter().copied().find(|other| *other > start).unwrap_or(text.len());
                let [across, x, y, down] =
                    [position.x_advance, position.x_offset, position.y_offset, position.y_advance]
                        .map(|length| length as f32 / em);
                KrillaGlyph::new(GlyphId::new(info.glyph_id), across, x, y, down, start..end, None)
            })
            .collect();
        let width = glyphs.iter().map(|glyph| f64::from(glyph.x_advance)).sum();
        (glyphs, width)
    }
}
