use parlor_common::{PlayerId, TableId};
use parlor_matchmaking::room::RoomCode;
use parlor_matchmaking::store::{Attempt, AttemptLimit, NewRoom, Opened, Room};

use super::Bench;

fn code(text: &str) -> RoomCode {
    text.parse().unwrap()
}

impl Bench {
    fn new_room(&self, digits: &str, request: &str) -> NewRoom {
        NewRoom {
            code: code(digits),
            host: PlayerId::random(),
            request: request.parse().unwrap(),
            until_ms: self.now_ms + 1_000,
        }
    }

    async fn open(&self, room: &NewRoom) -> Opened {
        self.store.open_room(room, self.now_ms).await.unwrap()
    }

    async fn table(&self, digits: &str) -> Option<TableId> {
        self.store.room(code(digits), self.now_ms).await.unwrap()
    }
}

pub async fn a_code_leads_to_its_table(bench: Bench) {
    let room = bench.new_room("012345", "r");
    let (table, until_ms) = (TableId::random(), bench.now_ms + 5_000);
    assert_eq!(bench.open(&room).await, Opened::Done);
    assert_eq!(bench.table("012345").await, None);
    for _ in 0..2 {
        assert!(bench.store.bind_room(&room, table, 0, until_ms).await.unwrap());
    }
    assert_eq!(bench.table("012345").await, Some(table));
    assert_eq!(bench.table("543210").await, None);
}

pub async fn one_code_is_held_once(bench: Bench) {
    let (room, other) = (bench.new_room("111111", "r"), bench.new_room("111111", "r"));
    assert_eq!(bench.open(&room).await, Opened::Done);
    assert_eq!(bench.open(&other).await, Opened::CodeTaken);
    let table = TableId::random();
    assert!(!bench.store.bind_room(&other, table, 0, room.until_ms).await.unwrap());
    bench.store.abandon_room(&other).await.unwrap();
    assert!(bench.store.bind_room(&room, table, 0, room.until_ms).await.unwrap());
    assert_eq!(bench.open(&other).await, Opened::CodeTaken);
}

pub async fn one_request_makes_one_room(bench: Bench) {
    let room = bench.new_room("222222", "r");
    let again = NewRoom { code: code("333333"), ..room.clone() };
    for _ in 0..2 {
        assert_eq!(bench.open(&room).await, Opened::Done);
    }
    assert_eq!(bench.open(&again).await, Opened::Pending);
    let table = TableId::random();
    assert!(bench.store.bind_room(&room, table, 2, room.until_ms).await.unwrap());
    let made = Room { code: room.code, table, seat: 2 };
    assert_eq!(bench.open(&again).await, Opened::Repeated(made));
    assert_eq!(bench.open(&room).await, Opened::Repeated(made));
    assert_eq!(bench.table("333333").await, None);
}

pub async fn an_abandoned_code_is_free(bench: Bench) {
    let room = bench.new_room("444444", "r");
    let other = bench.new_room("444444", "r");
    assert_eq!(bench.open(&room).await, Opened::Done);
    bench.store.abandon_room(&room).await.unwrap();
    assert_eq!(bench.open(&other).await, Opened::Done);
    assert!(!bench.store.bind_room(&room, TableId::random(), 0, room.until_ms).await.unwrap());
    // A room that has its table is not abandoned any more.
    let table = TableId::random();
    assert!(bench.store.bind_room(&other, table, 0, other.until_ms).await.unwrap());
    bench.store.abandon_room(&other).await.unwrap();
    assert_eq!(bench.table("444444").await, Some(table));
}

pub async fn codes_lapse(mut bench: Bench) {
    let room = bench.new_room("555555", "r");
    let again = NewRoom { code: code("666666"), until_ms: room.until_ms + 5_000, ..room.clone() };
    let other = bench.new_room("555555", "r");
    assert_eq!(bench.open(&room).await, Opened::Done);
    bench.now_ms = room.until_ms - 1;
    assert_eq!(bench.open(&again).await, Opened::Pending);
    bench.now_ms = room.until_ms;
    assert_eq!(bench.open(&again).await, Opened::Done);
    let other = NewRoom { until_ms: bench.now_ms + 1_000, ..other };
    assert_eq!(bench.open(&other).await, Opened::Done);

    let until_ms = bench.now_ms + 2_000;
    let table = TableId::random();
    assert!(bench.store.bind_room(&other, table, 0, until_ms).await.unwrap());
    bench.now_ms = until_ms - 1;
    assert_eq!(bench.table("555555").await, Some(table));
    bench.now_ms = until_ms;
    assert_eq!(bench.table("555555").await, None);
}

pub async fn a_code_is_closed_with_its_own_table_only(bench: Bench) {
    let room = bench.new_room("777777", "r");
    let table = TableId::random();
    bench.open(&room).await;
    bench.store.close_room(room.code, table).await.unwrap();
    assert!(bench.store.bind_room(&room, table, 0, room.until_ms).await.unwrap());
    bench.store.close_room(room.code, TableId::random()).await.unwrap();
    assert_eq!(bench.table("777777").await, Some(table));
    bench.store.close_room(room.code, table).await.unwrap();
    assert_eq!(bench.table("777777").await, None);
    assert_eq!(bench.open(&room).await, Opened::Done);
}

pub async fn a_learnt_code_does_not_replace_another(bench: Bench) {
    let (table, other) = (TableId::random(), TableId::random());
    let until_ms = bench.now_ms + 1_000;
    for learnt in [table, other] {
        let learn = bench.store.learn_room(code("888888"), learnt, bench.now_ms, until_ms);
        learn.await.unwrap();
    }
    assert_eq!(bench.table("888888").await, Some(table));
    let room = bench.new_room("888888", "r");
    assert_eq!(bench.open(&room).await, Opened::CodeTaken);
    let room = bench.new_room("999999", "r");
    bench.open(&room).await;
    bench.store.learn_room(room.code, other, bench.now_ms, until_ms).await.unwrap();
    assert_eq!(bench.table("999999").await, None);
}

pub async fn attempts_are_counted_in_windows(bench: Bench) {
    let limit = AttemptLimit { attempts: 2, window_ms: 1_000 };
    let (player, other) = (PlayerId::random(), PlayerId::random());
    let attempt = |player, after_ms| bench.store.attempt(player, limit, bench.now_ms + after_ms);
    assert_eq!(attempt(player, 0).await.unwrap(), Attempt::Allowed);
    assert_eq!(attempt(player, 600).await.unwrap(), Attempt::Allowed);
    assert_eq!(attempt(player, 600).await.unwrap(), Attempt::Wait { retry_after_ms: 400 });
    assert_eq!(attempt(player, 999).await.unwrap(), Attempt::Wait { retry_after_ms: 1 });
    assert_eq!(attempt(other, 999).await.unwrap(), Attempt::Allowed);
    assert_eq!(attempt(player, 1_000).await.unwrap(), Attempt::Allowed);
    assert_eq!(attempt(player, 1_000).await.unwrap(), Attempt::Allowed);
    assert_eq!(attempt(player, 1_999).await.unwrap(), Attempt::Wait { retry_after_ms: 1 });
}
