//! Makes the JSON messages for a page. All data comes from the client's redacted game.

use std::sync::Arc;

use art::BoardCrop;
use art::kurbo::Point;
use door::{ChatLine, Client, News, PlaytestView, SeatView};
use pictures::{colour_and_symbol, laid_tiles, objects, place_of_zone};
use playtest::{SurveyAnswers, SurveyQuestion};
use serde_json::{Value, json};
use table::{
    Answer, AwaitedActor, Award, GameView, Location, OptionView, PieceRef, PromptKind, Seat, SeatSet, SeenGame,
    SettingValue, Target, award_explanation,
};

use super::Artwork;
use crate::room::Room;

/// The maximum number of awards, and of notes, that the page receives. Older ones are omitted.
const N_LATEST: usize = 12;

/// Returns the message that tells the page about `news`; `None` if the page shows nothing for it.
pub(super) fn news(room: &Room, client: &Client, news: News) -> Option<Value> {
    let name = |seat: Seat| client.game().map_or("", |game| game.view().name(seat));
    Some(match news {
        News::Game => {
            let game = client.game()?;
            json!({
                "news": "game",
                "position": position(room, game, client.own_seats()),
                "stops": game.choices().collect::<Vec<_>>(),
                "isInExcursion": client.excursion().is_some(),
            })
        }
        News::Excursion => {
            let excursion = client.excursion()?;
            // The guest answers for all players.
            let position = position(room, excursion.game(), SeatSet::ALL);
            json!({
                "news": "excursion",
                "position": position,
                "n": excursion.n_played(),
                "nTried": excursion.tried().len(),
            })
        }
        News::Seats => {
            let seat = |it: &SeatView| json!({ "name": it.name, "isHere": it.is_here, "isBot": it.is_bot });
            let own: Vec<u8> = client.own_seats().seats().map(|seat| seat.0).collect();
            let seats: Vec<Value> = client.seats().iter().map(seat).collect();
            json!({ "news": "seats", "seats": seats, "own": own, "nSpectators": client.n_spectators() })
        }
        News::Seated(seat, token) => json!({ "news": "seated", "seat": seat.0, "token": token.to_string() }),
        News::Refused(_, why) => json!({ "news": "refused", "why": table::capitalize(&why) }),
        News::UndoProposed(by, asks) => json!({ "news": "undo", "by": name(by), "asks": asks }),
        News::UndoEnded(declined_by) => json!({ "news": "undoEnded", "declinedBy": declined_by.map(name) }),
        News::Paused(by) => json!({ "news": "paused", "by": by.map(|seat| seat.0) }),
        News::Notice(text) => json!({ "news": "notice", "text": table::capitalize(&text) }),
        News::Committed => json!({ "news": "committed", "hash": client.commitment()?.to_string() }),
        News::Revealed(_) => json!({ "news": "revealed", "record": client.record_text()? }),
        News::Chat => json!({ "news": "chat", "lines": client.chat().iter().map(chat_line).collect::<Vec<_>>() }),
        News::Said => json!({ "news": "said", "line": chat_line(client.chat().last()?) }),
        News::Pointed(by, spot) => json!({ "news": "pointed", "seat": by.0, "spot": [spot.x, spot.y] }),
        News::Clock => {
            let clock = client.clock()?;
            json!({ "news": "clock", "left": clock.left, "runs": clock.runs.map(|seat| seat.0) })
        }
        News::Playtest => {
            let PlaytestView { survey, agrees, has_replied, thumbs } = client.playtest()?;
            let survey: Vec<Value> = survey.iter().map(survey_question).collect();
            json!({
                "news": "playtest",
                "survey": survey,
                "agrees": agrees,
                "hasReplied": has_replied,
                "thumbs": thumbs,
            })
        }
        News::Done(_) | News::Answers(_) | News::Theme => return None,
    })
}

fn chat_line(ChatLine { seat, name, text }: &ChatLine) -> Value {
    json!({ "seat": seat.0, "name": name, "text": text })
}

fn survey_question(SurveyQuestion { id, text, answers }: &SurveyQuestion) -> Value {
    let (of_type, possible) = match answers {
        SurveyAnswers::Scale { min, max } => ("scale", json!([min, max])),
        SurveyAnswers::Choice(choices) => ("choice", json!(choices)),
        SurveyAnswers::Text => ("text", Value::Null),
    };
    json!({ "id": id, "text": text, "type": of_type, "possible": possible })
}

/// Returns a position, in which the guest answers for the seats `own`. Places are `[x, y]`, in
/// spots to the east and south of the north-western corner of spot 0,0.
fn position(room: &Room, game: &SeenGame, own: SeatSet) -> Value {
    let view = game.view();
    let artwork = room.artwork(view.tile_set());
    let tiles: Vec<Value> =
        view.tiles().into_iter().map(|it| json!([it.tile.0, it.spot.x, it.spot.y, it.facing.degrees()])).collect();
    let mods: Vec<&str> = view.mods().iter().map(|info| info.title.as_str()).collect();
    let settings: Vec<Value> =
        game.settings().iter().map(|(it, value)| json!([it.about, setting_text(value)])).collect();
    let rows = view.rows();
    let row = |it: &table::RowView<'_>| {
        let tiles: Vec<u16> = it.tiles.iter().map(|tile| tile.0).collect();
        json!({ "deck": it.deck, "names": it.names, "tiles": tiles })
    };
    json!({
        "at": game.revision().version().to_string(),
        "n": game.position_index(),
        "pictures": artwork.as_ref().map(|artwork| &*artwork.key),
        "mods": mods,
        "settings": settings,
        "turn": view.turn(),
        "isOver": view.is_over(),
        "nLeft": view.n_tiles_left(),
        "waits": waiting_for(game),
        "tiles": tiles,
        "objects": artwork.as_ref().map(|artwork| objects_of(artwork, view)),
        "hand": view.unplaced_tile().map(|tile| tile.0),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "players": view.seats().map(|seat| player(view, seat)).collect::<Vec<_>>(),
        "question": question(game, own, artwork.as_ref()),
        "awards": latest(view.awards()).map(|it| award(view, it)).collect::<Vec<_>>(),
        "notes": view.notes().skip(view.notes().len().saturating_sub(N_LATEST)).collect::<Vec<_>>(),
    })
}

fn latest(awards: &[Arc<Award>]) -> impl Iterator<Item = &Award> {
    awards.iter().skip(awards.len().saturating_sub(N_LATEST)).map(AsRef::as_ref)
}

fn award(view: GameView<'_>, it: &Award) -> Value {
    json!({
        "seat": it.player.0,
        "name": view.name(it.player),
        "points": it.points,
        "rule": it.reason,
        "reason": it.reason.replace('_', " "),
        "lines": award_explanation(view, it),
    })
}

fn setting_text(value: &SettingValue) -> String {
    match value {
        SettingValue::Bool(true) => "yes".to_owned(),
        SettingValue::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

fn waiting_for(game: &SeenGame) -> Value {
    match game.awaited_actor() {
        AwaitedActor::Person(seat) => json!({ "for": "person", "seat": seat.0 }),
        AwaitedActor::Bot(seat) => json!({ "for": "bot", "seat": seat.0 }),
        AwaitedActor::Chance => json!({ "for": "chance" }),
        AwaitedActor::Mod => json!({ "for": "mod" }),
        AwaitedActor::Nobody => json!({ "for": "nobody" }),
    }
}

/// Returns one picture of the pieces, piles and links on the board, with its rectangle in spots.
fn objects_of(artwork: &Artwork, view: GameView<'_>) -> Value {
    let part = BoardCrop::around(&laid_tiles(view));
    let svg = objects(&artwork.painter, view, part).to_svg((part.size()[0] * 100.0) as u32);
    json!({ "svg": svg, "from": part.from, "size": part.size() })
}

/// Returns a player as JSON. The symbol is an SVG path in a square with a width of 16 units.
fn player(view: GameView<'_>, seat: Seat) -> Value {
    let ([r, g, b], symbol) = colour_and_symbol(view, seat);
    let supply: Vec<Value> = view.supply(seat).into_iter().map(|it| json!([it.name.replace('_', " "), it.n])).collect();
    let hand: Vec<u16> = view.tiles_in_hand(seat).map(|tile| tile.0).collect();
    json!({
        "name": view.name(seat),
        "colour": format!("#{r:02x}{g:02x}{b:02x}"),
        "symbol": symbol.outline(Point::new(8.0, 8.0), 7.0).to_svg(),
        "score": view.score(seat),
        "supply": supply,
        "tiles": hand,
        "cards": view.cards_in_hand(seat).collect::<Vec<_>>(),
        "nHidden": view.n_hidden_in_hand(seat),
        "hasWon": view.is_over() && view.winners().contains(seat),
    })
}

/// Returns the open question with its options, if this guest must answer it; otherwise `None`.
fn question(game: &SeenGame, own: SeatSet, artwork: Option<&Artwork>) -> Option<Value> {
    let view = game.view();
    let AwaitedActor::Person(seat) = game.awaited_actor() else { return None };
    let prompt = view.prompt().filter(|_| own.contains(seat))?;
    let places: Vec<Value> = view
        .places()
        .into_iter()
        .filter_map(|it| Some(json!([it.spot.x, it.spot.y, it.facing.degrees(), view.answer_text(Answer::Place(it))?])))
        .collect();
    let option = |it: &OptionView| {
        let at = it.first_target().and_then(|target| place_of_target(artwork?, view, target));
        json!({ "answer": it.text, "label": it.label, "about": it.about, "at": at, "tile": it.tile.map(|tile| tile.0) })
    };
    Some(json!({
        "seat": seat.0,
        "text": prompt.text,
        "askedBy": prompt.asked_by.map(|it| &it.title),
        "tile": if let PromptKind::Place(tile) = prompt.kind { Some(tile.0) } else { None },
        "places": places,
        "options": view.option_views().iter().map(option).collect::<Vec<_>>(),
    }))
}

/// Returns the place of an option's target on the board, as `[x, y]`; `None` if the target is not
/// on the board.
fn place_of_target(artwork: &Artwork, view: GameView<'_>, target: &Target) -> Option<[f64; 2]> {
    let zone = |zone| place_of_zone(&artwork.painter, view, zone);
    match target {
        Target::Spot(spot) => Some([f64::from(spot.x) + 0.5, f64::from(spot.y) + 0.5]),
        Target::Corner(corner) => Some([f64::from(corner.x), f64::from(corner.y)]),
        Target::Border(border) => Some(border.middle().map(f64::from)),
        Target::Zone(it) => zone(*it),
        Target::Feature(feature) => zone(feature.anchor),
        Target::Piece(piece) => place_of_piece(artwork, view, *piece),
        Target::Player(_) | Target::Tiles(_) => None,
    }
}

fn place_of_piece(artwork: &Artwork, view: GameView<'_>, piece: PieceRef) -> Option<[f64; 2]> {
    let target = match view.piece(piece)?.place {
        Location::Zone(zone) => Target::Zone(zone),
        Location::Spot(spot) => Target::Spot(spot),
        Location::Corner(corner) => Target::Corner(corner),
        Location::Border(border) => Target::Border(border),
        Location::Space(_) | Location::Kept(_) => return None,
    };
    place_of_target(artwork, view, &target)
}
