//! A saved game of Tabletop Simulator.
//!
//! The format follows the page "Save File Format" of the program's knowledge base. That page lacks
//! the keys of newer versions: `CustomTile`, `Bag`, `NumWidth`, `NumHeight`, `BackIsHidden`,
//! `UniqueBack` and `AttachedSnapPoints`.
#![expect(clippy::indexing_slicing, reason = "every value is a JSON object, in which indexing inserts a key")]

use std::collections::BTreeMap;

use art::Picture;
use book::short_name;
use serde_json::{Value, json};

use crate::content::{self, DISC_WIDTH};
use crate::copies::{Copies, ItemKind, pixels_of};
use crate::source::PrintSource;
use ink::Paper;

/// The width of a custom tile of scale 1, in units of the program.
const TILE_WIDTH: f64 = 2.0;
/// The height above the table at which objects appear, so that they fall onto it.
const DROP_HEIGHT: f64 = 1.5;
/// The value of `Order` for a bag from which objects are drawn at random.
const RANDOM_ORDER: u32 = 2;

/// The score track.
pub(crate) struct ScoreTrack {
    pub picture: Picture,
    /// The centres of the spaces: `x` from -1 to 1 across the width of the track, and `y` in the
    /// same unit.
    spaces: Vec<[f64; 2]>,
    /// The width of the track relative to a tile.
    scale: f64,
    /// The width of the track in millimetres.
    width: f64,
}

impl ScoreTrack {
    /// Returns the score track of the mods for tiles `tile` millimetres wide.
    pub fn new(source: &PrintSource<'_>, tile: f64) -> ScoreTrack {
        let paper = Paper::A4;
        let [width, height] = paper.size();
        let (spaces, _) = content::track_spaces(&source.catalogue, paper);
        let place = |at: art::kurbo::Point| [2.0 * at.x / width - 1.0, (2.0 * at.y - height) / width];
        ScoreTrack {
            picture: content::track(source, paper),
            spaces: spaces.into_iter().map(place).collect(),
            scale: width / tile,
            width,
        }
    }

    /// Returns the width of the track's image in pixels. Uses at most 150 pixels per inch, because
    /// the track has large letters and no small details.
    pub fn width_in_pixels(&self, dpi: f64) -> u32 {
        pixels_of(self.width, dpi.min(150.0))
    }
}

/// Makes the objects of a save, each with a unique identifier.
struct ObjectBuilder<'a> {
    images_at: &'a str,
    n: u32,
}

impl ObjectBuilder<'_> {
    fn object(&mut self, kind: &str, nickname: &str, [x, z]: [f64; 2], scale: f64, is_face_down: bool) -> Value {
        self.n += 1;
        json!({
            "GUID": format!("{:06x}", 0x00ba_0000 + self.n),
            "Name": kind,
            "Transform": {
                "posX": x, "posY": DROP_HEIGHT, "posZ": z,
                "rotX": 0.0, "rotY": 180.0, "rotZ": if is_face_down { 180.0 } else { 0.0 },
                "scaleX": scale, "scaleY": 1.0, "scaleZ": scale,
            },
            "Nickname": nickname,
            "Description": "",
            "ColorDiffuse": { "r": 1.0, "g": 1.0, "b": 1.0 },
            "Locked": false,
            "Grid": true,
            "Snap": true,
        })
    }

    fn address(&self, file: &str) -> String {
        format!("{}/{file}", self.images_at)
    }

    /// Makes a tile or disc that shows the two images of `copies`.
    fn tile(&mut self, copies: &Copies, at: [f64; 2], scale: f64, is_face_down: bool) -> Value {
        let mut object = self.object("Custom_Tile", short_name(&copies.item.name), at, scale, is_face_down);
        object["Description"] = json!(copies.item.group);
        object["CustomImage"] = json!({
            "ImageURL": self.address(&copies.face_file),
            "ImageSecondaryURL": self.address(&copies.back_file),
            "WidthScale": 0.0,
            "CustomTile": {
                "Type": if copies.kind == ItemKind::Disc { 2 } else { 0 },
                "Thickness": 0.2, "Stackable": true, "Stretch": true,
            },
        });
        object
    }

    /// Makes a bag from which players draw objects at random.
    fn bag(&mut self, name: &str, at: [f64; 2], objects: Vec<Value>) -> Value {
        let mut bag = self.object("Bag", name, at, 1.0, false);
        bag["Description"] = json!(format!("{} in the bag", objects.len()));
        bag["MaterialIndex"] = json!(-1);
        bag["MeshIndex"] = json!(-1);
        bag["Bag"] = json!({ "Order": RANDOM_ORDER });
        bag["ContainedObjects"] = json!(objects);
        bag
    }

    /// Makes a deck of cards. Makes a single card if the deck would have only one.
    fn deck(&mut self, name: &str, at: [f64; 2], cards: &[&Copies]) -> Value {
        let (mut ids, mut sheets, mut objects) = (Vec::new(), serde_json::Map::new(), Vec::new());
        for (i, copies) in cards.iter().enumerate() {
            let sheet = json!({
                "FaceURL": self.address(&copies.face_file), "BackURL": self.address(&copies.back_file),
                "NumWidth": 1, "NumHeight": 1, "BackIsHidden": true, "UniqueBack": false,
            });
            // The id of a card is 100 times the number of its sheet, plus its index on the sheet,
            // which is 0.
            let (key, id) = ((i + 1).to_string(), (i + 1) * 100);
            sheets.insert(key.clone(), sheet.clone());
            for _ in 0..copies.n {
                let mut card = self.object("Card", short_name(&copies.item.name), at, 1.0, true);
                card["CardID"] = json!(id);
                card["CustomDeck"] = json!({ key.as_str(): sheet.clone() });
                ids.push(id);
                objects.push(card);
            }
        }
        if objects.len() == 1 {
            return objects.remove(0);
        }
        let mut deck = self.object("DeckCustom", name, at, 1.0, true);
        deck["DeckIDs"] = json!(ids);
        deck["CustomDeck"] = Value::Object(sheets);
        deck["ContainedObjects"] = json!(objects);
        deck
    }
}

/// Returns a save with the items: the start tile in the middle, a bag for each deck of tiles, a
/// deck for each deck of cards, a bag for the discs of each player, and the score track.
pub(crate) fn save_json(all: &[Copies], track: Option<&ScoreTrack>, name: &str, images_at: &str, tile: f64) -> String {
    let mut make = ObjectBuilder { images_at, n: 0 };
    let mut objects = Vec::new();
    let mut groups: BTreeMap<(u8, &str), Vec<&Copies>> = BTreeMap::new();
    for copies in all {
        if copies.item.group == "start" && copies.kind == ItemKind::Tile {
            objects.push(make.tile(copies, [0.0, 0.0], 1.0, false));
        } else {
            groups.entry((copies.kind as u8, copies.item.group.as_str())).or_default().push(copies);
        }
    }
    for (i, ((_, group), members)) in groups.iter().enumerate() {
        // The bags and decks stand in rows in front of the first player.
        let at = [-9.0 + 3.0 * (i % 7) as f64, -10.0 - 3.0 * (i / 7) as f64];
        let kind = members.first().map_or(ItemKind::Tile, |copies| copies.kind);
        if kind == ItemKind::Card {
            objects.push(make.deck(group, at, members));
            continue;
        }
        let scale = if kind == ItemKind::Disc { DISC_WIDTH / tile } else { 1.0 };
        let mut inside = Vec::new();
        for copies in members {
            inside.extend((0..copies.n).map(|_| make.tile(copies, at, scale, kind == ItemKind::Tile)));
        }
        objects.push(make.bag(group, at, inside));
    }
    if let Some(track) = track {
        let mut board = make.object("Custom_Tile", "score track", [16.0, 0.0], track.scale, false);
        board["Locked"] = json!(true);
        board["CustomImage"] = json!({
            "ImageURL": make.address("track.png"),
            "ImageSecondaryURL": make.address("track.png"),
            "WidthScale": 0.0,
            "CustomTile": { "Type": 0, "Thickness": 0.1, "Stackable": false, "Stretch": false },
        });
        let point = |[x, z]: &[f64; 2]| json!({ "Position": { "x": x, "y": 0.1, "z": z } });
        board["AttachedSnapPoints"] = track.spaces.iter().map(point).collect();
        objects.push(board);
    }
    let save = json!({
        "SaveName": name,
        "GameMode": name,
        "Date": "",
        "Table": "Table_Square",
        "Sky": "Sky_Museum",
        "Note": "Made with Bastide. Draw tiles from a bag; the grid aligns them.",
        "Rules": "",
        "PlayerTurn": "",
        "Grid": {
            "Type": 0, "Lines": false, "Snapping": true, "Offset": false, "xSize": TILE_WIDTH, "ySize": TILE_WIDTH,
        },
        "ObjectStates": objects,
    });
    format!("{save:#}\n")
}
