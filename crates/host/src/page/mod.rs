//! The page on which a guest plays in a browser.
//!
//! The host keeps a [`door::Client`] for each page, so the page receives only information that the
//! guest's seats may see. The page runs only its own script file. It shows all texts of mods and
//! guests as plain text, never as HTML.

mod show;
mod visit;

use std::sync::{Arc, Mutex, PoisonError};

use art::{Detail, Painter, TileVariant};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use table::{Facing, Loaded, TileIdx, TileSet};

pub(crate) use visit::serve_page;

const HTML: &str = include_str!("table.html");
const STYLE: &str = include_str!("table.css");
const SCRIPT: &str = include_str!("table.js");

/// The content security policy of the page. The page may load only its own files, its own pictures
/// and its own WebSocket. Inline scripts do not run, the page cannot contact other sites, and other
/// sites cannot show it in a frame.
const PAGE_CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The width of a tile in pixels for which the pictures have enough detail.
const TILE_WIDTH: u32 = 160;

type Headers = [(HeaderName, &'static str); 5];

fn headers(kind: &'static str, cache: &'static str) -> Headers {
    [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, PAGE_CSP),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, cache),
    ]
}

/// Returns the HTML file of the page.
pub(crate) fn html() -> impl IntoResponse {
    (headers("text/html; charset=utf-8", "no-cache"), HTML)
}

/// Returns the style sheet of the page.
pub(crate) async fn style() -> impl IntoResponse {
    (headers("text/css; charset=utf-8", "no-cache"), STYLE)
}

/// Returns the script of the page.
pub(crate) async fn script() -> impl IntoResponse {
    (headers("text/javascript; charset=utf-8", "no-cache"), SCRIPT)
}

/// The artwork of a table's tiles and pieces, with a key that changes when the artwork changes.
#[derive(Clone)]
pub(crate) struct Artwork {
    pub painter: Arc<Painter>,
    /// The number of tile types.
    pub n_tiles: usize,
    /// A part of the addresses of pictures. Browsers may cache a picture with this key for ever.
    pub key: Arc<str>,
}

/// The artwork of a table, shared by the server and the thread that owns the table. The painter is
/// created when a page first needs it, and again after the mods have changed.
#[derive(Clone, Default)]
pub(crate) struct SharedArtwork(Arc<Mutex<Option<ArtworkOfMods>>>);

/// The mods in play, and their artwork; `None` until a page needs it.
type ArtworkOfMods = (Arc<Loaded>, Option<Artwork>);

impl SharedArtwork {
    /// Sets the mods in play.
    pub(crate) fn set_mods(&self, loaded: &Arc<Loaded>) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !shared.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, loaded)) {
            *shared = Some((loaded.clone(), None));
        }
    }

    /// Returns the artwork of the mods in play; `None` before the first call of
    /// [`set_mods`](Self::set_mods).
    pub(crate) fn latest(&self) -> Option<Artwork> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (loaded, artwork) = shared.as_mut()?;
        Some(artwork.get_or_insert_with(|| Artwork::new(loaded)).clone())
    }

    /// Returns the artwork if it fits `tile_set`, otherwise `None`. The game of a client that has
    /// not received new rules yet may have other tiles.
    pub fn of_tiles(&self, tile_set: &TileSet) -> Option<Artwork> {
        let fits = |(loaded, _): &ArtworkOfMods| loaded.catalogue().tile_set == *tile_set;
        let is_current = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(fits);
        if is_current { self.latest() } else { None }
    }
}

impl Artwork {
    fn new(loaded: &Loaded) -> Artwork {
        let (tile_set, theme) = (&loaded.catalogue().tile_set, loaded.theme());
        let painter = Painter::new(tile_set, theme, theme.suggested_palette());
        let key = format!("{:016x}", fastrand::u64(..));
        Artwork { painter: Arc::new(painter), n_tiles: tile_set.tiles.len(), key: key.into() }
    }
}

/// Returns a picture of a table as SVG. `name` is `tile-N-DEGREES.svg` or `back.svg`, where `N` is
/// the number of a tile type.
pub(crate) fn picture(artwork: Option<&Artwork>, key: &str, name: &str) -> Response {
    let Some((artwork, svg)) = artwork.and_then(|artwork| Some((artwork, svg(artwork, name)?))) else {
        return (StatusCode::NOT_FOUND, "There is no such picture.\n").into_response();
    };
    // With an old key in the address, the response is the new picture. Browsers must not cache it
    // under this address.
    let cache = if *key == *artwork.key { "public, max-age=31536000, immutable" } else { "no-store" };
    (headers("image/svg+xml", cache), svg).into_response()
}

fn svg(Artwork { painter, n_tiles, .. }: &Artwork, name: &str) -> Option<String> {
    let name = name.strip_suffix(".svg")?;
    if name == "back" {
        return Some(painter.tile_back().to_svg(TILE_WIDTH));
    }
    let (tile, degrees) = name.strip_prefix("tile-")?.split_once('-')?;
    let tile: u16 = tile.parse().ok().filter(|tile| usize::from(*tile) < *n_tiles)?;
    let facing = Facing::ALL.into_iter().find(|facing| facing.degrees().to_string() == degrees)?;
    let picture = painter.tile(TileIdx(tile), facing, TileVariant::default(), Detail::for_width(TILE_WIDTH));
    Some(picture.to_svg(TILE_WIDTH))
}
