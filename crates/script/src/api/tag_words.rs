//! Lists of the words of tags.

use std::sync::Arc;

use rules::Refusal;

use crate::limits::MAX_ARRAY;
use crate::replies::ReplyList;

/// Returns a list of the words of a tag, with repetitions. `words` contains each word and the
/// number of times to repeat it. Returns an error if the list would be too long.
pub(super) fn repeated(words: impl Iterator<Item = (Arc<str>, i64)>) -> Result<ReplyList<Arc<str>>, Refusal> {
    let words: Vec<_> = words.map(|(word, n)| (word, usize::try_from(n).unwrap_or(0))).collect();
    let n = words.iter().fold(0, |sum: usize, (_, n)| sum.saturating_add(*n));
    if n > MAX_ARRAY {
        return Err(format!("there are {n} words of this tag, which is too many for a list").into());
    }
    Ok(words.into_iter().flat_map(|(word, n)| std::iter::repeat_n(word, n)).collect())
}
