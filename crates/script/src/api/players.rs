//! Players, and the pieces, tokens and points that they have.

use std::iter;
use std::sync::Arc;

use board::{TagIdx, TileIdx};
use rules::{DeckIdx, HeldItem, Item, PieceKindIdx, ReadSet, Seat, TokenIdx};

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::params::{OptionalName, OwnerArgument, TileId};
use crate::replies::ReplyList;
use crate::types::{CardRef, TrackSpace};

pub(super) fn add(api: &mut Api) {
    api.topic("Players");
    api.reads(ReadSet::NOTHING).query(
        "players",
        doc("", "All players in the order of play.", "for player in players() { give(player, \"coin\", 1); }"),
        |cx: &mut Cx| Ok(cx.state().order().collect::<ReplyList<_>>()),
    );
    api.query(
        "players_after",
        doc(
            "player",
            "All players in the order of play, beginning after this player and ending with this player.",
            "for player in players_after(turn.player) { }",
        ),
        |cx: &mut Cx, player: Seat| Ok(cx.state().seats_after(player).collect::<ReplyList<_>>()),
    );
    api.query(
        "players_from",
        doc("player", "All players in the order of play, beginning with this player.", "players_from(turn.player)"),
        |cx: &mut Cx, player: Seat| {
            let others = cx.state().seats_after(player).filter(|it| *it != player);
            Ok(iter::once(player).chain(others).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "others",
        doc(
            "player",
            "All other players in the order of play, beginning after this player.",
            "for other in others(turn.player) { }",
        ),
        |cx: &mut Cx, player: Seat| {
            let seats = cx.state().seats_after(player).filter(|seat| *seat != player);
            Ok(seats.collect::<ReplyList<_>>())
        },
    );
    api.reads(ReadSet::NOTHING).query(
        "players_with_most",
        doc(
            "token",
            "The players who hold the most copies of a token; an empty list if no player holds one.",
            "for player in players_with_most(\"coin\") { score(player, 10, \"most coins\"); }",
        ),
        |cx: &mut Cx, token: OptionalName<TokenIdx>| {
            Ok(token.0.map_or(Vec::new(), |token| players_with_most(cx, token)))
        },
    );
    api.reads(ReadSet::NOTHING).get(
        "name",
        "The player's name.",
        "note(player.name + \" begins\")",
        |cx: &mut Cx, player: Seat| Ok(Arc::from(cx.state().label(player))),
    );
    api.reads(ReadSet::NOTHING).get(
        "number",
        "The player's number, counted from 0: the place in the order of play at the start.",
        "player.number",
        |_cx: &mut Cx, player: Seat| Ok(i64::from(player.0)),
    );
    api.query(
        "turns_to_miss",
        doc("player", "The number of turns that a player will miss next.", "if turns_to_miss(player) == 0 { }"),
        |cx: &mut Cx, player: Seat| Ok(i64::from(cx.state().turns_to_miss(player))),
    );
    api.query(
        "supply",
        doc(
            "player, piece",
            "The number of pieces of a kind in a player's supply; with `nobody`, the number of neutral pieces in their supply.",
            "if supply(player, \"helper\") > 0 { }",
        ),
        |cx: &mut Cx, player: OwnerArgument, piece: OptionalName<PieceKindIdx>| {
            Ok(piece.0.map_or(0, |piece| i64::from(cx.state().supply(player.0, piece))))
        },
    );
    api.reads(ReadSet::NOTHING).query(
        "n_tokens",
        doc("player, token", "The number of copies of a token that a player holds.", "n_tokens(player, \"coin\")"),
        |cx: &mut Cx, player: Seat, token: OptionalName<TokenIdx>| {
            Ok(token.0.map_or(0, |token| cx.tokens(Some(player), token)))
        },
    );
    api.reads(ReadSet::NOTHING).query(
        "holder_of",
        doc(
            "token",
            "The first player, by `player.number`, who holds a token; `nobody` if no player holds one.",
            "if holder_of(\"crown\") == nobody { }",
        ),
        |cx: &mut Cx, token: OptionalName<TokenIdx>| {
            let Some(token) = token.0 else { return Ok(None) };
            Ok(cx.state().seats().find(|seat| cx.tokens(Some(*seat), token) > 0))
        },
    );
    api.reads(ReadSet::NOTHING).query(
        "token_stock",
        doc(
            "token",
            "The number of copies of a token that are left in the common stock.",
            "if token_stock(\"coin\") > 0 { }",
        ),
        |cx: &mut Cx, token: OptionalName<TokenIdx>| Ok(token.0.map_or(0, |token| cx.tokens(None, token))),
    );
    api.query(
        "hand",
        doc(
            "player, tag",
            "The tile types in a player's hand. With a tag: only tile types with that tag.",
            "hand(player, \"guide\").map(|tile| tile.id)",
        ),
        |cx: &mut Cx, player: Seat, tag: Option<OptionalName<TagIdx>>| {
            let tile_set = cx.tile_set();
            let has = |tile: &TileIdx, tag: &OptionalName<TagIdx>| {
                tag.0.is_some_and(|tag| tile_set.tile(*tile).tag(tag).is_some())
            };
            let held = cx.state().tiles_in_hand(player).filter(|tile| tag.as_ref().is_none_or(|tag| has(tile, tag)));
            Ok(held.collect::<ReplyList<_>>())
        },
    );
    api.query(
        "cards_of",
        doc("player", "The cards in a player's hand.", "cards_of(player).map(|card| card.name)"),
        |cx: &mut Cx, player: Seat| {
            let card = |held: HeldItem| if let Item::Card(card) = held.item { Some(CardRef(card)) } else { None };
            Ok(cx.state().held_items(player).filter_map(card).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "owns_tile",
        doc(
            "player, id",
            "True if a player has a tile with this id in hand; ids of your own mod need no prefix.",
            "if owns_tile(player, \"guide\") { }",
        ),
        |cx: &mut Cx, player: Seat, id: TileId| {
            let tile = super::boards::tile_type(cx, &id.0);
            Ok(tile.is_ok_and(|tile| cx.state().tiles_in_hand(player).any(|held| held == tile)))
        },
    );
    scores(api);
}

/// Returns the players who hold the most copies of a token; empty if no player holds a copy.
fn players_with_most(cx: &mut Cx, token: TokenIdx) -> Vec<Seat> {
    let held: Vec<(Seat, u32)> = cx.state().seats().map(|seat| (seat, cx.tokens(Some(seat), token))).collect();
    let most = held.iter().map(|(_, n)| *n).max().unwrap_or(0);
    held.into_iter().filter(|(_, n)| most > 0 && *n == most).map(|(seat, _)| seat).collect()
}

/// Adds the functions about the score track.
fn scores(api: &mut Api) {
    api.query(
        "score_of",
        doc("player", "The points of a player on all score markers together. Points that the running event has given are not booked yet, so they are not included.", "score_of(player)"),
        |cx: &mut Cx, player: Seat| Ok(cx.state().score(player)),
    );
    api.query(
        "markers",
        doc("player", "The points of each score marker of a player.", "markers(player)[0]"),
        |cx: &mut Cx, player: Seat| Ok(cx.state().markers_of(player).to_vec()),
    );
    api.query(
        "spaces_of",
        doc("player", "The spaces of the score track where a player's markers stand.", "spaces_of(player)"),
        |cx: &mut Cx, player: Seat| {
            let markers = cx.state().markers_of(player);
            Ok(markers.iter().map(|points| space(cx, *points)).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "space",
        doc(
            "points",
            "The space of the score track on which a marker with this number of points stands; the track is a loop.",
            "space(points) == piece.space",
        ),
        |cx: &mut Cx, points: i64| Ok(space(cx, points)),
    );
    api.get(
        "number",
        "The number of the space, counted from 0.",
        "space.number % 5 == 0",
        |_cx: &mut Cx, space: TrackSpace| Ok(i64::from(space.0)),
    );
    api.get(
        "is_dark",
        "True if the space is dark according to `[track]` in the manifests.",
        "if space(move.to).is_dark { }",
        |cx: &mut Cx, space: TrackSpace| Ok(cx.catalogue().track.is_dark(space.0)),
    );
    api.query(
        "markers_on",
        doc(
            "space",
            "The players whose score markers stand on a space, one entry for each marker.",
            "markers_on(piece.space)",
        ),
        |cx: &mut Cx, on: TrackSpace| {
            let state = cx.state();
            let markers = state.seats().flat_map(|s| state.markers_of(s).iter().map(move |points| (s, *points)));
            Ok(markers.filter(|(_, points)| space(cx, *points) == on).map(|(s, _)| s).collect::<ReplyList<_>>())
        },
    );
}

fn space(cx: &Cx, points: i64) -> TrackSpace {
    TrackSpace(cx.catalogue().track.space(points))
}

/// Returns the name of a deck.
pub(super) fn deck_name(cx: &Cx, deck: DeckIdx) -> Arc<str> {
    cx.core.names.decks[deck.idx()].clone()
}
