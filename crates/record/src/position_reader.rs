//! Reads positions from text. `given` lines describe a position, so that no game must be played to
//! reach it.
#![expect(clippy::indexing_slicing, reason = "handles are positions in the catalogue and the state that made them")]

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use board::{FeatureRef, LayerIdx, TileRef, ZoneRef};
use diagnostic::never;
use rules::{
    EffectError, Game, HeldItem, Hook, Location, PieceKindIdx, PieceRef, PositionBuilder, Rules, Scope, Seat, SeatSet,
    Setup, State, Value, find_tile, find_zone, parse_border, parse_corner, parse_facing, parse_pile_place, parse_spot,
};
use serde_json::Value as Json;

use crate::line_error::LineError;
use crate::names::Names;
use crate::position_writer::piece_words;

const PILE_FORMS: LineError =
    LineError::Form("`given pile <pile> <x>,<y> <n>`, `… border <x>,<y> <edge> <n>` or `… stock <n>`");

/// The problems of `given` lines. Each problem has the index of its line in [`Setup::position`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenErrors(pub Vec<(usize, LineError)>);

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
        if let Err(error) = reader.read(line) {
            errors.push((i, error));
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
        errors.push((line.unwrap_or(0), unanswered(question)));
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

/// Returns the error for a question of a mod's function `setup` that no line answers.
fn unanswered(question: &str) -> LineError {
    LineError::Unanswered { question: question.to_owned() }
}

struct PositionReader<'r> {
    rules: &'r Rules,
    position: PositionBuilder<'r>,
}

impl PositionReader<'_> {
    fn read(&mut self, line: &str) -> Result<(), LineError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((what, rest)) = words.split_first() else { return Err(LineError::Form("a word after `given`")) };
        if let Some(question) = self.position.question().filter(|_| *what != "answer") {
            return Err(unanswered(question));
        }
        match *what {
            "setup" if rest.is_empty() => Ok(self.position.run_setup()?),
            "setup" => Err(LineError::Form("`given setup` and nothing else")),
            "answer" => Ok(self.position.answer_setup(&rest.join(" "))?),
            "tile" => self.read_tile(rest),
            "no" if rest == ["tile", "0,0"] => Ok(()),
            "no" => Err(LineError::OnlyStartTile),
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
            _ => Err(LineError::UnknownWord((*what).to_owned())),
        }
    }

    /// Lets each mod migrate the data that another version of this mod has stored.
    fn migrate(&mut self, setup: &Setup) -> Result<(), (usize, LineError)> {
        let catalogue = self.rules.catalogue();
        for handler in catalogue.handlers(Hook::Migrate) {
            let owner = &catalogue.mods[handler.owner.idx()];
            let was = setup.mods.iter().find(|m| m.id == owner.id).and_then(|m| m.version.as_ref());
            let Some(from) = was.filter(|version| **version != owner.version) else { continue };
            self.position.migrate(handler.owner, from).map_err(|error| {
                let starts = format!("mem {} ", owner.id);
                let line = setup.position.iter().position(|line| line.starts_with(&starts)).unwrap_or(0);
                (line, error.into())
            })?;
        }
        Ok(())
    }

    fn state(&self) -> &State {
        self.position.state()
    }

    fn read_tile(&mut self, words: &[&str]) -> Result<(), LineError> {
        let (&[name, spot], facing) =
            words.split_first_chunk().ok_or(LineError::Form("`given tile <mod>/<tile> <x>,<y> <facing>`"))?;
        let catalogue = self.rules.catalogue();
        let tile = Names(catalogue).tile(name)?;
        if catalogue.tile_set.tile(tile).is_overlay {
            return Err(LineError::Overlay(name.to_owned()));
        }
        let spot = parse_spot(spot)?;
        let facing = parse_facing(facing.first().unwrap_or(&"0"))?;
        let laid = self.position.lay_tile(tile, spot, facing);
        Ok(laid.map_err(|error| EffectError::Place { tile: name.to_owned(), spot, error })?)
    }

    fn seat(&self, name: &str) -> Result<Option<Seat>, LineError> {
        match name {
            "neutral" | "stock" => Ok(None),
            _ => self.state().seat_named(name).map(Some).ok_or_else(|| LineError::unknown_player(self.state(), name)),
        }
    }

    fn player(&self, name: &str) -> Result<Seat, LineError> {
        self.seat(name)?.ok_or_else(|| LineError::NotAPlayer(name.to_owned()))
    }

    fn kind(&self, name: &str) -> Result<PieceKindIdx, LineError> {
        Names(self.rules.catalogue()).piece(name)
    }

    fn read_piece(&mut self, words: &[&str]) -> Result<(), LineError> {
        let usage = LineError::Form(
            "`given piece <player> <kind> <x>,<y> <zone>`, `… on <x>,<y>`, `… corner <x>,<y>`, `… border <x>,<y> <edge>`, `… space <n>` or `… kept <player>`",
        );
        let (&[owner, kind, at, rest], more) = words.split_first_chunk().ok_or(usage)?;
        let (owner, kind) = (self.seat(owner)?, self.kind(kind)?);
        let pinned = more.contains(&"pinned");
        let mut zones = Vec::new();
        let place = match at {
            "on" => Location::Spot(parse_spot(rest)?),
            "kept" => Location::Kept(self.player(rest)?),
            "space" => Location::Space(parse_number(rest)?),
            "corner" => Location::Corner(parse_corner(rest)?),
            "border" => Location::Border(parse_border(rest, more.first().copied().unwrap_or_default())?),
            _ => {
                let first = self.zone(at, rest)?;
                zones = self.zones(at, more.iter().copied().filter(|word| *word != "pinned"))?;
                Location::Zone(first)
            }
        };
        let declared = self.rules.catalogue().piece(kind);
        if self.state().supply(owner, kind) == 0 {
            match owner {
                Some(_) if declared.per_player == 0 && declared.neutral > 0 => {
                    return Err(LineError::HasNoOwner(declared.name.clone()));
                }
                None if declared.neutral == 0 && declared.per_player > 0 => {
                    return Err(LineError::HasOwner(declared.name.clone()));
                }
                _ => {}
            }
        }
        self.position.put_piece(kind, owner, place, &zones, pinned)?;
        Ok(())
    }

    fn zone(&self, spot: &str, name: &str) -> Result<ZoneRef, LineError> {
        Ok(find_zone(&self.rules.ruleset, self.state(), spot, name)?)
    }

    /// Finds the zones that `words` name. A spot among the words is that of the zones after it; the
    /// zones before the first such word are on `spot`.
    fn zones<'w>(&self, mut spot: &'w str, words: impl Iterator<Item = &'w str>) -> Result<Vec<ZoneRef>, LineError> {
        let mut zones = Vec::new();
        for word in words {
            if word.contains(',') {
                spot = word;
            } else {
                zones.push(self.zone(spot, word)?);
            }
        }
        Ok(zones)
    }

    fn read_score(&mut self, words: &[&str]) -> Result<(), LineError> {
        let (name, numbers) = words.split_first().ok_or(LineError::Form("`given score <player> <points>`"))?;
        let seat = self.player(name)?;
        let n = self.state().markers_of(seat).len();
        if numbers.is_empty() || numbers.len() > n {
            return Err(LineError::ScoreMarkers(n));
        }
        // The engine checks the range of points.
        let points_of = |text: &&str| text.parse().map_err(|_| LineError::NotANumber((*text).to_owned()));
        let points: Vec<i64> = numbers.iter().map(points_of).collect::<Result<_, _>>()?;
        Ok(self.position.set_points(seat, &points)?)
    }

    fn read_supply(&mut self, words: &[&str]) -> Result<(), LineError> {
        let &[owner, kind, n] = words else { return Err(LineError::Form("`given supply <player> <kind> <n>`")) };
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

    fn read_token(&mut self, words: &[&str]) -> Result<(), LineError> {
        let &[owner, token, n] = words else { return Err(LineError::Form("`given token <player> <token> <n>`")) };
        let owner = self.seat(owner)?;
        let token = Names(self.rules.catalogue()).token(token)?;
        let n = parse_number(n)?;
        let got = self.position.set_tokens(owner, token, n);
        if got < n { Err(LineError::NotInStock { what: "of these tokens", n: got }) } else { Ok(()) }
    }

    fn read_pile(&mut self, words: &[&str]) -> Result<(), LineError> {
        let [pile, place @ .., n] = words else { return Err(PILE_FORMS) };
        if !matches!(place, [_] | ["border", _, _]) {
            return Err(PILE_FORMS);
        }
        let pile = Names(self.rules.catalogue()).pile(pile)?;
        let n = parse_number(n)?;
        if place == ["stock"] {
            self.position.set_pile_stock(pile, n);
        } else {
            let put = self.position.state_mut().put_pile(&self.rules.ruleset, parse_pile_place(place)?, pile, n);
            if put < n {
                return Err(LineError::NotInStock { what: "items of this pile", n: put });
            }
        }
        Ok(())
    }

    fn read_link(&mut self, words: &[&str]) -> Result<(), LineError> {
        let spot = words.first().ok_or(LineError::Form("`given link <x>,<y> <zone> [<x>,<y>] <zone>`"))?;
        let zones = self.zones(spot, words.iter().copied())?;
        if zones.is_empty() || !zones.len().is_multiple_of(2) {
            return Err(LineError::Form("an even number of zones, because each link joins two"));
        }
        Ok(zones.chunks(2).try_for_each(|pair| self.position.link(pair[0], pair[1]))?)
    }

    fn read_deck(&mut self, words: &[&str]) -> Result<(), LineError> {
        let (name, items) = words.split_first().ok_or(LineError::Form("`given deck <deck> <item> <item>*<n> …`"))?;
        let catalogue = self.rules.catalogue();
        let deck = Names(catalogue).deck(name)?;
        let (items, seen_by) = self.split_seen(items)?;
        let mut counted: BTreeMap<u16, u16> = BTreeMap::new();
        for item in items {
            let (item, n) = item.split_once('*').unwrap_or((item, "1"));
            let n: u16 = parse_number(n)?;
            let found = catalogue.item_named(deck, item).ok_or_else(|| not_in_deck(name, item))?;
            let copies = counted.entry(found).or_default();
            *copies = copies.checked_add(n).ok_or_else(|| LineError::TooManyCopies(item.to_owned()))?;
        }
        self.position.put_group(deck, &counted.into_iter().collect::<Vec<_>>(), seen_by);
        Ok(())
    }

    fn read_row(&mut self, words: &[&str]) -> Result<(), LineError> {
        let (name, items) = words.split_first().ok_or(LineError::Form("`given row <deck> <item> <item> …`"))?;
        let catalogue = self.rules.catalogue();
        let deck = Names(catalogue).deck(name)?;
        let item = |item: &&str| catalogue.item_named(deck, item).ok_or_else(|| not_in_deck(name, item));
        let items: Vec<u16> = items.iter().map(item).collect::<Result<_, _>>()?;
        Ok(self.position.state_mut().put_in_row(deck, &items)?)
    }

    fn read_hand(&mut self, words: &[&str]) -> Result<(), LineError> {
        let (words, seen_by) = self.split_seen(words)?;
        let &[player, name] = words else {
            return Err(LineError::Form("`given hand <player> <mod>/<tile or card> [seen [<player> ...]]`"));
        };
        let holder = self.player(player)?;
        let item = Names(self.rules.catalogue()).item(name)?;
        self.position.state_mut().give_item(HeldItem { holder, item, seen_by });
        Ok(())
    }

    /// Splits `words` at the word `seen`. Returns the words before `seen`, and the players that the
    /// words after `seen` name. Without `seen`, returns all words and all players.
    fn split_seen<'w, 't>(&self, words: &'w [&'t str]) -> Result<(&'w [&'t str], SeatSet), LineError> {
        match words.iter().position(|word| *word == "seen") {
            None => Ok((words, SeatSet::ALL)),
            Some(at) => {
                let seats: Result<SeatSet, LineError> = words[at + 1..].iter().map(|name| self.player(name)).collect();
                Ok((&words[..at], seats?))
            }
        }
    }

    fn read_tag(&mut self, words: &[&str]) -> Result<(), LineError> {
        let names = Names(self.rules.catalogue());
        let tile_set = &self.rules.catalogue().tile_set;
        match *words {
            [_, name, _] if tile_set.tag_named(name).is_none() => names.tag(name).map(|_| ()),
            [spot, name, ref value @ ..] if !value.is_empty() && tile_set.tag_named(name).is_some() => {
                let tag = names.tile_tag("given tag", name)?;
                let tile = find_tile(self.state(), spot)?;
                // A value that is a word may contain spaces.
                let value = value.join(" ");
                let at = tile_set.tag(tag).values.iter().position(|word| *word == value);
                let value = at.map_or_else(|| parse_number(&value), |i| Ok(i as i32))?;
                self.position.state_mut().set_tile_tag(tile, tag, Some(value));
                Ok(())
            }
            [spot, zone, name, value] => {
                let column = names.zone_column("given tag", name)?;
                let zone = self.zone(spot, zone)?;
                let board = &mut self.position.state_mut().board;
                board.set_zone_tag(tile_set, zone, column, parse_number(value)?);
                Ok(())
            }
            _ => Err(LineError::Form("`given tag <x>,<y> [<zone>] <tag> <value>`")),
        }
    }

    fn read_open(&mut self, words: &[&str]) -> Result<(), LineError> {
        let [layer, spot, zone] = *words else { return Err(LineError::Form("`given open <layer> <x>,<y> <zone>`")) };
        let feature = self.feature(layer, spot, zone)?;
        Ok(self.position.keep_open(feature)?)
    }

    fn feature(&self, layer: &str, spot: &str, zone: &str) -> Result<FeatureRef, LineError> {
        let layer = Names(self.rules.catalogue()).layer(layer)?;
        let anchor = self.zone(spot, zone)?;
        if !self.state().board.layer_includes(layer, anchor) {
            return Err(LineError::NotInLayer(zone.to_owned()));
        }
        Ok(FeatureRef { layer, anchor })
    }

    fn read_turn(&mut self, words: &[&str]) -> Result<(), LineError> {
        let (name, number) = words.split_first().ok_or(LineError::Form("`given turn <player>`"))?;
        let player = self.player(name)?;
        let number: u32 = number.first().map_or(Ok(1), |n| parse_number(n))?;
        self.position.set_turn(player, number);
        Ok(())
    }

    fn read_order(&mut self, names: &[&str]) -> Result<(), LineError> {
        let seats: Vec<Seat> = names.iter().map(|name| self.player(name)).collect::<Result<_, _>>()?;
        Ok(self.position.state_mut().set_order(&seats)?)
    }

    fn read_next(&mut self, words: &[&str]) -> Result<(), LineError> {
        let &[name] = words else { return Err(LineError::Form("`given next <player>`")) };
        let seat = self.player(name)?;
        self.position.state_mut().set_next_player(Some(seat));
        Ok(())
    }

    fn read_turns_to_miss(&mut self, words: &[&str]) -> Result<(), LineError> {
        let &[name, n] = words else { return Err(LineError::Form("`given misses <player> <n>`")) };
        let seat = self.player(name)?;
        Ok(self.position.state_mut().set_turns_to_miss(seat, parse_number(n)?)?)
    }

    fn read_memory(&mut self, line: &str) -> Result<(), LineError> {
        let rest = line.trim().strip_prefix("mem").unwrap_or_default().trim_start();
        let (owner, text) = rest.split_once(char::is_whitespace).ok_or(LineError::Form("`given mem <mod> {…}`"))?;
        let owner = self.rules.catalogue().mod_named(owner).ok_or_else(|| LineError::ModNotInGame(owner.to_owned()))?;
        let json: Json = serde_json::from_str(text.trim_start()).map_err(|e| LineError::NotJson(e.to_string()))?;
        let Value::Map(map) = self.value_of(&json)? else { return Err(LineError::NotAMap) };
        self.position.state_mut().set_memory(owner, Scope::Game, Some(map));
        Ok(())
    }

    fn value_of(&self, json: &Json) -> Result<Value, LineError> {
        Ok(match json {
            Json::Null => Value::Unit,
            Json::Bool(b) => Value::Bool(*b),
            Json::Number(n) => Value::Int(n.as_i64().ok_or(LineError::NotWhole)?),
            Json::String(text) => match text.strip_prefix('@') {
                None => Value::text(text),
                Some(escaped) if escaped.starts_with('@') => Value::text(escaped),
                Some(handle) => self.handle_of(handle)?,
            },
            Json::Array(list) => Value::list(list.iter().map(|v| self.value_of(v)).collect::<Result<Vec<_>, _>>()?),
            Json::Object(map) => {
                let entries = map.iter().map(|(k, v)| Ok((Arc::from(k.as_str()), self.value_of(v)?)));
                Value::Map(Arc::new(entries.collect::<Result<BTreeMap<_, _>, LineError>>()?))
            }
        })
    }

    /// Returns piece number `n`, counted from 1, among the pieces whose `given` line has the text
    /// `text`.
    fn nth_piece_with_text(&self, n: usize, text: &str) -> Result<PieceRef, LineError> {
        let ruleset = &self.rules.ruleset;
        let mut like =
            self.state().pieces().filter(|(piece, it)| piece_words(ruleset, self.state(), *piece, it) == text);
        let found = n.checked_sub(1).and_then(|i| like.nth(i));
        found.map(|(piece, _)| piece).ok_or_else(|| LineError::NoSuchPiece { n, text: text.to_owned() })
    }

    fn handle_of(&self, text: &str) -> Result<Value, LineError> {
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
            ["tile", spot] => Ok(Value::Tile(find_tile(self.state(), spot)?)),
            ["sort", name] => Names(catalogue).tile(name).map(Value::TileType),
            ["zone", spot, zone] => Ok(Value::Zone(self.zone(spot, zone)?)),
            ["feature", layer, spot, zone] => self.feature(layer, spot, zone).map(Value::Feature),
            ["piece", "gone"] => Ok(Value::Piece(NO_PIECE)),
            ["piece", n, ref piece @ ..] => {
                self.nth_piece_with_text(parse_number(n)?, &piece.join(" ")).map(Value::Piece)
            }
            ["space", n] => Ok(Value::Space(parse_number(n)?)),
            ["deck", name] => Names(catalogue).deck(name).map(Value::Deck),
            ["card", name] => {
                let at = catalogue.cards.iter().position(|c| c.name == *name);
                at.map(|i| Value::Card(i as u16))
                    .ok_or_else(|| LineError::unknown("card", name, Names(catalogue).cards()))
            }
            _ => Err(LineError::NotAHandle(text.to_owned())),
        }
    }
}

/// A reference to no piece. Stored data contains it in place of a piece that has left play.
const NO_PIECE: PieceRef = PieceRef(u32::MAX);

/// The maximum absolute value of a number in a `given` line, except in points and stored data.
/// Because of this limit, sums of such numbers cannot overflow.
const MAX_NUMBER: u64 = 1_000_000;

fn parse_number<T: TryFrom<i64>>(text: &str) -> Result<T, LineError> {
    let number = text.parse().ok().filter(|n: &i64| n.unsigned_abs() <= MAX_NUMBER);
    number.and_then(|n| T::try_from(n).ok()).ok_or_else(|| LineError::NotANumber(text.to_owned()))
}

fn not_in_deck(deck: &str, item: &str) -> LineError {
    LineError::NotInDeck { deck: deck.to_owned(), item: item.to_owned() }
}
