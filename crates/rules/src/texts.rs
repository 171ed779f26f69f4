//! The stable texts of options, and of game objects in options, as records contain them; and the
//! parsers of these texts.

use board::{Border, Corner, Edge, Facing, FeatureRef, Spot, TileRef, ZoneRef};
use diagnostic::{ExpectOrDefault, is_hidden, visible};
use thiserror::Error;

use crate::fault::Refusal;
use crate::mod_options::ModOption;
use crate::position::{Location, PilePlace};
use crate::ruleset::Ruleset;
use crate::state::{Actor, Answer, Decision, Question, State};
use crate::value::{PieceRef, Seat, Value};

/// The first words of the lines in the header of a record.
const HEADER_KEYWORDS: [&str; 8] = ["bastide", "mods", "players", "begins", "set", "seed", "bot", "colour"];

/// The first words of log lines. The text of a mod's option may not begin with one of these words.
const LOG_KEYWORDS: [&str; 5] = ["given", "expect", "pass", "back", "end"];

/// The first words of the core's own options, except `pass`, `marker` and `first`.
const CORE_KEYWORDS: [&str; 4] = ["draw", "roll", "place", "deploy"];

/// The text of a sealed answer.
pub const SEALED: &str = "sealed";

/// Returns the text of `choice` among the options of `decision`, which is open in `state`.
pub fn option_text(ruleset: &Ruleset, state: &State, decision: &Decision, choice: Answer) -> String {
    let catalogue = &ruleset.catalogue;
    match choice {
        Answer::Pass => "pass".to_owned(),
        Answer::Sealed => SEALED.to_owned(),
        Answer::Draw(item) => match decision.question {
            Question::Draw(deck) => format!("draw {}", catalogue.item_name(deck, item)),
            _ => format!("draw {item}"),
        },
        Answer::Roll(n) => format!("roll {n}"),
        Answer::Place(place) => format!("place {} {}", place.spot, place.facing),
        Answer::Deploy { kind, zone } => {
            format!("deploy {} {}", catalogue.piece(kind).name, zone_text(ruleset, state, zone))
        }
        Answer::Marker(n) => format!("marker {}", n + 1),
        Answer::ModOption(i) => {
            let view = state.view();
            let answerer = if let Actor::Player(seat) = decision.who { Some(seat) } else { None };
            decision
                .mod_options
                .get(i as usize)
                .map_or(String::new(), |offer| offer_text(ruleset, view, answerer, &offer))
        }
    }
}

/// Returns the text of a mod's option in records. `answerer` is the player who chooses, if any.
pub(crate) fn offer_text(ruleset: &Ruleset, state: &State, answerer: Option<Seat>, offer: &ModOption) -> String {
    let rest =
        value_text(ruleset, state, answerer, &offer.value).expect_or_default("options without a text are not offered");
    match offer.word.as_deref() {
        None | Some("") => rest,
        Some(word) if rest.is_empty() => word.to_owned(),
        Some(word) => format!("{word} {rest}"),
    }
}

/// Finds the option of the open decision whose text is `text`, if there is one.
pub fn option_with_text(ruleset: &Ruleset, state: &State, text: &str) -> Option<Answer> {
    let decision = state.decision()?;
    let options = decision.options(ruleset, state);
    options.iter().copied().find(|c| option_text(ruleset, state, decision, *c) == text)
}

/// Returns the texts of all options of the open decision. Placements come first, sorted by row and
/// column. Empty if no decision is open.
pub fn option_texts(ruleset: &Ruleset, state: &State) -> Vec<String> {
    let Some(decision) = state.decision() else { return Vec::new() };
    let mut options = decision.options(ruleset, state).into_owned();
    options.sort_by_key(|c| match c {
        Answer::Place(p) => (0, p.spot.y, p.spot.x, p.facing.quarters()),
        _ => (1, 0, 0, 0),
    });
    options.into_iter().map(|c| option_text(ruleset, state, decision, c)).collect()
}

/// Returns the word that records use for the actor who answers: a player's name or `chance`.
pub fn actor_text(state: &State, who: Actor) -> &str {
    match who {
        Actor::Player(seat) => state.name(seat),
        Actor::Chance => "chance",
    }
}

/// Returns the text of a zone: its spot and its name, such as `0,-1 road@s`.
pub fn zone_text(ruleset: &Ruleset, state: &State, zone: ZoneRef) -> String {
    let tile_set = &ruleset.catalogue.tile_set;
    format!("{} {}", state.board.tile_at_zone(zone).spot, state.board.zone_name(tile_set, zone))
}

/// Returns the text of a piece: the kind, the place and the owner. Omits the owner if the piece is
/// neutral or belongs to `answerer`.
pub fn piece_text(ruleset: &Ruleset, state: &State, answerer: Option<Seat>, piece: PieceRef) -> String {
    let Some(it) = state.piece(piece) else { return "piece".to_owned() };
    let kind = &ruleset.catalogue.piece(it.kind).name;
    let place = match it.place {
        Location::Zone(zone) => zone_text(ruleset, state, zone),
        Location::Spot(spot) => format!("on {spot}"),
        Location::Corner(corner) => format!("corner {corner}"),
        Location::Border(border) => format!("border {border}"),
        Location::Space(space) => format!("space {space}"),
        Location::Kept(keeper) => format!("kept {}", state.name(keeper)),
    };
    match it.owner {
        Some(owner) if Some(owner) != answerer => format!("{kind} {place} of {}", state.name(owner)),
        _ => format!("{kind} {place}"),
    }
}

/// Returns the text of a feature, which is that of its first zone, row by row from the north.
pub fn feature_text(ruleset: &Ruleset, state: &State, feature: FeatureRef) -> String {
    let key = |zone: &ZoneRef| {
        let Spot { x, y } = state.board.tile_at_zone(*zone).spot;
        (y, x, *zone)
    };
    let first = state.board.zones(feature).min_by_key(key).unwrap_or(feature.anchor);
    zone_text(ruleset, state, first)
}

/// Returns an error if `value` contains a zone, feature or tile that has left the board.
pub(crate) fn check_on_board(state: &State, value: &Value) -> Result<(), Refusal> {
    let (is_there, what) = match value {
        Value::Zone(zone) | Value::Deployment(_, zone) => (state.board.has_zone(*zone), "zone"),
        Value::Feature(feature) => (state.board.has_zone(feature.anchor), "feature"),
        Value::Tile(tile) => (state.board.is_laid(*tile), "tile"),
        Value::List(values) => return values.iter().try_for_each(|value| check_on_board(state, value)),
        Value::Option(option) => return check_on_board(state, &option.about),
        _ => return Ok(()),
    };
    if is_there { Ok(()) } else { Err(format!("this {what} is not on the board any more").into()) }
}

/// Returns the text of a value as part of an option's text. `answerer` is the player who chooses,
/// if any; the text does not name this player as the owner of a piece.
///
/// # Errors
/// Returns an error if the value has no text, or if it contains a zone, feature or tile that has
/// left the board.
pub fn value_text(ruleset: &Ruleset, state: &State, answerer: Option<Seat>, value: &Value) -> Result<String, Refusal> {
    let catalogue = &ruleset.catalogue;
    check_on_board(state, value)?;
    Ok(match value {
        Value::Unit => String::new(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Text(text) => check_plain(text)?.to_owned(),
        Value::List(values) => list_text(ruleset, state, answerer, values)?,
        Value::Player(seat) => state.name(*seat).to_owned(),
        Value::Spot(spot) => spot.to_string(),
        Value::Corner(corner) => format!("corner {corner}"),
        Value::Border(border) => format!("border {border}"),
        Value::TileType(tile) => catalogue.tile_set.tile(*tile).name.clone(),
        Value::Tile(tile) => state.board.tile(*tile).spot.to_string(),
        Value::Zone(zone) => zone_text(ruleset, state, *zone),
        Value::Feature(feature) => feature_text(ruleset, state, *feature),
        Value::Piece(piece) => piece_text(ruleset, state, answerer, *piece),
        Value::Space(space) => space.to_string(),
        Value::Deck(deck) => catalogue.decks[deck.idx()].name.clone(),
        Value::Card(card) => catalogue.cards[*card as usize].name.clone(),
        Value::Placement(_, place) => format!("{} {}", place.spot, place.facing),
        Value::Deployment(kind, zone) => {
            format!("{} {}", catalogue.piece(*kind).name, zone_text(ruleset, state, *zone))
        }
        Value::Option(option) => {
            let rest = value_text(ruleset, state, answerer, &option.about)?;
            let gap = if option.word.is_empty() || rest.is_empty() { "" } else { " " };
            format!("{}{gap}{rest}", option.word)
        }
        Value::Score => return Err("an unfinished award cannot be an option".into()),
        Value::Map(_) => return Err("a map cannot be an option; use option(word, handles, data)".into()),
    })
}

/// Returns `text` if a record can reproduce it. The text must consist of words separated by single
/// spaces and must not be too long. It must contain neither `#`, which begins a comment, nor
/// invisible characters.
pub(crate) fn check_plain(text: &str) -> Result<&str, Refusal> {
    if text.len() > MAX_OPTION_TEXT_BYTES {
        let begin: String = text.chars().take(20).collect();
        return Err(format!(
            "`{begin}…` is too long for an option's text, which may have at most {MAX_OPTION_TEXT_BYTES} bytes"
        )
        .into());
    }
    let is_plain = text.is_empty() || text.split_whitespace().eq(text.split(' '));
    if is_plain && !text.contains(|c| c == '#' || is_hidden(c)) {
        return Ok(text);
    }
    let wanted = "words with one space between them, without # and invisible characters";
    Err(format!("`{}` cannot be part of an option's text: {wanted}", visible(text)).into())
}

/// The maximum length of a text in an option, in bytes.
const MAX_OPTION_TEXT_BYTES: usize = 200;

/// The maximum number of values in an option, including nested values.
const MAX_PARTS: usize = 100;

/// Checks that a value can be written in the text of an option. Returns whether the value contains
/// only words. If so, the caller must also check that the text of the value is neither empty nor
/// reserved.
pub(crate) fn check_words(value: &Value) -> Result<bool, Refusal> {
    check_parts(value, &mut 0)
}

/// Checks a value as [`check_words`] does. `n` counts the values checked so far.
fn check_parts(value: &Value, n: &mut usize) -> Result<bool, Refusal> {
    *n += 1;
    if *n > MAX_PARTS {
        return Err(format!("an option may refer to at most {MAX_PARTS} things").into());
    }
    Ok(match value {
        Value::Unit => true,
        Value::Text(text) => {
            check_plain(text)?;
            true
        }
        Value::List(values) => {
            let mut only_words = true;
            for value in values.iter() {
                only_words &= check_parts(value, n)?;
            }
            only_words
        }
        Value::Option(option) => {
            check_plain(&option.word)?;
            check_parts(&option.about, n)?
        }
        Value::Score => return Err("an unfinished award cannot be an option".into()),
        Value::Map(_) => return Err("a map cannot be an option; use option(word, handles, data)".into()),
        _ => false,
    })
}

/// Returns the texts of several values. Writes consecutive zones of one tile as one spot followed
/// by the names of the zones, clockwise.
fn list_text(ruleset: &Ruleset, state: &State, answerer: Option<Seat>, values: &[Value]) -> Result<String, Refusal> {
    let mut words: Vec<String> = Vec::new();
    let mut i = 0;
    while i < values.len() {
        let Value::Zone(first) = values[i] else {
            words.push(value_text(ruleset, state, answerer, &values[i])?);
            i += 1;
            continue;
        };
        let tile = state.board.tile_of(first);
        let mut zones = vec![first];
        while let Some(Value::Zone(zone)) = values.get(i + zones.len()) {
            if state.board.tile_of(*zone) != tile {
                break;
            }
            zones.push(*zone);
        }
        i += zones.len();
        let tile_set = &ruleset.catalogue.tile_set;
        let placed = state.board.tile(tile);
        let shape = tile_set.tile(placed.tile);
        zones.sort_by_key(|z| {
            let local = placed.local_index(*z);
            (shape.zones[local].ports.turned(placed.facing).first().map_or(12, |p| p.index()), local)
        });
        words.push(placed.spot.to_string());
        words.extend(zones.iter().map(|z| state.board.zone_name(tile_set, *z)));
    }
    words.retain(|w| !w.is_empty());
    Ok(words.join(" "))
}

/// A reason why a text is not the place or the facing that it should be. The text of the error is a
/// sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum TextError {
    #[error("`{0}` is not a spot; a spot is <x>,<y>")]
    NotASpot(String),
    #[error("`{0}` is not an edge; an edge is n, e, s or w")]
    NotAnEdge(String),
    #[error("the grid ends at {0}")]
    BeyondGrid(Spot),
    #[error("a pile lies on `<x>,<y>` or on `border <x>,<y> <edge>`")]
    NotAPilePlace,
    #[error("`{0}` is not a facing; a facing is 0, 90, 180 or 270")]
    NotAFacing(String),
    #[error("no tile lies on {0}")]
    NoTile(Spot),
    #[error("the tile on {spot} has no zone {name}; it has {}", zones.join(", "))]
    NoZone { spot: Spot, name: String, zones: Vec<String> },
}

/// Parses a spot of the form `x,y`.
///
/// # Errors
/// Returns an error if `text` is not of the form `x,y`.
pub fn parse_spot(text: &str) -> Result<Spot, TextError> {
    let spot = text.split_once(',').and_then(|(x, y)| Some(Spot::new(x.parse().ok()?, y.parse().ok()?)));
    spot.ok_or_else(|| TextError::NotASpot(text.to_owned()))
}

/// Parses a corner of the form `x,y`, which is the north-west corner of the spot `x,y`.
///
/// # Errors
/// Returns an error if `text` is not of the form `x,y`.
pub fn parse_corner(text: &str) -> Result<Corner, TextError> {
    parse_spot(text).map(|Spot { x, y }| Corner { x, y })
}

/// Parses a border: a spot and the letter of one of its edges.
///
/// # Errors
/// Returns an error if `spot` is not a spot, `edge` is not an edge, or the grid ends at that edge.
pub fn parse_border(spot: &str, edge: &str) -> Result<Border, TextError> {
    let spot = parse_spot(spot)?;
    let found = Edge::ALL.into_iter().find(|it| it.letter() == edge);
    let found = found.ok_or_else(|| TextError::NotAnEdge(edge.to_owned()))?;
    Border::from_edge(spot, found).ok_or(TextError::BeyondGrid(spot))
}

/// Parses the place of a pile: a spot, or the word `border` with a spot and the letter of one of
/// its edges.
///
/// # Errors
/// Returns an error if `words` is neither a spot nor a border.
pub fn parse_pile_place(words: &[&str]) -> Result<PilePlace, TextError> {
    match *words {
        ["border", spot, edge] => parse_border(spot, edge).map(PilePlace::Border),
        [spot] => parse_spot(spot).map(PilePlace::Spot),
        _ => Err(TextError::NotAPilePlace),
    }
}

/// Parses a facing in degrees.
///
/// # Errors
/// Returns an error if `text` is not 0, 90, 180 or 270.
pub fn parse_facing(text: &str) -> Result<Facing, TextError> {
    let facing = text.parse().ok().and_then(Facing::from_degrees);
    facing.ok_or_else(|| TextError::NotAFacing(text.to_owned()))
}

/// Finds the tile on `spot`.
///
/// # Errors
/// Returns an error if `spot` is not a spot, or no tile lies on it.
pub fn find_tile(state: &State, spot: &str) -> Result<TileRef, TextError> {
    let spot = parse_spot(spot)?;
    state.board.tile_at(spot).ok_or(TextError::NoTile(spot))
}

/// Finds the zone of the tile on `spot` that is called `name`, as [`zone_text`] writes it.
///
/// # Errors
/// Returns an error if `spot` is not a spot, no tile lies on it, or the tile has no such zone.
pub fn find_zone(ruleset: &Ruleset, state: &State, spot: &str, name: &str) -> Result<ZoneRef, TextError> {
    let tile = find_tile(state, spot)?;
    let tile_set = &ruleset.catalogue.tile_set;
    let placed = state.board.tile(tile);
    let zone = tile_set.zone_named(placed.tile, placed.facing, name);
    zone.map(|z| placed.zone(z)).ok_or_else(|| {
        let zones = 0..tile_set.tile(placed.tile).zones.len();
        let zones = zones.map(|z| tile_set.zone_name(placed.tile, placed.facing, z)).collect();
        TextError::NoZone { spot: placed.spot, name: name.to_owned(), zones }
    })
}

/// Lists the reserved first words of record lines. No player and no piece, deck or option of a mod
/// may have such a word as its name.
pub fn record_keywords() -> impl Iterator<Item = &'static str> {
    [&HEADER_KEYWORDS[..], &LOG_KEYWORDS, &CORE_KEYWORDS].into_iter().flatten().copied()
}

/// Returns whether a record line that begins with `word` belongs to the header.
pub(crate) fn is_header_keyword(word: &str) -> bool {
    HEADER_KEYWORDS.contains(&word)
}

/// Returns whether lines that begin with `word` have another meaning in records, so that no option
/// of a mod may begin with `word`. `is_first` is true if no answer precedes the line. Such a line
/// could belong to the header.
pub(crate) fn is_reserved(word: &str, is_first: bool) -> bool {
    LOG_KEYWORDS.contains(&word) || is_first && HEADER_KEYWORDS.contains(&word)
}
