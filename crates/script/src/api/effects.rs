//! Effects, with which events, phases and handlers of options change the game. A query that follows
//! an effect sees the change. The events that an effect causes run after the function has ended.

use std::any::TypeId;
use std::sync::Arc;

use board::{FeatureRef, TagCarrier, TagIdx, TileIdx, TileRef, ZoneRef};
use diagnostic::{hint, never};
use rhai::{Dynamic, EvalAltResult, ImmutableString, NativeCallContext};
use rules::{
    DeckIdx, HeldItem, Item, PhaseIdx, PieceKindIdx, PieceRef, PileIdx, PilePlace, ReadSet, Refusal, Seat, SeatSet,
    TokenIdx, Value,
};

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::entry::{ApiEntry, EntryKind, EntrySyntax};
use crate::named_options::{
    EndOptions, NowOrAfter, PartOptions, PileGround, PileSite, SeenBy, Tagged, TakePileOptions,
};
use crate::params::{AnyValue, DeckArgument, Name, OwnerArgument, ParamInfo, PieceDestination, SeatList, VisibleText};
use crate::type_names::counted;
use crate::types::{CardRef, Deployment};

pub(super) fn add(api: &mut Api) {
    api.topic("Points and tokens");
    points(api);
    api.topic("Moving pieces");
    pieces(api);
    api.topic("Changing the board");
    lands(api);
    super::laying::add(api);
    api.topic("Changing the turn");
    turns(api);
    api.topic("Changing decks and hands");
    decks(api);
    api.topic("Other functions");
    run(api);
}

/// The largest absolute value of a number that a script may pass to an effect. Sums of such numbers
/// do not overflow.
const MAX_NUMBER: i64 = 1_000_000;

/// Converts a count that a script passes to an effect. Returns an error if the count is negative or
/// above `MAX_NUMBER`.
fn amount(n: i64) -> Result<u32, Refusal> {
    match u32::try_from(n) {
        Ok(amount) if n <= MAX_NUMBER => Ok(amount),
        _ => Err(format!("a number from 0 to {MAX_NUMBER} is expected here, not {n}").into()),
    }
}

/// Checks a number of points and returns it. Returns an error if the absolute value of `n` is above
/// `MAX_NUMBER`.
pub(super) fn check_points(n: i64) -> Result<i64, Refusal> {
    if n.abs_diff(0) <= MAX_NUMBER as u64 { Ok(n) } else { Err(format!("{n} is too large for points").into()) }
}

/// Converts a number to the value of a tag. Returns an error if the absolute value of `n` is above
/// `MAX_NUMBER`.
fn tag_number(n: i64) -> Result<i32, Refusal> {
    match i32::try_from(n) {
        Ok(number) if n.abs() <= MAX_NUMBER => Ok(number),
        _ => Err(format!("{n} is too large for a tag").into()),
    }
}

fn points(api: &mut Api) {
    api.reads(ReadSet::NOTHING).effect(
        "score",
        doc(
            "player, points, reason",
            "Gives a player points. All points given in one event are booked together after the event, and reported by `scored`. Until then, `score_of` does not include them. In `scored` itself, use `loot`.",
            "score(player, 10, \"most coins\");",
        ),
        |cx: &mut Cx, player: Seat, points: i64, reason: VisibleText| {
            cx.call.propose_points(player, check_points(points)?, &reason.0, false, None)
        },
    );
    api.effect(
        "loot",
        doc(
            "player, points, reason",
            "Gives a player points as loot from another player's move; the other player loses no points. Loot is booked as a batch of its own with `scoring.is_loot`, so that `scored` can return at once instead of looting it again without end.",
            "loot(player, (move.points + 1) / 2, \"thief\");",
        ),
        |cx: &mut Cx, player: Seat, points: i64, reason: VisibleText| {
            cx.call.propose_points(player, check_points(points)?, &reason.0, true, None)
        },
    );
    api.effect(
        "score_as_at_end",
        doc(
            "player, feature, reason",
            "Gives a player the points that a feature would pay them if the game ended now; pieces stay. A complete feature that pays on completion gives 0 points (see `value_at_end`); use `value_now` for it instead.",
            "score_as_at_end(player, way, \"letter\");",
        ),
        |cx: &mut Cx, player: Seat, feature: FeatureRef, reason: VisibleText| {
            cx.call.propose_points(player, 0, &reason.0, false, Some(feature))
        },
    );
    api.effect(
        "give",
        doc(
            "player, token, n",
            "Gives a player up to `n` tokens from the stock. Returns the number of tokens given.",
            "give(turn.player, \"coin\", 1);",
        ),
        |cx: &mut Cx, player: Seat, token: Name<TokenIdx>, n: i64| {
            let n = amount(n)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.give_tokens(ruleset, player, token.0, n))
        },
    );
    api.effect(
        "take",
        doc(
            "player, token, n",
            "Takes up to `n` tokens from a player back to the stock. Returns the number of tokens taken.",
            "take(player, \"coin\", 1);",
        ),
        |cx: &mut Cx, player: Seat, token: Name<TokenIdx>, n: i64| {
            let n = amount(n)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.take_tokens(ruleset, player, token.0, n))
        },
    );
    api.effect(
        "award_holder",
        doc(
            "token, player",
            "Makes a player the only holder of a token. With `nobody`, no player holds it.",
            "award_holder(\"crown\", turn.player);",
        ),
        |cx: &mut Cx, token: Name<TokenIdx>, player: OwnerArgument| {
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            state.set_only_holder(ruleset, token.0, player.0);
            Ok(())
        },
    );
}

fn pieces(api: &mut Api) {
    api.effect(
        "place_piece",
        doc(
            "piece, player, where",
            "Puts a piece from a player's supply on a zone, several zones, a spot, a corner of spots, a border between spots or a space of the score track, or gives it to a player who keeps it. With `nobody`, the piece is a neutral one.",
            "place_piece(\"runner\", player, zone);",
        ),
        |cx: &mut Cx, kind: Name<PieceKindIdx>, owner: OwnerArgument, there: PieceDestination| {
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.put_piece(ruleset, kind.0, owner.0, there.place, &there.more)?)
        },
    );
    api.effect(
        "move_piece",
        doc(
            "piece, where, reason",
            "Moves a piece in play to a zone, several zones, a spot, a corner of spots, a border between spots or a space of the score track. If `where` is a player, this player keeps the piece until it is moved again or returned. `piece_left` gets the reason.",
            "move_piece(ghost, zone);",
        ),
        |cx: &mut Cx, piece: PieceRef, there: PieceDestination, reason: Option<Arc<str>>| {
            let reason = reason.as_deref().unwrap_or_default();
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.move_piece(ruleset, piece, there.place, &there.more, reason)?)
        },
    );
    api.effect(
        "return_piece",
        doc(
            "piece, reason",
            "Returns a piece to its supply. `piece_left` and `piece_returned` get the reason.",
            "return_piece(piece, \"called\");",
        ),
        |cx: &mut Cx, piece: PieceRef, reason: VisibleText| {
            cx.call.count_bytes(reason.0.len())?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.return_piece(ruleset, piece, &reason.0)?)
        },
    );
    api.effect(
        "deploy",
        doc(
            "player, deployment",
            "Deploys a piece from the supply to its zone, as one of the options in `deployments(player)`. An illegal deployment is an error.",
            "deploy(player, choice);",
        ),
        |cx: &mut Cx, player: Seat, it: Deployment| cx.call.deploy(player, it.kind, it.zone),
    );
    api.effect(
        "pin",
        doc(
            "piece",
            "Makes a piece stay when its feature is scored. Scripts can still move or return it.",
            "pin(piece);",
        ),
        |cx: &mut Cx, piece: PieceRef| Ok(cx.call.state_mut()?.set_pinned(piece, true)?),
    );
    api.effect(
        "unpin",
        doc("piece", "Undoes `pin`: the piece returns when its feature is scored.", "unpin(piece);"),
        |cx: &mut Cx, piece: PieceRef| Ok(cx.call.state_mut()?.set_pinned(piece, false)?),
    );
}

fn lands(api: &mut Api) {
    api.effect(
        "put_pile",
        doc(
            "pile, place, n",
            "Puts up to `n` counters from the stock of a pile on a spot or border. Returns the number of counters put there.",
            "put_pile(\"gold\", tile.spot, 1);",
        ),
        |cx: &mut Cx, pile: Name<PileIdx>, place: PileGround, n: i64| {
            let n = amount(n)?;
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.put_pile(ruleset, place, pile.0, n))
        },
    );
    api.reads(ReadSet::PILES).effect(
        "take_pile",
        doc(
            "pile, named",
            "Removes counters of a pile from the board. Returns the number of counters removed.",
            "give(player, \"coin\", take_pile(\"gold\", #{ from: spot, n: 1 }));",
        ),
        |cx: &mut Cx, pile: Name<PileIdx>, named: TakePileOptions| {
            let wanted = named.n.map_or(Ok(u32::MAX), amount)?;
            let places: Vec<PilePlace> = match named.from {
                Some(PileSite::Spot(spot)) => vec![spot.into()],
                Some(PileSite::Border(border)) => vec![border.into()],
                Some(PileSite::Feature(feature)) => {
                    super::features::spots(cx, feature)?.into_iter().map(PilePlace::Spot).collect()
                }
                None => cx.state().piles().iter().filter(|it| it.1 == pile.0).map(|it| it.0).collect(),
            };
            let (state, to_stock) = (cx.call.state_mut()?, named.to_stock.unwrap_or(false));
            let mut taken = 0;
            for place in places {
                taken += state.take_pile(place, pile.0, wanted - taken, to_stock);
            }
            Ok(taken)
        },
    );
    api.effect(
        "set_tag",
        doc(
            "of, tag, value",
            "Sets a tag of this zone or tile itself. On a zone: a number, true or false, or one word, which replaces all words; `()` removes the number or all words. On a tile: a number, true, or a word; 0 or false removes a tag without words; `()` restores the value of the tile type.",
            "set_tag(zone, \"stones\", 2);",
        ),
        |cx: &mut Cx, of: Tagged, tag: Name<TagIdx>, value: AnyValue| match of {
            Tagged::Zone(zone) => set_zone_tag(cx, zone, tag.0, value.0),
            Tagged::Tile(tile) => set_tile_tag(cx, tile, tag.0, value.0),
        },
    );
}

/// Returns the position of `word` among the declared words of a tag, or an error if the tag has no
/// such word.
fn word_index(cx: &Cx, tag: TagIdx, word: &str) -> Result<usize, Refusal> {
    let declared = cx.tile_set().tag(tag);
    declared.values.iter().position(|w| w == word).ok_or_else(|| {
        let help = hint(word, declared.values.iter().map(String::as_str));
        format!("the tag `{}` has no word `{word}`{help}", declared.name).into()
    })
}

fn set_zone_tag(cx: &mut Cx, zone: ZoneRef, tag: TagIdx, value: Value) -> Result<(), Refusal> {
    let declared = cx.tile_set().tag(tag);
    if declared.on != TagCarrier::Zone {
        return Err(format!("`{}` is a tag of tiles", declared.name).into());
    }
    let with_words = matches!(declared.merge, board::MergeRule::Set | board::MergeRule::Multiset);
    let (first, n) = (declared.first_column.0, if with_words { declared.values.len() as u8 } else { 1 });
    let set: Vec<(u8, i32)> = match value {
        Value::Unit => (first..first + n).map(|column| (column, 0)).collect(),
        Value::Text(word) if with_words => vec![(first + word_index(cx, tag, &word)? as u8, 1)],
        Value::Bool(on) if !with_words => vec![(first, i32::from(on))],
        Value::Int(number) if !with_words => {
            vec![(first, tag_number(number)?)]
        }
        other => return Err(format!("{} cannot be a value of the tag `{}`", other.type_name(), declared.name).into()),
    };
    let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
    for (column, number) in set {
        state.board.set_zone_tag(&ruleset.catalogue.tile_set, zone, board::ColumnIdx(column), number);
    }
    Ok(())
}

fn set_tile_tag(cx: &mut Cx, tile: TileRef, tag: TagIdx, value: Value) -> Result<(), Refusal> {
    let declared = cx.tile_set().tag(tag);
    if declared.on != TagCarrier::Tile {
        return Err(format!("`{}` is a tag of zones", declared.name).into());
    }
    let value = match value {
        Value::Unit => None,
        Value::Bool(on) => Some(i32::from(on)),
        Value::Int(n) => Some(tag_number(n)?),
        Value::Text(word) => Some(word_index(cx, tag, &word)? as i32),
        other => return Err(format!("{} cannot be the value of a tag", other.type_name()).into()),
    };
    cx.call.state_mut()?.set_tile_tag(tile, tag, value);
    Ok(())
}

fn turns(api: &mut Api) {
    api.effect(
        "extra_part",
        doc("reason, named", "Adds a part to the turn.", "extra_part(\"bonus\", #{ deck: \"bonus\", when: \"now\" });"),
        |cx: &mut Cx, reason: VisibleText, named: PartOptions| {
            let deck = named.deck.map_or(DeckIdx(0), |deck| deck.0);
            let now = matches!(named.when, Some(NowOrAfter::Now));
            cx.call.count_bytes(reason.0.len())?;
            Ok(cx.call.state_mut()?.add_part(&reason.0, deck, now)?)
        },
    );
    api.effect(
        "end_game",
        doc(
            "named",
            "Ends the game after the turn, without calling `can_end_game`. `before_final_scoring` and the final count follow. With `when: \"now\"` the rest of the turn is not played; features that are complete and not scored yet pay in the final count.",
            "end_game(#{ when: \"now\" });",
        ),
        |cx: &mut Cx, named: EndOptions| {
            let now = matches!(named.when, Some(NowOrAfter::Now));
            Ok(cx.call.state_mut()?.end_game(now)?)
        },
    );
    api.effect(
        "skip",
        doc(
            "phase",
            "Skips a phase for the rest of this part: `draw`, `place`, `piece`, `score` or a phase of a mod.",
            "skip(\"piece\");",
        ),
        |cx: &mut Cx, phase: Name<PhaseIdx>| Ok(cx.call.state_mut()?.skip_phase(phase.0)?),
    );
    api.effect(
        "next_turn",
        doc(
            "player",
            "Gives the next turn to a player. The last call in a turn counts. Play then goes on in order from that player. With `nobody`, the usual order applies again. In `setup`, chooses who begins.",
            "next_turn(turn.player);",
        ),
        |cx: &mut Cx, player: OwnerArgument| {
            cx.call.state_mut()?.set_next_player(player.0);
            Ok(())
        },
    );
    api.effect(
        "miss_turn",
        doc(
            "player, n",
            "Makes a player miss their next turn, or `n` more turns. A negative `n` cancels missed turns.",
            "miss_turn(player);",
        ),
        |cx: &mut Cx, player: Seat, n: Option<i64>| {
            let missed = i64::from(cx.state().turns_to_miss(player)).saturating_add(n.unwrap_or(1));
            Ok(cx.call.state_mut()?.set_turns_to_miss(player, amount(missed.max(0))?)?)
        },
    );
    api.effect(
        "set_order",
        doc(
            "players",
            "Sets the order of play to a list of all players. The next turn belongs to the player who follows the current one in the list, so it does not matter with whom the list begins; `next_turn` chooses the next player.",
            "set_order(mem.game.order);",
        ),
        |cx: &mut Cx, players: SeatList| Ok(cx.call.state_mut()?.set_order(&players.0)?),
    );
    api.effect(
        "redraw",
        doc("", "Puts the drawn tile under its deck and draws another one.", "redraw();"),
        |cx: &mut Cx| {
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.redraw(ruleset)?)
        },
    );
    api.effect(
        "play_tile",
        doc(
            "tile_type",
            "Sets the tile type of the current part, before its tile is laid. Before the draw, this replaces the draw. After the draw, the type may differ from the drawn type only in its overlay (see `overlaid`).",
            "play_tile(choice.tile_type);",
        ),
        |cx: &mut Cx, tile: TileIdx| {
            let (state, ruleset) = cx.call.state_mut_and_ruleset()?;
            Ok(state.play_tile(ruleset, tile)?)
        },
    );
    api.effect(
        "again",
        doc(
            "",
            "Runs the current phase again, after everything that this run of the phase causes has ended.",
            "again();",
        ),
        |cx: &mut Cx| cx.call.repeat_phase(),
    );
    api.effect(
        "note",
        doc("text", "Writes a line into the game's log of events.", "note(\"the dragon sleeps\");"),
        |cx: &mut Cx, text: VisibleText| cx.call.note(&text.0),
    );
}

fn decks(api: &mut Api) {
    api.effect(
        "put_under",
        doc(
            "deck, items, named",
            "Puts a tile or card under a deck. A list of items becomes one group in unknown order. With `seen_by`, only those players know the items.",
            "put_under(\"letters\", card);",
        ),
        |cx: &mut Cx, deck: DeckArgument, items: AnyValue, named: SeenBy| {
            let items = super::decks::items(cx, deck.0, items)?;
            cx.call.count_bytes(8 * items.len())?;
            Ok(cx.call.state_mut()?.put_under(deck.0, &items, named.seats())?)
        },
    );
    api.effect(
        "put_on_top",
        doc(
            "deck, items, named",
            "Puts a tile or card on top of a deck. A list of items becomes one group in unknown order. With `seen_by`, only those players know the items, so a player can look at the next items.",
            "put_on_top(deck, draw(deck, \"You look\", #{ seen_by: [player] }), #{ seen_by: [player] });",
        ),
        |cx: &mut Cx, deck: DeckArgument, items: AnyValue, named: SeenBy| {
            let items = super::decks::items(cx, deck.0, items)?;
            cx.call.count_bytes(8 * items.len())?;
            Ok(cx.call.state_mut()?.put_on_top(deck.0, &items, named.seats())?)
        },
    );
    api.effect(
        "put_into",
        doc(
            "deck, group, items",
            "Mixes a tile or card, or a list of them, into a group of a deck: 0 is the group on top, 1 the next one, and -1 the last. Only players who may see the items of the group know them.",
            "put_into(\"land\", 0, turn.tile_type);",
        ),
        |cx: &mut Cx, deck: DeckArgument, group: i64, items: AnyValue| {
            let items = super::decks::items(cx, deck.0, items)?;
            cx.call.count_bytes(8 * items.len())?;
            Ok(cx.call.state_mut()?.put_into(deck.0, group, &items)?)
        },
    );
    api.effect(
        "put_in_row",
        doc(
            "deck, items",
            "Puts a tile or card, or a list of them, at the end of the open row beside a deck, where all players see the items. The items are new copies: draw them first, or take them out of their deck.",
            "put_in_row(\"market\", draw(\"market\"));",
        ),
        |cx: &mut Cx, deck: DeckArgument, items: AnyValue| {
            let items = super::decks::items(cx, deck.0, items)?;
            cx.call.count_bytes(8 * items.len())?;
            Ok(cx.call.state_mut()?.put_in_row(deck.0, &items)?)
        },
    );
    api.effect(
        "take_from_row",
        doc(
            "deck, item",
            "Takes a tile or card out of the open row beside a deck. If the row lacks the item, the call fails.",
            "take_from_row(\"market\", choice);",
        ),
        |cx: &mut Cx, deck: DeckArgument, item: AnyValue| {
            let items = super::decks::items(cx, deck.0, item)?;
            let state = cx.call.state_mut()?;
            Ok(items.into_iter().try_for_each(|item| state.take_from_row(deck.0, item))?)
        },
    );
    api.effect(
        "take_out",
        doc(
            "deck, items",
            "Takes a tile or card, or each item of a list, out of a deck. Returns the number of items taken out.",
            "take_out(deck, \"last\");",
        ),
        |cx: &mut Cx, deck: DeckArgument, items: AnyValue| {
            let items = super::decks::items(cx, deck.0, items)?;
            let state = cx.call.state_mut()?;
            Ok(items.into_iter().map(|item| state.take_out(deck.0, item, 1)).sum::<u32>())
        },
    );
    api.effect(
        "shuffle",
        doc("deck", "Shuffles a deck: all groups become one group.", "shuffle(\"letters\");"),
        |cx: &mut Cx, deck: DeckArgument| {
            cx.call.state_mut()?.shuffle(deck.0);
            Ok(())
        },
    );
    api.effect(
        "give_tile",
        doc(
            "player, tile_type, named",
            "Puts a tile into a player's hand. With `seen_by`, only those players may see it.",
            "give_tile(player, tile_type(\"guide\"));",
        ),
        |cx: &mut Cx, player: Seat, tile: TileIdx, named: SeenBy| give(cx, player, Item::Tile(tile), &named),
    );
    api.effect(
        "take_tile",
        doc("player, tile_type", "Takes a tile out of a player's hand.", "take_tile(player, choice.tile_type);"),
        |cx: &mut Cx, player: Seat, tile: TileIdx| Ok(cx.call.state_mut()?.take_item(player, Item::Tile(tile))?),
    );
    api.effect(
        "give_card",
        doc(
            "player, card, named",
            "Puts a card into a player's hand. With `seen_by`, only those players may see it.",
            "give_card(player, card, #{ seen_by: [player] });",
        ),
        |cx: &mut Cx, player: Seat, card: CardRef, named: SeenBy| give(cx, player, Item::Card(card.0), &named),
    );
    api.effect(
        "take_card",
        doc("player, card", "Takes a card out of a player's hand.", "take_card(player, card);"),
        |cx: &mut Cx, player: Seat, card: CardRef| Ok(cx.call.state_mut()?.take_item(player, Item::Card(card.0))?),
    );
    api.effect(
        "show",
        doc(
            "player, item, to",
            "Shows a tile or card in a player's hand to a list of players, or without `to` to all players.",
            "show(player, card);",
        ),
        |cx: &mut Cx, player: Seat, item: AnyValue, to: Option<SeatList>| {
            let item = match item.0 {
                Value::TileType(tile) => Item::Tile(tile),
                Value::Card(card) => Item::Card(card),
                other => return Err(format!("`show` takes a tile or a card, not {}", other.type_name()).into()),
            };
            let to = to.map_or(SeatSet::ALL, |seats| seats.0.into_iter().collect());
            Ok(cx.call.state_mut()?.show_item(player, item, to)?)
        },
    );
}

fn give(cx: &mut Cx, holder: Seat, item: Item, named: &SeenBy) -> Result<(), Refusal> {
    cx.call.state_mut()?.give_item(HeldItem { holder, item, seen_by: named.seats() });
    Ok(())
}

/// Adds `run`, with which a script calls one of its own functions by name. Trees do not support
/// `run`, so only the interpreter calls it.
fn run(api: &mut Api) {
    for n in 0..=4usize {
        let names = ["name", "a", "b", "c", "d"][..=n].to_vec();
        let (text, any) = (ParamInfo::of::<Arc<str>>(), ParamInfo::of::<AnyValue>());
        let entry = ApiEntry {
            name: "run",
            kind: EntryKind::Query,
            form: EntrySyntax::Function,
            topic: "",
            names,
            params: std::iter::once(text).chain(std::iter::repeat_n(any, n)).collect(),
            result: "value".to_owned(),
            rhai_result: "?",
            about: "Calls the function of this script with this name.",
            example: "run(\"card_\" + card.name, player)",
        };
        api.special(entry, |to| {
            let mut types = vec![TypeId::of::<ImmutableString>()];
            types.resize(n + 1, TypeId::of::<Dynamic>());
            to.engine.register_raw_fn("run", types, call_by_name);
        });
    }
}

fn call_by_name(context: NativeCallContext, args: &mut [&mut Dynamic]) -> Result<Dynamic, Box<EvalAltResult>> {
    let Some((name, rest)) = args.split_first_mut() else {
        never!("`run` is registered with a name");
        return Ok(Dynamic::UNIT);
    };
    let name = name.read_lock::<ImmutableString>().map_or(ImmutableString::new(), |name| name.clone());
    let n = rest.len();
    // `run` calls only functions of the script, not native functions of the same name.
    if !context.iter_namespaces().any(|script| script.get_script_fn(name.as_str(), n).is_some()) {
        let message = format!("this script has no function `{name}` with {}", counted(n, "parameter"));
        return Err(EvalAltResult::ErrorRuntime(message.into(), context.call_position()).into());
    }
    context.call_fn_raw(name, false, false, rest)
}
