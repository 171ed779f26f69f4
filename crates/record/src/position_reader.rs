//! Reads positions from text. `given` lines describe a position, so that no game must be played to
//! reach it.
#![expect(clippy::indexing_slicing, reason = "handles are positions in the catalogue and the state that made them")]

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use board::{ColumnIdx, FeatureRef, LayerIdx, MergeRule, PlaceError, TagCarrier, TileRef, ZoneRef};
use diagnostic::never;
use rules::{
    Game, HeldItem, Hook, Item, Location, PieceKindIdx, PieceRef, PositionBuilder, Rules, Seat, SeatSet, Setup, State,
    Value, find_zone, parse_border, parse_corner, parse_facing, parse_pile_place, parse_spot,
};
use serde_json::Value as Json;

use crate::position_writer::piece_words;

const PILE_FORMS: &str = "write `given pile <pile> <x>,<y> <n>`, `… border <x>,<y> <edge> <n>` or `… stock <n>`";

/// The problems of `given` lines. Each problem is the index of a line in [`Setup::position`], and a
/// message without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenErrors(pub Vec<(usize, String)>);

impl fmt::Display for GivenErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(|(i, e)| format!("given line {}: {e}", i + 1)).collect();
        write!(f, "{}", lines.join("; "))
    }
}

impl std::error::Error for GivenErrors {}

/// Builds the first state of a game: the usual start, changed by the `given` lines of `setup`.
///
/// # Errors
/// Returns an error if a line is invalid, or if a mod cannot migrate its stored data. Also returns
/// an error if no line answers a question that a mod asks in its function `setup`.
pub fn position(rules: &Rules, setup: &Setup) -> Result<State, GivenErrors> {
    let takes_start = setup.position.iter().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], ["tile", _, "0,0", ..] | ["no", "tile", "0,0"])
    });
    let mut reader = PositionReader { rules, position: PositionBuilder::new(rules, setup) };
    let mut errors = Vec::new();
    if !takes_start && let Err(error) = reader.position.lay_start_tile() {
        never!("the start tile does not fit on the empty board: {error:?}");
    }
    // Players with a `given token` line first return their tokens to the stock, because another
    // line may give these tokens to another player.
    let before_setup = setup.position.iter().take_while(|line| *line != "setup");
    before_setup.for_each(|line| reader.return_tokens(line));
    for (i, line) in setup.position.iter().enumerate() {
        if let Err(message) = reader.read(line) {
            errors.push((i, message));
            // Stops here, because errors in later lines may be mere consequences of this error.
            if line.starts_with("setup") || line.starts_with("answer") {
                return Err(GivenErrors(errors));
            }
        }
        let is_set_up = line.starts_with("setup") || line.starts_with("answer");
        if is_set_up && reader.position.question().is_none() {
            setup.position.iter().skip(i + 1).for_each(|line| reader.return_tokens(line));
        }
    }
    if let (Some(question), true) = (reader.position.question(), errors.is_empty()) {
        let line = setup.position.iter().rposition(|line| line.starts_with("setup") || line.starts_with("answer"));
        errors.push((line.unwrap_or(0), unanswered_message(question)));
    }
    if errors.is_empty() {
        errors.extend(reader.migrate(setup).err());
    }
    if errors.is_empty() { Ok(reader.position.finish()) } else { Err(GivenErrors(errors)) }
}

/// Starts a game at the position of `setup`, and advances the game to its first decision.
///
/// # Errors
/// Returns the same errors as [`position`].
pub fn start_game(rules: Rc<Rules>, setup: Setup) -> Result<Game, GivenErrors> {
    let start = Arc::new(position(&rules, &setup)?);
    Ok(Game::from_position(rules, setup, start))
}

/// Returns the message for a question of a mod's function `setup` that no line answers.
fn unanswered_message(question: &str) -> String {
    format!("`setup` asks: {question} Answer it in the next line: `given answer <option>`")
}

struct PositionReader<'r> {
    rules: &'r Rules,
    position: PositionBuilder<'r>,
}

impl PositionReader<'_> {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((what, rest)) = words.split_first() else { return Err("nothing follows `given`".to_owned()) };
        if let Some(question) = self.position.question().filter(|_| *what != "answer") {
            return Err(unanswered_message(question));
        }
        match *what {
            "setup" if rest.is_empty() => self.position.run_setup().map_err(|e| e.to_string()),
            "setup" => Err("write `given setup` and nothing else".to_owned()),
            "answer" => self.position.answer_setup(&rest.join(" ")).map_err(|e| e.to_string()),
            "tile" => self.read_tile(rest),
            "no" if rest == ["tile", "0,0"] => Ok(()),
            "no" => Err("only the start tile can be removed: `given no tile 0,0`".to_owned()),
            "piece" => self.read_piece(rest),
            "score" => self.read_score(rest),
            "supply" => self.read_supply(rest),
            "token" => self.read_token(rest),
            "pile" => self.read_pile(rest),
            "link" => self.read_link(rest),
            "deck" => self.read_deck(rest),
            "row" => self.read_row(rest),
            "hand" => self.read_hand(rest),
            "tag" => self.read_tag(rest),
            "open" => self.read_open(rest),
            "turn" => self.read_turn(rest),
            "order" => self.read_order(rest),
            "next" => self.read_next(rest),
            "misses" => self.read_turns_to_miss(rest),
            "mem" => self.read_memory(line),
            _ => Err(format!(
                "unknown word `{what}` after `given`; there are setup, answer, tile, piece, score, supply, token, pile, link, deck, row, hand, tag, open, turn, order, next, misses and mem"
            )),
        }
    }

    /// Lets each mod migrate the data that another version of this mod has stored.
    fn migrate(&mut self, setup: &Setup) -> Result<(), (usize, String)> {
        let catalogue = self.rules.catalogue();
        for handler in catalogue.handlers(Hook::Migrate) {
            let owner = &catalogue.mods[handler.owner.idx()];
            let was = setup.mods.iter().find(|m| m.id == owner.id).and_then(|m| m.version.as_ref());
            let Some(from) = was.filter(|version| **version != owner.version) else { continue };
            self.position.migrate(handler.owner, from).map_err(|error| {
                let starts = format!("mem {} ", owner.id);
                let line = setup.position.iter().position(|line| line.starts_with(&starts)).unwrap_or(0);
                (line, error.to_string())
            })?;
        }
        Ok(())
    }

    fn state(&self) -> &State {
        self.position.state()
    }

    fn read_tile(&mut self, words: &[&str]) -> Result<(), String> {
        let (&[name, spot], facing) =
            words.split_first_chunk().ok_or("write `given tile <mod>/<tile> <x>,<y> <facing>`")?;
        let catalogue = self.rules.catalogue();
        let tile = catalogue.tile_set.tile_named(name).ok_or_else(|| format!("there is no tile {name}"))?;
        if catalogue.tile_set.tile(tile).is_overlay {
            return Err(format!("{name} is an overlay: write `<tile>+{name}`"));
        }
        let spot = parse_spot(spot)?;
        let facing = parse_facing(facing.first().unwrap_or(&"0"))?;
        self.position.lay_tile(tile, spot, facing).map_err(|e| match e {
            PlaceError::Taken => format!("{spot} already has a tile"),
            PlaceError::Edge(edge) => {
                format!("the {} edge of {name} at {spot} does not fit its neighbour", edge.letter())
            }
            PlaceError::Apart => format!("{name} at {spot} touches no tile"),
        })
    }

    fn seat(&self, name: &str) -> Result<Option<Seat>, String> {
        match name {
            "neutral" | "stock" => Ok(None),
            _ => match self.state().seat_named(name) {
                Some(seat) => Ok(Some(seat)),
                None => {
                    let names: Vec<&str> = self.state().seats().map(|seat| self.state().name(seat)).collect();
                    Err(format!("there is no player {name}; players are {}", names.join(", ")))
                }
            },
        }
    }

    fn player(&self, name: &str) -> Result<Seat, String> {
        self.seat(name)?.ok_or_else(|| format!("{name} is not a player"))
    }

    fn kind(&self, name: &str) -> Result<PieceKindIdx, String> {
        self.rules.catalogue().piece_named(name).ok_or_else(|| format!("there is no piece {name}"))
    }

    fn read_piece(&mut self, words: &[&str]) -> Result<(), String> {
        let usage = "write `given piece <player> <kind> <x>,<y> <zone>`, `… on <x>,<y>`, `… corner <x>,<y>`, `… border <x>,<y> <edge>`, `… space <n>` or `… kept <player>`";
        let (&[owner, kind, at, rest], more) = words.split_first_chunk().ok_or(usage)?;
        let (owner, kind) = (self.seat(owner)?, self.kind(kind)?);
        let pinned = more.contains(&"pinned");
        let mut zones: Vec<ZoneRef> = Vec::new();
        let place = match at {
            "on" => Location::Spot(parse_spot(rest)?),
            "kept" => Location::Kept(self.player(rest)?),
            "space" => {
                Location::Space(parse_number(rest).map_err(|_| format!("`{rest}` is not a space of the score track"))?)
            }
            "corner" => Location::Corner(parse_corner(rest)?),
            "border" => Location::Border(parse_border(rest, more.first().copied().unwrap_or_default())?),
            _ => {
                let first = self.zone(at, rest)?;
                let mut spot = at;
                for word in more.iter().filter(|w| **w != "pinned") {
                    if word.contains(',') {
                        spot = word;
                    } else {
                        zones.push(self.zone(spot, word)?);
                    }
                }
                Location::Zone(first)
            }
        };
        let declared = self.rules.catalogue().piece(kind);
        if self.state().supply(owner, kind) == 0 {
            match owner {
                Some(_) if declared.per_player == 0 && declared.neutral > 0 => {
                    return Err(format!(
                        "a {} has no owner; write `given piece neutral {} …`",
                        declared.name, declared.name
                    ));
                }
                None if declared.neutral == 0 && declared.per_player > 0 => {
                    return Err(format!("a {} belongs to a player; name the player", declared.name));
                }
                _ => {}
            }
        }
        self.position.put_piece(kind, owner, place, &zones, pinned).map(drop).map_err(|e| e.to_string())
    }

    fn zone(&self, spot: &str, name: &str) -> Result<ZoneRef, String> {
        find_zone(&self.rules.ruleset, self.state(), spot, name)
    }

    fn read_score(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, numbers) = words.split_first().ok_or("write `given score <player> <points>`")?;
        let seat = self.player(name)?;
        let n = self.state().markers_of(seat).len();
        if numbers.is_empty() || numbers.len() > n {
            return Err(match n {
                1 => "a player has one score marker: write one number".to_owned(),
                _ => format!("a player has {n} score markers: write 1 to {n} numbers"),
            });
        }
        // The engine checks the range of points.
        let points_of = |text: &&str| text.parse().map_err(|_| format!("`{text}` is not a number, or out of range"));
        let points: Vec<i64> = numbers.iter().map(points_of).collect::<Result<_, _>>()?;
        self.position.set_points(seat, &points).map_err(|e| e.to_string())
    }

    fn read_supply(&mut self, words: &[&str]) -> Result<(), String> {
        let &[owner, kind, n] = words else { return Err("write `given supply <player> <kind> <n>`".to_owned()) };
        let (owner, kind) = (self.seat(owner)?, self.kind(kind)?);
        self.position.set_supply(owner, kind, parse_number(n)?);
        Ok(())
    }

    /// If `line` is a `given token` line, returns the player's tokens of this type to the stock, so
    /// that the line can set their new number.
    fn return_tokens(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["token", owner, token, _] = words[..] else { return };
        let token = self.rules.catalogue().token_named(token);
        if let (Ok(Some(seat)), Some(token)) = (self.seat(owner), token) {
            self.position.set_tokens(Some(seat), token, 0);
        }
    }

    fn read_token(&mut self, words: &[&str]) -> Result<(), String> {
        let &[owner, token, n] = words else { return Err("write `given token <player> <token> <n>`".to_owned()) };
        let owner = self.seat(owner)?;
        let token = self.rules.catalogue().token_named(token).ok_or_else(|| format!("there is no token {token}"))?;
        let n = parse_number(n)?;
        let got = self.position.set_tokens(owner, token, n);
        if got < n { Err(format!("only {got} of these tokens are left in stock")) } else { Ok(()) }
    }

    fn read_pile(&mut self, words: &[&str]) -> Result<(), String> {
        let [pile, place @ .., n] = words else { return Err(PILE_FORMS.to_owned()) };
        if !matches!(place, [_] | ["border", _, _]) {
            return Err(PILE_FORMS.to_owned());
        }
        let pile = self.rules.catalogue().pile_named(pile).ok_or_else(|| format!("there is no pile {pile}"))?;
        let n = parse_number(n)?;
        if place == ["stock"] {
            self.position.set_pile_stock(pile, n);
        } else {
            let put = self.position.put_pile(parse_pile_place(place)?, pile, n);
            if put < n {
                return Err(format!("only {put} items of this pile were left in stock"));
            }
        }
        Ok(())
    }

    fn read_link(&mut self, words: &[&str]) -> Result<(), String> {
        let mut spot = *words.first().ok_or("write `given link <x>,<y> <zone> [<x>,<y>] <zone>`")?;
        let mut zones: Vec<ZoneRef> = Vec::new();
        for word in words {
            if word.contains(',') {
                spot = word;
            } else {
                zones.push(self.zone(spot, word)?);
            }
        }
        if zones.is_empty() || !zones.len().is_multiple_of(2) {
            return Err("write an even number of zones, because each link joins two".to_owned());
        }
        zones.chunks(2).try_for_each(|pair| self.position.link(pair[0], pair[1])).map_err(|e| e.to_string())
    }

    fn read_deck(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, items) = words.split_first().ok_or("write `given deck <deck> <item> <item>*<n> …`")?;
        let catalogue = self.rules.catalogue();
        let deck = catalogue.deck_named(name).ok_or_else(|| format!("there is no deck {name}"))?;
        let (items, seen_by) = self.split_seen(items)?;
        let mut counted: BTreeMap<u16, u16> = BTreeMap::new();
        for item in items {
            let (item, n) = item.split_once('*').unwrap_or((item, "1"));
            let n: u16 = parse_number(n)?;
            let found = catalogue.item_named(deck, item).ok_or_else(|| format!("deck {name} cannot contain {item}"))?;
            let copies = counted.entry(found).or_default();
            *copies = copies.checked_add(n).ok_or_else(|| format!("a deck cannot contain so many copies of {item}"))?;
        }
        self.position.put_group(deck, &counted.into_iter().collect::<Vec<_>>(), seen_by);
        Ok(())
    }

    fn read_row(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, items) = words.split_first().ok_or("write `given row <deck> <item> <item> …`")?;
        let catalogue = self.rules.catalogue();
        let deck = catalogue.deck_named(name).ok_or_else(|| format!("there is no deck {name}"))?;
        let item = |name: &&str| {
            let found = catalogue.item_named(deck, name);
            found.ok_or_else(|| format!("the row of deck {deck_name} cannot hold {name}", deck_name = words[0]))
        };
        let items: Vec<u16> = items.iter().map(item).collect::<Result<_, _>>()?;
        self.position.put_in_row(deck, &items).map_err(|e| e.to_string())
    }

    fn read_hand(&mut self, words: &[&str]) -> Result<(), String> {
        let (words, seen_by) = self.split_seen(words)?;
        let &[player, name] = words else {
            return Err("write `given hand <player> <mod>/<tile or card> [seen [<player> ...]]`".to_owned());
        };
        let holder = self.player(player)?;
        let item =
            Item::named(self.rules.catalogue(), name).ok_or_else(|| format!("there is no tile or card {name}"))?;
        self.position.give_item(HeldItem { holder, item, seen_by });
        Ok(())
    }

    /// Splits `words` at the word `seen`. Returns the words before `seen`, and the players that the
    /// words after `seen` name. Without `seen`, returns all words and all players.
    fn split_seen<'w, 't>(&self, words: &'w [&'t str]) -> Result<(&'w [&'t str], SeatSet), String> {
        match words.iter().position(|word| *word == "seen") {
            None => Ok((words, SeatSet::ALL)),
            Some(at) => {
                let seats: Result<SeatSet, String> = words[at + 1..].iter().map(|name| self.player(name)).collect();
                Ok((&words[..at], seats?))
            }
        }
    }

    fn read_tag(&mut self, words: &[&str]) -> Result<(), String> {
        let usage = "write `given tag <x>,<y> [<zone>] <tag> <value>`";
        let tile_set = &self.rules.catalogue().tile_set;
        let tag_of = |name: &str| tile_set.tag_named(name).ok_or_else(|| format!("there is no tag {name}"));
        match *words {
            [_, name, _] if tile_set.tag_named(name).is_none() => tag_of(name).map(|_| ()),
            [spot, name, ref value @ ..] if !value.is_empty() && tile_set.tag_named(name).is_some() => {
                let tag = tag_of(name)?;
                // A value that is a word may contain spaces.
                let value = value.join(" ");
                if tile_set.tag(tag).on == TagCarrier::Zone {
                    return Err(format!("{name} is a tag of zones; write `given tag <x>,<y> <zone> {name} <value>`"));
                }
                let tile =
                    self.state().board.tile_at(parse_spot(spot)?).ok_or_else(|| format!("no tile lies on {spot}"))?;
                let words = &tile_set.tag(tag).values;
                let at = words.iter().position(|v| *v == value);
                let value = at.map_or_else(|| parse_number(&value), |i| Ok(i as i32))?;
                self.position.set_tile_tag(tile, tag, value);
                Ok(())
            }
            [spot, zone, name, value] => {
                let (name, word) = name.split_once('=').map_or((name, None), |(name, word)| (name, Some(word)));
                let tag = tile_set.tag(tag_of(name)?);
                if tag.on == TagCarrier::Tile {
                    return Err(format!("{name} is a tag of tiles; write `given tag <x>,<y> {name} <value>`"));
                }
                let has_words = matches!(tag.merge, MergeRule::Set | MergeRule::Multiset);
                let at = match word {
                    Some(word) => tag.values.iter().position(|v| v == word),
                    None => (!has_words).then_some(0),
                };
                let at = at.ok_or_else(|| match has_words {
                    true => format!("write `{name}=<word> <n>`; the words of {name} are {}", tag.values.join(", ")),
                    false => format!("{name} has no words; write `{name} <n>`"),
                })?;
                let column = ColumnIdx(tag.first_column.0 + at as u8);
                let zone = self.zone(spot, zone)?;
                self.position.set_zone_tag(zone, column, parse_number(value)?);
                Ok(())
            }
            _ => Err(usage.to_owned()),
        }
    }

    fn read_open(&mut self, words: &[&str]) -> Result<(), String> {
        let [layer, spot, zone] = *words else { return Err("write `given open <layer> <x>,<y> <zone>`".to_owned()) };
        let feature = self.feature(layer, spot, zone)?;
        self.position.keep_open(feature).map_err(|e| e.to_string())
    }

    fn feature(&self, layer: &str, spot: &str, zone: &str) -> Result<FeatureRef, String> {
        let tile_set = &self.rules.catalogue().tile_set;
        let layer = tile_set.layer_named(layer).ok_or_else(|| format!("there is no layer {layer}"))?;
        let anchor = self.zone(spot, zone)?;
        if !self.state().board.layer_includes(layer, anchor) {
            return Err(format!("{zone} is not part of that layer"));
        }
        Ok(FeatureRef { layer, anchor })
    }

    fn read_turn(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, number) = words.split_first().ok_or("write `given turn <player>`")?;
        let player = self.player(name)?;
        let number: u32 = number.first().map_or(Ok(1), |n| parse_number(n))?;
        self.position.set_turn(player, number);
        Ok(())
    }

    fn read_order(&mut self, names: &[&str]) -> Result<(), String> {
        let seats: Vec<Seat> = names.iter().map(|name| self.player(name)).collect::<Result<_, _>>()?;
        self.position.set_order(&seats).map_err(|e| e.to_string())
    }

    fn read_next(&mut self, words: &[&str]) -> Result<(), String> {
        let &[name] = words else { return Err("write `given next <player>`".to_owned()) };
        let seat = self.player(name)?;
        self.position.set_next_player(seat);
        Ok(())
    }

    fn read_turns_to_miss(&mut self, words: &[&str]) -> Result<(), String> {
        let &[name, n] = words else { return Err("write `given misses <player> <n>`".to_owned()) };
        let seat = self.player(name)?;
        self.position.set_turns_to_miss(seat, parse_number(n)?).map_err(|e| e.to_string())
    }

    fn read_memory(&mut self, line: &str) -> Result<(), String> {
        let rest = line.trim().strip_prefix("mem").unwrap_or_default().trim_start();
        let (owner, text) = rest.split_once(char::is_whitespace).ok_or("write `given mem <mod> {…}`")?;
        let owner = self.rules.catalogue().mod_named(owner).ok_or_else(|| format!("mod {owner} is not active"))?;
        let json: Json =
            serde_json::from_str(text.trim_start()).map_err(|e| format!("the stored data is not valid JSON: {e}"))?;
        let Value::Map(map) = self.value_of(&json)? else { return Err("the stored data must be a map".to_owned()) };
        self.position.set_memory(owner, map);
        Ok(())
    }

    fn value_of(&self, json: &Json) -> Result<Value, String> {
        Ok(match json {
            Json::Null => Value::Unit,
            Json::Bool(b) => Value::Bool(*b),
            Json::Number(n) => Value::Int(n.as_i64().ok_or("numbers must be whole")?),
            Json::String(text) => match text.strip_prefix('@') {
                None => Value::text(text),
                Some(escaped) if escaped.starts_with('@') => Value::text(escaped),
                Some(handle) => self.handle_of(handle)?,
            },
            Json::Array(list) => Value::list(list.iter().map(|v| self.value_of(v)).collect::<Result<Vec<_>, _>>()?),
            Json::Object(map) => {
                let entries = map.iter().map(|(k, v)| Ok((Arc::from(k.as_str()), self.value_of(v)?)));
                Value::Map(Arc::new(entries.collect::<Result<BTreeMap<_, _>, String>>()?))
            }
        })
    }

    /// Returns piece number `n`, counted from 1, among the pieces whose `given` line has the text
    /// `text`.
    fn nth_piece_with_text(&self, n: usize, text: &str) -> Result<PieceRef, String> {
        let ruleset = &self.rules.ruleset;
        let mut like =
            self.state().pieces().filter(|(piece, it)| piece_words(ruleset, self.state(), *piece, it) == text);
        let found = n.checked_sub(1).and_then(|i| like.nth(i));
        found.map(|(piece, _)| piece).ok_or_else(|| format!("there is no piece number {n} with the text `{text}`"))
    }

    fn handle_of(&self, text: &str) -> Result<Value, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let catalogue = self.rules.catalogue();
        match *words.as_slice() {
            ["player", name] => Ok(Value::Player(self.player(name)?)),
            ["corner", corner] => Ok(Value::Corner(parse_corner(corner)?)),
            ["border", spot, edge] => Ok(Value::Border(parse_border(spot, edge)?)),
            ["spot", spot] => Ok(Value::Spot(parse_spot(spot)?)),
            ["zone", "gone"] => Ok(Value::Zone(ZoneRef(u32::MAX))),
            ["feature", "gone"] => Ok(Value::Feature(FeatureRef { layer: LayerIdx(0), anchor: ZoneRef(u32::MAX) })),
            ["tile", "gone"] => Ok(Value::Tile(TileRef(u32::MAX))),
            ["tile", spot] => self
                .state()
                .board
                .tile_at(parse_spot(spot)?)
                .map(Value::Tile)
                .ok_or_else(|| format!("no tile lies on {spot}")),
            ["sort", name] => catalogue
                .tile_set
                .tile_named(name)
                .map(Value::TileType)
                .ok_or_else(|| format!("there is no tile {name}")),
            ["zone", spot, zone] => Ok(Value::Zone(self.zone(spot, zone)?)),
            ["feature", layer, spot, zone] => self.feature(layer, spot, zone).map(Value::Feature),
            ["piece", "gone"] => Ok(Value::Piece(NO_PIECE)),
            ["piece", n, ref piece @ ..] => {
                self.nth_piece_with_text(parse_number(n)?, &piece.join(" ")).map(Value::Piece)
            }
            ["space", n] => Ok(Value::Space(parse_number(n)?)),
            ["deck", name] => {
                catalogue.deck_named(name).map(Value::Deck).ok_or_else(|| format!("there is no deck {name}"))
            }
            ["card", name] => {
                let at = catalogue.cards.iter().position(|c| c.name == *name);
                at.map(|i| Value::Card(i as u16)).ok_or_else(|| format!("there is no card {name}"))
            }
            _ => Err(format!("`@{text}` is not a handle")),
        }
    }
}

/// A reference to no piece. Stored data contains it in place of a piece that has left play.
const NO_PIECE: PieceRef = PieceRef(u32::MAX);

/// The maximum absolute value of a number in a `given` line, except in points and stored data.
/// Because of this limit, sums of such numbers cannot overflow.
const MAX_NUMBER: u64 = 1_000_000;

fn parse_number<T: TryFrom<i64>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|n: &i64| n.unsigned_abs() <= MAX_NUMBER);
    number.and_then(|n| T::try_from(n).ok()).ok_or_else(|| format!("`{text}` is not a number, or out of range"))
}
