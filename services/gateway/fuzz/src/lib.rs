//! What the fuzz targets of the gateway share: frames that are nearly right.
//!
//! Bytes at random seldom get past the first field. [`mutated`] lets the fuzzer choose a valid
//! frame and then where to damage it, so that the deeper code is reached at once; what it cannot
//! compose that way it may still send raw.

use parlor_proto::gateway::v1::client_frame::Frame;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::{
    AnswerReadyCheck, CancelTicket, ClientFrame, ClubCommand, CreateRoom, Enqueue, GetHand,
    GetLeaderboard, GetProfile, Hello, JoinRoom, ListHands, ListQueues, ListTables, PartyCommand,
    Ping, Request, ResumePoint, TableCommand, Unwatch, Watch, club_command, party_command,
};
use parlor_proto::table::v1::{ClientSeed, Emote, Sit, StandUp, TableSettings, command};
use prost::Message;

/// A table's id.
pub const TABLE: &str = "0192f0c2-0000-7000-8000-000000000001";

/// Frames that are right: one of each kind.
#[must_use]
pub fn frames() -> Vec<ClientFrame> {
    let id = || TABLE.to_owned();
    let at_table = |command| {
        let command = parlor_proto::table::v1::Command { command: Some(command) };
        Command::Table(TableCommand { table_id: id(), command: Some(command) })
    };
    let commands = vec![
        Command::ListQueues(ListQueues {}),
        Command::Enqueue(Enqueue { queue_id: "blackjack-quick".to_owned() }),
        Command::CancelTicket(CancelTicket {}),
        Command::CreateRoom(CreateRoom {
            settings: Some(TableSettings { seats: 4, buy_in: 500, ..TableSettings::default() }),
            club_id: id(),
        }),
        Command::JoinRoom(JoinRoom { room_code: "123456".to_owned() }),
        Command::Watch(Watch { table_id: id() }),
        Command::Unwatch(Unwatch { table_id: id() }),
        at_table(command::Command::Sit(Sit { seat: Some(1), buy_in: 200 })),
        at_table(command::Command::StandUp(StandUp {})),
        at_table(command::Command::Emote(Emote { emote: 3 })),
        at_table(command::Command::ClientSeed(ClientSeed { seed: vec![7; 32].into() })),
        Command::GetProfile(GetProfile {}),
        Command::ListHands(ListHands { page_size: 10, ..ListHands::default() }),
        Command::GetHand(GetHand { hand_id: format!("{TABLE}/7") }),
        Command::ListTables(ListTables::default()),
        Command::GetLeaderboard(GetLeaderboard { board: "balatro".to_owned() }),
        Command::AnswerReadyCheck(AnswerReadyCheck { ready: true }),
        Command::Club(ClubCommand { command: Some(club_command::Command::GetClubId(id())) }),
        Command::Party(PartyCommand {
            command: Some(party_command::Command::JoinByInviteCode("ABCDEFGH".to_owned())),
        }),
    ];
    let request = |(number, command)| {
        Frame::Request(Request { id: format!("r-{number}"), command: Some(command) })
    };
    let mut frames: Vec<Frame> = commands.into_iter().enumerate().map(request).collect();
    frames.push(Frame::Ping(Ping { nonce: u64::MAX }));
    frames.push(Frame::Hello(Hello {
        access_token: "a.b.c".to_owned(),
        client: "fuzz".to_owned(),
        with_views: true,
        resume: vec![ResumePoint { table_id: id(), seq: 42 }],
        client_seed: vec![1, 2, 3].into(),
    }));
    frames.into_iter().map(|frame| ClientFrame { frame: Some(frame) }).collect()
}

/// [`frames`], serialized.
#[must_use]
pub fn proto_frames() -> Vec<Vec<u8>> {
    frames().iter().map(Message::encode_to_vec).collect()
}

/// Frames in JSON.
pub const JSON_FRAMES: [&str; 8] = [
    r#"{"hello":{"accessToken":"a.b.c","client":"web/1","clientSeed":"AQID","withViews":true}}"#,
    r#"{"hello":{"accessToken":"x","resume":[{"tableId":"t","seq":"42"}]}}"#,
    r#"{"ping":{"nonce":"18446744073709551615"}}"#,
    r#"{"request":{"id":"r","getProfile":{}}}"#,
    r#"{"request":{"id":"r","table":{"tableId":"t","command":{"sit":{"seat":1,"buyIn":"200"}}}}}"#,
    r#"{"request":{"id":"r","createRoom":{"settings":{"stakeMode":"STAKE_MODE_POINTS"}}}}"#,
    r#"{"request":{"id":"r","table":{"tableId":"t","command":{"play":{"blackjack":{"bet":{}}}}}}}"#,
    r#"{"request":{"id":"r","listHands":{"game":"mahjong","pageSize":50,"pageToken":"é\u0000"}}}"#,
];

/// A frame out of the fuzzer's bytes: the first says which template, or none; then come edits of
/// three bytes each (what, where, with which value) up to a zero; the rest is put at the end.
#[must_use]
pub fn mutated<T: AsRef<[u8]>>(data: &[u8], templates: &[T]) -> Vec<u8> {
    let Some((&first, rest)) = data.split_first() else { return Vec::new() };
    let Some(template) = templates.get(usize::from(first)) else { return rest.to_vec() };
    let mut frame = template.as_ref().to_vec();
    let mut rest = rest;
    while let [what, place, value, after @ ..] = rest {
        if *what == 0 {
            break;
        }
        rest = after;
        if frame.is_empty() {
            frame.push(*value);
            continue;
        }
        let place = usize::from(*place) % frame.len();
        match what % 4 {
            0 => frame.insert(place, *value),
            1 => drop(frame.remove(place)),
            2 => frame.truncate(place),
            _ => frame[place] ^= *value,
        }
    }
    frame.extend_from_slice(rest);
    frame
}
