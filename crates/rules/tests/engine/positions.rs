//! Positions that are built instead of played.

use board::{Edge, Facing, Spot};
use rules::{DeckIdx, Game, Hook, Location, PieceKindIdx, PositionBuilder, Seat, Setup, TokenIdx};
use testkit::Kit;

use crate::{asked, notes, noting};

fn kit() -> Kit {
    Kit::small().token("coin").hook(Hook::Setup, noting("setup")).hook(Hook::PiecePlaced, noting("piece"))
}

#[test]
fn what_is_put_into_a_position_raises_no_event() {
    let (rules, setup) = (kit().rules(), Setup::of(&["kit"], 2));
    let mut position = PositionBuilder::new(&rules, &setup);
    position.lay_start_tile().unwrap();
    let tile_set = &rules.catalogue().tile_set;
    let cap = tile_set.tile_named("kit/cap").unwrap();
    let edge = position.lay_tile(cap, Spot::new(1, 0), Facing::default()).unwrap_err();
    assert_eq!(edge, board::PlaceError::Edge(Edge::West));
    let straight = tile_set.tile_named("kit/straight").unwrap();
    position.lay_tile(straight, Spot::new(1, 0), Facing::default()).unwrap();
    assert_eq!(position.state().deck(DeckIdx(0)).count(straight.0), 3, "one has left its deck");
    let zone = position.state().board.zones_of(tile_set, board::TileRef(1)).next().unwrap();
    position.put_piece(PieceKindIdx(0), Some(Seat(1)), Location::Zone(zone), &[], false).unwrap();
    assert_eq!(position.set_tokens(Some(Seat(0)), TokenIdx(0), 5), 5);
    position.set_points(Seat(1), &[7]).unwrap();
    let game = Game::from_position(rules.clone(), setup, position.finish().into());
    assert_eq!(notes(&game), ["setup"]);
    let state = game.state();
    assert_eq!((state.supply(Some(Seat(1)), PieceKindIdx(0)), state.score(Seat(1))), (6, 7));
    assert_eq!(state.tokens(Some(Seat(0)), TokenIdx(0)), 5);
}

#[test]
fn a_position_with_turn_and_decks_is_in_the_middle_of_a_game() {
    let (rules, setup) = (kit().rules(), Setup::of(&["kit"], 2));
    let curve = rules.catalogue().tile_set.tile_named("kit/curve").unwrap();
    let begin = |has_turn: bool| {
        let mut position = PositionBuilder::new(&rules, &setup);
        position.lay_start_tile().unwrap();
        position.put_group(DeckIdx(0), &[(curve.0, 2)], rules::SeatSet::ALL);
        if has_turn {
            position.set_turn(Seat(1), 9);
        }
        Game::from_position(rules.clone(), setup.clone(), position.finish().into())
    };
    assert_eq!(notes(&begin(false)), ["setup"]);
    let game = begin(true);
    assert!(notes(&game).is_empty());
    let turn = game.state().turn().unwrap();
    assert_eq!((turn.number, turn.player, asked(&game).as_str()), (9, Seat(1), "chance draw"));
}
