//! Prompts: the open question and its options, with labels for players.
#![expect(clippy::indexing_slicing, reason = "indices come from the catalogue")]

use board::{Border, Corner, Placement, Spot, TileIdx, ZoneRef};
use rules::{
    Actor, Answer, Decision, ItemType, Location, ModInfo, PieceRef, Question, Seat, Value, option_text, option_value,
};

use board::FeatureRef;

use crate::capitalize::capitalize;
use crate::describe::{describe_feature, describe_piece, describe_spot, describe_value, describe_zone_side};
use crate::view::GameView;

/// An object of the game: the target of an option, or the object under the mouse pointer.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// A spot, with or without a tile.
    Spot(Spot),
    /// A point where four spots meet.
    Corner(Corner),
    /// The edge between two spots.
    Border(Border),
    /// A zone.
    Zone(ZoneRef),
    /// A whole feature.
    Feature(FeatureRef),
    /// A piece.
    Piece(PieceRef),
    /// All pieces of a player.
    Player(Seat),
    /// All tiles of a type on the board.
    Tiles(TileIdx),
}

/// The subject of a question that the game asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromptKind {
    /// Chance draws from a deck.
    Draw,
    /// Chance rolls a die.
    Roll,
    /// The tile for the current part of the turn: a draw, or an option that a mod offers.
    Source,
    /// The placement of this tile.
    Place(TileIdx),
    /// The piece to deploy and its zone.
    Deploy,
    /// The score marker to move.
    Marker {
        /// The points to move by.
        points: i64,
        /// The feature that scores these points, if there is one.
        feature: Option<FeatureRef>,
    },
    /// The next feature to score, if several features are scored together.
    Order,
    /// A question asked by a mod.
    Mod,
}

/// An open question.
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'g> {
    /// The player who decides, or chance.
    pub who: Actor,
    /// The subject of the question.
    pub kind: PromptKind,
    /// The text of the question.
    pub text: &'g str,
    /// The mod that asks the question; `None` if the engine asks.
    pub asked_by: Option<&'g ModInfo>,
}

impl Prompt<'_> {
    /// Returns the player who decides; `None` if chance decides.
    pub fn seat(&self) -> Option<Seat> {
        match self.who {
            Actor::Player(seat) => Some(seat),
            Actor::Chance => None,
        }
    }
}

/// An offered answer, with its label and targets.
#[derive(Clone, PartialEq, Debug)]
pub struct OptionView {
    /// The answer.
    pub answer: Answer,
    /// The stable text of the answer, as in records.
    pub text: String,
    /// The label that players see.
    pub label: String,
    /// An explanation of the option, such as its effect or the feature that it concerns; may be
    /// empty.
    pub about: String,
    /// The objects on the board that the option concerns; may be empty. A click on the first target
    /// chooses the option.
    pub targets: Vec<Target>,
    /// The tile that the answer draws; `None` if the answer draws no tile.
    pub tile: Option<TileIdx>,
}

impl OptionView {
    /// Returns the first target, if any. A click on it chooses the option.
    pub fn first_target(&self) -> Option<&Target> {
        self.targets.first()
    }
}

impl<'g> GameView<'g> {
    fn decision(self) -> Option<&'g Decision> {
        self.state.decision()
    }

    /// Returns the open decision; `None` if there is none or if the viewers may not see its
    /// options.
    fn shown_decision(self) -> Option<&'g Decision> {
        let decision = self.decision()?;
        let seen_by = match decision.question {
            Question::Draw(deck) => {
                self.state().deck(deck).groups.first().map_or(decision.seen_by, |next| next.seen_by)
            }
            _ => decision.seen_by,
        };
        (self.shows(decision.seen_by) && self.shows(seen_by)).then_some(decision)
    }

    /// Returns whether the player to move now opens a sealed answer.
    pub fn opens_sealed_answer(self) -> bool {
        self.decision().and_then(|decision| decision.round).is_some_and(|round| round.opens.is_some())
    }

    /// Returns the open question, if any.
    pub fn prompt(self) -> Option<Prompt<'g>> {
        let decision = self.decision()?;
        let catalogue = self.catalogue();
        let (kind, asked_by) = match decision.question {
            Question::Draw(_) => (PromptKind::Draw, None),
            Question::Roll => (PromptKind::Roll, None),
            Question::Source => (PromptKind::Source, None),
            Question::Place(tile) => (PromptKind::Place(tile), None),
            Question::Deploy => (PromptKind::Deploy, None),
            Question::Marker { points, feature } => (PromptKind::Marker { points, feature }, None),
            Question::Order => (PromptKind::Order, None),
            Question::Ask(function) => {
                (PromptKind::Mod, catalogue.mods.get(catalogue.functions[function.idx()].owner.idx()))
            }
        };
        Some(Prompt { who: decision.who, kind, text: &decision.prompt, asked_by })
    }

    /// Returns the player who decides; `None` if no question is open or chance decides.
    pub fn asked_seat(self) -> Option<Seat> {
        self.prompt()?.seat()
    }

    /// Returns the tile to place, if the decision is a placement.
    pub fn tile_to_place(self) -> Option<TileIdx> {
        match self.decision()?.question {
            Question::Place(tile) => Some(tile),
            _ => None,
        }
    }

    /// Returns all offered answers in the order of the rules; empty if the viewers may not see the
    /// answers. [`option_views`](Self::option_views) returns labels for the answers.
    pub fn answers(self) -> Vec<Answer> {
        self.shown_decision().map_or_else(Vec::new, |d| d.options(self.ruleset(), self.state).into_owned())
    }

    /// Returns the stable text of an offered answer; `None` if the viewers may not see the options.
    pub fn answer_text(self, answer: Answer) -> Option<String> {
        Some(option_text(self.ruleset(), self.state, self.shown_decision()?, answer))
    }

    /// Returns the stable texts of all offered answers. Placements are sorted by row and column.
    pub fn answer_texts(self) -> Vec<String> {
        self.shown_decision().map_or_else(Vec::new, |_| rules::option_texts(self.ruleset(), self.state))
    }

    /// Returns the word that stands for `who` in records: a player's name or `chance`.
    pub fn asked_name(self, who: Actor) -> &'g str {
        rules::actor_text(self.state, who)
    }

    /// Returns the legal placements of the drawn tile, sorted by row and column; empty if the
    /// decision is not a placement.
    pub fn places(self) -> Vec<Placement> {
        let place = |answer: Answer| if let Answer::Place(place) = answer { Some(place) } else { None };
        let mut places: Vec<Placement> = self.answers().into_iter().filter_map(place).collect();
        places.sort_by_key(|p| (p.spot.y, p.spot.x, p.facing.quarters()));
        places
    }

    /// Returns all offered answers except placements, in the order of the rules; passing comes
    /// last. Of several answers with the same text, includes only one.
    pub fn option_views(self) -> Vec<OptionView> {
        let Some(decision) = self.shown_decision() else { return Vec::new() };
        if let Question::Draw(deck) = decision.question {
            let holds_tiles = self.catalogue().decks.get(deck.idx()).is_some_and(|d| d.holds == ItemType::Tiles);
            return self.draw_options(decision, holds_tiles);
        }
        let mut views: Vec<OptionView> = Vec::new();
        for answer in self.answers().into_iter().filter(|a| !matches!(a, Answer::Place(_))) {
            let text = option_text(self.ruleset(), self.state, decision, answer);
            if views.iter().all(|view| view.text != text) {
                views.push(self.option_view(decision, answer, text));
            }
        }
        views.sort_by_key(|view| view.answer == Answer::Pass);
        self.disambiguate(&mut views);
        views
    }

    /// Makes equal labels distinct: first adds the side of the tile, then the place of the tile,
    /// and finally a number. Each addition goes only to labels that are still equal.
    fn disambiguate(self, views: &mut [OptionView]) {
        let zone = |view: &OptionView| match view.first_target()? {
            Target::Zone(zone) => Some(*zone),
            Target::Piece(piece) => match self.piece(*piece)?.place {
                Location::Zone(zone) => Some(zone),
                _ => None,
            },
            _ => None,
        };
        for step in 0..3 {
            let labels: Vec<String> = views.iter().map(|view| view.label.clone()).collect();
            let is_one_of_many =
                |view: &&mut OptionView| labels.iter().filter(|label| **label == view.label).count() > 1;
            for (i, view) in views.iter_mut().filter(is_one_of_many).enumerate() {
                let more = match step {
                    0 => zone(view).and_then(|zone| describe_zone_side(self, zone)),
                    1 => zone(view).map(|zone| describe_spot(self, self.tile_of_zone(zone).spot)),
                    _ => Some(format!("no. {}", i + 1)),
                };
                view.label.extend(more.map(|more| format!(", {more}")));
            }
        }
    }

    /// Returns the tiles or cards that chance may draw, for a user who decides for chance.
    fn draw_options(self, decision: &Decision, holds_tiles: bool) -> Vec<OptionView> {
        let weights = decision.weights(self.state);
        let total: u32 = weights.iter().sum();
        let view = |(answer, weight): (Answer, &u32)| {
            let text = option_text(self.ruleset(), self.state, decision, answer);
            let percent = 100.0 * f64::from(*weight) / f64::from(total.max(1));
            let about = format!("{weight} of {total} left, {percent:.0}%");
            let tile = if let (Answer::Draw(item), true) = (answer, holds_tiles) { Some(TileIdx(item)) } else { None };
            OptionView { answer, label: text.clone(), text, about, targets: Vec::new(), tile }
        };
        self.answers().into_iter().zip(&weights).map(view).collect()
    }

    fn option_view(self, decision: &Decision, answer: Answer, text: String) -> OptionView {
        let mut view =
            OptionView { answer, label: text.clone(), text, about: String::new(), targets: Vec::new(), tile: None };
        match answer {
            Answer::Pass => view.label = pass_label(decision).to_owned(),
            Answer::Deploy { kind, zone } => {
                view.targets.push(Target::Zone(zone));
                view.about = describe_feature(self, self.feature_under(kind, zone));
                view.label = format!("{} on the {}", capitalize(self.piece_title(kind)), self.zone_kind(zone));
            }
            Answer::Marker(n) => {
                view.label = format!("Marker {}", n + 1);
                view.label.extend(self.marker_move(decision, n).map(|way| format!(": {way}")));
            }
            Answer::Roll(n) => view.label = format!("The die shows {n}"),
            Answer::ModOption(i) => self.describe_mod_option(decision, i as usize, &mut view),
            Answer::Place(_) | Answer::Draw(_) | Answer::Sealed => {}
        }
        view
    }

    /// Describes the move of a score marker, such as `from 3 to 8`. Returns `None` if the decision
    /// moves no such marker.
    fn marker_move(self, decision: &Decision, marker: u8) -> Option<String> {
        let (Actor::Player(seat), Question::Marker { points, .. }) = (decision.who, decision.question) else {
            return None;
        };
        let from = self.markers(seat).get(usize::from(marker))?;
        let to = self.space_of(from + points);
        let dark = if self.is_dark(to) { ", dark" } else { "" };
        Some(format!("from {} to {to}{dark}", self.space_of(*from)))
    }

    /// Describes the markers and pieces on a space of the score track, such as
    /// `beside blue's marker and red's robber`. Empty if the space is empty.
    fn describe_space(self, space: u32) -> String {
        let here = |seat: &Seat| self.markers(*seat).iter().any(|points| self.space_of(*points) == space);
        let markers = self.seats().filter(here).map(|seat| format!("{}'s marker", self.name(seat)));
        let pieces = self.pieces().filter(|piece| piece.place == Location::Space(space));
        let pieces = pieces.map(|piece| describe_piece(self, piece.piece));
        let there: Vec<String> = markers.chain(pieces).collect();
        if there.is_empty() { String::new() } else { format!("beside {}", there.join(" and ")) }
    }

    /// Returns a one-line explanation of an offered answer; empty if its label is clear enough.
    pub fn answer_explanation(self, answer: Answer) -> String {
        let Some(decision) = self.shown_decision() else { return String::new() };
        match answer {
            Answer::Marker(n) => self.marker_move(decision, n).unwrap_or_default(),
            Answer::Pass if decision.question == Question::Source => "draw a tile".to_owned(),
            Answer::ModOption(_) => {
                let text = option_text(self.ruleset(), self.state, decision, answer);
                self.option_view(decision, answer, text).about
            }
            _ => String::new(),
        }
    }

    /// Returns the feature of the zone that an offered answer names; `None` if the answer does not
    /// name exactly one zone.
    pub fn answer_feature(self, answer: Answer) -> Option<FeatureRef> {
        match option_value(self.shown_decision()?, answer) {
            Value::Zone(zone) => self.feature_of(zone).map(|feature| self.root(feature)),
            _ => None,
        }
    }

    fn describe_mod_option(self, decision: &Decision, i: usize, view: &mut OptionView) {
        let word = view.text.split(' ').next().unwrap_or_default();
        let declared = self.catalogue().options.iter().find(|o| o.word == word);
        let declared = declared.map(|option| option.about.as_str());
        view.about = decision.meaning(&view.text).or(declared).unwrap_or_default().to_owned();
        view.label = capitalize(&view.text);
        let Some(option) = decision.mod_options.get(i) else { return };
        collect_targets(&option.value, &mut view.targets);
        let (word, about) = match &option.value {
            Value::Option(it) => (&*it.word, &it.about),
            value => (option.word.as_deref().unwrap_or_default(), value),
        };
        if let (Value::Space(space), true) = (about, view.about.is_empty()) {
            view.about = self.describe_space(*space);
        }
        if let Some(words) = describe_value(self, about) {
            let separator = if matches!(about, Value::Zone(_) | Value::Deployment(..)) { ": " } else { " " };
            let separator = if word.is_empty() { "" } else { separator };
            view.label = capitalize(&format!("{word}{separator}{words}"));
        }
        if let (Value::Feature(feature), Question::Order) = (&option.value, decision.question) {
            view.label = capitalize(self.zone_kind(feature.anchor));
            view.about = describe_feature(self, *feature);
        }
        if let Value::Zone(zone) = option.value
            && let Some(feature) = self.feature_of(zone).filter(|_| decision.meaning(&view.text).is_none())
        {
            view.about = describe_feature(self, feature);
        }
    }
}

fn pass_label(decision: &Decision) -> &'static str {
    match decision.question {
        Question::Source => "Draw a tile",
        Question::Deploy => "No piece",
        _ => "Pass",
    }
}

/// Adds the objects on the board that a value names to `targets`.
fn collect_targets(value: &Value, targets: &mut Vec<Target>) {
    let found = match value {
        Value::Spot(spot) => Target::Spot(*spot),
        Value::Corner(corner) => Target::Corner(*corner),
        Value::Border(border) => Target::Border(*border),
        Value::Zone(zone) => Target::Zone(*zone),
        Value::Feature(feature) => Target::Feature(*feature),
        Value::Piece(piece) => Target::Piece(*piece),
        Value::Player(seat) => Target::Player(*seat),
        Value::Placement(_, place) => Target::Spot(place.spot),
        Value::Deployment(_, zone) => Target::Zone(*zone),
        Value::TileType(tile) => Target::Tiles(*tile),
        Value::Option(option) => return collect_targets(&option.about, targets),
        Value::List(list) => return list.iter().for_each(|v| collect_targets(v, targets)),
        _ => return,
    };
    if !targets.contains(&found) {
        targets.push(found);
    }
}
