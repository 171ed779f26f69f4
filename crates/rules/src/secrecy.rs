//! Hidden information: redacts the state for its viewers.
//!
//! Redaction hides answers given in secret, the options of secret decisions, and the tiles and
//! cards in hands and decks that a viewer may not see. Everything else is visible, including the
//! stored data of mods.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter::repeat_n;

use board::TileIdx;

use crate::agenda;
use crate::call::Rules;
use crate::catalogue::{Catalogue, ItemType};
use crate::decks::{DeckState, Group};
use crate::indices::DeckIdx;
use crate::mod_options::ModOptions;
use crate::panics::catch_panic;
use crate::position::{HeldItem, Item, Position};
use crate::seat_set::SeatSet;
use crate::state::{Answer, Decision, EngineState, RecordedAnswer, State};
use crate::value::{Seat, Value};

impl State {
    /// Returns whether all of `viewers` may see answer number `n`, counted from 0. After the end of
    /// the game, all players may see every answer.
    pub fn shows_answer(&self, n: u32, viewers: SeatSet) -> bool {
        let secrets = &self.view().machine.secrets;
        let secret = secrets.binary_search_by_key(&n, |secret| secret.answer).ok().and_then(|at| secrets.get(at));
        self.is_over || secret.is_none_or(|secret| secret.seen_by.includes(viewers))
    }

    /// Returns whether all of `viewers` may see the open decision, its options and the choice. True
    /// if no decision is open.
    pub fn shows_decision(&self, viewers: SeatSet) -> bool {
        self.decision().is_none_or(|decision| decision.seen_by.includes(viewers))
    }

    /// Returns the number, in the log, of the first answer that the running function has received.
    pub(crate) fn first_answer_of_call(&self) -> u32 {
        self.n_answers - self.machine.answers.len() as u32
    }

    /// Returns whether a tile or card, in a hand or in a deck, is hidden from one of `viewers`.
    pub fn hides_items_from(&self, viewers: SeatSet) -> bool {
        self.position.hides_from(viewers)
            || self.machine.view.as_ref().is_some_and(|view| view.position.hides_from(viewers))
    }

    /// Returns whether anything in the state is hidden from one of `viewers`. This does not include
    /// hidden answers of earlier calls, whose effects are part of the state.
    pub fn hides_from(&self, viewers: SeatSet) -> bool {
        let mut answers = self.first_answer_of_call()..self.n_answers;
        !self.is_over
            && (!self.shows_decision(viewers)
                || self.hides_items_from(viewers)
                || (!self.machine.secrets.is_empty() && answers.any(|n| !self.shows_answer(n, viewers))))
    }
}

impl Position {
    /// Returns the players who may see the options offered to `asked`: those who may see every tile
    /// and card in the hand of `asked` that the options mention.
    pub(crate) fn viewers_of_options(&self, asked: Seat, offered: &ModOptions) -> SeatSet {
        let hidden: Vec<HeldItem> = self.held_items(asked).filter(|held| held.seen_by != SeatSet::ALL).collect();
        if hidden.is_empty() {
            return SeatSet::ALL;
        }
        offered
            .iter()
            .fold(SeatSet::ALL, |seen_by, option| seen_by.intersection(viewers_of_value(&hidden, &option.value)))
    }

    fn hides_from(&self, viewers: SeatSet) -> bool {
        let mut groups = self.decks.iter().flat_map(|deck| &deck.groups);
        self.hands.iter().any(|held| !held.seen_by.includes(viewers))
            || groups.any(|group| !group.seen_by.includes(viewers))
    }
}

/// Returns the players who may see a value: those who may see each of the `hidden` tiles and cards
/// that the value mentions.
fn viewers_of_value(hidden: &[HeldItem], value: &Value) -> SeatSet {
    let item = match value {
        Value::TileType(tile) | Value::Placement(tile, _) => Item::Tile(*tile),
        Value::Card(card) => Item::Card(*card),
        Value::Option(option) => return viewers_of_value(hidden, &option.about),
        Value::List(values) => {
            return values
                .iter()
                .fold(SeatSet::ALL, |seen_by, value| seen_by.intersection(viewers_of_value(hidden, value)));
        }
        _ => return SeatSet::ALL,
    };
    hidden.iter().find(|held| held.item == item).map_or(SeatSet::ALL, |held| held.seen_by)
}

/// The prompt that replaces a hidden prompt.
pub(crate) const HIDDEN_PROMPT: &str = "A question hidden from some players";

/// Returns the state as `viewers` know it.
///
/// The result reveals neither the answers hidden from the viewers nor the places of hidden tiles
/// and cards:
///
/// - Redaction pools the hidden tiles and cards with the first group of their deck that all of
///   `viewers` may see, sorts the pool, and deals it again.
/// - Each hidden answer to a mod's question counts as the first option.
/// - A hidden decision has no options, and a fixed text replaces its prompt.
///
/// If nothing is hidden, returns `state` itself.
#[inline]
pub fn redacted_for<'s>(rules: &Rules, state: &'s State, viewers: SeatSet) -> Cow<'s, State> {
    if state.hides_from(viewers) { Cow::Owned(redacted_copy(rules, state, viewers)) } else { Cow::Borrowed(state) }
}

/// Returns a copy of the state in which everything hidden from one of `viewers` is redacted.
#[inline(never)]
fn redacted_copy(rules: &Rules, state: &State, viewers: SeatSet) -> State {
    let mut seen = state.clone();
    for (n, answer) in (state.first_answer_of_call()..).zip(&mut seen.machine.answers) {
        if !state.shows_answer(n, viewers) {
            *answer = RecordedAnswer { answer: None, option: None };
        }
    }
    let drawn = seen.machine.drawn();
    deal_hidden(rules.catalogue(), &mut seen.position, viewers, &drawn, &mut |_| {});
    if !state.shows_decision(viewers) {
        let Decision { who, question, seen_by, .. } = state.machine.decision;
        seen.machine.decision =
            Decision { who, question, seen_by, prompt: Cow::Borrowed(HIDDEN_PROMPT), ..Decision::default() };
    }
    if seen.machine.view.take().is_some() {
        seen.machine.view = redacted_view(rules, &seen);
    }
    seen
}

/// Repeats the call of the function that asks, on the redacted state `seen`. Returns the state with
/// the effects of that function so far, as the viewers know them. Returns `None` if the function
/// fails, asks another question or has had no effect.
fn redacted_view(rules: &Rules, seen: &State) -> Option<Box<State>> {
    let mut again = seen.clone();
    again.machine.is_waiting = false;
    rules.hooks.reset_budget();
    let printed = rules.hooks.take_lines();
    // A failure is ignored here: if the function also fails with the real answers, the engine
    // reports that fault.
    let is_done = catch_panic(|| agenda::advance(rules, &mut again).is_ok()) == Ok(true);
    // Discards the lines that the function prints here, because it has printed them before, when it
    // asked.
    rules.hooks.take_lines();
    printed.iter().for_each(|line| rules.hooks.print(line));
    let asks_the_same = again.decision().is_some_and(|decision| decision.question == seen.machine.decision.question);
    again.machine.view.filter(|_| is_done && asks_the_same)
}

/// Returns a copy of the state with the hidden tiles and cards dealt at random to places that are
/// possible according to the viewers' knowledge. All such deals are equally likely. Returns `None`
/// if no tile or card is hidden. `below(n)` must return a random number below `n`.
pub fn redeal_hidden(
    rules: &Rules,
    state: &State,
    viewers: SeatSet,
    mut below: impl FnMut(usize) -> usize,
) -> Option<State> {
    let is_hidden = !state.is_over && state.position.hides_from(viewers);
    is_hidden.then(|| {
        let mut dealt = state.clone();
        let mut shuffle = |pool: &mut [u16]| (1..pool.len()).rev().for_each(|i| pool.swap(i, below(i + 1)));
        deal_hidden(rules.catalogue(), &mut dealt.position, viewers, &state.machine.drawn(), &mut shuffle);
        dealt
    })
}

impl EngineState {
    /// Returns the tiles and cards that the running function has drawn. The function starts again
    /// for each answer, so its deck must still have them.
    fn drawn(&self) -> Vec<u16> {
        let drawn = |it: &RecordedAnswer| if let Some(Answer::Draw(item)) = it.answer { Some(item) } else { None };
        self.answers.iter().filter_map(drawn).collect()
    }
}

/// Redeals hidden tiles and cards, so that their new places reveal nothing. The items `drawn` stay
/// in the first group of their deck.
fn deal_hidden(
    catalogue: &Catalogue,
    position: &mut Position,
    viewers: SeatSet,
    drawn: &[u16],
    shuffle: &mut dyn FnMut(&mut [u16]),
) {
    let is_hidden = |seen_by: SeatSet| !seen_by.includes(viewers);
    let home = |item: Item| (deck_of(catalogue, item), item.item_type());
    let mut hands = position.hands.to_vec();
    let mut held: Vec<&mut HeldItem> = hands.iter_mut().filter(|held| is_hidden(held.seen_by)).collect();
    // The order of this list must not depend on the hidden items themselves.
    held.sort_by_key(|held| (held.holder, held.seen_by, home(held.item)));
    let hides = |deck: &DeckState| deck.groups.iter().any(|group| is_hidden(group.seen_by));
    let decks = (0..=u8::MAX).map(DeckIdx).zip(&catalogue.decks).zip(&position.decks);
    let hiding = decks.filter(|(_, state)| hides(state)).map(|((deck, declared), _)| (Some(deck), declared.holds));
    let homes: BTreeSet<_> = hiding.chain(held.iter().map(|held| home(held.item))).collect();
    for (deck, holds) in homes {
        let mut of_deck: Vec<&mut HeldItem> =
            held.iter_mut().filter(|held| home(held.item) == (deck, holds)).map(|held| &mut **held).collect();
        let deck = deck.and_then(|deck| position.decks.get_mut(deck.idx()));
        let groups = deck.map_or(&mut [][..], |deck| &mut deck.groups);
        // The viewers know only which items the first visible group and the hidden places hold
        // together. Therefore this group is redealt together with the hidden items.
        let first_open = groups.iter().position(|group| !is_hidden(group.seen_by));
        let pooled = groups.iter_mut().enumerate().filter(|(i, it)| is_hidden(it.seen_by) || Some(*i) == first_open);
        redeal(holds, &mut of_deck, pooled.map(|(_, group)| group).collect(), drawn, shuffle);
    }
    hands.sort_unstable();
    position.hands = hands.into();
}

/// Pools all items of `held` and `groups`, sorts them, reorders them with `shuffle`, and deals them
/// again. The first of `groups` gets the items `drawn`, as far as the pool has them.
fn redeal(
    holds: ItemType,
    held: &mut [&mut HeldItem],
    groups: Vec<&mut Group>,
    drawn: &[u16],
    shuffle: &mut dyn FnMut(&mut [u16]),
) {
    let in_groups = groups.iter().flat_map(|group| &group.stacks);
    let in_groups = in_groups.flat_map(|stack| repeat_n(stack.item, usize::from(stack.left)));
    let mut pool: Vec<u16> = held.iter().map(|held| held.item.number()).chain(in_groups).collect();
    pool.sort_unstable();
    let n_first = groups.first().map_or(0, |group| group.len());
    let mut first = Vec::new();
    for item in drawn.iter().take(n_first) {
        if let Ok(at) = pool.binary_search(item) {
            first.push(pool.remove(at));
        }
    }
    shuffle(&mut pool);
    let mut pool = pool.into_iter();
    for (held, number) in held.iter_mut().zip(&mut pool) {
        held.item = Item::of(holds, number);
    }
    for group in groups {
        let first = std::mem::take(&mut first);
        let rest = pool.by_ref().take(group.len() - first.len());
        let items: Vec<(u16, u16)> = first.into_iter().chain(rest).map(|item| (item, 1)).collect();
        group.stacks = DeckState::make_group(items, group.cycle).stacks;
    }
}

/// Returns the deck to which an item belongs: the first deck that contains the item at the start.
/// Returns `None` if no deck contains it.
pub fn deck_of(catalogue: &Catalogue, item: Item) -> Option<DeckIdx> {
    let mut decks = (0..=u8::MAX).map(DeckIdx).zip(&catalogue.decks);
    let has = |number: u16| move |(item, _): &(u16, u16)| *item == number;
    decks
        .find(|(_, deck)| deck.holds == item.item_type() && deck.items.iter().any(has(item.number())))
        .map(|(deck, _)| deck)
}

impl Item {
    /// Returns the type of a deck that contains this item: tiles or cards.
    pub const fn item_type(self) -> ItemType {
        match self {
            Item::Tile(_) => ItemType::Tiles,
            Item::Card(_) => ItemType::Cards,
        }
    }

    /// Returns the index of the item among the tiles or cards of the catalogue.
    pub const fn number(self) -> u16 {
        match self {
            Item::Tile(TileIdx(number)) | Item::Card(number) => number,
        }
    }

    /// Returns the tile or the card, depending on `holds`, whose index in the catalogue is
    /// `number`.
    pub const fn of(holds: ItemType, number: u16) -> Item {
        match holds {
            ItemType::Tiles => Item::Tile(TileIdx(number)),
            ItemType::Cards => Item::Card(number),
        }
    }

    /// Finds the tile or card called `name`, if there is one.
    pub fn named(catalogue: &Catalogue, name: &str) -> Option<Item> {
        let tile = catalogue.tile_set.tile_named(name).map(Item::Tile);
        tile.or_else(|| catalogue.cards.iter().position(|card| card.name == name).map(|i| Item::Card(i as u16)))
    }

    /// Returns the name of the item: `<mod>/<id>`.
    ///
    /// # Panics
    /// Panics if the item is not in the catalogue.
    pub fn name(self, catalogue: &Catalogue) -> &str {
        match self {
            Item::Tile(tile) => &catalogue.tile_set.tile(tile).name,
            Item::Card(card) => &catalogue.cards[usize::from(card)].name,
        }
    }
}
