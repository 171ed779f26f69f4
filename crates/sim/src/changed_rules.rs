//! Rule sets with one change: a disabled function, a tag removed from all tiles, or two mods in
//! reverse order.

use std::sync::Arc;

use board::{TagIdx, TileSet};
use rules::{Catalogue, Failure, FnIdx, ModIdx, PhaseAction, Rules, RulesFactory, SettingValue, Value};

/// A change of one part of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RuleEdit {
    /// The engine never calls this function.
    WithoutFunction(FnIdx),
    /// No tile and no zone has this tag.
    WithoutTag(TagIdx),
    /// The second mod runs before the first mod in each hook that both handle.
    Swapped(ModIdx, ModIdx),
}

/// A factory that makes the rules of another factory with one change.
pub(crate) struct EditedRules<'f> {
    pub factory: &'f dyn RulesFactory,
    pub edit: RuleEdit,
}

impl RulesFactory for EditedRules<'_> {
    fn catalogue(&self) -> &Arc<Catalogue> {
        self.factory.catalogue()
    }

    fn rules(&self, settings: Vec<SettingValue>) -> Result<Rules, Failure> {
        let rules = self.factory.rules(settings.clone())?;
        let mut catalogue = Catalogue::clone(rules.catalogue());
        let mut silent = None;
        match self.edit {
            RuleEdit::WithoutFunction(function) => {
                catalogue.handlers.iter_mut().for_each(|list| list.retain(|handler| handler.function != function));
                // Scripts refer to phases by number, so a phase without its function stays in the
                // list and does nothing.
                if catalogue.phases.iter().any(|phase| phase.runs == PhaseAction::Function { function }) {
                    silent = Some(function);
                }
            }
            RuleEdit::WithoutTag(tag) => {
                let tile_set = without_tag(&catalogue.tile_set, tag);
                catalogue.tile_set = tile_set.map_err(|error| Failure::from(error.to_string()))?;
            }
            RuleEdit::Swapped(first, second) => {
                for list in &mut catalogue.handlers {
                    let place = list.iter().position(|handler| handler.owner == first);
                    let Some(place) = place else { continue };
                    let moved: Vec<_> = list.extract_if(place.., |handler| handler.owner == second).collect();
                    list.splice(place..place, moved);
                }
            }
        }
        let rules = rules.with_catalogue(Arc::new(catalogue), settings);
        let Some(silent) = silent else { return Ok(rules) };
        Ok(rules.wrap_calls(
            move |hooks, function, args, call| {
                if function == silent { Ok(Value::Unit) } else { hooks.call(function, args, call) }
            },
        ))
    }
}

fn without_tag(tile_set: &TileSet, tag: TagIdx) -> Result<TileSet, board::TileSetError> {
    let declared = tile_set.tag(tag);
    let n_columns = declared.values.len().max(1) as u8;
    let first = declared.first_column.0;
    let columns = first..first.saturating_add(n_columns);
    let mut tiles = tile_set.tiles.clone();
    for tile in &mut tiles {
        tile.tags.retain(|(other, _)| *other != tag);
        if declared.on != board::TagCarrier::Tile {
            tile.zones.iter_mut().for_each(|zone| zone.tags.retain(|it| !columns.contains(&it.column.0)));
        }
    }
    TileSet::new(tile_set.kinds.clone(), tile_set.tags.clone(), tile_set.layers.clone(), tiles)
}
