//! Server frames around messages that are not decoded.

use bytes::{BufMut, Bytes, BytesMut};
use parlor_proto::gateway::v1::ServerFrame;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint, key_len};

/// Number of `ServerFrame.response`.
const RESPONSE_FIELD: u32 = 2;
/// Number of `ServerFrame.update`.
const UPDATE_FIELD: u32 = 3;
/// Number of `ServerFrame.resync`.
const RESYNC_FIELD: u32 = 4;

/// A frame on its way to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A serialized `ServerFrame`.
    Frame(Bytes),
    /// A serialized `Response`, to be the frame's `response`.
    Response(Bytes),
    /// A serialized `parlor.table.v1.TableUpdate`, to be the frame's `update`.
    Update(Bytes),
    /// A serialized `parlor.table.v1.TableResync`, to be the frame's `resync`.
    Resync(Bytes),
}

impl Outgoing {
    /// A frame of the gateway's own.
    #[must_use]
    pub fn frame(frame: &ServerFrame) -> Self {
        Self::Frame(frame.encode_to_vec().into())
    }

    /// The field of `ServerFrame` that a part is, and the part; `Err` is a whole frame.
    const fn part(&self) -> Result<(u32, &Bytes), &Bytes> {
        match self {
            Self::Frame(frame) => Err(frame),
            Self::Response(body) => Ok((RESPONSE_FIELD, body)),
            Self::Update(body) => Ok((UPDATE_FIELD, body)),
            Self::Resync(body) => Ok((RESYNC_FIELD, body)),
        }
    }

    /// Bytes of the serialized frame.
    #[must_use]
    pub fn encoded_len(&self) -> usize {
        match self.part() {
            Err(frame) => frame.len(),
            Ok((field, body)) => {
                key_len(field) + encoded_len_varint(body.len() as u64) + body.len()
            }
        }
    }

    /// Appends the serialized frame.
    pub fn encode(&self, buffer: &mut impl BufMut) {
        match self.part() {
            Err(frame) => buffer.put_slice(frame),
            Ok((field, body)) => {
                encode_key(field, WireType::LengthDelimited, buffer);
                encode_varint(body.len() as u64, buffer);
                buffer.put_slice(body);
            }
        }
    }

    /// The serialized frame.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        if let Self::Frame(frame) = self {
            return frame.clone();
        }
        let mut buffer = BytesMut::with_capacity(self.encoded_len());
        self.encode(&mut buffer);
        buffer.freeze()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_proto::gateway::v1::{Response, server_frame::Frame};
    use parlor_proto::table::v1::{TableResync, TableUpdate};

    use super::*;

    #[test]
    fn a_spliced_update_is_the_frame_that_the_schema_describes() {
        let update = TableUpdate { table_id: "t".repeat(200), seq: 9, ..TableUpdate::default() };
        let outgoing = Outgoing::Update(update.encode_to_vec().into());
        let whole = ServerFrame { frame: Some(Frame::Update(update)) };
        assert_eq!(outgoing.to_bytes(), whole.encode_to_vec());
        assert_eq!(outgoing.encoded_len(), whole.encoded_len());
    }

    #[test]
    fn a_spliced_resync_is_the_frame_that_the_schema_describes() {
        let resync = TableResync { seq: 300, ..TableResync::default() };
        let outgoing = Outgoing::Resync(resync.encode_to_vec().into());
        let whole = ServerFrame { frame: Some(Frame::Resync(resync)) };
        assert_eq!(outgoing.to_bytes(), whole.encode_to_vec());
    }

    #[test]
    fn a_spliced_response_is_the_frame_that_the_schema_describes() {
        let response = Response { id: "r".into(), ..Response::default() };
        let outgoing = Outgoing::Response(response.encode_to_vec().into());
        let whole = ServerFrame { frame: Some(Frame::Response(response)) };
        assert_eq!(outgoing.to_bytes(), whole.encode_to_vec());
    }

    #[test]
    fn fields_of_a_newer_table_survive() {
        // Field 100, a varint: nothing that this gateway knows.
        let newer = Bytes::from_static(&[0x10, 0x05, 0xa0, 0x06, 0x2a]);
        let bytes = Outgoing::Update(newer.clone()).to_bytes();
        assert!(bytes.ends_with(&newer));
    }
}
