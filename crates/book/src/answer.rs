//! Answers in words, for the captions of steps.

use record::Moment;
use rules::{Answer, Question};
use table::{GameView, OptionView, Target, capital, describe_piece, describe_zone_side};

use crate::chapter::{short, spoken};

/// Returns a sentence about an answer, such as `Red places U`; empty for the draw of a tile,
/// because the sentence about its placement names the tile.
pub(crate) fn in_words(moment: &Moment<'_>) -> String {
    let view = GameView::of(moment.game);
    let who = capital(view.asked_name(moment.decision.who));
    if let Question::Place(tile) = moment.decision.question {
        return format!("{who} places {}", short(&view.tile_set().tile(tile).name));
    }
    let Some(option) = view.option_views().into_iter().find(|option| option.text == moment.answer) else {
        return format!("{who}: {}", spoken(moment.answer));
    };
    match option.answer {
        Answer::Draw(_) if option.tile.is_some() => String::new(),
        Answer::Draw(_) => {
            let card = option.text.rsplit_once(' ').map_or(&*option.text, |(_, card)| card);
            format!("{} draws {}", capital(view.name(view.player())), spoken(short(card)))
        }
        Answer::Roll(n) => format!("The die shows {n}"),
        Answer::Deploy { kind, zone } => {
            format!("{who} deploys a {} on the {}", spoken(view.piece_name(kind)), spoken(view.zone_kind(zone)))
        }
        Answer::Pass if moment.decision.question == Question::Deploy => format!("{who} deploys nothing"),
        Answer::Pass if moment.decision.question == Question::Source => format!("{who} draws a tile"),
        Answer::Pass => format!("{who} passes"),
        Answer::Marker(n) => format!("{who} moves marker {} {}", n + 1, view.answer_about(option.answer)),
        Answer::Place(_) | Answer::ModOption(_) => format!("{who} chooses {}", choice(view, &option)),
    }
}

/// Returns the name of a mod's option and the things on the board that it concerns.
fn choice(view: GameView<'_>, option: &OptionView) -> String {
    let targets = option.targets.iter().filter_map(|target| match target {
        Target::Zone(zone) => {
            let side = describe_zone_side(view, *zone).map_or(String::new(), |side| format!(" in the {side}"));
            Some(format!("the {}{side}", spoken(view.zone_kind(*zone))))
        }
        Target::Feature(feature) => Some(format!("the {}", spoken(view.zone_kind(feature.anchor)))),
        Target::Piece(piece) => Some(describe_piece(view, *piece)),
        Target::Player(seat) => Some(view.name(*seat).to_owned()),
        Target::Tiles(tile) => Some(short(&view.tile_set().tile(*tile).name).to_owned()),
        Target::Spot(_) | Target::Corner(_) | Target::Border(_) => None,
    });
    let targets: Vec<String> = targets.collect();
    if targets.is_empty() && option.targets.is_empty() {
        return format!("“{}”", spoken(&option.text));
    }
    let word = spoken(option.text.split_once(' ').map_or(&*option.text, |(word, _)| word));
    if targets.is_empty() { format!("“{word}”") } else { format!("“{word}”: {}", targets.join(", ")) }
}
