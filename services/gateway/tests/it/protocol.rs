//! The examples of the protocol's description are frames, and its list of reasons is complete.

use parlor_gateway::wire::JsonFrames;
use prost_reflect::{DescriptorPool, DynamicMessage};

const PROTOCOL: &str = include_str!("../../../../proto/parlor/gateway/v1/PROTOCOL.md");

/// The lines of all fenced blocks that are marked so.
pub fn examples(mark: &str) -> Vec<&'static str> {
    let fence = format!("```json {mark}");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in PROTOCOL.lines() {
        if line.starts_with("```") {
            inside = line == fence;
        } else if inside {
            lines.push(line);
        }
    }
    lines
}

#[test]
fn every_frame_of_a_client_can_be_read() {
    let frames = JsonFrames::new().unwrap();
    let examples = examples("client");
    assert!(examples.len() >= 6, "{}", examples.len());
    for example in examples {
        let frame = frames.read(example).unwrap_or_else(|error| panic!("{example}: {error:?}"));
        assert!(frame.frame.is_some(), "{example}");
    }
}

#[test]
fn every_frame_of_the_server_is_written_as_it_stands() {
    let pool = DescriptorPool::decode(parlor_proto::DESCRIPTORS).unwrap();
    let server = pool.get_message_by_name("parlor.gateway.v1.ServerFrame").unwrap();
    let examples = examples("server");
    assert!(examples.len() >= 12, "{}", examples.len());
    for example in examples {
        let mut deserializer = serde_json::Deserializer::from_str(example);
        let frame = DynamicMessage::deserialize(server.clone(), &mut deserializer)
            .unwrap_or_else(|error| panic!("{example}: {error}"));
        let written: serde_json::Value =
            serde_json::from_str(&serde_json::to_string(&frame).unwrap()).unwrap();
        let stands: serde_json::Value = serde_json::from_str(example).unwrap();
        assert_eq!(written, stands);
    }
}

#[test]
fn every_reason_is_described() {
    for reason in parlor_gateway::REASONS {
        let row = format!("\n| `{reason}` | ");
        assert!(PROTOCOL.contains(&row), "{reason}");
    }
}
