//! A game at one position as JSON, for Python and for programs that play as bots. The values come
//! from [`GameView`], which the window and the terminal also use.

mod tiles;

use board::{PlacedTile, ZoneRef};
use rules::{Catalogue, CountSubject, Location, PilePlace, Ruleset, Seat, SettingValue};
use serde_json::{Map, Value, json};

pub use self::tiles::{Ground, deck_counts, tile, tile_tags, tiles, touched, zone_tags};
use crate::prompt::PromptKind;
use crate::view::{GameView, PieceView, RowView};

fn setting_value(value: &SettingValue) -> Value {
    match value {
        SettingValue::Bool(it) => json!(it),
        SettingValue::Int(it) => json!(it),
        SettingValue::Text(it) => json!(it),
        SettingValue::Count(_, n) => json!(n),
    }
}

/// Returns the settings that mods declare, as an array of objects.
pub fn settings(catalogue: &Catalogue) -> Value {
    let setting = |it: &rules::Setting| {
        let owner = catalogue.mods.get(it.owner.idx()).map_or("", |owner| owner.id.as_str());
        json!({
            "name": format!("{owner}.{}", it.name), "about": it.about, "default": setting_value(&it.default),
            "choices": it.choices.iter().map(setting_value).collect::<Vec<_>>(), "range": it.range,
        })
    };
    catalogue.settings.iter().map(setting).collect()
}

/// Returns the values of all settings and chosen counts in play, by their names. The option `--set`
/// accepts the same names.
pub fn settings_in_play(ruleset: &Ruleset) -> Map<String, Value> {
    let catalogue = &ruleset.catalogue;
    let id = |owner: rules::ModIdx| catalogue.mods.get(owner.idx()).map_or("", |owner| owner.id.as_str());
    let declared = catalogue.settings.iter().map(|it| format!("{}.{}", id(it.owner), it.name));
    let counted = ruleset.settings.iter().skip(catalogue.settings.len()).map(|value| match value {
        SettingValue::Count(CountSubject::Item(deck, item), _) => catalogue.item_name(*deck, *item).to_owned(),
        SettingValue::Count(CountSubject::Mod(owner), _) => format!("{}/*", id(*owner)),
        SettingValue::Count(CountSubject::Piece(kind), _) => {
            catalogue.pieces.get(kind.idx()).map_or(String::new(), |it| it.name.clone())
        }
        SettingValue::Bool(_) | SettingValue::Int(_) | SettingValue::Text(_) => String::new(),
    });
    declared.chain(counted).zip(ruleset.settings.iter().map(setting_value)).collect()
}

fn place(view: GameView<'_>, it: &PieceView<'_>) -> Map<String, Value> {
    let zone_text = |zone: ZoneRef| view.zone_name(zone);
    let place = match it.place {
        Location::Zone(zone) => {
            let spot = view.tile_of_zone(zone).spot;
            let zones: Vec<String> = view.zones_of_piece(it.piece).map(zone_text).collect();
            json!({ "x": spot.x, "y": spot.y, "zone": zone_text(zone), "zones": zones })
        }
        Location::Spot(spot) => json!({ "x": spot.x, "y": spot.y }),
        Location::Corner(corner) => json!({ "corner": corner.to_string() }),
        Location::Border(border) => json!({ "border": border.to_string() }),
        Location::Space(space) => json!({ "space": space }),
        Location::Kept(seat) => json!({ "kept_by": view.record_name(seat) }),
    };
    if let Value::Object(place) = place { place } else { Map::new() }
}

/// Returns the state of a game as its viewers see it.
pub fn state(view: GameView<'_>) -> Value {
    let tiles = view.tiles_declared();
    let seat = |seat: Seat| {
        let supply: Map<String, Value> = view.supply(seat).into_iter().map(|it| (it.name, json!(it.n))).collect();
        let hand: Vec<&str> =
            view.tiles_in_hand(seat).map(|tile| tiles.name(tile)).chain(view.cards_in_hand(seat)).collect();
        json!({
            "name": view.record_name(seat), "score": view.score(seat), "supply": supply, "hand": hand,
            "hidden_in_hand": view.n_hidden_in_hand(seat),
        })
    };
    let piece = |it: PieceView<'_>| {
        let mut piece = place(view, &it);
        piece.insert("kind".to_owned(), json!(it.name));
        piece.insert("owner".to_owned(), json!(it.owner.map(|owner| view.name(owner))));
        piece.insert("stays".to_owned(), json!(it.stays));
        Value::Object(piece)
    };
    let tile = |it: &PlacedTile| json!({ "tile": tiles.name(it.tile), "x": it.spot.x, "y": it.spot.y, "facing": it.facing.degrees() });
    let row = |it: RowView<'_>| (it.deck.to_owned(), json!(it.names));
    let pile = |(place, name, n)| match place {
        PilePlace::Spot(spot) => json!({ "x": spot.x, "y": spot.y, "name": name, "n": n }),
        PilePlace::Border(border) => json!({ "border": border.to_string(), "name": name, "n": n }),
    };
    let award = |it: &rules::Award| json!({ "player": view.name(it.player), "points": it.points, "reason": &*it.reason, "is_final": it.is_final });
    json!({
        "turn": view.turn(),
        "player": (!view.is_over()).then(|| view.name(view.player())),
        "is_over": view.is_over(),
        "seats": view.seats().map(seat).collect::<Vec<_>>(),
        "drawn_tile": view.unplaced_tile().map(|tile| tiles.name(tile)),
        "tiles": view.tiles().into_iter().map(tile).collect::<Vec<_>>(),
        "pieces": view.pieces().map(piece).collect::<Vec<_>>(),
        "piles": view.piles().map(pile).collect::<Vec<_>>(),
        "rows": view.rows().into_iter().map(row).collect::<Map<_, _>>(),
        "decks": view.decks().iter().map(|it| json!({ "name": it.name, "left": it.n_left, "all": it.n_all })).collect::<Vec<_>>(),
        "awards": view.awards().iter().map(|it| award(it)).collect::<Vec<_>>(),
        "notes": view.notes().collect::<Vec<_>>(),
    })
}

/// Returns the open decision with its options; `None` if no decision is open.
pub fn decision(view: GameView<'_>) -> Option<Value> {
    let prompt = view.prompt()?;
    let kind = match prompt.kind {
        PromptKind::Draw => "draw",
        PromptKind::Roll => "roll",
        PromptKind::Source => "source",
        PromptKind::Place(_) => "place",
        PromptKind::Deploy => "deploy",
        PromptKind::Marker { .. } => "marker",
        PromptKind::Order => "order",
        PromptKind::Mod => "mod",
    };
    let answers = view.answers();
    let labels = view.option_views();
    let option = |(n, answer): (usize, &rules::Answer)| {
        let text = view.answer_text(*answer).unwrap_or_default();
        let seen = labels.iter().find(|it| it.text == text);
        json!({
            "n": n,
            "label": seen.map_or(text.as_str(), |it| it.label.as_str()),
            "about": seen.map_or("", |it| it.about.as_str()),
            "text": text,
        })
    };
    Some(json!({
        "who": view.asked_name(prompt.who),
        "kind": kind,
        "prompt": prompt.text,
        "mod": prompt.asked_by.map(|it| it.id.as_str()),
        "options": answers.iter().enumerate().map(option).collect::<Vec<_>>(),
    }))
}
