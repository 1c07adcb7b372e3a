//! Frames in protobuf: whatever comes is read or refused, and what was read is written the same.
#![no_main]

use std::sync::LazyLock;

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use parlor_gateway::wire::{JsonFrames, Outgoing, client_frame_from_proto};
use parlor_gateway_fuzz::{mutated, proto_frames};
use prost::Message;

static TEMPLATES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(proto_frames);
static JSON: LazyLock<JsonFrames> = LazyLock::new(|| JsonFrames::new().expect("descriptors"));

fuzz_target!(|data: &[u8]| {
    let frame = mutated(data, &TEMPLATES);
    if let Ok(read) = client_frame_from_proto(&frame[..]) {
        let written = read.encode_to_vec();
        let again = client_frame_from_proto(&written[..]).expect("what was written can be read");
        assert_eq!(read, again);
    }
    // The same bytes as something that a table said: passed on, or refused as JSON.
    let update = Outgoing::Update(Bytes::from(frame));
    assert_eq!(update.to_bytes().len(), update.encoded_len());
    let _ = JSON.write(&update);
});
