//! Whoever creates a club's room dies at any step, or its answers are lost: in the end no card is
//! held any more, and each room that was played was paid once.

use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};

use parlor_common::{Clock, PlayerId};
use parlor_matchmaking::Error;
use parlor_matchmaking::club::{Club, ClubId};
use parlor_matchmaking::clubs::Grant;
use parlor_matchmaking::hands::NoHistory;
use parlor_matchmaking::queue::Queues;
use parlor_matchmaking::ratings::Unrated;
use parlor_matchmaking::service::{Limits, Matchmaking, Parts};
use parlor_matchmaking::store::embedded::EmbeddedStore;
use parlor_matchmaking::store::{ClubStore, Room};
use parlor_matchmaking::ticket::Member;
use parlor_matchmaking::timing::Timing;
use parlor_proto::rules::v1::options::Game;
use parlor_proto::rules::v1::{MahjongOptions, Options};
use parlor_proto::table::v1::{StakeMode, TableSettings};

use super::driver::now_or_panic;
use super::stepping::Stepping;
use super::world::World;

const CARDS: i64 = 10;
const PRICE: i64 = 3;

/// No request takes so many steps.
const MOST_STEPS: usize = 10_000;

/// Read once: that takes longer than a whole scene.
static QUEUES: LazyLock<Queues> = LazyLock::new(|| Queues::built_in().unwrap());

struct Scene {
    clock: Clock,
    world: World,
    store: Arc<EmbeddedStore>,
    host: Member,
    club: ClubId,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let clock = Clock::held_at(1_000_000);
        let world = World::new(seed, clock.clone());
        world.state().unreliable = false;
        let store = Arc::new(EmbeddedStore::in_memory().unwrap());
        let host = Member::new(PlayerId::random(), "p").unwrap();
        let club = ClubId::founded_by(host.player, &"found".parse().unwrap());
        let scene = Self { clock, world, store, host, club };
        let service = scene.service();
        let request = "found".parse().unwrap();
        finish(service.create_club(&request, scene.host.clone(), "c".to_owned())).unwrap();
        let key = "k".parse().unwrap();
        let grant = Grant { key, club, cards: CARDS, note: String::new() };
        finish(service.grant_cards(&grant)).unwrap();
        scene
    }

    /// A replica.
    fn service(&self) -> Matchmaking {
        let card_prices = format!("8={PRICE}").parse().unwrap();
        Matchmaking::new(Parts {
            queues: QUEUES.clone(),
            store: Arc::new(Stepping(Arc::clone(&self.store))),
            tables: Arc::new(self.world.clone()),
            ratings: Arc::new(Unrated),
            hands: Arc::new(NoHistory),
            clock: self.clock.clone(),
            timing: Timing::default(),
            limits: Limits { card_prices, ..Limits::default() },
        })
    }

    /// Asks for a room and dies after so many steps; the answer, if there was one before.
    fn ask(&self, steps: usize) -> Option<Result<Room, Error>> {
        let options = Options { game: Some(Game::Mahjong(MahjongOptions::default())) };
        let settings = TableSettings {
            options: Some(options),
            stake_mode: StakeMode::Points.into(),
            ..TableSettings::default()
        };
        let service = self.service();
        let request = "room".parse().unwrap();
        let room = service.create_room(request, self.host.clone(), settings, Some(self.club));
        let mut room = std::pin::pin!(room);
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..steps {
            if let Poll::Ready(made) = room.as_mut().poll(&mut context) {
                return Some(made);
            }
        }
        None
    }

    fn pass_ms(&self, by_ms: i64) {
        self.clock.advance_ms(by_ms);
        self.world.tick();
        finish(self.service().look_after_rooms()).unwrap();
    }

    fn club(&self) -> Club {
        now_or_panic(self.store.club(self.club)).unwrap().unwrap().club
    }

    /// Lets all tables go, and looks on until nothing changes any more.
    fn end(&self) -> Club {
        self.world.stand_up(self.host.player);
        for _ in 0..12 {
            self.pass_ms(15_000);
        }
        self.club()
    }
}

fn finish<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..MOST_STEPS {
        if let Poll::Ready(answer) = future.as_mut().poll(&mut context) {
            return answer;
        }
    }
    panic!("the request does not end");
}

#[test]
fn a_room_that_never_begins_costs_nothing_wherever_its_creation_broke_off() {
    let mut steps = 0;
    loop {
        let scene = Scene::new(steps as u64);
        let answered = scene.ask(steps).map(Result::unwrap).is_some();
        let club = scene.end();
        assert!(club.rooms.is_empty(), "step {steps}: {club:?}");
        assert_eq!((club.cards, club.cards_held(), club.card_entries), (CARDS, 0, 1));
        if answered {
            break;
        }
        steps += 1;
    }
    println!("{steps} steps");
    assert!(steps > 15, "only {steps} steps");
}

#[test]
fn a_room_that_is_asked_for_again_and_played_is_paid_once() {
    let mut steps = 0;
    loop {
        let scene = Scene::new(steps as u64);
        let answered = scene.ask(steps).map(Result::unwrap).is_some();
        let mut made = answered;
        while !made {
            match scene.ask(MOST_STEPS).unwrap() {
                Ok(_) => made = true,
                // What was begun must lapse first.
                Err(Error::RoomBeingCreated | Error::AlreadySeated(..)) => scene.pass_ms(5_000),
                Err(error) => panic!("step {steps}: {error}"),
            }
        }
        assert!(scene.club().cards_held() >= PRICE, "step {steps}");
        scene.world.deal_to(scene.host.player);
        for _ in 0..3 {
            scene.pass_ms(1_000);
        }
        let club = scene.club();
        assert_eq!(club.cards, CARDS - PRICE, "step {steps}: {club:?}");
        scene.world.deal_to(scene.host.player);
        let club = scene.end();
        assert!(club.rooms.is_empty(), "step {steps}: {club:?}");
        assert_eq!((club.cards, club.cards_held(), club.card_entries), (CARDS - PRICE, 0, 2));
        if answered {
            return;
        }
        steps += 1;
    }
}
