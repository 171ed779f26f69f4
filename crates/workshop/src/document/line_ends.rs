//! How the lines of a file end, so that saving it changes none that nobody has touched.

/// The mark at the beginning of a file with which some programs say that it is UTF-8.
const MARK: &str = "\u{feff}";

/// How the lines of a text end in its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct LineEnds {
    /// For each line that ends whether it does so with a carriage return.
    returns: Vec<bool>,
    has_mark: bool,
}

impl LineEnds {
    /// Returns the text of a file with plain line ends, and what those were.
    pub(super) fn of(raw: &str) -> (String, LineEnds) {
        let (has_mark, raw) = raw.strip_prefix(MARK).map_or((false, raw), |rest| (true, rest));
        let returns = raw.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(|line| line.ends_with("\r\n"));
        let returns = returns.collect();
        (raw.replace("\r\n", "\n"), LineEnds { returns, has_mark })
    }

    /// How most lines end, which is how new ones do.
    fn usual(&self) -> bool {
        self.returns.iter().filter(|returns| **returns).count() * 2 > self.returns.len()
    }

    /// Returns how the lines of `text` end if `base` had these ends: lines before and after the change keep theirs.
    pub(super) fn after(&self, base: &str, text: &str) -> LineEnds {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (base.split_inclusive('\n').collect(), text.split_inclusive('\n').collect());
        let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
        let n_before = old.iter().zip(&new).take_while(same).count();
        let n_after = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
        let n_after = n_after.min(old.len().min(new.len()) - n_before);
        let end = |i: usize| match i {
            i if i < n_before => self.returns.get(i),
            i if i + n_after >= new.len() => self.returns.get(i + old.len() - new.len()),
            _ => None,
        };
        let usual = self.usual();
        let n_ends = new.iter().filter(|line| line.ends_with('\n')).count();
        LineEnds { returns: (0..n_ends).map(|i| end(i).copied().unwrap_or(usual)).collect(), has_mark: self.has_mark }
    }

    /// Returns `text` as it is to be written to the file that held `base`.
    pub(super) fn write(&self, base: &str, text: &str) -> String {
        let ends = self.after(base, text);
        let mut raw = String::with_capacity(text.len() + ends.returns.len());
        raw.push_str(if ends.has_mark { MARK } else { "" });
        for (i, line) in text.split_inclusive('\n').enumerate() {
            match (line.strip_suffix('\n'), ends.returns.get(i)) {
                (Some(line), Some(true)) => {
                    raw.push_str(line);
                    raw.push_str("\r\n");
                }
                _ => raw.push_str(line),
            }
        }
        raw
    }
}
