//! Positions as text: `position_reader` lines build one without playing it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use board::{ColumnIdx, Facing, FeatureRef, Merge, Spot, TagOn, ZoneRef};
use serde_json::Value as Json;

use crate::awards::MOST_POINTS;
use crate::catalogue::Holds;
use crate::decks::DeckState;
use crate::event::Event;
use crate::hooks::{Hook, HookClass};
use crate::indices::{DeckIdx, PieceKindIdx};
use crate::invoke::ask_rule;
use crate::position_writer::piece_words;
use crate::rules::Rules;
use crate::ruleset::Ruleset;
use crate::setup::Setup;
use crate::state::{Location, Scope, State, Turn};
use crate::step::Step;
use crate::value::{PieceRef, Seat, Value};

/// What is wrong with `position_reader` lines: the position of each in [`Setup::position_reader`] and a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenErrors(pub Vec<(usize, String)>);

impl fmt::Display for GivenErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(|(i, e)| format!("given line {}: {e}", i + 1)).collect();
        write!(f, "{}", lines.join("\n"))
    }
}

impl std::error::Error for GivenErrors {}

/// The state that `setup` starts from: the start of the game, changed by its `position_reader` lines.
pub fn position(rules: &Rules, setup: &Setup) -> Result<State, GivenErrors> {
    let takes_start = setup.position.iter().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.first() == Some(&"tile") && words.get(2) == Some(&"0,0")
    });
    let mut state = State::new(rules, setup, !takes_start);
    let mut reader = Reader { rules, state: &mut state, decks_given: Vec::new(), has_turn: false };
    let mut errors = Vec::new();
    // What is given to one player may have come from another.
    setup.position.iter().for_each(|line| reader.take_tokens_back(line));
    for (i, line) in setup.position.iter().enumerate() {
        if let Err(message) = reader.read(line) {
            errors.push((i, message));
        }
    }
    reader.finish();
    if errors.is_empty() {
        errors.extend(migrate(rules, setup, &mut state).err());
    }
    if errors.is_empty() { Ok(state) } else { Err(GivenErrors(errors)) }
}

/// Lets mods bring what they remembered under another version of theirs up to date.
fn migrate(rules: &Rules, setup: &Setup, state: &mut State) -> Result<(), (usize, String)> {
    let catalogue = rules.catalogue();
    for handler in catalogue.handlers(Hook::Migrate) {
        let owner = &catalogue.mods[handler.owner.idx()];
        let was = setup.mods.iter().find(|m| m.id == owner.id).and_then(|m| m.version.as_ref());
        let Some(from) = was.filter(|version| **version != owner.version) else { continue };
        let Some(memory) = state.memory(handler.owner, Scope::Game).cloned() else { continue };
        let starts = format!("mem {} ", owner.id);
        let line = setup.position.iter().position(|g| g.starts_with(&starts)).unwrap_or(0);
        let args = [Value::Map(memory), Value::text(from)];
        let migrated = ask_rule(rules, state, handler.function, &args, HookClass::Rule);
        match migrated.map_err(|fault| (line, fault.to_string()))? {
            Value::Map(memory) => state.set_memory(handler.owner, Scope::Game, Some(memory)),
            other => {
                let message = format!("`migrate` of {} must return a map, it returned {}", owner.id, other.type_name());
                return Err((line, message));
            }
        }
    }
    Ok(())
}

struct Reader<'r> {
    rules: &'r Rules,
    state: &'r mut State,
    decks_given: Vec<DeckIdx>,
    has_turn: bool,
}

impl Reader<'_> {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((what, rest)) = words.split_first() else { return Err("nothing is given".to_owned()) };
        match *what {
            "tile" => self.tile(rest),
            "piece" => self.piece(rest),
            "score" => self.score(rest),
            "supply" => self.supply(rest),
            "token" => self.token(rest),
            "pile" => self.pile(rest),
            "link" => self.link(rest),
            "deck" => self.deck(rest),
            "hand" => self.hand(rest),
            "tag" => self.tag(rest),
            "turn" => self.turn(rest),
            "mem" => self.memory(line),
            _ => Err(format!(
                "`given {what}` is not known; there are tile, piece, score, supply, token, pile, link, deck, hand, tag, turn and mem"
            )),
        }
    }

    /// A whole position, with whose turn it is and all decks, is one in the middle of a game: what happens once at the start has happened.
    fn finish(self) {
        if self.has_turn && self.decks_given.len() == self.state.decks.len() {
            self.state.machine.agenda = vec![Step::BeginTurn];
        }
    }

    fn tile(&mut self, words: &[&str]) -> Result<(), String> {
        let (&[name, spot], facing) =
            words.split_first_chunk().ok_or("say `given tile <mod>/<tile> <x>,<y> <facing>`")?;
        let catalogue = self.rules.catalogue();
        let tile = catalogue.tile_set.tile_named(name).ok_or_else(|| format!("there is no tile {name}"))?;
        let spot = spot_of(spot)?;
        let facing = facing_of(facing.first().unwrap_or(&"0"))?;
        let mut touched = Vec::new();
        let placed = self.state.board.place(&catalogue.tile_set, spot, tile, facing, &mut touched, None);
        placed.map_err(|e| match e {
            board::PlaceError::Taken => format!("a tile lies on {spot} already"),
            board::PlaceError::Edge(edge) => {
                format!("the {} edge of {name} at {spot} does not fit its neighbour", edge.letter())
            }
            board::PlaceError::Apart => format!("{name} at {spot} touches no tile"),
        })?;
        // The start tile has left its deck already.
        let is_start = spot == Spot::new(0, 0) && catalogue.start.is_some_and(|s| s.tile == tile);
        for (deck, declared) in self.state.decks.iter_mut().zip(&catalogue.decks) {
            if declared.holds == Holds::Tiles && !is_start && deck.take(tile.0) {
                break;
            }
        }
        Ok(())
    }

    fn seat(&self, name: &str) -> Result<Option<Seat>, String> {
        match name {
            "neutral" | "stock" => Ok(None),
            _ => match self.state.seat_named(name) {
                Some(seat) => Ok(Some(seat)),
                None => Err(format!("there is no player {name}; players are {}", self.state.names.join(", "))),
            },
        }
    }

    fn player(&self, name: &str) -> Result<Seat, String> {
        self.seat(name)?.ok_or_else(|| format!("{name} is no player"))
    }

    fn kind(&self, name: &str) -> Result<PieceKindIdx, String> {
        self.rules.catalogue().piece_named(name).ok_or_else(|| format!("there is no piece {name}"))
    }

    fn piece(&mut self, words: &[&str]) -> Result<(), String> {
        let usage = "say `given piece <player> <kind> <x>,<y> <zone>`, `… on <x>,<y>` or `… space <n>`";
        let (&[owner, kind, at, rest], more) = words.split_first_chunk().ok_or(usage)?;
        let (owner, kind) = (self.seat(owner)?, self.kind(kind)?);
        let pinned = more.contains(&"pinned");
        let mut zones: Vec<ZoneRef> = Vec::new();
        let place = match at {
            "on" => Location::Spot(spot_of(rest)?),
            "space" => Location::Space(rest.parse().map_err(|_| format!("`{rest}` is no space of the score track"))?),
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
        if self.state.supply(owner, kind) == 0 {
            match owner {
                Some(_) if declared.per_player == 0 && declared.neutral > 0 => {
                    return Err(format!(
                        "a {} belongs to nobody; say `given piece neutral {} …`",
                        declared.name, declared.name
                    ));
                }
                None if declared.neutral == 0 && declared.per_player > 0 => {
                    return Err(format!("a {} belongs to a player; say whose it is", declared.name));
                }
                _ => {}
            }
        }
        let before = self.state.machine.queue.len();
        let piece = self.state.put_piece(&self.rules.ruleset, kind, owner, place, &zones);
        self.state.machine.queue.truncate(before);
        self.state.pin_piece(piece?, pinned)
    }

    fn zone(&self, spot: &str, name: &str) -> Result<ZoneRef, String> {
        zone_of(&self.rules.ruleset, self.state, spot, name)
    }

    fn score(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, numbers) = words.split_first().ok_or("say `given score <player> <points>`")?;
        let seat = self.player(name)?;
        let n = self.state.markers_of(seat).len();
        if numbers.is_empty() || numbers.len() > n {
            return Err(format!("a player has {n} score marker(s); give a number for each"));
        }
        for (i, number) in numbers.iter().enumerate() {
            let points: i64 = number_of(number)?;
            if points.abs_diff(0) > MOST_POINTS {
                return Err(format!("{points} is too large for points"));
            }
            self.state.markers[seat.idx() * n + i] = points;
        }
        Ok(())
    }

    fn supply(&mut self, words: &[&str]) -> Result<(), String> {
        let &[owner, kind, n] = words else { return Err("say `given supply <player> <kind> <n>`".to_owned()) };
        let at = self.state.supply_at(self.seat(owner)?, self.kind(kind)?);
        self.state.supply[at] = number_of(n)?;
        Ok(())
    }

    /// Where the line gives tokens to a player, those that the player has so far go back to the stock.
    fn take_tokens_back(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["token", owner, token, _] = words[..] else { return };
        let token = self.rules.catalogue().token_named(token);
        if let (Ok(Some(seat)), Some(token)) = (self.seat(owner), token) {
            self.state.take(&self.rules.ruleset, seat, token, u32::MAX);
        }
    }

    fn token(&mut self, words: &[&str]) -> Result<(), String> {
        let &[owner, token, n] = words else { return Err("say `given token <player> <token> <n>`".to_owned()) };
        let owner = self.seat(owner)?;
        let token = self.rules.catalogue().token_named(token).ok_or_else(|| format!("there is no token {token}"))?;
        let n = number_of(n)?;
        match owner {
            Some(seat) => {
                let had = self.state.tokens(Some(seat), token);
                self.state.take(&self.rules.ruleset, seat, token, had);
                let got = self.state.give(&self.rules.ruleset, seat, token, n);
                if got < n {
                    return Err(format!("only {got} of this token are left in stock"));
                }
            }
            None => {
                let at = self.state.token_at(None, token);
                self.state.tokens[at] = n;
            }
        }
        Ok(())
    }

    fn pile(&mut self, words: &[&str]) -> Result<(), String> {
        let &[pile, spot, n] = words else {
            return Err("say `given pile <pile> <x>,<y> <n>` or `… stock <n>`".to_owned());
        };
        let pile = self.rules.catalogue().pile_named(pile).ok_or_else(|| format!("there is no pile {pile}"))?;
        let n = number_of(n)?;
        if spot == "stock" {
            self.state.pile_stock[pile.idx()] = n;
        } else {
            let put = self.state.put_pile(&self.rules.ruleset, spot_of(spot)?, pile, n);
            if put < n {
                return Err(format!("only {put} of this pile were left in stock"));
            }
        }
        Ok(())
    }

    fn link(&mut self, words: &[&str]) -> Result<(), String> {
        let (spot, names) = words.split_first().ok_or("say `given link <x>,<y> <zone> <zone>`")?;
        let zones: Vec<ZoneRef> = names.iter().map(|n| self.zone(spot, n)).collect::<Result<_, _>>()?;
        if zones.is_empty() || !zones.len().is_multiple_of(2) {
            return Err("links join zones in pairs".to_owned());
        }
        let tile = self.state.board.tile_of(zones[0]);
        let pairs: Vec<_> = zones.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let before = self.state.machine.queue.len();
        self.state.relink(&self.rules.ruleset, tile, &pairs)?;
        self.state.machine.queue.truncate(before);
        self.state.touched.clear();
        Ok(())
    }

    fn deck(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, items) = words.split_first().ok_or("say `given deck <deck> <item> <item>*<n> …`")?;
        let catalogue = self.rules.catalogue();
        let deck = catalogue.deck_named(name).ok_or_else(|| format!("there is no deck {name}"))?;
        let mut counted: Vec<(u16, u16)> = Vec::new();
        for item in items {
            let (item, n) = item.split_once('*').unwrap_or((item, "1"));
            let n: u16 = number_of(n)?;
            let found = catalogue.item_named(deck, item).ok_or_else(|| format!("deck {name} cannot hold {item}"))?;
            let before: u32 = counted.iter().filter(|(i, _)| *i == found).map(|(_, n)| u32::from(*n)).sum();
            if before + u32::from(n) > u32::from(u16::MAX) {
                return Err(format!("so many copies of {item} are too many for a deck"));
            }
            counted.push((found, n));
        }
        if !self.decks_given.contains(&deck) {
            self.decks_given.push(deck);
            self.state.decks[deck.idx()].groups.clear();
            let arranges = |step: &Step| matches!(step, Step::Event { event: Event::ArrangeDeck(d), .. } if *d == deck);
            self.state.machine.agenda.retain(|step| !arranges(step));
        }
        let state = &mut self.state.decks[deck.idx()];
        let mut group = DeckState::group(counted, state.n_shuffles);
        for stack in &mut group.stacks {
            // Copies that are gone keep their place, so that a seed deals the rest as it would have.
            let declared = catalogue.decks[deck.idx()].items.iter().find(|(i, _)| *i == stack.item);
            stack.of = declared.map_or(stack.of, |(_, n)| stack.of.max(*n));
        }
        if !group.stacks.is_empty() {
            state.groups.push(group);
        }
        Ok(())
    }

    fn hand(&mut self, words: &[&str]) -> Result<(), String> {
        let &[player, tile] = words else { return Err("say `given hand <player> <mod>/<tile>`".to_owned()) };
        let seat = self.player(player)?;
        let tile =
            self.rules.catalogue().tile_set.tile_named(tile).ok_or_else(|| format!("there is no tile {tile}"))?;
        self.state.give_tile(seat, tile);
        Ok(())
    }

    fn tag(&mut self, words: &[&str]) -> Result<(), String> {
        let usage = "say `given tag <x>,<y> [<zone>] <tag> <value>`";
        let tile_set = &self.rules.catalogue().tile_set;
        let tag_of = |name: &str| tile_set.tag_named(name).ok_or_else(|| format!("there is no tag {name}"));
        match *words {
            [_, name, _] if tile_set.tag_named(name).is_none() => tag_of(name).map(|_| ()),
            [spot, name, _, ..] if tile_set.tag_named(name).is_some() => {
                let tag = tag_of(name)?;
                // A word of a tag may hold spaces.
                let value = words[2..].join(" ");
                if tile_set.tag(tag).on == TagOn::Zone {
                    return Err(format!("{name} is a tag of zones; say `given tag <x>,<y> <zone> {name} <value>`"));
                }
                let tile = self.state.board.at(spot_of(spot)?).ok_or_else(|| format!("no tile lies on {spot}"))?;
                let words = &tile_set.tag(tag).values;
                let at = words.iter().position(|v| *v == value);
                let value = at.map_or_else(|| number_of(&value), |i| Ok(i as i32))?;
                self.state.set_tile_tag(tile, tag, Some(value));
                Ok(())
            }
            [spot, zone, name, value] => {
                let (name, word) = name.split_once('=').map_or((name, None), |(name, word)| (name, Some(word)));
                let tag = tile_set.tag(tag_of(name)?);
                if tag.on == TagOn::Tile {
                    return Err(format!("{name} is a tag of tiles; say `given tag <x>,<y> {name} <value>`"));
                }
                let has_words = matches!(tag.merge, Merge::Set | Merge::Multiset);
                let at = match word {
                    Some(word) => tag.values.iter().position(|v| v == word),
                    None => (!has_words).then_some(0),
                };
                let at = at.ok_or_else(|| match has_words {
                    true => format!("say `{name}=<word> <n>`; the words of {name} are {}", tag.values.join(", ")),
                    false => format!("{name} has no words; say `{name} <n>`"),
                })?;
                let column = ColumnIdx(tag.first_column.0 + at as u8);
                let zone = self.zone(spot, zone)?;
                self.state.board.set_zone_tag(tile_set, zone, column, number_of(value)?);
                Ok(())
            }
            _ => Err(usage.to_owned()),
        }
    }

    fn turn(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, number) = words.split_first().ok_or("say `given turn <player>`")?;
        let player = self.player(name)?;
        let number: u32 = number.first().map_or(Ok(1), |n| number_of(n))?;
        self.state.turn =
            Some(Turn { player, number: number.saturating_sub(1), whys: Vec::new(), waiting: Vec::new() });
        self.has_turn = true;
        Ok(())
    }

    fn memory(&mut self, line: &str) -> Result<(), String> {
        let rest = line.trim().strip_prefix("mem").unwrap_or_default().trim_start();
        let (owner, text) = rest.split_once(char::is_whitespace).ok_or("say `given mem <mod> {…}`")?;
        let owner = self.rules.catalogue().mod_named(owner).ok_or_else(|| format!("mod {owner} is not active"))?;
        let json: Json = serde_json::from_str(text.trim_start()).map_err(|e| format!("the memory is no JSON: {e}"))?;
        let Value::Map(map) = self.value_of(&json)? else { return Err("a memory is a map".to_owned()) };
        self.state.set_memory(owner, Scope::Game, Some(map));
        Ok(())
    }

    fn value_of(&self, json: &Json) -> Result<Value, String> {
        Ok(match json {
            Json::Null => Value::Unit,
            Json::Bool(b) => Value::Bool(*b),
            Json::Number(n) => Value::Int(n.as_i64().ok_or("numbers are whole")?),
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

    /// Number `n`, from 1, of the pieces that a `position_reader` line of theirs calls `text`.
    fn piece_like(&self, n: usize, text: &str) -> Result<PieceRef, String> {
        let ruleset = &self.rules.ruleset;
        let mut like = self.state.pieces().filter(|(piece, it)| piece_words(ruleset, self.state, *piece, it) == text);
        let found = n.checked_sub(1).and_then(|i| like.nth(i));
        found.map(|(piece, _)| piece).ok_or_else(|| format!("there is no piece `{text}`, or not {n} of them"))
    }

    fn handle_of(&self, text: &str) -> Result<Value, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let catalogue = self.rules.catalogue();
        match *words.as_slice() {
            ["player", name] => Ok(Value::Player(self.player(name)?)),
            ["spot", spot] => Ok(Value::Spot(spot_of(spot)?)),
            ["tile", spot] => {
                self.state.board.at(spot_of(spot)?).map(Value::Tile).ok_or_else(|| format!("no tile lies on {spot}"))
            }
            ["sort", name] => catalogue
                .tile_set
                .tile_named(name)
                .map(Value::TileType)
                .ok_or_else(|| format!("there is no tile {name}")),
            ["zone", spot, zone] => Ok(Value::Zone(self.zone(spot, zone)?)),
            ["feature", layer, spot, zone] => {
                let layer =
                    catalogue.tile_set.layer_named(layer).ok_or_else(|| format!("there is no layer {layer}"))?;
                Ok(Value::Feature(FeatureRef { layer, anchor: self.zone(spot, zone)? }))
            }
            ["piece", "gone"] => Ok(Value::Piece(GONE)),
            ["piece", n, ..] => self.piece_like(number_of(n)?, words[2..].join(" ").as_str()).map(Value::Piece),
            ["space", n] => Ok(Value::Space(number_of(n)?)),
            ["deck", name] => {
                catalogue.deck_named(name).map(Value::Deck).ok_or_else(|| format!("there is no deck {name}"))
            }
            ["card", name] => {
                let at = catalogue.cards.iter().position(|c| c == name);
                at.map(|i| Value::Card(i as u16)).ok_or_else(|| format!("there is no card {name}"))
            }
            _ => Err(format!("`@{text}` is no handle")),
        }
    }
}

/// A number that no piece in play has.
const GONE: PieceRef = PieceRef(u32::MAX);

/// A spot from `x,y`.
pub fn spot_of(text: &str) -> Result<Spot, String> {
    let spot = text.split_once(',').and_then(|(x, y)| Some(Spot::new(x.parse().ok()?, y.parse().ok()?)));
    spot.ok_or_else(|| format!("`{text}` is no spot; a spot is <x>,<y>"))
}

/// A facing from degrees.
pub fn facing_of(text: &str) -> Result<Facing, String> {
    let facing = text.parse().ok().and_then(Facing::from_degrees);
    facing.ok_or_else(|| format!("`{text}` is no facing; it is 0, 90, 180 or 270"))
}

/// A zone on the board from its spot and name.
pub fn zone_of(ruleset: &Ruleset, state: &State, spot: &str, name: &str) -> Result<ZoneRef, String> {
    let tile = state.board.at(spot_of(spot)?).ok_or_else(|| format!("no tile lies on {spot}"))?;
    let tile_set = &ruleset.catalogue.tile_set;
    let placed = state.board.tile(tile);
    let zone = tile_set.zone_named(placed.tile, placed.facing, name);
    zone.map(|z| placed.zone(z)).ok_or_else(|| {
        let names =
            (0..tile_set.tile(placed.tile).zones.len()).map(|z| tile_set.zone_name(placed.tile, placed.facing, z));
        format!("the tile on {spot} has no zone {name}; it has {}", names.collect::<Vec<_>>().join(", "))
    })
}

fn number_of<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number that fits here"))
}
