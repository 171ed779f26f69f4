//! Seals: hashes that prove, in a game by correspondence, that a player has not changed a secret
//! answer after reading the answers of the others.

use rules::{Actor, Answer, Game, OpenedSeal, Round, SEALED, Seal, Seat, Setup};
use sha2::{Digest as _, Sha256};

use crate::hex;

/// A secret of a player's computer, from which the salts of this player's seals follow. So the
/// player's program can open its seals without storing the answers, and it notices if someone
/// changes an answer that was given before a seal.
#[derive(Clone, Copy)]
pub struct SealSecret(pub [u8; 32]);

impl SealSecret {
    /// Reads a secret from 64 hexadecimal digits; `None` if `text` has another form.
    pub fn from_text(text: &str) -> Option<SealSecret> {
        hex::bytes(text).map(SealSecret)
    }

    /// Returns the secret as 64 hexadecimal digits.
    pub fn text(self) -> String {
        hex::text(&self.0)
    }

    /// Returns the seal with which this computer seals `text` as answer number `n`, counted from 0.
    /// `log` contains the texts of at least the answers before it. `opened_by` is the number of the
    /// answer that contains the text, if the seal is already open.
    pub fn seal(self, setup: &Setup, log: &[String], n: usize, text: &str, opened_by: Option<usize>) -> Seal {
        let salt = self.salt(setup, log.get(..n).unwrap_or(log), text);
        Seal {
            answer: n,
            hash: hash_of_sealed(text, &salt),
            opened: opened_by.map(|answer| OpenedSeal { answer, salt }),
        }
    }

    /// Returns the salt for `answer` after the answers in `log`. The salt depends on the seed, on
    /// all answers in `log` and on the hashes of the sealed ones.
    fn salt(self, setup: &Setup, log: &[String], answer: &str) -> String {
        // A game without a seed has no draws to protect, so any constant serves.
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        hasher.update(format!("{answer}\nseed {}\n", setup.seed.unwrap_or_default()));
        for (n, text) in log.iter().enumerate() {
            let seal = setup.seals.iter().find(|seal| seal.answer == n && *text == SEALED);
            hasher.update(format!("{text} {}\n", seal.map_or("", |seal| &seal.hash)));
        }
        let digest = hasher.finalize();
        digest.iter().take(SALT_BYTES).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The number of bytes of a salt.
const SALT_BYTES: usize = 16;

/// Returns the hash in the seal of an answer: the SHA-256 hash of `<answer> <salt>`, as hexadecimal
/// digits.
fn hash_of_sealed(answer: &str, salt: &str) -> String {
    hex::text(&Sha256::digest(format!("{answer} {salt}")))
}

/// Returns each answer of the log that belongs to a round: its number, counted from 0, its player
/// and its place in the round.
pub fn answers_in_rounds(game: &Game) -> Vec<(usize, Seat, Round)> {
    let mut again = Game::from_position(game.rules().clone(), game.setup().clone(), game.start().clone());
    let mut found = Vec::new();
    for (n, answer) in game.log().iter().enumerate() {
        let decision = again.state().decision();
        if let Some((Actor::Player(seat), Some(round))) = decision.map(|decision| (decision.who, decision.round)) {
            found.push((n, seat, round));
        }
        again.repeat(*answer);
    }
    found
}

/// Returns each player who has sealed an answer without a hash, or has opened another answer than
/// the sealed one, with the number of the answer, counted from 0.
pub(crate) fn broken_seals(game: &Game) -> Vec<(usize, Seat)> {
    let seals = &game.setup().seals;
    if seals.is_empty() && !game.log().contains(&Answer::Sealed) {
        return Vec::new();
    }
    let texts = game.log_texts();
    let seal_of = |n: usize| seals.iter().find(|seal| seal.answer == n);
    let is_opened_by = |n: usize, seal: &Seal| {
        verify_seal(seal, &texts) && seal.opened.as_ref().is_some_and(|opened| opened.answer == n)
    };
    let is_right = |n: usize, round: Round| match (round.opens, texts.get(n).map(String::as_str)) {
        (Some(sealed), _) => seal_of(sealed as usize).is_some_and(|seal| is_opened_by(n, seal)),
        (None, Some(SEALED)) => seal_of(n).is_some(),
        (None, _) => seal_of(n).is_none_or(|seal| is_opened_by(n, seal)),
    };
    let in_rounds = answers_in_rounds(game).into_iter();
    in_rounds.filter(|(n, _, round)| !is_right(*n, *round)).map(|(n, seat, _)| (n, seat)).collect()
}

/// Returns whether the opening of a seal contains the sealed text. `log` contains the texts of all
/// answers. Returns false if the seal is not open.
fn verify_seal(seal: &Seal, log: &[String]) -> bool {
    let text = |opened: &OpenedSeal| Some(hash_of_sealed(log.get(opened.answer)?, &opened.salt));
    seal.opened.as_ref().and_then(text).is_some_and(|hash| hash == seal.hash)
}

/// Returns the text of a seal in the header of a record. Numbers of answers count from 1.
pub(crate) fn seal_text(seal: &Seal) -> String {
    let opened = |opened: &OpenedSeal| format!(" {} {}", opened.answer + 1, opened.salt);
    format!("{} {}{}", seal.answer + 1, seal.hash, seal.opened.as_ref().map_or(String::new(), opened))
}

/// Reads a seal from the header of a record; `None` if the text is no seal.
pub(crate) fn read_seal(text: &str) -> Option<Seal> {
    let number = |word: &str| word.parse::<usize>().ok()?.checked_sub(1);
    let is_hex = |word: &str, n_bytes: usize| word.len() == 2 * n_bytes && word.bytes().all(|b| b.is_ascii_hexdigit());
    let words: Vec<&str> = text.split_whitespace().collect();
    let (answer, hash, opened) = match words[..] {
        [answer, hash] => (answer, hash, None),
        [answer, hash, by, salt] if is_hex(salt, SALT_BYTES) => {
            (answer, hash, Some(OpenedSeal { answer: number(by)?, salt: salt.to_owned() }))
        }
        _ => return None,
    };
    is_hex(hash, 32).then_some(())?;
    Some(Seal { answer: number(answer)?, hash: hash.to_owned(), opened })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_other_programs() {
        // printf 'bid 3 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f' | sha256sum
        let expected = "714670478c393b825a6ac8f29a45eedcad800c4f56676eb8c0b7a6f61e7790f8";
        assert_eq!(hash_of_sealed("bid 3", &"0f".repeat(16)), expected);
    }

    #[test]
    fn a_seal_depends_on_all_answers_before() {
        let (setup, secret) = (Setup { seed: Some(7), ..Setup::of(&["kit"], 2) }, SealSecret([7; 32]));
        let log = |place: &str, bid: &str| ["draw kit/cap", place, bid].map(str::to_owned);
        let seal = secret.seal(&setup, &log("place 0,-1 0", "bid 3"), 2, "bid 3", Some(2));
        assert!(verify_seal(&seal, &log("place 0,-1 0", "bid 3")));
        assert!(!verify_seal(&seal, &log("place 0,-1 0", "bid 2")));
        let closed = Seal { opened: None, ..seal.clone() };
        assert!(!verify_seal(&closed, &log("place 0,-1 0", "bid 3")));
        for seal in [&seal, &closed] {
            assert_eq!(read_seal(&seal_text(seal)).as_ref(), Some(seal));
        }
        let hash = |secret: SealSecret, setup: &Setup, place: &str| {
            secret.seal(setup, &log(place, "bid 1"), 2, "bid 3", None).hash
        };
        assert_eq!(hash(secret, &setup, "place 0,-1 0"), seal.hash);
        assert_ne!(hash(secret, &setup, "place 0,-1 90"), seal.hash);
        assert_ne!(hash(SealSecret([8; 32]), &setup, "place 0,-1 0"), seal.hash);
        let after_seal = |hash: &str| {
            let seals = vec![Seal { answer: 1, hash: hash.repeat(64), opened: None }];
            Setup { seals, ..setup.clone() }
        };
        assert_ne!(hash(secret, &after_seal("a"), SEALED), hash(secret, &after_seal("b"), SEALED));
    }

    #[test]
    fn only_seals_are_read_as_seals() {
        let hash = "ab".repeat(32);
        for text in
            ["", "1,0 city@n", "0 ", "1", &format!("0 {hash}"), &format!("1 {hash} 2"), &format!("1 {hash} 2 ab")]
        {
            assert_eq!(read_seal(text), None, "{text}");
        }
    }
}
