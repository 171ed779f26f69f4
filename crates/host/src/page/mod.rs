//! The page with which a guest plays in a browser.
//!
//! The page is a view of a [`door::Client`] that the host keeps for it, so it receives only what
//! the guest's seats may see. It runs no script but its own file, and shows all texts of mods and
//! guests as text.

mod show;
mod visit;

use std::sync::{Arc, Mutex, PoisonError};

use art::{Detail, Painter};
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

/// The policy of the page: it may load its own files, its own pictures, and its own WebSocket.
/// Inline scripts do not run, no other site can be asked, and no other site can show the page in a
/// frame.
const PAGE_CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The width of a tile for whose detail the pictures are drawn, in pixels.
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

/// Returns the page itself.
pub(crate) fn html() -> impl IntoResponse {
    (headers("text/html; charset=utf-8", "no-cache"), HTML)
}

/// Returns the style of the page.
pub(crate) async fn style() -> impl IntoResponse {
    (headers("text/css; charset=utf-8", "no-cache"), STYLE)
}

/// Returns the script of the page.
pub(crate) async fn script() -> impl IntoResponse {
    (headers("text/javascript; charset=utf-8", "no-cache"), SCRIPT)
}

/// The look of a table's tiles and pieces, and a key that changes with it.
#[derive(Clone)]
pub(crate) struct Artwork {
    pub painter: Arc<Painter>,
    /// The number of tile types.
    pub n_tiles: usize,
    /// A part of the addresses of pictures, which browsers may keep for ever.
    pub key: Arc<str>,
}

/// The artwork of a table, shared by the thread that owns the table and the server. A painter is
/// made when a page first needs it, and again when the mods have changed.
#[derive(Clone, Default)]
pub(crate) struct SharedArtwork(Arc<Mutex<Option<ArtworkOfMods>>>);

/// The mods in play, and their artwork once a page has needed it.
type ArtworkOfMods = (Arc<Loaded>, Option<Artwork>);

impl SharedArtwork {
    /// Uses these mods from now on.
    pub fn set_mods(&self, loaded: &Arc<Loaded>) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !shared.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, loaded)) {
            *shared = Some((loaded.clone(), None));
        }
    }

    /// Returns the artwork of the mods in play; `None` before the first guest has connected.
    pub fn latest(&self) -> Option<Artwork> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (loaded, artwork) = shared.as_mut()?;
        Some(artwork.get_or_insert_with(|| Artwork::new(loaded)).clone())
    }

    /// Returns the artwork if it fits `tile_set`. A client that has not yet received new rules may
    /// have other tiles.
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

/// Returns the picture `name` of a table as SVG: `tile-N-DEGREES.svg` or `back.svg`.
pub(crate) fn picture(artwork: Option<&Artwork>, key: &str, name: &str) -> Response {
    let Some((artwork, svg)) = artwork.and_then(|artwork| Some((artwork, svg(artwork, name)?))) else {
        return (StatusCode::NOT_FOUND, "There is no such picture.\n").into_response();
    };
    // An address with an old key shows the new picture, which must not be kept under that address.
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
    let picture = painter.tile(TileIdx(tile), facing, 0, Detail::for_width(TILE_WIDTH));
    Some(picture.to_svg(TILE_WIDTH))
}
