//! Frames that are nearly right, from a fixed seed: what the fuzz targets do, in small, each time.

use parlor_gateway::wire::{JsonFrames, Outgoing, client_frame_from_proto};
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::{GetProfile, Ping};
use prost::Message as _;
use tokio_tungstenite::tungstenite::Message;

use crate::fixture::client::{Incoming, Socket};
use crate::fixture::{Gateway, JsonClient, ProtoClient};
use crate::protocol::examples;

/// Mutated frames for each decoder, unless `PARLOR_TEST_FRAMES` says otherwise.
const FRAMES: usize = 20_000;
/// Mutated frames for a session, over a socket.
const OVER_A_SOCKET: usize = 400;

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % bound.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    /// A few edits of one of the templates, or now and then bytes at random.
    fn frame(&mut self, templates: &[Vec<u8>]) -> Vec<u8> {
        if self.below(10) == 0 {
            return (0..self.below(200)).map(|_| self.byte()).collect();
        }
        let mut frame = templates[self.below(templates.len())].clone();
        for _ in 0..=self.below(4) {
            let place = self.below(frame.len());
            match self.below(6) {
                0 => frame.insert(place, self.byte()),
                1 if !frame.is_empty() => drop(frame.remove(place)),
                2 => frame.truncate(place),
                3 => {
                    let other = &templates[self.below(templates.len())];
                    frame.extend_from_slice(&other[self.below(other.len())..]);
                }
                4 if !frame.is_empty() => frame[place] = self.byte(),
                5 if !frame.is_empty() => frame[place] ^= 1 << self.below(8),
                _ => {}
            }
        }
        frame
    }
}

fn frames() -> usize {
    std::env::var("PARLOR_TEST_FRAMES").map_or(FRAMES, |frames| frames.parse().unwrap())
}

fn json_templates() -> Vec<Vec<u8>> {
    examples("client").into_iter().map(|line| line.as_bytes().to_vec()).collect()
}

fn proto_templates() -> Vec<Vec<u8>> {
    let json = JsonFrames::new().unwrap();
    let frames = examples("client").into_iter().map(|line| json.read(line).unwrap());
    frames.map(|frame| frame.encode_to_vec()).collect()
}

#[test]
fn mutated_protobuf_is_read_or_refused_and_written_as_it_was_read() {
    let (json, templates) = (JsonFrames::new().unwrap(), proto_templates());
    let (mut chance, mut read, mut refused, frames) = (Chance(1), 0, 0, frames());
    for _ in 0..frames {
        let bytes = chance.frame(&templates);
        match client_frame_from_proto(&bytes[..]) {
            Ok(frame) => {
                let written = frame.encode_to_vec();
                assert_eq!(client_frame_from_proto(&written[..]), Ok(frame));
                read += 1;
            }
            Err(_) => refused += 1,
        }
        // The same bytes as if a table had said them.
        let _ = json.write(&Outgoing::Update(bytes.into()));
    }
    println!("protobuf: {read} read, {refused} refused");
    assert!(read > frames / 20 && refused > frames / 20, "{read} read, {refused} refused");
}

#[test]
fn mutated_json_is_read_or_refused_and_survives_protobuf() {
    let (json, templates) = (JsonFrames::new().unwrap(), json_templates());
    let (mut chance, mut read, mut refused, frames) = (Chance(2), 0, 0, frames());
    for _ in 0..frames {
        let bytes = chance.frame(&templates);
        match json.read(&String::from_utf8_lossy(&bytes)) {
            Ok(frame) => {
                let written = frame.encode_to_vec();
                assert_eq!(client_frame_from_proto(&written[..]), Ok(frame));
                read += 1;
            }
            Err(_) => refused += 1,
        }
    }
    println!("JSON: {read} read, {refused} refused");
    assert!(read > frames / 50 && refused > frames / 20, "{read} read, {refused} refused");
}

/// Sends a session nonsense until it is cut off, again and again; each time the gateway answers the
/// next client.
async fn torment(gateway: &Gateway, token: &str, protocol: &str, templates: &[Vec<u8>]) {
    let mut chance = Chance(3);
    let mut sent = 0;
    while sent < OVER_A_SOCKET {
        let mut socket = if protocol == "parlor.v1.json" {
            let mut client = JsonClient::connect(gateway.address).await;
            client.hello(token).await;
            client.socket
        } else {
            let mut client = ProtoClient::connect(gateway.address).await;
            client.hello(token).await;
            client.socket
        };
        for _ in 0..20 {
            let frame = chance.frame(templates);
            let message = match protocol {
                "parlor.v1.json" => Message::text(String::from_utf8_lossy(&frame).into_owned()),
                _ => Message::binary(frame),
            };
            socket.send(message).await;
            sent += 1;
        }
        until_answered(&mut socket, protocol).await;
    }
}

/// Waits until everything before was taken: by a pong, or by the end.
async fn until_answered(socket: &mut Socket, protocol: &str) {
    let ping = Out::Ping(Ping { nonce: 7 });
    let ping = parlor_proto::gateway::v1::ClientFrame { frame: Some(ping) };
    socket
        .send(match protocol {
            "parlor.v1.json" => Message::text(r#"{"ping":{"nonce":"7"}}"#),
            _ => Message::binary(ping.encode_to_vec()),
        })
        .await;
    loop {
        match socket.next().await {
            Incoming::Text(text) if text.contains(r#""pong":{"nonce":"7""#) => return,
            Incoming::Binary(bytes) => {
                let frame = parlor_proto::gateway::v1::ServerFrame::decode(bytes).unwrap().frame;
                if matches!(frame, Some(crate::fixture::client::In::Pong(pong)) if pong.nonce == 7)
                {
                    return;
                }
            }
            Incoming::Closed(_) => return,
            Incoming::Text(_) => {}
        }
    }
}

#[tokio::test]
async fn sessions_bear_mutated_frames() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    torment(&gateway, &guest.access_token, "parlor.v1.proto", &proto_templates()).await;
    torment(&gateway, &guest.access_token, "parlor.v1.json", &json_templates()).await;
    let (mut client, _) = gateway.proto().await;
    let reply = client.request("r", Command::GetProfile(GetProfile {})).await;
    assert!(matches!(reply, Reply::Profile(_)));
}
