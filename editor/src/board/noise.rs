//! Random-looking numbers for the textures of the board. This module computes them without a
//! library, because an upgrade of a library must not change the look of the board.

/// Returns a number from 0 to 1 that looks random and depends only on the cell and on `purpose`.
pub fn noise([column, row]: [i32; 2], purpose: u32) -> f32 {
    let mut n = (column as u32).wrapping_mul(0x9e37_79b1) ^ (row as u32).wrapping_mul(0x85eb_ca6b) ^ purpose << 13;
    n = (n ^ n >> 15).wrapping_mul(0x2c1b_3c6d);
    n = (n ^ n >> 12).wrapping_mul(0x297a_2d39);
    (n ^ n >> 15) as f32 / u32::MAX as f32
}
