//! A game at one moment as JSON, which becomes plain values of Python. The values come from
//! `table::GameView`, which the window and the terminal use too.

use board::ZoneRef;
use rules::{Catalogue, Location, PilePlace, SettingValue};
use serde_json::{Map, Value, json};
use table::{GameView, PieceView, Seat};

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
        Location::Kept(seat) => json!({ "kept_by": view.word(seat) }),
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
            "name": view.word(seat), "score": view.score(seat), "supply": supply, "hand": hand,
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
    let tile = |it: &table::PlacedTile| json!({ "tile": tiles.name(it.tile), "x": it.spot.x, "y": it.spot.y, "facing": it.facing.degrees() });
    let row = |it: table::RowView<'_>| (it.deck.to_owned(), json!(it.names));
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
        "drawn_tile": view.tile_in_hand().map(|tile| tiles.name(tile)),
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
        table::PromptKind::Draw => "draw",
        table::PromptKind::Roll => "roll",
        table::PromptKind::Source => "source",
        table::PromptKind::Place(_) => "place",
        table::PromptKind::Deploy => "deploy",
        table::PromptKind::Marker { .. } => "marker",
        table::PromptKind::Order => "order",
        table::PromptKind::Mod => "mod",
    };
    let answers = view.answers();
    let labels = view.option_views();
    let option = |(n, answer): (usize, &table::Answer)| {
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
