//! Derived ground: the land left over on a tile, split by the features drawn on it.

use crate::geometry::{Edge, Port, PortSet};
use crate::tile_set::EdgeStyle;

/// A zone other than ground, as input for [`derive_ground`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NonGroundZone {
    /// The way in which the zone's kind meets an edge.
    pub edge: EdgeStyle,
    /// The middle ports that the zone holds.
    pub ports: PortSet,
}

/// One connected area of derived ground.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivedGround {
    /// The halves of edges on which the ground lies.
    pub ports: PortSet,
    /// The full zones that the ground borders, as sorted positions in the list given to
    /// [`derive_ground`].
    pub touches: Vec<usize>,
}

/// A reason why the ground cannot be derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroundError {
    /// Two zones hold the same port.
    Overlap(Port),
}

/// Derives the areas of ground into which the other zones divide a tile.
///
/// Three things divide the ground as walls: a line through the tile, a full zone on several edges,
/// and arms that meet in the middle. An arm is a line that reaches only one edge. Two or more arms
/// always meet. A single arm forms a wall together with a full zone on several edges, unless the
/// tile has an inside zone (a building).
///
/// Halves of edges with no wall between them form one area of ground. An area borders a full zone
/// if one of its halves lies beside that zone on the rim. Two cases cannot be derived, so the tile
/// must declare them: ground that reaches no edge, such as a courtyard, and ground that is divided
/// in any other way.
///
/// # Errors
/// Returns an error if two zones hold the same port.
pub fn derive_ground(zones: &[NonGroundZone]) -> Result<Vec<DerivedGround>, GroundError> {
    let mut held = PortSet::EMPTY;
    for zone in zones {
        if let Some(port) = zone.ports.iter().find(|p| held.contains(*p)) {
            return Err(GroundError::Overlap(port));
        }
        held |= zone.ports;
    }
    let walls = walls(zones);
    let full_edge =
        |edge: Edge| zones.iter().position(|z| z.edge == EdgeStyle::Full && z.ports.contains(edge.ports()[1]));
    let halves: Vec<Port> = Port::all().filter(|p| !p.is_middle() && full_edge(p.edge()).is_none()).collect();
    let mut grounds: Vec<DerivedGround> = Vec::new();
    for half in halves {
        let same = grounds.iter_mut().find(|g| {
            let other = g.ports.first().unwrap_or(half);
            walls.iter().all(|wall| rim_section(*wall, other) == rim_section(*wall, half))
        });
        let ground = match same {
            Some(ground) => ground,
            None => {
                grounds.push(DerivedGround { ports: PortSet::EMPTY, touches: Vec::new() });
                grounds.last_mut().expect("just pushed")
            }
        };
        ground.ports.insert(half);
        if let Some(full) = full_edge(half.adjacent_edge()).filter(|full| !ground.touches.contains(full)) {
            ground.touches.push(full);
        }
    }
    grounds.iter_mut().for_each(|g| g.touches.sort_unstable());
    Ok(grounds)
}

/// Lists the sets of ports that divide the ground.
fn walls(zones: &[NonGroundZone]) -> Vec<PortSet> {
    let spanning = |z: &&NonGroundZone| z.edge == EdgeStyle::Full && z.ports.len() > 1;
    let through = |z: &&NonGroundZone| z.edge == EdgeStyle::Line && z.ports.len() > 1;
    let mut walls: Vec<PortSet> = zones.iter().filter(|z| spanning(z) || through(z)).map(|z| z.ports).collect();
    let arms: Vec<PortSet> =
        zones.iter().filter(|z| z.edge == EdgeStyle::Line && z.ports.len() == 1).map(|z| z.ports).collect();
    let star = arms.iter().fold(PortSet::EMPTY, |a, b| a | *b);
    if arms.len() > 1 {
        walls.push(star);
    } else if arms.len() == 1
        && !zones.iter().any(|z| z.edge == EdgeStyle::Inside)
        && let Some(full) = zones.iter().find(spanning)
    {
        walls.push(star | full.ports);
    }
    walls
}

/// Returns the section of the rim that holds `port`. The ports of `wall` divide the rim into
/// sections, numbered from 0.
fn rim_section(wall: PortSet, port: Port) -> usize {
    let n = wall.len().max(1);
    wall.iter().filter(|p| p.index() < port.index()).count() % n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zones(drawn: &[(EdgeStyle, &str)]) -> Vec<NonGroundZone> {
        let ports = |edges: &str| edges.chars().filter_map(|c| Port::from_name(&c.to_string())).collect();
        drawn.iter().map(|(edge, edges)| NonGroundZone { edge: *edge, ports: ports(edges) }).collect()
    }

    fn check(drawn: &[(EdgeStyle, &str)], expected: &str) {
        let grounds = derive_ground(&zones(drawn)).expect("drawn without overlap");
        let texts: Vec<String> = grounds
            .iter()
            .map(|g| {
                let ports: Vec<_> = g.ports.iter().map(Port::name).collect();
                format!("{} {:?}", ports.join(" "), g.touches)
            })
            .collect();
        assert_eq!(texts.join(" | "), expected);
    }

    #[test]
    fn nothing_drawn_is_one_piece() {
        check(&[(EdgeStyle::Inside, "")], "n1 n2 e1 e2 s1 s2 w1 w2 []");
    }

    #[test]
    fn an_arm_to_a_building_is_no_wall_but_an_arm_to_a_gate_is() {
        use EdgeStyle::{Full, Inside, Line};
        check(&[(Line, "s"), (Inside, "")], "n1 n2 e1 e2 s1 s2 w1 w2 []");
        check(&[(Full, "new"), (Line, "s")], "s1 [0] | s2 [0]");
        check(&[(Full, "n"), (Line, "s")], "e1 e2 s1 s2 w1 w2 [0]");
    }

    #[test]
    fn bridges_part_four_ways() {
        use EdgeStyle::Line;
        check(&[(Line, "ns"), (Line, "ew")], "n1 w2 [] | n2 e1 [] | e2 s1 [] | s2 w1 []");
    }

    #[test]
    fn a_road_beside_a_wall_parts_once() {
        use EdgeStyle::{Full, Line};
        check(&[(Full, "nw"), (Line, "es")], "e1 s2 [0] | e2 s1 []");
        check(&[(Full, "n"), (Line, "e"), (Line, "s"), (Line, "w")], "e1 w2 [0] | e2 s1 [] | s2 w1 []");
    }
}
