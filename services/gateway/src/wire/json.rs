//! Frames in proto3 JSON, by reflection over the compiled descriptors.

use parlor_proto::gateway::v1::ClientFrame;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};

use super::{Malformed, Outgoing};
use crate::Error;

/// Reads and writes frames in proto3 JSON; cheap to clone.
///
/// Field names are in lowerCamelCase (the names of the `.proto` files are understood too), 64-bit
/// numbers are strings, bytes are base64, and fields with their default value are left out. A field
/// that the schema does not have makes a client's frame malformed, so that a misspelt name is not
/// silently a zero.
#[derive(Clone, Debug)]
pub struct JsonFrames {
    client: MessageDescriptor,
    server: MessageDescriptor,
}

impl JsonFrames {
    /// From the descriptors that are compiled in.
    ///
    /// # Errors
    /// When they cannot be read: a broken build.
    pub fn new() -> Result<Self, Error> {
        let pool = DescriptorPool::decode(parlor_proto::DESCRIPTORS)
            .map_err(|error| Error::Descriptors(error.to_string()))?;
        let message = |name: &str| {
            pool.get_message_by_name(name).ok_or_else(|| Error::Descriptors(name.to_owned()))
        };
        Ok(Self {
            client: message("parlor.gateway.v1.ClientFrame")?,
            server: message("parlor.gateway.v1.ServerFrame")?,
        })
    }

    /// Reads a client's frame.
    ///
    /// # Errors
    /// When the text is no client frame; with the id of the request where that can be told.
    pub fn read(&self, text: &str) -> Result<ClientFrame, Malformed> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        DynamicMessage::deserialize(self.client.clone(), &mut deserializer)
            .and_then(|message| deserializer.end().map(|()| message))
            .map_err(|error| error.to_string())
            .and_then(|message| message.transcode_to().map_err(|error| error.to_string()))
            .map_err(|message| Malformed { request_id: request_id(text), message })
    }

    /// Writes a frame; `None` when the bytes of a table are no such message.
    #[must_use]
    pub fn write(&self, outgoing: &Outgoing) -> Option<String> {
        let message = DynamicMessage::decode(self.server.clone(), outgoing.to_bytes()).ok()?;
        serde_json::to_string(&message).ok()
    }

    /// Writes any message of ours, such as the answers over HTTP.
    #[must_use]
    pub fn write_message(&self, name: &str, message: &impl Message) -> Option<String> {
        let descriptor = self.client.parent_pool().get_message_by_name(name)?;
        let bytes = message.encode_to_vec();
        let message = DynamicMessage::decode(descriptor, bytes.as_slice()).ok()?;
        serde_json::to_string(&message).ok()
    }
}

/// The id of the request in a frame that is otherwise not understood.
fn request_id(text: &str) -> Option<String> {
    let frame: serde_json::Value = serde_json::from_str(text).ok()?;
    frame.get("request")?.get("id")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_proto::gateway::v1::{
        Ping, ServerFrame, client_frame, request::Command, server_frame,
    };
    use parlor_proto::table::v1::TableUpdate;

    use super::*;

    fn frames() -> JsonFrames {
        JsonFrames::new().unwrap()
    }

    #[test]
    fn a_table_command_is_read_with_both_spellings_of_its_fields() {
        for text in [
            r#"{"request":{"id":"a","table":{"tableId":"t","command":{"sit":{"buyIn":"200"}}}}}"#,
            r#"{"request":{"id":"a","table":{"table_id":"t","command":{"sit":{"buy_in":200}}}}}"#,
        ] {
            let frame = frames().read(text).unwrap().frame;
            let Some(client_frame::Frame::Request(request)) = frame else {
                unreachable!("a request was sent")
            };
            assert_eq!(request.id, "a");
            assert!(
                matches!(request.command, Some(Command::Table(table)) if table.table_id == "t")
            );
        }
    }

    #[test]
    fn a_misspelt_field_is_malformed_and_names_its_request() {
        let text = r#"{"request":{"id":"a","table":{"tabel":"t"}}}"#;
        let malformed = frames().read(text).unwrap_err();
        assert_eq!(malformed.request_id.as_deref(), Some("a"));
        assert!(malformed.message.contains("tabel"), "{}", malformed.message);
    }

    #[test]
    fn what_is_no_json_is_malformed() {
        for text in ["", "{", "[]", "null", r#"{"ping":{}} trailing"#, r#"{"ping":{"nonce":-1}}"#] {
            assert_eq!(frames().read(text).unwrap_err().request_id, None, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_malformed_rather_than_a_full_stack() {
        let text = format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000));
        assert!(frames().read(&text).is_err());
        let text = r#"{"request":"#.repeat(10_000);
        assert!(frames().read(&text).is_err());
    }

    #[test]
    fn a_ping_survives_the_whole_range_of_its_nonce() {
        let frame = frames().read(r#"{"ping":{"nonce":"18446744073709551615"}}"#).unwrap();
        assert_eq!(frame.frame, Some(client_frame::Frame::Ping(Ping { nonce: u64::MAX })));
    }

    #[test]
    fn a_passed_on_update_is_written_by_the_schema() {
        let update = TableUpdate { table_id: "t".into(), seq: 4, ..TableUpdate::default() };
        let text = frames().write(&Outgoing::Update(update.encode_to_vec().into())).unwrap();
        assert_eq!(text, r#"{"update":{"tableId":"t","seq":"4"}}"#);
    }

    #[test]
    fn an_update_that_is_no_message_is_not_written() {
        assert_eq!(frames().write(&Outgoing::Update(vec![0xff, 0xff].into())), None);
    }

    #[test]
    fn an_empty_pong_is_written_as_an_empty_object() {
        let frame = ServerFrame { frame: Some(server_frame::Frame::Pong(Default::default())) };
        assert_eq!(frames().write(&Outgoing::frame(&frame)).unwrap(), r#"{"pong":{}}"#);
    }
}
