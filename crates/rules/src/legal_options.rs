//! Collects legal answers. First the core lists the answers that the manifests allow. Then
//! functions of mods add answers to this list or filter it. The core calls each filter function
//! once for the whole list.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::sync::Arc;

use board::{FeatureRef, LayerIdx, PieceKindSet, Placement, TileIdx, TileRef, ZoneRef};

use crate::call::Rules;
use crate::catalogue::Handler;
use crate::check_options::{MAX_OPTION_BYTES, MAX_OPTIONS, text_bytes};
use crate::fault::{Failure, Fault, Refusal};
use crate::handlers::part_has_tag;
use crate::hooks::{Hook, HookClass};
use crate::indices::{FnIdx, PieceKindIdx};
use crate::invoke::{call_read_only, fault, returned_list, wrong_result_fault};
use crate::mod_options::ModOption;
use crate::placing;
use crate::ruleset::Ruleset;
use crate::state::{Actor, Answer, Question, State};
use crate::texts::{check_words, offer_text};
use crate::value::{PieceRef, Seat, Value};

/// Returns the handlers of `hook` whose filter on tags accepts the tile of the running part of the
/// turn. Does not test their filters on zones.
fn turn_handlers<'r>(rules: &'r Rules, state: &State, hook: Hook) -> Vec<&'r Handler> {
    rules.ruleset.catalogue.handlers(hook).iter().filter(|h| fits_tile_tag(rules, state, h)).collect()
}

fn fits_part(rules: &Rules, state: &State, handler: &Handler) -> bool {
    fits_tile_tag(rules, state, handler) && handler.filter.fits_part(rules, state, false)
}

fn fits_tile_tag(rules: &Rules, state: &State, handler: &Handler) -> bool {
    handler.filter.tile_tag.is_none_or(|tag| part_has_tag(rules, state, tag))
}

/// Returns the handlers of `filter_places` whose filters accept `tile`.
fn place_filters(rules: &Rules, tile: TileIdx) -> Vec<&Handler> {
    let tile_set = &rules.ruleset.catalogue.tile_set;
    let all = rules.ruleset.catalogue.handlers(Hook::FilterPlaces).iter();
    let tagged = |h: &Handler| h.filter.tile_tag.is_none_or(|tag| tile_set.tile(tile).tag(tag).is_some());
    all.filter(|h| tagged(h)).collect()
}

/// Stores in the state the number of placements of `tile`. Stores the list of placements instead if
/// mods filter the placements or kinds of land constrain them.
pub(crate) fn store_places(rules: &Rules, state: &mut State, tile: TileIdx) -> Result<(), Box<Fault>> {
    state.discard_places();
    let filters = place_filters(rules, tile);
    if filters.is_empty() && !rules.ruleset.constrained_tiles[tile.0 as usize] {
        state.machine.n_places = state.board.n_placements(&rules.ruleset.catalogue.tile_set, tile);
        return Ok(());
    }
    let places = listed_places(rules, state, tile, &filters)?;
    state.machine.places.extend(places.into_iter().map(Answer::Place));
    Ok(())
}

/// Returns the placements of `tile` that the edges, the kinds of land on the tile and all mods
/// allow.
pub(crate) fn legal_places(rules: &Rules, state: &mut State, tile: TileIdx) -> Result<Vec<Placement>, Box<Fault>> {
    let filters = place_filters(rules, tile);
    listed_places(rules, state, tile, &filters)
}

#[inline(never)]
fn listed_places(
    rules: &Rules,
    state: &mut State,
    tile: TileIdx,
    filters: &[&Handler],
) -> Result<Vec<Placement>, Box<Fault>> {
    let mut places = placing::places(rules, &state.board, tile);
    for handler in filters {
        if places.is_empty() {
            break;
        }
        let list = Value::list(places.iter().map(|place| Value::Placement(tile, *place)));
        let kept = call_read_only(rules, state, handler.function, &[Value::TileType(tile), list], HookClass::Pure)?;
        let is_place = |value: &Value| matches!(value, Value::Placement(..));
        let kept = returned_list(rules, state, Hook::FilterPlaces, handler, &kept, is_place)?;
        places.retain(|place| kept.iter().any(|it| matches!(it, Value::Placement(_, it) if it == place)));
    }
    Ok(places)
}

/// Returns the titles of the mods that forbid `tile` at `place`, by constraints on kinds of land or
/// by `filter_places`. Calls each function `filter_places` with a list that contains only this
/// placement. Includes a mod whose function fails.
pub fn forbidding_mods(rules: &Rules, state: &State, tile: TileIdx, place: Placement) -> Vec<String> {
    let catalogue = rules.catalogue();
    let mut view = state.view().clone();
    let mut mods = placing::mods_forbidding_join(rules, &view.board, tile, place);
    for handler in place_filters(rules, tile) {
        let args = [Value::TileType(tile), Value::list([Value::Placement(tile, place)])];
        let kept = call_read_only(rules, &mut view, handler.function, &args, HookClass::Pure);
        if !kept.is_ok_and(|list| list.as_list().is_some_and(|l| !l.is_empty())) {
            mods.push(handler.owner);
        }
    }
    mods.dedup();
    mods.into_iter().map(|owner| catalogue.mods[owner.idx()].title.clone()).collect()
}

/// Asks for the source of the tile if a mod offers an action, or a source other than the deck.
/// Returns whether this function has asked.
pub(crate) fn ask_source(rules: &Rules, state: &mut State) -> Result<bool, Box<Fault>> {
    let catalogue = rules.catalogue();
    if !catalogue.has(Hook::TileSources) && !catalogue.has(Hook::AnytimeOptions) {
        return Ok(false);
    }
    let player = state.player();
    let mut mod_options = Vec::new();
    add_menu_options(rules, state, Hook::TileSources, player, &mut mod_options)?;
    add_menu_options(rules, state, Hook::AnytimeOptions, player, &mut mod_options)?;
    if mod_options.is_empty() {
        return Ok(false);
    }
    state.machine.decision.begin(Actor::Player(player), Question::Source, "Draw a tile, or something else first?");
    add_offers(state, mod_options);
    state.machine.decision.choices.push(Answer::Pass);
    state.machine.is_waiting = true;
    Ok(true)
}

/// Adds to `mod_options` the options that the functions for `hook` return.
pub(crate) fn add_menu_options(
    rules: &Rules,
    state: &mut State,
    hook: Hook,
    player: Seat,
    mod_options: &mut Vec<ModOption>,
) -> Result<(), Box<Fault>> {
    if !rules.catalogue().has(hook) {
        return Ok(());
    }
    for handler in rules.ruleset.catalogue.handlers(hook) {
        if !fits_part(rules, state, handler) {
            continue;
        }
        add_options(rules, state, hook, handler, player, mod_options)?;
    }
    Ok(())
}

/// Adds to `mod_options` the options that one function for `hook` returns.
#[inline(never)]
fn add_options(
    rules: &Rules,
    state: &mut State,
    hook: Hook,
    handler: &Handler,
    player: Seat,
    mod_options: &mut Vec<ModOption>,
) -> Result<(), Box<Fault>> {
    let asks_again = hook == Hook::AnytimeOptions;
    let list = call_read_only(rules, state, handler.function, &[Value::Player(player)], HookClass::Options)?;
    let is_option = |value: &Value| matches!(value, Value::Option(_));
    let list: &[Value] = match &list {
        Value::Unit => &[],
        list => returned_list(rules, state, hook, handler, list, is_option)?,
    };
    if mod_options.len() + list.len() > MAX_OPTIONS {
        let message =
            format!("at most {MAX_OPTIONS} options are allowed, and these are {}", mod_options.len() + list.len());
        return Err(fault(rules, state, handler.function, Failure::from(message)));
    }
    if list.iter().map(text_bytes).sum::<usize>() > MAX_OPTION_BYTES {
        let message = format!("the texts of these options have more than {MAX_OPTION_BYTES} bytes");
        return Err(fault(rules, state, handler.function, Failure::from(message)));
    }
    let mut texts = OfferTexts::default();
    for (i, offer) in mod_options.iter().enumerate() {
        texts.insert(offer, &mod_options[..i], |offer| offer_text(&rules.ruleset, state, Some(player), offer));
    }
    for value in list {
        let Value::Option(option) = value else { continue };
        let word = rules.catalogue().options.iter().find(|o| *o.word == *option.word);
        let Some(word) = word else {
            let message = format!("no mod declares [option.{}]", option.word);
            return Err(fault(rules, state, handler.function, Failure::from(message)));
        };
        if let Err(refusal) = check_words(value) {
            let message = match refusal {
                Refusal::Because(message) => message,
                Refusal::Asked => "a menu cannot ask questions".to_owned(),
            };
            return Err(fault(rules, state, handler.function, Failure::from(message)));
        }
        let offer = ModOption { word: None, value: value.clone(), run: Some(word.function), asks_again };
        if texts.insert(&offer, mod_options, |offer| offer_text(&rules.ruleset, state, Some(player), offer)) {
            mod_options.push(offer);
        }
    }
    Ok(())
}

/// The first words of the options that mods offer. Each entry contains the index of the first
/// option with this word, and the full texts of all options with this word. The engine makes the
/// full texts only when a second option has the same word, which is rare.
#[derive(Default)]
struct OfferTexts(BTreeMap<Arc<str>, (usize, BTreeSet<String>)>);

impl OfferTexts {
    /// Returns whether no option in `offers` has the text of `offer`, and records this text. If the
    /// result is true, the caller must append `offer` to `offers`.
    fn insert(&mut self, offer: &ModOption, offers: &[ModOption], text: impl Fn(&ModOption) -> String) -> bool {
        let Value::Option(option) = &offer.value else { return true };
        match self.0.entry(option.word.clone()) {
            Entry::Vacant(vacant) => {
                vacant.insert((offers.len(), BTreeSet::new()));
                true
            }
            Entry::Occupied(mut occupied) => {
                let (first, texts) = occupied.get_mut();
                if texts.is_empty() {
                    texts.extend(offers.get(*first).map(&text));
                }
                texts.insert(text(offer))
            }
        }
    }
}

/// Adds options of mods to the decision of the core that is about to open.
#[inline]
pub(crate) fn add_offers(state: &mut State, mod_options: Vec<ModOption>) {
    if mod_options.is_empty() {
        return;
    }
    let decision = &mut state.machine.decision;
    for offer in mod_options {
        let i = decision.mod_options.push(offer);
        decision.choices.push(Answer::ModOption(i as u16));
    }
    if let Actor::Player(asked) = decision.who {
        decision.seen_by = state.position.viewers_of_options(asked, &decision.mod_options);
    }
}

/// Returns whether the manifests allow `player` to put a piece of `kind` on `zone`. Checks the kind
/// of land, the pieces that block `kind` and the pieces that `kind` needs, but not the supply.
pub(crate) fn may_stand(ruleset: &Ruleset, state: &State, player: Seat, kind: PieceKindIdx, zone: ZoneRef) -> bool {
    ruleset.catalogue.piece(kind).stands_on.contains(state.board.kind(zone))
        && meets_piece_conditions(ruleset, state, player, kind, zone)
}

/// Returns whether a piece of `kind` can join the pieces on the feature of `zone`: no piece there
/// blocks `kind` and, if `kind` needs other pieces, `player` has one of these there.
fn meets_piece_conditions(ruleset: &Ruleset, state: &State, player: Seat, kind: PieceKindIdx, zone: ZoneRef) -> bool {
    let piece = ruleset.catalogue.piece(kind);
    let feature = state.feature_under(ruleset, kind, zone);
    if state.board.piece_kinds(feature).intersects(piece.blocked_by) {
        return false;
    }
    piece.needs.0 == 0 || {
        // A needed piece may count in layer 0 although the piece itself counts in another layer.
        let layers = [feature, FeatureRef { layer: LayerIdx(0), anchor: zone }];
        layers.iter().any(|f| {
            let mut stands = state.board.occupants(*f);
            stands.any(|s| {
                piece.needs.0 >> s.piece_kind & 1 == 1
                    && state.piece(PieceRef(s.piece)).is_some_and(|p| p.owner == Some(player))
            })
        })
    }
}

/// Lists the deployments that manifests and mods allow after `tile` was laid. Includes zones on
/// other tiles that functions for `piece_targets` add.
pub(crate) fn deployments(
    rules: &Rules,
    state: &mut State,
    player: Seat,
    tile: TileRef,
    choices: &mut Vec<Answer>,
) -> Result<(), Box<Fault>> {
    let ruleset = &rules.ruleset;
    let tile_set = &ruleset.catalogue.tile_set;
    let placed = *state.board.tile(tile);
    choices.clear();
    let tile = tile_set.tile(placed.tile);
    // For each zone of the tile, the kinds of pieces on its feature in layer 0, in which most
    // pieces count. A tile has at most 32 zones.
    let mut there = [PieceKindSet::default(); 32];
    let mut anywhere = PieceKindSet::default();
    for (z, there) in (0..tile.zones.len()).zip(&mut there) {
        *there = state.board.piece_kinds(FeatureRef { layer: LayerIdx(0), anchor: placed.zone(z) });
        anywhere.0 |= there.0;
    }
    for kind in &ruleset.deployable {
        let piece = ruleset.catalogue.piece(*kind);
        let needs_nobody = piece.needs == PieceKindSet::default();
        let is_alone = piece.layer == LayerIdx(0) && !needs_nobody && !anywhere.intersects(piece.needs);
        if is_alone || state.supply(Some(player), *kind) == 0 {
            continue;
        }
        let lands = ruleset.catalogue.piece(*kind).stands_on;
        for ((z, zone), there) in tile.zones.iter().enumerate().zip(there) {
            let at = placed.zone(z);
            let may_stand = match piece.layer {
                _ if !lands.contains(zone.kind) => false,
                LayerIdx(0) if there.intersects(piece.blocked_by) => false,
                LayerIdx(0) if needs_nobody || !there.intersects(piece.needs) => needs_nobody,
                _ => meets_piece_conditions(ruleset, state, player, *kind, at),
            };
            if may_stand {
                choices.push(Answer::Deploy { kind: *kind, zone: at });
            }
        }
    }
    if ruleset.catalogue.has(Hook::PieceTargets) {
        add_targets(rules, state, player, choices)?;
    }
    if ruleset.catalogue.has(Hook::FilterDeploys) && !choices.is_empty() {
        filter_deploys(rules, state, player, choices)?;
    }
    Ok(())
}

#[inline(never)]
fn add_targets(rules: &Rules, state: &mut State, player: Seat, choices: &mut Vec<Answer>) -> Result<(), Box<Fault>> {
    for kind in rules.ruleset.deployable.clone() {
        if state.supply(Some(player), kind) == 0 {
            continue;
        }
        let name = Value::text(&rules.catalogue().piece(kind).name);
        for handler in rules.ruleset.catalogue.handlers(Hook::PieceTargets) {
            if !handler.filter.fits_piece(kind) || !fits_part(rules, state, handler) {
                continue;
            }
            let args = [Value::Player(player), name.clone()];
            let zones = call_read_only(rules, state, handler.function, &args, HookClass::Pure)?;
            for zone in returned_zones(rules, state, Hook::PieceTargets, handler, &zones)? {
                let choice = Answer::Deploy { kind, zone };
                if state.board.has_zone(zone) && !choices.contains(&choice) {
                    choices.push(choice);
                }
            }
        }
    }
    Ok(())
}

#[inline(never)]
fn filter_deploys(rules: &Rules, state: &mut State, player: Seat, choices: &mut Vec<Answer>) -> Result<(), Box<Fault>> {
    for handler in turn_handlers(rules, state, Hook::FilterDeploys) {
        let is_meant = |kind: PieceKindIdx, zone: ZoneRef, state: &State| {
            handler.filter.fits_piece(kind) && handler.filter.fits_zone(rules, state, zone)
        };
        let list = choices.iter().filter_map(|c| match c {
            Answer::Deploy { kind, zone } if is_meant(*kind, *zone, state) => Some(Value::Deployment(*kind, *zone)),
            _ => None,
        });
        let list: Vec<Value> = list.collect();
        if list.is_empty() {
            continue;
        }
        let args = [Value::Player(player), Value::list(list)];
        let kept = call_read_only(rules, state, handler.function, &args, HookClass::Pure)?;
        let is_deployment = |value: &Value| matches!(value, Value::Deployment(..));
        let kept = returned_list(rules, state, Hook::FilterDeploys, handler, &kept, is_deployment)?;
        choices.retain(|c| match c {
            Answer::Deploy { kind, zone } => {
                !is_meant(*kind, *zone, state) || kept.contains(&Value::Deployment(*kind, *zone))
            }
            _ => true,
        });
    }
    Ok(())
}

/// Offers the legal deployments and the actions of mods. Returns false if there are none, or if the
/// tile of the running part of the turn is not on the board.
pub(crate) fn ask_deploy(rules: &Rules, state: &mut State) -> Result<bool, Box<Fault>> {
    let Some(tile) = state.part().and_then(|part| part.tile) else { return Ok(false) };
    let player = state.player();
    let mut mod_options = Vec::new();
    add_menu_options(rules, state, Hook::ActionOptions, player, &mut mod_options)?;
    add_menu_options(rules, state, Hook::AnytimeOptions, player, &mut mod_options)?;
    // Reuses the memory of the last decision's list.
    let mut choices = std::mem::take(&mut state.machine.decision.choices);
    deployments(rules, state, player, tile, &mut choices)?;
    if choices.is_empty() && mod_options.is_empty() {
        state.machine.decision.choices = choices;
        return Ok(false);
    }
    state.machine.decision.begin(Actor::Player(player), Question::Deploy, "Place a piece?");
    state.machine.decision.choices = choices;
    add_offers(state, mod_options);
    state.machine.decision.choices.push(Answer::Pass);
    state.machine.is_waiting = true;
    Ok(true)
}

/// Returns the further zones that mods let a piece on `zone` occupy.
#[inline(never)]
pub(crate) fn further_zones(
    rules: &Rules,
    state: &mut State,
    kind: PieceKindIdx,
    zone: ZoneRef,
) -> Result<Vec<ZoneRef>, Box<Fault>> {
    let mut zones = Vec::new();
    if !rules.catalogue().has(Hook::PieceZones) {
        return Ok(zones);
    }
    let args = [Value::text(&rules.catalogue().piece(kind).name), Value::Zone(zone)];
    for handler in turn_handlers(rules, state, Hook::PieceZones) {
        if !handler.filter.fits_piece(kind) || !handler.filter.fits_zone(rules, state, zone) {
            continue;
        }
        let list = call_read_only(rules, state, handler.function, &args, HookClass::Pure)?;
        let list = returned_zones(rules, state, Hook::PieceZones, handler, &list)?;
        zones.extend(list.into_iter().filter(|zone| state.board.has_zone(*zone)));
    }
    Ok(zones)
}

/// Returns the zones of the list that a handler for `hook` returned; none if it returned nothing.
fn returned_zones(
    rules: &Rules,
    state: &State,
    hook: Hook,
    handler: &Handler,
    value: &Value,
) -> Result<Vec<ZoneRef>, Box<Fault>> {
    if *value == Value::Unit {
        return Ok(Vec::new());
    }
    let list = returned_list(rules, state, hook, handler, value, |item| matches!(item, Value::Zone(_)))?;
    Ok(list.iter().filter_map(|item| if let Value::Zone(zone) = item { Some(*zone) } else { None }).collect())
}

/// Returns the functions of mods that keep the game from ending. If there are none, the game may
/// end.
pub(crate) fn functions_preventing_end(rules: &Rules, state: &mut State) -> Result<Vec<FnIdx>, Box<Fault>> {
    let mut keeping = Vec::new();
    for handler in turn_handlers(rules, state, Hook::CanEndGame) {
        match call_read_only(rules, state, handler.function, &[], HookClass::Pure)? {
            Value::Bool(true) => {}
            Value::Bool(false) => keeping.push(handler.function),
            other => return Err(wrong_result_fault(rules, state, Hook::CanEndGame, handler, &other)),
        }
    }
    Ok(keeping)
}
