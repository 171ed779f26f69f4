//! The progress of long work, which runs in slices.

use platform::task;

/// The progress of work that pauses between slices, so that other work can run and the user can
/// stop it.
pub struct Progress<'r> {
    goes_on: &'r dyn Fn() -> bool,
    report: &'r mut dyn FnMut(u8),
    percent: u8,
}

/// The error of work that stopped because its result is no longer wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl<'r> Progress<'r> {
    /// Makes the progress of work that begins. `goes_on` returns whether the result is still
    /// wanted, and `report` receives each new progress in percent.
    pub fn new(goes_on: &'r dyn Fn() -> bool, report: &'r mut dyn FnMut(u8)) -> Progress<'r> {
        Progress { goes_on, report, percent: 0 }
    }

    /// Ends slice `i` of `n`, counted from 0, and lets other work run. All of these slices together
    /// lead from `from` to `to` percent.
    ///
    /// # Errors
    /// Returns an error if the result is no longer wanted.
    pub async fn pause(&mut self, [from, to]: [u8; 2], i: usize, n: usize) -> Result<(), Stopped> {
        let part = usize::from(to.saturating_sub(from)) * (i + 1) / n.max(1);
        let percent = from.saturating_add(part.min(100) as u8).min(100);
        if percent > self.percent {
            self.percent = percent;
            (self.report)(percent);
        }
        task::yield_now().await;
        if (self.goes_on)() { Ok(()) } else { Err(Stopped) }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn progress_grows_until_it_is_stopped() {
        let seen = RefCell::new(Vec::new());
        let goes_on = || !seen.borrow().contains(&80);
        let mut report = |percent| seen.borrow_mut().push(percent);
        let mut progress = Progress::new(&goes_on, &mut report);
        let work = async {
            for i in 0..3 {
                progress.pause([0, 60], i, 3).await?;
            }
            progress.pause([60, 60], 0, 0).await?;
            progress.pause([60, 100], 0, 2).await?;
            progress.pause([60, 100], 1, 2).await
        };
        assert_eq!(task::block_on(work), Err(Stopped));
        assert_eq!(*seen.borrow(), [20, 40, 60, 80]);
    }
}
