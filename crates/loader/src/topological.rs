//! Topological sorting. If several things can come next, the smallest key decides.
#![expect(clippy::indexing_slicing, reason = "all indices in pairs are below `n`")]

use std::collections::BTreeSet;

/// Sorts `n` things so that `first` comes before `second` for each pair `(first, second)`. Among
/// several candidates, the thing with the smallest key comes next.
///
/// # Errors
/// Returns a cycle of things, each of which must come before the next.
pub(crate) fn sort<K: Ord>(
    n: usize,
    pairs: &[(usize, usize)],
    key: impl Fn(usize) -> K,
) -> Result<Vec<usize>, Vec<usize>> {
    let mut before = vec![Vec::new(); n];
    let mut after = vec![Vec::new(); n];
    for (first, second) in pairs {
        before[*second].push(*first);
        after[*first].push(*second);
    }
    let mut n_waits: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut ready: BTreeSet<(K, usize)> = (0..n).filter(|i| n_waits[*i] == 0).map(|i| (key(i), i)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((_, next)) = ready.pop_first() {
        order.push(next);
        for second in &after[next] {
            n_waits[*second] -= 1;
            if n_waits[*second] == 0 {
                ready.insert((key(*second), *second));
            }
        }
    }
    let left = (0..n).filter(|i| n_waits[*i] > 0);
    let Some(start) = left.min_by_key(|i| key(*i)) else { return Ok(order) };
    // Every remaining thing waits for another remaining thing, so following these links must find a
    // cycle.
    let waits_for = |thing: usize| before[thing].iter().copied().find(|first| n_waits[*first] > 0);
    let mut path = vec![start];
    let mut last = start;
    loop {
        last = waits_for(last).unwrap_or(last);
        if let Some(at) = path.iter().position(|i| *i == last) {
            path.drain(..at);
            path.reverse();
            return Err(path);
        }
        path.push(last);
    }
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
    fn long_chains_take_no_time() {
        let n = 20_000;
        let chain: Vec<(usize, usize)> = (1..n).map(|i| (i, i - 1)).chain((1..n).map(|i| (n - 1, i - 1))).collect();
        assert_eq!(sort(n, &chain, |i| i), Ok((0..n).rev().collect()));
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
