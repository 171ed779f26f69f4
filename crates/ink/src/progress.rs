//! The progress of long work.

/// The progress of work that takes several steps. The user can stop the work after each step. The
/// default value reports to no caller and never stops the work.
#[derive(Default)]
pub struct Progress<'r> {
    observer: Option<Observer<'r>>,
    percent: u8,
}

struct Observer<'r> {
    goes_on: &'r dyn Fn() -> bool,
    report: &'r mut dyn FnMut(u8),
}

/// The error of work that stopped because its result is no longer wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the work was stopped")]
pub struct Stopped;

impl<'r> Progress<'r> {
    /// Makes the progress of work that begins. `goes_on` returns whether the result is still
    /// wanted, and `report` receives each new progress in percent.
    pub fn new(goes_on: &'r dyn Fn() -> bool, report: &'r mut dyn FnMut(u8)) -> Progress<'r> {
        Progress { observer: Some(Observer { goes_on, report }), percent: 0 }
    }

    /// Ends step `i` of `n`, counted from 0. All of these steps together lead from `from` to `to`
    /// percent.
    ///
    /// # Errors
    /// Returns an error if the result is no longer wanted.
    pub fn end_step(&mut self, [from, to]: [u8; 2], i: usize, n: usize) -> Result<(), Stopped> {
        let part = usize::from(to.saturating_sub(from)) * (i + 1) / n.max(1);
        self.advance_to(from.saturating_add(part.min(100) as u8))
    }

    /// Reports the progress in percent, if it has grown.
    ///
    /// # Errors
    /// Returns an error if the result is no longer wanted.
    pub fn advance_to(&mut self, percent: u8) -> Result<(), Stopped> {
        let Some(Observer { goes_on, report }) = &mut self.observer else { return Ok(()) };
        let percent = percent.min(100);
        if percent > self.percent {
            self.percent = percent;
            report(percent);
        }
        if goes_on() { Ok(()) } else { Err(Stopped) }
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
        let mut work = || {
            for i in 0..3 {
                progress.end_step([0, 60], i, 3)?;
            }
            progress.advance_to(10)?;
            progress.end_step([60, 60], 0, 0)?;
            progress.end_step([60, 100], 0, 2)?;
            progress.end_step([60, 100], 1, 2)
        };
        assert_eq!(work(), Err(Stopped));
        assert_eq!(*seen.borrow(), [20, 40, 60, 80]);
    }
}
