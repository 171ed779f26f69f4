//! Observations: writes a game into tensors as one seat sees the game.

use board::{NO_ZONE, PlacedTile, TagCarrier, TagIdx, Tile, TileIdx, ZoneRef};
use rules::{Actor, Answer, DeckIdx, Location, PieceKindIdx, Question, Rules, Seat, State, TokenIdx, redacted_for};

use crate::encoding::{Encoding, N_PLACES};

/// The place number that all zones without ports share.
const INSIDE: usize = N_PLACES - 1;

/// Increments a byte, saturating.
fn increment(cell: Option<&mut u8>) {
    if let Some(cell) = cell {
        *cell = cell.saturating_add(1);
    }
}

impl Encoding {
    /// Writes the game as `seat` sees it. Writes the window into `planes`
    /// ([`n_cells`](Encoding::n_cells) bytes, plane by plane, row by row), and the other values
    /// into `numbers` ([`n_numbers`](Encoding::n_numbers) values).
    pub fn observe(&self, rules: &Rules, state: &State, seat: Seat, planes: &mut [u8], numbers: &mut [f32]) {
        planes.fill(0);
        numbers.fill(0.0);
        let state = &*redacted_for(rules, state, seat.into());
        self.write_tiles(rules, state, planes);
        self.write_pieces(state, seat, planes);
        self.write_fits(rules, state, planes);
        self.write_numbers(state, seat, numbers);
    }

    fn plane_cell<'p>(&self, planes: &'p mut [u8], plane: usize, cell: usize) -> Option<&'p mut u8> {
        planes.get_mut(plane * self.size * self.size + cell)
    }

    fn write_tiles(&self, rules: &Rules, state: &State, planes: &mut [u8]) {
        let board = &state.view().board;
        for (tile_ref, laid) in board.laid_tiles() {
            let Some(cell) = self.cell(laid.spot) else { continue };
            let tile = self.catalogue.tile_set.tile(laid.tile);
            increment(self.plane_cell(planes, 0, cell));
            self.for_each_land(tile, laid.facing, |kind, place| {
                increment(self.plane_cell(planes, self.land_plane(kind, place), cell))
            });
            for (i, tag) in self.catalogue.tile_set.tags.iter().enumerate() {
                if tag.on == TagCarrier::Tile
                    && state.view().tile_tag(&rules.ruleset, tile_ref, TagIdx(i as u8)).is_some()
                {
                    increment(self.plane_cell(planes, self.tag_plane(i), cell));
                }
            }
            for zone in &tile.zones {
                for tag in &zone.tags {
                    let column = self.catalogue.tile_set.columns.get(usize::from(tag.column.0));
                    let plane = column.map(|column| self.tag_plane(usize::from(column.tag.0)));
                    plane.into_iter().for_each(|plane| increment(self.plane_cell(planes, plane, cell)));
                }
            }
        }
        for open in board.open_spots() {
            if let Some(cell) = self.cell(open.spot) {
                increment(self.plane_cell(planes, 1, cell));
            }
        }
    }

    /// Calls `each` for every zone of a tile: with the kind of the zone and each of its place
    /// numbers (see [`N_PLACES`]).
    fn for_each_land(&self, tile: &Tile, facing: board::Facing, mut each: impl FnMut(usize, usize)) {
        for (port, zone) in tile.turned(facing).zone_at.iter().enumerate().filter(|(_, zone)| **zone != NO_ZONE) {
            if let Some(zone) = tile.zones.get(usize::from(*zone)) {
                each(usize::from(zone.kind.0), port);
            }
        }
        tile.zones.iter().filter(|zone| zone.ports.is_empty()).for_each(|zone| each(usize::from(zone.kind.0), INSIDE));
    }

    fn write_pieces(&self, state: &State, seat: Seat, planes: &mut [u8]) {
        let view = state.view();
        for (piece, it) in view.pieces() {
            let owner = it.owner.map_or(2, |owner| usize::from(owner != seat));
            let spot = match it.place {
                Location::Zone(zone) => Some(view.board.tile_at_zone(zone).spot),
                Location::Spot(spot) => Some(spot),
                Location::Corner(_) | Location::Border(_) | Location::Space(_) | Location::Kept(_) => None,
            };
            if let Some(cell) = spot.and_then(|spot| self.cell(spot)) {
                increment(self.plane_cell(planes, self.piece_plane(owner, it.kind.idx()), cell));
            }
            for zone in view.zones_of_piece(piece) {
                let laid = view.board.tile_at_zone(zone);
                let Some(cell) = self.cell(laid.spot) else { continue };
                self.for_each_place(laid, zone, |place| {
                    increment(self.plane_cell(planes, self.owner_plane(owner, place), cell))
                });
            }
        }
    }

    /// Calls `each` with the place numbers of a zone on its tile (see [`N_PLACES`]).
    fn for_each_place(&self, laid: &PlacedTile, zone: ZoneRef, mut each: impl FnMut(usize)) {
        let (tile, local) = (self.catalogue.tile_set.tile(laid.tile), laid.local_index(zone));
        let ports = tile.turned(laid.facing).zone_at.iter().enumerate();
        let mut n = 0;
        for (port, _) in ports.filter(|(_, it)| **it != NO_ZONE && usize::from(**it) == local) {
            each(port);
            n += 1;
        }
        if n == 0 {
            each(INSIDE);
        }
    }

    fn write_fits(&self, rules: &Rules, state: &State, planes: &mut [u8]) {
        let Some(decision) = state.decision().filter(|it| matches!(it.question, Question::Place(_))) else { return };
        for answer in decision.options(&rules.ruleset, state).iter() {
            let Answer::Place(place) = answer else { continue };
            if let Some(cell) = self.cell(place.spot) {
                increment(self.plane_cell(planes, self.first_fit_plane() + usize::from(place.facing.quarters()), cell));
            }
        }
    }

    fn write_numbers(&self, state: &State, seat: Seat, numbers: &mut [f32]) {
        let view = state.view();
        let mut add = |at: usize, n: f32| {
            if let Some(number) = numbers.get_mut(at) {
                *number += n;
            }
        };
        add(0, view.turn().map_or(0.0, |turn| turn.number as f32));
        add(1, view.deck(DeckIdx(0)).len() as f32);
        let asked = state.decision().map(|decision| decision.who);
        if let Some(decision) = state.decision() {
            add(2 + question_number(decision.question), 1.0);
        }
        if let Some(drawn) = drawn_tile(state) {
            let tile = self.catalogue.tile_set.tile(drawn);
            self.for_each_land(tile, board::Facing::default(), |kind, place| add(self.drawn_number(kind, place), 1.0));
            tile.tags.iter().for_each(|(tag, _)| add(self.drawn_tag_number(usize::from(tag.0)), 1.0));
            let columns = tile.zones.iter().flat_map(|zone| &zone.tags);
            let tags = columns.filter_map(|tag| self.catalogue.tile_set.columns.get(usize::from(tag.column.0)));
            tags.for_each(|column| add(self.drawn_tag_number(usize::from(column.tag.0)), 1.0));
        }
        for i in 0..self.n_seats {
            let other = Seat(((seat.idx() + i) % self.n_seats.max(1)) as u8);
            let first = self.seat_offset(i);
            add(first, if asked == Some(Actor::Player(other)) { 1.0 } else { 0.0 });
            add(first + 1, view.score(other) as f32);
            for kind in 0..self.catalogue.pieces.len() {
                add(first + 2 + kind, f32::from(view.supply(Some(other), PieceKindIdx(kind as u8))));
            }
            for token in 0..self.catalogue.tokens.len() {
                let n = view.tokens(Some(other), TokenIdx(token as u8));
                add(first + 2 + self.catalogue.pieces.len() + token, n as f32);
            }
        }
    }
}

fn drawn_tile(state: &State) -> Option<TileIdx> {
    match state.decision().map(|decision| decision.question) {
        Some(Question::Place(tile)) => Some(tile),
        _ => state.view().part().filter(|part| part.tile.is_none())?.tile_type,
    }
}

fn question_number(question: Question) -> usize {
    match question {
        Question::Draw(_) => 0,
        Question::Roll => 1,
        Question::Source => 2,
        Question::Place(_) => 3,
        Question::Deploy => 4,
        Question::Marker { .. } => 5,
        // The options of these questions are encoded by index, like the options of mods.
        Question::Order | Question::Ask(_) => 6,
    }
}
