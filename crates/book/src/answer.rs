//! Answers in words, for the captions of steps.

use record::ReplayedDecision;
use rules::{Answer, Question};
use table::{GameView, OptionView, Target, capitalize, describe_piece, describe_zone_side};

use crate::names::{short_name, spaced_name};

/// Returns a sentence about an answer, such as `Red places U`. Returns an empty text for the draw
/// of a tile, because the sentence about its placement names the tile.
pub(crate) fn describe_answer(moment: &ReplayedDecision<'_>) -> String {
    let view = GameView::of(moment.game);
    let who = capitalize(view.asked_name(moment.decision.who));
    if let Question::Place(tile) = moment.decision.question {
        return format!("{who} places {}", short_name(&view.tile_set().tile(tile).name));
    }
    let Some(option) = view.option_views().into_iter().find(|option| option.text == moment.answer) else {
        return format!("{who}: {}", spaced_name(moment.answer));
    };
    match option.answer {
        Answer::Draw(_) if option.tile.is_some() => String::new(),
        Answer::Draw(_) => {
            let card = option.text.rsplit_once(' ').map_or(&*option.text, |(_, card)| card);
            format!("{} draws {}", capitalize(view.name(view.player())), spaced_name(short_name(card)))
        }
        Answer::Roll(n) => format!("The die shows {n}"),
        Answer::Deploy { kind, zone } => {
            format!("{who} deploys a {} on the {}", view.piece_title(kind), spaced_name(view.zone_kind(zone)))
        }
        Answer::Pass if moment.decision.question == Question::Deploy => format!("{who} deploys nothing"),
        Answer::Pass if moment.decision.question == Question::Source => format!("{who} draws a tile"),
        Answer::Pass => format!("{who} passes"),
        Answer::Marker(n) => format!("{who} moves marker {} {}", n + 1, view.answer_explanation(option.answer)),
        Answer::Sealed => format!("{who} seals an answer"),
        Answer::Place(_) | Answer::ModOption(_) => format!("{who} chooses {}", option_label(view, &option)),
    }
}

/// Returns the name of a mod's option, and the names of the objects that it concerns, such as zones
/// and pieces.
fn option_label(view: GameView<'_>, option: &OptionView) -> String {
    let targets = option.targets.iter().filter_map(|target| match target {
        Target::Zone(zone) => {
            let side = describe_zone_side(view, *zone).map_or(String::new(), |side| format!(" in the {side}"));
            Some(format!("the {}{side}", spaced_name(view.zone_kind(*zone))))
        }
        Target::Feature(feature) => Some(format!("the {}", spaced_name(view.zone_kind(feature.anchor)))),
        Target::Piece(piece) => Some(describe_piece(view, *piece)),
        Target::Player(seat) => Some(view.name(*seat).to_owned()),
        Target::Tiles(tile) => Some(short_name(&view.tile_set().tile(*tile).name).to_owned()),
        Target::Spot(_) | Target::Corner(_) | Target::Border(_) => None,
    });
    let targets: Vec<String> = targets.collect();
    if targets.is_empty() && option.targets.is_empty() {
        return format!("“{}”", spaced_name(&option.text));
    }
    let word = spaced_name(option.text.split_once(' ').map_or(&*option.text, |(word, _)| word));
    if targets.is_empty() { format!("“{word}”") } else { format!("“{word}”: {}", targets.join(" and ")) }
}
