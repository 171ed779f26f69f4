//! The line ends of a file, so that saving preserves them.

/// The byte order mark, which some programs write at the start of UTF-8 files.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The line ends that a text has in its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct LineEnds {
    /// For each line with a line end, true if the line end is CR LF, and false if it is LF.
    returns: Vec<bool>,
    has_mark: bool,
}

impl LineEnds {
    /// Splits the text of a file into a text in which all lines end with LF, and the original line
    /// ends.
    pub(super) fn split(raw: &str) -> (String, LineEnds) {
        let (has_mark, raw) = raw.strip_prefix(BYTE_ORDER_MARK).map_or((false, raw), |rest| (true, rest));
        let returns = raw.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(|line| line.ends_with("\r\n"));
        let returns = returns.collect();
        (raw.replace("\r\n", "\n"), LineEnds { returns, has_mark })
    }

    /// Returns the line ends of `text`, which was edited from `base`. Lines before the first edited
    /// line and after the last edited line keep their line ends. All other lines get the most
    /// frequent line end of `self`.
    pub(super) fn after_edit(&self, base: &str, text: &str) -> LineEnds {
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
        let usual = self.returns.iter().filter(|returns| **returns).count() * 2 > self.returns.len();
        let n_ends = new.iter().filter(|line| line.ends_with('\n')).count();
        LineEnds { returns: (0..n_ends).map(|i| end(i).copied().unwrap_or(usual)).collect(), has_mark: self.has_mark }
    }

    /// Returns the file content for `text`, which was edited from `base`. The lines have the line
    /// ends of [`after_edit`](LineEnds::after_edit). The content begins with a byte order mark if
    /// the file had one.
    pub(super) fn join(&self, base: &str, text: &str) -> String {
        let ends = self.after_edit(base, text);
        let mut raw = String::with_capacity(text.len() + ends.returns.len());
        raw.push_str(if ends.has_mark { BYTE_ORDER_MARK } else { "" });
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
