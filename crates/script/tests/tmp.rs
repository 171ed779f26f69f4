mod table;
#[test]
fn a() {
    for e in ["settings.generous", "spot(0,0)", "settings.limit + 1", "features(\"way\").map(|it| it.n_tiles)", "zones_at(spot(0, 0))[0].tag(\"stones\")", "deck_items(\"cards\").map(|it| it.name)"] {
        let r = std::panic::catch_unwind(|| table::value(e));
        println!("{e}: {r:?}");
    }
    for e in ["mem.game.f = |x| x;", "mem.game.f = 1;", "mem.gane.f = 1;", "mem.game.n += 1;"] {
        let r = std::panic::catch_unwind(|| table::run(e));
        println!("{e}: {r:?}");
    }
}
