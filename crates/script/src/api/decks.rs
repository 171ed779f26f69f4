//! Decks and their items, which are tile types or cards.

use std::sync::Arc;

use board::TileIdx;
use diagnostic::hint;
use rules::{DeckIdx, ItemType, Refusal, Value};

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::limits::MAX_ARRAY;
use crate::params::{AnyValue, DeckArgument};
use crate::replies::ReplyList;
use crate::types::CardRef;

pub(super) fn add(api: &mut Api) {
    api.topic("Decks");
    api.get("name", "The name of the deck.", "if deck.name == \"land\" { }", |cx: &mut Cx, deck: DeckIdx| {
        Ok(super::players::deck_name(cx, deck))
    });
    api.query("deck", doc("name", "The deck with this name.", "deck(\"land\")"), |_cx: &mut Cx, deck: DeckArgument| {
        Ok(deck.0)
    });
    api.query(
        "deck_size",
        doc("deck", "The number of items left in a deck.", "deck_size(\"land\") == 0"),
        |cx: &mut Cx, deck: DeckArgument| Ok(cx.state().deck(deck.0).len()),
    );
    api.query(
        "deck_items",
        doc(
            "deck",
            "The items left in a deck, with duplicates, sorted by mod and then by id. The list does not show their order in the deck.",
            "deck_items(deck).filter(|tile| tile.has(\"water\"))",
        ),
        |cx: &mut Cx, deck: DeckArgument| {
            let mut items: Vec<u16> = Vec::with_capacity(check_length(cx, deck.0)?);
            for stack in cx.state().deck(deck.0).groups.iter().flat_map(|group| &group.stacks) {
                items.extend(std::iter::repeat_n(stack.item, stack.left as usize));
            }
            items.sort_unstable();
            Ok(items.into_iter().map(|item| item_value(cx, deck.0, item)).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "deck_row",
        doc(
            "deck",
            "The open row beside a deck, in order: tiles or cards that all players see, such as a market. The deck does not contain them.",
            "let choice = ask(player, \"Which one?\", deck_row(\"market\"), #{ word: \"buy\", pass: true });",
        ),
        |cx: &mut Cx, deck: DeckArgument| {
            let row = &cx.state().deck(deck.0).row;
            Ok(row.iter().map(|item| item_value(cx, deck.0, *item)).collect::<ReplyList<_>>())
        },
    );
    api.query(
        "deck_groups",
        doc(
            "deck",
            "The groups of a deck from the top, each a list of its items with duplicates, sorted by mod and then by id. Items are drawn from the first group until it is empty.",
            "deck_groups(\"land\").len() > 1",
        ),
        |cx: &mut Cx, deck: DeckArgument| {
            check_length(cx, deck.0)?;
            let groups = cx.state().deck(deck.0).groups.iter().map(|group| {
                let items = group.stacks.iter().flat_map(|it| std::iter::repeat_n(it.item, it.left as usize));
                Value::list(items.map(|item| item_value(cx, deck.0, item)))
            });
            Ok(groups.collect::<ReplyList<Value>>())
        },
    );
    api.get(
        "id",
        "The id of the card with the id of its mod, such as `letters/A`.",
        "card.id",
        |cx: &mut Cx, card: CardRef| Ok(cx.core.names.cards[card.0 as usize].clone()),
    );
    api.get(
        "name",
        "The id of the card without the id of its mod.",
        "run(\"card_\" + card.name)",
        |cx: &mut Cx, card: CardRef| {
            let id = &cx.core.names.cards[card.0 as usize];
            Ok(Arc::from(id.split_once('/').map_or(&**id, |(_, name)| name)))
        },
    );
    api.get(
        "about",
        "The description of the card (`about`) in the manifest.",
        "ask(player, card.about, [\"yes\", \"no\"])",
        |cx: &mut Cx, card: CardRef| Ok(Arc::from(cx.catalogue().cards[card.0 as usize].about.as_str())),
    );
}

/// Returns the number of items left in a deck. Returns an error if they are too many for a list.
fn check_length(cx: &Cx, deck: DeckIdx) -> Result<usize, Refusal> {
    match cx.state().deck(deck).len() {
        n if n > MAX_ARRAY => Err(format!("this deck has {n} items left, which is too many for a list").into()),
        n => Ok(n),
    }
}

/// Returns the value with which scripts represent an item of a deck.
pub(super) fn item_value(cx: &Cx, deck: DeckIdx, item: u16) -> Value {
    match cx.catalogue().decks[deck.idx()].holds {
        ItemType::Tiles => Value::TileType(TileIdx(item)),
        ItemType::Cards => Value::Card(item),
    }
}

/// Returns the items of a deck that `items` names: one tile type, card or id, or a list of them.
pub(super) fn items(cx: &Cx, deck: DeckIdx, items: AnyValue) -> Result<Vec<u16>, Refusal> {
    let values = match items.0 {
        Value::List(values) => values.to_vec(),
        one => vec![one],
    };
    values.iter().map(|value| item(cx, deck, value)).collect()
}

fn item(cx: &Cx, deck: DeckIdx, value: &Value) -> Result<u16, Refusal> {
    match (cx.catalogue().decks[deck.idx()].holds, value) {
        (ItemType::Tiles, Value::TileType(tile)) => Ok(tile.0),
        (ItemType::Cards, Value::Card(card)) => Ok(*card),
        (ItemType::Tiles, Value::Text(id)) => super::boards::tile_type(cx, id).map(|tile| tile.0),
        (ItemType::Cards, Value::Text(id)) => {
            let own = format!("{}/{id}", cx.catalogue().mods[cx.owner().idx()].id);
            let found = cx.catalogue().item_named(deck, id).or_else(|| cx.catalogue().item_named(deck, &own));
            found.ok_or_else(|| {
                let help = hint(id, cx.catalogue().cards.iter().map(|card| card.name.as_str()));
                format!("no active mod has a card called `{id}`{help}").into()
            })
        }
        (ItemType::Tiles, other) => Err(format!("this deck holds tiles, not {}", other.type_name()).into()),
        (ItemType::Cards, other) => Err(format!("this deck holds cards, not {}", other.type_name()).into()),
    }
}
