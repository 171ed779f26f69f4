//! Sorting what must come before what, with ties decided by a key.

use std::collections::BTreeSet;

/// Puts `n` things in an order in which `first` comes before `second` for each pair `(first, second)`; where several could be next,
/// the one with the smallest key is. Fails with a circle of things that wait for each other, each before the next.
pub(crate) fn sort<K: Ord>(
    n: usize,
    pairs: &[(usize, usize)],
    key: impl Fn(usize) -> K,
) -> Result<Vec<usize>, Vec<usize>> {
    let waits_for = |thing: usize, placed: &[bool]| {
        pairs.iter().find(|(first, second)| *second == thing && !placed[*first]).map(|(first, _)| *first)
    };
    let mut placed = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut left: BTreeSet<(K, usize)> = (0..n).map(|i| (key(i), i)).collect();
    while let Some((_, start)) = left.first() {
        let Some(next) = left.iter().find(|(_, i)| waits_for(*i, &placed).is_none()).map(|(_, i)| *i) else {
            // Everything left waits: walking back along the waits must come round.
            let mut path = vec![*start];
            loop {
                let last = path[path.len() - 1];
                let before = waits_for(last, &placed).unwrap_or(last);
                if let Some(at) = path.iter().position(|i| *i == before) {
                    path.drain(..at);
                    path.reverse();
                    return Err(path);
                }
                path.push(before);
            }
        };
        left.retain(|(_, i)| *i != next);
        placed[next] = true;
        order.push(next);
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &str, pairs: &str, expected: &str) {
        let at = |name: char| names.find(name).expect("a name");
        let pairs: Vec<_> =
            pairs.split_whitespace().map(|p| (at(p.as_bytes()[0] as char), at(p.as_bytes()[1] as char))).collect();
        let name = |order: Vec<usize>| order.iter().map(|i| names.as_bytes()[*i] as char).collect::<String>();
        let sorted = match sort(names.len(), &pairs, |i| names.as_bytes()[i]) {
            Ok(order) => name(order),
            Err(circle) => format!("circle {}", name(circle)),
        };
        assert_eq!(sorted, expected);
    }

    #[test]
    fn first_things_first_then_by_key() {
        check("dcba", "", "abcd");
        check("dcba", "da", "bcda");
        check("abc", "cb ba", "cba");
        check("abc", "ab bc cb", "circle cb");
        check("a", "aa", "circle a");
    }
}
