//! The spaces of a score track, arranged along the rim of a rectangle.

/// Returns the cells of the `n` spaces, each with its column and row, then the numbers of columns
/// and rows of the rectangle.
///
/// The spaces begin at the lower left corner and run clockwise, first upwards. If `n` is odd, one
/// cell of the rim stays empty. If `n` is less than 8, the spaces form a single row.
pub fn track_cells(n: usize) -> (Vec<(usize, usize)>, usize, usize) {
    if n < 8 {
        return ((0..n).map(|i| (i, 0)).collect(), n.max(1), 1);
    }
    let half = n.div_ceil(2) + 2;
    let rows = ((half as f32 * 0.36).round() as usize).clamp(2, half - 2);
    let columns = half - rows;
    let up = (0..rows).rev().map(|y| (0, y));
    let right = (1..columns).map(|x| (x, 0));
    let down = (1..rows).map(|y| (columns - 1, y));
    let back = (1..columns - 1).rev().map(|x| (x, rows - 1));
    (up.chain(right).chain(down).chain(back).take(n).collect(), columns, rows)
}

/// Returns the space of a score on a track of `length` spaces, counted from 0, and the number of
/// completed laps.
pub fn space_of(score: i64, length: u32) -> (usize, i64) {
    let length = i64::from(length.max(1));
    (score.rem_euclid(length) as usize, score.div_euclid(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_go_round_without_a_gap() {
        for n in [8, 20, 49, 50, 72, 100] {
            let (cells, columns, rows) = track_cells(n);
            assert_eq!(cells.len(), n);
            for (i, (x, y)) in cells.iter().enumerate() {
                assert!(*x < columns && *y < rows);
                assert!(*x == 0 || *y == 0 || *x == columns - 1 || *y == rows - 1);
                assert!(!cells[..i].contains(&(*x, *y)));
                if i > 0 {
                    assert_eq!(cells[i - 1].0.abs_diff(*x) + cells[i - 1].1.abs_diff(*y), 1);
                }
            }
        }
        assert_eq!(track_cells(3).0, [(0, 0), (1, 0), (2, 0)]);
        assert!(track_cells(0).0.is_empty());
    }

    #[test]
    fn scores_go_round() {
        assert_eq!(space_of(0, 50), (0, 0));
        assert_eq!(space_of(53, 50), (3, 1));
        assert_eq!(space_of(-2, 50), (48, -1));
        assert_eq!(space_of(7, 0), (0, 7));
    }
}
