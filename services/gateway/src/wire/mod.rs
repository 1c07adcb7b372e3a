//! Frames as they travel: protobuf, and proto3 JSON by reflection.
//!
//! What a table says is passed on as the bytes it sent ([`splice`]), so that fields which only a
//! newer table and a newer client know survive the gateway. What a client says is always decoded:
//! nothing unchecked enters the links that all clients share.

pub mod head;
pub mod json;
pub mod replay;
pub mod splice;

use parlor_proto::gateway::v1::ClientFrame;
use prost::Message;

pub use json::JsonFrames;
pub use splice::Outgoing;

/// A frame that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Id of the request, when at least that could be read.
    pub request_id: Option<String>,
    /// What is wrong, for a developer.
    pub message: String,
}

impl Malformed {
    /// A frame of which nothing could be read.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { request_id: None, message: message.into() }
    }
}

/// Reads a serialized client frame.
///
/// # Errors
/// When the bytes are no client frame.
pub fn client_frame_from_proto(bytes: impl bytes::Buf) -> Result<ClientFrame, Malformed> {
    ClientFrame::decode(bytes).map_err(|error| Malformed::new(error.to_string()))
}
