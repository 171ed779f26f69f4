//! Compares the table of keys with other tables of the engine.

use rules::{FILTERS, Slot};

#[test]
fn filters_and_slots_are_in_the_table_of_keys() {
    let filters = |section: &keys::Section| {
        section
            .keys
            .iter()
            .map(|key| key.name)
            .filter(|name| name.starts_with("only_") && *name != "only_...")
            .collect::<Vec<_>>()
    };
    let known: Vec<&str> = FILTERS.iter().map(|filter| filter.name).collect();
    assert_eq!(filters(&keys::HOOK), known);
    assert_eq!(filters(&keys::PHASE), known);
    let Some(keys::Takes::OneOf(slots)) = keys::PHASE.key("slot").map(|key| key.takes) else { panic!("no words") };
    assert_eq!(slots, Slot::ALL.map(|(_, name)| name));
}
