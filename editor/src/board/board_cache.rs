//! What is to be drawn of a position, found once for each moment of the game and not in each frame.

use std::rc::Rc;

use art::{Painter, Pose, Symbol};
use board::{Board, Facing, FeatureRef, LayerIdx, Spot, TagOn, TileRef, ZoneRef};
use egui::{Pos2, Rect, pos2, vec2};
use rules::{Answer, Location, PieceRef, Question, Seat, State, Who};
use rustc_hash::FxHashMap;
use table::{Session, Waits};

use super::camera::square;
use crate::options::{self, Shown};
use crate::pictures::What;
use crate::ui_context::UiContext;

/// The colour of pieces that belong to nobody.
pub const NEUTRAL: [u8; 3] = [150, 150, 146];

/// A piece as it is drawn.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The piece.
    pub piece: PieceRef,
    /// Whose it is.
    pub owner: Option<Seat>,
    /// The spot it is on.
    pub spot: Spot,
    /// The middle of its picture, in tiles.
    pub middle: Pos2,
    /// Its picture.
    pub what: What,
    /// The feature on which it counts.
    pub feature: Option<FeatureRef>,
    /// Whether it lies there to the end.
    pub lies: bool,
}

/// A tag that was changed while playing.
#[derive(Clone, Debug)]
pub struct Change {
    /// The middle of its icon, in tiles.
    pub middle: Pos2,
    /// Its icon.
    pub what: What,
    /// Whether it was taken away.
    pub is_gone: bool,
}

/// What is to be drawn of a position.
#[derive(Default)]
pub struct BoardCache {
    colours: Vec<[u8; 3]>,
    /// The part of the board that is laid, in tiles.
    pub bounds: Option<Rect>,
    /// Where the drawn tile may lie, with the facings as bits.
    pub legal: Vec<(Spot, u8)>,
    /// The answers besides places for the tile, in the order of their keys.
    pub options: Vec<Shown>,
    /// The pieces.
    pub figures: Vec<Figure>,
    /// The spot each player laid a tile on last.
    pub last_laid: Vec<(Seat, Spot)>,
    /// Where the last ten turns laid tiles: who, and how many turns ago.
    pub recent: Vec<(Spot, Seat, u32)>,
    /// Tags that differ from the pictures.
    pub changes: Vec<Change>,
    /// The tile that is laid but not confirmed.
    pub proposal: Option<Spot>,
    /// Who is asked, if it is a player.
    pub asked: Option<Seat>,
    /// Whether the pointer may answer.
    pub may_answer: bool,
    owners: FxHashMap<FeatureRef, Rc<[Seat]>>,
    scratch: Option<State>,
}

/// Whether a handle that was remembered from an earlier frame still means something.
pub fn is_there(board: &Board, feature: FeatureRef) -> bool {
    let FeatureRef { layer, anchor } = feature;
    usize::from(layer.0) < board.n_layers() && (anchor.0 as usize) < board.n_zones() && board.takes_part(layer, anchor)
}

/// The feature on which a piece of `kind` counts when it stands on `zone`.
pub fn feature_under(session: &Session, board: &Board, kind: rules::PieceKindIdx, zone: ZoneRef) -> FeatureRef {
    let layer = session.catalogue().piece(kind).layer;
    let layer = if layer.0 != 0 && board.takes_part(layer, zone) { layer } else { LayerIdx(0) };
    FeatureRef { layer, anchor: zone }
}

/// Number `n` of the places for pieces on a zone, in tiles; further ones stand beside the first.
pub fn place_on(painter: &Painter, board: &Board, zone: ZoneRef, n: usize) -> Pos2 {
    let placed = board.tile_at_zone(zone);
    let shapes = painter.zones(placed.tile, placed.facing);
    let places = shapes.get(placed.local(zone)).map_or(&[][..], |shape| &shape.places[..]);
    let at = match places.get(n).or(places.first()) {
        Some([x, y]) => pos2(*x, *y),
        None => pos2(0.5, 0.5),
    };
    let n_more = n.saturating_sub(places.len().saturating_sub(1)) * usize::from(n >= places.len());
    let fan = vec2(0.13 * n_more as f32, -0.05 * n_more as f32);
    square(placed.spot).min + (at + fan).to_vec2()
}

impl BoardCache {
    /// Finds what is to be drawn of the moment looked at.
    pub fn new(cx: &mut UiContext<'_>) -> BoardCache {
        let session = cx.session;
        let painter = cx.pictures.painter().clone();
        let mut cache = BoardCache { colours: cx.colours.clone(), ..BoardCache::default() };
        let view = session.view();
        cache.bounds = view.board.tiles().iter().map(|t| square(t.spot)).reduce(Rect::union);
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

    fn find_question(&mut self, session: &Session) {
        let Some(decision) = session.game().state().decision() else { return };
        self.asked = match decision.who {
            Who::Player(seat) => Some(seat),
            Who::Chance => None,
        };
        self.may_answer = match session.waits() {
            Waits::Person(_) => true,
            // In the past anything may be tried.
            Waits::Bot(_) => !session.is_live(),
            _ => false,
        };
        if self.asked.is_some() {
            self.options = options::shown(session);
            let part = session.view().part();
            let is_placing = matches!(decision.question, Question::Place(_) | Question::Source);
            let laid = part.and_then(|p| p.tile).filter(|_| !is_placing);
            self.proposal = laid.map(|tile| session.view().board.tile(tile).spot);
        }
    }

    fn find_figures(&mut self, session: &Session, painter: &Painter) {
        let state = session.view();
        let catalogue = session.catalogue();
        let mut on_zone: FxHashMap<ZoneRef, usize> = FxHashMap::default();
        let mut on_spot: FxHashMap<Spot, usize> = FxHashMap::default();
        for (piece, it) in state.pieces() {
            let kind = catalogue.piece(it.kind);
            let (spot, middle, feature, lies) = match it.place {
                Location::Zone(zone) => {
                    let n = on_zone.entry(zone).or_default();
                    *n += 1;
                    let lies = it.pinned || kind.lies_on.contains(state.board.kind(zone));
                    let feature = feature_under(session, &state.board, it.kind, zone);
                    let spot = state.board.tile_at_zone(zone).spot;
                    (spot, place_on(painter, &state.board, zone, *n - 1), Some(feature), lies)
                }
                Location::Spot(spot) => {
                    let n = on_spot.entry(spot).or_default();
                    *n += 1;
                    let fan = vec2(0.22, -0.1) * (*n - 1) as f32;
                    (spot, square(spot).center() + fan, None, it.pinned)
                }
                Location::Space(_) => continue,
            };
            let pose = if lies { Pose::Lying } else { Pose::Standing };
            let what = piece_picture(&kind.name, pose, it.owner, &self.colours);
            self.figures.push(Figure { piece, owner: it.owner, spot, middle, what, feature, lies });
        }
        // Those in front cover those behind.
        self.figures.sort_by(|a, b| a.middle.y.total_cmp(&b.middle.y));
    }

    fn find_history(&mut self, session: &Session) {
        let now = session.turn();
        for step in session.line()[..session.at()].iter().rev() {
            let Some(spot) = step.laid else { continue };
            if self.last_laid.iter().all(|(seat, _)| *seat != step.player) {
                self.last_laid.push((step.player, spot));
            }
            let age = now.saturating_sub(step.turn);
            if age < 10 {
                self.recent.push((spot, step.player, age));
            }
        }
        let board = &session.view().board;
        self.last_laid.retain(|(_, spot)| board.at(*spot).is_some());
    }

    fn find_changes(&mut self, session: &Session, painter: &Painter) {
        let (state, tile_set) = (session.view(), session.tile_set());
        let word = |tag: &board::Tag, value: i32| tag.values.get(usize::try_from(value).ok()?).cloned();
        for (i, placed) in state.board.tiles().iter().enumerate() {
            for (t, tag) in tile_set.tags.iter().enumerate().filter(|(_, tag)| tag.on == TagOn::Tile) {
                let idx = board::TagIdx(t as u8);
                let said = tile_set.tile(placed.tile).tag(idx).filter(|v| *v != 0 || !tag.values.is_empty());
                let now = state.tile_tag(session.ruleset(), TileRef(i as u32), idx);
                if said != now {
                    let value = now.or(said).unwrap_or_default();
                    let middle = square(placed.spot).min + vec2(0.15, 0.85);
                    let what = What::Tag(tag.name.clone(), word(tag, value));
                    self.changes.push(Change { middle, what, is_gone: now.is_none() });
                }
            }
        }
        for (zone, column, value) in state.board.zone_tags() {
            let placed = state.board.tile_at_zone(*zone);
            let tile = tile_set.tile(placed.tile);
            let at = placed.local(*zone) * tile_set.columns.len() + column.0 as usize;
            if tile.columns.get(at) == Some(value) {
                continue;
            }
            let tag = tile_set.tag(tile_set.columns[column.0 as usize].tag);
            let word = tile_set.columns[column.0 as usize].value.and_then(|v| tag.values.get(usize::from(v)).cloned());
            // Beside where pieces stand.
            let middle = place_on(painter, &state.board, *zone, 0) + vec2(0.14, 0.12);
            let what = What::Tag(tag.name.clone(), word);
            self.changes.push(Change { middle, what, is_gone: *value == 0 });
        }
    }

    /// The facings at which the drawn tile may lie on `spot`, as bits.
    pub fn facings(&self, spot: Spot) -> u8 {
        self.legal.iter().find(|(s, _)| *s == spot).map_or(0, |(_, facings)| *facings)
    }

    /// The answer that lays the tile on `spot` at `facing`, where it may.
    pub fn place(&self, spot: Spot, facing: Facing) -> Option<Answer> {
        let fits = self.facings(spot) >> facing.quarters() & 1 == 1;
        fits.then_some(Answer::Place(board::Placement { spot, facing }))
    }

    /// Who has the majority on a feature.
    pub fn owners(&mut self, session: &Session, feature: FeatureRef) -> Rc<[Seat]> {
        let board = &session.view().board;
        let root = FeatureRef { layer: feature.layer, anchor: board.root(feature) };
        if let Some(owners) = self.owners.get(&root) {
            return owners.clone();
        }
        let mut owners = Vec::new();
        if board.occupants(root).next().is_some() {
            let scratch = self.scratch.get_or_insert_with(|| session.view().clone());
            owners = rules::winners(session.rules(), scratch, root).unwrap_or_default();
        }
        self.owners.entry(root).or_insert_with(|| owners.into()).clone()
    }
}

/// The picture of a piece; `colours` are those of the seats.
pub fn piece_picture(name: &str, pose: Pose, owner: Option<Seat>, colours: &[[u8; 3]]) -> What {
    let symbol = owner.map_or(Symbol::None, |seat| art::seat_symbol(seat.idx()));
    let colour = owner.and_then(|seat| colours.get(seat.idx())).copied().unwrap_or(NEUTRAL);
    What::Piece(name.to_owned(), pose, colour, symbol)
}
