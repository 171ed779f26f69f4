//! The board as it is drawn at a position, computed once per revision and not once per frame.

use std::collections::BTreeMap;

use art::{Painter, Pose, Symbol, TileVariant};
use egui::{Pos2, Rect, Vec2, pos2, vec2};
use table::{
    Answer, AwaitedActor, Edge, ExpectOrDefault as _, Facing, FeatureRef, GameView, Location, OptionView, PieceRef,
    Placement, PromptKind, Seat, Snapshot, Spot, TagChange, TagPlace, ZoneRef,
};

use super::camera::{middle, point, square};
use crate::pictures::PictureSubject;
use crate::ui_context::UiContext;

/// The colour of neutral pieces.
pub const NEUTRAL: [u8; 3] = [150, 150, 146];

/// A piece as it is drawn on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The piece.
    pub piece: PieceRef,
    /// The owner; `None` for a neutral piece.
    pub owner: Option<Seat>,
    /// The centre of the picture, in tiles.
    pub middle: Pos2,
    /// The picture of the piece.
    pub what: PictureSubject,
    /// The feature for which the piece counts, if any.
    pub feature: Option<FeatureRef>,
}

/// A tag that changed during play, as an icon on the board.
#[derive(Clone, Debug)]
pub struct ChangedTag {
    /// The centre of the icon, in tiles.
    pub middle: Pos2,
    /// The icon of the tag.
    pub what: PictureSubject,
    /// True if the tag was removed during play.
    pub is_gone: bool,
}

/// The board as it is drawn at a position.
#[derive(Default)]
pub struct BoardCache {
    colours: Vec<[u8; 3]>,
    /// The bounds of all laid tiles, in tiles; `None` if there are no tiles.
    pub bounds: Option<Rect>,
    /// The legal spots of the drawn tile, each with its legal facings: bit `n` stands for `n`
    /// quarter turns.
    pub legal: Vec<(Spot, u8)>,
    /// The choices, except placements of the drawn tile, in the order of their keys.
    pub options: Vec<OptionView>,
    /// The zones of each tile on the board that belong to complete features, as the bits of
    /// [`TileVariant::complete`]; in the order of the tiles.
    pub complete: Vec<u32>,
    /// The edges of each tile on the board that touch no other tile: bit `n` stands for edge `n`,
    /// clockwise from north; in the order of the tiles.
    pub free_edges: Vec<u8>,
    /// The pieces, in the order in which they are drawn.
    pub figures: Vec<Figure>,
    /// The spot of the last tile of each player.
    pub last_laid: Vec<(Seat, Spot)>,
    /// The tiles of the last ten turns: for each tile, its spot, its player, and the number of
    /// turns that have passed since.
    pub recent: Vec<(Spot, Seat, u32)>,
    /// The tags that changed during play. The pictures of tiles do not show these changes.
    pub changes: Vec<ChangedTag>,
    /// The spot of the unconfirmed tile, if there is one.
    pub proposal: Option<Spot>,
    /// The player to move; `None` if no player is to move.
    pub asked: Option<Seat>,
    /// True if the user may make choices with the pointer.
    pub may_answer: bool,
}

/// Returns the position, in tiles, of piece number `n` on a zone, counted from 0. If the zone has
/// fewer places for pieces, the position is beside the first place.
pub fn piece_position(painter: &Painter, view: GameView<'_>, zone: ZoneRef, n: usize) -> Pos2 {
    let placed = view.tile_of_zone(zone);
    let shapes = painter.zones(placed.tile, placed.facing);
    let places = shapes.get(placed.local_index(zone)).map_or(&[][..], |shape| &shape.places[..]);
    let at = match places.get(n).or(places.first()) {
        Some([x, y]) => pos2(*x, *y),
        None => pos2(0.5, 0.5),
    };
    let n_more = n.saturating_sub(places.len().saturating_sub(1)) * usize::from(n >= places.len());
    let fan = vec2(0.13 * n_more as f32, -0.05 * n_more as f32);
    square(placed.spot).min + (at + fan).to_vec2()
}

/// Returns the offset, in tiles, of piece number `n` from the position that several pieces share.
/// `n` is at least 1; piece 1 has no offset.
fn stack_offset(n: usize) -> Vec2 {
    vec2(0.22, -0.1) * (n - 1) as f32
}

impl BoardCache {
    /// Computes the board as it is drawn at the current position.
    pub fn new(cx: &mut UiContext<'_>) -> BoardCache {
        let session = cx.session;
        let painter = cx.pictures.painter().clone();
        let mut cache = BoardCache { colours: cx.colours.clone(), ..BoardCache::default() };
        let view = session.view();
        cache.complete = view.tiles().iter().map(|placed| pictures::complete_zones(view, placed)).collect();
        let is_free = |spot: Spot, edge: usize| view.neighbour(spot, Edge::from_index(edge)).is_none();
        let free_edges = |spot: Spot| (0..4).fold(0, |set, edge| set | u8::from(is_free(spot, edge)) << edge);
        cache.free_edges = view.tiles().iter().map(|placed| free_edges(placed.spot)).collect();
        cache.bounds = view.tiles().iter().map(|t| square(t.spot)).reduce(Rect::union);
        for place in cx.insight.places(session).iter() {
            let bit = 1 << place.facing.quarters();
            match cache.legal.last_mut().filter(|(spot, _)| *spot == place.spot) {
                Some((_, facings)) => *facings |= bit,
                None => cache.legal.push((place.spot, bit)),
            }
        }
        cache.find_question(session);
        cache.find_figures(session, &painter);
        cache.find_history(session);
        cache.find_changes(session, &painter);
        cache
    }

    fn find_question(&mut self, session: &Snapshot) {
        let view = session.view();
        let Some(prompt) = view.prompt() else { return };
        self.asked = prompt.seat();
        self.may_answer = match session.awaited_actor() {
            AwaitedActor::Person(_) => session.guest_to_move().is_none(),
            // At a past position, the user may try any choice, even the choices of bots.
            AwaitedActor::Bot(_) => !session.is_live(),
            _ => false,
        };
        if self.asked.is_some() {
            self.options = view.option_views();
            let is_placing = matches!(prompt.kind, PromptKind::Place(_) | PromptKind::Source);
            self.proposal = view.tile_of_part().filter(|_| !is_placing).map(|tile| tile.spot);
        }
    }

    fn find_figures(&mut self, session: &Snapshot, painter: &Painter) {
        let view = session.view();
        let mut n_at: BTreeMap<Location, usize> = BTreeMap::new();
        for it in view.pieces() {
            let n = n_at.entry(it.place).or_default();
            *n += 1;
            let middle = match it.place {
                Location::Zone(zone) => piece_position(painter, view, zone, *n - 1),
                Location::Spot(spot) => square(spot).center() + stack_offset(*n),
                Location::Corner(corner) => point(corner) + stack_offset(*n),
                Location::Border(border) => middle(border) + stack_offset(*n),
                Location::Space(_) | Location::Kept(_) => continue,
            };
            let pose = if it.stays { Pose::Lying } else { Pose::Standing };
            let what = piece_subject(it.name, pose, it.owner, &self.colours);
            self.figures.push(Figure { piece: it.piece, owner: it.owner, middle, what, feature: it.feature });
        }
        // Pieces farther south are drawn later, so that they cover pieces farther north.
        self.figures.sort_by(|a, b| a.middle.y.total_cmp(&b.middle.y));
    }

    fn find_history(&mut self, session: &Snapshot) {
        let now = session.turn();
        for step in session.steps()[..session.position_index()].iter().rev() {
            let Some(spot) = step.laid else { continue };
            if self.last_laid.iter().all(|(seat, _)| *seat != step.player) {
                self.last_laid.push((step.player, spot));
            }
            let age = now.saturating_sub(step.turn);
            if age < 10 {
                self.recent.push((spot, step.player, age));
            }
        }
        self.last_laid.retain(|(_, spot)| session.view().tile_at(*spot).is_some());
    }

    fn find_changes(&mut self, session: &Snapshot, painter: &Painter) {
        let view = session.view();
        let change = |change: TagChange| {
            let middle = match change.place {
                TagPlace::Tile(spot) => square(spot).min + vec2(0.15, 0.85),
                // The icon of a zone's tag is beside the places for pieces.
                TagPlace::Zone(zone) => piece_position(painter, view, zone, 0) + vec2(0.14, 0.12),
            };
            ChangedTag { middle, what: PictureSubject::Tag(change.tag, change.word), is_gone: change.is_gone }
        };
        self.changes = view.tag_changes().into_iter().map(change).collect();
    }

    /// Returns the look of tile number `i` on the board.
    pub fn look(&self, i: usize) -> TileVariant {
        let complete = self.complete.get(i).copied().expect_or_default("the cache has all tiles of its position");
        TileVariant { copy: i as u32, complete }
    }

    /// Returns the legal facings of the drawn tile on `spot`, as the bits of [`BoardCache::legal`].
    pub fn facings(&self, spot: Spot) -> u8 {
        self.legal.iter().find(|(s, _)| *s == spot).map_or(0, |(_, facings)| *facings)
    }

    /// Returns the answer that places the tile on `spot` at `facing`; `None` if this placement is
    /// illegal.
    pub fn placement_at(&self, spot: Spot, facing: Facing) -> Option<Answer> {
        let fits = self.facings(spot) >> facing.quarters() & 1 == 1;
        fits.then_some(Answer::Place(Placement { spot, facing }))
    }
}

/// Returns the picture of a piece. `colours` contains the colour of each seat.
pub fn piece_subject(name: &str, pose: Pose, owner: Option<Seat>, colours: &[[u8; 3]]) -> PictureSubject {
    let symbol = owner.map_or(Symbol::None, |seat| art::seat_symbol(seat.idx()));
    let colour = owner.and_then(|seat| colours.get(seat.idx())).copied().unwrap_or(NEUTRAL);
    PictureSubject::Piece(name.to_owned(), pose, colour, symbol)
}
