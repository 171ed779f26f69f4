//! Sealed answers, for games by correspondence. A link contains the hash of an answer that the
//! next player may not see yet, in place of the answer.

use record::{SealSecret, answers_in_rounds};
use rules::{Actor, Answer, NotOffered, SEALED, Seal, SeatSet, option_texts};

use crate::session::Session;

impl Session {
    /// Returns whether something is hidden that seals cannot keep secret: a tile or card, a secret
    /// question, or an answer outside the open round.
    pub fn hides_more_than_a_round(&self) -> bool {
        let state = self.game().state();
        let round = state.decision().and_then(|decision| decision.round);
        let first = round.map_or(usize::MAX, |round| round.first as usize);
        let line = self.whole_line.iter().take(self.position_index().min(first));
        state.hides_items_from(SeatSet::ALL)
            || (round.is_none() && !state.shows_decision(SeatSet::ALL))
            || line.into_iter().any(|step| step.seen_by != SeatSet::ALL)
    }

    /// Returns whether the open decision belongs to a round of hidden answers.
    pub fn asks_in_round(&self) -> bool {
        self.game().state().decision().is_some_and(|decision| decision.round.is_some())
    }

    /// Seals the answers that the players in `own` have given in the open round. If other players
    /// must still answer, replaces these answers by [`Answer::Sealed`]. Otherwise keeps them and
    /// only adds the seals, so that the players notice later changes of earlier answers. Does
    /// nothing if no round is open. The position must be the end of the timeline.
    ///
    /// # Errors
    /// Returns an error if the rules no longer accept an answer of the round.
    pub fn seal_answers(&mut self, own: SeatSet, secret: SealSecret) -> Result<(), NotOffered> {
        let Some(open) = self.game().state().decision().and_then(|decision| decision.round) else { return Ok(()) };
        let texts = self.texts();
        let in_round = answers_in_rounds(self.game()).into_iter();
        let is_to_seal = |n: usize| texts.get(n).is_some_and(|text| text != SEALED);
        let to_seal = in_round.filter(|(n, seat, round)| {
            round.first == open.first && round.opens.is_none() && own.contains(*seat) && is_to_seal(*n)
        });
        let to_seal: Vec<usize> = to_seal.map(|(n, ..)| n).collect();
        if open.opens.is_none() {
            return self.replace_by_sealed(&to_seal, &texts, secret);
        }
        for n in to_seal {
            if let Some(text) = texts.get(n) {
                self.add_seal(secret.seal(self.setup(), &texts, n, text, Some(n)));
            }
        }
        Ok(())
    }

    /// Undoes the game to the first answer in `to_seal`, which contains indices of answers. Then
    /// gives all later answers again, with a sealed answer for each index in `to_seal`.
    fn replace_by_sealed(&mut self, to_seal: &[usize], texts: &[String], secret: SealSecret) -> Result<(), NotOffered> {
        let Some(first) = to_seal.first() else { return Ok(()) };
        self.go_to(*first);
        for (n, text) in texts.iter().enumerate().skip(*first) {
            let is_own = to_seal.contains(&n);
            let seal = is_own.then(|| secret.seal(self.setup(), &self.texts(), n, text, None));
            let answer = if is_own { Some(Answer::Sealed) } else { self.game().answer_with_text(text) };
            self.answer(answer.ok_or_else(|| self.game().not_offered(text))?)?;
            seal.into_iter().for_each(|seal| self.add_seal(seal));
        }
        Ok(())
    }

    /// Opens the sealed answers of the players in `own` whose turn it is to open them. Returns
    /// whether it could open all of these.
    pub fn open_seals(&mut self, own: SeatSet, secret: SealSecret) -> bool {
        loop {
            let state = self.game().state();
            let Some(decision) = state.decision() else { return true };
            let (Actor::Player(seat), Some(sealed)) = (decision.who, decision.round.and_then(|round| round.opens))
            else {
                return true;
            };
            if !own.contains(seat) {
                return true;
            }
            let (sealed, by, texts) = (sealed as usize, self.position_index(), self.texts());
            let options = option_texts(&self.game().rules().ruleset, state);
            let hash = self.setup().seals.iter().find(|seal| seal.answer == sealed).map(|seal| seal.hash.clone());
            let seal_of = |text: &str| secret.seal(self.setup(), &texts, sealed, text, Some(by));
            let found =
                options.iter().map(|text| (text, seal_of(text))).find(|(_, seal)| Some(&seal.hash) == hash.as_ref());
            let Some((text, seal)) = found else { return false };
            if self.answer_text(text).is_err() {
                return false;
            }
            self.add_seal(seal);
        }
    }

    /// Returns the numbers of the open sealed answers of the players in `own`, counted from 0, that
    /// this computer did not seal, or after which an earlier answer was changed.
    pub fn doubtful_seals(&self, own: SeatSet, secret: SealSecret) -> Vec<usize> {
        let texts = self.texts();
        let is_own = |n: usize| {
            self.whole_line.get(n).is_some_and(|step| matches!(step.who, Actor::Player(seat) if own.contains(seat)))
        };
        let is_doubtful = |seal: &&Seal| {
            let opened = seal.opened.as_ref().and_then(|opened| texts.get(opened.answer));
            is_own(seal.answer)
                && opened
                    .is_some_and(|text| secret.seal(self.setup(), &texts, seal.answer, text, None).hash != seal.hash)
        };
        self.setup().seals.iter().filter(is_doubtful).map(|seal| seal.answer).collect()
    }

    /// Returns the texts of all answers of the timeline, hidden or not.
    fn texts(&self) -> Vec<String> {
        self.whole_line.iter().map(|step| step.text.clone()).collect()
    }

    /// Adds a seal, or replaces the seal of the same answer.
    fn add_seal(&mut self, seal: Seal) {
        let mut seals = self.setup().seals.clone();
        seals.retain(|other| other.answer != seal.answer);
        seals.push(seal);
        seals.sort_by_key(|seal| seal.answer);
        self.change_seals(seals);
    }
}
