//! The protobuf face of the service.

mod link;
mod placement;
mod service;

pub use link::LinkApi;
pub use placement::PlacementApi;
pub use service::TableApi;

use parlor_common::{Failure, TableId};

use crate::actor::Handle;
use crate::error::Error;
use crate::tables::Tables;

/// The way to the table with this id.
async fn table(tables: &Tables, id: &str) -> Result<Handle, Failure> {
    let id = id.parse::<TableId>()?;
    Ok(tables.find(id).await?)
}

/// A request id that can be remembered.
fn check_request_id(id: &str) -> Result<(), Failure> {
    if id.is_empty() || id.len() > crate::tables::REQUEST_ID_MAX {
        let error = Error::Invalid("BAD_REQUEST_ID", "a request id has 1 to 64 characters");
        return Err(error.into());
    }
    Ok(())
}

/// Puts a message into a table's mailbox, which may be full or closed.
fn post(handle: &Handle, message: crate::actor::Message) -> Result<(), Failure> {
    use tokio::sync::mpsc::error::TrySendError;
    handle.mailbox.try_send(message).map_err(|error| match error {
        TrySendError::Full(_) => Failure::from(Error::Busy).retry_after_ms(100),
        TrySendError::Closed(_) => Error::TableMoved { owner: None }.into(),
    })
}
