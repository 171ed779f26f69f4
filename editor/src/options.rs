//! The answers that are offered, besides places for the tile, as people see them: words, what they are about, and where that is.

use board::{FeatureRef, LayerIdx, ZoneRef};
use rules::{Answer, Decision, Question, Value, option_text};
use table::Session;

use crate::view_state::Target;

/// An answer as people see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The answer.
    pub choice: Answer,
    /// Its stable text.
    pub text: String,
    /// The same for people.
    pub label: String,
    /// What it does, where a mod says so.
    pub about: String,
    /// What on the board it is about; the first is where it can be clicked.
    pub targets: Vec<Target>,
}

impl Shown {
    /// Where on the board it can be clicked: a zone or spot that it is about.
    pub fn place(&self) -> Option<&Target> {
        self.targets.first()
    }
}

/// All answers besides places for a tile, in the order of their keys. `pass` is the last one.
pub fn shown(session: &Session) -> Vec<Shown> {
    let state = session.game().state();
    let Some(decision) = state.decision() else { return Vec::new() };
    if matches!(decision.question, Question::Draw(_)) {
        return draws(session, decision);
    }
    let options = decision.options(session.ruleset(), state);
    let mut shown: Vec<Shown> = Vec::new();
    for choice in options.iter().filter(|c| !matches!(c, Answer::Place(_))) {
        let text = option_text(session.ruleset(), state, decision, *choice);
        if shown.iter().all(|s| s.text != text) {
            shown.push(one(session, decision, *choice, text));
        }
    }
    shown.sort_by_key(|s| s.choice == Answer::Pass);
    shown
}

/// Draws: what may come, for somebody who plays chance.
fn draws(session: &Session, decision: &Decision) -> Vec<Shown> {
    let state = session.game().state();
    let options = decision.options(session.ruleset(), state);
    let weights = decision.weights(state);
    let total: u32 = weights.iter().sum();
    let row = |(choice, weight): (&Answer, &u32)| {
        let text = option_text(session.ruleset(), state, decision, *choice);
        let percent = 100.0 * f64::from(*weight) / f64::from(total.max(1));
        let about = format!("{weight} of {total} left, {percent:.0} %");
        Shown { choice: *choice, label: text.clone(), text, about, targets: Vec::new() }
    };
    options.iter().zip(&weights).map(row).collect()
}

fn one(session: &Session, decision: &Decision, choice: Answer, text: String) -> Shown {
    let catalogue = session.catalogue();
    let mut targets = Vec::new();
    let mut about = String::new();
    let mut label = text.clone();
    match choice {
        Answer::Pass => label = pass_label(decision).to_owned(),
        Answer::Deploy { kind, zone } => {
            targets.push(Target::Zone(zone));
            let state = session.view();
            let layer = catalogue.piece(kind).layer;
            let layer = if state.board.takes_part(layer, zone) { layer } else { LayerIdx(0) };
            about = table::feature_words(session.ruleset(), state, FeatureRef { layer, anchor: zone });
            let kind_of_land = &session.tile_set().kind(state.board.kind(zone)).name;
            label = format!("{} on the {}", capital(&catalogue.piece(kind).name), kind_of_land);
        }
        Answer::Marker(n) => label = format!("Marker {}", n + 1),
        Answer::Roll(n) => label = format!("The die shows {n}"),
        Answer::ModOption(i) => {
            let offer = decision.mod_options.get(i as usize);
            let word = text.split(' ').next().unwrap_or_default();
            about = catalogue.options.iter().find(|o| o.word == word).map(|o| o.about.clone()).unwrap_or_default();
            label = capital(&text);
            if let Some(offer) = offer {
                collect(&offer.value, &mut targets);
                if let Value::Zone(zone) = offer.value {
                    let place = zone_words(session, zone);
                    label = match offer.word.as_deref() {
                        Some(word) if !word.is_empty() => format!("{}: {place}", capital(word)),
                        _ => capital(&place),
                    };
                    let feature = FeatureRef { layer: LayerIdx(0), anchor: zone };
                    about = table::feature_words(session.ruleset(), session.view(), feature);
                }
            }
        }
        Answer::Place(_) | Answer::Draw(_) => {}
    }
    Shown { choice, text, label, about, targets }
}

/// A zone in words: what it is, on which side of its tile, and where that lies.
fn zone_words(session: &Session, zone: ZoneRef) -> String {
    let (board, tile_set) = (&session.view().board, session.tile_set());
    let spot = board.tile_at_zone(zone).spot;
    let name = board.zone_name(tile_set, zone);
    let kind = &tile_set.kind(board.kind(zone)).name;
    let side = match name.split_once('@').and_then(|(_, port)| port.chars().next()) {
        Some('n') => ", north",
        Some('e') => ", east",
        Some('s') => ", south",
        Some('w') => ", west",
        _ => "",
    };
    format!("{kind} at {spot}{side}")
}

fn pass_label(decision: &Decision) -> &'static str {
    match decision.question {
        Question::Source => "Draw a tile",
        Question::Deploy => "No piece",
        _ => "Pass",
    }
}

/// `text` with a large first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What a value is about on the board: the most exact things first.
fn collect(value: &Value, targets: &mut Vec<Target>) {
    let found = match value {
        Value::Spot(spot) => Target::Spot(*spot),
        Value::Zone(zone) => Target::Zone(*zone),
        Value::Feature(feature) => Target::Feature(*feature),
        Value::Piece(piece) => Target::Piece(*piece),
        Value::Player(seat) => Target::Player(*seat),
        Value::Placement(place) => Target::Spot(place.spot),
        Value::Deployment(_, zone) => Target::Zone(*zone),
        Value::TileType(tile) => Target::Tiles(*tile),
        Value::Option(option) => return collect(&option.about, targets),
        Value::List(list) => return list.iter().for_each(|v| collect(v, targets)),
        _ => return,
    };
    if !targets.contains(&found) {
        targets.push(found);
    }
}

/// The mod that asks, where it is one.
pub fn asking_mod(session: &Session) -> Option<&rules::ModInfo> {
    let decision = session.game().state().decision()?;
    let Question::Ask(function) = decision.question else { return None };
    let catalogue = session.catalogue();
    catalogue.mods.get(catalogue.functions[function.idx()].owner.idx())
}
