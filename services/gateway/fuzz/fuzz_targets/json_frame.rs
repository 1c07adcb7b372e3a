//! Frames in JSON: whatever comes is read or refused, and what was read survives protobuf.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use parlor_gateway::wire::{JsonFrames, client_frame_from_proto};
use parlor_gateway_fuzz::{JSON_FRAMES, mutated};
use prost::Message;

static JSON: LazyLock<JsonFrames> = LazyLock::new(|| JsonFrames::new().expect("descriptors"));

fuzz_target!(|data: &[u8]| {
    let frame = mutated(data, &JSON_FRAMES);
    // A WebSocket lets no other text through.
    let text = String::from_utf8_lossy(&frame);
    if let Ok(read) = JSON.read(&text) {
        let written = read.encode_to_vec();
        assert_eq!(client_frame_from_proto(&written[..]), Ok(read));
    }
});
