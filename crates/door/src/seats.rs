//! The seats of a table: the guests who have taken them, and their tokens.

use serde::{Deserialize, Serialize};
use table::{Seat, SeatSet};

use crate::chat::cleaned;
use crate::client_id::ClientId;
use crate::collector::Consent;
use crate::protocol::{MAX_NAME, SeatClaim, SeatToken, SeatView};
use crate::request_error::RequestError;

/// A taken seat. The host stores it beside the record of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedSeat {
    /// The name of the guest.
    pub name: String,
    /// The token with which the guest proves that the seat is theirs.
    pub token: SeatToken,
    /// The guest's consent to a playtest; `None` before the guest has agreed or declined.
    #[serde(default)]
    pub consent: Option<Consent>,
}

/// The guest who has taken a seat.
struct SeatOwner {
    saved: SavedSeat,
    /// The client of the guest; `None` while the guest is not connected.
    client: Option<ClientId>,
}

/// All seats of a table.
pub(crate) struct Seats(Vec<Option<SeatOwner>>);

impl Seats {
    /// Makes the `n` seats of a table. `saved` contains the stored seats in order; `None` for a
    /// free seat.
    pub fn new(n: usize, saved: Vec<Option<SavedSeat>>) -> Seats {
        let mut saved = saved.into_iter();
        Seats((0..n).map(|_| saved.next().flatten().map(|saved| SeatOwner { saved, client: None })).collect())
    }

    /// Returns the seats of a client.
    pub(crate) fn seats_of(&self, client: ClientId) -> SeatSet {
        let owned = |owner: &Option<SeatOwner>| owner.as_ref().is_some_and(|owner| owner.client == Some(client));
        self.numbered().filter(|(_, owner)| owned(owner)).map(|(seat, _)| seat).collect()
    }

    fn numbered(&self) -> impl Iterator<Item = (Seat, &Option<SeatOwner>)> {
        self.0.iter().enumerate().map(|(i, owner)| (Seat(i as u8), owner))
    }

    fn numbered_mut(&mut self) -> impl Iterator<Item = (Seat, &mut Option<SeatOwner>)> {
        self.0.iter_mut().enumerate().map(|(i, owner)| (Seat(i as u8), owner))
    }

    /// Gives a client a free seat, or the seat of its token. Returns the seat, and whether the
    /// client has returned to it.
    ///
    /// # Errors
    /// Returns an error if no wanted seat is free, or if the token belongs to no wanted seat.
    pub fn sit(
        &mut self,
        client: ClientId,
        wanted: Option<Seat>,
        name: &str,
        claim: SeatClaim,
    ) -> Result<(Seat, bool), RequestError> {
        let token = claim.token();
        let fits = |seat: Seat| wanted.is_none_or(|wanted| wanted == seat);
        let own = |(seat, owner): (Seat, &mut Option<SeatOwner>)| {
            // A repeated request gets the seat that the first request took, even if it now names
            // another seat.
            let fits = fits(seat) || matches!(claim, SeatClaim::Take(_));
            let owner = owner.as_mut().filter(|owner| owner.saved.token == token && fits)?;
            owner.client = Some(client);
            Some(seat)
        };
        match (self.numbered_mut().find_map(own), claim) {
            (Some(seat), _) => return Ok((seat, true)),
            (None, SeatClaim::Return(_)) => return Err(RequestError::UnknownToken),
            (None, SeatClaim::Take(_)) => {}
        }
        let n = self.0.len();
        let Some((seat, owner)) = self.numbered_mut().find(|(seat, owner)| owner.is_none() && fits(*seat)) else {
            let is_seat = wanted.is_none_or(|wanted| wanted.idx() < n);
            return Err(match wanted {
                Some(_) if is_seat => RequestError::SeatTaken,
                Some(_) => RequestError::NoSuchSeat,
                None => RequestError::NoFreeSeat,
            });
        };
        let name = Some(cleaned(name, MAX_NAME)).filter(|name| !name.is_empty());
        let saved = SavedSeat { name: name.unwrap_or_else(|| "guest".to_owned()), token, consent: None };
        *owner = Some(SeatOwner { saved, client: Some(client) });
        Ok((seat, false))
    }

    /// Returns the first seat of a client, and the name of its guest; `None` if the client has no
    /// seat.
    pub fn player(&self, client: ClientId) -> Option<(Seat, &str)> {
        let owned = |owner: &&SeatOwner| owner.client == Some(client);
        self.numbered().find_map(|(seat, owner)| Some((seat, owner.as_ref().filter(owned)?.saved.name.as_str())))
    }

    /// Returns the client that plays a seat; `None` if the seat is free or its guest is away.
    pub fn client(&self, seat: Seat) -> Option<ClientId> {
        self.0.get(seat.idx())?.as_ref()?.client
    }

    /// Returns the consents of the guests of all taken seats, each with the client of the guest.
    pub(crate) fn consents_mut(&mut self) -> impl Iterator<Item = (Option<ClientId>, &mut Option<Consent>)> {
        self.0.iter_mut().flatten().map(|owner| (owner.client, &mut owner.saved.consent))
    }

    /// Returns the consents of the guests of all seats in order; `None` for a free seat.
    pub fn consents(&self) -> Vec<Option<Consent>> {
        self.0.iter().map(|owner| owner.as_ref().and_then(|owner| owner.saved.consent)).collect()
    }

    /// Frees the seats of a client, and returns them.
    pub fn stand(&mut self, client: ClientId) -> SeatSet {
        let freed = self.seats_of(client);
        self.0
            .iter_mut()
            .filter(|owner| owner.as_ref().is_some_and(|owner| owner.client == Some(client)))
            .for_each(|owner| *owner = None);
        freed
    }

    /// Frees a seat.
    pub fn free(&mut self, seat: Seat) {
        if let Some(owner) = self.0.get_mut(seat.idx()) {
            *owner = None;
        }
    }

    /// Returns the seats of guests, connected or not. Omits the seats of [`ClientId::LOCAL`].
    pub(crate) fn taken_by_others(&self) -> SeatSet {
        let is_other = |owner: &Option<SeatOwner>| owner.as_ref().is_some_and(|it| it.client != Some(ClientId::LOCAL));
        self.numbered().filter(|(_, owner)| is_other(owner)).map(|(seat, _)| seat).collect()
    }

    /// Returns the name of the guest who has taken a seat; `None` if the seat is free.
    pub fn name(&self, seat: Seat) -> Option<&str> {
        Some(self.0.get(seat.idx())?.as_ref()?.saved.name.as_str())
    }

    /// Marks the seats of a client as disconnected. Their guests can return to them.
    pub(crate) fn mark_disconnected(&mut self, client: ClientId) {
        for owner in self.0.iter_mut().flatten().filter(|owner| owner.client == Some(client)) {
            owner.client = None;
        }
    }

    /// Returns the stored form of the seats in order; `None` for a free seat.
    pub(crate) fn saved_seats(&self) -> Vec<Option<SavedSeat>> {
        self.0.iter().map(|owner| owner.as_ref().map(|owner| owner.saved.clone())).collect()
    }

    /// Returns the seats as all clients see them.
    pub fn views(&self, is_bot: impl Fn(Seat) -> bool) -> Vec<SeatView> {
        let view = |(seat, owner): (Seat, &Option<SeatOwner>)| SeatView {
            name: owner.as_ref().map(|owner| owner.saved.name.clone()),
            is_here: owner.as_ref().is_some_and(|owner| owner.client.is_some()),
            is_bot: is_bot(seat),
        };
        self.numbered().map(view).collect()
    }
}
