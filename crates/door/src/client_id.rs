//! The numbers of clients.

/// The number of a client, assigned by the program that runs the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

impl ClientId {
    /// The client that is the program that runs the table, such as the window.
    pub const LOCAL: ClientId = ClientId(u64::MAX);
}
