//! Changes that mods make to the board: linking zones; laying, turning, swapping and removing
//! tiles.

use board::{
    Border, Facing, FeatureChanges, FeatureRef, Join, KindSet, LayerIdx, PlaceError, Spot, TileChange, TileIdx,
    TileRef, ZoneLink, ZoneRef,
};

use crate::effect_error::EffectError;
use crate::event::RuleEvent;
use crate::hooks::Hook;
use crate::position::{Location, Position, TurnPart};
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::value::PieceRef;

/// Changes to links between zones.
impl State {
    /// Replaces the links between zones of `tile` with `links`, which are pairs of zones.
    ///
    /// # Errors
    /// Returns an error if a pair is not two different zones of one kind on the tile.
    pub fn relink(
        &mut self,
        ruleset: &Ruleset,
        tile: TileRef,
        links: &[(ZoneRef, ZoneRef)],
    ) -> Result<(), EffectError> {
        let is_own = |link: &ZoneLink| self.board.tile_of(link.a) == tile && self.board.tile_of(link.b) == tile;
        let new: Vec<ZoneLink> = links.iter().map(|(a, b)| self.new_link(*a, *b)).collect::<Result<_, _>>()?;
        if !new.iter().all(is_own) {
            return Err(EffectError::LinkLeavesTile);
        }
        let gone: Vec<ZoneLink> = self.board.links().iter().copied().filter(is_own).collect();
        self.change_links(ruleset, &gone, &new);
        Ok(())
    }

    /// Replaces the links across a border with `links`. Each link is a pair of zones that reach the
    /// border from opposite sides.
    ///
    /// # Errors
    /// Returns an error unless both zones of each pair have the same kind, reach the border, and
    /// lie on different tiles.
    pub fn relink_across(
        &mut self,
        ruleset: &Ruleset,
        border: Border,
        links: &[(ZoneRef, ZoneRef)],
    ) -> Result<(), EffectError> {
        let gone = self.board.links_across(&ruleset.catalogue.tile_set, border);
        let zones = self.board.zones_on(&ruleset.catalogue.tile_set, border);
        let new: Vec<ZoneLink> = links.iter().map(|(a, b)| self.new_link(*a, *b)).collect::<Result<_, _>>()?;
        let crosses = |link: &ZoneLink| {
            zones.contains(&link.a)
                && zones.contains(&link.b)
                && self.board.tile_of(link.a) != self.board.tile_of(link.b)
        };
        if !new.iter().all(crosses) {
            return Err(EffectError::LinkNotAcross);
        }
        self.change_links(ruleset, &gone, &new);
        Ok(())
    }

    /// Joins two zones anywhere on the board into one feature.
    ///
    /// # Errors
    /// Returns an error if `a` and `b` are not two different zones of one kind.
    pub fn link(&mut self, ruleset: &Ruleset, a: ZoneRef, b: ZoneRef) -> Result<(), EffectError> {
        let link = self.new_link(a, b)?;
        self.change_links(ruleset, &[], &[link]);
        Ok(())
    }

    /// Removes the link between two zones.
    ///
    /// # Errors
    /// Returns an error if the zones are not linked.
    pub fn unlink(&mut self, ruleset: &Ruleset, a: ZoneRef, b: ZoneRef) -> Result<(), EffectError> {
        let link = ZoneLink::new(a, b);
        if !self.board.links().contains(&link) {
            return Err(EffectError::NotLinked);
        }
        self.change_links(ruleset, &[link], &[]);
        Ok(())
    }

    fn new_link(&self, a: ZoneRef, b: ZoneRef) -> Result<ZoneLink, EffectError> {
        if a == b || self.board.kind(a) != self.board.kind(b) {
            return Err(EffectError::UnlikeZones);
        }
        Ok(ZoneLink::new(a, b))
    }

    fn change_links(&mut self, ruleset: &Ruleset, gone: &[ZoneLink], new: &[ZoneLink]) {
        let ends: Vec<ZoneRef> = gone.iter().chain(new).flat_map(|link| [link.a, link.b]).collect();
        self.record_complete_features(ruleset, ends);
        let Position { board, touched, .. } = &mut self.position;
        let (splits, joins) = board.relink(&ruleset.catalogue.tile_set, gone, new, touched);
        self.prune_kept_open(ruleset);
        self.emit_changes(ruleset, splits, joins);
    }

    fn emit_changes(&mut self, ruleset: &Ruleset, splits: Vec<Vec<ZoneRef>>, joins: Vec<Join>) {
        for parts in splits {
            self.emit(ruleset, Hook::FeatureSplit, || RuleEvent::Split(parts.into()));
        }
        for join in joins {
            self.emit(ruleset, Hook::FeatureJoined, || RuleEvent::Joined(join.feature, join.parts.into()));
        }
    }

    /// Records the complete features of every layer that contain one of `zones`, before a mod
    /// changes these zones. If a feature with exactly the same zones is complete after the change,
    /// the running part of the turn does not count it as newly completed. If the zones are others,
    /// the part can score the feature again. Omits features that this part of the turn will still
    /// score: features that it has touched, and features that mods keep open.
    fn record_complete_features(&mut self, ruleset: &Ruleset, zones: impl IntoIterator<Item = ZoneRef>) {
        let tile_set = &ruleset.catalogue.tile_set;
        let touched = &self.touched[self.parts.last().map_or(0, |part| part.unscored_from)..];
        let mut found = Vec::new();
        let layers = 0..self.board.n_layers() as u8;
        let features = zones
            .into_iter()
            .flat_map(|anchor| layers.clone().map(move |layer| FeatureRef { layer: LayerIdx(layer), anchor }));
        for feature in features.filter(|feature| self.board.layer_includes(feature.layer, feature.anchor)) {
            let awaits_scoring = touched.iter().any(|it| self.is_same_feature(*it, feature))
                && !self.parts.last().is_some_and(|part| self.has_scored(part, feature));
            if !awaits_scoring && !self.is_kept_open(feature) && self.board.is_complete(tile_set, feature) {
                let complete = (feature.layer, self.board.sorted_zones(feature));
                if !found.contains(&complete) {
                    found.push(complete);
                }
            }
        }
        let Position { parts, was_complete, .. } = &mut self.position;
        for TurnPart { completed, was_complete, .. } in parts.iter_mut() {
            for scored in completed.iter_mut().filter(|scored| !scored.is_changed) {
                let FeatureRef { layer, anchor } = scored.feature;
                let is_it = |(of, zones): &&(LayerIdx, Vec<ZoneRef>)| *of == layer && zones.contains(&anchor);
                if let Some(feature) = found.iter().find(is_it) {
                    scored.is_changed = true;
                    was_complete.push(feature.clone());
                }
            }
        }
        parts.last_mut().map_or(was_complete, |part| &mut part.was_complete).extend(found);
    }
}

/// Changes to tiles.
impl State {
    /// Lays a tile, which the caller has taken out of its deck, hand or box. The tile need not
    /// touch another tile.
    ///
    /// # Errors
    /// Returns an error if the tile is an overlay, the spot is taken, or an edge does not match.
    pub fn lay_tile(
        &mut self,
        ruleset: &Ruleset,
        tile: TileIdx,
        spot: Spot,
        facing: Facing,
    ) -> Result<TileRef, EffectError> {
        check_not_overlay(ruleset, tile)?;
        let tile_set = &ruleset.catalogue.tile_set;
        let mut joins: Vec<Join> = Vec::new();
        let noted = ruleset.catalogue.has(Hook::FeatureJoined).then_some((KindSet::ALL, &mut joins));
        let Position { board, touched, .. } = &mut self.position;
        let laid = board.place(tile_set, spot, tile, facing, touched, noted);
        let laid = laid.map_err(|error| place_error(ruleset, tile, spot, error))?;
        self.emit(ruleset, Hook::TilePlaced, || RuleEvent::TilePlaced(laid));
        self.emit_changes(ruleset, Vec::new(), joins);
        Ok(laid)
    }

    /// Turns a laid tile or changes its type; the handle of the tile stays valid. If the tile only
    /// turns, all pieces stay on their zones. If the type changes, pieces stay on zones whose name
    /// also occurs in the new type, and all other pieces return to supply.
    ///
    /// # Errors
    /// Returns an error if the tile would not match its neighbours, or if `tile` is an overlay.
    pub fn swap_tile(
        &mut self,
        ruleset: &Ruleset,
        at: TileRef,
        tile: TileIdx,
        facing: Facing,
    ) -> Result<(), EffectError> {
        check_not_overlay(ruleset, tile)?;
        let tile_set = &ruleset.catalogue.tile_set;
        let placed = *self.board.tile(at);
        self.board
            .check_edges(tile_set, placed.spot, tile, facing)
            .map_err(|error| place_error(ruleset, tile, placed.spot, error))?;
        if placed.tile == tile {
            if placed.facing != facing {
                self.change_tile(ruleset, at, TileChange::Turn(facing), &[]);
            }
            return Ok(());
        }
        let same = self.board.matching_zones(tile_set, at, tile, facing);
        self.change_tile(ruleset, at, TileChange::Swap(tile, facing), &same);
        Ok(())
    }

    /// Removes a laid tile from the board. The caller may put the tile type elsewhere, such as into
    /// a hand. Pieces on the zones of the tile return to supply. Pieces and piles on its spot stay.
    pub fn remove_tile(&mut self, ruleset: &Ruleset, tile: TileRef) {
        self.change_tile(ruleset, tile, TileChange::TakeUp, &[]);
        self.position.tile_tags.retain(|(of, _, _)| *of != tile);
        for part in self.parts.iter_mut().filter(|part| part.tile == Some(tile)) {
            part.tile = None;
        }
    }

    /// Changes a laid tile. `same` contains a pair for each zone that persists: the zone before and
    /// after the change.
    fn change_tile(&mut self, ruleset: &Ruleset, at: TileRef, change: TileChange, same: &[(ZoneRef, ZoneRef)]) {
        let tile_set = &ruleset.catalogue.tile_set;
        let keeps = matches!(change, TileChange::Turn(_));
        let now = |zone: ZoneRef| same.iter().find(|(old, _)| *old == zone).map(|(_, new)| *new);
        let own: Vec<ZoneRef> = self.board.zones_of(tile_set, at).collect();
        // A feature that must be surrounded, such as a cloister, may lie on a diagonal neighbour.
        let near = self.board.tile(at).spot.surrounding_spots().filter_map(|spot| self.board.tile_at(spot));
        let around = near.flat_map(|tile| self.board.zones_of(tile_set, tile));
        self.record_complete_features(ruleset, own.iter().copied().chain(around).collect::<Vec<_>>());
        let mut moved: Vec<(PieceRef, Vec<ZoneRef>)> = Vec::new();
        if !keeps {
            for (_, zones) in self.parts.iter_mut().flat_map(|part| &mut part.was_complete) {
                let there = zones.iter().map(|zone| if own.contains(zone) { now(*zone) } else { Some(*zone) });
                if let Some(mut there) = there.collect::<Option<Vec<ZoneRef>>>() {
                    there.sort_unstable();
                    *zones = there;
                }
            }
            self.replace_lost_anchors(&own, now);
            let stands: Vec<PieceRef> = self.pieces().map(|(piece, _)| piece).collect();
            for piece in stands {
                let zones: Vec<ZoneRef> = self.zones_of_piece(piece).collect();
                if !zones.iter().any(|zone| own.contains(zone)) {
                    continue;
                }
                let there = zones.iter().map(|zone| if own.contains(zone) { now(*zone) } else { Some(*zone) });
                match there.collect::<Option<Vec<ZoneRef>>>() {
                    Some(zones) => {
                        self.vacate(ruleset, piece);
                        moved.push((piece, zones));
                    }
                    // The piece is in play, so returning it cannot fail.
                    None => drop(self.return_piece(ruleset, piece, "tile")),
                }
            }
        }
        let Position { board, touched, .. } = &mut self.position;
        let FeatureChanges { splits, joins } = board.alter(tile_set, at, change, touched);
        for (piece, zones) in moved {
            if let Some(it) = self.pieces[piece.0 as usize].as_mut() {
                it.place = Location::Zone(zones[0]);
            }
            self.occupy(ruleset, piece, &zones[1..]);
        }
        self.prune_kept_open(ruleset);
        self.emit_changes(ruleset, splits, joins);
    }

    /// Removes from `kept_open` the features that the board no longer counts as complete.
    fn prune_kept_open(&mut self, ruleset: &Ruleset) {
        let Position { board, kept_open, .. } = &mut self.position;
        kept_open.retain(|feature| board.is_complete(&ruleset.catalogue.tile_set, *feature));
    }

    /// Gives a new anchor to each feature of the position (touched, kept open or completed) whose
    /// anchor is in `lost`. The new anchor is another zone of the feature or, if there is none, the
    /// zone that `now` returns. Removes kept-open and completed features for which neither exists.
    fn replace_lost_anchors(&mut self, lost: &[ZoneRef], now: impl Fn(ZoneRef) -> Option<ZoneRef>) {
        let Position { board, touched, parts, kept_open, .. } = &mut self.position;
        let elsewhere = |feature: &mut FeatureRef| {
            if !lost.contains(&feature.anchor) {
                return true;
            }
            let others = board.sorted_zones(*feature);
            let other = others.into_iter().find(|zone| !lost.contains(zone)).or_else(|| now(feature.anchor));
            feature.anchor = other.unwrap_or(feature.anchor);
            other.is_some()
        };
        // Each running part of the turn refers to indices in `touched`, so no entry may be removed.
        // An entry whose feature has left the board does no harm, because such a feature is never
        // complete.
        for feature in touched {
            elsewhere(feature);
        }
        kept_open.retain_mut(elsewhere);
        for part in parts {
            part.completed.retain_mut(|completed| elsewhere(&mut completed.feature));
        }
    }
}

/// Returns an error if `tile` is an overlay, because an overlay lies only over another tile.
pub(crate) fn check_not_overlay(ruleset: &Ruleset, tile: TileIdx) -> Result<(), EffectError> {
    let tile = ruleset.catalogue.tile_set.tile(tile);
    match tile.is_overlay {
        true => Err(EffectError::Overlay(tile.name.clone())),
        false => Ok(()),
    }
}

fn place_error(ruleset: &Ruleset, tile: TileIdx, spot: Spot, error: PlaceError) -> EffectError {
    EffectError::Place { tile: ruleset.catalogue.tile_set.tile(tile).name.clone(), spot, error }
}
